"""Cities that score for whoever touches them (NY-5)."""

from __future__ import annotations

from typing import Final

from branchline.core.board import Board
from branchline.core.machine import i64, vec
from branchline.engine.facts import Place
from branchline.engine.layout import column
from branchline.engine.outcome import Tally
from branchline.engine.position import Position
from branchline.engine.rule import ON_SCORE, ON_VALUE, Rule
from branchline.engine.state import State


class Attractions(Rule):
    """A point for every attraction that an own route touches (NY-5)."""

    def __init__(self, cite: str, board: Board, points: i64, cities: list[str]) -> None:
        super().__init__("attractions", cite, 61, ON_SCORE | ON_VALUE)
        self.points: Final = points
        self.headline = 6
        self.cities: Final = [(int(board.city_of[city]), city) for city in cities]
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

    def places(self) -> list[Place]:
        return [Place([number], id, "mark") for number, id in self.cities]

    def claim_values(self, p: Position, worth: vec[float]) -> None:
        """A city counts when it is touched for the first time."""
        t, touched, is_attraction = p.t, p.touched, self.is_attraction
        points: float = float(self.points)
        r: i64 = 0
        while r < t.routes:
            if p.open[r] == 1:
                if is_attraction[t.a[r]] == 1 and touched[t.a[r]] == 0:
                    worth[r] += points
                if is_attraction[t.b[r]] == 1 and touched[t.b[r]] == 0:
                    worth[r] += points
            r += 1
