"""The drawings that come with the program, and new ones for other boards."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from typing import Final

import msgspec

from branchline.core.board import Board, City
from branchline.drawing.coast import CoastData
from branchline.drawing.file_format import Drawing, Label, Palette, Texture, read_drawing
from branchline.drawing.generation import Look, generate, regenerate
from branchline.drawing.labels import names_of, things_of
from branchline.drawing.scenery import Sceneries, Scenery

FOLDER = resources.files("branchline.maps") / "drawings"


class Moods(msgspec.Struct, frozen=True):
    """The moods that pictures can have, and which board has which."""

    boards: dict[str, str]
    usual: str
    textures: dict[str, Texture]
    palettes: dict[str, dict[str, Palette]]

    def look_of(self, board: Board, mood: str = "") -> Look:
        """How a board looks; in another mood than its own, if it is a known one."""
        if mood not in self.palettes:
            mood = self.boards.get(board.id, self.usual)
        return Look(mood, self.palettes[mood], self.textures[mood], scenery_of(board))


# Made beforehand: msgspec crashes when threads are the first to decode a type at the same time.
_MOODS: Final = msgspec.json.Decoder(Moods)
_SCENERIES: Final = msgspec.json.Decoder(Sceneries)
_COAST: Final = msgspec.json.Decoder(CoastData)


@cache
def moods() -> Moods:
    return _MOODS.decode((FOLDER / "moods.json").read_bytes())


@cache
def _sceneries() -> Sceneries:
    return _SCENERIES.decode((FOLDER / "scenery.json").read_bytes())


def scenery_of(board: Board) -> Scenery:
    """The rivers, mountains and small drawings of a board; none for one that nobody has drawn."""
    return _sceneries().of(board.id)


def coast_for(board: Board) -> CoastData:
    """The coast cut out for that board, or a coarser one of the whole world."""
    file = FOLDER / f"{board.id}.coast.json"
    if not file.is_file():
        file = FOLDER / "world.coast.json"
    return _COAST.decode(file.read_bytes())


@cache
def stored_drawing(name: str) -> Drawing | None:
    """The drawing that is stored under a board's id, if there is one."""
    file = FOLDER / f"{name}.json"
    return read_drawing(file.read_bytes()) if file.is_file() else None


def fits(drawing: Drawing, board: Board) -> bool:
    """Whether a drawing shows that board: its cities, its routes, and what its rules keep there."""
    ids = [city.id for city in board.cities]
    routes = [((ids[r.a], ids[r.b]), int(r.length)) for r in board.routes]
    things = [thing.key for thing in things_of(board) if thing.key[0] != "label"]
    return (
        drawing.board == board.id
        and list(drawing.cities) == ids
        and [(place.between, len(place.spaces)) for place in drawing.routes] == routes
        and [(place.rule, place.id) for place in drawing.places] == things
        and all(_named(drawing.cities[city.id].label, city) for city in board.cities)
    )


def _named(label: Label, city: City) -> bool:
    """Whether a label shows the city's names, in whatever lines."""
    shown = {lang: "".join(lines).replace(" ", "") for lang, lines in label.lines.items()}
    return shown == {lang: name.replace(" ", "") for lang, name in names_of(city).items()}


def make_drawing(board: Board, thorough: bool = False) -> Drawing:
    """A new drawing of a board, whatever is stored; see `generate`."""
    return generate(board, moods().look_of(board), coast_for(board), thorough)


def tuned_drawing(board: Board, before: Drawing, still: bool = False) -> Drawing:
    """The drawing of `before`, improved around what is fixed in it; see `regenerate`."""
    look = moods().look_of(board, before.mood)
    return regenerate(board, before, look, coast_for(board), still)


class _BoardKey:
    """What a drawing depends on, so that equal boards share one."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._key = (
            board.digest,
            *((c.name, *c.names.values(), c.lat, c.lon) for c in board.cities),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BoardKey) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=32)
def _new_drawing(asked: _BoardKey) -> Drawing:
    return make_drawing(asked.board)


def drawing_for(board: Board) -> Drawing:
    """The drawing of any board: the stored one if it fits, or else a new one.

    A new one takes a few seconds, and the same board always gets the same.

    >>> from branchline.core.mapfile import builtin_boards, load_board
    >>> board = load_board(builtin_boards()[0])
    >>> drawing = drawing_for(board)
    >>> len(drawing.routes) == len(board.routes)
    True
    """
    stored = stored_drawing(board.id)
    return stored if stored is not None and fits(stored, board) else _new_drawing(_BoardKey(board))
