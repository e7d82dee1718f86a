"""The parameters of every rule, and what the rules of a board need of it.

A board lists its rules by name; here each name has a class that says what stands beside it.

>>> rule_params(RuleEntry("doubles", {"open_from": 3}))
DoublesParams(cite='', open_from=3)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta

from branchline.core.board import Board, RuleEntry
from branchline.core.mapfile import (
    CardColour,
    Data,
    Id,
    MapError,
    MapProblem,
    Phrase,
    Text,
    as_is,
    closest,
    in_every_language,
    map_schema,
    misfits,
    no_city,
    phrase,
    place_of,
)

Count = Annotated[int, Meta(ge=1, le=200)]
CountOrNone = Annotated[int, Meta(ge=0, le=200)]
Points = Annotated[int, Meta(ge=0, le=1000)]
Rejected = Literal["bottom", "out"]
Direction = Literal["left", "right"]
RuleId = Annotated[str, Meta(pattern=r"^[A-Z]+-[0-9]+$")]
SHARE_WORDS: Final = 'a share between 0 and 1, written as "2/3"'
Share = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{1,3}/[1-9][0-9]{0,2}$",
        description=SHARE_WORDS,
        extra={"phrase": "a_share"},
    ),
]


class Params(Data, tag_field="rule", frozen=True):
    """What may stand beside a rule's name in a board's list; the tag is that name."""

    cite: Annotated[str, Meta(pattern=r"^([A-Z]+-[0-9]+)?$", extra={"phrase": "a_rule_id"})] = ""
    """The id in the rules catalogue that this entry follows, if not the rule's usual one."""


class DeckParams(Params, tag="deck", frozen=True, kw_only=True):
    """The train-car cards, the opening hands and the display (BASE-1)."""

    per_colour: Count
    locomotives: CountOrNone
    hand: CountOrNone
    display: Count


class DrawCardsParams(Params, tag="draw_cards", frozen=True, kw_only=True):
    """Drawing cards (BASE-3), and whether a face-up locomotive ends the draw (BASE-4)."""

    cards: Count = 2
    face_up_locomotive: Literal["ends_draw", "free"]
    needs_deck: bool | RuleId = False
    """With deck and discards empty, no cards can be drawn, not even face-up ones (NO-8).

    On a board with a rule of its own for it: the id of that rule.
    """


class LocomotiveResetParams(Params, tag="locomotive_reset", frozen=True, kw_only=True):
    """A display with `at` locomotives is replaced (BASE-5)."""

    at: Count = 3


class ClaimRoutesParams(Params, tag="claim_routes", frozen=True, kw_only=True):
    """Claiming (BASE-7); the points of a route of length 1, 2, 3 … (BASE-11)."""

    points: list[Points]


class DoublesParams(Params, tag="doubles", frozen=True, kw_only=True):
    """From how many seats on both routes of a double stay open (BASE-8)."""

    open_from: Count


class DrawTicketsParams(Params, tag="draw_tickets", frozen=True, kw_only=True):
    """Drawing tickets (BASE-9), perhaps only once the second draft is over (IB-7)."""

    draw: Count
    keep: Count
    rejected: Rejected
    after_second_draft: bool = False


class OpeningTicketsParams(Params, tag="opening_tickets", frozen=True, kw_only=True):
    """The tickets dealt at the start (BASE-13), with `long` long ones besides."""

    deal: Count
    keep: Count
    rejected: Rejected
    long: CountOrNone = 0


class DraftParams(Params, tag="draft", frozen=True, kw_only=True):
    """The opening draft of tickets (IB-2)."""

    deal: Count
    keep: Count
    direction: Direction = msgspec.field(name="pass")


class SecondDraftParams(Params, tag="second_draft", frozen=True, kw_only=True):
    """The draft that a card in the deck sets off (IB-4); how deep it lies, by seats (RU-7)."""

    deal: Count
    keep: Count
    direction: Direction = msgspec.field(name="pass")
    depth: dict[str, Share]


class FerriesParams(Params, tag="ferries", frozen=True, kw_only=True):
    """Routes with locomotive symbols (IB-8)."""


class TunnelsParams(Params, tag="tunnels", frozen=True, kw_only=True):
    """Tunnels: so many cards are turned up (NO-5)."""

    reveal: Count = 3


class LocomotiveRestrictionParams(Params, tag="locomotive_restriction", frozen=True, kw_only=True):
    """Where alone locomotives serve (NO-3)."""

    allowed: list[Literal["ferries", "tunnels"]]


class SubstitutesParams(Params, tag="substitutes", frozen=True, kw_only=True):
    """Any so many cards for a ferry's locomotive (NO-4), or for a card of the route (NO-6)."""

    ferry_locomotive: Count = 3


class FestivalSet(Data, frozen=True, kw_only=True):
    """The cards of one festival, and the points of 1, 2, 3 … of them."""

    id: Id
    cities: Annotated[list[Id], Meta(min_length=1)]
    cards: Count
    scores: list[Points]


class FestivalsParams(Params, tag="festivals", frozen=True, kw_only=True):
    """Festival cards (IB-3, IB-6, IB-9)."""

    sets: Annotated[list[FestivalSet], Meta(min_length=1, max_length=100)]


class ExpressCardsParams(Params, tag="express_cards", frozen=True, kw_only=True):
    """The Express cards of each player (KR-2)."""

    values: Annotated[list[Count], Meta(min_length=1, max_length=10)]


@in_every_language()
class MatLine(Data, frozen=True, kw_only=True):
    """A line of the Province mat: its colour, its spots and the province's name."""

    colour: CardColour
    spots: Annotated[list[Count], Meta(min_length=1, max_length=50)]
    en: Text


class ProvinceMatParams(Params, tag="province_mat", frozen=True, kw_only=True):
    """The Province mat (KR-5); what the first, second … on a line score, by seats (KR-8)."""

    lines: Annotated[list[MatLine], Meta(min_length=1)]
    scoring: dict[str, list[Points]]


class AttractionsParams(Params, tag="attractions", frozen=True, kw_only=True):
    """Cities that score for whoever touches them (NY-5)."""

    points: Points = 1
    cities: Annotated[list[Id], Meta(min_length=1)]


class GlobetrotterParams(Params, tag="globetrotter", frozen=True, kw_only=True):
    """A bonus for the most completed tickets (NO-9)."""

    points: Points = 10


class LongestPathParams(Params, tag="longest_path", frozen=True, kw_only=True):
    """A bonus for the longest path (BASE-14)."""

    points: Points = 10


class StationsParams(Params, tag="stations", frozen=True, kw_only=True):
    """Stations, and the points of each one not built (EU-1)."""

    count: Count = 3
    unused: Points = 4


class EndingParams(Params, tag="ending", frozen=True, kw_only=True):
    """The last round begins when a player has so few trains left (BASE-10)."""

    trains: CountOrNone = 2


class TieBreaksParams(Params, tag="tie_breaks", frozen=True, kw_only=True):
    """What decides among players with equal points, first to last (BASE-12).

    `longest_path` compares lengths (NO-9), `longest_path_bonus` who holds the bonus (US-1).
    """

    order: list[Literal["tickets", "stations", "longest_path", "longest_path_bonus"]]


def name_of(kind: type[Params]) -> str:
    """The rule's name in board files."""
    return str(kind.__struct_config__.tag)


PARAMS: Final[dict[str, type[Params]]] = {name_of(kind): kind for kind in Params.__subclasses__()}
"""The parameters of every rule by the rule's name."""

ACTIONS: Final = ("draw_cards", "claim_routes", "draw_tickets")
RETIRED: Final = {"locomotive_reset": ("limit",)}
"""Parameters that boards written for earlier versions may still have. They have no effect."""
REQUIRED: Final = ("deck", "doubles", *ACTIONS, "ending", "tie_breaks")

P = TypeVar("P", bound=Params)


def rule_params(entry: RuleEntry) -> object:
    """The typed parameters of a rule; raises `MapError` if it is unknown or they don't fit."""
    problems = _entry_problems(entry, "parameters")
    if problems:
        raise MapError(f"rule {entry.name}", problems)
    return msgspec.convert(_current(entry), PARAMS[entry.name])


def check_rules(board: Board) -> list[MapProblem]:
    """Everything that is wrong with a board's list of rules; empty if the board can be played."""
    checks = (_check_list, _check_routes, _check_tickets, _check_seats, _check_sets, _check_end)
    rules = _Rules(board)
    return rules.problems + [problem for check in checks for problem in check(rules)]


def rules_schema() -> dict[str, Any]:
    """The JSON Schema of one entry in a list of rules."""
    schema = msgspec.json.schema(reduce(or_, PARAMS.values()))
    return {"oneOf": schema["anyOf"], "$defs": schema["$defs"]}


def full_schema() -> dict[str, Any]:
    """The JSON Schema of map files with the parameters of every rule."""
    schema, rules = map_schema(), rules_schema()
    schema["$defs"] |= {**rules["$defs"], "RuleData": {"oneOf": rules["oneOf"]}}
    return schema


def _current(entry: RuleEntry) -> dict[str, object]:
    retired = RETIRED.get(entry.name, ())
    return {key: value for key, value in entry.params.items() if key not in retired}


def _entry_problems(entry: RuleEntry, place: str) -> list[MapProblem]:
    if entry.name in PARAMS:
        return misfits(_current(entry), PARAMS[entry.name], place)
    known, hint = phrase("one_of", known=", ".join(PARAMS)), closest(entry.name, PARAMS)
    return [MapProblem(place, phrase("unknown_rule"), known, hint)]


class _Rules:
    """A board's rules with typed parameters, for the checks that look at several of them."""

    def __init__(self, board: Board) -> None:
        self.board: Final = board
        self.names: Final = [entry.name for entry in board.rules]
        self.problems: Final[list[MapProblem]] = []
        self.fitting: Final[dict[str, object]] = {}
        for i, entry in enumerate(board.rules):
            problems = _entry_problems(entry, place_of("rules", i, {"rule": entry.name}))
            self.problems.extend(problems)
            if not problems:
                self.fitting[entry.name] = rule_params(entry)

    def get(self, kind: type[P]) -> P | None:
        """The parameters of a rule that the board has and that fit; else nothing."""
        found = self.fitting.get(name_of(kind))
        return found if isinstance(found, kind) else None

    def at(self, name: str, field: str = "") -> str:
        place = place_of("rules", self.names.index(name), {"rule": name})
        return f"{place}.{field}" if field else place


def _check_list(rules: _Rules) -> Iterator[MapProblem]:
    names = rules.names
    for name in _repeated(names):
        yield MapProblem("rules", phrase("again", what=name), phrase("each_rule"))
    for name in REQUIRED:
        if name not in names:
            yield MapProblem("rules", phrase("no_rule", rule=name), phrase("on_every_board"))
    if ("opening_tickets" in names) == ("draft" in names):
        found = phrase("both" if "draft" in names else "neither", a="opening_tickets", b="draft")
        yield MapProblem("rules", found, phrase("one_of_two"))
    if "second_draft" in names and "draft" not in names:
        yield MapProblem(rules.at("second_draft"), phrase("no_first_draft"), _as_well("draft"))


def _as_well(rule: str) -> Phrase:
    return phrase("rule_as_well", rule=rule)


def _check_routes(rules: _Rules) -> Iterator[MapProblem]:
    routes = rules.board.routes
    ferries, tunnels = any(r.locomotives for r in routes), any(r.tunnel for r in routes)
    sets = any(r.any_cards for r in routes)
    for name, needed, useful, mark in (
        ("ferries", ferries, ferries, "locomotives"),
        ("tunnels", tunnels, tunnels, "tunnel"),
        ("substitutes", sets, sets or ferries, "any_cards"),
    ):
        if needed and name not in rules.names:
            right = phrase("for_routes", mark=mark)
            yield MapProblem("rules", phrase("no_rule", rule=name), right)
        if name in rules.names and not useful:
            found = phrase("no_route_has", mark=mark)
            yield MapProblem(rules.at(name), found, phrase("such_a_route"))
    claim, longest = rules.get(ClaimRoutesParams), max(r.length for r in routes)
    if claim and len(claim.points) < longest:
        found = phrase("few_points", n=len(claim.points))
        right = phrase("points_up_to", most=longest)
        yield MapProblem(rules.at("claim_routes", "points"), found, right)


def _check_tickets(rules: _Rules) -> Iterator[MapProblem]:
    seats, tickets = rules.board.seats_max, rules.board.tickets
    opening, draw = rules.get(OpeningTicketsParams), rules.get(DrawTicketsParams)
    long, dealt_long = sum(t.long for t in tickets), opening.long if opening else 0
    left = len(tickets) - long
    for deal in (opening, rules.get(DraftParams), rules.get(SecondDraftParams)):
        if deal:
            name, most = name_of(type(deal)), deal.deal + dealt_long
            if deal.keep > most:
                right = phrase("up_to", most=most)
                yield MapProblem(rules.at(name, "keep"), as_is(deal.keep), right)
            if left < seats * deal.deal:
                right = phrase("for_seats", needed=seats * deal.deal, seats=seats)
                yield MapProblem(rules.at(name, "deal"), phrase("few_tickets", n=left), right)
            left -= seats * deal.keep
    if draw and draw.after_second_draft and "second_draft" not in rules.names:
        found = phrase("no_second_draft")
        yield MapProblem(rules.at("draw_tickets"), found, _as_well("second_draft"))
    if draw and draw.keep > draw.draw:
        right = phrase("up_to", most=draw.draw)
        yield MapProblem(rules.at("draw_tickets", "keep"), as_is(draw.keep), right)
    if long < seats * dealt_long:
        right = phrase("for_seats", needed=seats * dealt_long, seats=seats)
        yield MapProblem(rules.at("opening_tickets", "long"), phrase("few_long", n=long), right)
    if long and not dealt_long:
        yield MapProblem("tickets", phrase("long_undealt"), phrase("deal_long"))


def _check_seats(rules: _Rules) -> Iterator[MapProblem]:
    board, deck = rules.board, rules.get(DeckParams)
    cards = deck.per_colour * len(board.colours) + deck.locomotives if deck else 0
    needed = board.seats_max * deck.hand + deck.display if deck else 0
    if cards < needed:
        found, right = phrase("cards", n=cards), phrase("cards_needed", needed=needed)
        yield MapProblem(rules.at("deck"), found, right)
    second, mat = rules.get(SecondDraftParams), rules.get(ProvinceMatParams)
    for seats in range(board.seats_min, board.seats_max + 1):
        if second and str(seats) not in second.depth:
            place = rules.at("second_draft", f"depth.{seats}")
            yield MapProblem(place, phrase("missing"), phrase("a_share"))
        if mat and str(seats) not in mat.scoring:
            place = rules.at("province_mat", f"scoring.{seats}")
            yield MapProblem(place, phrase("missing"), phrase("points_list"))
    for key, share in second.depth.items() if second else ():
        if not 0 < Fraction(share) < 1:
            place = rules.at("second_draft", f"depth.{key}")
            yield MapProblem(place, as_is(share), phrase("a_share"))


def _check_sets(rules: _Rules) -> Iterator[MapProblem]:
    festivals, mat = rules.get(FestivalsParams), rules.get(ProvinceMatParams)
    sets, lines = festivals.sets if festivals else [], mat.lines if mat else []
    for name in _repeated([one.id for one in sets]):
        place = rules.at("festivals", "sets")
        yield MapProblem(place, phrase("again", what=name), phrase("each_id"))
    for one in sets:
        if len(one.scores) != one.cards:
            place = rules.at("festivals", f"sets ({one.id}).scores")
            found = phrase("scores_for", scores=len(one.scores), n=one.cards)
            yield MapProblem(place, found, phrase("as_many_as_cards"))
    yield from _check_cities(rules, "festivals", [city for one in sets for city in one.cities])
    for colour in _repeated([line.colour for line in lines]):
        place = rules.at("province_mat", "lines")
        yield MapProblem(place, phrase("again", what=colour), phrase("each_colour"))
    for line in lines:
        place = rules.at("province_mat", f"lines ({line.colour})")
        if line.colour not in rules.board.colours:
            known = as_is(", ".join(rules.board.colours))
            yield MapProblem(f"{place}.colour", as_is(line.colour), known)
        if line.spots != sorted(set(line.spots)):
            yield MapProblem(f"{place}.spots", as_is(line.spots), phrase("rising"))


def _check_end(rules: _Rules) -> Iterator[MapProblem]:
    attractions, ties = rules.get(AttractionsParams), rules.get(TieBreaksParams)
    yield from _check_cities(rules, "attractions", attractions.cities if attractions else [])
    for name in _repeated(ties.order if ties else []):
        place = rules.at("tie_breaks", "order")
        yield MapProblem(place, phrase("again", what=name), phrase("each_tie_break"))
    if ties and "stations" in ties.order and "stations" not in rules.names:
        place = rules.at("tie_breaks", "order")
        yield MapProblem(place, as_is("stations"), _as_well("stations"))
    if ties and "longest_path_bonus" in ties.order and "longest_path" not in rules.names:
        place = rules.at("tie_breaks", "order")
        yield MapProblem(place, as_is("longest_path_bonus"), _as_well("longest_path"))


def _check_cities(rules: _Rules, rule: str, cities: list[str]) -> Iterator[MapProblem]:
    for city in cities:
        if city not in rules.board.city_of:
            yield no_city(rules.at(rule), city, rules.board.city_of)
    for city in _repeated(cities):
        yield MapProblem(rules.at(rule), phrase("again", what=city), phrase("each_city"))


def _repeated(words: Sequence[str]) -> list[str]:
    return [word for i, word in enumerate(words) if word in words[:i]]
