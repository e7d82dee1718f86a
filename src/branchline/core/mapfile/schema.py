"""The structure of map files and overlays, as types.

What depends on the languages and nouns of the catalogue is added to the types by decorators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, cast, get_args

import msgspec
from msgspec import Meta

from branchline.core.catalogue import LANGUAGES, NOUNS

T = TypeVar("T")

ID_WORDS: Final = "an id: small letters, digits and _, beginning with a letter"
Id = Annotated[
    str,
    Meta(pattern=r"^[a-z][a-z0-9_]{0,39}(?!\n)$", description=ID_WORDS, extra={"phrase": "an_id"}),
]
Text = Annotated[str, Meta(min_length=1, max_length=1000)]
CardColour = Literal["pink", "blue", "orange", "white", "green", "yellow", "black", "red"]
Pair = tuple[Id, Id]
RouteColour = Literal[CardColour, "gray"]
if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a map file; unknown fields are refused."""


def with_fields(fields: Iterable[tuple[str, Any, Any]]) -> Callable[[type[T]], type[T]]:
    """Adds optional fields, each with its name, type and default, to a class of `Data`."""

    def extend(kind: type[T]) -> type[T]:
        options: dict[str, Any] = {"frozen": True, "kw_only": True, "module": kind.__module__}
        own = {"__doc__": kind.__doc__}
        made = msgspec.defstruct(kind.__name__, fields, bases=(kind,), namespace=own, **options)
        return cast("type[T]", made)

    return extend


def in_every_language(prefix: str = "") -> Callable[[type[T]], type[T]]:
    """Adds a text for each language to a class of `Data`: a field of the prefix and its id."""
    known = [prefix + lang for lang in LANGUAGES]
    text = Annotated[str, Meta(max_length=1000)]

    def extend(kind: type[T]) -> type[T]:
        new = [name for name in known if name not in kind.__annotations__]
        return with_fields((name, text, "") for name in new)(kind)

    return extend


@in_every_language("name_")
class CityData(Data, frozen=True, kw_only=True):
    """A city: its name as the board prints it, and where it lies on the globe.

    `name_en`, `name_fr` and so on are for languages that have their own name for it.
    """

    name: Text
    lat: Annotated[float, Meta(ge=-90, le=90)]
    lon: Annotated[float, Meta(ge=-180, le=180)]


class RouteData(Data, frozen=True, kw_only=True):
    """A route. Two routes between the same two cities make a double route."""

    between: Pair
    length: Annotated[int, Meta(ge=1, le=20)]
    colour: RouteColour
    locomotives: Annotated[int, Meta(ge=0, le=20)] = 0
    tunnel: bool = False
    any_cards: Annotated[int, Meta(ge=0, le=20)] = 0


class TicketData(Data, frozen=True, kw_only=True):
    """A destination ticket."""

    between: Pair
    points: Annotated[int, Meta(ge=1, le=1000)]
    long: bool = False


@in_every_language()
class ProvenanceData(Data, frozen=True, kw_only=True):
    """Where a part of the board comes from, in English and perhaps in other languages."""

    part: Text
    status: Literal["exact", "sourced", "reconstructed", "replaced"]
    en: Text


class NounData(Data, frozen=True, kw_only=True):
    """The board's own word for a thing: one, several, with either article, and none of it."""

    one: Text
    other: Text
    a: Text
    the: Text
    no: Text


class ColourData(Data, frozen=True, kw_only=True):
    """The board's own word for a colour: by itself, with one card or route, with several."""

    name: Text
    one: str = ""
    other: str = ""
    a_card: str = ""
    letter: Annotated[str, Meta(max_length=1)] = ""


@with_fields((noun, NounData | None, None) for noun in NOUNS)
@with_fields((colour, ColourData | None, None) for colour in get_args(CardColour))
class WordsData(Data, frozen=True, kw_only=True):
    """What a board calls things and colours; what is missing has its usual word."""


class RuleData(msgspec.Struct, frozen=True):
    """A rule by its name; its parameters are further fields."""

    rule: Text


Tickets = Annotated[list[TicketData], Meta(min_length=1, max_length=200)]
RuleItems = Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=100)]


class MapData(Data, frozen=True, kw_only=True):
    """A whole map file."""

    format: Literal[1]
    id: Id
    name: Annotated[dict[str, Text], Meta(extra_json_schema={"required": ["en"]})]
    seats: tuple[int, int]
    trains: Annotated[int, Meta(ge=1, le=200)]
    colours: Annotated[list[CardColour], Meta(min_length=1)]
    cities: Annotated[dict[Id, CityData], Meta(min_length=2, max_length=200)]
    routes: Annotated[list[RouteData], Meta(min_length=1, max_length=400)]
    tickets: Tickets
    rules: Annotated[list[RuleData], Meta(min_length=1, max_length=100)]
    words: dict[Language, WordsData] = {}
    provenance: Annotated[list[ProvenanceData], Meta(max_length=100)] = []
    earlier: Annotated[list[Text], Meta(max_length=100)] = []
    """Digests of the board before changes to its rules alone: records made then are shown on it."""


class OverlayData(Data, frozen=True, kw_only=True):
    """A file that replaces lists of a board: what an owner of the box reads off the cards.

    In addition to these fields, a list named after a rule replaces the list of that rule.
    """

    format: Literal[1]
    overlay_for: Id
    tickets: Tickets = []
    rules: RuleItems = []
    """Rules with other parameters than the board's, or rules that it does not have."""
    without: list[Id] = []
    """Rules of the board that are not played."""
    provenance: Annotated[list[ProvenanceData], Meta(max_length=100)] = []


def map_schema() -> dict[str, Any]:
    """The JSON Schema of map files. It requires nothing of a rule but its name."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": "Branchline map file", **msgspec.json.schema(MapData)}
