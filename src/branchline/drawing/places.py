"""What the rules of a board put on the map near cities, such as piles of cards and marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

from branchline import rules as _rules  # noqa: F401 (registers the rules)
from branchline.core.board import Board
from branchline.core.mapfile import MapError
from branchline.engine.registry import make_rules

Shape = Literal["pile", "mark"]
SIZES: Final[Mapping[Shape, tuple[float, float]]] = {"pile": (32.0, 22.0), "mark": (16.0, 16.0)}
"""The width and height of each shape."""


class RulePlace(NamedTuple):
    """Something that a rule keeps near one city or between several."""

    rule: str
    id: str  # which of the rule's places
    cities: list[int]
    shape: Shape


def places_of(board: Board) -> list[RulePlace]:
    """Everything that the rules of a board put on the map.

    A board whose rules don't fit it yet is drawn without them.
    """
    try:
        rules = make_rules(board)
    except MapError:
        return []
    return [
        RulePlace(rule.name, place.id, place.cities, cast(Shape, place.shape))
        for rule in rules
        for place in rule.places()
    ]
