"""Putting a game into words: cards, routes, tickets, actions, refusals, events, scores and errors.

Every sentence comes from the message catalogue, in the reader's language. An action is known by its
notation, which its rule has written, so that nothing here depends on a rule.

>>> from branchline.core.mapfile import builtin_boards
>>> game = Game(builtin_boards()[-1], seats=2)
>>> words = Words(game, "en")
>>> words.cards([0, 2, 0, 0, 0, 0, 0, 0, 1])
'2 blue and 1 locomotive'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from branchline.core.board import GRAY
from branchline.core.catalogue import say
from branchline.engine.errors import BranchlineError, IllegalAction
from branchline.engine.events import NOBODY, Event
from branchline.engine.game import Game
from branchline.engine.outcome import Line
from branchline.engine.rule import Refusal
from branchline.engine.state import State
from branchline.engine.view import PICKED_BY_ME, View

# The registers that tell what an open decision is about, as the rules use them.
ROUTE: Final = 0
COLOUR: Final = 1
LEFT: Final = 5
DUE: Final = 7
ROUND: Final = 0

FERRY_SET: Final = 3  # cards that stand for a ferry's locomotive unless the board says otherwise
STATIONS: Final = 3

COUNTED: Final = ("need", "due", "offered", "count", "turns", "points", "cards", "tickets")
"""The values that choose between singular and plural, the first that is there."""


def tickets_in_question(view: View) -> list[int]:
    """The tickets that the open decision is about, in the order in which actions number them."""
    phase = view.phase
    if phase.endswith("_pick"):
        seen = view[phase.removesuffix("_pick") + "_seen"]
        round = view["registers"][ROUND]
        return [k for k, code in enumerate(seen) if code and (code - 1) & 15 == round]
    if phase.endswith("_keep"):
        return [k for k, what in enumerate(view["tickets"]) if what == PICKED_BY_ME]
    return view.offered


def describe_action(
    context: State | View, action: int, lang: str, names: Sequence[str] = ()
) -> str:
    """What an action means where it is open; a state speaks for the first seat to act."""
    return Words(context.game, lang, names).action(context, action)


def describe_refusal(game: Game, refusal: Refusal, lang: str, names: Sequence[str] = ()) -> str:
    """Why something is not allowed."""
    return Words(game, lang, names).refusal(refusal)


def describe_event(
    game: Game, event: Event, seat: int, lang: str, names: Sequence[str] = ()
) -> str:
    """What has happened, as far as `seat` may know it (-1: a spectator); empty if it may not."""
    return Words(game, lang, names, viewer=seat).event(event)


def describe_error(error: BranchlineError, lang: str) -> str:
    """What went wrong, and what to do about it."""
    return say(f"errors.{error.code}", lang, **error.values)


class Words:
    """The words of one game in one language, for one reader (`viewer` -1: a spectator)."""

    def __init__(
        self, game: Game, lang: str, names: Sequence[str] = (), viewer: int = NOBODY
    ) -> None:
        self.game: Final = game
        self.lang: Final = lang
        self.viewer: Final = viewer
        self.names: Final = list(names)
        for seat in range(len(self.names), game.seats):
            self.names.append(say("actions.seat", lang, n=seat + 1))

    def say(self, key: str, **values: object) -> str:
        return say(key, self.lang, **values)

    # --- things -------------------------------------------------------------------------------

    def listed(self, items: Sequence[str]) -> str:
        """Several things in one phrase: "a, b and c"."""
        if not items:
            return self.say("actions.nothing")
        phrase = items[0]
        for item in items[1:-1]:
            phrase = self.say("actions.list.more", a=phrase, b=item)
        return self.say("actions.list.two", a=phrase, b=items[-1]) if len(items) > 1 else phrase

    def colour(self, colour: int) -> str:
        """The colour of a route or of a kind of card, locomotives included."""
        name = "gray" if colour == GRAY else self.game.card_name(colour)
        return self.say(f"actions.colour.{name}")

    def letter(self, colour: int) -> str:
        """The letter that stands for a colour."""
        name = "gray" if colour == GRAY else self.game.card_name(colour)
        return self.say(f"actions.letter.{name}")

    def a_card(self, kind: int) -> str:
        return self.say(f"actions.a_card.{self.game.card_name(kind)}")

    def the_card(self, kind: int) -> str:
        return self.say(f"actions.the_card.{self.game.card_name(kind)}")

    def cards(self, counts: Sequence[int]) -> str:
        """So many cards of each kind: "2 orange and 1 locomotive"."""
        parts = self.card_parts(counts)
        return self.listed(parts) if parts else self.say("actions.no_cards")

    def card_parts(self, counts: Sequence[int]) -> list[str]:
        named = [(self.game.card_name(kind), n) for kind, n in enumerate(counts) if n > 0]
        return [self.say(f"actions.cards.{name}", n=n) for name, n in named]

    def city(self, city: int) -> str:
        return self.game.board.cities[city].named(self.lang)

    def route(self, route: int) -> str:
        return self.game.board.route_name(route, self.lang)

    def route_facts(self, route: int) -> str:
        """Length, colour and what is special about a route: "3 spaces, gray, tunnel"."""
        r = self.game.board.routes[route]
        facts = [self.say("actions.spaces", n=r.length), self.colour(r.colour)]
        return ", ".join(facts + self.route_marks(route))

    def route_marks(self, route: int) -> list[str]:
        """What is special about a route: ferry, tunnel, substitutes."""
        r = self.game.board.routes[route]
        marks = []
        if r.locomotives:
            marks.append(self.say("actions.ferry", n=r.locomotives))
        if r.tunnel:
            marks.append(self.say("actions.tunnel"))
        if r.any_cards:
            marks.append(self.say("actions.any_cards", n=r.any_cards))
        return marks

    def ticket(self, ticket: int) -> str:
        """A ticket with its points: "Oslo–Vaasa (9)"."""
        name = self.game.board.ticket_name(ticket, self.lang)
        return f"{name} ({self.game.board.tickets[ticket].points})"

    def tickets(self, tickets: Sequence[int]) -> str:
        return self.listed([self.ticket(k) for k in tickets])

    def festival(self, festival: int) -> str:
        """A festival by its cities."""
        cities = self.params("festivals")["sets"][festival]["cities"]
        return "/".join(self.city(self.game.board.city_of[c]) for c in cities)

    def mat_line(self, line: int) -> str:
        """A line of the Province mat by its colour and its province."""
        entry = self.params("province_mat")["lines"][line]
        colour = self.say(f"actions.colour.{entry['colour']}")
        return self.say("actions.line", colour=colour, name=entry.get(self.lang) or entry["en"])

    def seat(self, seat: int) -> str:
        """A player's name; the reader is "you"."""
        return self.say("actions.you") if seat == self.viewer else self.name(seat)

    def name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else str(seat)

    def params(self, rule: str) -> Mapping[str, Any]:
        """What the board says beside the name of one of its rules."""
        return next((e.params for e in self.game.board.rules if e.name == rule), {})

    def has_rule(self, name: str) -> bool:
        return any(entry.name == name for entry in self.game.board.rules)

    # --- actions ------------------------------------------------------------------------------

    def action(self, context: State | View, action: int, seat: int | None = None) -> str:
        """What an action means in the decision that is open.

        A state speaks for the first seat to act unless `seat` names another.
        """
        if isinstance(context, State):
            acting = context.to_act[0] if context.to_act else NOBODY
            context = context.view(acting if seat is None else seat)
        text = self.game.action_text(action)
        match text.split():
            case ["claim", route, colour]:
                return self._claim(self.route_named(route), self._kind(colour))
            case ["pay", *numbers]:
                return self._payment(context, [int(n) for n in numbers if n.isdigit()])
            case ["substitute", card]:
                left = context["registers"][LEFT] - 1
                return self._act("substitute", a_card=self.a_card(self._kind(card)), n=left)
            case ["take", card]:
                return self._act("take", the_card=self.the_card(self._kind(card)))
            case ["tickets"]:
                count = min(self.params("draw_tickets")["draw"], context.one("ticket_len"))
                return self._act("tickets", n=count)
            case ["keep", *_] | [_, "keep", *_]:
                places = [int(n) - 1 for n in text.split() if n.isdigit()]
                return self._act("keep", tickets=self.tickets(self._chosen(context, places)))
            case [_, "pick", place]:
                picked = self._chosen(context, [int(place) - 1])
                return self._act("pick", ticket=self.tickets(picked))
            case ["express", value, what]:
                count = self.params("draw_tickets")["draw"] + int(value)
                count = min(count, context.one("ticket_len"))
                return self._act(f"express_{what}", value=value, n=count)
            case ["mat", "none"]:
                return self._act("mat_none")
            case ["mat", colour, *express]:
                return self._place(context, colour, int(express[1]) if express else 0)
            case ["festival", end]:
                return self._festival_end(context, end)
            case ["station", "at", city]:
                return self._act("station_at", city=self.city(self.game.board.city_of[city]))
            case ["station", "pay", colour, locomotives]:
                return self._station_payment(context, colour, int(locomotives))
            case ["tunnel", locomotives]:
                return self._tunnel_payment(context, int(locomotives))
            case ["draw" | "station" | "back-off" | "pass"]:
                return self._act(text.replace("-", "_"))
        return text

    def _act(self, name: str, **values: object) -> str:
        return self.say(f"actions.act.{name}", **values)

    def _kind(self, card: str) -> int:
        wild = ("locomotive", "wild")
        return int(self.game.table.loco) if card in wild else self.game.board.colours.index(card)

    def route_named(self, text: str) -> int:
        """The number of a route from its notation."""
        routes = range(len(self.game.board.routes))
        return next(r for r in routes if self.game.route_text(r) == text)

    def claim_of(self, action: int) -> tuple[int, int] | None:
        """The route that an action claims and the kind of card that it plays; else nothing."""
        match self.game.action_text(action).split():
            case ["claim", route, colour]:
                return self.route_named(route), self._kind(colour)
        return None

    def points_of(self, route: int) -> int:
        """What claiming a route scores."""
        points = self.params("claim_routes")["points"]
        return int(points[self.game.board.routes[route].length - 1])

    def _chosen(self, view: View, places: list[int]) -> list[int]:
        offered = tickets_in_question(view)
        return [offered[k] for k in places if k < len(offered)]

    def _claim(self, route: int, kind: int) -> str:
        name = self.route(route)
        if kind != self.game.table.loco:
            return self._act("claim", route=name, colour=self.colour(kind))
        return self._act("claim_sets" if self.set_size(route) else "claim_wild", route=name)

    def set_size(self, route: int) -> int:
        """How many cards of any kind stand for one on this route; 0: none do."""
        r = self.game.board.routes[route]
        if r.any_cards or not r.locomotives or not self.has_rule("substitutes"):
            return int(r.any_cards)
        return int(self.params("substitutes").get("ferry_locomotive", FERRY_SET))

    def _payment(self, view: View, numbers: list[int]) -> str:
        if view.phase != "pay":
            return self._act("pay_plain", locomotives=numbers[0])
        route, colour = view["registers"][ROUTE], view["registers"][COLOUR]
        locomotives, *more = numbers
        sets = more.pop(0) if self.has_rule("substitutes") else 0
        extra = more.pop(0) if more else 0
        counts = [0] * int(self.game.table.kinds)
        counts[self.game.table.loco] += locomotives
        counts[colour] += self.game.board.routes[route].length + extra - locomotives - sets
        parts = self.card_parts(counts)
        if sets:
            parts.append(self._act("set", n=sets, size=self.set_size(route)))
        return self._act("pay_more" if extra else "pay", cards=self.listed(parts), extra=extra)

    def _tunnel_payment(self, view: View, locomotives: int) -> str:
        if view.phase != "tunnel":
            return self._act("pay_plain", locomotives=locomotives)
        counts = [0] * int(self.game.table.kinds)
        counts[self.game.table.loco] += locomotives
        counts[view["registers"][COLOUR]] += view["registers"][DUE] - locomotives
        return self._act("tunnel", cards=self.cards(counts))

    def _station_payment(self, view: View, colour: str, locomotives: int) -> str:
        count = self.params("stations").get("count", STATIONS)
        cost = count - view["stations_left"][view.seat] + 1
        counts = [0] * int(self.game.table.kinds)
        counts[self.game.table.loco] += locomotives
        counts[self._kind(colour)] += cost - locomotives
        return self._act("pay", cards=self.cards(counts))

    def _place(self, view: View, colour: str, express: int) -> str:
        lines = self.params("province_mat")["lines"]
        line = next(k for k, entry in enumerate(lines) if entry["colour"] == colour)
        width = len(view["mat"]) // len(lines)
        value = sum(view["laid"]) + express
        free = [
            spot
            for k, spot in enumerate(lines[line]["spots"])
            if spot <= value and not view["mat"][line * width + k]
        ]
        name, spot = self.mat_line(line), max(free, default=0)
        if express:
            return self._act("mat_express", line=name, spot=spot, value=express)
        return self._act("mat", line=name, spot=spot)

    def _festival_end(self, view: View, end: str) -> str:
        route = self.game.board.routes[view["registers"][ROUTE]]
        city = self.game.board.cities[route.a if end == "first" else route.b].id
        sets = self.params("festivals")["sets"]
        for k, festival in enumerate(sets):
            if city in festival["cities"]:
                return self._act("festival", festival=self.festival(k), n=view["festival_piles"][k])
        return self._act("festival", festival=self.city(self.game.board.city_of[city]), n=0)

    # --- refusals, events, scores, errors -------------------------------------------------------

    def refusal(self, refusal: Refusal) -> str:
        """Why something is not allowed."""
        return self.say(f"refusals.{refusal.reason}", **self._named(refusal.values))

    def event(self, event: Event, open: bool = False) -> str:
        """What has happened, as far as the reader may know it; empty if it may not.

        With `open`, every secret is told.
        """
        known = event.full() if open else event.seen(self.viewer)
        if known is None or event.kind.silent:
            return ""
        values = self._named(known)
        key = f"events.{event.kind.name}"
        who = known.get("first", event.seat)
        assert isinstance(who, int)
        if "reason" in known:
            key += f".reason{known['reason']}"
        elif who != NOBODY and who == self.viewer:
            key += ".you"
        elif who != NOBODY:
            key += ".open" if open and "?" in event.kind.marks else ".they"
        return self.say(key, **{**values, "who": self.name(who)})

    def score_line(self, line: Line) -> str:
        """What a line of a score is for."""
        values: dict[str, object] = {"n": line.ref}
        if line.what.startswith("ticket_"):
            values["ticket"] = self.ticket(line.ref)
        elif line.what == "festival":
            values["festival"] = self.festival(line.ref)
        elif line.what == "province_line":
            values["line"] = self.mat_line(line.ref)
        return self.say(f"score.{line.what}", **values)

    def error(self, error: BranchlineError) -> str:
        """What went wrong; of an action that is not allowed, why."""
        if isinstance(error, IllegalAction):
            return f"{self.refusal(error.refusal)} ({error.refusal.rule})"
        return describe_error(error, self.lang)

    def _named(self, values: Mapping[str, int | list[int]]) -> dict[str, object]:
        """The values of a refusal or an event, with names in place of numbers."""
        named: dict[str, object] = {}
        for name, value in values.items():
            named[name] = self._listed_value(name, value) if isinstance(value, list) else value
            if not isinstance(value, int):
                continue
            if name == "card":
                named |= {"card": self.colour(value), "a_card": self.a_card(value)}
            elif name in ("by", "seat"):
                named[name] = self.seat(value)
            elif name in ("route", "city", "ticket", "festival"):
                named[name] = getattr(self, name)(value)
            elif name == "line":
                named[name] = self.mat_line(value)
        counts = {name: value for name, value in values.items() if isinstance(value, int)}
        named["n"] = next((counts[name] for name in ("symbols", *COUNTED) if name in counts), 0)
        named["total"] = counts.get("kept", 0) + counts.get("rejected", 0)
        if "locos" in counts:
            own = [0] * int(self.game.table.kinds)
            own[counts["card"]] = counts["have"]
            named["own"] = self.cards(own)
            own[self.game.table.loco] = counts["locos"]
            named["hand"] = self.cards(own)
        return named

    def _listed_value(self, name: str, values: list[int]) -> str:
        return self.cards(values) if name == "cards" else self.tickets(values)
