"""The messages to everyone connected to a table: first its position, then every update."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from librt.strings import BytesWriter
from msgspec import UNSET

from branchline._version import VERSION
from branchline.engine.view import View
from branchline.service.broadcast.live_table import LiveTable, Shown
from branchline.service.broadcast.readers import (
    NOTHING_JOINED,
    Joined,
    Reader,
    fields_of,
    question_of,
)
from branchline.service.broadcast.sent_fields import Changes, changes_of
from branchline.service.messages import PROTOCOL, ClockInfo, Presence, TableInfo, Update, Welcome
from branchline.service.storage.rows import EntryRow
from branchline.service.tables import log_entries as log
from branchline.service.tables.log_entries import AnyEntry, Moved, Said

PLAIN: Final = frozenset({"person", "bot"})  # who moves without words
NOTHING_SHOWN: Final = Shown(None, 0, 0, NOTHING_JOINED)

_encode: Final = msgspec.json.Encoder().encode


class ViewChange:
    """A reader's current view, and what has changed in it."""

    def __init__(
        self,
        view: View | None,
        changes: bytes,
        asked: bool,
        joined: Joined,
        rejoined: bool,
    ) -> None:
        self.view: Final = view
        self.changes: Final = changes
        """As they are sent, without the braces."""
        self.asked: Final = asked
        """Whether there is another decision than before, or no longer one."""
        self.joined: Final = joined
        """The reader's completed tickets, and the routes of others that it may use."""
        self.rejoined: Final = rejoined
        """Whether these have changed."""


def table_info(live: LiveTable, reader: Reader) -> TableInfo:
    """The table, and who is there."""
    return reader.info(live.present(), live.spectators())


def welcome(
    live: LiveTable,
    reader: Reader,
    rows: Sequence[EntryRow],
    since: int,
    now: int,
    held: Sequence[int] = (),
) -> bytes:
    """Where the table stands, with the part of its log that a reader has not had yet.

    `held` are the seats of the reader's browser.
    """
    table, seat = live.table, reader.seat
    entries = [
        reader.entry(row.number, row.at, log.decode(row.body))
        for row in rows
        if row.number <= table.number
        and reader.number(row.number) > since
        and table.hears(seat, row.number)
    ]
    change = view_change(live, reader, {})
    message: bytes = _encode(
        Welcome(
            protocol=PROTOCOL,
            version=VERSION,
            table=table_info(live, reader),
            seat=seat,
            number=reader.number(table.number),
            entries=entries,
            view=fields_of(change.view) if change.view is not None else None,
            decision=reader.decision(change.view),
            clock=reader.clock(now),
            joined=change.joined[0],
            borrowed=change.joined[1],
            held=list(held),
        )
    )
    return message


def broadcast_entry(live: LiveTable, number: int, at: int, entry: AnyEntry, now: int) -> int:
    """Send an entry, with what it changed, to every connection; returns how many got it."""
    table = live.table
    meta = not isinstance(entry, Moved | Said) or table.status == "over"
    if meta:
        live.reseated()
    count = 0
    shared: dict[int, Changes] = {}
    by_seat: dict[int, ViewChange] = {}
    sent: dict[Reader, bytes] = {}
    for connection in live.connections:
        seat = connection.seat
        if not table.hears(seat, number):
            continue
        reader = live.reader(seat, connection.lang, connection.cities)
        message = sent.get(reader)
        if message is None:
            change = by_seat.get(seat)
            if change is None:
                change = by_seat[seat] = view_change(live, reader, shared)
            message = sent[reader] = _update(live, reader, change, number, at, entry, meta, now)
        connection.send(message)
        count += 1
    return count


def broadcast_presence(live: LiveTable) -> int:
    """Send everyone connected who is present; returns how many got it."""
    message = _encode(Presence(live.present(), live.spectators()))
    for connection in live.connections:
        connection.send(message)
    return len(live.connections)


def view_change(live: LiveTable, reader: Reader, shared: dict[int, Changes]) -> ViewChange:
    """Compare the view with the one last sent to the reader, and remember it as sent.

    `shared` is what has changed for everyone since an entry, as far as another reader needed it.
    """
    seat, table = reader.seat, live.table
    owed = table.seats[seat].decision if seat >= 0 else 0
    shown = live.shown.get(seat) or NOTHING_SHOWN
    view = reader.view()
    changes = b""
    joined = shown.joined
    if view is not None:
        public = shared.get(shown.number)
        if public is None:
            public = shared[shown.number] = changes_of(live.fields.shared, view, shown.view)
        own = changes_of(live.fields.own, view, shown.view)
        changes = public.text
        if own.text:
            changes = changes + b"," + own.text if changes else own.text
        if public.joining or own.joining:
            joined = reader.joined()
    live.shown[seat] = Shown(view, table.number if view is not None else 0, owed, joined)
    return ViewChange(view, changes, shown.owed != owed, joined, joined != shown.joined)


def _update(
    live: LiveTable,
    reader: Reader,
    change: ViewChange,
    number: int,
    at: int,
    entry: AnyEntry,
    meta: bool,
    now: int,
) -> bytes:
    clock = reader.clock(now)
    if isinstance(entry, Moved) and entry.by in PLAIN and not meta and clock is None:
        return moved_update(reader, change, number, at, entry)
    table = table_info(live, reader) if meta else None
    return any_update(reader, change, number, at, entry, table, clock)


def any_update(
    reader: Reader,
    change: ViewChange,
    number: int,
    at: int,
    entry: AnyEntry,
    table: TableInfo | None,
    clock: ClockInfo | None = None,
) -> bytes:
    told = reader.entry(number, at, entry)
    changes: Any = msgspec.Raw(b"{" + change.changes + b"}") if change.changes else {}
    message: bytes = _encode(
        Update(
            number=told.number,
            entry=told,
            changes=changes,
            decision=reader.decision(change.view) if change.asked else UNSET,
            clock=clock,
            table=table,
            joined=change.joined[0] if change.rejoined else UNSET,
            borrowed=change.joined[1] if change.rejoined else UNSET,
        )
    )
    return message


def moved_update(reader: Reader, change: ViewChange, number: int, at: int, move: Moved) -> bytes:
    """As `any_update`, for a move that changes nothing but the game: most of what is ever sent."""
    known, step = reader.number(number), reader.table.step_at(number)
    head = f'{{"type":"update","number":{known},"entry":{{"number":{known},"at":{at},'
    out = BytesWriter()
    out.write(f'{head}"kind":"moved","seat":{move.seat},"by":"{move.by}"'.encode())
    events = reader.events(move.events)
    if events:
        out.write(b',"events":[')
        out.write(b",".join(events))
        out.write(b"]")
    out.write(b',"free":true}' if step is not None and step.harmless else b"}")
    if change.changes:
        out.write(b',"changes":{')
        out.write(change.changes)
        out.write(b"}")
    if change.asked:
        out.write(b',"decision":')
        _write_decision(out, reader, change.view)
    if change.rejoined:
        out.write(b',"joined":')
        out.write(_encoded(change.joined[0]))
        out.write(b',"borrowed":')
        out.write(_encoded(change.joined[1]))
    out.write(b"}")
    return out.getvalue()


def _write_decision(out: BytesWriter, reader: Reader, view: View | None) -> None:
    owed = reader.table.seats[reader.seat].decision if reader.seat >= 0 else 0
    if view is None or not owed:
        out.write(b"null")
        return
    out.write(f'{{"number":{reader.number(owed)},"phase":"{view.phase}","text":'.encode())
    out.write(_encoded(question_of(reader.words, view)))
    out.write(b',"offers":[')
    out.write(b",".join(reader.offers(view)))
    out.write(b"]}")


def _encoded(value: str | list[int]) -> bytes:
    encoded: bytes = _encode(value)
    return encoded
