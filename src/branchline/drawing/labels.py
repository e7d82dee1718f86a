"""Places for names, and for what a rule keeps near a city, where they cover nothing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from typing import Final, NamedTuple

from branchline.core.board import Board, City
from branchline.core.catalogue import LANGUAGES
from branchline.drawing.file_format import (
    CLEAR,
    DOT,
    FONT,
    LINE,
    PRINTED,
    Anchor,
    Box,
    Label,
    Point,
)
from branchline.drawing.geometry import Bar, bounds, boxes_overlap, flat_bar, overlap
from branchline.drawing.places import SIZES, places_of

UP: Final = 0.74 * FONT  # how far letters reach above their base, and below it
DOWN: Final = 0.24 * FONT
WIDTHS: Final = {  # of letters, in parts of their size, in a bold face without serifs
    0.32: " iIlj.,'’|!-",
    0.42: "ftr()/",
    0.62: "bdghnopquxkaecsvyzFLJT0123456789",
    0.76: "ABCDEGHKNOPQRSUVXYZ&",
    0.95: "mwMW",
}
_WIDTH: Final = {letter: width for width, letters in WIDTHS.items() for letter in letters}


class Spot(NamedTuple):
    """One way to place a thing: its box, its cost, and for names how they are set."""

    box: Box
    cost: float
    x: float = 0.0
    y: float = 0.0
    anchor: Anchor = "middle"
    lines: dict[str, list[str]] | None = None


class Thing:
    """Something that needs room near one city or between several.

    `key` is "label" and the city's id, or a rule's name and the id of what it puts there; `size`
    is the width and height of the latter.
    """

    def __init__(
        self, cities: list[int], key: tuple[str, str], size: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        self.cities = cities
        self.key = key
        self.size = size


def text_width(text: str) -> float:
    """An estimate of the width of a label's text, on the wide side."""
    letters = unicodedata.normalize("NFD", text)
    plain = [c for c in letters if not unicodedata.combining(c)]
    return FONT * sum(_WIDTH.get(c, 0.8) for c in plain) + 2.0


def breaks(name: str) -> list[list[str]]:
    """The name in one line and, if it has several words, in two.

    >>> breaks("Empire State Building")
    [['Empire State Building'], ['Empire State', 'Building']]
    """
    ways = [[name]]
    cuts = [k + 1 for k, letter in enumerate(name) if letter in " -" and 2 < k < len(name) - 3]
    if cuts:
        cut = min(cuts, key=lambda k: max(text_width(name[:k]), text_width(name[k:])))
        ways.append([name[:cut].strip(), name[cut:].strip()])
    return ways


def things_of(board: Board) -> list[Thing]:
    """Everything that needs room: the names, and what the board's rules put on the map."""
    labels = [Thing([int(city.index)], ("label", city.id)) for city in board.cities]
    places = [Thing(p.cities, (p.rule, p.id), SIZES[p.shape]) for p in places_of(board)]
    return labels + places


def spots_for(board: Board, thing: Thing, cities: Sequence[Point], rings: int = 7) -> list[Spot]:
    """The ways to place a thing, the usual ones first; other things than names in `rings`."""
    if thing.key[0] == "label":
        return _label_spots(board, thing.cities[0], cities[thing.cities[0]])
    xs = [cities[k][0] for k in thing.cities]
    ys = [cities[k][1] for k in thing.cities]
    middle = sum(xs) / len(xs), sum(ys) / len(ys)
    wide, high = thing.size
    spots = []
    start = DOT + 2.0 if len(xs) == 1 else 0.0
    for ring in range(rings):
        for k, (ux, uy) in enumerate(_ROUND):
            away = start + 7.0 * ring
            x = middle[0] + ux * (away + wide / 2)
            y = middle[1] + uy * (away + high / 2)
            box = (x - wide / 2, y - high / 2, wide, high)
            spots.append(Spot(box, 1.5 * ring + 0.01 * k, x, y))
    return spots


_ROUND: Final = [
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.0, -1.0),
    (0.0, 1.0),
    (0.8, -0.8),
    (0.8, 0.8),
    (-0.8, -0.8),
    (-0.8, 0.8),
    (1.0, -0.45),
    (1.0, 0.45),
    (-1.0, -0.45),
    (-1.0, 0.45),
    (0.45, -1.0),
    (-0.45, -1.0),
    (0.45, 1.0),
    (-0.45, 1.0),
]


def _extent(lines: Mapping[str, Sequence[str]]) -> tuple[float, float]:
    """How wide and high a label is at most, whatever the language."""
    wide = max(text_width(line) for text in lines.values() for line in text)
    return wide, UP + DOWN + LINE * (max(map(len, lines.values())) - 1)


def spot_of(label: Label) -> Spot:
    """The spot of a label that someone may have changed; its box follows from the rest."""
    wide, high = _extent(label.lines)
    left = label.x - {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
    box = (left, label.y - UP, wide, high)
    return Spot(box, 0.0, label.x, label.y, label.anchor, label.lines)


def names_of(city: City) -> dict[str, str]:
    """The names of a city that its label has room for."""
    others = {lang: city.named(lang) for lang in LANGUAGES if city.named(lang) != city.name}
    return {PRINTED: city.name, **others}


def _label_spots(board: Board, city: int, at: Point) -> list[Spot]:
    names = names_of(board.cities[city])
    spots = []
    for rows in (0, 1):
        ways = {lang: breaks(name) for lang, name in names.items()}
        if rows and all(len(way) == 1 for way in ways.values()):
            break
        lines = {lang: way[min(rows, len(way) - 1)] for lang, way in ways.items()}
        wide, high = _extent(lines)
        for ring in range(4):
            for k, (ux, uy) in enumerate(_ROUND):
                away = DOT + 2.0 + 5.0 * ring
                anchor: Anchor = "start" if ux > 0.5 else "end" if ux < -0.5 else "middle"
                if anchor == "middle":
                    x, left = at[0] + ux * wide / 2, at[0] + ux * wide / 2 - wide / 2
                else:
                    x = at[0] + (away if ux > 0 else -away) * (1.0 if abs(uy) < 0.6 else 0.7)
                    left = x if ux > 0 else x - wide
                middle = at[1] + uy * (away + high / 2)
                top = middle - high / 2
                box = (left, top, wide, high)
                cost = 2.0 * ring + 0.1 * k + 1.0 * rows
                spots.append(Spot(box, cost, x, top + UP, anchor, lines))
    return spots


class Ground:
    """What a thing must not cover: the cars and the dots."""

    def __init__(self, cars: Iterable[Bar], cities: Sequence[Point], air: float = CLEAR) -> None:
        self._air = air
        self._cells: dict[tuple[int, int], list[Bar]] = {}
        self._cities = cities
        for car in cars:
            for cell in _cells(bounds(car.corners)):
                self._cells.setdefault(cell, []).append(car)

    def cost(self, box: Box, own: Sequence[int]) -> float:
        """How much of the ground a box covers; 0 if nothing, with some room around it."""
        cost = 0.0
        shape = flat_bar(box)
        seen: set[Bar] = set()
        for cell in _cells(box):
            for car in self._cells.get(cell, ()):
                depth = overlap(shape, car) + self._air
                if depth > 0.0 and car not in seen:
                    seen.add(car)
                    cost += 12.0 + 4.0 * depth if depth > self._air - 1.0 else depth
        left, top, wide, high = box
        for k, (x, y) in enumerate(self._cities):
            away = hypot(x - min(max(x, left), left + wide), y - min(max(y, top), top + high))
            if away < DOT + 0.2:
                cost += 60.0
            elif k not in own and self._air and away < 2.2 * DOT:
                cost += 4.0  # a name near a foreign dot is read as that city's
        return cost


def _cells(box: Box) -> Iterable[tuple[int, int]]:
    x, y, w, h = box
    for cx in range(int((x - 8) // 40), int((x + w + 8) // 40) + 1):
        for cy in range(int((y - 8) // 40), int((y + h + 8) // 40) + 1):
            yield cx, cy


def place_things(
    board: Board,
    things: Sequence[Thing],
    cities: Sequence[Point],
    cars: Sequence[Bar],
    held: Mapping[tuple[str, str], Spot],
    failed: Mapping[tuple[str, str], Sequence[Point]],
) -> list[Spot]:
    """The best place found for each thing; those that are `held` stay where they are.

    Places where a thing has `failed` to find room, relative to its city, cost more.
    """
    ground = Ground(cars, cities)
    choices: list[list[tuple[float, Spot]]] = []
    for thing in things:
        if thing.key in held:
            choices.append([(0.0, held[thing.key])])
            continue
        x, y = cities[thing.cities[0]]
        bad = [(u + x, v + y) for u, v in failed.get(thing.key, ())]
        ranked = []
        for spot in spots_for(board, thing, cities):
            again = sum(hypot(spot.box[0] - u, spot.box[1] - v) < 12.0 for u, v in bad)
            cost = spot.cost + ground.cost(spot.box, thing.cities) + 8.0 * again
            ranked.append((cost, spot))
        ranked.sort(key=lambda choice: choice[0])
        choices.append(ranked[:24])
    chosen = [ranked[0] for ranked in choices]
    areas = [
        bounds([c for _, spot in ranked for c in flat_bar(spot.box).corners]) for ranked in choices
    ]
    near = [
        [j for j, area in enumerate(areas) if j != k and boxes_overlap(areas[k], area, CLEAR)]
        for k in range(len(things))
    ]
    for _ in range(6):
        changed = False
        for k in range(len(things)):
            others = [chosen[j][1].box for j in near[k]]
            best = min(choices[k], key=lambda choice: choice[0] + over(choice[1].box, others))
            changed |= best is not chosen[k]
            chosen[k] = best
        if not changed:
            break
    return [spot for _, spot in chosen]


def costs_of(
    things: Sequence[Thing], spots: Sequence[Spot], cities: Sequence[Point], cars: Sequence[Bar]
) -> list[float]:
    """What is wrong with the place of each thing; 0.0 if nothing."""
    ground = Ground(cars, cities, air=0.0)
    boxes = [spot.box for spot in spots]
    return [
        ground.cost(boxes[k], thing.cities) + over(boxes[k], boxes[:k] + boxes[k + 1 :], 0.0)
        for k, thing in enumerate(things)
    ]


def moved_spot(spot: Spot, box: Box, city: Point | None) -> Spot:
    """The spot, moved to where its box has gone; a name is aligned towards the city, if given."""
    left, top, wide, _ = box
    if city is None or spot.lines is None:
        dx, dy = left - spot.box[0], top - spot.box[1]
        return spot._replace(box=box, x=spot.x + dx, y=spot.y + dy)
    right, left_of = left >= city[0], left + wide <= city[0]
    anchor: Anchor = "start" if right else "end" if left_of else "middle"
    x = left if right else left + wide if left_of else left + wide / 2
    return spot._replace(box=box, x=x, y=top + UP, anchor=anchor)


def over(box: Box, others: Sequence[Box], air: float = CLEAR) -> float:
    """What it costs that a box covers others."""
    return sum(60.0 for other in others if boxes_overlap(box, other, air))
