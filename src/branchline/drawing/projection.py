"""From the globe to the plane: Lambert's equal-area projection about the middle of a board."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, radians, sin, sqrt

from branchline.core.board import Board
from branchline.drawing.file_format import Point


class Projection:
    """A plane that touches the globe at one place; y points south, one unit is a radius."""

    def __init__(self, lat: float, lon: float) -> None:
        self._lon = radians(lon)
        self._sin, self._cos = sin(radians(lat)), cos(radians(lat))

    def __call__(self, lat: float, lon: float) -> Point:
        """Where a place lies on the plane.

        >>> east, south = Projection(46.0, 7.0)(47.0, 8.0)
        >>> round(east, 4), round(south, 4)
        (0.0119, -0.0175)
        """
        phi, along = radians(lat), radians(lon) - self._lon
        s, c, turn = sin(phi), cos(phi), cos(along)
        near = max(0.02, 1.0 + self._sin * s + self._cos * c * turn)
        k = sqrt(2.0 / near)
        return k * c * sin(along), -k * (self._cos * s - self._sin * c * turn)


def projection_for(board: Board) -> Projection:
    """The plane that touches the globe in the middle of the board's cities."""
    lats = [city.lat for city in board.cities]
    around = [radians(city.lon) for city in board.cities]
    east = sum(map(sin, around)), sum(map(cos, around))
    lon = atan2(*east) * 180.0 / 3.141592653589793 if max(map(abs, east)) > 1e-9 else 0.0
    return Projection((min(lats) + max(lats)) / 2.0, lon)


def spread(points: Sequence[Point], apart: float) -> list[Point]:
    """The points, with those that lie at one place put on a small ring around it."""
    seen: dict[tuple[int, int], int] = {}
    result = []
    for x, y in points:
        key = round(x / apart), round(y / apart)
        k = seen.get(key, 0)
        seen[key] = k + 1
        turn = 2.4 * k  # the golden angle: no two of them lie in line
        result.append((x + apart * sqrt(k) * cos(turn), y + apart * sqrt(k) * sin(turn)))
    return result
