"""What the rules of a board put on the map near cities, such as piles of cards and marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from branchline.core.board import Board

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
    """Everything that the rules of a board put on the map, in the order of its rules."""
    places: list[RulePlace] = []
    for entry in board.rules:
        params: Mapping[str, Any] = entry.params
        if entry.name == "festivals":
            for item in params.get("sets", ()):
                cities = [board.city_of[c] for c in item["cities"]]
                places.append(RulePlace(entry.name, str(item["id"]), cities, "pile"))
        elif entry.name == "attractions":
            ids = [str(c) for c in params.get("cities", ())]
            places += [RulePlace(entry.name, c, [board.city_of[c]], "mark") for c in ids]
    return places
