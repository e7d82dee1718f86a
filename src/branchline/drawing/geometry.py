"""Plane geometry: curves, rotated boxes, lines that cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import NamedTuple

from branchline.drawing.file_format import Box, Point

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


def _speed(curve: Curve, t: float) -> Point:
    u = 1.0 - t
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    p, q, r = 3.0 * u * u, 6.0 * u * t, 3.0 * t * t
    x = p * (bx - ax) + q * (cx - bx) + r * (dx - cx)
    return x, p * (by - ay) + q * (cy - by) + r * (dy - cy)


def heading_at(curve: Curve, t: float) -> Point:
    """The direction of a curve at `t`, one unit long."""
    x, y = _speed(curve, t)
    if hypot(x, y) < 1e-9:
        x, y = curve[3][0] - curve[0][0], curve[3][1] - curve[0][1]
    size = hypot(x, y)
    return (x / size, y / size) if size > 1e-9 else (1.0, 0.0)


def straight(a: Point, b: Point) -> Curve:
    """The straight line from `a` to `b`, as a curve."""
    x, y = (b[0] - a[0]) / 3.0, (b[1] - a[1]) / 3.0
    return a, (a[0] + x, a[1] + y), (b[0] - x, b[1] - y), b


def piece(curve: Curve, start: float, end: float) -> Curve:
    """The part of a curve between two values of `t`.

    >>> piece(straight((0.0, 0.0), (90.0, 0.0)), 0.0, 0.5)
    ((0.0, 0.0), (15.0, 0.0), (30.0, 0.0), (45.0, 0.0))
    """
    third = (end - start) / 3.0
    (ax, ay), (dx, dy) = point_at(curve, start), point_at(curve, end)
    (bx, by), (cx, cy) = _speed(curve, start), _speed(curve, end)
    inner = (ax + third * bx, ay + third * by), (dx - third * cx, dy - third * cy)
    return (ax, ay), *inner, (dx, dy)


class Ruler:
    """Measures along a curve: the place at a distance.

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


class Bar(NamedTuple):
    """A rotated box: its middle, the direction of its long side, half its sides."""

    x: float
    y: float
    c: float
    s: float
    half_length: float
    half_width: float

    @property
    def corners(self) -> Corners:
        lx, ly = self.half_length * self.c, self.half_length * self.s
        wx, wy = -self.half_width * self.s, self.half_width * self.c
        return [
            (self.x + lx + wx, self.y + ly + wy),
            (self.x + lx - wx, self.y + ly - wy),
            (self.x - lx - wx, self.y - ly - wy),
            (self.x - lx + wx, self.y - ly + wy),
        ]


def bar(x: float, y: float, angle: float, length: float, width: float) -> Bar:
    """The box of that size whose long side lies at `angle` degrees."""
    return Bar(x, y, cos(radians(angle)), sin(radians(angle)), length / 2.0, width / 2.0)


def line_bar(a: Point, b: Point, width: float) -> Bar:
    """The line from `a` to `b`, that wide.

    >>> line_bar((0.0, 0.0), (0.0, 8.0), 2.0).corners
    [(-1.0, 8.0), (1.0, 8.0), (1.0, 0.0), (-1.0, 0.0)]
    """
    x, y = b[0] - a[0], b[1] - a[1]
    length = hypot(x, y)
    c, s = (x / length, y / length) if length else (1.0, 0.0)
    return Bar((a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0, c, s, length / 2.0, width / 2.0)


def flat_bar(box: Box) -> Bar:
    """An upright box as a bar."""
    x, y, w, h = box
    return Bar(x + w / 2.0, y + h / 2.0, 1.0, 0.0, w / 2.0, h / 2.0)


def overlap(one: Bar, two: Bar) -> float:
    """How far two boxes reach into each other; negative: about how far they are apart.

    >>> overlap(flat_bar((0, 0, 10, 10)), flat_bar((8, 0, 10, 10)))
    2.0
    """
    dx, dy = two.x - one.x, two.y - one.y
    same = abs(one.c * two.c + one.s * two.s)
    across = abs(one.c * two.s - one.s * two.c)
    a, b, u, v = one.half_length, one.half_width, two.half_length, two.half_width
    return min(
        a + u * same + v * across - abs(dx * one.c + dy * one.s),
        b + u * across + v * same - abs(dy * one.c - dx * one.s),
        u + a * same + b * across - abs(dx * two.c + dy * two.s),
        v + a * across + b * same - abs(dy * two.c - dx * two.s),
    )


def distance_to(shape: Bar, point: Point) -> float:
    """How far a point is from a box; 0 within it."""
    dx, dy = point[0] - shape.x, point[1] - shape.y
    along = abs(dx * shape.c + dy * shape.s) - shape.half_length
    aside = abs(dy * shape.c - dx * shape.s) - shape.half_width
    return hypot(max(0.0, along), max(0.0, aside))


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
    if not boxes_overlap(bounds(one), bounds(two)):
        return
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
