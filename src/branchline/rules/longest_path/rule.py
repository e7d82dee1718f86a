"""The bonus for the longest path (US-1, EU-1)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.engine.game import Game
from branchline.engine.outcome import Tally, Values
from branchline.engine.rule import ON_SCORE, Rule
from branchline.engine.state import State
from branchline.rules.longest_path.paths import Paths


class LongestPath(Rule):
    """Points for the longest path, to all who tie (US-1, EU-1)."""

    def __init__(self, cite: str, points: i64) -> None:
        super().__init__("longest_path", cite, 71, ON_SCORE)
        self.points: Final = points
        self.paths: Paths | None = None

    def link(self, game: Game) -> None:
        self.paths = Paths(game)

    def score(self, s: State, tally: Tally) -> None:
        assert self.paths is not None
        lengths = [int(self.paths.longest(s, seat)) for seat in range(tally.seats)]
        best = max(lengths)
        values: Values | None = None
        if tally.lines is not None:
            values = {"of_all": lengths}
        for seat in range(tally.seats):
            if lengths[seat] == best:
                tally.add(seat, self.cite, "longest_path", self.points, best, values)
