"""Land and sea: coasts as stored, moved along with the cities, written as paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import hypot, log
from typing import Final

import msgspec

from branchline.drawing.file_format import Box, Point
from branchline.drawing.projection import Projection

Line = list[Point]
Move = Callable[[Point], Point]

STIFF: Final = 0.02  # how much the warp prefers smooth to exact
BEYOND: Final = 640.0  # how far beyond the frame land is kept: a window may be wider than the frame
FURTHER: Final = 0.3  # by what part of its width land goes on beyond the region that was cut out
COARSE: Final = 12.0  # corners between sides longer than that are cut
FINE: Final = 0.9  # how far a written line may lie from the true one


class CoastData(msgspec.Struct, frozen=True, kw_only=True):
    """A coast file. Each line is longitude, latitude, longitude, ... in parts of a degree."""

    source: str
    scale: int  # how many parts are a degree
    box: list[int] = []  # the region that was cut out: west, south, east, north
    land: list[list[int]]  # rings; one within another is a hole
    water: list[list[int]] = []  # lakes
    parks: list[list[int]] = []
    borders: list[list[int]] = []  # lines, not rings


class Coast:
    """The land around a board, on its plane."""

    def __init__(self, data: CoastData, projection: Projection, scale: Point) -> None:
        self._projection, self._scale = projection, scale

        def placed(lines: Iterable[list[int]]) -> list[Line]:
            result = []
            for line in lines:
                pairs = zip(line[::2], line[1::2], strict=True)
                points = (_let_go_on(data, *pair) for pair in pairs)
                result.append([self.at(x / data.scale, y / data.scale) for x, y in points])
            return result

        self.land = placed(data.land)
        self.water = placed(data.water)
        self.parks = placed(data.parks)
        self.borders = placed(data.borders)

    def at(self, lon: float, lat: float) -> Point:
        """Where a place of the globe lies on the plane."""
        x, y = self._projection(lat, lon)
        return x * self._scale[0], y * self._scale[1]

    def is_water(self, point: Point) -> bool:
        """Whether a place of the true map is at sea or in a lake."""
        return not _inside(point, self.land) or _inside(point, self.water)


def _let_go_on(data: CoastData, lon: int, lat: int) -> tuple[float, float]:
    """A point; on the edge of the region that was cut out, one far beyond it instead."""
    if not data.box:
        return lon, lat
    west, south, east, north = data.box
    far = (east - west) * FURTHER
    pole = 89.0 * data.scale
    return (
        lon - far if lon <= west else lon + far if lon >= east else lon,
        max(-pole, lat - far) if lat <= south else min(pole, lat + far) if lat >= north else lat,
    )


def _inside(point: Point, rings: Iterable[Line]) -> bool:
    x, y = point
    odd = False
    for ring in rings:
        bx, by = ring[-1]
        for ax, ay in ring:
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                odd = not odd
            bx, by = ax, ay
    return odd


class Warp:
    """A smooth map of the plane that takes each place to where it was moved (thin-plate spline)."""

    def __init__(self, places: Sequence[Point], moved: Sequence[Point]) -> None:
        self._places = list(places)
        n = len(places)
        unit = max(1.0, max(max(abs(x), abs(y)) for x, y in places))
        self._unit = unit
        rows = []
        for i, (x, y) in enumerate(places):
            row = [_kernel((x - u) / unit, (y - v) / unit) for u, v in places]
            row[i] += STIFF
            rows.append([*row, 1.0, x / unit, y / unit])
        for extra in range(3):
            rows.append([rows[i][n + extra] for i in range(n)] + [0.0, 0.0, 0.0])
        for k in range(n, n + 3):
            rows[k][k] -= 1e-9  # cities in one line leave it open how the rest moves
        shifts = [(u - x, v - y) for (x, y), (u, v) in zip(places, moved, strict=True)]
        right = [*shifts, (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]
        self._factors = _solve(rows, right)

    def __call__(self, point: Point) -> Point:
        x, y = point
        unit, n = self._unit, len(self._places)
        weights = [_kernel((x - u) / unit, (y - v) / unit) for u, v in self._places]
        weights += [1.0, x / unit, y / unit]
        dx = sum(w * f[0] for w, f in zip(weights, self._factors, strict=True))
        dy = sum(w * f[1] for w, f in zip(weights, self._factors, strict=True))
        assert len(weights) == n + 3
        return x + dx, y + dy


def _kernel(x: float, y: float) -> float:
    square = x * x + y * y
    return square * log(square) if square > 1e-12 else 0.0


def _solve(rows: list[list[float]], right: list[Point]) -> list[Point]:
    """The solution of a system of linear equations, for two right sides at once."""
    n = len(rows)
    table = [[*row, *pair] for row, pair in zip(rows, right, strict=True)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(table[i][k]))
        table[k], table[pivot] = table[pivot], table[k]
        top = table[k]
        head = top[k] or 1e-12
        for i in range(k + 1, n):
            part = table[i][k] / head
            if part:
                row = table[i]
                for j in range(k, n + 2):
                    row[j] -= part * top[j]
    result: list[Point] = [(0.0, 0.0)] * n
    for k in reversed(range(n)):
        row = table[k]
        x = row[n] - sum(row[j] * result[j][0] for j in range(k + 1, n))
        y = row[n + 1] - sum(row[j] * result[j][1] for j in range(k + 1, n))
        head = row[k] or 1e-12
        result[k] = x / head, y / head
    return result


# --- paths ----------------------------------------------------------------------------------------


def mover(places: Sequence[Point], moved: Sequence[Point], shift: Point) -> Move:
    """The warp that takes each place to where it was moved, and all of it by the shift.

    Outside the places the warp would run wild: there everything moves as the nearest edge does.
    """
    warp = Warp(places, moved)
    xs, ys = [x for x, _ in places], [y for _, y in places]
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)

    def move(point: Point) -> Point:
        x, y = point
        u, v = min(max(x, left), right), min(max(y, top), bottom)
        wx, wy = warp((u, v))
        return x + wx - u + shift[0], y + wy - v + shift[1]

    return move


def ring_path(rings: Iterable[Line], move: Move, frame: Box) -> str:
    """All rings in one path, moved, softened, and cut to the frame with a margin."""
    paths = []
    for ring in rings:
        points = _cut(softened(softened([move(point) for point in ring])), frame)
        if len(points) > 2:
            half = len(points) // 2
            thin = thinned(points[: half + 1], FINE)[:-1]
            thin += thinned([*points[half:], points[0]], FINE)[:-1]
            if len(thin) > 2:
                paths.append(path_through(thin) + "z")
    return "".join(paths)


def softened(ring: Line) -> Line:
    """The ring with its corners cut where it is drawn coarsely.

    >>> softened([(0.0, 0.0), (80.0, 0.0), (80.0, 5.0), (0.0, 5.0)])
    [(0.0, 0.0), (80.0, 0.0), (80.0, 5.0), (0.0, 5.0)]
    >>> softened([(0.0, 0.0), (40.0, 0.0), (40.0, 40.0)])[2:4]
    [(30.0, 0.0), (40.0, 10.0)]
    """
    result: Line = []
    for k, (x, y) in enumerate(ring):
        near = [ring[k - 1], ring[(k + 1) % len(ring)]]
        sides = [hypot(u - x, v - y) for u, v in near]
        if min(sides) < COARSE:
            result.append((x, y))
            continue
        for (u, v), side in zip(near, sides, strict=True):
            part = min(0.25, COARSE / side)
            result.append((x + part * (u - x), y + part * (v - y)))
    return result


def line_path(lines: Iterable[Line], move: Move, frame: Box) -> str:
    """All lines in one path, without the pieces that lie far outside the frame."""
    left, top = frame[0] - BEYOND, frame[1] - BEYOND
    right, bottom = frame[0] + frame[2] + BEYOND, frame[1] + frame[3] + BEYOND
    paths = []
    for line in lines:
        piece: Line = []
        for x, y in [*map(move, line), (left - 1.0, top)]:
            if left < x < right and top < y < bottom:
                piece.append((x, y))
            else:
                if len(piece) > 1:
                    paths.append(path_through(thinned(piece, FINE)))
                piece = []
    return "".join(paths)


def path_through(points: Sequence[Point]) -> str:
    """The points as a path of whole numbers, each from the one before.

    >>> path_through([(1.0, 2.0), (4.0, 2.4), (4.0, 6.0)])
    'M1 2l3 0 0 4'
    """
    x, y = round(points[0][0]), round(points[0][1])
    steps = []
    for px, py in points[1:]:
        u, v = round(px) - x, round(py) - y
        if u or v:
            steps.append(f"{u} {v}")
            x, y = x + u, y + v
    text = f"M{round(points[0][0])} {round(points[0][1])}l" + " ".join(steps)
    return text.replace(" -", "-")


def _cut(points: Line, frame: Box) -> Line:
    left, top = frame[0] - BEYOND, frame[1] - BEYOND
    right, bottom = frame[0] + frame[2] + BEYOND, frame[1] + frame[3] + BEYOND
    for axis, limit, sign in ((0, left, 1.0), (0, right, -1.0), (1, top, 1.0), (1, bottom, -1.0)):
        result: Line = []
        for k, p in enumerate(points):
            q = points[(k + 1) % len(points)]
            inside, after = sign * (p[axis] - limit) >= 0, sign * (q[axis] - limit) >= 0
            if inside:
                result.append(p)
            if inside != after:
                part = (limit - p[axis]) / (q[axis] - p[axis])
                result.append((p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])))
        points = result
    return points


def thinned(points: Line, tolerance: float) -> Line:
    """The line without the points that hardly matter (Douglas and Peucker)."""
    keep = {0, len(points) - 1}
    todo = [(0, len(points) - 1)]
    while todo:
        a, b = todo.pop()
        (ax, ay), (bx, by) = points[a], points[b]
        dx, dy = bx - ax, by - ay
        size = dx * dx + dy * dy
        far, at = -1.0, -1
        for k in range(a + 1, b):
            x, y = points[k][0] - ax, points[k][1] - ay
            part = min(1.0, max(0.0, (x * dx + y * dy) / size)) if size else 0.0
            away = (x - part * dx) ** 2 + (y - part * dy) ** 2
            if away > far:
                far, at = away, k
        if far > tolerance * tolerance:
            keep.add(at)
            todo += [(a, at), (at, b)]
    return [points[k] for k in sorted(keep)]
