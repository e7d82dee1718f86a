"""The longest trail of a connected network, by sweeping over it route by route.

A trail is a connected set of routes in which at most two cities have an odd number of them. The
sweep takes the routes in an order in which few cities are half done at any time. Of all choices
among the routes so far it keeps only what the rest can depend on: for each half-done city which
others it is joined to, and whether it will be odd if nothing more is left out. So its cost depends
on how many cities are half done at a time, not on the number of choices.
"""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64

MOST_STATES: Final = 100_000
"""How many partial choices are looked at before the search ends without a proof."""

Road = tuple[int, int, int]
"""A route as city, city, length."""

Key = tuple[int, ...]
"""For each half-done city twice the number of its joined part (0: no route chosen), plus 1 if it
will be odd; at the end, the number of odd cities that are done."""


class TrailSweep:
    """Finds the longest trail of a connected network.

    >>> sweep = TrailSweep([(0, 1, 2), (1, 2, 3), (1, 3, 4)])
    >>> int(sweep.longest(0)), sweep.exact
    (7, True)
    """

    def __init__(self, roads: list[Road], most_states: int = MOST_STATES) -> None:
        self.most_states: Final = most_states
        self.roads: Final = sweep_order(roads)
        self.total: Final = sum(length for _, _, length in roads)
        self.degree: Final = degrees(roads)
        self.last: Final = {city: at for at, (a, b, _) in enumerate(self.roads) for city in (a, b)}
        self.shortest: Final = shortest_from(self.roads)
        self.states: i64 = 0
        self.exact = True
        """Whether the last answer is proven; if not, there may be a longer trail."""

    def longest(self, known: i64) -> i64:
        """The length of the longest trail; one of length `known` (or none: 0) is known already.

        What leaves out little is tried first: trails that leave out more than the longest one are
        never looked at.
        """
        self.states = 0
        self.exact = True
        allowed: i64 = self._least_left_out()
        step: i64 = 1
        while allowed < self.total - known:
            left_out = self._sweep(allowed)
            if left_out >= 0:
                return self.total - left_out
            if not self.exact:
                return known
            allowed = allowed + step
            step += 1
        left_out = self._sweep(self.total - known - 1)
        return self.total - left_out if left_out >= 0 else known

    def _least_left_out(self) -> i64:
        """Every trail leaves out this much: what is left out mends two odd cities at most."""
        odd = sum(n & 1 for n in self.degree.values())
        lengths = sorted(length for _, _, length in self.roads)
        return sum(lengths[: max(0, odd - 2) // 2])

    def _sweep(self, allowed: i64) -> i64:
        """The least that a trail leaves out if that is at most `allowed`, otherwise -1."""
        cities: list[int] = []
        states: dict[Key, int] = {(0,): 0}
        odd_ahead = sum(n & 1 for n in self.degree.values())
        passed: i64 = 0
        least: i64 = allowed + 1
        for at, (a, b, length) in enumerate(self.roads):
            for city in (a, b):
                if city not in cities:
                    cities.append(city)
                    odd = self.degree[city] & 1
                    odd_ahead -= odd
                    states = {(*key[:-1], odd, key[-1]): out for key, out in states.items()}
            i, j = cities.index(a), cities.index(b)
            after: dict[Key, int] = {}
            for key, out in states.items():
                chosen = joined(key, i, j)
                if out < after.get(chosen, least):
                    after[chosen] = out
                skipped = left(key, i, j)
                odd = odd_ahead + skipped[-1] + sum(part & 1 for part in skipped[:-1])
                more = out + length
                if more + max(0, odd - 1) // 2 * self.shortest[at + 1] < after.get(skipped, least):
                    after[skipped] = more
            states = after
            passed += length
            for city in (a, b):
                if self.last[city] == at:
                    place = cities.index(city)
                    states, out = closed(states, place)
                    del cities[place]
                    if out >= 0:
                        least = min(least, out + self.total - passed)
            self.states += len(states)
            if self.states > self.most_states:
                self.exact = False
                break
        return least if least <= allowed else -1


def joined(key: Key, i: int, j: int) -> Key:
    """The key after a route between the half-done cities i and j was chosen."""
    parts = list(key)
    one, two = parts[i] >> 1, parts[j] >> 1
    if one == 0 or two == 0:
        part = one or two or max(parts[:-1]) // 2 + 1
        parts[i] = part * 2 + (parts[i] & 1)
        parts[j] = part * 2 + (parts[j] & 1)
    elif one != two:
        for k in range(len(parts) - 1):
            if parts[k] >> 1 == two:
                parts[k] = one * 2 + (parts[k] & 1)
    return renumbered(parts)


def left(key: Key, i: int, j: int) -> Key:
    """The key after a route between the half-done cities i and j was left out."""
    parts = list(key)
    parts[i] ^= 1
    parts[j] ^= 1
    return tuple(parts)


def renumbered(parts: list[int]) -> Key:
    """The same key with its parts numbered in the order in which they come."""
    number: dict[int, int] = {0: 0}
    for k in range(len(parts) - 1):
        part = parts[k] >> 1
        if part not in number:
            number[part] = len(number)
        parts[k] = number[part] * 2 + (parts[k] & 1)
    return tuple(parts)


def closed(states: dict[Key, int], place: int) -> tuple[dict[Key, int], int]:
    """The states without a city that is done now, and the least that a finished trail left out.

    The second is -1 if no trail is finished. A trail is finished when its last city is done; then
    nothing else may have been begun.
    """
    after: dict[Key, int] = {}
    finished = -1
    for key, out in states.items():
        part = key[place] >> 1
        ends = key[-1] + (key[place] & 1)
        if ends > 2:
            continue
        others = [key[k] >> 1 for k in range(len(key) - 1) if k != place]
        if part and part not in others:
            if not any(others) and (finished < 0 or out < finished):
                finished = out
            continue
        parts = [*key[:place], *key[place + 1 : -1], ends]
        shorter = renumbered(parts)
        if out < after.get(shorter, out + 1):
            after[shorter] = out
    return after, finished


def degrees(roads: list[Road]) -> dict[int, int]:
    """How many routes each city has."""
    degree: dict[int, int] = {}
    for a, b, _ in roads:
        degree[a] = degree.get(a, 0) + 1
        degree[b] = degree.get(b, 0) + 1
    return degree


def sweep_order(roads: list[Road]) -> list[Road]:
    """The routes, city by city: always the one that adds the fewest half-done cities."""
    near: dict[int, list[int]] = {city: [] for city in degrees(roads)}
    for k, (a, b, _) in enumerate(roads):
        near[a].append(k)
        near[b].append(k)
    ordered: list[Road] = []
    placed: set[int] = set()
    half_done: set[int] = set()
    open_cities = set(near)
    while open_cities:
        best, fewest = -1, len(near)
        for city in sorted(half_done or open_cities):
            new = {
                roads[k][0] + roads[k][1] - city for k in near[city] if k not in placed
            } - half_done
            if best < 0 or len(new) < fewest:
                best, fewest = city, len(new)
        for k in near[best]:
            if k not in placed:
                placed.add(k)
                ordered.append(roads[k])
                half_done.update(roads[k][:2])
        open_cities.discard(best)
        half_done &= open_cities
    return ordered


def shortest_from(roads: list[Road]) -> list[int]:
    """For each place in the order, the length of the shortest route from there on (0: none)."""
    shortest = [0] * (len(roads) + 1)
    for at in range(len(roads) - 1, -1, -1):
        length = roads[at][2]
        shortest[at] = min(length, shortest[at + 1]) if shortest[at + 1] else length
    return shortest
