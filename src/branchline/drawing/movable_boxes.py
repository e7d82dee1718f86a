"""Boxes attached to cities: names, and what a rule keeps near a city."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import hypot
from typing import Final

from branchline.drawing.file_format import CLEAR, DOT, Box, Point
from branchline.drawing.geometry import boxes_overlap
from branchline.drawing.grid import Grid

NEAREST: Final = DOT + 1.5  # from the middle of the dot
FURTHEST: Final = DOT + 7.0
REACH: Final = 24.0  # how far around a box others are looked for
MOST: Final = 3.0  # no box moves further in a step


class MovableBox:
    """A box that moves with its cities, avoids others, and stays near its dot."""

    def __init__(self, cities: Sequence[int], box: Box, at: Sequence[Point], pinned: bool) -> None:
        self.cities = list(cities)
        self.left, self.top, self.wide, self.high = box
        self.pinned = pinned
        self._middle = self._anchor([x for x, _ in at], [y for _, y in at])
        self._dx = self._dy = 0.0
        self._pushes = 0

    @property
    def box(self) -> Box:
        return self.left, self.top, self.wide, self.high

    def area(self, margin: float) -> Box:
        wide, high = self.wide + 2 * margin, self.high + 2 * margin
        return self.left - margin, self.top - margin, wide, high

    def push(self, x: float, y: float, clear: float) -> Point:
        """How far a disc at a place has to move; the box takes its half of the way itself."""
        nx, ny = out_of(x - self.left, y - self.top, self.wide, self.high, clear)
        if not (nx or ny):
            return 0.0, 0.0
        if self.pinned:
            return nx, ny
        self.push_by(-0.5 * nx, -0.5 * ny)
        return 0.5 * nx, 0.5 * ny

    def push_by(self, dx: float, dy: float) -> None:
        self._dx += dx
        self._dy += dy
        self._pushes += 1

    def settle(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        """Moves with its cities and as far as it was pushed."""
        x, y = self._anchor(xs, ys)
        self.left += x - self._middle[0]
        self.top += y - self._middle[1]
        self._middle = x, y
        dx, dy = self._dx, self._dy
        if self._pushes > 2:
            dx, dy = 2.0 * dx / self._pushes, 2.0 * dy / self._pushes
        size = hypot(dx, dy)
        part = min(1.0, MOST / size) if size else 0.0
        self._dx = self._dy = 0.0
        self._pushes = 0
        if not self.pinned:
            self.left += part * dx
            self.top += part * dy
            self._stay_near(x, y)

    def _anchor(self, xs: Sequence[float], ys: Sequence[float]) -> Point:
        count = len(self.cities)
        return sum(xs[k] for k in self.cities) / count, sum(ys[k] for k in self.cities) / count

    def _stay_near(self, x: float, y: float) -> None:
        """Keeps the box near the dot without covering it."""
        nx = x - min(max(x, self.left), self.left + self.wide)
        ny = y - min(max(y, self.top), self.top + self.high)
        far = hypot(nx, ny)
        if len(self.cities) > 1:
            far = max(far, NEAREST)
        if far > FURTHEST:
            pull = 0.5 * (far - FURTHEST) / far
            self.left += pull * nx
            self.top += pull * ny
        elif far < NEAREST:
            dx, dy = out_of(x - self.left, y - self.top, self.wide, self.high, NEAREST)
            self.left -= dx
            self.top -= dy


def out_of(x: float, y: float, wide: float, high: float, clear: float) -> Point:
    """The shortest move that takes a disc at a place out of the box from (0, 0) to (wide, high).

    >>> out_of(5.0, -1.0, 10.0, 10.0, 3.0)
    (0.0, -2.0)
    """
    if not (-clear < x < wide + clear and -clear < y < high + clear):
        return 0.0, 0.0
    nx, ny = x - min(max(x, 0.0), wide), y - min(max(y, 0.0), high)
    far = hypot(nx, ny)
    if far > 1e-9:
        push = max(0.0, clear - far) / far
        return push * nx, push * ny
    ways = [(-x - clear, 0.0), (wide - x + clear, 0.0), (0.0, -y - clear), (0.0, high - y + clear)]
    return min(ways, key=lambda way: abs(way[0]) + abs(way[1]))


class BoxNeighbours:
    """The boxes that are near each other or near the dots of other cities, for a few steps."""

    def __init__(self, boxes: Sequence[MovableBox], cities: Grid) -> None:
        areas = [box.area(REACH) for box in boxes]
        self._pairs = [
            (boxes[i], boxes[j])
            for i, j in combinations(range(len(boxes)), 2)
            if boxes_overlap(areas[i], areas[j])
        ]
        self._dots = [
            (box, city)
            for box, area in zip(boxes, areas, strict=True)
            for city in cities.within(area)
            if city not in box.cities
        ]

    def part(
        self, xs: Sequence[float], ys: Sequence[float], dx: list[float], dy: list[float]
    ) -> None:
        """Pushes boxes apart that are too near; adds the moves of their cities to dx and dy."""
        for one, two in self._pairs:
            x, y = _apart(one, two)
            if x or y:
                one.push_by(x, y)
                two.push_by(-x, -y)
                if one.cities != two.cities:
                    for box, sign in ((one, 0.3), (two, -0.3)):
                        for city in box.cities:
                            dx[city] += sign * x
                            dy[city] += sign * y
        for box, city in self._dots:
            x, y = box.push(xs[city], ys[city], DOT + CLEAR)
            dx[city] += x
            dy[city] += y


def _apart(one: MovableBox, two: MovableBox) -> Point:
    """Half of the shortest way by which one box gets clear of another."""
    x = min(one.left + one.wide, two.left + two.wide) - max(one.left, two.left) + CLEAR
    y = min(one.top + one.high, two.top + two.high) - max(one.top, two.top) + CLEAR
    if x <= 0.0 or y <= 0.0:
        return 0.0, 0.0
    if x < y:
        right = 2 * one.left + one.wide > 2 * two.left + two.wide
        return (0.5 * x if right else -0.5 * x), 0.0
    lower = 2 * one.top + one.high > 2 * two.top + two.high
    return 0.0, (0.5 * y if lower else -0.5 * y)
