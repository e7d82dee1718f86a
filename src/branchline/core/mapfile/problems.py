"""What is wrong with a map file: problems as data, and the words for them.

The words are in the message catalogue, under `maps`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from branchline.core.catalogue import say


class Phrase(msgspec.Struct, frozen=True):
    """A few words about a map file, by their key under `maps` in the catalogue."""

    code: str
    values: dict[str, Any] = {}

    def told(self, lang: str) -> str:
        """The phrase in `lang`; phrases among its values are put into words too."""
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


def map_error(path: str, place: str, found: Phrase, right: Phrase, hint: str = "") -> MapError:
    """A file with one problem."""
    return MapError(path, [MapProblem(place, found, right, hint)])


def closest(word: object, known: Iterable[str]) -> str:
    """The known word that is closest to `word`, or nothing."""
    close = difflib.get_close_matches(str(word)[:40], list(known), n=1)
    return close[0] if close else ""


def place_of(name: str, index: int, item: object) -> str:
    """The place of an item of a list, with the words by which an author finds it there."""
    match item:
        case {"between": [str(a), str(b)]}:
            return f"{name}[{index}] ({cut(a)}–{cut(b)})"
        case {"rule": str(word)} | {"id": str(word)} | {"part": str(word)}:
            return f"{name}[{index}] ({cut(word)})"
    return f"{name}[{index}]"


def cut(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= 40 else text[:39] + "…"


def no_city(place: str, city: str, known: Iterable[str]) -> MapProblem:
    """A city that the board does not have."""
    found = phrase("no_city", city=city)
    return MapProblem(place, found, phrase("a_city"), closest(city, known))
