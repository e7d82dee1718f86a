"""The parameters of tie-breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from branchline.core.mapfile import MapProblem, as_is, phrase
from branchline.rules.parameters import BoardRules, Params, repeated


class TieBreaksParams(Params, tag="tie_breaks", frozen=True, kw_only=True):
    """What decides among players with equal points, first to last (BASE-12).

    `longest_path` compares lengths (NO-9), `longest_path_bonus` who holds the bonus (US-1).
    """

    order: list[Literal["tickets", "stations", "longest_path", "longest_path_bonus"]]
    """The tie-breaks, the first to be tried first; each named once."""


def check_ties(rules: BoardRules) -> Iterator[MapProblem]:
    """Each tie-break is named once, and what it compares exists on the board."""
    ties = rules.get(TieBreaksParams)
    place = rules.at("tie_breaks", "order") if ties else ""
    for name in repeated(ties.order if ties else []):
        yield MapProblem(place, phrase("again", what=name), phrase("each_tie_break"))
    for name, rule in (("stations", "stations"), ("longest_path_bonus", "longest_path")):
        if ties and name in ties.order and rule not in rules.names:
            yield MapProblem(place, as_is(name), rules.as_well(rule))
