"""The arrangement: cities give way until every route has room for its cars.

Cities and the inner points of the curves are moved in small steps. Each step settles, a little, what
is wrong: cars of different routes too near each other, a car on a dot or a label, two cities too
near for the cars between them. What is not wrong draws everything back to where it lies on the true
map. Steps are shorter than a car is wide, so routes push each other aside and do not cross.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import hypot, sqrt
from typing import Final

from branchline.drawing.format import CAR_WIDTH, CLEAR, DOT, LINE, Box, Point
from branchline.drawing.shapes import Curve, Ruler, heading_at, straight, weights
from branchline.drawing.spaces import Strand, need_of, stops

MOST: Final = 5.0  # no point moves further in a step
REFRESH: Final = 6  # so many steps go by between two searches for what is near what
REACH: Final = 12.0  # how much further than needed that search looks
HALF: Final = CAR_WIDTH / 2.0
CITIES_APART: Final = 2.0 * DOT + LINE


class Relaxation:
    """Moves cities and bends; `cities` and `curves` tell where they are.

    `homes` are the places on the true map; cities begin `at` other places if these are given, and
    strands without a bend begin straight. Pinned cities and bends do not move. A box hangs on its
    city, `boxes` giving where it lies from there.
    """

    def __init__(
        self,
        strands: Sequence[Strand],
        hubs: Sequence[float],
        homes: Sequence[Point],
        *,
        at: Sequence[Point] | None = None,
        bends: Mapping[int, tuple[Point, Point]] | None = None,
        pinned: Collection[int] = (),
        pinned_bends: Collection[int] = (),
    ) -> None:
        self.strands = strands
        self.hubs = hubs
        self.homes = list(homes)
        self.count = len(homes)
        self.boxes: list[tuple[int, Box]] = []
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

    @property
    def cities(self) -> list[Point]:
        return list(zip(self.xs[: self.count], self.ys[: self.count], strict=True))

    def curve(self, k: int) -> Curve:
        a, b, c, d = ((self.xs[i], self.ys[i]) for i in self._points(k))
        return a, b, c, d

    def run(self, steps: int, home: float, zoom: tuple[float, float] = (1.0, 1.0)) -> None:
        """Takes so many steps; `home` is how strongly the true map draws.

        The true map is zoomed from the first to the second value meanwhile.
        """
        for step in range(steps):
            if step % REFRESH == 0:
                self._look_around()
            part = step / max(1, steps - 1)
            self._step(home, zoom[0] + part * (zoom[1] - zoom[0]))

    def _points(self, k: int) -> tuple[int, int, int, int]:
        inner = self.count + 2 * k
        return self.strands[k].a, inner, inner + 1, self.strands[k].b

    # --- what is near what ----------------------------------------------------------------------

    def _look_around(self) -> None:
        """Samples the cars by three discs each and lists the pairs that may come to touch."""
        samples: list[tuple[int, int, int, int, float, float, float, float, float, float]] = []
        owners: list[int] = []
        for k, strand in enumerate(self.strands):
            curve = self.curve(k)
            ruler = Ruler(curve, 12)
            near, far = self.hubs[strand.a], self.hubs[strand.b]
            short = need_of(strand.cars) + near + far - ruler.length
            self._extra[k] = max(0.0, min(40.0, self._extra[k] + 0.3 * short))
            a, b, c, d = self._points(k)
            for stop in stops(strand.cars, ruler.length, near, far):
                for part in (-10.0, 0.0, 10.0):
                    t = ruler.at(stop + part)
                    hx, hy = heading_at(curve, t)
                    w = weights(t)
                    for lane in strand.lanes:
                        samples.append((a, b, c, d, *w, -lane * hy, lane * hx))
                        owners.append(k)
        self._samples, self._owners = samples, owners
        xs, ys = self._sampled()
        self._pairs = _near_pairs(xs, ys, owners, 2 * HALF + CLEAR + REACH)
        self._dots = [
            (i, city)
            for city in range(self.count)
            for i, k in enumerate(owners)
            if city not in (self.strands[k].a, self.strands[k].b)
            and abs(xs[i] - self.xs[city]) < 40.0
            and abs(ys[i] - self.ys[city]) < 40.0
        ]
        self._near_boxes = [
            (i, city, box)
            for city, box in self.boxes
            for i in range(len(owners))
            if -30.0 < xs[i] - self.xs[city] - box[0] < box[2] + 30.0
            and -30.0 < ys[i] - self.ys[city] - box[1] < box[3] + 30.0
        ]

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
        moves: dict[int, tuple[float, float]] = {}
        self._part_cars(xs, ys, moves)
        self._part_cars_from_cities(xs, ys, moves)
        total = len(self.xs)
        dx, dy, heft = [0.0] * total, [0.0] * total, [0.0] * total
        for i, (mx, my) in moves.items():
            a, b, c, d, u, v, w, z, _, _ = self._samples[i]
            size = u * u + v * v + w * w + z * z
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
        self._part_boxes(dx, dy)
        self._stretch(dx, dy)
        for k, (hx, hy) in enumerate(self.homes):
            dx[k] += home * (hx * zoom - self.xs[k])
            dy[k] += home * (hy * zoom - self.ys[k])
        self._move(dx, dy)

    def _part_cars(
        self, xs: list[float], ys: list[float], moves: dict[int, tuple[float, float]]
    ) -> None:
        least = 2 * HALF + CLEAR + 1.0
        for i, j in self._pairs:
            x, y = xs[j] - xs[i], ys[j] - ys[i]
            if -least < x < least and -least < y < least:
                far = hypot(x, y)
                if far < least:
                    push = 0.5 * (least - far) / (far or 1.0)
                    x, y = push * x, push * y
                    ix, iy = moves.get(i, (0.0, 0.0))
                    jx, jy = moves.get(j, (0.0, 0.0))
                    moves[i] = ix - x, iy - y
                    moves[j] = jx + x, jy + y

    def _part_cars_from_cities(
        self, xs: list[float], ys: list[float], moves: dict[int, tuple[float, float]]
    ) -> None:
        least = DOT + HALF + CLEAR + 1.0
        for i, city in self._dots:
            x, y = xs[i] - self.xs[city], ys[i] - self.ys[city]
            far = hypot(x, y)
            if far < least:
                push = (least - far) / (far or 1.0)
                mx, my = moves.get(i, (0.0, 0.0))
                moves[i] = mx + push * x, my + push * y
        for i, city, (left, top, wide, high) in self._near_boxes:
            x, y = xs[i] - self.xs[city] - left, ys[i] - self.ys[city] - top
            nx, ny = _out_of(x, y, wide, high, HALF + CLEAR)
            if nx or ny:
                mx, my = moves.get(i, (0.0, 0.0))
                moves[i] = mx + 0.6 * nx, my + 0.6 * ny

    def _part_cities(self, dx: list[float], dy: list[float]) -> None:
        for i in range(self.count):
            for j in range(i):
                x, y = self.xs[i] - self.xs[j], self.ys[i] - self.ys[j]
                if abs(x) < CITIES_APART and abs(y) < CITIES_APART:
                    far = hypot(x, y)
                    if far < CITIES_APART:
                        push = 0.5 * (CITIES_APART - far) / (far or 1.0)
                        dx[i] += push * x
                        dy[i] += push * y
                        dx[j] -= push * x
                        dy[j] -= push * y

    def _part_boxes(self, dx: list[float], dy: list[float]) -> None:
        """Labels and the like, from each other and from the dots of other cities."""
        placed = [(c, b[0] + self.xs[c], b[1] + self.ys[c], b[2], b[3]) for c, b in self.boxes]
        for n, (i, left, top, wide, high) in enumerate(placed):
            for j, left2, top2, wide2, high2 in placed[:n]:
                if i == j:
                    continue
                x = min(left + wide, left2 + wide2) - max(left, left2) + CLEAR
                y = min(top + high, top2 + high2) - max(top, top2) + CLEAR
                if x > 0 and y > 0:
                    if x < y:
                        push = 0.4 * (x if left + wide / 2 > left2 + wide2 / 2 else -x)
                        dx[i] += push
                        dx[j] -= push
                    else:
                        push = 0.4 * (y if top + high / 2 > top2 + high2 / 2 else -y)
                        dy[i] += push
                        dy[j] -= push
            for j in range(self.count):
                if i != j:
                    x, y = self.xs[j] - left, self.ys[j] - top
                    nx, ny = _out_of(x, y, wide, high, DOT + CLEAR)
                    dx[j] += 0.4 * nx
                    dy[j] += 0.4 * ny
                    dx[i] -= 0.4 * nx
                    dy[i] -= 0.4 * ny

    def _stretch(self, dx: list[float], dy: list[float]) -> None:
        """Ends of a strand move apart for its cars; what still lacks becomes a bend."""
        for k, strand in enumerate(self.strands):
            a, b, c, d = self._points(k)
            x, y = self.xs[d] - self.xs[a], self.ys[d] - self.ys[a]
            far = hypot(x, y) or 1.0
            x, y = x / far, y / far
            need = need_of(strand.cars) + self.hubs[strand.a] + self.hubs[strand.b]
            short = need - far
            pull = 0.06 * short if short > 0.0 else 0.02 * min(0.0, short + 0.08 * need)
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
        # The inner points of a curve go along with its ends.
        for k, strand in enumerate(self.strands):
            (ax, ay), (bx, by) = shifts[strand.a], shifts[strand.b]
            _, b, c, _ = self._points(k)
            if self.free[b]:
                self.xs[b] += (2 * ax + bx) / 3
                self.ys[b] += (2 * ay + by) / 3
                self.xs[c] += (ax + 2 * bx) / 3
                self.ys[c] += (ay + 2 * by) / 3


def _out_of(x: float, y: float, wide: float, high: float, clear: float) -> Point:
    """The way that takes a disc at a place out of the box from (0, 0) to (wide, high)."""
    if not (-clear < x < wide + clear and -clear < y < high + clear):
        return 0.0, 0.0
    nx, ny = x - min(max(x, 0.0), wide), y - min(max(y, 0.0), high)
    far = hypot(nx, ny)
    if far > 1e-9:
        push = max(0.0, clear - far) / far
        return push * nx, push * ny
    ways = [(-x - clear, 0.0), (wide - x + clear, 0.0), (0.0, -y - clear), (0.0, high - y + clear)]
    return min(ways, key=lambda way: abs(way[0]) + abs(way[1]))


def _near_pairs(
    xs: Sequence[float], ys: Sequence[float], owners: Sequence[int], reach: float
) -> list[tuple[int, int]]:
    """The pairs of samples of different strands that are nearer than `reach`."""
    cells: dict[tuple[int, int], list[int]] = {}
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        cells.setdefault((int(x // reach), int(y // reach)), []).append(i)
    pairs = []
    for (cx, cy), inside in cells.items():
        beside = [
            cells.get((cx + 1, cy), []),
            cells.get((cx - 1, cy + 1), []),
            cells.get((cx, cy + 1), []),
            cells.get((cx + 1, cy + 1), []),
        ]
        for n, i in enumerate(inside):
            x, y, owner = xs[i], ys[i], owners[i]
            for others in (inside[:n], *beside):
                for j in others:
                    if owners[j] != owner and abs(xs[j] - x) < reach and abs(ys[j] - y) < reach:
                        pairs.append((i, j))
    return pairs
