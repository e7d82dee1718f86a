"""Networks of routes: who is joined to whom, and the longest trail."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.core.trail_sweep import Road, TrailSweep

MOST_STEPS: Final = 20_000
"""How many steps of walks are tried before a network is swept instead."""


def find(parent: vec[i64], x: i64) -> i64:
    """The representative of x's component, with path halving."""
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


def join(parent: vec[i64], x: i64, y: i64) -> None:
    """Make one component of those of x and y."""
    a: i64 = find(parent, x)
    b: i64 = find(parent, y)
    if a != b:
        parent[a] = b


class Trails:
    """Finds the longest trail of a network: cities may be passed often, each route once.

    A component's longest trail is all of it if at most two of its cities have an odd number of
    routes. Otherwise it starts at such a city, and cannot be longer than the component without its
    (odd - 2) / 2 shortest routes, so that the search can stop when it gets there. Walking finds
    it at once in most networks of real games; where it doesn't, the network is swept, which takes
    time in proportion to its width and gives up in the end (`exact` is False then): no network can
    keep the search busy for long.
    """

    def __init__(self, cities: i64, a: vec[i64], b: vec[i64], length: vec[i64]) -> None:
        routes = len(a)
        self.cities: i64 = cities
        self.a: vec[i64] = a
        self.b: vec[i64] = b
        self.length: vec[i64] = length
        self.degree: vec[i64] = vec[i64]([0] * cities)
        self.first: vec[i64] = vec[i64]([0] * (cities + 1))
        self.near: vec[i64] = vec[i64]([0] * (2 * routes + 1))
        self.used: vec[i64] = vec[i64]([0] * routes)
        self.parent: vec[i64] = vec[i64]([0] * cities)
        self.total: vec[i64] = vec[i64]([0] * cities)  # spaces of a component, at its root
        self.odd: vec[i64] = vec[i64]([0] * cities)  # its cities with an odd number of routes
        self.best: i64 = 0
        self.goal: i64 = 0
        self.steps: i64 = 0
        self.exact = True
        """Whether the last answer is proven; if not, there may be a longer trail."""

    def longest(self, owned: vec[i64], n: i64) -> i64:
        """The length in spaces of the longest trail over the routes `owned[:n]`."""
        self._index(owned, n)
        self.exact = True
        best: i64 = 0
        c: i64 = 0
        while c < self.cities:
            if self.total[c] > best:
                if self.odd[c] <= 2:
                    best = self.total[c]
                else:
                    best = self._search(c, owned, n, best)
            c += 1
        return best

    def _index(self, owned: vec[i64], n: i64) -> None:
        """Note which routes meet where, and the size of each component."""
        degree, first, near, parent = self.degree, self.first, self.near, self.parent
        c: i64 = 0
        while c < self.cities:
            degree[c] = 0
            parent[c] = c
            self.total[c] = 0
            self.odd[c] = 0
            c += 1
        k: i64 = 0
        while k < n:
            r: i64 = owned[k]
            degree[self.a[r]] += 1
            degree[self.b[r]] += 1
            self.used[r] = 0
            join(parent, self.a[r], self.b[r])
            k += 1
        first[0] = 0
        c = 0
        while c < self.cities:
            first[c + 1] = first[c] + degree[c]
            if degree[c] & 1:
                self.odd[find(parent, c)] += 1
            degree[c] = 0
            c += 1
        k = 0
        while k < n:
            r = owned[k]
            a: i64 = self.a[r]
            b: i64 = self.b[r]
            self.total[find(parent, a)] += self.length[r]
            near[first[a] + degree[a]] = r
            degree[a] += 1
            near[first[b] + degree[b]] = r
            degree[b] += 1
            k += 1

    def _search(self, root: i64, owned: vec[i64], n: i64, best: i64) -> i64:
        """The longest trail of a component with more than two odd cities, if it beats `best`."""
        self.best = best
        self.steps = 0
        self.goal = self.total[root] - self._shortest(root, owned, n, (self.odd[root] - 2) >> 1)
        c: i64 = 0
        while c < self.cities and self.best < self.goal:
            if self.degree[c] & 1 and find(self.parent, c) == root:
                self._walk(c, 0, self.total[root])
            c += 1
        if self.steps > MOST_STEPS and self.best < self.goal:
            sweep = TrailSweep(self._roads(root, owned, n))
            self.best = sweep.longest(self.best)
            self.exact = self.exact and sweep.exact
        return self.best

    def _roads(self, root: i64, owned: vec[i64], n: i64) -> list[Road]:
        """The routes of a component."""
        roads: list[Road] = []
        k: i64 = 0
        while k < n:
            r: i64 = owned[k]
            if find(self.parent, self.a[r]) == root:
                roads.append((self.a[r], self.b[r], self.length[r]))
            k += 1
        return roads

    def _shortest(self, root: i64, owned: vec[i64], n: i64, count: i64) -> i64:
        """What the `count` shortest routes of the component sum up to."""
        lengths: list[int] = []
        k: i64 = 0
        while k < n:
            if find(self.parent, self.a[owned[k]]) == root:
                lengths.append(self.length[owned[k]])
            k += 1
        lengths.sort()
        return sum(lengths[:count])

    def _walk(self, city: i64, so_far: i64, left: i64) -> None:
        if so_far > self.best:
            self.best = so_far
        self.steps += 1
        if so_far + left <= self.best or self.steps > MOST_STEPS:
            return
        k: i64 = self.first[city]
        end: i64 = self.first[city + 1]
        while k < end:
            r: i64 = self.near[k]
            if self.used[r] == 0:
                self.used[r] = 1
                other: i64 = self.a[r] + self.b[r] - city
                self._walk(other, so_far + self.length[r], left - self.length[r])
                self.used[r] = 0
                if self.best >= self.goal:
                    return
            k += 1
