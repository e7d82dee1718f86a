"""The cheapest routes that join given groups of cities: exact Steiner trees and forests.

Dreyfus and Wagner's method: the best tree for a set of terminals that ends in a city is either two
smaller trees that meet there, or a smaller one with a path to it. Cities that the player has joined
already count as one. A forest for several tickets is the best way to split them into trees.
"""

from __future__ import annotations

from typing import Final

from branchline.core.graph import find, join
from branchline.core.machine import i64, vec
from branchline.engine.layout import Layout, column

FAR: Final = 1 << 40  # what can't be reached
MOST_TERMINALS: Final = 9


class Forest:
    """Finds trees on a board; the costs of the routes are set before each search."""

    def __init__(self, table: Layout) -> None:
        n = int(table.cities)
        m = int(table.routes)
        masks = 1 << MOST_TERMINALS
        self.t: Final = table
        self.cities: Final[i64] = n
        self.cost: Final[vec[i64]] = column([-1] * m)
        self.linked: bool = False  # whether the steps are those of these costs
        self.parent: Final[vec[i64]] = column([0] * n)
        # Steps from group to group: those of a group begin at `first`, each with its route, where
        # it leads and what it costs. `steps` has the two of each route.
        self.first: Final[vec[i64]] = column([0] * (n + 1))
        self.near: Final[vec[i64]] = column([0] * (2 * m))
        self.away: Final[vec[i64]] = column([0] * (2 * m))
        self.price: Final[vec[i64]] = column([0] * (2 * m))
        self.steps: Final[vec[i64]] = column([0] * (2 * m))
        self.useful: Final[vec[i64]] = column([0] * m)  # the routes that have steps
        self.best: Final[vec[i64]] = column([0] * (masks * n))
        self.back: Final[vec[i64]] = column([0] * (masks * n))
        self.tree: Final[vec[i64]] = column([0] * masks)
        self.root: Final[vec[i64]] = column([0] * masks)
        self.queue: Final[vec[i64]] = column([0] * n)
        self.waiting: Final[vec[i64]] = column([0] * n)
        self.terminals: Final[vec[i64]] = column([0] * MOST_TERMINALS)
        self.count: i64 = 0

    def prepare(self, cost: vec[i64]) -> None:
        """Set the cost of each route: 0 for own ones, FAR for those that can't be had."""
        if not take_over(cost, self.cost):
            return
        self.linked = False
        parent, city_a, city_b = self.parent, self.t.a, self.t.b
        routes: i64 = self.t.routes
        c: i64 = 0
        while c < self.cities:
            parent[c] = c
            c += 1
        r: i64 = 0
        while r < routes:
            if cost[r] == 0:
                join(parent, city_a[r], city_b[r])
            r += 1
        c = 0
        while c < self.cities:
            parent[c] = find(parent, c)
            c += 1

    def link(self) -> None:
        """Find the steps from group to group, if that was not done for these costs."""
        if self.linked:
            return
        self.linked = True
        parent, first, near, away = self.parent, self.first, self.near, self.away
        city_a, city_b, price, steps = self.t.a, self.t.b, self.price, self.steps
        cost = self.cost
        c: i64 = 0
        while c <= self.cities:
            first[c] = 0
            c += 1
        n: i64 = self.find_useful()
        j: i64 = 0
        while j < n:
            first[parent[city_a[self.useful[j]]]] += 1
            first[parent[city_b[self.useful[j]]]] += 1
            j += 1
        total: i64 = 0
        c = 0
        while c <= self.cities:
            total += first[c]
            first[c] = total
            c += 1
        j = 0
        while j < n:
            r: i64 = self.useful[j]
            a: i64 = parent[city_a[r]]
            b: i64 = parent[city_b[r]]
            k: i64 = first[a] - 1
            first[a] = k
            near[k] = r
            away[k] = b
            price[k] = cost[r]
            steps[2 * r] = k
            k = first[b] - 1
            first[b] = k
            near[k] = r
            away[k] = a
            price[k] = cost[r]
            steps[2 * r + 1] = k
            j += 1

    def find_useful(self) -> i64:
        """List the routes that can be had and lead somewhere; returns how many they are.

        Of twins, the second comes first in the steps: the first is of use only if it is cheaper.
        """
        parent, useful, cost = self.parent, self.useful, self.cost
        city_a, city_b, twin = self.t.a, self.t.b, self.t.twin
        routes: i64 = self.t.routes
        n: i64 = 0
        r: i64 = 0
        while r < routes:
            apart = parent[city_a[r]] != parent[city_b[r]]
            if 0 < cost[r] < FAR and apart and (twin[r] < r or cost[r] < cost[twin[r]]):
                useful[n] = r
                n += 1
            r += 1
        return n

    def set_price(self, r: i64, cost: i64) -> None:
        """Let a route that can be had cost something else from now on."""
        self.price[self.steps[2 * r]] = cost
        self.price[self.steps[2 * r + 1]] = cost

    def joined(self, a: i64, b: i64) -> bool:
        """Whether own routes join two cities."""
        return find(self.parent, a) == find(self.parent, b)

    def clear_terminals(self) -> None:
        self.count = 0

    def terminal(self, city: i64) -> i64:
        """The bit of a city's group among the terminals, added if it is new; 0 if they are full."""
        group: i64 = find(self.parent, city)
        k: i64 = 0
        while k < self.count:
            if self.terminals[k] == group:
                return 1 << k
            k += 1
        if self.count == MOST_TERMINALS:
            return 0
        self.terminals[self.count] = group
        self.count += 1
        return 1 << k

    def solve(self) -> None:
        """Find the best tree for every set of the terminals."""
        self.link()
        best, back = self.best, self.back
        n: i64 = self.cities
        last: i64 = (1 << self.count) - 1
        terminal: i64 = 0
        mask: i64 = 1
        while mask <= last:
            at: i64 = mask * n
            v: i64 = 0
            while v < n:
                best[at + v] = FAR
                back[at + v] = -1
                v += 1
            if mask & (mask - 1) == 0:
                self.tree[mask] = 0
                self.root[mask] = self.terminals[terminal]
                best[at + self.terminals[terminal]] = 0
                terminal += 1
                self.spread(at)
            else:
                self.meet(mask)
                if mask < last:  # the last tree is no part of another
                    self.spread(at)
            mask += 1

    def meet(self, mask: i64) -> None:
        """Let two smaller trees meet in each city, and find the best tree of the set.

        That is one in which two trees meet: a path that leads on only makes it dearer.
        """
        best, back = self.best, self.back
        n: i64 = self.cities
        at: i64 = mask * n
        # Of the two parts, name the one with the lowest terminal only.
        low: i64 = mask & -mask
        part: i64 = (mask - 1) & mask
        v: i64 = 0
        while part > 0:
            if part & low:
                one: i64 = part * n
                two: i64 = (mask ^ part) * n
                v = 0
                while v < n:
                    sum_: i64 = best[one + v] + best[two + v]
                    if sum_ < best[at + v]:
                        best[at + v] = sum_
                        back[at + v] = -1 - part
                    v += 1
            part = (part - 1) & mask
        least: i64 = FAR
        root: i64 = 0
        v = 0
        while v < n:
            if best[at + v] < least:
                least = best[at + v]
                root = v
            v += 1
        self.tree[mask] = least
        self.root[mask] = root

    def spread(self, at: i64) -> None:
        """Let the costs at `best[at:]` reach other cities by the cheapest path."""
        best, back, queue, waiting = self.best, self.back, self.queue, self.waiting
        first, away, price = self.first, self.away, self.price
        n: i64 = self.cities
        head: i64 = 0
        size: i64 = 0
        v: i64 = 0
        while v < n:
            waiting[v] = 0
            if best[at + v] < FAR:
                queue[size] = v
                waiting[v] = 1
                size += 1
            v += 1
        while size > 0:
            v = queue[head]
            head += 1
            if head == n:
                head = 0
            size -= 1
            waiting[v] = 0
            here: i64 = best[at + v]
            k: i64 = first[v]
            end: i64 = first[v + 1]
            while k < end:
                w: i64 = away[k]
                there: i64 = here + price[k]
                if there < best[at + w]:
                    best[at + w] = there
                    back[at + w] = k
                    if waiting[w] == 0:
                        waiting[w] = 1
                        tail: i64 = head + size
                        if tail >= n:
                            tail -= n
                        queue[tail] = w
                        size += 1
                k += 1

    def mark(self, mask: i64, chosen: vec[i64]) -> None:
        """Mark the routes of the best tree for a set of terminals."""
        self.trace(mask, self.root[mask], chosen)

    def trace(self, mask: i64, v: i64, chosen: vec[i64]) -> None:
        while True:
            step: i64 = self.back[mask * self.cities + v]
            if step == -1:
                return
            if step < -1:
                part: i64 = -1 - step
                self.trace(part, v, chosen)
                mask = mask ^ part
            else:
                chosen[self.near[step]] = 1
                # The neighbour list of v's predecessor held this step: its end is v.
                v = self.other_end(step, v)

    def other_end(self, step: i64, v: i64) -> i64:
        """The group from which a step leads to v."""
        r: i64 = self.near[step]
        if self.away[self.steps[2 * r]] == v:
            return self.away[self.steps[2 * r + 1]]
        return self.away[self.steps[2 * r]]


def take_over(cost: vec[i64], kept: vec[i64]) -> bool:
    """Keep the costs of the routes; False if they are what they were."""
    routes: i64 = len(kept)
    r: i64 = 0
    while r < routes and kept[r] == cost[r]:
        r += 1
    if r == routes:
        return False
    while r < routes:
        kept[r] = cost[r]
        r += 1
    return True
