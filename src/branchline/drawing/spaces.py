"""The cars of each route: how much room they take and where they stand along a curve."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan, atan2, degrees, hypot, pi

from branchline.core.board import Board
from branchline.drawing.format import (
    CAR_GAP,
    CAR_LENGTH,
    CAR_WIDTH,
    CLEAR,
    DOT,
    LANE,
    Point,
)
from branchline.drawing.shapes import Curve, Ruler, heading_at, point_at

WIDEST_GAP = 6.0  # between two cars of a route that has more room than it needs


class Strand:
    """What runs along one curve: a route, or the two routes of a double if equally long.

    It runs from city `a` to city `b`; `side` says to which side it bends if it has to, 1.0 for
    the right hand of who goes from `a` to `b`, -1.0 for the left.
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
            if twin is not None:
                forth = (route.a, route.b) == (twin.a, twin.b)
                strand.side = 1.0 if route.index < twin.index else -1.0 if forth else 1.0
                strand.parted = True
            strands.append(strand)
        elif route.index < twin.index:
            pair = [int(route.index), int(twin.index)]
            strands.append(Strand(int(route.a), int(route.b), pair, int(route.length)))
    for strand in strands:
        strand.ferry = any(board.routes[k].locomotives for k in strand.routes)
    return strands


def hubs_of(cities: int, strands: Sequence[Strand]) -> list[float]:
    """How far from each city its first cars can stand, so that all its routes find room."""
    return [_hub([s.width + CLEAR for s in strands if k in (s.a, s.b)]) for k in range(cities)]


def _hub(widths: Sequence[float]) -> float:
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


def need_of(cars: int) -> float:
    """How long a row of so many cars is, at least."""
    return cars * CAR_LENGTH + (cars - 1) * CAR_GAP


def stops(cars: int, length: float, near: float, far: float) -> list[float]:
    """The middles of the cars along a line of that length that is free from `near` to `far`.

    >>> stops(2, 100.0, 10.0, 10.0)
    [31.0, 69.0]
    """
    room = max(0.3 * length, length - near - far)
    slack = room - need_of(cars)
    step = CAR_LENGTH + min(WIDEST_GAP, CAR_GAP + max(0.0, slack) / (cars + 1))
    if slack < 0.0 and cars > 1:
        step = max(1.0, (room - CAR_LENGTH) / (cars - 1))
    middle = near + (length - near - far) / 2.0
    return [middle + (k - (cars - 1) / 2.0) * step for k in range(cars)]


def place_cars(
    strand: Strand, curve: Curve, near: float, far: float
) -> list[list[tuple[float, float, float]]]:
    """For each route of the strand the middles and angles of its cars, from `a` to `b`."""
    ruler = Ruler(curve)
    rows: list[list[tuple[float, float, float]]] = [[] for _ in strand.routes]
    for stop in stops(strand.cars, ruler.length, near, far):
        t = ruler.at(stop)
        (x, y), (hx, hy) = point_at(curve, t), heading_at(curve, t)
        angle = degrees(atan2(hy, hx))
        for row, lane in zip(rows, strand.lanes, strict=True):
            row.append((x - lane * hy, y + lane * hx, angle))
    return rows


def beside(curve: Curve, lane: float) -> Curve:
    """The curve that runs `lane` to the right of another."""
    if lane == 0.0:
        return curve
    headings = [heading_at(curve, t) for t in (0.0, 1 / 3, 2 / 3, 1.0)]
    a, b, c, d = (
        (x - lane * hy, y + lane * hx) for (x, y), (hx, hy) in zip(curve, headings, strict=True)
    )
    return a, b, c, d


def chord(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])
