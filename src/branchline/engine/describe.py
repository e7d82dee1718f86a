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
from functools import lru_cache
from typing import Any, Final

from branchline.core.board import GRAY
from branchline.core.catalogue import say
from branchline.core.mapfile import MapError, MapProblem
from branchline.core.vocabulary import Vocabulary
from branchline.engine.errors import BranchlineError, IllegalAction
from branchline.engine.events import NOBODY, Event
from branchline.engine.game import Game
from branchline.engine.outcome import Line, Outcome
from branchline.engine.rule import Refusal
from branchline.engine.state import State
from branchline.engine.view import PICKED_BY_ME, View

# The registers that tell what an open decision is about, as the rules use them.
ROUTE: Final = 0
COLOUR: Final = 1
LEFT: Final = 5
DUE: Final = 7

FERRY_SET: Final = 3  # cards that stand for a ferry's locomotive unless the board says otherwise
STATIONS: Final = 3

NAMED: Final = {
    **{name: name for name in ("city", "festival", "seat", "ticket")},
    "by": "seat",
    "line": "mat_line",
    "route": "track",
}
"""The values that are numbers of things, and the methods that name these."""

COUNTED: Final = (
    *("symbols", "need", "due", "offered", "count"),
    *("turns", "points", "cards", "tickets"),
)
"""The values that choose between singular and plural, the first that is there."""


def tickets_in_question(view: View) -> list[int]:
    """The tickets that the open decision is about, in the order in which actions number them."""
    phase = view.phase
    if phase.endswith("_pick"):
        return view.pack
    if phase.endswith("_keep"):
        return [k for k, what in enumerate(view["tickets"]) if what == PICKED_BY_ME]
    return view.offered


def describe_action(context: State | View, action: int, lang: str) -> str:
    """What an action means where it is open; a state speaks for the first seat to act."""
    return Words(context.game, lang).action(context, action)


def describe_error(error: BranchlineError, lang: str) -> str:
    """What went wrong, and what to do about it."""
    return say(f"errors.{error.code}", lang, **{k: _told(v, lang) for k, v in error.values.items()})


def _told(value: object, lang: str) -> object:
    """A value of an error; what is wrong with a board is put into words."""
    return value.told(lang) if isinstance(value, (MapError, MapProblem)) else value


@lru_cache(maxsize=64)
def _routes_of(game: Game) -> dict[str, int]:
    """The routes by their notation."""
    return {game.route_text(route): route for route in range(len(game.board.routes))}


@lru_cache(maxsize=64)
def _vocabulary_of(game: Game, lang: str) -> Vocabulary:
    """The board's words."""
    return Vocabulary(game.board, lang)


@lru_cache(maxsize=64)
def _tickets_of(game: Game, cities: str) -> list[str]:
    """The tickets with their points: "Oslo–Vaasa (9)"."""
    board = game.board
    return [f"{board.ticket_name(k, cities)} ({t.points})" for k, t in enumerate(board.tickets)]


class Words:
    """The words of one game in one language, for one reader (`viewer` -1: a spectator).

    `cities` is the language of city names; without one they are as printed on the board.
    """

    def __init__(
        self,
        game: Game,
        lang: str,
        names: Sequence[str] = (),
        viewer: int = NOBODY,
        cities: str = "",
    ) -> None:
        self.game: Final = game
        self.lang: Final = lang
        self.cities: Final = cities
        self.viewer: Final = viewer
        self.names: Final = list(names)
        for seat in range(len(self.names), game.seats):
            self.names.append(say("actions.seat", lang, n=seat + 1))
        self.vocabulary: Final = _vocabulary_of(game, lang)
        self._routes: Final = _routes_of(game)

    def say(self, key: str, **values: object) -> str:
        """A message of the catalogue in the words of the board."""
        return self.vocabulary.say(key, **values)

    def listed(self, items: Sequence[str], last: str = "two") -> str:
        """Several things in one phrase: "a, b and c"; with `last` "or": "a, b or c"."""
        if not items:
            return self.say("actions.nothing")
        phrase = items[0]
        for item in items[1:-1]:
            phrase = self.say("actions.list.more", a=phrase, b=item)
        return self.say(f"actions.list.{last}", a=phrase, b=items[-1]) if len(items) > 1 else phrase

    def colour(self, colour: int) -> str:
        """A colour or the locomotive, by itself."""
        return self.vocabulary.colour(self._kind_name(colour))

    def route_colour(self, colour: int) -> str:
        """A colour as a route or a line has it."""
        return self.vocabulary.of_route(self._kind_name(colour))

    def letter(self, colour: int) -> str:
        """The letter that stands for a colour."""
        return self.vocabulary.letter(self._kind_name(colour))

    def a_card(self, kind: int) -> str:
        return self.vocabulary.a_card(self._kind_name(kind))

    def the_card(self, kind: int) -> str:
        return self.vocabulary.the_card(self._kind_name(kind))

    def _kind_name(self, colour: int) -> str:
        return "gray" if colour == GRAY else self.game.card_name(colour)

    def cards(self, counts: Sequence[int]) -> str:
        """So many cards of each kind: "2 orange and 1 locomotive"."""
        parts = self.card_parts(counts)
        return self.listed(parts) if parts else self.say("actions.no_cards")

    def card_parts(self, counts: Sequence[int]) -> list[str]:
        named = [(self.game.card_name(kind), n) for kind, n in enumerate(counts) if n > 0]
        return [self.vocabulary.cards(name, n) for name, n in named]

    def city(self, city: int) -> str:
        return self.game.board.cities[city].named(self.cities)

    def route(self, route: int) -> str:
        return self.game.board.route_name(route, self.cities)

    def track(self, route: int) -> str:
        """A route and, if it has a twin, what tells it from that: "Oslo–Bergen (red)"."""
        name, routes = self.route(route), self.game.board.routes
        r = routes[route]
        if r.twin < 0:
            return name
        twin = routes[r.twin]
        if r.colour != twin.colour:
            return f"{name} ({self.route_colour(r.colour)})"
        if r.length != twin.length:
            return f"{name} ({self.say('actions.spaces', n=r.length)})"
        return f"{name} ({self.say('actions.second')})" if r.twin < route else name

    def route_facts(self, route: int) -> str:
        """Length, colour and what is special about a route: "3 spaces, gray, tunnel"."""
        r = self.game.board.routes[route]
        size = self.say("actions.spaces", n=r.length)
        return ", ".join([size, self.route_colour(r.colour), *self.route_marks(route)])

    def route_marks(self, route: int) -> list[str]:
        """What is special about a route: ferry, tunnel, substitutes."""
        r = self.game.board.routes[route]
        marks = {"ferry": r.locomotives, "tunnel": int(r.tunnel), "any_cards": r.any_cards}
        return [self.say(f"actions.{mark}", n=n) for mark, n in marks.items() if n]

    def ticket(self, ticket: int) -> str:
        """A ticket with its points: "Oslo–Vaasa (9)"."""
        return _tickets_of(self.game, self.cities)[ticket]

    def tickets(self, tickets: Sequence[int]) -> str:
        return self.listed([self.ticket(k) for k in tickets])

    def festival(self, festival: int) -> str:
        """A festival by its cities."""
        cities = self.params("festivals")["sets"][festival]["cities"]
        return "/".join(self.city(self.game.board.city_of[c]) for c in cities)

    def mat_line(self, line: int) -> str:
        """A line of the Province mat by its colour and its province."""
        entry = self.params("province_mat")["lines"][line]
        colour = self.vocabulary.of_route(entry["colour"])
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
            case ["draw" | "station" | "back-off" | "pass"] | ["mat", "none"]:
                return self._act(text.replace("-", "_").replace(" ", "_"))
            case ["claim", route, colour]:
                return self._claim(self.route_named(route), self.kind(colour))
            case ["pay", *numbers]:
                return self._payment(context, [int(n) for n in numbers if n.isdigit()])
            case ["substitute", card]:
                left = context["registers"][LEFT] - 1
                return self._act("substitute", a_card=self.a_card(self.kind(card)), n=left)
            case ["take", card]:
                return self._act("take", the_card=self.the_card(self.kind(card)))
            case ["tickets"]:
                return self._act("tickets", n=self._offer(context, 0))
            case ["keep", *_] | [_, "keep", *_]:
                places = [int(n) - 1 for n in text.split() if n.isdigit()]
                return self._act("keep", tickets=self.tickets(self.chosen(context, places)))
            case [_, "pick", place]:
                picked = self.chosen(context, [int(place) - 1])
                return self._act("pick", ticket=self.tickets(picked))
            case ["express", value, what]:
                return self._act(f"express_{what}", value=value, n=self._offer(context, int(value)))
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
        return text

    def _act(self, name: str, **values: object) -> str:
        return self.say(f"actions.act.{name}", **values)

    def kind(self, card: str) -> int:
        """The number of a kind of card from its notation."""
        wild = ("locomotive", "wild")
        return int(self.game.table.loco) if card in wild else self.game.board.colours.index(card)

    def route_named(self, text: str) -> int:
        """The number of a route from its notation."""
        return self._routes[text]

    def claim_of(self, action: int) -> tuple[int, int] | None:
        """The route that an action claims and the kind of card that it plays; else nothing."""
        match self.game.action_text(action).split():
            case ["claim", route, colour]:
                return self.route_named(route), self.kind(colour)
        return None

    def points_of(self, route: int) -> int:
        """What claiming a route scores."""
        points = self.params("claim_routes")["points"]
        return int(points[self.game.board.routes[route].length - 1])

    def chosen(self, view: View, places: list[int]) -> list[int]:
        """The tickets at these places of the open choice."""
        offered = tickets_in_question(view)
        return [offered[k] for k in places if k < len(offered)]

    def _offer(self, view: View, more: int) -> int:
        return int(min(self.params("draw_tickets")["draw"] + more, view.one("ticket_len")))

    def _claim(self, route: int, kind: int) -> str:
        r, routes = self.game.board.routes[route], self.game.board.routes
        alone = r.colour == kind and (r.twin < 0 or routes[r.twin].colour != kind)
        name = self.route(route) if alone else self.track(route)
        if kind != self.game.table.loco:
            return self._act("claim", route=name, colour=self.colour(kind))
        return self._act(f"claim_{self.without_colour(route)}", route=name)

    def without_colour(self, route: int) -> str:
        """What a claim without a colour plays: `wild` locomotives, `sets`, or both, `wild_sets`."""
        if not self.set_size(route):
            return "wild"
        r, allowed = self.game.board.routes[route], self.params("locomotive_restriction")
        serve = not allowed or (r.locomotives > 0 and "ferries" in allowed["allowed"])
        serve = serve or (r.tunnel and "tunnels" in allowed["allowed"])
        return "wild_sets" if serve else "sets"

    def set_size(self, route: int) -> int:
        """How many cards of any kind stand for one on this route; 0: none do."""
        r = self.game.board.routes[route]
        if r.any_cards or not r.locomotives or not self.has_rule("substitutes"):
            return int(r.any_cards)
        return int(self.params("substitutes").get("ferry_locomotive", FERRY_SET))

    def _payment(self, view: View, numbers: list[int]) -> str:
        if view.phase != "pay":
            return self._act("pay_plain", locomotives=numbers[0])
        counts, sets, extra = self.payment(view, numbers)
        parts = self.card_parts(counts)
        if sets:
            parts.append(self._act("set", n=sets, size=self.set_size(view["registers"][ROUTE])))
        return self._act("pay_more" if extra else "pay", cards=self.listed(parts), extra=extra)

    def payment(self, view: View, numbers: list[int]) -> tuple[list[int], int, int]:
        """The cards by kind that an open payment lays down, the sets beside them, the overpay."""
        route, colour = view["registers"][ROUTE], view["registers"][COLOUR]
        locomotives, *more = numbers
        sets = more.pop(0) if self.has_rule("substitutes") else 0
        extra = more.pop(0) if more else 0
        need = self.game.board.routes[route].length + extra - sets
        return self._counts(colour, need, locomotives), sets, extra

    def _tunnel_payment(self, view: View, locomotives: int) -> str:
        if view.phase != "tunnel":
            return self._act("pay_plain", locomotives=locomotives)
        return self._act("tunnel", cards=self.cards(self.tunnel_payment(view, locomotives)))

    def tunnel_payment(self, view: View, locomotives: int) -> list[int]:
        """The cards by kind that a tunnel still costs."""
        return self._counts(view["registers"][COLOUR], view["registers"][DUE], locomotives)

    def _station_payment(self, view: View, colour: str, locomotives: int) -> str:
        counts = self.station_payment(view, colour, locomotives)
        return self._act("pay", cards=self.cards(counts))

    def station_payment(self, view: View, colour: str, locomotives: int) -> list[int]:
        """The cards by kind that the seat's next station costs."""
        count = self.params("stations").get("count", STATIONS)
        cost = count - view["stations_left"][view.seat] + 1
        return self._counts(self.kind(colour), cost, locomotives)

    def _counts(self, colour: int, cards: int, locomotives: int) -> list[int]:
        """So many cards by kind, of one colour but for the locomotives."""
        counts = [0] * int(self.game.table.kinds)
        counts[self.game.table.loco] += locomotives
        counts[colour] += cards - locomotives
        return counts

    def _place(self, view: View, colour: str, express: int) -> str:
        line, spot = self.mat_place(view, colour, express)
        key = "mat_express" if express else "mat"
        return self._act(key, line=self.mat_line(line), spot=spot, value=express)

    def mat_place(self, view: View, colour: str, express: int) -> tuple[int, int]:
        """The line of the Province mat that has a colour, and the spot that a train gets there."""
        lines = self.params("province_mat")["lines"]
        line = next(k for k, entry in enumerate(lines) if entry["colour"] == colour)
        width = len(view["mat"]) // len(lines)
        value = sum(view["laid"]) + express
        taken = view["mat"][line * width : (line + 1) * width]
        spots = zip(lines[line]["spots"], taken, strict=False)
        return line, max((spot for spot, owner in spots if spot <= value and not owner), default=0)

    def _festival_end(self, view: View, end: str) -> str:
        city, festival = self.festival_end(view, end)
        if festival < 0:
            return self._act("festival", festival=self.city(city), n=0)
        pile = view["festival_piles"][festival]
        return self._act("festival", festival=self.festival(festival), n=pile)

    def festival_end(self, view: View, end: str) -> tuple[int, int]:
        """The city at an end of the claimed route, and its festival (-1: none)."""
        route = self.game.board.routes[view["registers"][ROUTE]]
        city = int(route.a if end == "first" else route.b)
        for k, festival in enumerate(self.params("festivals")["sets"]):
            if self.game.board.cities[city].id in festival["cities"]:
                return city, k
        return city, -1

    def question(self, view: View) -> str:
        """What the open decision is about, where the choices don't say it themselves."""
        phase, registers = view.phase, view["registers"]
        values: dict[str, object] = {}
        if phase in ("pay", "substitute", "tunnel"):
            route = registers[ROUTE]
            values = {"route": f"{self.route(route)} ({self.route_facts(route)})"}
            values["n"] = registers[DUE]
        elif phase == "station_pay":
            values["city"] = self.city(registers[ROUTE])
        elif phase.endswith("_pick"):
            phase = "pick"
        elif phase not in ("draw", "mat", "festival", "station_city"):
            return ""
        return self.say(f"actions.question.{phase}", **values)

    # --- refusals, events, scores, errors -------------------------------------------------------

    def refusal(self, refusal: Refusal) -> str:
        """Why something is not allowed, and which other way is open instead."""
        values = refusal.values
        named = self._named(values)
        route, ways = values.get("route"), values.get("ways")
        if isinstance(route, int) and isinstance(ways, list):
            gray = self.game.board.routes[route].colour == GRAY
            named["claim"] = self.say("refusals.claim", **named) if gray else named["route"]
        if isinstance(own := values.get("own"), list):
            named["own"] = self._own(own, values.get("others"))
        if isinstance(cards := values.get("cards"), list) and "sets" in values:
            size, n = values["size"], values["sets"]
            sets = self._act("set", n=n, size=size)
            named["cards"] = self.listed([*self.card_parts(cards), sets])
        text = self.say(f"refusals.{refusal.reason}", **named)
        if isinstance(route, int) and isinstance(ways, list) and ways:
            text += " " + self.say("refusals.other_way", ways=self._ways(route, ways))
        return text

    def _own(self, own: list[int], others: object) -> str:
        """What the reader has of the cards that would serve: "you have 1 red"."""
        parts = self.card_parts(own)
        if others:
            key = "others" if parts else "cards"
            parts.append(self.say(f"refusals.own.{key}", n=others))
        if parts:
            return self.say("refusals.own.some", cards=self.listed(parts))
        return self.say("refusals.own.none" if others is None else "refusals.own.no_cards")

    def _ways(self, route: int, ways: list[int]) -> str:
        """The ways to claim a route: "with red or with locomotives alone"."""
        loco = self.game.table.loco
        said = [
            self.say(f"refusals.way.{self.without_colour(route)}")
            if kind == loco
            else self.say("refusals.way.colour", colour=self.colour(kind))
            for kind in ways
        ]
        return self.listed(said, "or")

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
        elif "fresh" in known:
            key += f".fresh{known['fresh']}"
        elif who != NOBODY and who == self.viewer:
            key += ".you"
        elif who != NOBODY:
            key += ".open" if open and "?" in event.kind.marks else ".they"
        return self.say(key, **{**values, "who": self.name(who)})

    def score_line(self, line: Line) -> str:
        """What a line of a score is for."""
        of = {"ticket_done": "ticket", "ticket_failed": "ticket", "festival": "festival"}
        of |= {"province_line": "line", "station": "city"}
        subject = self._named({of[line.what]: line.ref}) if line.what in of else {}
        values: dict[str, object] = {**line.values, **subject, "n": line.ref}
        key = f"score.{line.what}"
        match line.values:
            case {"cards": int(cards)}:
                values["n"] = cards
            case {"of_all": list(counts)}:
                values["others"] = self._others(counts, line.seat)
            case {"route": int(route), "of": int(owner)}:
                values |= {"route": self.track(route), "of": self.name(owner)}
            case _ if line.what == "station":
                key += "_idle"
        return self.say(key, **values)

    def _others(self, counts: Sequence[int], seat: int) -> str:
        """What everyone else has of the thing that a line counts; nothing if one plays alone."""
        others = [f"{self.seat(k)} {n}" for k, n in enumerate(counts) if k != seat]
        return self.say("score.others", list=", ".join(others)) if others else ""

    def tie_break(self, outcome: Outcome) -> str:
        """What decided among those with the most points; nothing if only one had them."""
        best = max(outcome.scores)
        if outcome.tie_break:
            return self.say(f"score.tie.{outcome.tie_break}")
        return self.say("score.tie.none") if outcome.scores.count(best) > 1 else ""

    def error(self, error: BranchlineError) -> str:
        """What went wrong; of an action that is not allowed, why."""
        if isinstance(error, IllegalAction):
            return f"{self.refusal(error.refusal)} ({error.refusal.rule})"
        return describe_error(error, self.lang)

    def _named(self, values: Mapping[str, int | list[int]]) -> dict[str, object]:
        """The values of a refusal or an event, with names in place of numbers."""
        named: dict[str, object] = {}
        for name, value in values.items():
            named[name] = value
            if isinstance(value, list):
                if name in ("cards", "tickets"):
                    named[name] = self.cards(value) if name == "cards" else self.tickets(value)
            elif name == "card":
                named |= self._card_words(value)
            elif name in NAMED:
                named[name] = getattr(self, NAMED[name])(value)
        counts = {name: value for name, value in values.items() if isinstance(value, int)}
        named["n"] = next((counts[name] for name in COUNTED if name in counts), 0)
        named["total"] = counts.get("kept", 0) + counts.get("rejected", 0)
        return named

    def _card_words(self, kind: int) -> dict[str, object]:
        """A kind of card as sentences name it."""
        name, words = self._kind_name(kind), self.vocabulary
        said = {"card": self.colour(kind), "a_card": self.a_card(kind)}
        said["no_card"] = words.no_card(name)
        if kind != self.game.table.loco:
            said |= {"card_one": words.of_route(name), "card_other": words.of_cards(name)}
        return {**said}
