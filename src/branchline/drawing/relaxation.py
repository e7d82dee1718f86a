"""Relaxation: cities move apart until every route has room for its cars.

Cities and the inner points of the curves are moved in small steps. Each step corrects a little of
what is wrong: cars of different routes too near each other, a car on a dot or a label, two cities
too near for the cars between them. Meanwhile every city is pulled to its place on the true map.
Steps are shorter than a car is wide, so routes push each other aside and do not cross.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from math import hypot, sqrt
from typing import Final

from branchline.drawing.file_format import CAR_LENGTH, CAR_WIDTH, CLEAR, DOT, LINE, Point
from branchline.drawing.geometry import (
    Bar,
    Curve,
    Ruler,
    bounds,
    boxes_overlap,
    crossings,
    flat_bar,
    heading_at,
    overlap,
    point_at,
    straight,
    weights,
)
from branchline.drawing.grid import Grid
from branchline.drawing.movable_boxes import BoxNeighbours, MovableBox
from branchline.drawing.route_spaces import Strand, need_of, stops, turn_of

NOWHERE: Final = (0.0, 0.0)
# By sample and by the city, or -1, that its move must not move.
Moves = dict[tuple[int, int], tuple[float, float]]
# The four points of a curve, how much each counts, and how far to the side.
Sample = tuple[int, int, int, int, float, float, float, float, float, float]

MOST: Final = 5.0  # no point moves further in a step
REFRESH: Final = 6  # how many steps pass between two searches for neighbours
REACH: Final = 12.0  # how much further than needed that search looks
HALF: Final = CAR_WIDTH / 2.0
LEAVING: Final = 14.0  # how far from a city's middle its routes may still cross
CITIES_APART: Final = 2.0 * DOT + LINE


class Relaxation:
    """Moves cities and bends; `cities` and `curves` are where they are now.

    `homes` are the places on the true map; cities begin `at` other places if these are given, and
    strands without a bend begin straight. Pinned cities and bends do not move. `boxes` hang on
    cities and find their own places around them.
    """

    def __init__(
        self,
        strands: Sequence[Strand],
        clearances: Sequence[float],
        homes: Sequence[Point],
        *,
        at: Sequence[Point] | None = None,
        bends: Mapping[int, tuple[Point, Point]] | None = None,
        ends: Mapping[int, tuple[float, float]] | None = None,
        pinned: Collection[int] = (),
        pinned_bends: Collection[int] = (),
    ) -> None:
        self.strands = strands
        self.clearances = clearances
        self.ends = [
            (ends or {}).get(k) or (clearances[s.a], clearances[s.b]) for k, s in enumerate(strands)
        ]
        self.homes = list(homes)
        self.count = len(homes)
        self.boxes: list[MovableBox] = []
        at = at or homes
        self.xs, self.ys = [x for x, _ in at], [y for _, y in at]
        self.free = [0.0 if k in pinned else 0.5 for k in range(self.count)]
        for k, strand in enumerate(strands):
            inner = (bends or {}).get(k) or straight(at[strand.a], at[strand.b])[1:3]
            for x, y in inner:
                self.xs.append(x)
                self.ys.append(y)
                self.free.append(0.0 if k in pinned_bends else 1.0)
        self._extra = [0.0] * len(strands)
        self._needs = [need_of(s) for s in strands]
        self._samples: list[Sample] = []
        self._owners: list[int] = []

    @property
    def cities(self) -> list[Point]:
        return list(zip(self.xs[: self.count], self.ys[: self.count], strict=True))

    def curve(self, k: int) -> Curve:
        a, b, c, d = ((self.xs[i], self.ys[i]) for i in self._points(k))
        return a, b, c, d

    def is_pinned(self, k: int) -> bool:
        """Whether the curve of a strand does not bend."""
        return not self.free[self._points(k)[1]]

    def bend(self, k: int, curve: Curve, ends: tuple[float, float]) -> None:
        """Gives a strand the inner points of a curve."""
        for point, (x, y) in zip(self._points(k)[1:3], curve[1:3], strict=True):
            self.xs[point], self.ys[point] = x, y
        self.ends[k] = ends

    def run(self, steps: int, home: float, zoom: tuple[float, float] = (1.0, 1.0)) -> None:
        """Takes that many steps; `home` is how strongly cities are pulled to the true map.

        The true map is zoomed from the first to the second value meanwhile.
        """
        for step in range(steps):
            if step % REFRESH == 0:
                self._look_around()
            part = step / max(1, steps - 1)
            self._step(home, zoom[0] + part * (zoom[1] - zoom[0]))

    def tangles(self) -> set[tuple[int, int]]:
        """The pairs of strands that cross, other than where both leave a city."""
        lines = [Ruler(self.curve(k), 14).points for k in range(len(self.strands))]
        boxes = [bounds(line) for line in lines]
        found = set()
        for i, j in combinations(range(len(lines)), 2):
            if boxes_overlap(boxes[i], boxes[j]):
                shared = self._shared(i, j)
                for x, y in crossings(lines[i], lines[j]):
                    if shared < 0 or hypot(x - self.xs[shared], y - self.ys[shared]) > LEAVING:
                        found.add((i, j))
        return found

    def _points(self, k: int) -> tuple[int, int, int, int]:
        inner = self.count + 2 * k
        return self.strands[k].a, inner, inner + 1, self.strands[k].b

    # --- neighbours -----------------------------------------------------------------------------

    def _look_around(self) -> None:
        """Samples the cars by three discs each and lists what may come to touch."""
        self._samples, self._owners = [], []
        first: list[list[tuple[int, int, Bar]]] = [[] for _ in range(self.count)]
        for k, strand in enumerate(self.strands):
            curve = self.curve(k)
            ruler = Ruler(curve, 12)
            self._needs[k] = need_of(strand, turn_of(curve))
            short = self._needs[k] + sum(self.ends[k]) - ruler.length
            self._extra[k] = max(0.0, min(40.0, self._extra[k] + 0.3 * short))
            points = self._points(k)
            row = stops(strand.cars, ruler.length, self._needs[k], *self.ends[k])
            for n, stop in enumerate(row):
                for part in (-11.0, 0.0, 11.0):
                    t = ruler.at(stop + part)
                    hx, hy = heading_at(curve, t)
                    for lane in strand.lanes:
                        self._samples.append((*points, *weights(t), -lane * hy, lane * hx))
                        self._owners.append(k)
                for end, city in ((0, strand.a), (1, strand.b)):
                    if n == (strand.cars - 1) * end:
                        t = ruler.at(stop)
                        (x, y), (hx, hy) = point_at(curve, t), heading_at(curve, t)
                        half = CAR_LENGTH / 2.0, strand.width / 2.0
                        first[city].append((k, end, Bar(x, y, hx, hy, *half)))
        self._make_way(first)
        xs, ys = self._sampled()
        grid = Grid(xs, ys, 2 * HALF + CLEAR + REACH)
        owners = self._owners
        self._pairs = [
            (i, j, self._shared(owners[i], owners[j]))
            for i, j in grid.pairs()
            if owners[i] != owners[j]
        ]
        self._dots = [
            (i, city)
            for city in range(self.count)
            for i in grid.within((self.xs[city] - 30.0, self.ys[city] - 30.0, 60.0, 60.0))
            if city not in (self.strands[owners[i]].a, self.strands[owners[i]].b)
        ]
        cities = Grid(self.xs[: self.count], self.ys[: self.count], CITIES_APART + 2 * REACH)
        self._near_cities = list(cities.pairs())
        self._crowd = BoxNeighbours(self.boxes, cities)
        self._near_boxes = [
            (i, box, self._held(owners[i], box.cities))
            for box in self.boxes
            for i in grid.within(box.area(HALF + CLEAR + REACH))
        ]

    def _shared(self, one: int, two: int) -> int:
        """The city that two strands share, or -1."""
        return self._held(one, (self.strands[two].a, self.strands[two].b))

    def _held(self, k: int, cities: Collection[int]) -> int:
        strand = self.strands[k]
        return strand.a if strand.a in cities else strand.b if strand.b in cities else -1

    def _make_way(self, first: Sequence[Sequence[tuple[int, int, Bar]]]) -> None:
        """Rows of cars begin further from a city where their first cars are too near."""
        for city, bars in enumerate(first):
            least = self.clearances[city]
            wanted: dict[tuple[int, int], float] = {}
            things = [flat_bar(box.box) for box in self.boxes if city in box.cities]
            for (i, end, one), (j, side, two) in combinations(bars, 2):
                depth = overlap(one, two) + CLEAR
                for key in ((i, end), (j, side)):
                    wanted[key] = max(wanted.get(key, -9.0), depth)
            for k, end, one in bars:
                for thing in things:
                    wanted[k, end] = max(wanted.get((k, end), -9.0), overlap(one, thing) + CLEAR)
            for k, end, _ in bars:
                ends = list(self.ends[k])
                change = max(-1.0, min(2.0, 0.4 * wanted.get((k, end), -9.0)))
                change = 0.0 if -1.0 < change < 0.0 else change
                ends[end] = max(least, min(least + 34.0, ends[end] + change))
                self.ends[k] = ends[0], ends[1]

    def _sampled(self) -> tuple[list[float], list[float]]:
        px, py = self.xs, self.ys
        xs, ys = [], []
        for a, b, c, d, u, v, w, z, ox, oy in self._samples:
            xs.append(u * px[a] + v * px[b] + w * px[c] + z * px[d] + ox)
            ys.append(u * py[a] + v * py[b] + w * py[c] + z * py[d] + oy)
        return xs, ys

    # --- one step -------------------------------------------------------------------------------

    def _step(self, home: float, zoom: float) -> None:
        xs, ys = self._sampled()
        moves: Moves = {}
        self._part_cars(xs, ys, moves)
        self._part_cars_from_cities(xs, ys, moves)
        total = len(self.xs)
        dx, dy, heft = [0.0] * total, [0.0] * total, [0.0] * total
        for (i, held), (mx, my) in moves.items():
            a, b, c, d, u, v, w, z, _, _ = self._samples[i]
            if held == a:
                u = 0.0
            elif held == d:
                z = 0.0
            size = max(0.16, u * u + v * v + w * w + z * z)
            for point, weight in ((a, u), (b, v), (c, w), (d, z)):
                part = weight / size
                dx[point] += part * mx
                dy[point] += part * my
                heft[point] += weight
        for point in range(total):
            if heft[point] > 1.0:
                dx[point] /= heft[point]
                dy[point] /= heft[point]
        self._part_cities(dx, dy)
        self._crowd.part(self.xs, self.ys, dx, dy)
        self._stretch(dx, dy)
        for k, (hx, hy) in enumerate(self.homes):
            dx[k] += home * (hx * zoom - self.xs[k])
            dy[k] += home * (hy * zoom - self.ys[k])
        self._move(dx, dy)

    def _part_cars(self, xs: list[float], ys: list[float], moves: Moves) -> None:
        least = 2 * HALF + CLEAR + 1.0
        for i, j, held in self._pairs:
            x, y = xs[j] - xs[i], ys[j] - ys[i]
            if -least < x < least and -least < y < least:
                far = hypot(x, y)
                if far < least:
                    push = 0.5 * (least - far) / (far or 1.0)
                    x, y = push * x, push * y
                    ix, iy = moves.get((i, held), NOWHERE)
                    jx, jy = moves.get((j, held), NOWHERE)
                    moves[i, held] = ix - x, iy - y
                    moves[j, held] = jx + x, jy + y

    def _part_cars_from_cities(self, xs: list[float], ys: list[float], moves: Moves) -> None:
        least = DOT + HALF + CLEAR + 1.0
        for i, city in self._dots:
            x, y = xs[i] - self.xs[city], ys[i] - self.ys[city]
            far = hypot(x, y)
            if far < least:
                push = (least - far) / (far or 1.0)
                mx, my = moves.get((i, -1), NOWHERE)
                moves[i, -1] = mx + push * x, my + push * y
        for i, box, held in self._near_boxes:
            nx, ny = box.push(xs[i], ys[i], HALF + CLEAR)
            if nx or ny:
                mx, my = moves.get((i, held), NOWHERE)
                moves[i, held] = mx + nx, my + ny

    def _part_cities(self, dx: list[float], dy: list[float]) -> None:
        for i, j in self._near_cities:
            x, y = self.xs[i] - self.xs[j], self.ys[i] - self.ys[j]
            far = hypot(x, y)
            if far < CITIES_APART:
                push = 0.5 * (CITIES_APART - far) / (far or 1.0)
                dx[i] += push * x
                dy[i] += push * y
                dx[j] -= push * x
                dy[j] -= push * y

    def _stretch(self, dx: list[float], dy: list[float]) -> None:
        """Ends of a strand move apart for its cars; what still lacks becomes a bend."""
        for k, strand in enumerate(self.strands):
            a, b, c, d = self._points(k)
            x, y = self.xs[d] - self.xs[a], self.ys[d] - self.ys[a]
            far = hypot(x, y) or 1.0
            x, y = x / far, y / far
            need = self._needs[k] + sum(self.ends[k])
            short = need - far
            pull = 0.06 * short if short > 0.0 else 0.005 * min(0.0, short + 0.1 * need)
            dx[a] -= pull * x
            dy[a] -= pull * y
            dx[d] += pull * x
            dy[d] += pull * y
            third = far / 3.0
            mean = -y * (self.xs[b] + self.xs[c] - self.xs[a] - self.xs[d]) / 2.0
            mean += x * (self.ys[b] + self.ys[c] - self.ys[a] - self.ys[d]) / 2.0
            side = strand.side or (1.0 if mean > 0.0 else -1.0)
            lack = max(0.0, short + self._extra[k])
            rise = side * min(0.8 * far, far * sqrt(0.375 * lack / far) / 0.75)
            for point, start, sign in ((b, a, 1.0), (c, d, -1.0)):
                tx = self.xs[start] + sign * third * x - rise * y
                ty = self.ys[start] + sign * third * y + rise * x
                dx[point] += 0.15 * (tx - self.xs[point])
                dy[point] += 0.15 * (ty - self.ys[point])

    def _move(self, dx: list[float], dy: list[float]) -> None:
        shifts = []
        for k, free in enumerate(self.free):
            x, y = free * dx[k], free * dy[k]
            size = hypot(x, y)
            if size > MOST:
                x, y = x * MOST / size, y * MOST / size
            shifts.append((x, y))
            self.xs[k] += x
            self.ys[k] += y
        for box in self.boxes:
            box.settle(self.xs, self.ys)
        # The inner points of a curve go along with its ends.
        for k, strand in enumerate(self.strands):
            (ax, ay), (bx, by) = shifts[strand.a], shifts[strand.b]
            _, b, c, _ = self._points(k)
            if self.free[b]:
                self.xs[b] += (2 * ax + bx) / 3
                self.ys[b] += (2 * ay + by) / 3
                self.xs[c] += (ax + 2 * bx) / 3
                self.ys[c] += (ay + 2 * by) / 3
