"""From a board to its drawing: the best of a few arrangements, framed, with its land."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from branchline.core.board import Board
from branchline.drawing.arrangement import ROUNDS, Arrangement, Key
from branchline.drawing.coast import CoastData, line_path, mover, ring_path
from branchline.drawing.file_format import (
    CAR_LENGTH,
    CAR_WIDTH,
    DOT,
    FONT,
    LINE,
    Box,
    Car,
    CityPlace,
    Drawing,
    Frame,
    Label,
    Palette,
    PlaceBox,
    Point,
    RoutePlace,
    Texture,
)
from branchline.drawing.geometry import flat_bar
from branchline.drawing.initial_layout import crossings_of_the_true_map
from branchline.drawing.labels import Spot
from branchline.drawing.picture_frame import framed
from branchline.drawing.route_spaces import path_of
from branchline.drawing.scenery import Scenery, with_scenery
from branchline.drawing.touch_up import touch_up

QUICK: Final = (1.0, 1.12, 1.3)
THOROUGH: Final = (1.0, 1.05, 1.1, 1.15, 1.2)
LARGE: Final = 1.6  # how much strain it is worth to keep the map small


class Look(NamedTuple):
    """A mood with its colours and its texture, and what makes the place what it is."""

    mood: str
    palettes: Mapping[str, Palette]
    texture: Texture
    scenery: Scenery


def generate(
    board: Board,
    look: Look,
    coast: CoastData | None = None,
    thorough: bool = False,
) -> Drawing:
    """The drawing of a board. Equal boards have equal drawings.

    Usually the first size at which nothing covers anything is taken. A `thorough` search takes
    its time, tries several, and takes the plainest.
    """
    best, least = None, (float("inf"), 0.0)
    for zoom in THOROUGH if thorough else QUICK:
        work = Arrangement(board, coast, None, zoom)
        wrong = work.relax(2 * ROUNDS) if thorough else work.relax()
        score = wrong, work.strain() + LARGE * zoom
        if score < least:
            best, least = work, score
        if not wrong and not thorough:
            break
    assert best is not None
    return _drawing_of(best, look)


def regenerate(
    board: Board,
    before: Drawing,
    look: Look,
    coast: CoastData | None = None,
    still: bool = False,
) -> Drawing:
    """The drawing of `before`, improved: what is fixed stays, the rest moves.

    If `still`, no city and no label moves, and a curve bends only if a piece on it would cover
    another; cars, paths, frame and land are made anew.
    """
    work = Arrangement(board, coast, before, 1.0)
    if not still:
        work.relax(2 * ROUNDS)
    return _drawing_of(work, look)


def _drawing_of(work: Arrangement, look: Look) -> Drawing:
    board, before = work.board, work.before
    touch_up(work.relaxation, [flat_bar(spot.box) for spot in work.spots])
    work.clear_tracks()
    solid = work.bars()
    solid += [flat_bar((x - DOT, y - DOT, 2 * DOT, 2 * DOT)) for x, y in work.relaxation.cities]
    solid += [flat_bar(spot.box) for spot in work.spots]
    kept = [_fixed(before.title), _fixed(before.compass)] if before else [None, None]
    frame, title, compass = framed(solid, *kept)
    shift = -frame[0], -frame[1]
    drawing = Drawing(
        board=board.id,
        digest=board.digest,
        width=frame[2],
        height=frame[3],
        car=Car(length=CAR_LENGTH, width=CAR_WIDTH),
        dot=DOT,
        font=FONT,
        line=LINE,
        mood=look.mood,
        palettes=dict(look.palettes),
        texture=look.texture,
        title=_frame(_moved(title, shift), kept[0] is not None),
        compass=_frame(_moved(compass, shift), kept[1] is not None),
        cities=_cities(work, shift),
        routes=_routes(work, shift),
        places=_place_boxes(work, shift),
        crossings=_crossings(work),
    )
    return _with_land(drawing, work, shift, look.scenery)


def _moved(box: Box, shift: Point) -> Box:
    return box[0] + shift[0], box[1] + shift[1], box[2], box[3]


def _fixed(frame: Frame) -> Box | None:
    return (frame.x, frame.y, frame.width, frame.height) if frame.fixed else None


def _frame(box: Box, fixed: bool) -> Frame:
    return Frame(x=box[0], y=box[1], width=box[2], height=box[3], fixed=fixed)


def _spots(work: Arrangement) -> dict[Key, Spot]:
    return {thing.key: spot for thing, spot in zip(work.things, work.spots, strict=True)}


def _cities(work: Arrangement, shift: Point) -> dict[str, CityPlace]:
    spots = _spots(work)
    cities = {}
    for city, (x, y) in zip(work.board.cities, work.relaxation.cities, strict=True):
        spot = spots["label", city.id]
        old = work.before.cities[city.id] if work.before else None
        label = Label(
            x=spot.x + shift[0],
            y=spot.y + shift[1],
            anchor=spot.anchor,
            box=_moved(spot.box, shift),
            lines=spot.lines or {},
            fixed=bool(old and old.label.fixed),
        )
        fixed = bool(old and old.fixed)
        place = CityPlace(x=x + shift[0], y=y + shift[1], label=label, fixed=fixed)
        cities[city.id] = place
    return cities


def _place_boxes(work: Arrangement, shift: Point) -> list[PlaceBox]:
    before = work.before.places if work.before else []
    fixed = {(place.rule, place.id) for place in before if place.fixed}
    result = []
    for thing, spot in zip(work.things, work.spots, strict=True):
        rule, name = thing.key
        if rule != "label":
            wide, high = thing.size
            place = PlaceBox(
                rule=rule,
                id=name,
                cities=[work.board.cities[k].id for k in thing.cities],
                x=spot.x + shift[0],
                y=spot.y + shift[1],
                width=wide,
                height=high,
                fixed=thing.key in fixed,
            )
            result.append(place)
    return result


def _routes(work: Arrangement, shift: Point) -> list[RoutePlace]:
    board, ox, oy = work.board, *shift
    routes: dict[int, RoutePlace] = {}
    for k, (strand, rows) in enumerate(zip(work.strands, work.cars(), strict=True)):
        a, b, c, d = ((x + ox, y + oy) for x, y in work.relaxation.curve(k))
        ends = work.relaxation.ends[k]
        for index, lane, row in zip(strand.routes, strand.lanes, rows, strict=True):
            route = board.routes[index]
            spaces = [(x + ox, y + oy, angle) for x, y, angle in row]
            forth = int(route.a) == strand.a
            if not forth:
                spaces = [(x, y, angle + 180.0) for x, y, angle in reversed(spaces)]
            routes[index] = RoutePlace(
                between=(board.cities[route.a].id, board.cities[route.b].id),
                bend=(b, c) if forth else (c, b),
                ends=ends if forth else (ends[1], ends[0]),
                path=path_of(strand, (a, b, c, d), lane, ends),
                spaces=[(x, y, (angle + 180.0) % 360.0 - 180.0) for x, y, angle in spaces],
                fixed=bool(work.before and work.before.routes[index].fixed),
            )
    return [routes[k] for k in range(len(board.routes))]


def _crossings(work: Arrangement) -> list[tuple[int, int]]:
    """The routes that cross in the drawing and may, since they do on the true map."""
    true = crossings_of_the_true_map(work.strands, work.true_positions)
    return sorted(
        (min(i, j), max(i, j))
        for one, two in work.relaxation.tangles()
        if (one, two) in true
        for i in work.strands[one].routes
        for j in work.strands[two].routes
    )


def _with_land(drawing: Drawing, work: Arrangement, shift: Point, scenery: Scenery) -> Drawing:
    if work.coast is None:
        return drawing
    move = mover(work.true_positions, work.relaxation.cities, shift)
    box = (0.0, 0.0, drawing.width, drawing.height)
    paths = {
        "land": ring_path(work.coast.land, move, box),
        "water": ring_path(work.coast.water, move, box),
        "parks": ring_path(work.coast.parks, move, box),
        "borders": line_path(work.coast.borders, move, box),
    }
    shapes = {kind: [path] for kind, path in paths.items() if path}
    drawing = msgspec.structs.replace(drawing, **shapes)
    return with_scenery(drawing, scenery, work.coast, move)
