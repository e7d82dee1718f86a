"""Which weights can be tuned, from where to where, and what a usual step is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from branchline.bots.style import VERSION_1


class Range(msgspec.Struct, frozen=True):
    """The values that a weight may take."""

    low: float
    high: float
    step: float


RANGES: Final = {
    "time_share": Range(0.3, 1.5, 0.12),
    "train_cost": Range(-60.0, 30.0, 10.0),
    "points_discount": Range(-5.0, 30.0, 3.5),
    "hand_discount": Range(0.0, 50.0, 7.0),
    "ticket_draw_weight": Range(0.0, 1.2, 0.12),
    "turn_value": Range(0.3, 2.5, 0.22),
    "card_value": Range(0.2, 1.5, 0.1),
    "off_plan_factor": Range(0.5, 10.0, 1.2),
    "block_weight": Range(0.0, 1.5, 0.15),
    "patience": Range(0.0, 1.0, 0.12),
    "plan_claim": Range(0.0, 15.0, 1.5),
    "bonus_weight": Range(0.0, 3.0, 0.25),
    "path_weight": Range(0.0, 2.0, 0.2),
    "keep_turn_weight": Range(0.1, 1.5, 0.12),
    "pick_turn_weight": Range(0.1, 1.5, 0.12),
    "given_up_weight": Range(0.0, 1.5, 0.2),
    "most_tickets_weight": Range(0.0, 1.0, 0.12),
    "express_value": Range(0.0, 6.0, 0.6),
    "locomotive_value": Range(0.8, 4.0, 0.3),
    "needed_value": Range(0.5, 2.5, 0.2),
    "near_value": Range(0.0, 2.0, 0.2),
    "surplus_value": Range(0.0, 1.2, 0.12),
    "card_horizon": Range(1.0, 15.0, 1.5),
    "draw_time": Range(0.3, 1.0, 0.07),
    "odds_width": Range(0.02, 0.3, 0.03),
}
"""All weights but the noise, which is a matter of levels."""

PLANNERS_ONLY: Final = frozenset({"block_weight", "ticket_draw_weight", "given_up_weight"})
"""Weights that followers do not use."""


def whole(weights: Mapping[str, float]) -> dict[str, float]:
    """All weights that can be tuned; those that are not named are as in version 1.

    >>> whole({"patience": 0.5})["patience"], whole({})["time_share"]
    (0.5, 0.7)
    """
    return {name: weights.get(name, VERSION_1[name]) for name in RANGES}


def weights_at(
    place: Sequence[float], names: Sequence[str], start: Mapping[str, float]
) -> dict[str, float]:
    """The weights at a place that is counted in steps from the start, within their ranges.

    >>> weights_at([1.0], ["time_share"], whole({}))["time_share"]
    0.82
    """
    found = dict(start)
    for name, x in zip(names, place, strict=True):
        r = RANGES[name]
        found[name] = float(f"{min(max(start[name] + x * r.step, r.low), r.high):.4g}")
    return found


def place_of(
    weights: Mapping[str, float], names: Sequence[str], start: Mapping[str, float]
) -> list[float]:
    """Where these weights are, in steps from the start."""
    return [(weights[name] - start[name]) / RANGES[name].step for name in names]


def spec_of(weights: Mapping[str, float]) -> str:
    """The planner with these weights, as it is named in a command."""
    return f"planner:{','.join(f'{name}={value!r}' for name, value in weights.items())}"
