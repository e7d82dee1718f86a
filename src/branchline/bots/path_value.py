"""What a route adds to the longest path, as far as the ends of the seat's own routes show it."""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.core.machine import i64, vec
from branchline.engine.layout import column


class PathValue:
    """A path can go on only where it ends: at a city with an odd number of the seat's routes."""

    def __init__(self, observation: Observation) -> None:
        self.observation: Final = observation
        self.degree: Final[vec[i64]] = column([0] * observation.t.cities)

    def count(self) -> None:
        """Count the seat's routes at each city."""
        o = self.observation
        t = o.t
        city: i64 = 0
        while city < t.cities:
            self.degree[city] = 0
            city += 1
        me: i64 = o.seat + 1
        r: i64 = 0
        while r < t.routes:
            if o.owner[r] == me:
                self.degree[t.a[r]] += 1
                self.degree[t.b[r]] += 1
            r += 1

    def gain(self, r: i64) -> float:
        """How many spaces a route probably adds to the longest path."""
        t = self.observation.t
        ends: i64 = (self.degree[t.a[r]] & 1) + (self.degree[t.b[r]] & 1)
        if ends == 0:
            return 0.0
        if ends == 2:
            return 1.5 * float(t.length[r])  # it joins two paths
        return float(t.length[r])
