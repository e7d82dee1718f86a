"""Where moves happen, and where a person's move is taken at once if nothing is in its way.

Nothing here waits, so it is compiled, and a move needs neither a coroutine nor a future. Whatever
is in the way of a move is left to the session, which waits, tries again, and says what is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from branchline.engine.errors import IllegalAction
from branchline.service.broadcast.live_table import Connection, LiveTable
from branchline.service.errors import ServiceError
from branchline.service.messages import Act, Done
from branchline.service.rooms.moves import Moves, moves_of
from branchline.service.storage.errors import StoreError
from branchline.service.tables.log_entries import encode

if TYPE_CHECKING:
    from branchline.service.rooms.rooms import Rooms

SNAPSHOT_EVERY: Final = 100  # entries, which take a millisecond or two to be taken in again

End = Callable[[bool, Exception | None], None]
"""Told whether a move has happened, and what went wrong."""

_encode: Final = msgspec.json.Encoder().encode


class DirectMoves:
    """Takes the moves of a server's tables."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms: Final = rooms
        self._now: Final = rooms.now
        self._append: Final = rooms.store.append_then
        self._message_out: Final = rooms.metrics.message_out
        self._moved: Final = rooms.metrics.moved
        self.appended: Final = rooms.metrics.appended
        self._person_moved: Final = rooms.spare_time.person_moved

    def begin(self, live: LiveTable, connection: Connection, message: Act, end: End) -> bool:
        """Make a person's move, answer it, and tell the end; all that as soon as it is stored.

        False, and nothing has happened, if it has to wait, was made before, or is not possible.
        """
        table, seat = live.table, connection.seat
        if seat < 0 or not live.lock.take():
            return False
        begun = False
        try:
            holder = table.seats[seat]
            if holder.bot or not connection.key or holder.key != connection.key:
                return False
            if table.done(seat, message.id):
                return False
            began = time.perf_counter()
            decision = table.number_from(seat, message.decision)
            steps = message.steps
            moves = moves_of(live, seat, decision, steps, "person", message.id, 0, self._now())
            bodies = [encode(move) for move in moves.entries]
            pending = PendingMove(self, live, connection, message.id, moves, began, end)
            stored = pending.stored
            self._append(
                table.id, moves.first, moves.at, bodies[0], moves.change, bodies[1:], stored
            )
            begun = True
        except (IllegalAction, ServiceError, StoreError):
            return False  # the session finds the same, and says so
        finally:
            if not begun:
                live.lock.release()
        return True

    def happened(self, live: LiveTable, moves: Moves, by: str, began: float) -> int:
        """Moves were stored: take them in, tell everyone, and do what follows. The lock is held.

        Returns the number of the last one's entry.
        """
        if moves.change is not None:
            live.row, live.row_at = moves.change, moves.at
        self._message_out("update", moves.happen(live, self._now()))
        self._moved(by, time.perf_counter() - began, len(moves.entries))
        if by == "person":
            self._person_moved()
        number = live.table.number
        if number // SNAPSHOT_EVERY > (moves.first - 1) // SNAPSHOT_EVERY or not live.only_waits():
            self._rooms.written(live, moves.first, moves.entries[-1])
        else:
            live.used = time.monotonic()
        return number

    def answer(self, live: LiveTable, connection: Connection, id: str, number: int) -> None:
        """Tell whoever has moved that it is done."""
        self._message_out("done")
        connection.send(_encode(Done(id, live.table.number_for(connection.seat, number))))


class PendingMove:
    """A move of a person that is on its way to the disk."""

    def __init__(
        self,
        direct: DirectMoves,
        live: LiveTable,
        connection: Connection,
        id: str,
        moves: Moves,
        began: float,
        end: End,
    ) -> None:
        self._direct_moves: Final = direct
        self._live: Final = live
        self._connection: Final = connection
        self._id: Final = id
        self._moves: Final = moves
        self._began: Final = began
        self._asked: Final = time.perf_counter()
        self._end: Final = end

    def stored(self, done: bool, error: Exception | None) -> None:
        """It is on the disk, or it is not."""
        direct, live = self._direct_moves, self._live
        try:
            if done:
                direct.appended(time.perf_counter() - self._asked)
                number = direct.happened(live, self._moves, "person", self._began)
                direct.answer(live, self._connection, self._id, number)
        except Exception as fault:
            error = fault
        live.lock.release()
        self._end(done, error)
