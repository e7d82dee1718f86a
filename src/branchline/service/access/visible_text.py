"""Text of visitors without what can't be seen: controls, and marks that turn text around."""

from __future__ import annotations

import unicodedata
from typing import Final

JOINERS: Final = "\u200c\u200d"
"""They shape letters and emoji, and hide nothing."""


def visible(text: str, joiners: bool = False) -> str:
    """The text on one line, without what can't be seen; perhaps empty.

    With `joiners` those of scripts and emoji stay.

    >>> visible("a\\x1b[2J\\n  b\\u202egnp")
    'a [2J b gnp'
    """
    kept = JOINERS if joiners else ""
    text = unicodedata.normalize("NFC", text)
    text = "".join(c if c in kept or unicodedata.category(c)[0] not in "CZ" else " " for c in text)
    return " ".join(text.split())
