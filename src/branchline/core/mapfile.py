"""Map files: reading a board from TOML, checking it, and replacing its lists by overlays.

Structure is what the `…Data` classes say; `_check` adds what only the whole file can tell. Both
collect every problem before they complain. What the rules need is checked where rules are known.
Problems are data; the words for them are in the message catalogue, under `maps`.

>>> board = load_board(builtin_boards()[0])
>>> board_from_data(board.source, "again").digest == board.digest
True
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta

from branchline.core.board import GRAY, Board, City, Provenance, Route, RuleEntry, Ticket
from branchline.core.catalogue import say
from branchline.maps import BOARDS, OVERLAYS

T = TypeVar("T")

MAX_SEATS: Final = 8
MAX_BYTES: Final = 1_000_000

ID_WORDS: Final = "an id: small letters, digits and _, beginning with a letter"
Id = Annotated[
    str,
    Meta(pattern=r"^[a-z][a-z0-9_]{0,39}(?!\n)$", description=ID_WORDS, extra={"phrase": "an_id"}),
]
Text = Annotated[str, Meta(min_length=1, max_length=1000)]
CityName = Annotated[str, Meta(max_length=1000)]
CardColour = Literal["pink", "blue", "orange", "white", "green", "yellow", "black", "red"]
Pair = tuple[Id, Id]
RouteColour = Literal[CardColour, "gray"]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a map file; unknown fields are refused."""


class CityData(Data, frozen=True, kw_only=True):
    """A city: its name as the board prints it, and where it lies on the globe.

    `name_en` and `name_fr` are for languages that have a name of their own for it.
    """

    name: Text
    lat: Annotated[float, Meta(ge=-90, le=90)]
    lon: Annotated[float, Meta(ge=-180, le=180)]
    name_en: CityName = ""
    name_fr: CityName = ""


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


class ProvenanceData(Data, frozen=True, kw_only=True):
    """Where a part of the board comes from."""

    part: Text
    status: Literal["exact", "sourced", "reconstructed", "replaced"]
    en: Text
    fr: Text


class NounData(Data, frozen=True, kw_only=True):
    """The board's own word for a thing: one, several, with either article, and none of it."""

    one: Text
    other: Text
    a: Text
    the: Text
    no: Text


class ColourData(Data, frozen=True, kw_only=True):
    """The board's own word for a colour: by itself, beside one card or route, beside several."""

    name: Text
    one: str = ""
    other: str = ""
    a_card: str = ""
    letter: Annotated[str, Meta(max_length=1)] = ""


class WordsData(Data, frozen=True, kw_only=True):
    """What a board calls things; what is missing has its usual word."""

    train: NounData | None = None
    locomotive: NounData | None = None
    train_card: NounData | None = None
    city: NounData | None = None
    attraction: NounData | None = None
    pink: ColourData | None = None
    blue: ColourData | None = None
    orange: ColourData | None = None
    white: ColourData | None = None
    green: ColourData | None = None
    yellow: ColourData | None = None
    black: ColourData | None = None
    red: ColourData | None = None


class RuleData(msgspec.Struct, frozen=True):
    """A rule by its name; its parameters stand beside the name."""

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
    words: dict[Literal["en", "fr"], WordsData] = {}
    provenance: Annotated[list[ProvenanceData], Meta(max_length=100)] = []
    earlier: Annotated[list[Text], Meta(max_length=100)] = []
    """Digests of the board before changes to its rules alone: records made then are shown on it."""


class OverlayData(Data, frozen=True, kw_only=True):
    """A file that replaces lists of a board: what an owner of the box reads off the cards."""

    format: Literal[1]
    overlay_for: Id
    tickets: Tickets = []
    festivals: RuleItems = []
    province_mat: RuleItems = []
    rules: RuleItems = []
    """Rules with other parameters than the board's, or rules that it does not have."""
    without: list[Id] = []
    """Rules of the board that are not played."""
    provenance: Annotated[list[ProvenanceData], Meta(max_length=100)] = []


RULE_LISTS: Final = {"festivals": "sets", "province_mat": "lines"}
"""The rules whose list an overlay may replace, with the parameter that holds the list."""


class Phrase(msgspec.Struct, frozen=True):
    """A few words about a map file, by their key under `maps` in the catalogue."""

    code: str
    values: dict[str, Any] = {}

    def told(self, lang: str) -> str:
        """The phrase in `lang`. Phrases among its values are told first."""
        values = {k: v.told(lang) if isinstance(v, Phrase) else v for k, v in self.values.items()}
        return say(f"maps.{self.code}", lang, **values)


def phrase(code: str, **values: object) -> Phrase:
    return Phrase(code, values)


def as_is(text: object) -> Phrase:
    """What needs no translation: a piece of the file, a number, a list of ids."""
    return Phrase("as_is", {"text": str(text)})


class MapProblem(msgspec.Struct, frozen=True):
    """One thing that is wrong with a map file: where, what is found there, what would be right."""

    place: str
    found: Phrase
    right: Phrase
    hint: str = ""
    """The known word that is closest to the wrong one, if there is one."""

    @property
    def message(self) -> str:
        """What is found, in English."""
        return self.found_in("en")

    @property
    def expected(self) -> str:
        """What would be right, in English."""
        return self.expected_in("en")

    def found_in(self, lang: str) -> str:
        return self.found.told(lang)

    def expected_in(self, lang: str) -> str:
        right = self.right.told(lang)
        return say("maps.hint", lang, right=right, word=self.hint) if self.hint else right

    def told(self, lang: str) -> str:
        """The whole problem in one line."""
        words = {"found": self.found_in(lang), "expected": self.expected_in(lang)}
        return say("maps.problem", lang, place=self.place, **words)

    def __str__(self) -> str:
        return self.told("en")


class MapError(ValueError):
    """A map file that can't be used, with everything that is wrong with it."""

    def __init__(self, path: str, problems: Sequence[MapProblem]) -> None:
        super().__init__(path, problems)
        self.path: Final = path
        self.problems: Final = list(problems)

    def told(self, lang: str) -> str:
        """Every problem, one to a line."""
        return "\n".join(
            say("maps.of_file", lang, path=self.path, problem=p.told(lang)) for p in self.problems
        )

    def __str__(self) -> str:
        return self.told("en")


def builtin_boards() -> list[str]:
    """The ids of the boards that come with the program."""
    return list(BOARDS)


def load_board(name_or_path: str, overlays: Sequence[str] = ()) -> Board:
    """The board of that id, or of that `.toml` file, with overlays (names or files) applied.

    Overlays named by the environment come first; those for other boards are passed over there.
    Raises `MapError` with every problem of the first file that can't be used.
    """
    board = board_from_data(_read(name_or_path), name_or_path)
    if name_or_path not in BOARDS and _hides_builtin(board):
        raise _error(name_or_path, "id", phrase("built_in", board=board.id), phrase("own_id"))
    for path in filter(None, os.environ.get("BRANCHLINE_OVERLAYS", "").split(os.pathsep)):
        overlay = _fitted(_read(path), OverlayData, path)
        if overlay.overlay_for == board.id:
            board = _overlaid(board, overlay, path)
    for path in overlays:
        board = _overlaid(board, _fitted(_read(path), OverlayData, path), path)
    return board


def _hides_builtin(board: Board) -> bool:
    """Whether a board has the id of a built-in one, by which records and overlays know that one."""
    ours = board.id in BOARDS
    return ours and board.digest != board_from_data(_read(board.id), board.id).digest


def overlay_target(path: str) -> str | None:
    """The id of the board that a file is an overlay for; None if it is not an overlay."""
    if path in BOARDS or not path.endswith(".toml"):
        return None
    target = _read(path).get("overlay_for")
    return target if isinstance(target, str) else None


def board_from_data(data: Mapping[str, object], where: str) -> Board:
    """The board that a file's content describes; `where` names the content in complaints."""
    try:
        plain: dict[str, Any] = msgspec.to_builtins(data)
        file = _fitted(plain, MapData, where)
        problems = list(_check(file))
        if problems:
            raise MapError(where, problems)
        return _board(file, plain)
    except RecursionError:
        raise _error(where, "file", phrase("nested"), phrase("a_map_file")) from None


def map_schema() -> dict[str, Any]:
    """The JSON Schema of map files. Of a rule it asks the name only."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": "Branchline map file", **msgspec.json.schema(MapData)}


def closest(word: object, known: Iterable[str]) -> str:
    """The known word that is closest to `word`, or nothing."""
    close = difflib.get_close_matches(str(word)[:40], list(known), n=1)
    return close[0] if close else ""


def misfits(value: object, kind: Any, place: str) -> list[MapProblem]:
    """Every place within `value` that is not of type `kind`; none if it converts."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        problems = [p for part in _parts(value, _bare(kind), place) for p in misfits(*part)]
        problems += _unknown_fields(value, _bare(kind), place)
        shown = _cut(json.dumps(value, ensure_ascii=False))
        found = phrase("missing") if value is None else as_is(shown)
        return problems or [MapProblem(place, found, *_expected(value, kind, error))]
    return []


def place_of(name: str, index: int, item: object) -> str:
    """The place of an item of a list, with the words by which an author finds it there."""
    match item:
        case {"between": [str(a), str(b)]}:
            return f"{name}[{index}] ({_cut(a)}–{_cut(b)})"
        case {"rule": str(word)} | {"id": str(word)} | {"part": str(word)}:
            return f"{name}[{index}] ({_cut(word)})"
    return f"{name}[{index}]"


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) in (Annotated, UnionType) else kind


def _fields(kind: Any) -> tuple[msgspec.structs.FieldInfo, ...]:
    is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return msgspec.structs.fields(kind) if is_struct else ()


def _parts(value: Any, kind: Any, place: str) -> Iterator[tuple[object, Any, str]]:
    """The parts of a table or list, each with the type that it should have and its place."""
    stem = f"{place}." if place else ""
    if isinstance(value, dict):
        for field in _fields(kind):
            if field.required or field.encode_name in value:
                yield value.get(field.encode_name), field.type, stem + field.encode_name
        if get_origin(kind) is dict:
            for key, item in value.items():
                yield from zip((key, item), get_args(kind), [stem + _cut(key)] * 2, strict=True)
    elif isinstance(value, list) and get_origin(kind) in (list, tuple):
        for i, item in enumerate(value):
            yield item, get_args(kind)[0], place_of(place, i, item)


def _unknown_fields(value: Any, kind: Any, place: str) -> Iterator[MapProblem]:
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, Data):
        known = [field.encode_name for field in _fields(kind)]
        for name in sorted(value.keys() - set(known)):
            right = as_is(", ".join(known)) if known else phrase("no_parameters")
            at = f"{place}.{_cut(name)}".lstrip(".")
            yield MapProblem(at, phrase("unknown_field"), right, closest(name, known))


def _expected(value: object, kind: Any, error: msgspec.ValidationError) -> tuple[Phrase, str]:
    """What an author should write instead, and the closest known word.

    In words rather than types where we have them.
    """
    bare = _bare(kind)
    if bare is not kind and get_args(kind)[1].extra:
        return phrase(get_args(kind)[1].extra["phrase"]), ""
    if get_origin(bare) is Literal:
        choices = [str(choice) for choice in get_args(bare)]
        return as_is(", ".join(choices)), closest(value, choices)
    words = str(error).removeprefix("Expected ").partition(", got")[0].replace("`", "")
    return _type_phrase(words), ""


TYPES: Final = ("int", "float", "str", "bool", "array", "object")
LIMIT: Final = re.compile(r"(\w+)( of length)?(?: (>=|<=))? ([0-9.-]+)")
LIMITS: Final = {">=": "at_least", "<=": "at_most", None: "exactly"}


def _type_phrase(words: str) -> Phrase:
    """What the library expects, in our words: "int >= 1", "array of length 2"."""
    if words in TYPES:
        return phrase(f"type.{words}")
    limit = LIMIT.fullmatch(words)
    if limit is None or limit[1] not in TYPES:
        return as_is(words)
    size = "length" if limit[2] else "number"
    of = {"type": phrase(f"type.{limit[1]}"), "limit": limit[4].removesuffix(".0")}
    return Phrase(f"{size}.{LIMITS[limit[3]]}", of)


def _fitted(data: object, kind: type[T], where: str) -> T:
    problems = misfits(msgspec.to_builtins(data), kind, "")
    if problems:
        raise MapError(where, problems)
    return msgspec.convert(data, kind)


def _error(path: str, place: str, found: Phrase, right: Phrase, hint: str = "") -> MapError:
    return MapError(path, [MapProblem(place, found, right, hint)])


FILE_ERRORS: Final[dict[type[OSError], str]] = {
    FileNotFoundError: "no_file",
    IsADirectoryError: "a_folder",
    PermissionError: "no_permission",
}


def _read(name_or_path: str) -> dict[str, Any]:
    if name_or_path in BOARDS:
        file: Traversable = resources.files("branchline.maps") / f"{name_or_path}.toml"
    elif name_or_path in OVERLAYS:
        file = resources.files("branchline.maps") / "overlays" / f"{name_or_path}.toml"
    elif name_or_path.endswith(".toml"):
        file = Path(name_or_path)
    else:
        known = phrase("a_name", known=", ".join(BOARDS))
        hint = closest(name_or_path, BOARDS)
        raise _error(name_or_path, "name", phrase("unknown_name"), known, hint)
    try:
        with file.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        code = next((word for kind, word in FILE_ERRORS.items() if isinstance(error, kind)), "")
        found = phrase(code) if code else as_is(error.strerror)
        raise _error(name_or_path, "file", found, phrase("a_file")) from None
    if len(content) > MAX_BYTES:
        raise _error(name_or_path, "file", phrase("too_large"), phrase("bytes", most=MAX_BYTES))
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        message, _, place = str(error).rstrip(")").partition(" (at ")
        found = phrase("not_toml", text=message)
        raise _error(name_or_path, place or "file", found, phrase("toml")) from None


def _overlaid(board: Board, overlay: OverlayData, path: str) -> Board:
    if overlay.overlay_for != board.id:
        right = phrase("this_board", board=board.id)
        raise _error(path, "overlay_for", as_is(overlay.overlay_for), right)
    data: dict[str, Any] = {"provenance": [], **board.source}
    if overlay.tickets:
        data["tickets"] = msgspec.to_builtins(overlay.tickets)
        data["provenance"] = _replaced(data["provenance"], "tickets")
    for rule, parameter in RULE_LISTS.items():
        items = getattr(overlay, rule)
        if items and all(entry.name != rule for entry in board.rules):
            raise _error(path, rule, phrase("no_such_rule"), phrase("its_lists"))
        if items:
            new = {parameter: items}
            data["rules"] = [r | new if r["rule"] == rule else r for r in data["rules"]]
            data["provenance"] = _replaced(data["provenance"], rule)
    if overlay.rules or overlay.without:
        data["rules"] = _other_rules(data["rules"], overlay, path)
        data["provenance"] = _replaced(data["provenance"], "rules")
    told = {p.part: msgspec.to_builtins(p) for p in overlay.provenance}
    data["provenance"] = [told.get(p["part"], p) for p in data["provenance"]]
    return board_from_data(data, path)


def _other_rules(
    rules: list[dict[str, Any]], overlay: OverlayData, path: str
) -> list[dict[str, Any]]:
    """A board's rules as an overlay changes them: some replaced or added, some left out."""
    listed = [rule["rule"] for rule in rules]
    for name in overlay.without:
        if name not in listed:
            raise _error(path, "without", phrase("no_rule", rule=name), phrase("its_rules"))
    new: dict[str, dict[str, Any]] = {}
    for rule in overlay.rules:
        if not isinstance(rule.get("rule"), str):
            raise _error(path, "rules", phrase("nameless_rule"), phrase("rule_names"))
        new[rule["rule"]] = rule
    kept = [new.pop(rule["rule"], rule) for rule in rules if rule["rule"] not in overlay.without]
    return kept + list(new.values())


def _replaced(provenance: list[dict[str, Any]], part: str) -> list[dict[str, Any]]:
    """The provenance with `part`, and what belongs to it, marked as replaced."""
    mark = {"status": "replaced", "en": "From an overlay.", "fr": "D'un fichier d'appoint."}
    inside = [p for p in provenance if f"{p['part']}.".startswith(f"{part}.")] or [{"part": part}]
    return [p for p in provenance if p not in inside] + [p | mark for p in inside]


def _check(file: MapData) -> Iterator[MapProblem]:
    """What is wrong with a file whose every field is well formed."""
    if "en" not in file.name:
        yield MapProblem("name.en", phrase("missing"), phrase("english_name"))
    low, high = file.seats
    if not 1 <= low <= high <= MAX_SEATS:
        found = phrase("from_to", low=low, high=high)
        yield MapProblem("seats", found, phrase("seats", most=MAX_SEATS))
    if len(set(file.colours)) < len(file.colours):
        yield MapProblem("colours", phrase("colour_twice"), phrase("each_colour"))
    for i, route in enumerate(file.routes):
        place = place_of("routes", i, {"between": route.between})
        if route.colour not in (*file.colours, "gray"):
            known = as_is(", ".join((*file.colours, "gray")))
            yield MapProblem(f"{place}.colour", as_is(route.colour), known)
        if route.locomotives > route.length:
            found = as_is(route.locomotives)
            yield MapProblem(f"{place}.locomotives", found, phrase("up_to_length"))
        if route.any_cards == 1:
            yield MapProblem(f"{place}.any_cards", as_is(1), phrase("two_or_none"))
    yield from _check_words(file)
    yield from _check_pairs(file, "routes", [r.between for r in file.routes], 2)
    yield from _check_pairs(file, "tickets", [t.between for t in file.tickets], 1)
    first, *others = file.cities
    reached = {first}
    for _ in others:
        reached |= {c for r in file.routes if not reached.isdisjoint(r.between) for c in r.between}
    apart = ", ".join(city for city in others if city not in reached)
    if apart and reached <= file.cities.keys():
        found = phrase("no_way", city=first, others=_cut(apart))
        yield MapProblem("routes", found, phrase("one_network"))


def _check_words(file: MapData) -> Iterator[MapProblem]:
    for lang, words in file.words.items():
        own = {c: getattr(words, c) for c in get_args(CardColour) if getattr(words, c)}
        letters: dict[str, str] = {}
        letters |= {c: say(f"words.colour.{c}.letter", lang) for c in file.colours}
        letters |= {c: own[c].letter or own[c].name[0].upper() for c in own}
        letters["locomotive"] = "L"
        for colour in own:
            place = f"words.{lang}.{colour}"
            if colour not in file.colours:
                yield MapProblem(place, phrase("no_colour"), as_is(", ".join(file.colours)))
            for other in letters:
                if other != colour and letters[other] == letters[colour]:
                    found = phrase("same_letter", letter=letters[colour], other=other)
                    yield MapProblem(f"{place}.letter", found, phrase("own_letters"))


def _check_pairs(file: MapData, name: str, pairs: list[Pair], limit: int) -> Iterator[MapProblem]:
    for i, pair in enumerate(pairs):
        place = place_of(name, i, {"between": pair})
        for city in pair:
            if city not in file.cities:
                yield no_city(f"{place}.between", city, file.cities)
        if pair[0] == pair[1]:
            yield MapProblem(f"{place}.between", phrase("same_city"), phrase("two_cities"))
        elif sum(set(earlier) == set(pair) for earlier in pairs[:i]) == limit:
            yield MapProblem(place, phrase(f"too_many_{name}"), phrase("up_to", most=limit))


def no_city(place: str, city: str, known: Iterable[str]) -> MapProblem:
    """A city that the board does not have."""
    found = phrase("no_city", city=city)
    return MapProblem(place, found, phrase("a_city"), closest(city, known))


def _board(file: MapData, plain: dict[str, Any]) -> Board:
    cities: list[City] = []
    for name, c in file.cities.items():
        names = (c.name, c.name_en or c.name, c.name_fr or c.name)
        cities.append(City(len(cities), name, *names, c.lat, c.lon))
    number = {city.id: city.index for city in cities}
    routes = []
    pairs = [frozenset(r.between) for r in file.routes]
    for i, r in enumerate(file.routes):
        a, b = number[r.between[0]], number[r.between[1]]
        colour = GRAY if r.colour == "gray" else file.colours.index(r.colour)
        twin = next((j for j, pair in enumerate(pairs) if pair == pairs[i] and j != i), -1)
        marks = (r.locomotives, r.tunnel, r.any_cards)
        routes.append(Route(i, a, b, r.length, colour, *marks, twin))
    tickets = [
        Ticket(i, number[t.between[0]], number[t.between[1]], t.points, t.long)
        for i, t in enumerate(file.tickets)
    ]
    rules = [RuleEntry(r["rule"], {k: r[k] for k in r if k != "rule"}) for r in plain["rules"]]
    provenance = [Provenance(p.part, p.status, p.en, p.fr) for p in file.provenance]
    low, high = file.seats
    lists = (list[str](file.colours), cities, routes, tickets, rules, provenance)
    digest = _digest(file, plain["rules"])
    words = plain.get("words", {})
    earlier = list[str](file.earlier)
    facts = (plain, digest, earlier, words)
    return Board(file.id, file.name, low, high, file.trains, *lists, *facts)


def _digest(file: MapData, rules: object) -> str:
    """SHA-256 of what matters to play: no names, positions or provenance."""
    same = ("id", "seats", "trains", "colours", "routes", "tickets")
    facts = {name: getattr(file, name) for name in same}
    facts |= {"cities": list(file.cities), "rules": _without_words(rules)}
    text = json.dumps(msgspec.to_builtins(facts), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_words(v) for k, v in value.items() if k not in ("en", "fr")}
    return [_without_words(v) for v in value] if isinstance(value, list) else value
