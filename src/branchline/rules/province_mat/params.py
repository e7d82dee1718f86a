"""The parameters of the Province mat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from branchline.core.mapfile import (
    CardColour,
    Data,
    MapProblem,
    Text,
    as_is,
    in_every_language,
    phrase,
)
from branchline.rules.parameters import BoardRules, Count, Params, Points, repeated


@in_every_language()
class MatLine(Data, frozen=True, kw_only=True):
    """A line of the Province mat: its colour, its spots and the province's name."""

    colour: CardColour
    """The colour of the line; a colour of the board, each on one line at most."""
    spots: Annotated[list[Count], Meta(min_length=1, max_length=50)]
    """The values of its spots, rising."""
    en: Text
    """The province's name in English; other languages may stand next to it."""


class ProvinceMatParams(Params, tag="province_mat", frozen=True, kw_only=True):
    """The Province mat (KR-5); what the first, second … on a line score, by seats (KR-8)."""

    lines: Annotated[list[MatLine], Meta(min_length=1)]
    """The lines of the mat. An overlay may replace this list."""
    scoring: dict[str, list[Points]]
    """By number of players: what the first, second … on a line score.

    Every number of players that the board allows needs one.
    """


def check_mat(rules: BoardRules) -> Iterator[MapProblem]:
    """Every line has a colour of the board and rising spots, every table its points."""
    board, mat = rules.board, rules.get(ProvinceMatParams)
    for seats in range(board.seats_min, board.seats_max + 1):
        if mat and str(seats) not in mat.scoring:
            place = rules.at("province_mat", f"scoring.{seats}")
            yield MapProblem(place, phrase("missing"), phrase("points_list"))
    lines = mat.lines if mat else []
    for colour in repeated([line.colour for line in lines]):
        place = rules.at("province_mat", "lines")
        yield MapProblem(place, phrase("again", what=colour), phrase("each_colour"))
    for line in lines:
        place = rules.at("province_mat", f"lines ({line.colour})")
        if line.colour not in board.colours:
            known = as_is(", ".join(board.colours))
            yield MapProblem(f"{place}.colour", as_is(line.colour), known)
        if line.spots != sorted(set(line.spots)):
            yield MapProblem(f"{place}.spots", as_is(line.spots), phrase("rising"))
