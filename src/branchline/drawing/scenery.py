"""What makes a board a place: rivers, mountains, and small drawings where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, floor, hypot, pi, sin
from typing import Final

import msgspec

from branchline.drawing.coast import BEYOND, Coast, Line, Move, path_through, thinned
from branchline.drawing.file_format import Box, Drawing, Frame, Point, SceneryPlace, Stroke
from branchline.drawing.geometry import Bar, bar, bounds, boxes_overlap, flat_bar, overlap

AIR: Final = 5.0  # between a small drawing and everything else
AWAY: Final = 130.0  # how far from its true place a small drawing may stand
STEP: Final = 21.0  # from one mountain of a range to the next
MOUNTAIN: Final = (21.0, 31.0)  # the least and the largest size of a mountain
CELL: Final = 6.0  # how finely it is known where land is


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """Mountains of a kind along a line: longitude, latitude, longitude, ..."""

    art: str
    along: list[float]


class Scenery(msgspec.Struct, frozen=True, kw_only=True):
    """The scenery of a board, in degrees. A drawing has its art, longitude, latitude and size."""

    rivers: list[list[float]] = []
    ranges: list[Range] = []
    drawings: list[tuple[str, float, float, float]] = []  # on land
    sea: list[tuple[str, float, float, float]] = []
    art: dict[str, list[Stroke]] = {}


class Sceneries(msgspec.Struct, frozen=True, kw_only=True):
    """The file of all boards' sceneries, with the art that they share."""

    source: str
    art: dict[str, list[Stroke]]
    boards: dict[str, Scenery]

    def of(self, board: str) -> Scenery:
        return msgspec.structs.replace(self.boards.get(board, Scenery()), art=self.art)


def with_scenery(drawing: Drawing, scenery: Scenery, coast: Coast, move: Move) -> Drawing:
    """The drawing with its scenery, which covers nothing that players have to see."""

    def placed(line: Sequence[float]) -> Line:
        return [move(coast.at(x, y)) for x, y in zip(line[::2], line[1::2], strict=True)]

    ground = _Ground(drawing, coast, move)
    places = []
    for wanted, at_sea in ((scenery.drawings, False), (scenery.sea, True)):
        for art, lon, lat, size in wanted:
            for x, y in _around(move(coast.at(lon, lat))):
                if ground.takes(x, y, size, at_sea):
                    places.append(SceneryPlace(art=art, x=x, y=y, size=size))
                    break
    ranges = [(item.art, _smooth(placed(item.along))) for item in scenery.ranges]
    for art, line in ranges:
        for x, y, size in _mountains(line):
            if ground.takes(x, y, size, at_sea=False):
                places.append(SceneryPlace(art=art, x=x, y=y, size=size))
    places.sort(key=lambda place: (place.y + place.size / 2, place.x))
    return msgspec.structs.replace(
        drawing,
        rivers=[path_through(thinned(_smooth(placed(line)), 0.7)) for line in scenery.rivers],
        ranges=[path_through(thinned(line, 1.5)) for _, line in ranges],
        scenery=places,
        art={name: scenery.art[name] for name in sorted({place.art for place in places})},
    )


class Mask:
    """Where the rings of a map are filled, in rows."""

    def __init__(self, rings: Sequence[Line], top: float, height: float) -> None:
        self._top = top
        rows: list[list[float]] = [[] for _ in range(int(height / CELL) + 1)]
        for ring in rings:
            for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
                low, high = sorted(((ay - top) / CELL + 0.5, (by - top) / CELL + 0.5))
                for row in range(max(0, floor(low)), min(len(rows), floor(high))):
                    part = (top + (row + 0.5) * CELL - ay) / (by - ay)
                    rows[row].append(ax + part * (bx - ax))
        self._rows = rows

    def __call__(self, x: float, y: float) -> bool:
        """Whether a point is filled.

        >>> mask = Mask([[(0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0)]], 0.0, 90.0)
        >>> mask(30.0, 30.0), mask(75.0, 30.0), mask(30.0, 80.0)
        (True, False, False)
        """
        row = int((y - self._top) / CELL)
        if not 0 <= row < len(self._rows):
            return False
        return sum(cut < x for cut in self._rows[row]) % 2 == 1


class _Ground:
    """What is taken already, and where land and sea are."""

    def __init__(self, drawing: Drawing, coast: Coast, move: Move) -> None:
        height = drawing.height + 2 * BEYOND
        self._land, self._lakes = (
            Mask([[*map(move, ring)] for ring in rings], -BEYOND, height)
            for rings in (coast.land, coast.water)
        )
        self._solid = [(shape, bounds(shape.corners)) for shape in _solids(drawing)]
        self._right, self._bottom = drawing.width + BEYOND, drawing.height + BEYOND

    def takes(self, x: float, y: float, size: float, at_sea: bool) -> bool:
        """Puts something there, if there is room for it on the right ground."""
        if not (-BEYOND < x < self._right and -BEYOND < y < self._bottom):
            return False
        half = size / 2
        for u in (-0.9, 0.0, 0.9):
            for v in (-0.5, 0.5, 0.9):
                px, py = x + u * half, y + v * half
                if (self._land(px, py) and not self._lakes(px, py)) == at_sea:
                    return False
        box = (x - half, y - half, size, size)
        shape = flat_bar(box)
        for other, around in self._solid:
            if boxes_overlap(box, around, AIR) and overlap(shape, other) > -AIR:
                return False
        self._solid.append((shape, box))
        return True


def _solids(drawing: Drawing) -> Iterator[Bar]:
    """What no scenery may cover: cars, the way from them to their cities, names, and the rest."""
    car = drawing.car
    for route in drawing.routes:
        for x, y, angle in route.spaces:
            yield bar(x, y, angle, car.length, car.width * 1.5)
        for name, space in zip(route.between, (route.spaces[0], route.spaces[-1]), strict=True):
            (x, y, _), city = space, drawing.cities[name]
            dx, dy = city.x - x, city.y - y
            yield bar(x + dx / 2, y + dy / 2, degrees(atan2(dy, dx)), hypot(dx, dy), 8.0)
    for city in drawing.cities.values():
        yield flat_bar(city.label.box)
        yield flat_bar((city.x - 12.0, city.y - 12.0, 24.0, 24.0))
    for place in drawing.places:
        corner = place.x - place.width / 2, place.y - place.height / 2
        yield flat_bar((*corner, place.width, place.height))
    yield flat_bar(_box(drawing.title))
    yield flat_bar(_box(drawing.compass))


def _box(frame: Frame) -> Box:
    return frame.x, frame.y, frame.width, frame.height


def _around(at: Point) -> Iterator[Point]:
    """Points ever further away."""
    yield at
    for ring in range(1, int(AWAY / 9.0)):
        for k in range(6 + 3 * ring):
            turn = 2 * pi * k / (6 + 3 * ring) + ring
            yield at[0] + 9.0 * ring * cos(turn), at[1] + 9.0 * ring * sin(turn)


def _mountains(line: Line) -> Iterator[tuple[float, float, float]]:
    """Places and sizes of mountains along a line, scattered but always the same."""
    walked, k = 0.0, 0
    least, most = MOUNTAIN
    for (ax, ay), (bx, by) in pairwise(line):
        length = hypot(bx - ax, by - ay) or 1.0
        ux, uy = (bx - ax) / length, (by - ay) / length
        while walked < length:
            for aside in (0.0, -1.0, 1.0):
                k += 1
                off = 17.0 * aside + 8.0 * (_chance(k) - 0.5)
                size = least + (most - least) * _chance(k + 0.5) * (0.6 if aside else 1.0)
                yield ax + walked * ux - off * uy, ay + walked * uy + off * ux, size
            walked += STEP
        walked -= length


def _chance(k: float) -> float:
    """A number from 0 to 1 that looks random and never changes."""
    value = sin(12.9898 * k) * 43758.5453
    return value - floor(value)


def _smooth(line: Line) -> Line:
    """The line with its corners cut, twice."""
    for _ in range(2):
        inner = [
            ((1 - part) * ax + part * bx, (1 - part) * ay + part * by)
            for (ax, ay), (bx, by) in pairwise(line)
            for part in (0.25, 0.75)
        ]
        line = [line[0], *inner[1:-1], line[-1]]
    return line
