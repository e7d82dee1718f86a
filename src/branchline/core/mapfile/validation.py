"""Checks the structure of a value against a type and lists every place that does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin

import msgspec

from branchline.core.mapfile.problems import (
    MapError,
    MapProblem,
    Phrase,
    as_is,
    closest,
    cut,
    phrase,
    place_of,
)
from branchline.core.mapfile.schema import Data

T = TypeVar("T")


def misfits(value: object, kind: Any, place: str) -> list[MapProblem]:
    """Every place within `value` that is not of type `kind`; none if it converts."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        problems = [p for part in _parts(value, _bare(kind), place) for p in misfits(*part)]
        problems += _unknown_fields(value, _bare(kind), place)
        shown = cut(json.dumps(value, ensure_ascii=False))
        found = phrase("missing") if value is None else as_is(shown)
        return problems or [MapProblem(place, found, *_expected(value, kind, error))]
    return []


def fitted(data: object, kind: type[T], where: str) -> T:
    """The content of a file as a `kind`. Raises `MapError` with every problem."""
    problems = misfits(msgspec.to_builtins(data), kind, "")
    if problems:
        raise MapError(where, problems)
    return msgspec.convert(data, kind)


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
                yield from zip((key, item), get_args(kind), [stem + cut(key)] * 2, strict=True)
    elif isinstance(value, list) and get_origin(kind) in (list, tuple):
        for i, item in enumerate(value):
            yield item, get_args(kind)[0], place_of(place, i, item)


def _unknown_fields(value: Any, kind: Any, place: str) -> Iterator[MapProblem]:
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, Data):
        known = [field.encode_name for field in _fields(kind)]
        for name in sorted(value.keys() - set(known)):
            right = as_is(", ".join(known)) if known else phrase("no_parameters")
            at = f"{place}.{cut(name)}".lstrip(".")
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
