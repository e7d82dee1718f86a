"""What a position is worth: an estimate of the final scores without playing to the end.

Linear in what a follower knows of its seat: the score as if the game ended now, what its plan would
add, how long that takes, its cards and trains. Each counts with a weight, and with another weight
times the share of the game that is left. Only differences between seats matter. `branchline
train-value` finds the weights, by regression on games of followers and on what candidates of the
expert brought; they are data of the boards.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.follower import Follower
from branchline.bots.rollout import Rollout
from branchline.core.machine import i64, vec
from branchline.engine.game import Game
from branchline.engine.scoring import tally
from branchline.engine.state import State
from branchline.rules.longest_path.paths import Paths

FEATURES: Final = (
    "score_now",
    "tickets_expected",
    "tickets_planned",
    "route_points_planned",
    "turns_needed",
    "turns_missing",
    "tickets_hopeless",
    "cards",
    "locomotives",
    "most_of_a_colour",
    "second_colour",
    "trains",
    "tickets_done",
    "longest_path",
    "to_move",
)
"""What is weighed, in this order; then all again, times the share of the game that is left."""


class PositionValue:
    """Estimates the score of every seat, up to what is the same for all."""

    def __init__(self, game: Game, weights: list[float]) -> None:
        self.game: Final = game
        self.seats: Final[i64] = game.seats
        self.width: Final[i64] = len(FEATURES)
        if weights and len(weights) != 2 * len(FEATURES):
            raise ValueError(f"{2 * len(FEATURES)} weights, not {len(weights)}")
        self.weights: Final[vec[float]] = vec[float](weights)
        self.features: Final[vec[float]] = vec[float]([0.0] * (game.seats * len(FEATURES)))
        self.left: float = 0.0  # the share of the game that is left
        self.scores: Final[vec[float]] = vec[float]([0.0] * game.seats)
        self.paths: Final = Paths(game)
        self.long: Final = game.rule_named("longest_path") is not None

    def measure(self, s: State, rollout: Rollout) -> None:
        """Write the features of all seats. It must be the start of a turn."""
        d, t, f = s.d, s.t, self.features
        points = tally(s, False)
        seat: i64 = 0
        while seat < self.seats:
            follower = rollout.followers[seat]
            follower.review(s)
            at: i64 = seat * self.width
            f[at] = float(points.total[seat])
            self.measure_plan(follower, at)
            self.measure_hand(s, seat, at)
            f[at + 12] = float(points.done[seat])
            f[at + 13] = float(self.paths.longest(s, seat)) if self.long else 0.0
            f[at + 14] = 1.0 if d[t.turn] == seat else 0.0
            seat += 1
        least: i64 = d[t.trains]
        seat = 1
        while seat < self.seats:
            if d[t.trains + seat] < least:
                least = d[t.trains + seat]
            seat += 1
        self.left = float(least) / float(t.board.trains)

    def measure_plan(self, follower: Follower, at: i64) -> None:
        f, p = self.features, follower.plan
        o = follower.observation
        t = o.t
        planned: float = 0.0
        hopeless: float = 0.0
        for ticket in p.tickets:
            planned += 2.0 * float(t.ticket_points[ticket])
        for ticket in p.open_tickets:
            hopeless += 2.0 * float(t.ticket_points[ticket])
        route_points: float = 0.0
        needed: float = 0.0
        if not follower.aiming:
            needed = p.time_for_chosen()
            k: i64 = 0
            while k < p.count:
                r: i64 = p.listed[k]
                route_points += float(o.claims.points[t.length[r]]) + 0.5 * p.bonus[r]
                k += 1
        f[at + 1] = planned * p.odds(needed)
        f[at + 2] = planned
        f[at + 3] = route_points
        f[at + 4] = needed
        f[at + 5] = max(0.0, needed - p.turns_left)
        f[at + 6] = hopeless - planned

    def measure_hand(self, s: State, seat: i64, at: i64) -> None:
        d, t, f = s.d, s.t, self.features
        hand: i64 = t.hand + seat * t.kinds
        first: i64 = 0
        second: i64 = 0
        kind: i64 = 0
        while kind < t.colours:
            n: i64 = d[hand + kind]
            if n > first:
                second = first
                first = n
            elif n > second:
                second = n
            kind += 1
        f[at + 7] = float(d[t.hand_size + seat])
        f[at + 8] = float(d[hand + t.loco])
        f[at + 9] = float(first)
        f[at + 10] = float(second)
        f[at + 11] = float(d[t.trains + seat])

    def estimate(self, s: State, rollout: Rollout) -> None:
        """Fill `scores` at the start of a turn."""
        self.measure(s, rollout)
        seat: i64 = 0
        while seat < self.seats:
            at: i64 = seat * self.width
            total: float = 0.0
            k: i64 = 0
            while k < self.width:
                x: float = self.features[at + k]
                total += x * (self.weights[k] + self.left * self.weights[self.width + k])
                k += 1
            self.scores[seat] = total
            seat += 1
