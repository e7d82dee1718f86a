"""The choices of a decision as numbered lists that a person can take in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rich.text import Text

from branchline.core.catalogue import say
from branchline.engine.describe import Words
from branchline.engine.facts import Action
from branchline.engine.view import View
from branchline.tui import paint


@dataclass(frozen=True)
class Choice:
    """A line of a menu: an action, or a menu of its own."""

    label: Text
    action: int = -1
    more: list[Choice] = field(default_factory=list)
    cities: tuple[int, ...] = ()  # by which a person may look for it
    route: int = -1  # that it is about


@dataclass(frozen=True)
class TicketChoice:
    """A choice of which tickets to keep: by their numbers, not one line for each combination."""

    tickets: list[int]
    actions: dict[tuple[int, ...], int]  # every choice that the rule has, by places from 0
    least: int
    most: int


def menu(view: View, words: Words, narrow: bool = False) -> list[Choice] | TicketChoice:
    """What the view's seat may choose now. Every action is in it; `narrow` lines are short."""
    actions = [view.action(number) for number in view.actions]
    if actions and all(action.kind == "keep" for action in actions):
        return _keeping(view, actions)
    groups: dict[str, list[Action]] = {}
    for action in actions:
        groups.setdefault(action.group or action.notation, []).append(action)
    if len(groups) > 1:
        return _turn(view, words, groups, narrow)
    return _listed(view, words, actions, narrow)


def _keeping(view: View, actions: list[Action]) -> TicketChoice:
    rule = view.game.action_rules[actions[0].number]
    choices: dict[tuple[int, ...], int] = {}
    for number in range(view.game.actions):
        if view.game.action_rules[number] is rule:
            choice = view.game.action(number)
            if choice.kind == "keep":
                choices[tuple(choice.places or ())] = number
    sizes = [len(action.places or ()) for action in actions]
    return TicketChoice(view.in_question, choices, min(sizes), max(sizes))


def _turn(view: View, words: Words, groups: dict[str, list[Action]], narrow: bool) -> list[Choice]:
    """The choices grouped by what one does; what belongs to no group stands by itself."""
    choices = []
    for group in GROUPS:
        members = groups.get(group, [])
        listed = _listed(view, words, members, narrow)
        if len(listed) > 1 or (group in ALWAYS_GROUPED and listed):
            choices.append(Choice(_label(words, group, n=len(listed)), more=listed))
        else:
            choices += listed
    for group, members in groups.items():
        if group not in GROUPS:
            choices += _listed(view, words, members, narrow)
    return choices


GROUPS: Final = ("draw_cards", "claim_routes", "draw_tickets")
ALWAYS_GROUPED: Final = ("draw_cards", "claim_routes")


def _listed(view: View, words: Words, actions: list[Action], narrow: bool) -> list[Choice]:
    """Actions of one sort, in the order in which a person looks for them."""
    if any(action.kind == "claim" for action in actions):
        return _claims(view, words, actions, narrow)
    if any(action.kind == "take" for action in actions):
        slots = {card: slot for slot, card in reversed(list(enumerate(view["display"])))}
        last = len(view["display"])
        actions = sorted(actions, key=lambda a: last if a.card is None else slots.get(a.card, last))
    elif any(action.cards is not None for action in actions):
        actions = sorted(actions, key=_thrift)
    choices = [_choice(words, action) for action in actions]
    if all(action.city is not None for action in actions):
        choices.sort(key=lambda choice: choice.label.plain)
    return choices


def _thrift(action: Action) -> tuple[int, int, int]:
    """How dear a payment is: cards too many, then sets of any cards, then locomotives."""
    cards = action.cards or [0]
    return action.extra or 0, action.sets or 0, cards[-1]


def _choice(words: Words, action: Action) -> Choice:
    label = words.of_action(action)
    if action.kind == "take" and action.card is not None:
        return _with_chip(words, action.card, label, action.number)
    cities = [action.city] if action.city is not None else []
    for ticket in action.tickets or ():
        t = words.game.board.tickets[ticket]
        cities += [int(t.a), int(t.b)]
    route = action.route if action.route is not None else -1
    return Choice(Text(label), action.number, cities=tuple(cities), route=route)


def _label(words: Words, key: str, **values: object) -> Text:
    return Text(say(f"play.menu.{key}", words.lang, **values))


def _claims(view: View, words: Words, actions: list[Action], narrow: bool) -> list[Choice]:
    """The routes that can be paid for, the most points first; then, if there is a choice, how."""
    by_route: dict[int, list[Action]] = {}
    for action in actions:
        assert action.route is not None
        by_route.setdefault(action.route, []).append(action)

    def worth(route: int) -> tuple[int, str]:
        return -words.points_of(route), words.route(route)

    for route in list(by_route):
        if _same_as_twin(view, route) and view.game.board.routes[route].twin in by_route:
            del by_route[route]
    wide = max((len(words.route(route)) for route in by_route), default=0)
    choices = []
    for route in sorted(by_route, key=worth):
        points = say("play.points", words.lang, n=words.points_of(route))
        label = Text(f"{words.route(route):<{wide}}  {points:>9}  ") + paint.track(words, route)
        if narrow:
            label = Text(f"{words.route(route)} ") + paint.short_track(words, route)
        ways = sorted(by_route[route], key=lambda action: _thrift_of(view, action))
        ends = int(view.game.board.routes[route].a), int(view.game.board.routes[route].b)
        if len(ways) == 1:
            choices.append(Choice(label, ways[0].number, cities=ends, route=route))
        else:
            more = [_with(view, words, action) for action in ways]
            choices.append(Choice(label, more=more, cities=ends, route=route))
    return choices


def _same_as_twin(view: View, route: int) -> bool:
    """Whether a route is the second of two that don't differ in anything."""
    r, routes = view.game.board.routes[route], view.game.board.routes
    twin = routes[r.twin]
    alike = (r.length, r.colour, r.locomotives, r.tunnel, r.any_cards) == (
        (twin.length, twin.colour, twin.locomotives, twin.tunnel, twin.any_cards)
    )
    return 0 <= r.twin < route and alike


def of_route(view: View, words: Words, route: int) -> list[Choice]:
    """What can be done about a route: one line for each way to do it."""
    about = [view.action(number) for number in view.actions]
    about = [action for action in about if action.route == route]
    choices = _listed(view, words, about, narrow=True)
    return choices[0].more or choices if len(choices) == 1 else choices


def of_city(choices: list[Choice], city: int) -> list[Choice]:
    """Those of the choices, and of the choices behind them, that are about a city."""
    found = []
    for choice in choices:
        if city in choice.cities:
            found.append(choice)
        else:
            found += of_city(choice.more, city)
    return found


def _with(view: View, words: Words, action: Action) -> Choice:
    assert action.card is not None
    held = say("play.menu.held", words.lang, n=view["hand"][action.card])
    label = f"{words.of_action(action)} ({held})"
    return _with_chip(words, action.card, label, action.number)


def _with_chip(words: Words, kind: int, label: str, action: int) -> Choice:
    return Choice(paint.chip(words, kind) + Text(f" {label}"), action)


def _thrift_of(view: View, action: Action) -> tuple[int, int]:
    """How many locomotives a claim costs at least; of equal ones, the larger pile first."""
    assert action.route is not None and action.card is not None
    length = view.game.board.routes[action.route].length
    held = view["hand"][action.card] if action.card != view.game.layout.loco else 0
    return max(length - held, 0), -held
