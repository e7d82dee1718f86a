"""An arrangement of a board: cities, curves, cars and names are placed together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from branchline.core.board import Board
from branchline.drawing.coast import Coast, CoastData
from branchline.drawing.file_format import (
    BED_WIDTH,
    CAR_LENGTH,
    CAR_WIDTH,
    Drawing,
    Point,
    RoutePlace,
)
from branchline.drawing.geometry import Bar, bar, flat_bar, line_bar, overlap
from branchline.drawing.grid import total_overlap
from branchline.drawing.initial_layout import first_bends, true_positions_of
from branchline.drawing.labels import (
    Ground,
    Spot,
    costs_of,
    moved_spot,
    over,
    place_things,
    spot_of,
    spots_for,
    things_of,
)
from branchline.drawing.movable_boxes import MovableBox
from branchline.drawing.projection import projection_for
from branchline.drawing.relaxation import Relaxation
from branchline.drawing.route_spaces import (
    Strand,
    approaches,
    clearances_of,
    place_cars,
    strands_of,
    turn_of,
)

ROUNDS: Final = 4

Key = tuple[str, str]
Space = tuple[float, float, float]
Snapshot = tuple[list[float], list[float], list[tuple[float, float]], list[Spot]]


class Arrangement:
    """A board on its way to a drawing, in its own coordinates.

    `zoom` is how much larger than usual it begins. With the drawing of `before` it begins there
    instead, and what is fixed in that stays.
    """

    def __init__(
        self, board: Board, coast: CoastData | None, before: Drawing | None, zoom: float
    ) -> None:
        self.board = board
        self.before = before
        self.strands = strands_of(board)
        self.clearances = clearances_of(len(board.cities), self.strands)
        homes, scale = true_positions_of(board, self.strands, self.clearances, zoom)
        self.coast = Coast(coast, projection_for(board), scale) if coast else None
        is_water = self.coast.is_water if self.coast else None
        self.true_positions = homes
        bends = first_bends(self.strands, homes, is_water)
        self.things = things_of(board)
        self.spots: list[Spot] = []
        self._kept: dict[Key, Spot] = {}
        if before is None:
            self.relaxation = Relaxation(self.strands, self.clearances, homes, bends=bends)
        else:
            self._begin_with(before)

    def _begin_with(self, before: Drawing) -> None:
        """Everything where it was; what is fixed stays there."""
        places = [before.cities[city.id] for city in self.board.cities]
        rows = [self._row(before, strand) for strand in self.strands]
        at = [(p.x, p.y) for p in places]
        self.relaxation = Relaxation(
            self.strands,
            self.clearances,
            fitted(self.true_positions, at),
            at=at,
            bends={k: row.bend for k, row in enumerate(rows)},
            ends={k: row.ends for k, row in enumerate(rows)},
            pinned={k for k, p in enumerate(places) if p.fixed},
            pinned_bends={k for k, row in enumerate(rows) if row.fixed},
        )
        spots: dict[Key, Spot] = {}
        for name, city in before.cities.items():
            spots["label", name] = spot_of(city.label)
            if city.label.fixed:
                self._kept["label", name] = spots["label", name]
        for p in before.places:
            box = (p.x - p.width / 2, p.y - p.height / 2, p.width, p.height)
            spots[p.rule, p.id] = Spot(box, 0.0, p.x, p.y)
            if p.fixed:
                self._kept[p.rule, p.id] = spots[p.rule, p.id]
        self.spots = [spots[thing.key] for thing in self.things]

    def _row(self, before: Drawing, strand: Strand) -> RoutePlace:
        """The route that determines the curve of a strand, turned to run from `a` to `b`."""
        rows = [before.routes[k] for k in strand.routes]
        row = next((row for row in rows if row.fixed), rows[0])
        if row.between[0] == self.board.cities[strand.a].id:
            return row
        return msgspec.structs.replace(row, bend=row.bend[::-1], ends=row.ends[::-1])

    def relax(self, rounds: int = ROUNDS) -> float:
        """Cities and bends first, then together with the names; returns what is still wrong.

        When nothing is wrong the remaining rounds straighten what was bent on the way.
        """
        stay = {thing.key for thing in self.things} if self.spots else set()
        if not self.spots:
            self.relaxation.run(140, 0.03, (1.25, 1.0))
            self.relaxation.run(40, 0.01)
        failed: dict[Key, list[Point]] = {}
        least, best = float("inf"), self._snapshot()
        for _ in range(rounds):
            self._place_things(stay, failed)
            self.relaxation.run(60, 0.006)
            self.relaxation.run(12, 0.0)
            cities = self.relaxation.cities
            for k, box in enumerate(self.relaxation.boxes):
                city = None if box.pinned else cities[box.cities[0]]
                self.spots[k] = moved_spot(self.spots[k], box.box, city)
            cars = self.bars()
            costs = costs_of(self.things, self.spots, cities, cars)
            wrong = sum(costs) + 10.0 * total_overlap(cars) + 100.0 * len(self.relaxation.tangles())
            if wrong <= least:
                least, best = wrong, self._snapshot()
            stay = {t.key for t, cost in zip(self.things, costs, strict=True) if not cost}
            for thing, spot in zip(self.things, self.spots, strict=True):
                if thing.key not in stay:
                    x, y = cities[thing.cities[0]]
                    failed.setdefault(thing.key, []).append((spot.box[0] - x, spot.box[1] - y))
        self._restore(best)
        return least

    def _snapshot(self) -> Snapshot:
        r = self.relaxation
        return r.xs.copy(), r.ys.copy(), r.ends.copy(), self.spots.copy()

    def _restore(self, snapshot: Snapshot) -> None:
        r = self.relaxation
        r.xs, r.ys, r.ends, self.spots = snapshot

    def strain(self) -> float:
        """How far from plain it is: how much curves turn, and how far cars are from cities."""
        turns = [turn_of(self.relaxation.curve(k)) for k in range(len(self.strands))]
        ends = self.relaxation.ends
        late = [
            sum(ends[k]) - self.clearances[s.a] - self.clearances[s.b]
            for k, s in enumerate(self.strands)
        ]
        return (sum(turns) + sum(late) / 40.0) / len(self.strands)

    def clear_tracks(self) -> None:
        """What rules put on the map moves off the lines between cities and cars, if it can."""
        cities = self.relaxation.cities
        ground = Ground(self.bars(), cities, air=0.0)
        tracks = [
            line_bar(a, b, BED_WIDTH)
            for k, strand in enumerate(self.strands)
            for a, b in approaches(strand, self.relaxation.curve(k), self.relaxation.ends[k])
        ]
        for k, thing in enumerate(self.things):
            if thing.key[0] == "label" or thing.key in self._kept:
                continue
            others = [spot.box for spot in self.spots[:k] + self.spots[k + 1 :]]
            spots = [self.spots[k], *spots_for(self.board, thing, cities, rings=3)]
            costs = [
                100.0 * (ground.cost(spot.box, thing.cities) + over(spot.box, others))
                + sum(max(0.0, overlap(flat_bar(spot.box), track)) for track in tracks)
                + 3.0 * spot.cost
                for spot in spots
            ]
            self.spots[k] = spots[costs.index(min(costs))]

    def _place_things(self, stay: Collection[Key], failed: Mapping[Key, Sequence[Point]]) -> None:
        """New places for the things that have no good one; they stay attached there."""
        cities = self.relaxation.cities
        held = dict(self._kept)
        for thing, spot in zip(self.things, self.spots, strict=False):
            if thing.key in stay:
                held[thing.key] = spot
        self.spots = place_things(self.board, self.things, cities, self.bars(), held, failed)
        self.relaxation.boxes = [
            MovableBox(thing.cities, spot.box, cities, thing.key in self._kept)
            for thing, spot in zip(self.things, self.spots, strict=True)
        ]

    def cars(self) -> list[list[list[Space]]]:
        """For each strand, for each of its routes, the cars."""
        return [
            place_cars(s, self.relaxation.curve(k), self.relaxation.ends[k])
            for k, s in enumerate(self.strands)
        ]

    def bars(self) -> list[Bar]:
        """All cars as boxes."""
        rows: Iterable[list[Space]] = (row for strand in self.cars() for row in strand)
        return [bar(x, y, angle, CAR_LENGTH, CAR_WIDTH) for row in rows for x, y, angle in row]


def fitted(points: Sequence[Point], others: Sequence[Point]) -> list[Point]:
    """The points, all moved and made larger or smaller alike, as near to the others as can be.

    >>> fitted([(0.0, 0.0), (1.0, 0.0)], [(5.0, 5.0), (7.0, 5.0)])
    [(5.0, 5.0), (7.0, 5.0)]
    """
    n = len(points)
    px, py = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    qx, qy = sum(x for x, _ in others) / n, sum(y for _, y in others) / n
    pairs = list(zip(points, others, strict=True))
    both = sum((x - px) * (u - qx) + (y - py) * (v - qy) for (x, y), (u, v) in pairs)
    own = sum((x - px) ** 2 + (y - py) ** 2 for x, y in points)
    scale = max(0.1, both / own) if own else 1.0
    return [(qx + scale * (x - px), qy + scale * (y - py)) for x, y in points]
