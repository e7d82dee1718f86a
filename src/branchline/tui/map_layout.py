"""Where everything stands on a map of characters: cities, their names, tracks and their signs.

The places come from the board's drawing. A character has room for two by four dots (braille), in
which tracks are drawn; names and signs take whole characters. Nothing here depends on a position
of the game, so a layout is made once for each size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import Final, NamedTuple

from branchline.core.board import Board
from branchline.drawing.drawings import drawing_for
from branchline.drawing.file_format import CAR_LENGTH, Drawing, Point
from branchline.engine.describe import Words

ACROSS: Final = 2  # dots in a character
DOWN: Final = 4
STRETCH: Final = 2.2  # how much wider or higher than in the drawing the map may be
DASH: Final = 3.5  # dots that a space needs to be told from the next one
SHORTEST: Final = 3  # letters of a name
ROUNDS: Final = 6
CROWDED: Final = 12.0  # what it costs to stand upon something else, for each character
CLOSE: Final = 1.5  # and to touch it

Cell = tuple[int, int]
"""Column and row of a character."""


class Sign(NamedTuple):
    """Characters in a row, and where they begin."""

    x: int
    y: int
    size: int

    def cells(self) -> list[Cell]:
        return [(self.x + k, self.y) for k in range(self.size)]


class Candidate(NamedTuple):
    """A place that a name or a sign may have, and how good it is by itself."""

    sign: Sign
    cost: float


class MapLayout:
    """The map of a board in `width` by `height` characters."""

    def __init__(self, board: Board, names: Sequence[str], width: int, height: int) -> None:
        drawing = drawing_for(board)
        self.width: Final = width
        self.height: Final = height
        self._scale: Final = _Scale(drawing, width, height)
        self.cities: Final = self._city_cells(drawing)
        self.tracks: Final = [self._track(drawing, k) for k in range(len(board.routes))]
        self.land: Final = self._land(drawing)
        self.labels: Final[list[Sign | None]] = []
        """Where a city's name stands, and how many of its letters; None: it finds no room."""
        self.signs: Final[list[Sign | None]] = []
        """Where a route has its colour and length; None: it finds no room."""
        self._write(names)

    # --- places from the drawing -----------------------------------------------------------------

    def _city_cells(self, drawing: Drawing) -> list[Cell]:
        """The character of each city; cities that fall on the same one move apart."""
        taken: set[Cell] = set()
        cells = []
        for place in drawing.cities.values():
            x, y = self._scale.cell((place.x, place.y))
            around = sorted(
                ((x + dx, y + dy) for dx in range(-4, 5) for dy in range(-2, 3)),
                key=lambda cell: hypot(cell[0] - x, 2 * (cell[1] - y)),
            )
            cell = next(
                (u, v)
                for u, v in [*around, (x, y)]
                if 0 <= u < self.width
                and 0 <= v < self.height
                and not taken.intersection({(u - 1, v), (u, v), (u + 1, v)})
            )
            taken.add(cell)
            cells.append(cell)
        return cells

    def _track(self, drawing: Drawing, route: int) -> list[Cell]:
        """The dots of a route: a dash for each space where there is room, else one line."""
        place, scale = drawing.routes[route], self._scale
        dashes = []
        for x, y, angle in place.spaces:
            dx, dy = cos(radians(angle)) * CAR_LENGTH / 2, sin(radians(angle)) * CAR_LENGTH / 2
            dashes.append((scale.dot((x - dx, y - dy)), scale.dot((x + dx, y + dy))))
        if min(hypot(b[0] - a[0], b[1] - a[1]) for a, b in dashes) < DASH:
            ends = [drawing.cities[id] for id in place.between]
            middle = [scale.dot((x, y)) for x, y, _ in place.spaces]
            points = [scale.dot((ends[0].x, ends[0].y)), *middle]
            points.append(scale.dot((ends[1].x, ends[1].y)))
            dashes = list(pairwise(points))
        else:
            dashes = [_shortened(a, b) for a, b in dashes]
        dots = dict.fromkeys(dot for a, b in dashes for dot in _line(a, b))
        return [(x, y) for x, y in dots if self._within(x // ACROSS, y // DOWN)]

    def _within(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def _land(self, drawing: Drawing) -> list[list[bool]]:
        """Which characters are land; where a drawing has no coast, all are."""
        if not drawing.land:
            return [[True] * self.width for _ in range(self.height)]
        rings = [ring for path in drawing.land for ring in _rings(path)]
        lakes = [ring for path in drawing.water for ring in _rings(path)]
        rows = []
        for y in range(self.height):
            level = self._scale.back((0.0, (y + 0.5) * DOWN))[1]
            row = [False] * self.width
            for ring in [*rings, *lakes]:  # a ring within another is a hole
                crossed = sorted(_crossings(ring, level))
                for west, east in zip(crossed[::2], crossed[1::2], strict=False):
                    first = round(self._scale.dot((west, level))[0] / ACROSS)
                    last = round(self._scale.dot((east, level))[0] / ACROSS)
                    for x in range(max(first, 0), min(last, self.width)):
                        row[x] = not row[x]
            rows.append(row)
        return rows

    # --- names and signs -------------------------------------------------------------------------

    def _write(self, names: Sequence[str]) -> None:
        """Find places for names and signs, by moving each to where it is best, again and again."""
        drawn = {(x // ACROSS, y // DOWN) for track in self.tracks for x, y in track}
        dots = set(self.cities)
        choices = [list(self._label_candidates(k, names[k], drawn)) for k in range(len(names))]
        choices += [list(self._sign_candidates(track)) for track in self.tracks]
        choices = [[c for c in some if not dots.intersection(c.sign.cells())] for some in choices]
        count: dict[Cell, int] = {}
        chosen: list[Candidate | None] = [None] * len(choices)
        for _ in range(ROUNDS):
            for k, some in enumerate(choices):
                before = chosen[k]
                if before is not None:
                    for cell in before.sign.cells():
                        count[cell] -= 1
                chosen[k] = _best(some, count)
                after = chosen[k]
                if after is not None:
                    for cell in after.sign.cells():
                        count[cell] = count.get(cell, 0) + 1
        self._settle(choices, chosen, len(names))

    def _settle(
        self, choices: list[list[Candidate]], chosen: list[Candidate | None], cities: int
    ) -> None:
        """Keep what stands alone; the rest takes the best place that is left, names first."""
        count: dict[Cell, int] = {}
        for one in chosen:
            for cell in one.sign.cells() if one is not None else ():
                count[cell] = count.get(cell, 0) + 1
        alone = [c is not None and all(count[p] == 1 for p in c.sign.cells()) for c in chosen]
        taken = {p for c, ok in zip(chosen, alone, strict=True) if c and ok for p in c.sign.cells()}
        places: list[Sign | None] = []
        for one, ok, some in zip(chosen, alone, choices, strict=True):
            if one is not None and ok:
                places.append(one.sign)
                continue
            free = [c for c in some if not taken.intersection(c.sign.cells())]
            sign = min(free, key=lambda c: c.cost).sign if free else None
            taken.update(sign.cells() if sign is not None else ())
            places.append(sign)
        self.labels.extend(places[:cities])
        self.signs.extend(places[cities:])

    def _label_candidates(self, city: int, name: str, drawn: set[Cell]) -> Iterator[Candidate]:
        x, y = self.cities[city]
        full = len(name)
        for size in range(min(SHORTEST, full), full + 1):
            if name[size - 1] == " ":
                continue
            cut = 2.0 + 7.0 * (full - size) / full if size < full else 0.0
            middle = x - size // 2
            for u, v, cost in (
                (x + 1, y, 0.0),
                (x - size, y, 0.4),
                (middle, y - 1, 0.9),
                (middle, y + 1, 0.9),
                (x, y - 1, 1.2),
                (x, y + 1, 1.2),
                (x - size + 1, y - 1, 1.3),
                (x - size + 1, y + 1, 1.3),
            ):
                sign = Sign(u, v, size)
                if self._within(u, v) and self._within(u + size - 1, v):
                    hidden = 0.5 * len(drawn.intersection(sign.cells()))
                    yield Candidate(sign, cut + cost + hidden)

    def _sign_candidates(self, track: list[Cell]) -> Iterator[Candidate]:
        """Places along a track, the middle first; next to it if need be."""
        cells = list(dict.fromkeys((x // ACROSS, y // DOWN) for x, y in track))
        last = max(len(cells) - 1, 1)
        for k, (x, y) in enumerate(cells):
            off = 4.0 * abs(k / last - 0.5)
            for dx, dy, cost in ((0, 0, 0.0), (-1, 0, 0.0), (1, 0, 3.0), (-2, 0, 3.0)):
                if self._within(x + dx, y + dy) and self._within(x + dx + 1, y + dy):
                    yield Candidate(Sign(x + dx, y + dy, 2), off + cost)


def _best(choices: list[Candidate], count: dict[Cell, int]) -> Candidate | None:
    best, least = None, float("inf")
    for one in choices:
        if one.cost < least:
            x, y, size = one.sign
            cost = one.cost + CROWDED * sum(count.get((x + k, y), 0) for k in range(size))
            cost += CLOSE * (count.get((x - 1, y), 0) + count.get((x + size, y), 0))
            if cost < least:
                best, least = one, cost
    return best


class _Scale:
    """Turns places of the drawing into dots. The frame around cities and tracks is left out."""

    def __init__(self, drawing: Drawing, width: int, height: int) -> None:
        cities = [(place.x, place.y) for place in drawing.cities.values()]
        spaces = [(x, y) for place in drawing.routes for x, y, _ in place.spaces]
        xs, ys = zip(*cities, *spaces, strict=True)
        self._left, self._top = min(xs), min(ys)
        across, down = max(max(xs) - self._left, 1.0), max(max(ys) - self._top, 1.0)
        wide, high = (width - 1) * ACROSS - 1, height * DOWN - DOWN
        x, y = wide / across, high / down
        self._x, self._y = min(x, y * STRETCH), min(y, x * STRETCH)
        self._dx = (width * ACROSS - across * self._x) / 2
        self._dy = (height * DOWN - down * self._y) / 2

    def dot(self, point: Point) -> Point:
        return (
            self._dx + (point[0] - self._left) * self._x,
            self._dy + (point[1] - self._top) * self._y,
        )

    def back(self, dot: Point) -> Point:
        return (
            self._left + (dot[0] - self._dx) / self._x,
            self._top + (dot[1] - self._dy) / self._y,
        )

    def cell(self, point: Point) -> Cell:
        x, y = self.dot(point)
        return int(x // ACROSS), int(y // DOWN)


def _shortened(a: Point, b: Point) -> tuple[Point, Point]:
    """A dash with a gap of about a dot behind it."""
    part = 0.75 / hypot(b[0] - a[0], b[1] - a[1])
    dx, dy = (b[0] - a[0]) * part, (b[1] - a[1]) * part
    return (a[0] + dx, a[1] + dy), (b[0] - dx, b[1] - dy)


def _line(a: Point, b: Point) -> Iterator[Cell]:
    """The dots from `a` to `b`."""
    steps = max(round(max(abs(b[0] - a[0]), abs(b[1] - a[1]))), 1)
    for k in range(steps + 1):
        part = k / steps
        yield int(a[0] + (b[0] - a[0]) * part), int(a[1] + (b[1] - a[1]) * part)


def _rings(path: str) -> Iterator[list[Point]]:
    """The rings of a path as `drawing.coast` writes it: one absolute point, then steps."""
    for ring in path.split("M")[1:]:
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", ring)]
        x = y = 0.0
        points = []
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            points.append((x, y))
        yield points


def _crossings(ring: list[Point], level: float) -> Iterator[float]:
    """Where a ring crosses a level line."""
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay <= level) != (by <= level):
            yield ax + (bx - ax) * (level - ay) / (by - ay)


@lru_cache(maxsize=32)
def _layout(digest: str, board: Board, names: tuple[str, ...], size: Cell) -> MapLayout:
    return MapLayout(board, names, *size)


def layout_of(words: Words, width: int, height: int) -> MapLayout:
    """The layout of a game's board in that size, with the names that the reader sees."""
    board = words.game.board
    names = tuple(words.city(k) for k in range(len(board.cities)))
    return _layout(board.digest, board, names, (max(width, 20), max(height, 8)))
