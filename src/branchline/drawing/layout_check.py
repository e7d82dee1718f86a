"""The layout check: whether everything on a drawing can be seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import hypot
from typing import NamedTuple

from branchline.core.board import Board
from branchline.drawing.file_format import (
    LANE,
    PIECE_LENGTH,
    PIECE_WIDTH,
    Box,
    Drawing,
    Frame,
    Point,
)
from branchline.drawing.geometry import (
    Bar,
    Ruler,
    bar,
    bounds,
    boxes_overlap,
    crossings,
    distance_to,
    flat_bar,
    overlap,
)
from branchline.drawing.grid import near_pairs
from branchline.drawing.route_spaces import clearances_of, strands_of

TOUCH = 0.3  # what rounding may add


class LayoutProblem(NamedTuple):
    """One thing that is wrong: its kind, the two things concerned, and where."""

    kind: str
    one: str
    two: str
    x: float
    y: float


class Solid(NamedTuple):
    """Something that takes room."""

    kind: str  # "space", "label", "place", "title" or "compass"
    name: str
    shape: Bar
    box: Box


def check_drawing(board: Board, drawing: Drawing) -> list[LayoutProblem]:
    """Everything that is wrong with a drawing of a board; none if all can be seen.

    >>> from branchline.core.mapfile import builtin_boards, load_board
    >>> from branchline.drawing.drawings import drawing_for
    >>> board = load_board(builtin_boards()[0])
    >>> check_drawing(board, drawing_for(board))
    []
    """
    solids = list(_solids(board, drawing))
    return [
        *_overlaps(solids),
        *_pieces(board, drawing),
        *_over_dots(drawing, solids),
        *_outside(drawing, solids),
        *_crossings(board, drawing),
        *_doubles(board, drawing),
    ]


def _solids(board: Board, drawing: Drawing) -> Iterator[Solid]:
    car = drawing.car
    for k, route in enumerate(drawing.routes):
        for n, (x, y, angle) in enumerate(route.spaces):
            shape = bar(x, y, angle, car.length, car.width)
            yield Solid("space", f"{board.route_name(k)} {k}.{n}", shape, bounds(shape.corners))
    for name, city in drawing.cities.items():
        yield _solid("label", name, city.label.box)
    for p in drawing.places:
        box = (p.x - p.width / 2, p.y - p.height / 2, p.width, p.height)
        yield _solid("place", f"{p.rule} {p.id}", box)
    yield _solid("title", drawing.board, _box(drawing.title))
    yield _solid("compass", drawing.board, _box(drawing.compass))


def _solid(kind: str, name: str, box: Box) -> Solid:
    return Solid(kind, name, flat_bar(box), box)


def _box(frame: Frame) -> Box:
    return frame.x, frame.y, frame.width, frame.height


def _overlaps(solids: list[Solid]) -> Iterator[LayoutProblem]:
    for one, two in combinations(solids, 2):
        if boxes_overlap(one.box, two.box) and overlap(one.shape, two.shape) > TOUCH:
            kind = f"{one.kind} over {two.kind}"
            yield LayoutProblem(kind, one.name, two.name, one.box[0], one.box[1])


def _pieces(board: Board, drawing: Drawing) -> Iterator[LayoutProblem]:
    """Pieces that would cover each other: they are wider than their spaces."""
    names, pieces = [], []
    for k, route in enumerate(drawing.routes):
        for n, (x, y, angle) in enumerate(route.spaces):
            names.append(f"{board.route_name(k)} {k}.{n}")
            pieces.append(bar(x, y, angle, PIECE_LENGTH, PIECE_WIDTH))
    for i, j in near_pairs(pieces):
        if overlap(pieces[i], pieces[j]) > TOUCH:
            x, y = pieces[i][:2]
            yield LayoutProblem("piece over piece", names[i], names[j], x, y)


def _over_dots(drawing: Drawing, solids: list[Solid]) -> Iterator[LayoutProblem]:
    for name, city in drawing.cities.items():
        for solid in solids:
            if distance_to(solid.shape, (city.x, city.y)) < drawing.dot - TOUCH:
                yield LayoutProblem(f"{solid.kind} over dot", solid.name, name, city.x, city.y)
    for (one, a), (two, b) in combinations(drawing.cities.items(), 2):
        if hypot(a.x - b.x, a.y - b.y) < 2 * drawing.dot:
            yield LayoutProblem("dot over dot", one, two, a.x, a.y)


def _outside(drawing: Drawing, solids: list[Solid]) -> Iterator[LayoutProblem]:
    for kind, name, _, (x, y, w, h) in solids:
        if x < 0 or y < 0 or x + w > drawing.width or y + h > drawing.height:
            yield LayoutProblem(f"{kind} outside", name, "frame", x, y)
    for name, city in drawing.cities.items():
        if not (0 <= city.x <= drawing.width and 0 <= city.y <= drawing.height):
            yield LayoutProblem("dot outside", name, "frame", city.x, city.y)


def _crossings(board: Board, drawing: Drawing) -> Iterator[LayoutProblem]:
    """Routes that cross, other than close to a city that both share."""
    strands = strands_of(board)
    clearances = clearances_of(len(board.cities), strands)
    lines = []
    for strand in strands:
        first = drawing.routes[strand.routes[0]]
        ends = [drawing.cities[name] for name in first.between]
        a, b = ((city.x, city.y) for city in ends)
        lines.append(Ruler((a, *first.bend, b)).points)
    listed = set(drawing.crossings)
    for i, j in combinations(range(len(strands)), 2):
        one, two = strands[i], strands[j]
        pair = min(one.routes[0], two.routes[0]), max(one.routes[0], two.routes[0])
        shared = {one.a, one.b} & {two.a, two.b}
        for place in crossings(lines[i], lines[j]):
            if pair not in listed and not any(
                _near(drawing, board, k, place) < clearances[k] for k in shared
            ):
                names = board.route_name(one.routes[0]), board.route_name(two.routes[0])
                yield LayoutProblem("routes cross", *names, *place)


def _near(drawing: Drawing, board: Board, city: int, place: Point) -> float:
    at = drawing.cities[board.cities[city].id]
    return hypot(at.x - place[0], at.y - place[1])


def _doubles(board: Board, drawing: Drawing) -> Iterator[LayoutProblem]:
    """The cars of a double stand side by side, at one distance and one angle."""
    for route in board.routes:
        if route.twin <= route.index or board.routes[route.twin].length != route.length:
            continue
        one, two = drawing.routes[route.index].spaces, drawing.routes[route.twin].spaces
        if board.routes[route.twin].a != route.a:
            two = [(x, y, angle + 180.0) for x, y, angle in reversed(two)]
        for (x, y, angle), (u, v, turn) in zip(one, two, strict=True):
            apart = hypot(u - x, v - y)
            askew = abs((turn - angle + 180.0) % 360.0 - 180.0)
            if abs(apart - LANE) > 0.5 or askew > 0.5:
                name = board.route_name(route.index)
                yield LayoutProblem("double not parallel", name, name, x, y)
