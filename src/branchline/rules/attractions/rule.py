"""Cities that score for whoever touches them (NY-5)."""

from __future__ import annotations

from typing import Final

from branchline.core.board import Board
from branchline.core.machine import i64, vec
from branchline.engine.outcome import Tally
from branchline.engine.rule import ON_SCORE, Rule
from branchline.engine.state import State
from branchline.engine.table import column


class Attractions(Rule):
    """A point for every attraction that an own route touches (NY-5)."""

    def __init__(self, cite: str, board: Board, points: i64, cities: list[str]) -> None:
        super().__init__("attractions", cite, 61, ON_SCORE)
        self.points: Final = points
        self.is_attraction: Final[vec[i64]] = column([0] * len(board.cities))
        for city in cities:
            self.is_attraction[board.city_of[city]] = 1

    def score(self, s: State, tally: Tally) -> None:
        d, t = s.d, s.t
        for seat in range(tally.seats):
            touched = self.is_attraction[:]
            n: i64 = 0
            r: i64 = 0
            while r < t.routes:
                if d[t.owner + r] == seat + 1:
                    n += touched[t.a[r]] + touched[t.b[r]]
                    touched[t.a[r]] = 0
                    touched[t.b[r]] = 0
                r += 1
            tally.add(seat, self.cite, "attractions", n * self.points, n)
