"""The choices of a decision as numbered lists that a person can take in."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.text import Text

from branchline.core.catalogue import say
from branchline.engine.describe import Words, tickets_in_question
from branchline.engine.view import View
from branchline.tui import paint


@dataclass(frozen=True)
class Choice:
    """A line of a menu: an action, or a menu of its own."""

    label: Text
    action: int = -1
    more: list[Choice] = field(default_factory=list)
    cities: tuple[int, ...] = ()  # by which a person may look for it


@dataclass(frozen=True)
class TicketChoice:
    """A choice of which tickets to keep: by their numbers, not one line for each combination."""

    tickets: list[int]
    prefix: str  # of the notation, before the numbers
    least: int
    most: int


def menu(view: View, words: Words) -> list[Choice] | TicketChoice:
    """What the view's seat may choose now."""
    texts = {action: view.game.action_text(action) for action in view.actions}
    if view.phase == "turn":
        return _turn(view, words, texts)
    some = next(iter(texts.values()), "")
    if "keep" in some.split():
        prefix = some[: some.index("keep") + len("keep")]
        sizes = [len(text.removeprefix(prefix).split()) for text in texts.values()]
        return TicketChoice(tickets_in_question(view), prefix, min(sizes), max(sizes))
    if view.phase == "draw":
        return _draws(view, words, texts)
    actions = list(view.actions)
    if view.phase == "pay":
        actions.sort(key=lambda a: _thrift(texts[a]))
    elif view.phase == "station_pay":
        actions.sort(key=lambda a: int(texts[a].split()[-1]))
    if view.phase == "station_city":
        return sorted((_station(view, words, a) for a in actions), key=lambda c: c.label.plain)
    return [_plain(view, words, action) for action in actions]


def _station(view: View, words: Words, action: int) -> Choice:
    city = view.game.action_text(action).split()[-1]
    return Choice(Text(words.action(view, action)), action, cities=(view.game.board.city_of[city],))


def _thrift(text: str) -> tuple[int, int, int]:
    """How dear a payment is: cards too many, then sets of any cards, then locomotives."""
    numbers = dict(zip(text.split()[::2], map(int, text.split()[1::2]), strict=True))
    return numbers.get("extra", 0), numbers.get("sets", 0), numbers["pay"]


def _plain(view: View, words: Words, action: int) -> Choice:
    return Choice(Text(words.action(view, action)), action)


def _turn(view: View, words: Words, texts: dict[int, str]) -> list[Choice]:
    """A turn's choices, grouped by what one does."""
    choices = []
    draws = _draws(view, words, texts)
    if draws:
        choices.append(Choice(_label(words, "draw_cards"), more=draws))
    claims = _claims(view, words)
    if claims:
        choices.append(Choice(_label(words, "claim", n=len(claims)), more=claims))
    tickets = [a for a, text in texts.items() if text == "tickets" or text.endswith(" tickets")]
    if len(tickets) == 1:
        choices.append(_plain(view, words, tickets[0]))
    elif tickets:
        more = [_plain(view, words, action) for action in tickets]
        choices.append(Choice(_label(words, "draw_tickets"), more=more))
    rest = [a for a, text in texts.items() if text in ("station", "pass")]
    return choices + [_plain(view, words, action) for action in rest]


def _label(words: Words, key: str, **values: object) -> Text:
    return Text(say(f"play.menu.{key}", words.lang, **values))


def _draws(view: View, words: Words, texts: dict[int, str]) -> list[Choice]:
    """The cards of the display from left to right, then the deck, then Express cards."""
    by_text = {text: action for action, text in texts.items()}
    choices = []
    for kind in dict.fromkeys(k for k in view["display"] if k != view.game.table.blank):
        action = by_text.get(f"take {view.game.card_name(kind)}")
        if action is not None:
            choices.append(_with_chip(words, kind, words.action(view, action), action))
    for text, action in by_text.items():
        if text == "draw" or (text.startswith("express ") and text.endswith(" cards")):
            choices.append(_plain(view, words, action))
    return choices


def _claims(view: View, words: Words) -> list[Choice]:
    """The routes that can be paid for, the most points first; then, if there is a choice, how."""
    by_route: dict[int, list[tuple[int, int]]] = {}
    for action in view.actions:
        claim = words.claim_of(action)
        if claim is not None:
            by_route.setdefault(claim[0], []).append((action, claim[1]))

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
        ways = sorted(by_route[route], key=lambda way: _thrift_of(view, route, way[1]))
        ends = int(view.game.board.routes[route].a), int(view.game.board.routes[route].b)
        if len(ways) == 1:
            choices.append(Choice(label, ways[0][0], cities=ends))
        else:
            more = [_with(view, words, *way) for way in ways]
            choices.append(Choice(label, more=more, cities=ends))
    return choices


def _same_as_twin(view: View, route: int) -> bool:
    """Whether a route is the second of two that don't differ in anything."""
    r, routes = view.game.board.routes[route], view.game.board.routes
    twin = routes[r.twin]
    alike = (r.length, r.colour, r.locomotives, r.tunnel, r.any_cards) == (
        (twin.length, twin.colour, twin.locomotives, twin.tunnel, twin.any_cards)
    )
    return 0 <= r.twin < route and alike


def of_city(choices: list[Choice], city: int) -> list[Choice]:
    """Those of the choices, and of the choices behind them, that are about a city."""
    found = []
    for choice in choices:
        if city in choice.cities:
            found.append(choice)
        else:
            found += of_city(choice.more, city)
    return found


def _with(view: View, words: Words, action: int, kind: int) -> Choice:
    held = say("play.menu.held", words.lang, n=view["hand"][kind])
    return _with_chip(words, kind, f"{words.action(view, action)} ({held})", action)


def _with_chip(words: Words, kind: int, label: str, action: int) -> Choice:
    return Choice(paint.chip(words, kind) + Text(f" {label}", style="default"), action)


def _thrift_of(view: View, route: int, kind: int) -> tuple[int, int]:
    """How many locomotives a claim costs at least; of equal ones, the larger pile first."""
    length = view.game.board.routes[route].length
    held = view["hand"][kind] if kind != view.game.table.loco else 0
    return max(length - held, 0), -held
