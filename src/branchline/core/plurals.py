"""Plural rules: which form of a message a number takes.

A language's rules are data, in the notation of Unicode's CLDR: a condition for each form, tried in
order; a number that meets none of them takes the form `other`. `n` is the number and `i` its whole
part without its sign.

>>> polish = PluralRules({"one": "n = 1", "few": "i % 10 = 2..4 and i % 100 != 12..14"})
>>> polish.form(1), polish.form(23), polish.form(12)
('one', 'few', 'other')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

OTHER: Final = "other"
_RELATION: Final = re.compile(
    r"([ni])(?: % (\d+))? (=|!=) ((?:-?\d+(?:\.\.-?\d+)?)(?:,-?\d+(?:\.\.-?\d+)?)*)"
)


class _Relation:
    """`i % 10 = 2..4`: an operand, perhaps its remainder, and the ranges that it is in or not."""

    def __init__(self, text: str) -> None:
        match = _RELATION.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"not a plural condition: {text!r}")
        self.operand: Final = match[1]
        self.modulus: Final = int(match[2] or 0)
        self.wanted: Final = match[3] == "="
        ends = [part.partition("..") for part in match[4].split(",")]
        self.ranges: Final = [(int(low), int(high or low)) for low, _, high in ends]

    def holds(self, n: float) -> bool:
        value = n if self.operand == "n" else abs(int(n))
        if self.modulus:
            value %= self.modulus
        inside = any(low <= value <= high and value == int(value) for low, high in self.ranges)
        return inside is self.wanted


class PluralRules:
    """The plural rules of one language. Raises `ValueError` for a condition it can't read."""

    def __init__(self, conditions: Mapping[str, str]) -> None:
        self._conditions: Final = {
            form: [[_Relation(r) for r in part.split(" and ")] for part in text.split(" or ")]
            for form, text in conditions.items()
        }

    @property
    def forms(self) -> list[str]:
        """All forms that a message with a plural has."""
        return [*self._conditions, OTHER]

    def form(self, n: float) -> str:
        """The form that the number takes."""
        for form, alternatives in self._conditions.items():
            if any(all(relation.holds(n) for relation in part) for part in alternatives):
                return form
        return OTHER
