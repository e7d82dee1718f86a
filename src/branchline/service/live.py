"""A table in memory, and whoever listens at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from branchline.engine.state import State
from branchline.service.audience import Fields
from branchline.service.entries import Created
from branchline.service.storage import TableChange
from branchline.service.table import SeatState, Table

QUEUE: Final = 512  # messages that wait for a slow reader before it is dropped


def wakes_at(
    created: Created, state: State | None, seats: Sequence[SeatState], now: int
) -> int | None:
    """When a process has to look after a table: a bot's move, or the end of someone's time."""
    if state is None:
        return None if any(s.open for s in seats) else now
    times = []
    for k in state.to_act if not state.over else ():
        s = seats[k]
        if not s.person:
            times.append(now + created.pace)
        elif created.clock.kind != "none":
            used = s.spent if created.clock.kind == "game" else 0
            times.append(now + max(0, created.clock.seconds * 1000 - used))
    return min(times, default=None)


class Connection:
    """Someone who listens at a table: a seat or a spectator, in a language."""

    def __init__(self, seat: int, lang: str, key: str | None) -> None:
        self.seat: int = seat
        self.lang: Final = lang
        self.key: Final = key
        self.queue: Final[asyncio.Queue[bytes | None]] = asyncio.Queue(QUEUE)
        self.gone: bool = False

    def send(self, message: bytes) -> None:
        """Queue a message; a reader that is too slow is dropped, and may come back."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.drop()

    def drop(self) -> None:
        """End the connection after what is queued; its client may come back."""
        self.gone = True
        if self.queue.full():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Live:
    """A table in memory."""

    def __init__(self, table: Table) -> None:
        self.table: Table = table
        self.lock: Final = asyncio.Lock()
        self.connections: Final[set[Connection]] = set()
        self.shown: Final[dict[int, Fields]] = {}
        """What each connected seat was last sent of its view."""
        self.owed: Final[dict[int, int]] = {}
        """The decision that each connected seat was last sent."""
        self.row: TableChange | None = None
        """What the store was last told of the table, beside its entries."""
        self.used: float = time.monotonic()

    def change(
        self,
        state: State | None,
        seats: Sequence[SeatState],
        now: int,
        sits: Sequence[tuple[int, str | None]] = (),
    ) -> TableChange | None:
        """What the store has to know of the table beside the next entry; None: nothing new."""
        status = "waiting" if state is None else "over" if state.over else "playing"
        open_seats = sum(s.open for s in seats)
        wakes = wakes_at(self.table.folded.created, state, seats, now)
        new = TableChange(status, open_seats, wakes, list(sits))
        return None if new == self.row and not sits else new

    def present(self) -> list[bool]:
        seats = {c.seat for c in self.connections}
        return [k in seats for k in range(len(self.table.seats))]

    def spectators(self) -> int:
        return sum(1 for c in self.connections if c.seat < 0)
