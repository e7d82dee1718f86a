"""The last touch: routes bend a little more, until no piece covers another.

The relaxation leaves room for spaces, and pieces are wider. Where routes leave a city side by side
a piece on one may so lie on the first space of the next. Cities and names stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import hypot
from typing import Final, NamedTuple

from branchline.drawing.file_format import (
    CAR_LENGTH,
    CAR_WIDTH,
    DOT,
    PIECE_LENGTH,
    PIECE_WIDTH,
    Point,
)
from branchline.drawing.geometry import (
    Bar,
    Curve,
    Ruler,
    bar,
    bounds,
    boxes_overlap,
    crossings,
    distance_to,
    overlap,
)
from branchline.drawing.relaxation import LEAVING, Relaxation
from branchline.drawing.route_spaces import place_cars, turn_of

ROUNDS: Final = 3
REACH: Final = 60.0  # how far around a row others are looked for
STEPS: Final = (8.0, 4.0, 2.0, 1.0, 0.5)
WAYS: Final = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
AIR: Final = 0.3  # around whatever must not be covered
WRONG: Final = 5.0  # the least cost of something covered
CROSSED: Final = 200.0
PARTS: Final = 8  # straight ones of a curve, to see whether it crosses others
NEAR: Final = hypot(PIECE_LENGTH, PIECE_WIDTH)  # pieces further apart can't touch
CAR: Final = (CAR_LENGTH, CAR_WIDTH)
PIECE: Final = (PIECE_LENGTH, PIECE_WIDTH)


def touch_up(relaxation: Relaxation, things: Sequence[Bar]) -> None:
    """Bends the curves on which a piece would cover another; `things` are to be seen as well."""
    work = _Work(relaxation, things)
    for _ in range(ROUNDS):
        bent = [work.improve(k) for k in range(len(work.rows)) if not relaxation.is_pinned(k)]
        if not any(bent):
            break
    for k, row in enumerate(work.rows):
        relaxation.bend(k, row.curve, row.ends)


class _Row(NamedTuple):
    """A curve, and how far from its two cities the cars may begin."""

    curve: Curve
    ends: tuple[float, float]


class _Around(NamedTuple):
    """What is near a row: pieces on others, things, dots, and the curves of others."""

    pieces: list[Bar]
    things: list[Bar]
    dots: list[Point]
    lines: list[tuple[list[Point], list[Point]]]  # with the cities at which both end


class _Work:
    """All rows, each with what it costs while the others stay."""

    def __init__(self, relaxation: Relaxation, things: Sequence[Bar]) -> None:
        self._strands = relaxation.strands
        self._cities = relaxation.cities
        self._things = things
        self.rows = [
            _Row(relaxation.curve(k), relaxation.ends[k]) for k in range(len(self._strands))
        ]
        self._pieces = [self._bars(k, row, *PIECE) for k, row in enumerate(self.rows)]
        self._lines = [Ruler(row.curve, PARTS).points for row in self.rows]

    def improve(self, k: int) -> bool:
        """If a row covers something: makes steps, ever smaller ones, that cost less and less."""
        first = best = self.rows[k]
        around = self._around(k)
        least = self._cost(k, best, first, around)
        if least < WRONG:
            return False
        for step in STEPS:
            better = True
            while better:
                ways = [(self._cost(k, row, first, around), row) for row in _changes(best, step)]
                cost, row = min(ways)
                better = cost < least - 1e-6
                if better:
                    least, best = cost, row
        self.rows[k] = best
        self._pieces[k] = self._bars(k, best, *PIECE)
        self._lines[k] = Ruler(best.curve, PARTS).points
        return best != first

    def _bars(self, k: int, row: _Row, length: float, width: float) -> list[Bar]:
        lanes = place_cars(self._strands[k], row.curve, row.ends)
        return [bar(x, y, angle, length, width) for lane in lanes for x, y, angle in lane]

    def _around(self, k: int) -> _Around:
        left, top, wide, high = bounds(self.rows[k].curve)
        area = (left - REACH, top - REACH, wide + 2 * REACH, high + 2 * REACH)
        others = [j for j in range(len(self.rows)) if j != k]
        own = {self._strands[k].a, self._strands[k].b}
        return _Around(
            [p for j in others for p in self._pieces[j] if boxes_overlap((p.x, p.y, 0, 0), area)],
            [t for t in self._things if boxes_overlap(bounds(t.corners), area)],
            [(x, y) for x, y in self._cities if boxes_overlap((x, y, 0, 0), area)],
            [
                (line, [self._cities[c] for c in own & {self._strands[j].a, self._strands[j].b}])
                for j, line in enumerate(self._lines)
                if j != k and boxes_overlap(bounds(line), area)
            ],
        )

    def _cost(self, k: int, row: _Row, first: _Row, around: _Around) -> float:
        """What a row covers, and a little for each bend and for how far it has moved."""
        pieces = self._bars(k, row, *PIECE)
        depths = [overlap(one, two) for one, two in combinations(pieces, 2)]
        depths += [
            overlap(one, two)
            for one in pieces
            for two in around.pieces
            if -NEAR < one.x - two.x < NEAR and -NEAR < one.y - two.y < NEAR
        ]
        for car in self._bars(k, row, *CAR):
            depths += [overlap(car, thing) for thing in around.things]
            depths += [DOT - distance_to(car, dot) for dot in around.dots]
        cost = sum(WRONG + 10.0 * depth for depth in depths if depth > -AIR)
        line = Ruler(row.curve, PARTS).points
        cost += CROSSED * sum(
            all(hypot(x - u, y - v) > LEAVING for u, v in shared)
            for other, shared in around.lines
            for x, y in crossings(line, other)
        )
        moved = sum(
            hypot(x - u, y - v) for (x, y), (u, v) in zip(row.curve, first.curve, strict=True)
        )
        return cost + 0.3 * turn_of(row.curve) + 0.01 * sum(row.ends) + 0.002 * moved


def _changes(row: _Row, step: float) -> Iterator[_Row]:
    """The rows that are one step away: an inner point or both moved, or an end."""
    (a, b, c, d), (start, end) = row
    for x, y in WAYS:
        u, v = step * x, step * y
        one, two = (b[0] + u, b[1] + v), (c[0] + u, c[1] + v)
        for inner in ((one, c), (b, two), (one, two)):
            yield _Row((a, *inner, d), row.ends)
    for x, y in WAYS:
        ends = start + step * x, end + step * y
        if min(ends) > DOT:
            yield _Row(row.curve, ends)
