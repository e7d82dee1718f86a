"""The weights of a planner, by name. `docs/bots.md` says what each of them weighs."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Final

VERSION_1: Final[dict[str, float]] = {
    "noise": 0.0,
    "time_share": 0.7,
    "train_cost": -30.0,
    "points_discount": 5.0,
    "hand_discount": 20.0,
    "ticket_draw_weight": 0.3,
    "turn_value": 1.3,
    "card_value": 0.62,
    "off_plan_factor": 4.0,
    "block_weight": 0.3,
    "patience": 0.0,
    "plan_claim": 4.0,
    "bonus_weight": 1.0,
    "path_weight": 0.0,
    "keep_turn_weight": 0.7,
    "pick_turn_weight": 1.0,
    "given_up_weight": 0.0,
    "most_tickets_weight": 0.25,
    "express_value": 0.9,
    "locomotive_value": 2.0,
    "needed_value": 1.2,
    "near_value": 0.7,
    "surplus_value": 0.6,
    "card_horizon": 6.0,
    "draw_time": 0.58,
    "odds_width": 0.1,
}
"""All weights, as `planner-1` has them. They never change: what is new gets a weight whose value
here leaves every decision as it was."""


def checked_weights(weights: Mapping[str, object]) -> dict[str, float]:
    """These weights as numbers; raises `ValueError` for what is not a weight or not a number."""
    found: dict[str, float] = {}
    for name, value in weights.items():
        if name not in VERSION_1:
            raise ValueError(f"{name}: {', '.join(VERSION_1)}")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{name}={value}")
        number: float = float(value)
        if not isfinite(number):
            raise ValueError(f"{name}={value}")
        found[name] = number
    return found


class Style:
    """The weights of a planner at a table. What `weights` does not name is as in version 1.

    "What a turn yields" is the points that a turn brings on the board by routes alone.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        w = {**VERSION_1, **weights}
        # The largest error in judging an action, in multiples of what a turn yields.
        self.noise: Final = w["noise"]
        # The share of the remaining time that the plan may use.
        self.time_share: Final = w["time_share"]
        # The cost of a train, in hundredths of a turn. Below 0 the plan prefers long routes, which
        # score more and bring the end nearer.
        self.train_cost: Final = w["train_cost"]
        # How much each point of a route, and each of its cards in hand, lowers its cost in the
        # plan, in hundredths of a turn.
        self.points_discount: Final = w["points_discount"]
        self.hand_discount: Final = w["hand_discount"]
        # How much of the expected gain of drawing tickets counts before the last round.
        self.ticket_draw_weight: Final = w["ticket_draw_weight"]
        # What a turn spent on tickets and what a card is worth, in multiples of what a turn yields.
        self.turn_value: Final = w["turn_value"]
        self.card_value: Final = w["card_value"]
        # How much more the cards for other routes cost while the plan has tickets.
        self.off_plan_factor: Final = w["off_plan_factor"]
        # How much of a rival's loss counts for a claim.
        self.block_weight: Final = w["block_weight"]
        # How far a planned claim may wait for cards while there is time and no rival needs it.
        self.patience: Final = w["patience"]
        # The points that a planned claim has ahead of everything else.
        self.plan_claim: Final = w["plan_claim"]
        # How much of what the board's rules promise for a claim counts.
        self.bonus_weight: Final = w["bonus_weight"]
        # The points for each space that a route adds to the longest path, for a bonus of 10.
        self.path_weight: Final = w["path_weight"]
        # How much the turns count that a ticket takes, when tickets are kept and picked from packs:
        # a ticket need not be completed.
        self.keep_turn_weight: Final = w["keep_turn_weight"]
        self.pick_turn_weight: Final = w["pick_turn_weight"]
        # How much of the worth of drawing tickets is left once the plan has given up one.
        self.given_up_weight: Final = w["given_up_weight"]
        # How much of the bonus for the most tickets counts for each of them.
        self.most_tickets_weight: Final = w["most_tickets_weight"]
        # The points for which an extra card of a kind that every game has once is kept for later.
        self.express_value: Final = w["express_value"]
        # The value of a locomotive, of a card that the plan lacks (and more the nearer it brings a
        # route), and of another, in multiples of a card's value.
        self.locomotive_value: Final = w["locomotive_value"]
        self.needed_value: Final = w["needed_value"]
        self.near_value: Final = w["near_value"]
        self.surplus_value: Final = w["surplus_value"]
        # Cards lose their value over this many last turns.
        self.card_horizon: Final = w["card_horizon"]
        # The turns for each card that is missing: not every card drawn is one of them.
        self.draw_time: Final = w["draw_time"]
        # How uncertain the time of a plan is, as a share of the turns that are left.
        self.odds_width: Final = w["odds_width"]
