"""Taking a person out of a table's log, so that the game of the others remains."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from branchline.service.tables.log_entries import AnyEntry, Left, Missed, Said, Seated

SILENCE: Final = "…"


def erased(log: Iterable[tuple[int, AnyEntry]], key: str) -> Mapping[int, AnyEntry]:
    """The entries that change when the holder of a key is forgotten, by their numbers.

    The name and what was said go. The seat keeps its moves, under a key that nobody has.
    """
    nobody = secrets.token_hex(32)
    holders: dict[int, str] = {}
    found: dict[int, AnyEntry] = {}
    for number, entry in log:
        if isinstance(entry, Seated):
            holders[entry.seat] = entry.key
            if entry.key == key:
                found[number] = replace(entry, name="", key=nobody)
        elif isinstance(entry, Left):
            if holders.pop(entry.seat, None) == key:
                found[number] = replace(entry, name="")
        elif isinstance(entry, Missed):
            for seat in entry.seats:
                holders.pop(seat, None)
        elif isinstance(entry, Said) and entry.seat >= 0 and holders.get(entry.seat) == key:
            found[number] = replace(entry, name="", text=SILENCE)
    return found
