"""The fields of views as they are sent: what has changed, written straight into JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from librt.strings import BytesWriter

from branchline.core.machine import i64
from branchline.engine.game import Game
from branchline.engine.layout import PUBLIC
from branchline.engine.view import View, ViewField

KNOWN: Final = 256
FIRST: Final = [b"%d" % n for n in range(KNOWN)]
NEXT: Final = [b",%d" % n for n in range(KNOWN)]


class SentField:
    """A field of a view: where it is, and the beginning of its text."""

    def __init__(self, field: ViewField, joining: bool) -> None:
        self.offset: Final[i64] = field.offset
        self.end: Final[i64] = field.offset + field.size
        self.head: Final = f'"{field.name}":['.encode()
        self.joining: Final = joining
        """Whether completed tickets depend on it."""


class SentFields:
    """The fields of a game's views: those that all readers see alike, and the others."""

    def __init__(self, game: Game) -> None:
        shared: list[SentField] = []
        own: list[SentField] = []
        for f in game.view_fields.values():
            alike = f.visibility == PUBLIC and f.source >= 0
            (shared if alike else own).append(SentField(f, f.name in game.joining))
        self.shared: Final = shared
        self.own: Final = own


class Changes:
    """Fields that have changed, as members of a JSON object."""

    def __init__(self, text: bytes, joining: bool) -> None:
        self.text: Final = text
        self.joining: Final = joining
        """Whether completed tickets may have changed with them."""


@lru_cache(maxsize=64)
def sent_fields(game: Game) -> SentFields:
    return SentFields(game)


def changes_of(fields: list[SentField], view: View, before: View | None) -> Changes:
    """Those of the fields that are not what they were in an earlier view; None: all of them."""
    now = view.data
    then = before.data if before is not None else now
    out = BytesWriter()
    joining = False
    for f in fields:
        k: i64 = f.offset
        end: i64 = f.end
        if before is not None:
            while k < end and now[k] == then[k]:
                k += 1
            if k == end:
                continue
        joining = joining or f.joining
        if len(out) > 0:
            out.write(b",")
        out.write(f.head)
        texts = FIRST
        k = f.offset
        while k < end:
            number: i64 = now[k]
            if number >= 0 and number < KNOWN:
                out.write(texts[number])
            else:
                out.write((b"%d" if texts is FIRST else b",%d") % number)
            texts = NEXT
            k += 1
        out.write(b"]")
    return Changes(out.getvalue(), joining)
