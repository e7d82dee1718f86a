"""Where an arrangement begins: the true map, large enough, with as few crossings as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt
from typing import Final

from branchline.core.board import Board
from branchline.drawing.file_format import CAR_LENGTH, Point
from branchline.drawing.geometry import Curve, Ruler, bounds, crossings, point_at, straight
from branchline.drawing.labels import text_width
from branchline.drawing.projection import projection_for, spread
from branchline.drawing.route_spaces import Strand, chord, need_of

FULL: Final = 0.36  # how much of the map cars and names may cover
BROAD: Final = 0.65  # a map that is narrower than that, its sides compared, is a strip
RISES: Final = (0.0, 0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.7, -0.7)


def true_positions_of(
    board: Board, strands: Sequence[Strand], clearances: Sequence[float], zoom: float = 1.0
) -> tuple[list[Point], Point]:
    """The cities on the true map, as large as the cars and the names need it.

    Also how much larger than on the plane of projection, in x and in y; they differ where the
    cities lie in a narrow strip, which is made a little less narrow.
    """
    project = projection_for(board)
    points = [project(city.lat, city.lon) for city in board.cities]
    _, _, wide, high = bounds(points)
    points = spread(points, max(wide, high, 1e-6) / 400.0)
    _, _, wide, high = bounds(points)
    narrow = min(wide, high) / max(wide, high, 1e-6)
    stretch = min(1.4, sqrt(BROAD / max(narrow, 1e-6))) if narrow < BROAD else 1.0
    sx, sy = (stretch, 1.0 / stretch) if wide < high else (1.0 / stretch, stretch)
    points = [(x * sx, y * sy) for x, y in points]
    wide, high = wide * sx, high * sy
    ratios = sorted(
        (need_of(s) + clearances[s.a] + clearances[s.b]) / chord(points[s.a], points[s.b])
        for s in strands
    )
    cover = sum(s.cars * s.width * (CAR_LENGTH + 6.0) for s in strands)
    cover += sum((text_width(city.name) + 10.0) * 22.0 for city in board.cities)
    room = max(wide * high, max(wide, high) ** 2 / 6.0) * 0.8
    enough = ratios[int(0.6 * len(ratios))]
    wide_enough = sqrt(cover / FULL / room)
    crossed = len(crossings_of_the_true_map(strands, points))
    tangled = min(1.6, 1.0 + 0.5 * crossed / len(strands))
    scale = zoom * tangled * max(wide_enough, min(enough, 4.0 * wide_enough))
    return [(x * scale, y * scale) for x, y in points], (sx * scale, sy * scale)


def bowed(a: Point, b: Point, rise: float) -> Curve:
    """A curve from `a` to `b` whose inner points lie `rise` of its length to the right."""
    _, p, q, _ = straight(a, b)
    x, y = -rise * (b[1] - a[1]), rise * (b[0] - a[0])
    return a, (p[0] + x, p[1] + y), (q[0] + x, q[1] + y), b


def first_bends(
    strands: Sequence[Strand], homes: Sequence[Point], is_water: Callable[[Point], bool] | None
) -> dict[int, tuple[Point, Point]]:
    """The bends to begin with, for the strands that should not begin straight.

    A strand that would cross others begins with the bend that crosses fewest, and keeps to that
    side. The two strands of a double that differ in length part; a ferry takes the watery side.
    """
    lines = [[homes[s.a], homes[s.b]] for s in strands]
    bends: dict[int, tuple[Point, Point]] = {}
    for k in _crossing(lines):
        s = strands[k]
        ways = [bowed(homes[s.a], homes[s.b], rise) for rise in RISES]
        rows = [Ruler(way, 12).points for way in ways]
        others = lines[:k] + lines[k + 1 :]
        counts = [sum(_cross(row, other) for other in others) for row in rows]
        best = min(range(len(RISES)), key=lambda i: (counts[i], abs(RISES[i])))
        if RISES[best]:
            lines[k] = rows[best]
            bends[k] = ways[best][1:3]
            s.side = 1.0 if RISES[best] > 0 else -1.0
    if is_water:
        for s in strands:
            if s.ferry:
                s.side = s.side or _side_with_water(homes[s.a], homes[s.b], is_water)
    for one, two in combinations(strands, 2):
        if one.parted and {one.a, one.b} == {two.a, two.b}:
            first, second = (one, two) if one.ferry or not two.ferry else (two, one)
            first.side = first.side or 1.0
            second.side = -first.side if first.a == second.a else first.side
    for k, s in enumerate(strands):
        if s.side and k not in bends:
            bends[k] = bowed(homes[s.a], homes[s.b], 0.1 * s.side)[1:3]
    return bends


def _crossing(lines: Sequence[Sequence[Point]]) -> list[int]:
    """The lines that cross another, those first that cross most."""
    counts = [0] * len(lines)
    for i, j in combinations(range(len(lines)), 2):
        crossed = _cross(lines[i], lines[j])
        counts[i] += crossed
        counts[j] += crossed
    return sorted((k for k, n in enumerate(counts) if n), key=lambda k: -counts[k])


def _cross(one: Sequence[Point], two: Sequence[Point]) -> int:
    return sum(1 for _ in crossings(one, two))


def _side_with_water(a: Point, b: Point, is_water: Callable[[Point], bool]) -> float:
    """The side on which a curve from `a` to `b` runs on more water, 0.0 if both are equal."""
    counts = {}
    for side in (1.0, -1.0):
        ways = [bowed(a, b, rise * side) for rise in (0.15, 0.35, 0.6)]
        counts[side] = sum(is_water(point_at(way, t / 10)) for way in ways for t in range(1, 10))
    more = counts[1.0] - counts[-1.0]
    return 0.0 if abs(more) < 3 else 1.0 if more > 0 else -1.0


def crossings_of_the_true_map(
    strands: Sequence[Strand], homes: Sequence[Point]
) -> set[tuple[int, int]]:
    """The pairs of strands that cross when all of them are straight."""
    lines = [[homes[s.a], homes[s.b]] for s in strands]
    pairs = combinations(range(len(strands)), 2)
    return {(i, j) for i, j in pairs if _cross(lines[i], lines[j])}
