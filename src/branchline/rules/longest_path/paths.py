"""The longest continuous path of each seat (BASE-14)."""

from __future__ import annotations

from typing import Final

from branchline.core.graph import Trails
from branchline.core.machine import i64, vec
from branchline.engine.game import Game
from branchline.engine.layout import column
from branchline.engine.state import State


class Paths:
    """The longest continuous path of each seat (BASE-14)."""

    def __init__(self, game: Game) -> None:
        t = game.layout
        self.trails: Final = Trails(t.cities, t.a, t.b, t.length)
        self.owned: Final[vec[i64]] = column([0] * t.routes)

    def longest(self, s: State, seat: i64) -> i64:
        d, t = s.d, s.t
        n: i64 = 0
        r: i64 = 0
        while r < t.routes:
            if d[t.owner + r] == seat + 1:
                self.owned[n] = r
                n += 1
            r += 1
        return self.trails.longest(self.owned, n)
