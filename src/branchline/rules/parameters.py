"""What the parameters of all rules share, and how a board's list of rules is checked.

A board lists its rules by name; each name has a class that says what stands next to it. The classes
are in `params.py` of the rule's folder.

>>> import branchline
>>> rule_params(RuleEntry("doubles", {"open_from": 3}))
DoublesParams(cite='', open_from=3)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from branchline.core.board import Board, RuleEntry
from branchline.core.mapfile import (
    Data,
    MapError,
    MapProblem,
    Phrase,
    closest,
    map_schema,
    misfits,
    no_city,
    phrase,
    place_of,
)

Count = Annotated[int, Meta(ge=1, le=200)]
CountOrNone = Annotated[int, Meta(ge=0, le=200)]
Points = Annotated[int, Meta(ge=0, le=1000)]
RuleId = Annotated[str, Meta(pattern=r"^[A-Z]+-[0-9]+$")]


class Params(Data, tag_field="rule", frozen=True):
    """What may stand next to a rule's name in a board's list; the tag is that name."""

    cite: Annotated[str, Meta(pattern=r"^([A-Z]+-[0-9]+)?$", extra={"phrase": "a_rule_id"})] = ""
    """The id in the rules catalogue that this entry follows, if not the rule's usual one."""


P = TypeVar("P", bound=Params)

PARAMS: Final[dict[str, type[Params]]] = {}
"""The parameters of every rule by the rule's name."""

CHECKS: Final[list[Callable[[BoardRules], Iterator[MapProblem]]]] = []
"""What the rules require of a board, in the order in which problems are reported."""

ACTIONS: Final = ("draw_cards", "claim_routes", "draw_tickets")
RETIRED: Final = {"locomotive_reset": ("limit",)}
"""Parameters that boards written for earlier versions may still have. They have no effect."""
REQUIRED: Final = ("deck", "doubles", *ACTIONS, "ending", "tie_breaks")


def name_of(kind: type[Params]) -> str:
    """The rule's name in board files."""
    return str(kind.__struct_config__.tag)


def rule_params(entry: RuleEntry) -> object:
    """The typed parameters of a rule; raises `MapError` if it is unknown or they don't fit."""
    problems = _entry_problems(entry, "parameters")
    if problems:
        raise MapError(f"rule {entry.name}", problems)
    return msgspec.convert(_current(entry), PARAMS[entry.name])


def check_rules(board: Board) -> list[MapProblem]:
    """Everything that is wrong with a board's list of rules; empty if the board can be played."""
    rules = BoardRules(board)
    problems = rules.problems + list(_check_list(rules))
    return problems + [problem for check in CHECKS for problem in check(rules)]


def rules_schema() -> dict[str, Any]:
    """The JSON Schema of one entry in a list of rules."""
    schema = msgspec.json.schema(reduce(or_, PARAMS.values()))
    return {"oneOf": schema["anyOf"], "$defs": schema["$defs"]}


def full_schema() -> dict[str, Any]:
    """The JSON Schema of map files with the parameters of every rule."""
    schema, rules = map_schema(), rules_schema()
    schema["$defs"] |= {**rules["$defs"], "RuleData": {"oneOf": rules["oneOf"]}}
    return schema


def repeated(words: Sequence[str]) -> list[str]:
    """The words that stand in a list more than once."""
    return [word for i, word in enumerate(words) if word in words[:i]]


class BoardRules:
    """A board's rules with typed parameters, for checks that look at several of them."""

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

    def all(self, kind: type[P]) -> list[P]:
        """The parameters of this kind of all rules that the board has and that fit."""
        return [found for found in self.fitting.values() if isinstance(found, kind)]

    def at(self, name: str, field: str = "") -> str:
        """Where in the file a rule, or one of its parameters, is."""
        place = place_of("rules", self.names.index(name), {"rule": name})
        return f"{place}.{field}" if field else place

    def as_well(self, rule: str) -> Phrase:
        """The remedy if another rule is missing."""
        return phrase("rule_as_well", rule=rule)

    def check_mark(self, rule: str, mark: str, needed: bool, useful: bool) -> Iterator[MapProblem]:
        """The rule of a mark on routes is listed if it is needed, and only if it is useful."""
        if needed and rule not in self.names:
            right = phrase("for_routes", mark=mark)
            yield MapProblem("rules", phrase("no_rule", rule=rule), right)
        if rule in self.names and not useful:
            found = phrase("no_route_has", mark=mark)
            yield MapProblem(self.at(rule), found, phrase("such_a_route"))

    def check_cities(self, rule: str, cities: list[str]) -> Iterator[MapProblem]:
        """A rule's cities are on the board, each named once."""
        for city in cities:
            if city not in self.board.city_of:
                yield no_city(self.at(rule), city, self.board.city_of)
        for city in repeated(cities):
            yield MapProblem(self.at(rule), phrase("again", what=city), phrase("each_city"))


def _current(entry: RuleEntry) -> dict[str, object]:
    retired = RETIRED.get(entry.name, ())
    return {key: value for key, value in entry.params.items() if key not in retired}


def _entry_problems(entry: RuleEntry, place: str) -> list[MapProblem]:
    if entry.name in PARAMS:
        return misfits(_current(entry), PARAMS[entry.name], place)
    known, hint = phrase("one_of", known=", ".join(sorted(PARAMS))), closest(entry.name, PARAMS)
    return [MapProblem(place, phrase("unknown_rule"), known, hint)]


def _check_list(rules: BoardRules) -> Iterator[MapProblem]:
    for name in repeated(rules.names):
        yield MapProblem("rules", phrase("again", what=name), phrase("each_rule"))
    for name in REQUIRED:
        if name not in rules.names:
            yield MapProblem("rules", phrase("no_rule", rule=name), phrase("on_every_board"))
