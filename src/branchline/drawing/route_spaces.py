"""The cars of each route: how much room they take and where they stand along a curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan, atan2, cos, degrees, hypot, pi, radians, sin

from branchline.core.board import Board
from branchline.drawing.file_format import (
    CAR_GAP,
    CAR_LENGTH,
    CAR_WIDTH,
    CLEAR,
    DOT,
    LANE,
    Point,
)
from branchline.drawing.geometry import Curve, Ruler, heading_at, piece, point_at

WIDEST_GAP = 10.0  # between two cars of a route that has more room than it needs


class Strand:
    """What runs along one curve: a route, or the two routes of a double if equally long.

    It runs from city `a` to city `b`; `side` says to which side it bends if it has to, 1.0 for
    the right on the way from `a` to `b`, -1.0 for the left.
    """

    def __init__(self, a: int, b: int, routes: list[int], cars: int) -> None:
        self.a, self.b, self.routes, self.cars = a, b, routes, cars
        self.side = 0.0
        self.ferry = False
        self.parted = False  # from the other route of its double, which is longer or shorter

    @property
    def width(self) -> float:
        return CAR_WIDTH + LANE * (len(self.routes) - 1)

    @property
    def lanes(self) -> list[float]:
        """How far the middle of each route lies from the curve, to the right."""
        return [0.0] if len(self.routes) == 1 else [-LANE / 2, LANE / 2]


def strands_of(board: Board) -> list[Strand]:
    """The strands of a board; the routes of a double that differ in length have one each."""
    strands = []
    for route in board.routes:
        twin = board.routes[route.twin] if route.twin >= 0 else None
        if twin is None or twin.length != route.length:
            strand = Strand(int(route.a), int(route.b), [int(route.index)], int(route.length))
            strand.parted = twin is not None
            strands.append(strand)
        elif route.index < twin.index:
            pair = [int(route.index), int(twin.index)]
            strands.append(Strand(int(route.a), int(route.b), pair, int(route.length)))
    for strand in strands:
        strand.ferry = any(board.routes[k].locomotives for k in strand.routes)
    return strands


def clearances_of(cities: int, strands: Sequence[Strand]) -> list[float]:
    """How far from each city its first cars can stand, so that all its routes find room."""
    return [
        _clearance([s.width + CLEAR for s in strands if k in (s.a, s.b)]) for k in range(cities)
    ]


def _clearance(widths: Sequence[float]) -> float:
    """The radius of the ring on which all the widths find room side by side."""
    low, high = DOT + 3.0, 200.0
    if _turn(widths, low) <= 1.9 * pi:
        return low
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if _turn(widths, middle) <= 1.9 * pi else (middle, high)
    return high


def _turn(widths: Sequence[float], radius: float) -> float:
    return sum(2.0 * atan(width / 2.0 / radius) for width in widths)


def need_of(strand: Strand, turn: float = 0.0) -> float:
    """How long the row of a strand's cars is, at least, if it turns by that many radians in all.

    On the inner side of a bend cars come nearer to each other, so they need wider gaps.
    """
    gaps = strand.cars - 1
    return strand.cars * CAR_LENGTH + max(gaps * CAR_GAP, gaps * 1.5 + turn * strand.width / 2.0)


def stops(cars: int, length: float, need: float, near: float, far: float) -> list[float]:
    """The middles of the cars along a line of that length that is free from `near` to `far`.

    >>> stops(2, 100.0, 67.0, 10.0, 10.0)
    [29.0, 71.0]
    """
    room = max(0.3 * length, length - near - far)
    slack = room - need
    row = need + min(
        max(0.0, slack), slack * cars / (cars + 1), (WIDEST_GAP - CAR_GAP) * (cars - 1)
    )
    if slack < 0.0:
        row = room
    step = (row - CAR_LENGTH) / (cars - 1) if cars > 1 else 0.0
    middle = near + (length - near - far) / 2.0
    return [middle + (k - (cars - 1) / 2.0) * step for k in range(cars)]


def turn_of(curve: Curve) -> float:
    """By how much a curve turns in all, in radians."""
    headings = [atan2(y, x) for x, y in (heading_at(curve, t / 6) for t in range(7))]
    return sum(abs((b - a + pi) % (2 * pi) - pi) for a, b in pairwise(headings))


def place_cars(
    strand: Strand, curve: Curve, ends: tuple[float, float]
) -> list[list[tuple[float, float, float]]]:
    """For each route of the strand the middles and angles of its cars, from `a` to `b`.

    `ends` say how far from the two cities the row of cars may begin and end.
    """
    ruler = Ruler(curve)
    rows: list[list[tuple[float, float, float]]] = [[] for _ in strand.routes]
    need = need_of(strand, turn_of(curve))
    for stop in stops(strand.cars, ruler.length, need, *ends):
        t = ruler.at(stop)
        (x, y), (hx, hy) = point_at(curve, t), heading_at(curve, t)
        angle = degrees(atan2(hy, hx))
        for row, lane in zip(rows, strand.lanes, strict=True):
            row.append((x - lane * hy, y + lane * hx, angle))
    return rows


def approaches(
    strand: Strand, curve: Curve, ends: tuple[float, float]
) -> Iterator[tuple[Point, Point]]:
    """The lines from the two cities to the first and the last car of each route."""
    for row in place_cars(strand, curve, ends):
        for city, (x, y, angle), half in (
            (curve[0], row[0], -CAR_LENGTH / 2.0),
            (curve[3], row[-1], CAR_LENGTH / 2.0),
        ):
            yield city, (x + half * cos(radians(angle)), y + half * sin(radians(angle)))


def path_of(strand: Strand, curve: Curve, lane: float, ends: tuple[float, float]) -> str:
    """The middle line of one route in the notation of SVG, from city to city.

    The routes of a double leave the city at one point and part before their first cars.
    """
    if lane == 0.0:
        return f"M{_at(curve[0])}C{_at(curve[1])} {_at(curve[2])} {_at(curve[3])}"
    ruler = Ruler(curve)
    row = stops(strand.cars, ruler.length, need_of(strand, turn_of(curve)), *ends)
    half = CAR_LENGTH / 2.0
    inner = piece(curve, ruler.at(row[0] - half), ruler.at(row[-1] + half))
    a, b, c, d = parallel(inner, lane)
    return f"M{_at(curve[0])}L{_at(a)}C{_at(b)} {_at(c)} {_at(d)}L{_at(curve[3])}"


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}".replace(".0", "")


def parallel(curve: Curve, lane: float) -> Curve:
    """The curve that runs `lane` to the right of another."""
    headings = [heading_at(curve, t) for t in (0.0, 1 / 3, 2 / 3, 1.0)]
    a, b, c, d = (
        (x - lane * hy, y + lane * hx) for (x, y), (hx, hy) in zip(curve, headings, strict=True)
    )
    return a, b, c, d


def chord(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])
