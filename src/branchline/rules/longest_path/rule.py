"""The bonus for the longest path (US-1, EU-1)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.engine.game import Game
from branchline.engine.outcome import Tally, Values
from branchline.engine.position import Position
from branchline.engine.rule import ON_SCORE, ON_VALUE, Rule
from branchline.engine.state import State
from branchline.rules.longest_path.paths import Paths


class LongestPath(Rule):
    """Points for the longest path, to all who tie (US-1, EU-1)."""

    def __init__(self, cite: str, points: i64) -> None:
        super().__init__("longest_path", cite, 71, ON_SCORE | ON_VALUE)
        self.points: Final = points
        self.headline = 10
        self.path_bonus = points
        self.paths: Paths | None = None

    def link(self, game: Game) -> None:
        self.paths = Paths(game)

    def score(self, s: State, tally: Tally) -> None:
        assert self.paths is not None
        lengths: list[int] = []
        exact = True
        for seat in range(tally.seats):
            lengths.append(int(self.paths.longest(s, seat)))
            exact = exact and self.paths.trails.exact
        best = max(lengths)
        values: Values | None = None
        if tally.lines is not None:
            values = {"of_all": lengths}
            if not exact:
                values["unproven"] = 1
        for seat in range(tally.seats):
            if lengths[seat] == best:
                tally.add(seat, self.cite, "longest_path", self.points, best, values)

    def claim_values(self, p: Position, worth: vec[float]) -> None:
        """A route that continues the seat's own is a step to the bonus."""
        if self.points <= 0:
            return
        t, is_open, touched = p.t, p.open, p.touched
        r: i64 = 0
        while r < t.routes:
            if is_open[r] == 1 and (touched[t.a[r]] == 1 or touched[t.b[r]] == 1):
                worth[r] += 0.25 * float(t.length[r])
            r += 1
