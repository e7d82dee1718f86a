"""The cheapest ways between a few cities, and forests that are made of them.

All ways are found once; then a forest for any set of the tickets between these cities takes no
search. It is the shortest tree over the ways, less the ways that no ticket needs: seldom far from
the cheapest forest, in a hundredth of the time.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.steiner import FAR, Forest, take_over
from branchline.core.graph import find
from branchline.core.machine import i64, vec
from branchline.engine.layout import column

MOST_CITIES: Final = 32


class Ways:
    """Ways between groups of cities that the seat's own routes join. The prices must be set."""

    def __init__(self, forest: Forest) -> None:
        n = int(forest.cities)
        self.forest: Final = forest
        self.count: i64 = 0
        self.group: Final[vec[i64]] = column([0] * MOST_CITIES)
        self.cost: Final[vec[i64]] = column([0] * (MOST_CITIES * MOST_CITIES))
        # From each group to all others, if that was found for these costs of the routes.
        self.far: Final[vec[i64]] = column([0] * (n * n))
        self.back: Final[vec[i64]] = column([0] * (n * n))
        self.found: Final[vec[i64]] = column([0] * n)
        self.route_cost: Final[vec[i64]] = column([-1] * forest.t.routes)
        # Of a tree: which places it joins, to which other each was joined, and what is needed.
        self.wanted: Final[vec[i64]] = column([0] * MOST_CITIES)
        self.outside: Final[vec[i64]] = column([0] * MOST_CITIES)  # wanted, and not joined yet
        self.near: Final[vec[i64]] = column([0] * MOST_CITIES)
        self.joined_to: Final[vec[i64]] = column([0] * MOST_CITIES)
        self.depth: Final[vec[i64]] = column([0] * MOST_CITIES)
        self.needed: Final[vec[i64]] = column([0] * MOST_CITIES)
        # The routes of the ways that are needed.
        self.routes: Final[vec[i64]] = column([0] * forest.t.routes)
        self.route_count: i64 = 0

    def clear(self) -> None:
        self.count = 0

    def place(self, city: i64) -> i64:
        """The number of a city's group here, added if it is new; −1 if there is no room."""
        group: i64 = find(self.forest.parent, city)
        k: i64 = 0
        while k < self.count:
            if self.group[k] == group:
                return k
            k += 1
        if k == MOST_CITIES:
            return -1
        self.group[k] = group
        self.count += 1
        return k

    def measure(self) -> None:
        """Find the ways between all places."""
        n: i64 = self.forest.cities
        k: i64 = 0
        self.forest.link()
        if take_over(self.forest.cost, self.route_cost):
            while k < n:
                self.found[k] = 0
                k += 1
        k = 0
        while k < self.count:
            row: i64 = self.group[k] * n
            if self.found[self.group[k]] == 0:
                self.search(self.group[k])
            j: i64 = 0
            while j < self.count:
                self.cost[k * MOST_CITIES + j] = self.far[row + self.group[j]]
                j += 1
            k += 1

    def search(self, group: i64) -> None:
        """Find the ways from a group to all others."""
        forest = self.forest
        n: i64 = forest.cities
        row: i64 = group * n
        forest.clear_terminals()
        forest.terminal(group)
        forest.solve()
        v: i64 = 0
        while v < n:
            self.far[row + v] = forest.best[n + v]
            self.back[row + v] = forest.back[n + v]
            v += 1
        self.found[group] = 1

    def apart(self, a: i64, b: i64) -> bool:
        """Whether there is no way between two places."""
        return self.cost[a * MOST_CITIES + b] >= FAR

    def clear_wanted(self) -> None:
        """Begin with another forest."""
        k: i64 = 0
        while k < self.count:
            self.wanted[k] = 0
            self.needed[k] = 0
            k += 1

    def want(self, a: i64, b: i64) -> None:
        """The tree shall join these two places, which must not be apart."""
        self.wanted[a] = 1
        self.wanted[b] = 1

    def grow(self) -> None:
        """Join the wanted places one after the other, each by the cheapest way to the tree.

        What can't be reached begins a tree of its own.
        """
        cost, outside, near, joined_to = self.cost, self.outside, self.near, self.joined_to
        n: i64 = 0
        k: i64 = 0
        while k < self.count:
            if self.wanted[k] == 1:
                near[k] = FAR
                joined_to[k] = -1
                outside[n] = k
                n += 1
            k += 1
        best: i64 = 0  # the place among those outside that is nearest to the tree
        while n > 0:
            k = outside[best]
            to: i64 = joined_to[k]
            self.depth[k] = self.depth[to] + 1 if to >= 0 else 0
            # It leaves the others in their order, and may be nearer to them than the tree was.
            n -= 1
            row: i64 = k * MOST_CITIES
            least: i64 = FAR + 1
            left: i64 = best
            j: i64 = 0
            while j < n:
                if j >= left:
                    outside[j] = outside[j + 1]
                other: i64 = outside[j]
                if cost[row + other] < near[other]:
                    near[other] = cost[row + other]
                    joined_to[other] = k
                if near[other] < least:
                    least = near[other]
                    best = j
                j += 1

    def need(self, a: i64, b: i64) -> None:
        """A ticket needs what joins two places of the tree."""
        while a != b:
            if self.depth[a] < self.depth[b]:
                a, b = b, a
            self.needed[a] = 1
            if self.joined_to[a] < 0:
                return
            a = self.joined_to[a]

    def mark(self, chosen: vec[i64]) -> None:
        """Mark the routes of all ways that are needed, and gather them in `routes`."""
        self.route_count = 0
        k: i64 = 0
        while k < self.count:
            if self.needed[k] == 1 and self.joined_to[k] >= 0:
                self.trace(self.group[self.joined_to[k]], self.group[k], chosen)
            k += 1

    def trace(self, source: i64, v: i64, chosen: vec[i64]) -> None:
        """Mark the routes of the way from a group to another."""
        forest = self.forest
        row: i64 = source * forest.cities
        while True:
            step: i64 = self.back[row + v]
            if step < 0:
                return
            r: i64 = forest.near[step]
            if chosen[r] == 0:
                chosen[r] = 1
                self.routes[self.route_count] = r
                self.route_count += 1
            v = forest.other_end(step, v)
