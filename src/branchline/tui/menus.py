"""The choices of a decision as numbered lists that a person can take in."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.text import Text

from branchline.core.catalogue import say
from branchline.engine.describe import Words, tickets_in_question
from branchline.engine.view import View
from branchline.rules.claims import claims_of
from branchline.tui import paint


@dataclass(frozen=True)
class Choice:
    """A line of a menu: an action, or a menu of its own."""

    label: Text
    action: int = -1
    more: list[Choice] = field(default_factory=list)


@dataclass(frozen=True)
class TicketChoice:
    """A choice of which tickets to keep: by their numbers, not one line for each combination."""

    tickets: list[int]
    prefix: str  # of the notation, before the numbers


def menu(view: View, words: Words) -> list[Choice] | TicketChoice:
    """What the view's seat may choose now."""
    texts = {action: view.game.action_text(action) for action in view.actions}
    if view.phase == "turn":
        return _turn(view, words, texts)
    some = next(iter(texts.values()), "")
    if "keep" in some.split():
        prefix = some[: some.index("keep") + len("keep")]
        return TicketChoice(tickets_in_question(view), prefix)
    if view.phase == "draw":
        return _draws(view, words, texts)
    actions = list(view.actions)
    if view.phase == "pay":
        actions.sort(key=lambda a: _thrift(texts[a]))
    elif view.phase == "station_pay":
        actions.sort(key=lambda a: int(texts[a].split()[-1]))
    elif view.phase == "station_city":
        actions.sort(key=lambda a: words.action(view, a))
    return [_plain(view, words, action) for action in actions]


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
    claims = _claims(view, words, [a for a, text in texts.items() if text.startswith("claim ")])
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
    for kind in dict.fromkeys(view["display"]):
        action = by_text.get(f"take {view.game.card_name(kind)}") if kind <= view.game.table.loco else None
        if action is not None:
            label = paint.chip(words, kind) + Text(f" {words.action(view, action)}", style="default")
            choices.append(Choice(label, action))
    for text, action in by_text.items():
        if text == "draw" or (text.startswith("express ") and text.endswith(" cards")):
            choices.append(_plain(view, words, action))
    return choices


def _claims(view: View, words: Words, actions: list[int]) -> list[Choice]:
    """The routes that can be paid for, the most points first; then, if there is a choice, how."""
    claims = claims_of(view.game)
    by_route: dict[int, list[int]] = {}
    for action in actions:
        by_route.setdefault(int(claims.route_of[action - claims.claim]), []).append(action)
    board = view.game.board

    def worth(route: int) -> tuple[int, str]:
        return -int(claims.points[board.routes[route].length]), words.route(route)

    choices = []
    for route in sorted(by_route, key=worth):
        points = say("play.points", words.lang, n=-worth(route)[0])
        label = Text(f"{words.route(route)}  ") + paint.track(words, route) + Text(f"  {points}")
        found = sorted(by_route[route], key=lambda a: _locomotives_due(view, words, route, a))
        if len(found) == 1:
            choices.append(Choice(label, found[0]))
        else:
            more = [_with_colour(view, words, action) for action in found]
            choices.append(Choice(label, more=more))
    return choices


def _with_colour(view: View, words: Words, action: int) -> Choice:
    claims = claims_of(view.game)
    kind = int(claims.colour_of[action - claims.claim])
    held = say("play.menu.held", words.lang, n=view["hand"][kind])
    label = paint.chip(words, kind) + Text(f" {words.action(view, action)} ({held})", style="default")
    return Choice(label, action)


def _locomotives_due(view: View, words: Words, route: int, action: int) -> tuple[int, int]:
    """How many locomotives a claim costs at least, and how many cards of its colour stay."""
    claims = claims_of(view.game)
    kind = int(claims.colour_of[action - claims.claim])
    length = view.game.board.routes[route].length
    held = view["hand"][kind] if kind < view.game.table.loco else 0
    return max(length - held, 0), held
