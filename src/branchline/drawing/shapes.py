"""A little plane geometry: curves, boxes that lie askew, lines that cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, radians, sin

from branchline.drawing.format import Box, Point

Curve = tuple[Point, Point, Point, Point]
Corners = list[Point]


def weights(t: float) -> tuple[float, float, float, float]:
    """How much each of the four points of a cubic curve counts at `t`.

    >>> weights(0.5)
    (0.125, 0.375, 0.375, 0.125)
    """
    u = 1.0 - t
    return u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t


def point_at(curve: Curve, t: float) -> Point:
    a, b, c, d = weights(t)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    return a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy


def heading_at(curve: Curve, t: float) -> Point:
    """The direction of a curve at `t`, one unit long."""
    u = 1.0 - t
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    p, q, r = u * u, 2.0 * u * t, t * t
    x = p * (bx - ax) + q * (cx - bx) + r * (dx - cx)
    y = p * (by - ay) + q * (cy - by) + r * (dy - cy)
    if hypot(x, y) < 1e-9:
        x, y = dx - ax, dy - ay
    size = hypot(x, y)
    return (x / size, y / size) if size > 1e-9 else (1.0, 0.0)


def straight(a: Point, b: Point) -> Curve:
    """The straight line from `a` to `b`, as a curve."""
    x, y = (b[0] - a[0]) / 3.0, (b[1] - a[1]) / 3.0
    return a, (a[0] + x, a[1] + y), (b[0] - x, b[1] - y), b


class Ruler:
    """Measures along a curve: where one is after some distance.

    >>> ruler = Ruler(straight((0.0, 0.0), (90.0, 0.0)))
    >>> round(ruler.length, 6), round(ruler.at(30.0), 3)
    (90.0, 0.333)
    """

    def __init__(self, curve: Curve, steps: int = 24) -> None:
        self.curve = curve
        self.points = [point_at(curve, k / steps) for k in range(steps + 1)]
        self.sums = [0.0]
        for (ax, ay), (bx, by) in pairwise(self.points):
            self.sums.append(self.sums[-1] + hypot(bx - ax, by - ay))
        self.length = self.sums[-1]

    def at(self, distance: float) -> float:
        """The `t` of the place at that distance from the beginning."""
        steps = len(self.sums) - 1
        for k in range(steps):
            if distance <= self.sums[k + 1] or k == steps - 1:
                span = self.sums[k + 1] - self.sums[k]
                part = (distance - self.sums[k]) / span if span > 1e-9 else 0.5
                return min(1.0, max(0.0, (k + part) / steps))
        return 0.5


def corners_of(x: float, y: float, angle: float, length: float, width: float) -> Corners:
    """The corners of a box whose long side lies at `angle`."""
    c, s = cos(radians(angle)) / 2.0, sin(radians(angle)) / 2.0
    lx, ly, wx, wy = length * c, length * s, -width * s, width * c
    return [
        (x + lx + wx, y + ly + wy),
        (x + lx - wx, y + ly - wy),
        (x - lx - wx, y - ly - wy),
        (x - lx + wx, y - ly + wy),
    ]


def corners_of_box(box: Box, margin: float = 0.0) -> Corners:
    x, y, w, h = box[0] - margin, box[1] - margin, box[2] + 2 * margin, box[3] + 2 * margin
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def overlap(one: Corners, two: Corners) -> float:
    """How far two convex shapes reach into each other; negative: how far they are apart.

    >>> overlap(corners_of_box((0, 0, 10, 10)), corners_of_box((8, 0, 10, 10)))
    2.0
    """
    least = float("inf")
    for shape in (one, two):
        for (ax, ay), (bx, by) in pairwise([*shape, shape[0]]):
            size = hypot(bx - ax, by - ay) or 1.0
            nx, ny = (ay - by) / size, (bx - ax) / size
            ones = [nx * x + ny * y for x, y in one]
            twos = [nx * x + ny * y for x, y in two]
            least = min(least, min(max(ones), max(twos)) - max(min(ones), min(twos)))
            if least < -50.0:
                return least
    return least


def distance_to(shape: Corners, point: Point) -> float:
    """How far a point is from a convex shape; 0 within it."""
    px, py = point
    sides = []
    best = float("inf")
    for (ax, ay), (bx, by) in pairwise([*shape, shape[0]]):
        dx, dy = bx - ax, by - ay
        sides.append(dx * (py - ay) - dy * (px - ax) >= 0)
        part = ((px - ax) * dx + (py - ay) * dy) / ((dx * dx + dy * dy) or 1.0)
        part = min(1.0, max(0.0, part))
        best = min(best, hypot(px - ax - part * dx, py - ay - part * dy))
    return 0.0 if all(sides) or not any(sides) else best


def boxes_overlap(one: Box, two: Box, margin: float = 0.0) -> bool:
    return (
        one[0] < two[0] + two[2] + margin
        and two[0] < one[0] + one[2] + margin
        and one[1] < two[1] + two[3] + margin
        and two[1] < one[1] + one[3] + margin
    )


def bounds(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def crossings(one: Sequence[Point], two: Sequence[Point]) -> Iterator[Point]:
    """Where two lines of straight pieces cross."""
    for a, b in pairwise(one):
        for c, d in pairwise(two):
            if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
                continue
            if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
                continue
            p, q = _turn(a, b, c), _turn(a, b, d)
            if p * q < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
                part = p / (p - q)
                yield c[0] + part * (d[0] - c[0]), c[1] + part * (d[1] - c[1])


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def crossed(one: Curve, two: Curve) -> bool:
    return any(True for _ in crossings(Ruler(one).points, Ruler(two).points))
