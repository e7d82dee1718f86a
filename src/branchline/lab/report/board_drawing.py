"""A board as an SVG drawing: cities where they lie on the globe, routes by their claim rates."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import hypot, log, pi, radians, tan
from typing import Final

from branchline.core.board import Board

WIDTH: Final = 1000.0
HIGHEST: Final = 1000.0
EDGE: Final = 45.0
LETTER: Final = 7.6  # the mean width of a letter of a label
LINE: Final = 13.0  # the height of a label
DOT: Final = 5.0
SIDE: Final = 5.5  # how far the routes of a pair lie from their middle
RAMP: Final = ((0.0, (196, 205, 217)), (0.5, (63, 140, 183)), (1.0, (59, 15, 112)))

Point = tuple[float, float]
Box = tuple[float, float, float, float]


def project(board: Board) -> tuple[list[Point], float]:
    """Where the cities lie in the drawing (Mercator), and how high it is."""
    xs = [radians(city.lon) for city in board.cities]
    ys = [-log(tan(pi / 4 + radians(max(-85, min(85, city.lat))) / 2)) for city in board.cities]
    wide, high = max(xs) - min(xs) or 1e-9, max(ys) - min(ys) or 1e-9
    scale = min((WIDTH - 2 * EDGE) / wide, (HIGHEST - 2 * EDGE) / high)
    left = (WIDTH - scale * wide) / 2
    points = [
        (left + scale * (x - min(xs)), EDGE + scale * (y - min(ys)))
        for x, y in zip(xs, ys, strict=True)
    ]
    return points, scale * high + 2 * EDGE


def colour(rate: float) -> str:
    """The colour for a claim rate.

    >>> colour(0.0), colour(1.0)
    ('#c4cdd9', '#3b0f70')
    """
    rate = min(1.0, max(0.0, rate))
    for (low, one), (high, two) in pairwise(RAMP):
        if rate <= high:
            part = (rate - low) / (high - low)
            mixed = [round(a + part * (b - a)) for a, b in zip(one, two, strict=True)]
            return "#" + "".join(f"{c:02x}" for c in mixed)
    raise AssertionError(rate)


def thickness(rate: float) -> float:
    """The width of the line for a claim rate."""
    return 2.0 + 8.0 * rate


def draw_board(
    board: Board, rates: Sequence[float], notes: Sequence[str], title: str, about: str
) -> str:
    """The drawing; `notes` are shown where a pointer rests on a route."""
    points, height = project(board)
    lines = [_line(board, points, k, rates[k], notes[k]) for k in _thin_first(rates)]
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT}"/>' for x, y in points]
    names = [city.name for city in board.cities]
    labels = [
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(name)}</text>'
        for name, (x, y, anchor) in zip(names, place_labels(board, points, names), strict=True)
    ]
    return (
        f'<svg class="board" viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img" '
        f'aria-labelledby="board-title board-about" xmlns="http://www.w3.org/2000/svg">'
        f'<title id="board-title">{escape(title)}</title>'
        f'<desc id="board-about">{escape(about)}</desc>'
        f'<g class="routes">{"".join(lines)}</g><g class="cities">{"".join(dots)}</g>'
        f'<g class="labels">{"".join(labels)}</g></svg>'
    )


def _thin_first(rates: Sequence[float]) -> list[int]:
    return sorted(range(len(rates)), key=lambda k: rates[k])


def ends_of(board: Board, points: Sequence[Point], route: int) -> tuple[Point, Point]:
    """Where a route's line begins and ends; the routes of a pair lie side by side."""
    r = board.routes[route]
    (ax, ay), (bx, by) = points[min(r.a, r.b)], points[max(r.a, r.b)]
    length = hypot(bx - ax, by - ay) or 1.0
    side = 0.0 if r.twin < 0 else SIDE if r.index < r.twin else -SIDE
    nx, ny = side * (ay - by) / length, side * (bx - ax) / length
    return (ax + nx, ay + ny), (bx + nx, by + ny)


def _line(board: Board, points: Sequence[Point], route: int, rate: float, note: str) -> str:
    (ax, ay), (bx, by) = ends_of(board, points, route)
    spaces = int(board.routes[route].length)
    length = hypot(bx - ax, by - ay)
    gap = min(3.0, length / spaces / 4)
    dash = f"{(length + gap) / spaces - gap:.2f} {gap:.2f}"
    return (
        f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" stroke="{colour(rate)}" '
        f'stroke-width="{thickness(rate):.1f}" stroke-dasharray="{dash}">'
        f"<title>{escape(note)}</title></line>"
    )


# --- names that do not overlap --------------------------------------------------------------


def place_labels(
    board: Board, points: Sequence[Point], names: Sequence[str]
) -> list[tuple[float, float, str]]:
    """For each city, the anchor of its name, with as little overlap as possible."""
    lines = [ends_of(board, points, k) for k in range(len(board.routes))]
    dots = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in points]
    taken: list[Box] = []
    placed = []
    for (x, y), name in zip(points, names, strict=True):
        best = min(
            (_cost(box, taken, dots, lines) + k * 0.1, k, spot, box)
            for k, (spot, box) in enumerate(_spots(x, y, len(name) * LETTER))
        )
        taken.append(best[3])
        placed.append(best[2])
    return placed


def _spots(x: float, y: float, wide: float) -> list[tuple[tuple[float, float, str], Box]]:
    """Right, left, above, below and the four corners."""
    spots = []
    for dx, dy, anchor in (
        (9, 4, "start"),
        (-9, 4, "end"),
        (0, -10, "middle"),
        (0, 19, "middle"),
        (7, -7, "start"),
        (7, 15, "start"),
        (-7, -7, "end"),
        (-7, 15, "end"),
    ):
        left = x + dx - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        box = (left, y + dy - LINE + 2, left + wide, y + dy + 3)
        spots.append(((x + dx, y + dy, anchor), box))
    return spots


def _cost(
    box: Box, taken: Sequence[Box], dots: Sequence[Box], lines: Sequence[tuple[Point, Point]]
) -> float:
    """How bad a place for a name is: over another name or a city, outside, across a route."""
    outside = box[0] < 2 or box[2] > WIDTH - 2
    crossed = sum(_crosses(box, a, b) for a, b in lines)
    over_names = sum(_overlap(box, other) for other in taken)
    over_dots = sum(_overlap(box, other) for other in dots)
    return 50.0 * outside + 20.0 * over_names + 8.0 * over_dots + crossed


def _overlap(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _crosses(box: Box, a: Point, b: Point) -> float:
    """How much of a line lies in a box."""
    steps = max(2, int(hypot(b[0] - a[0], b[1] - a[1]) / 6))
    inside = 0
    for k in range(steps + 1):
        x, y = a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps
        inside += box[0] < x < box[2] and box[1] < y < box[3]
    return min(4.0, inside * 0.5)
