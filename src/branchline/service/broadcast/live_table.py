"""A table in memory, and the connections to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from branchline.engine.state import State
from branchline.engine.view import View
from branchline.service.broadcast.channel import Channel
from branchline.service.broadcast.readers import Joined, Reader
from branchline.service.broadcast.sent_fields import sent_fields
from branchline.service.broadcast.turn_lock import TurnLock
from branchline.service.storage import TableChange
from branchline.service.tables.log_entries import FREE, Created
from branchline.service.tables.table import Table
from branchline.service.tables.table_state import SeatState

DRAW_LOOK: Final = 10_000  # milliseconds after which a table that is not dealt yet is looked at
TOUCH: Final = 10_000  # milliseconds by which the store may be late with when a table was used
QUEUE: Final = 512  # messages that wait for a slow reader before it is dropped


def wakes_at(
    created: Created, state: State | None, seats: Sequence[SeatState], now: int
) -> int | None:
    """When a table next needs attention: a bot's move, or the end of a player's time."""
    if state is None:
        return None if any(s.open for s in seats) else now + DRAW_LOOK
    times = []
    for k in state.to_act if not state.over else ():
        s = seats[k]
        if s.key == FREE or s.bot:
            times.append(now + created.pace)
        elif created.clock.kind != "none":
            used = s.spent if created.clock.kind == "game" else 0
            times.append(now + max(0, created.clock.seconds * 1000 - used))
    return min(times, default=None)


def status_of(state: State | None, open_seats: int) -> str:
    """The status under which a table is stored: one that is full has to be looked after."""
    if state is None:
        return "waiting" if open_seats else "playing"
    return "over" if state.over else "playing"


class Outbox:
    """Connections with messages to send: all of them are sent in one go of the event loop."""

    def __init__(self) -> None:
        self._ready: list[Connection] = []

    def add(self, connection: Connection, loop: asyncio.AbstractEventLoop) -> None:
        self._ready.append(connection)
        if len(self._ready) == 1:
            loop.call_soon(self._flush, loop)  # with what else is about to be queued

    def _flush(self, loop: asyncio.AbstractEventLoop) -> None:
        ready, self._ready = self._ready, []
        try:
            while ready:
                ready.pop().flush()
        finally:
            if ready:  # one of them has failed, of which the others must not suffer
                self._ready += ready
                loop.call_soon(self._flush, loop)


class Connection:
    """A client connected to a table: a seat or a spectator, in a language.

    `cities` is the language of city names; without one they are as printed on the board. `wanted`
    is the seat that it asked for, where its key holds several. Connections that share an `outbox`
    are sent to together.
    """

    def __init__(
        self,
        seat: int,
        lang: str,
        key: str | None,
        channel: Channel | None = None,
        cities: str = "",
        wanted: int = -1,
        outbox: Outbox | None = None,
    ) -> None:
        self.seat: int = seat
        self.wanted: Final = wanted
        self.lang: Final = lang
        self.cities: Final = cities
        self.key: Final = key
        self.gone: bool = False
        self.ended: Final = asyncio.Event()
        self._waiting: list[bytes] = []
        self._channel: Final = channel
        self._outbox: Final = outbox or Outbox()
        if channel is not None:
            channel.on_writable = self.flush

    def send(self, message: bytes) -> None:
        """Queue a message; a reader that is too slow is dropped, and may come back."""
        if self.gone:
            return
        self._waiting.append(message)
        if len(self._waiting) > QUEUE:
            self.drop()
        elif len(self._waiting) == 1 and self._channel is not None:
            self._outbox.add(self, self._channel.loop)

    def flush(self) -> None:
        """Send what is queued, unless the reader has to catch up first."""
        if self._waiting and self._channel is not None and self._channel.push(self._waiting):
            self._waiting = []

    def drop(self) -> None:
        """End the connection after what is queued; its client may come back."""
        self.gone = True
        self.ended.set()

    def taken(self) -> list[bytes]:
        """Return what is queued and clear the queue."""
        messages, self._waiting = self._waiting, []
        return messages


class Shown:
    """What a seat was sent: its view after an entry, the decision that it owes, its tickets.

    The number is 0 if there was no view yet.
    """

    def __init__(self, view: View | None, number: int, owed: int, joined: Joined) -> None:
        self.view: Final = view
        self.number: Final = number
        self.owed: Final = owed
        self.joined: Final = joined


class LiveTable:
    """A table in memory."""

    def __init__(self, table: Table) -> None:
        self.table: Table = table
        self.lock: Final = TurnLock()
        self.connections: Final[set[Connection]] = set()
        self.fields: Final = sent_fields(table.game)
        self.shown: Final[dict[int, Shown]] = {}
        """What each connected seat was last sent."""
        self.row: TableChange | None = None
        """What the store was last told of the table, in addition to its entries."""
        self.row_at: int = 0
        self.address: str = ""
        """From where someone who plays here came last; known to this process alone."""
        self.used: float = time.monotonic()
        self._readers: Final[dict[tuple[int, str, str], Reader]] = {}

    def change(
        self,
        state: State | None,
        seats: Sequence[SeatState],
        now: int,
        sits: Sequence[tuple[int, str | None]] = (),
        since: int | None = None,
    ) -> TableChange | None:
        """What to store of the table in addition to the next entry; None: nothing new.

        `since` is when everyone last heard of a move, if that was not now.
        """
        open_seats = 0
        for s in seats:
            if s.key == FREE and not s.bot:
                open_seats += 1
        status = status_of(state, open_seats)
        wakes = wakes_at(self.table.created, state, seats, now if since is None else since)
        row = self.row
        if row is not None and not sits and not row.sits and now - self.row_at < TOUCH:
            same = row.status == status and row.open_seats == open_seats and row.wakes == wakes
            if same and row.summary is None:
                return None
        return TableChange(status, open_seats, wakes, list(sits))

    def reader(self, seat: int, lang: str, cities: str = "") -> Reader:
        """The reader of a seat in a language; kept until names or seats change."""
        found = self._readers.get((seat, lang, cities))
        if found is None or found.table is not self.table:
            found = self._readers[seat, lang, cities] = Reader(self.table, seat, lang, cities)
        return found

    def reseated(self) -> None:
        """Names may have changed."""
        self._readers.clear()

    def present(self) -> list[bool]:
        return [self.is_present(k) for k in range(len(self.table.seats))]

    def is_present(self, seat: int) -> bool:
        """Whether the device of a seat is connected, for whichever of its seats."""
        holder = self.table.seats[seat].key
        return any(c.seat == seat or c.key == holder for c in self.connections)

    def only_waits(self) -> bool:
        """Whether nothing is left to do after a move but to wait for people who are here."""
        table = self.table
        if table.status != "playing" or table.attended():
            return False
        for k, s in enumerate(table.seats):
            if s.decision == table.number and not self.is_present(k):
                return False
        return True

    def spectators(self) -> int:
        return sum(1 for c in self.connections if not self.table.seats_of(c.key) and c.seat < 0)
