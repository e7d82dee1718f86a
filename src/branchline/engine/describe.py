"""Putting a game into words: cards, routes, tickets, actions, refusals, events, scores and errors.

Every sentence comes from the message catalogue, in the reader's language. What there is to say
comes from the rules as data (`engine/facts.py`), so that nothing here depends on a rule. What the
catalogue has no words for is shown in the notation.

>>> from branchline.core.mapfile import builtin_boards
>>> game = Game(builtin_boards()[-1], seats=2)
>>> words = Words(game, "en")
>>> words.cards([0, 2, 0, 0, 0, 0, 0, 0, 1])
'2 blue and 1 locomotive'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from branchline.core.board import GRAY
from branchline.core.catalogue import FALLBACK, has_message, say
from branchline.core.mapfile import MapError, MapProblem
from branchline.core.vocabulary import Vocabulary
from branchline.engine.errors import BranchlineError, IllegalAction
from branchline.engine.events import NOBODY, Event
from branchline.engine.facts import WITHOUT_COLOUR, Action, Sentence, Thing
from branchline.engine.game import Game
from branchline.engine.outcome import Line, Outcome
from branchline.engine.rule import Refusal
from branchline.engine.state import State
from branchline.engine.view import View

NAMED: Final = {
    **{name: name for name in ("city", "seat", "ticket", "whole_route")},
    "by": "seat",
    "of": "name",
    "person": "name",
    "route": "track",
}
"""The values that are numbers of things, and the methods that name these."""

COUNTED: Final = (
    *("symbols", "need", "due", "offered", "count", "left"),
    *("turns", "points", "cards", "tickets"),
)
"""The values that choose between singular and plural, the first that is there."""


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
        """Cards by kind: "2 orange and 1 locomotive"."""
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
        """Length, colour and what is special about a route: "3 spaces, grey, tunnel"."""
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

    def thing(self, kind: str, number: int) -> str:
        """A thing that a rule has added, by the names of its cities, or by colour and name."""
        thing = self.game.things[kind][number]
        name = "/".join(self.city(city) for city in thing.cities) or self._own_name(thing)
        if thing.colour < 0:
            return name
        return self.say(f"actions.{kind}", colour=self.route_colour(thing.colour), name=name)

    def thing_name(self, kind: str, number: int) -> str:
        """A thing by its name alone."""
        return self._own_name(self.game.things[kind][number])

    def _own_name(self, thing: Thing) -> str:
        return thing.names.get(self.lang) or thing.names.get(FALLBACK, "")

    def whole_route(self, route: int) -> str:
        """A route with its facts: "Oslo–Bergen (3 spaces, grey, tunnel)"."""
        return f"{self.route(route)} ({self.route_facts(route)})"

    def seat(self, seat: int) -> str:
        """A player's name; the reader is "you"."""
        return self.say("actions.you") if seat == self.viewer else self.name(seat)

    def name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else str(seat)

    # --- actions ------------------------------------------------------------------------------

    def action(self, context: State | View, action: int, seat: int | None = None) -> str:
        """What an action means in the decision that is open.

        A state speaks for the first seat to act unless `seat` names another.
        """
        if isinstance(context, State):
            acting = context.to_act[0] if context.to_act else NOBODY
            context = context.view(acting if seat is None else seat)
        return self.of_action(context.action(action))

    def of_action(self, action: Action) -> str:
        """An action in words; one that the catalogue has no words for, in the notation."""
        key = f"actions.act.{action.sentence}"
        if not has_message(key, self.lang):
            return action.notation
        values = self._named(action.values)
        if action.route is not None and action.card is not None:
            values["route"] = self._claimed(action.route, action.card)
        if action.cards is not None:
            values["cards"] = self._payment(action.cards, action.values)
        try:
            return self.say(key, **values)
        except KeyError:  # it is not open here, so that not all of its facts are known
            return action.notation

    def _claimed(self, route: int, kind: int) -> str:
        """A route that is claimed with a kind of card; the colour may tell it from its twin."""
        r, routes = self.game.board.routes[route], self.game.board.routes
        alone = r.colour == kind and (r.twin < 0 or routes[r.twin].colour != kind)
        return self.route(route) if alone else self.track(route)

    def _payment(self, cards: list[int], values: Mapping[str, int | list[int]]) -> str:
        """Cards and, in addition, sets of any cards."""
        parts = self.card_parts(cards)
        if values.get("sets"):
            parts.append(self.say("actions.act.set", n=values["sets"], size=values["size"]))
        return self.listed(parts) if parts else self.say("actions.no_cards")

    def points_of(self, route: int) -> int:
        """What claiming a route scores."""
        points = self.game.route_facts(route)["points"]
        assert isinstance(points, int)
        return points

    def question(self, view: View) -> str:
        """What the open decision is about, where the choices don't say it themselves."""
        asked = view.question
        if asked is None or not has_message(f"actions.question.{asked.key}", self.lang):
            return ""
        return self.say(f"actions.question.{asked.key}", **self._named(asked.values))

    def sentence(self, sentence: Sentence, prefix: str = "") -> str:
        """Something that a rule has to say."""
        return self.say(prefix + sentence.key, **self._named(sentence.values))

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
        if isinstance(cards := values.get("cards"), list):
            named["cards"] = self._payment(cards, values)
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
        loco, without = self.game.layout.loco, self.game.route_facts(route)["no_colour"]
        assert isinstance(without, int)
        said = [
            self.say(f"refusals.way.{WITHOUT_COLOUR[without]}")
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
        who = known.get(event.kind.subject, event.seat)
        assert isinstance(who, int)
        if event.kind.variant:
            key += f".{event.kind.variant}{known[event.kind.variant]}"
        elif who != NOBODY and who == self.viewer:
            key += ".you"
        elif who != NOBODY:
            key += ".open" if open and event.kind.private else ".they"
        if not has_message(key, self.lang):
            return self._plain(event.kind.name, known)
        return self.say(key, **{**values, "who": self.name(who)})

    def score_line(self, line: Line) -> str:
        """What a line of a score is for."""
        key, facts = f"score.{line.what}", dict(line.values)
        of = self.game.score_subjects.get(line.what)
        if of is not None:
            facts[of] = line.ref
            if not line.values and has_message(f"{key}_alone", self.lang):
                key += "_alone"
        if not has_message(key, self.lang):
            return self._plain(line.what, facts)
        if line.values.get("unproven") and has_message(f"{key}_unproven", self.lang):
            key += "_unproven"
        values = {**self._named(facts), "n": line.ref}
        if isinstance(cards := line.values.get("cards"), int):
            values["n"] = cards
        if isinstance(counts := line.values.get("of_all"), list):
            values["others"] = self._others(counts, line.seat)
        return self.say(key, **values)

    def _plain(self, name: str, facts: Mapping[str, int | list[int]]) -> str:
        """What a rule says without words of its own: the name and the numbers."""
        return " ".join([name, *[f"{key}={value}" for key, value in facts.items()]])

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
                named[name] = self._list(name, value)
            elif name == "card":
                named |= self._card_words(value)
            elif name in NAMED:
                named[name] = getattr(self, NAMED[name])(value)
            elif name in self.game.things:
                named[name] = self.thing(name, value)
        counts = {name: value for name, value in values.items() if isinstance(value, int)}
        named["n"] = next((counts[name] for name in COUNTED if name in counts), 0)
        named["total"] = counts.get("kept", 0) + counts.get("rejected", 0)
        return named

    def _list(self, name: str, numbers: list[int]) -> str:
        """A list among the values, by what its name says of it."""
        if name == "cards":
            return self.cards(numbers)
        if name == "tickets":
            return self.tickets(numbers)
        sign = "+" if name == "bonuses" else ""
        return ", ".join(f"{sign}{n}" for n in numbers)

    def _card_words(self, kind: int) -> dict[str, object]:
        """A kind of card as sentences name it."""
        name, words = self._kind_name(kind), self.vocabulary
        said = {"card": self.colour(kind), "a_card": self.a_card(kind)}
        said["the_card"] = self.the_card(kind)
        said["no_card"] = words.no_card(name)
        if kind != self.game.layout.loco:
            said |= {"card_one": words.of_route(name), "card_other": words.of_cards(name)}
        return {**said}
