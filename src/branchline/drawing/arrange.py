"""The whole way from a board to its drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from branchline.core.board import Board
from branchline.drawing.coast import Coast, CoastData, Warp, line_path, ring_path
from branchline.drawing.format import (
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
    Furniture,
    Label,
    Palette,
    Point,
    RoutePlace,
)
from branchline.drawing.frame import framed
from branchline.drawing.labels import Spot, Thing, place_things, size_of, things_of
from branchline.drawing.project import projection_for
from branchline.drawing.relax import Relaxation
from branchline.drawing.shapes import (
    Corners,
    Curve,
    corners_of,
    corners_of_box,
    crossed,
)
from branchline.drawing.spaces import beside, hubs_of, place_cars, strands_of
from branchline.drawing.start import crossings_of_the_true_map, first_bends, homes_of

ROUNDS: Final = 8

Key = tuple[str, str]


class Arrangement:
    """A board on its way to a drawing, in coordinates of its own."""

    def __init__(self, board: Board, coast: CoastData | None, before: Drawing | None) -> None:
        self.board = board
        self.before = before
        self.strands = strands_of(board)
        self.hubs = hubs_of(len(board.cities), self.strands)
        homes, scale = homes_of(board, self.strands, self.hubs)
        self.coast = Coast(coast, projection_for(board), scale) if coast else None
        is_water = self.coast.is_water if self.coast else None
        self.true_homes = homes
        bends = first_bends(self.strands, homes, is_water)
        self.things = things_of(board)
        self.spots: list[Spot] = []
        if before is None:
            self.relaxation = Relaxation(self.strands, self.hubs, homes, bends=bends)
        else:
            self._begin_with(before, homes)

    def _begin_with(self, before: Drawing, homes: Sequence[Point]) -> None:
        """Everything where it was; what is fixed stays there."""
        places = [before.cities[city.id] for city in self.board.cities]
        shift_x = sum(p.x - h[0] for p, h in zip(places, homes, strict=True)) / len(homes)
        shift_y = sum(p.y - h[1] for p, h in zip(places, homes, strict=True)) / len(homes)
        rows = [before.routes[s.routes[0]] for s in self.strands]
        self.relaxation = Relaxation(
            self.strands,
            self.hubs,
            [(x + shift_x, y + shift_y) for x, y in homes],
            at=[(p.x, p.y) for p in places],
            bends={k: row.bend for k, row in enumerate(rows)},
            pinned={k for k, p in enumerate(places) if p.fixed},
            pinned_bends={k for k, row in enumerate(rows) if row.fixed},
        )

    def relax(self) -> None:
        """Cities and bends first, then in turn with the names until these cover nothing."""
        if self.before is None:
            self.relaxation.run(150, 0.03, (1.25, 1.0))
        self.relaxation.run(60, 0.01)
        kept = self._kept()
        before: dict[Key, Point] = {}
        for _ in range(ROUNDS):
            cars = [car for rows in self.cars() for row in rows for car in _rows_corners(row)]
            cities = self.relaxation.cities
            self.spots, bad = place_things(self.board, self.things, cities, cars, kept, before)
            if bad == 0.0:
                break
            boxes = []
            for thing, spot in zip(self.things, self.spots, strict=True):
                x, y = cities[thing.cities[0]]
                left, top, wide, high = spot.box
                before[thing.key] = left - x, top - y
                boxes.append((thing.cities[0], (left - x, top - y, wide, high)))
            self.relaxation.boxes = boxes
            self.relaxation.run(40, 0.006)

    def _kept(self) -> dict[Key, Spot]:
        """The places of names and furniture that someone has fixed."""
        if self.before is None:
            return {}
        kept = {
            ("label", name): Spot(label.box, 0.0, label.x, label.y, label.anchor, label.lines)
            for name, label in ((n, c.label) for n, c in self.before.cities.items())
            if label.fixed
        }
        for p in self.before.places:
            if p.fixed:
                box = (p.x - p.width / 2, p.y - p.height / 2, p.width, p.height)
                kept[p.rule, p.id] = Spot(box, 0.0, p.x, p.y)
        return kept

    def cars(self) -> list[list[list[tuple[float, float, float]]]]:
        """For each strand, for each of its routes, the cars."""
        return [
            place_cars(s, self.relaxation.curve(k), self.hubs[s.a], self.hubs[s.b])
            for k, s in enumerate(self.strands)
        ]


def _rows_corners(row: Sequence[tuple[float, float, float]]) -> list[Corners]:
    return [corners_of(x, y, angle, CAR_LENGTH, CAR_WIDTH) for x, y, angle in row]


def arrange(
    board: Board,
    mood: str,
    palettes: Mapping[str, Palette],
    coast: CoastData | None = None,
    before: Drawing | None = None,
) -> Drawing:
    """The drawing of a board. The same board gives the same drawing.

    With the drawing of `before`, things stay about where they were, and exactly where they are
    marked as fixed.
    """
    work = Arrangement(board, coast, before)
    work.relax()
    return _drawn(work, mood, palettes)


def _drawn(work: Arrangement, mood: str, palettes: Mapping[str, Palette]) -> Drawing:
    board, before = work.board, work.before
    cities = work.relaxation.cities
    solid = [car for rows in work.cars() for row in rows for car in _rows_corners(row)] + [
        corners_of_box((x - DOT, y - DOT, 2 * DOT, 2 * DOT)) for x, y in cities
    ]
    solid += [corners_of_box(spot.box) for spot in work.spots]
    frame, title, compass = framed(solid)
    ox, oy = -frame[0], -frame[1]

    def moved(point: Point) -> Point:
        return point[0] + ox, point[1] + oy

    def moved_box(box: Box) -> Box:
        return box[0] + ox, box[1] + oy, box[2], box[3]

    spots = {t.key: (t, s) for t, s in zip(work.things, work.spots, strict=True)}
    places = {}
    for city, (x, y) in zip(board.cities, cities, strict=True):
        _, spot = spots["label", city.id]
        old = before.cities[city.id] if before else None
        label = Label(
            x=spot.x + ox,
            y=spot.y + oy,
            anchor=spot.anchor,
            box=moved_box(spot.box),
            lines=spot.lines or {},
            fixed=bool(old and old.label.fixed),
        )
        fixed = bool(old and old.fixed)
        places[city.id] = CityPlace(x=x + ox, y=y + oy, label=label, fixed=fixed)
    return Drawing(
        board=board.id,
        digest=board.digest,
        width=frame[2],
        height=frame[3],
        car=Car(length=CAR_LENGTH, width=CAR_WIDTH),
        dot=DOT,
        font=FONT,
        line=LINE,
        mood=mood,
        palettes=dict(palettes),
        title=_frame(moved_box(title)),
        compass=_frame(moved_box(compass)),
        cities=places,
        routes=_routes(work, (ox, oy)),
        places=_furniture(board, spots, (ox, oy), before),
        crossings=_crossings(work),
        **_land(work, frame, (ox, oy)),
    )


def _frame(box: Box) -> Frame:
    return Frame(x=box[0], y=box[1], width=box[2], height=box[3])


def _furniture(
    board: Board, spots: Mapping[Key, tuple[Thing, Spot]], shift: Point, before: Drawing | None
) -> list[Furniture]:
    fixed = {(p.rule, p.id) for p in before.places if p.fixed} if before else set()
    result = []
    for (rule, name), (thing, spot) in spots.items():
        if rule != "label":
            wide, high = size_of(rule)
            place = Furniture(
                rule=rule,
                id=name,
                cities=[board.cities[k].id for k in thing.cities],
                x=spot.x + shift[0],
                y=spot.y + shift[1],
                width=wide,
                height=high,
                fixed=(rule, name) in fixed,
            )
            result.append(place)
    return result


def _routes(work: Arrangement, shift: Point) -> list[RoutePlace]:
    board, ox, oy = work.board, *shift
    routes: dict[int, RoutePlace] = {}
    for k, (strand, rows) in enumerate(zip(work.strands, work.cars(), strict=True)):
        curve = work.relaxation.curve(k)
        (bx, by), (cx, cy) = curve[1], curve[2]
        bend = (bx + ox, by + oy), (cx + ox, cy + oy)
        for index, lane, row in zip(strand.routes, strand.lanes, rows, strict=True):
            route = board.routes[index]
            line = beside(curve, lane)
            spaces = [(x + ox, y + oy, angle) for x, y, angle in row]
            if int(route.a) != strand.a:
                spaces = [(x, y, angle - 180.0) for x, y, angle in reversed(spaces)]
                line = line[3], line[2], line[1], line[0]
            routes[index] = RoutePlace(
                between=(board.cities[route.a].id, board.cities[route.b].id),
                bend=bend if int(route.a) == strand.a else (bend[1], bend[0]),
                path=curve_path(line, shift),
                spaces=[(x, y, (angle + 180.0) % 360.0 - 180.0) for x, y, angle in spaces],
                fixed=bool(work.before and work.before.routes[index].fixed),
            )
    return [routes[k] for k in range(len(board.routes))]


def curve_path(curve: Curve, shift: Point = (0.0, 0.0)) -> str:
    """A curve in the notation of SVG.

    >>> curve_path(((0, 0), (1, 0), (2, 0), (3, 0.5)))
    'M0 0C1 0 2 0 3 0.5'
    """
    a, b, c, d = (f"{x + shift[0]:.1f} {y + shift[1]:.1f}" for x, y in curve)
    return f"M{a}C{b} {c} {d}".replace(".0", "")


def _crossings(work: Arrangement) -> list[tuple[int, int]]:
    """The routes that cross in the drawing and have to, since they do on the true map."""
    pairs = crossings_of_the_true_map(work.strands, work.true_homes)
    curves = [work.relaxation.curve(k) for k in range(len(work.strands))]
    found = {pair for pair in combinations(range(len(curves)), 2) if pair in pairs}
    return sorted(
        (min(i, j), max(i, j))
        for one, two in found
        if crossed(curves[one], curves[two])
        for i in work.strands[one].routes
        for j in work.strands[two].routes
    )


def _land(work: Arrangement, frame: Box, shift: Point) -> dict[str, list[str]]:
    if work.coast is None:
        return {}
    warp = Warp(work.true_homes, work.relaxation.cities)
    box = (0.0, 0.0, frame[2], frame[3])

    def move(point: Point) -> Point:
        x, y = warp(point)
        return x + shift[0], y + shift[1]

    paths = {
        "land": ring_path(work.coast.land, move, box),
        "water": ring_path(work.coast.water, move, box),
        "parks": ring_path(work.coast.parks, move, box),
        "borders": line_path(work.coast.borders, move, box),
    }
    return {kind: [path] for kind, path in paths.items() if path}
