"""The drawing file: where everything lies on the picture of a board.

One JSON file for each board, written so that people can read and change it. Lengths are in the
picture's own units, `x` to the right and `y` down from the upper left corner; angles are in
degrees, clockwise from the x axis. What is marked `fixed` stays when the picture is made again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

CAR_LENGTH: Final = 32.0
CAR_WIDTH: Final = 12.0
CAR_GAP: Final = 3.0  # between two cars of a route, at least
PIECE_LENGTH: Final = 33.0  # of what a player puts on a space, as pieces.ts of the page draws it
PIECE_WIDTH: Final = 17.5
BED_WIDTH: Final = 8.4  # of the line below a train
LANE: Final = 18.0  # between the middles of the two routes of a double: room for pieces
DOT: Final = 7.0  # the radius of a city's dot
FONT: Final = 15.0  # the size of the letters of a label
LINE: Final = 16.0  # from one line of a label to the next
CLEAR: Final = 3.0  # between things that belong to different routes or cities, at least

PRINTED: Final = "printed"  # the names as the board prints them, among those of languages

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, width, height
Anchor = Literal["start", "middle", "end"]


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a drawing file; what has its usual value is not written."""


class Car(Part, frozen=True, kw_only=True):
    """The size of every space of the board."""

    length: float
    width: float


class Label(Part, frozen=True, kw_only=True):
    """Where a city's name stands: the end, middle or beginning of its first line, on its base."""

    x: float
    y: float
    anchor: Anchor
    box: Box  # room for the names in all languages
    lines: dict[str, list[str]]  # one or two, as printed and in languages with another name
    fixed: bool = False


class CityPlace(Part, frozen=True, kw_only=True):
    """The middle of a city's dot, and its label."""

    x: float
    y: float
    label: Label
    fixed: bool = False


class RoutePlace(Part, frozen=True, kw_only=True):
    """One route: a curve from its first city to its second, and the spaces along it.

    The curve is a cubic one; `bend` holds its two inner points. The routes of a double have equal
    bends and run side by side, unless they differ in length. The cars stand in the middle of
    what is left of the curve when `ends` are taken off at the two cities. `path` is the middle
    line of this route in the notation of SVG, and each of the `spaces` has the middle and the
    angle of a car.
    """

    between: tuple[str, str]
    bend: tuple[Point, Point]
    ends: tuple[float, float]
    path: str
    spaces: list[tuple[float, float, float]]
    fixed: bool = False


class PlaceBox(Part, frozen=True, kw_only=True):
    """Room for something that a rule of the board keeps near a city."""

    rule: str  # the rule's name in the board's list
    id: str  # which of the rule's things
    cities: list[str]
    x: float  # the middle
    y: float
    width: float
    height: float
    fixed: bool = False


class Frame(Part, frozen=True, kw_only=True):
    """A box that is free of everything else."""

    x: float  # the upper left corner
    y: float
    width: float
    height: float
    fixed: bool = False


class Palette(Part, frozen=True, kw_only=True):
    """The colours of everything but the cars. Labels are readable on land and on sea."""

    sea: str
    sea_deep: str  # towards the edges of the picture
    shore: str  # the glow along the coast
    land: str
    land_edge: str  # the coast line
    border: str
    park: str
    label: str
    halo: str  # around the letters
    dot: str
    dot_edge: str
    track: str  # the line beneath the spaces
    ink: str  # title and compass


class Texture(Part, frozen=True, kw_only=True):
    """Lines that repeat over land and sea, as paths without filling."""

    grain: str  # on the land, in tiles of 48 by 48
    waves: str  # on the sea, in tiles of 64 by 40


class SceneryPlace(Part, frozen=True, kw_only=True):
    """Where a small drawing stands: the middle of its box, and how wide and high that is."""

    art: str  # its name among the drawing's art
    x: float
    y: float
    size: float


Stroke = tuple[str, str, float, str]
"""A part of a small drawing: the palette's colours of the filling and of the line, either may be
empty; the width of the line; the path, in a box of 40 by 40."""


class Drawing(Part, frozen=True, kw_only=True):
    """A whole drawing file."""

    format: Literal[1] = 1  # always written
    board: str
    digest: str  # of the board that it was made for
    width: float
    height: float
    car: Car
    dot: float
    font: float
    line: float
    mood: str
    palettes: dict[str, Palette]  # "light" and "dark"
    texture: Texture
    title: Frame
    compass: Frame
    cities: dict[str, CityPlace]
    routes: list[RoutePlace]  # in the board's order
    places: list[PlaceBox] = []
    crossings: list[tuple[int, int]] = []  # routes that cross on the true map too
    land: list[str] = []  # paths to be filled
    water: list[str] = []  # lakes, upon the land
    parks: list[str] = []
    borders: list[str] = []  # lines
    rivers: list[str] = []
    ranges: list[str] = []  # the lines along which mountains stand
    scenery: list[SceneryPlace] = []  # what stands further up comes first
    art: dict[str, list[Stroke]] = {}  # by the names that the scenery uses


# Made beforehand: msgspec crashes when threads are the first to decode a type at the same time.
_DECODER: Final = msgspec.json.Decoder(Drawing)


def read_drawing(text: bytes | str) -> Drawing:
    """The drawing in a file; raises `msgspec.ValidationError` where the file is wrong."""
    return _DECODER.decode(text)


def write_drawing(drawing: Drawing) -> str:
    """The file of a drawing: one line for each city, route and shape.

    >>> from branchline.core.mapfile import builtin_boards
    >>> from branchline.drawing.drawings import stored_drawing
    >>> drawing = stored_drawing(builtin_boards()[0])
    >>> read_drawing(write_drawing(drawing)) == drawing
    True
    """
    data: Mapping[str, Any] = {"format": 1, **_tidied(msgspec.to_builtins(drawing))}
    return "{\n" + ",\n".join(f" {_text(k)}: {_block(v)}" for k, v in data.items()) + "\n}\n"


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _block(value: object) -> str:
    if isinstance(value, dict) and any(isinstance(item, dict | list) for item in value.values()):
        lines = [f"{_text(key)}: {_text(item)}" for key, item in value.items()]
        return "{\n  " + ",\n  ".join(lines) + "\n }"
    if isinstance(value, list) and value:
        return "[\n  " + ",\n  ".join(_text(item) for item in value) + "\n ]"
    return _text(value)


def _tidied(value: Any) -> Any:
    """The same with numbers of one decimal, or none where that is enough."""
    if isinstance(value, float):
        short = round(value, 1)
        return int(short) if short == int(short) else short
    if isinstance(value, dict):
        return {key: _tidied(item) for key, item in value.items()}
    return [_tidied(item) for item in value] if isinstance(value, list | tuple) else value
