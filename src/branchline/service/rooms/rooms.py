"""The tables in the memory of this process: who is connected, who moves, what is written.

There is one way for anything to happen at a table: an entry with the next number is stored, then
taken in, then sent to everyone connected. If the number is taken, another process was faster, and
what it wrote comes first. What can't be stored has not happened.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

import msgspec

from branchline.service.access.keys import is_table_id, new_table_id
from branchline.service.bots.spare_time import SpareTime
from branchline.service.broadcast.live_table import (
    Connection,
    LiveTable,
    Outbox,
    status_of,
    wakes_at,
)
from branchline.service.broadcast.summaries import summary_of
from branchline.service.broadcast.updates import broadcast_entry, broadcast_presence, welcome
from branchline.service.errors import ServiceError, Stale, no_such_table
from branchline.service.operations.metrics import Metrics
from branchline.service.rooms.direct_moves import SNAPSHOT_EVERY, DirectMoves
from branchline.service.rooms.moves import moves_of
from branchline.service.storage import EntryRow, Store, StoreError, TableChange, TableRow
from branchline.service.tables import log_entries as log
from branchline.service.tables.boards import Boards, source_of
from branchline.service.tables.log_entries import (
    Answered,
    AnyEntry,
    Began,
    BotSeated,
    ChatSet,
    Created,
    Moved,
    Promised,
    Said,
    Seated,
    TakenBack,
    Wished,
)
from branchline.service.tables.seed_drawing import next_step
from branchline.service.tables.table import (
    Table,
    apply_all,
    from_snapshot,
    layout_version,
    new_table,
)
from branchline.service.tables.table_state import copied

MOST_OTHERS: Final = 2000  # entries of a table in addition to the moves that stand
AGAIN: Final = 0.5  # seconds until a store that has failed is asked again

logger: Final = logging.getLogger("branchline.rooms")


class Rooms:
    """All tables in the memory of this process."""

    def __init__(
        self,
        store: Store,
        boards: Boards,
        now: Callable[[], int],
        metrics: Metrics | None = None,
    ) -> None:
        self.store: Final = store
        self.metrics: Final = metrics or Metrics()
        self.boards: Final = boards
        self.now: Final = now
        self.serving_since: int = now()
        """Before that this process, or its database, was away, which is no visitor's fault."""
        self.live_tables: Final[dict[str, LiveTable]] = {}
        self.followers: Final[list[Callable[[LiveTable, AnyEntry], None]]] = []
        """Called after every entry of this process, unless there is only to wait for people."""
        self.outbox: Final = Outbox()
        self.spare_time: Final = SpareTime()
        """What tables without people may take."""
        self.direct_moves: Final = DirectMoves(self)
        self._tasks: Final[set[asyncio.Task[object]]] = set()
        self._loading: Final[dict[str, asyncio.Task[LiveTable]]] = {}
        store.on_wake(self._woken)

    # --- loading --------------------------------------------------------------------------------

    async def live_table(self, id: str) -> LiveTable:
        """The table, loaded if it was not in memory."""
        found = self.live_tables.get(id)
        if found is None:
            if not is_table_id(id):
                raise no_such_table()
            task = self._loading.get(id)
            if task is None:
                task = asyncio.create_task(self._open(id))
                self._loading[id] = task
                task.add_done_callback(lambda _: self._loading.pop(id, None))
            found = await asyncio.shield(task)
        found.used = time.monotonic()
        return found

    async def _open(self, id: str) -> LiveTable:
        live = LiveTable(await self.load(id))
        self.live_tables[id] = live
        await self._catch_up(live)  # what was written while it was being read
        return live

    async def load(self, id: str, *more: tuple[int, int, AnyEntry]) -> Table:
        """The table as stored, or as it would be with further entries."""
        row = await self.store.table(id)
        if row is None:
            raise no_such_table()
        if not self.boards.knows(row.digest):
            source = await self.store.board(row.digest)
            assert source is not None
            self.boards.add(source, row.board)
        game = self.boards.game(row.digest, row.seats)
        saved = await self.store.snapshot(id, layout_version(game))
        if saved is not None:
            table = from_snapshot(game, saved[1])
            rest = await self.store.entries(id, after=saved[0])
            decoded = [*((e.number, e.at, log.decode(e.body)) for e in rest), *more]
            if not any(isinstance(e, TakenBack) and e.move <= saved[0] for _, _, e in decoded):
                return apply_all(table, decoded)
        rows = await self.store.entries(id)
        decoded = [*((e.number, e.at, log.decode(e.body)) for e in rows), *more]
        created = decoded[0][2]
        assert isinstance(created, Created)
        return apply_all(new_table(id, created, game), decoded)

    def forget(self, idle: float) -> None:
        """Drop tables from memory that nobody has used for a while."""
        limit = time.monotonic() - idle
        for id, live in list(self.live_tables.items()):
            if live.used < limit and not live.connections and not live.lock.locked():
                del self.live_tables[id]

    def drop(self, id: str) -> None:
        """A table exists no longer."""
        live = self.live_tables.pop(id, None)
        if live is not None:
            self._send_away(live)

    # --- other processes --------------------------------------------------------------------------

    def _woken(self, id: str, number: int) -> None:
        """Another process has written to a table (no id: to any, while the database was away)."""
        if not id:
            self.serving_since = self.now()
        for each in [id] if id else list(self.live_tables):
            live = self.live_tables.get(each)
            if live is not None:
                self.later(self._catch_up(live, number))

    async def _catch_up(self, live: LiveTable, number: int = 0) -> None:
        """Take in what was written, up to a number at least, as soon as the store can be read."""
        while not number or live.table.number < number:
            try:
                async with live.lock:
                    await self._refresh(live)
                return
            except StoreError:
                await asyncio.sleep(AGAIN)

    async def _refresh(self, live: LiveTable) -> None:
        """Take in what others have written. The lock is held, or the table is not yet shared."""
        rows = await self.store.entries(live.table.id, after=live.table.number)
        live.row = None if rows else live.row  # others have told the store other things
        for row in rows:
            entry = log.decode(row.body)
            if isinstance(entry, TakenBack):
                live.table = await self.load(live.table.id)
                self._broadcast(live, row.number, row.at, entry)
                if live.table.number != row.number:  # more was written after it
                    self._send_away(live)
                return
            live.table.apply(row.number, row.at, entry)
            self._broadcast(live, row.number, row.at, entry)
            if sits_of(entry):
                self.reseat(live)

    def _send_away(self, live: LiveTable) -> None:
        """Drop all connections: clients reconnect and get the whole table."""
        for connection in list(live.connections):
            connection.drop()

    # --- writing ----------------------------------------------------------------------------------

    async def create(self, created: Created, seats: list[AnyEntry]) -> LiveTable:
        """A new table with its first seats taken; the game begins if no seat is left."""
        id = new_table_id()
        now = self.now()
        board = self.boards.by_digest(created.digest)
        table = new_table(id, created, self.boards.game(created.digest, created.seats))
        first: list[AnyEntry] = [created, *seats]
        apply_all(table, [(k + 1, now, entry) for k, entry in enumerate(first)])
        step = next_step(table, now)
        if isinstance(step, Began):  # nobody else puts in a part of the seed
            first.append(step)
            table.apply(len(first), now, step)
        open_seats = sum(s.open for s in table.seats)
        row = TableRow(
            id=id,
            created=now,
            updated=now,
            board=created.board,
            digest=created.digest,
            seats=created.seats,
            public=created.public,
            status=status_of(table.state, open_seats),
            open_seats=open_seats,
            wakes=wakes_at(created, table.state, table.seats, now),
        )
        sits = [(e.seat, e.key) for e in seats if isinstance(e, Seated)]
        await self.store.create(row, source_of(board), [log.encode(e) for e in first], now, sits)
        live = self.live_tables[id] = LiveTable(table)
        for follow in self.followers:
            follow(live, first[-1])
        return live

    async def begin_if_full(self, live: LiveTable) -> int | None:
        """Go on towards the deal as soon as no seat is open. The lock is held.

        Returns the time at which it has to be looked at again, if nobody does anything.
        """
        while True:
            step = next_step(live.table, self.now(), self.serving_since)
            if step is None or isinstance(step, int):
                return step
            await self.append(live, step)
            if sits_of(step):
                self.reseat(live)

    async def append(self, live: LiveTable, entry: AnyEntry) -> int:
        """Store an entry that is not a move, apply it and send it to everyone. The lock is held.

        Raises `Stale` if another process has written first, and `StoreError` if it can't be stored;
        in both cases the entry has not happened. Raises `ServiceError` if the log is full.
        """
        check_room(live.table, entry)
        number, now = live.table.number + 1, self.now()
        if isinstance(entry, TakenBack):
            table = await self.load(live.table.id, (number, now, entry))
        else:
            table = Table(copied(live.table.table_state), live.table.game, live.table.state)
            table.apply(number, now, entry)
        change = live.change(table.state, table.seats, now, sits_of(entry))
        if table.status == "over":
            known = change or live.row
            assert known is not None
            change = msgspec.structs.replace(known, summary=summary_of(table))
        await self._write(live, number, now, [entry], change)
        live.table = table
        if isinstance(entry, TakenBack):
            self.later(self.store.drop_snapshots(live.table.id, entry.move - 1))
        self._broadcast(live, number, now, entry)
        self.written(live, number, entry)
        return number

    def written(self, live: LiveTable, first: int, entry: AnyEntry) -> None:
        """Entries from this number on were stored and sent; the last of them is at hand."""
        live.used = time.monotonic()
        if live.table.number // SNAPSHOT_EVERY > (first - 1) // SNAPSHOT_EVERY:
            self.later(self._snapshot(live.table))
        if isinstance(entry, Moved):
            if live.only_waits():
                return
            if live.table.status == "over":
                self.later(self.store.put_summary(live.table.id, summary_of(live.table)))
        for follow in self.followers:
            follow(live, entry)

    async def _write(
        self,
        live: LiveTable,
        number: int,
        at: int,
        entries: Sequence[AnyEntry],
        change: TableChange | None,
    ) -> None:
        """Store the entries from a number on, all or none."""
        id = live.table.id
        began = time.perf_counter()
        first, *more = [log.encode(entry) for entry in entries]
        try:
            if await self.store.append(id, number, at, first, change, more):
                if change is not None:
                    live.row, live.row_at = change, at
                self.metrics.appended(time.perf_counter() - began)
                return
            before = live.table.number
            await self._refresh(live)
            if live.table.number == before and await self.store.table(id) is None:
                self.drop(id)
                raise no_such_table()
        except StoreError:
            self.not_stored(live)
            raise
        raise Stale

    def not_stored(self, live: LiveTable) -> None:
        """The store has failed: what it has when it is back counts."""
        self.later(self._catch_up(live))
        self.metrics.error("storage")

    async def _snapshot(self, table: Table) -> None:
        version = layout_version(table.game)
        await self.store.put_snapshot(table.id, table.number, version, table.snapshot())

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Run work in the background; a failure is logged and has no other effect."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    async def stop(self) -> None:
        """Cancel the background work."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, StoreError):  # the store logs its own
            logger.warning("left undone", exc_info=error)

    async def act(
        self,
        live: LiveTable,
        seat: int,
        decision: int,
        actions: Sequence[int],
        by: str,
        id: str = "",
        shown: int = 0,
    ) -> int:
        """Take one action for a seat, or several, all or none. The lock is held.

        `decision` is the entry that has asked for the first; `shown` the last entry when a bot was
        shown the position. Returns the number of the last move's entry. Raises `IllegalAction`,
        `ServiceError`, or what `append` does.
        """
        began = time.perf_counter()
        moves = moves_of(live, seat, decision, actions, by, id, shown, self.now())
        await self._write(live, moves.first, moves.at, moves.entries, moves.change)
        return self.direct_moves.happened(live, moves, by, began)

    # --- connections ------------------------------------------------------------------------------

    def _broadcast(self, live: LiveTable, number: int, at: int, entry: AnyEntry) -> None:
        self.metrics.message_out("update", broadcast_entry(live, number, at, entry, self.now()))

    async def welcome(self, live: LiveTable, connection: Connection, since: int) -> None:
        """Send a new connection the current state of the table, and updates from then on."""
        with contextlib.suppress(Stale, StoreError):
            async with live.lock:
                await self.begin_if_full(live)  # it may not have come to that before
        id = live.table.id
        seat = live.table.seat_for(connection.key, connection.wanted)
        had = min(live.table.number_from(seat, since), live.table.number)
        rows = await self.store.entries(id, after=had)
        async with live.lock:
            rows += await self.store.entries(id, after=last_of(rows, had))
            if last_of(rows, had) > live.table.number:
                await self._refresh(live)
            if last_of(rows, had) < live.table.number:  # others were writing in the meantime
                rows += await self.store.entries(id, after=last_of(rows, had))
            connection.seat = live.table.seat_for(connection.key, connection.wanted)
            if connection.seat != seat:  # so it has other numbers
                rows = await self.store.entries(id)
            reader = live.reader(connection.seat, connection.lang, connection.cities)
            live.connections.add(connection)
            held = live.table.seats_of(connection.key)
            connection.send(welcome(live, reader, rows, since, self.now(), held))
            self.metrics.message_out("welcome")
        self._presence(live)

    def leave(self, live: LiveTable, connection: Connection) -> None:
        """A connection has ended."""
        live.connections.discard(connection)
        live.used = time.monotonic()
        self._presence(live)

    def reseat(self, live: LiveTable) -> None:
        """Seats have changed hands: whoever is connected sits where its key says, or watches.

        A connection is bound to its seat when it begins, so those concerned begin anew.
        """
        for connection in list(live.connections):
            if live.table.seat_for(connection.key, connection.wanted) != connection.seat:
                connection.drop()

    def _presence(self, live: LiveTable) -> None:
        self.metrics.message_out("presence", broadcast_presence(live))


def last_of(rows: Sequence[EntryRow], had: int) -> int:
    """The number of the last of the entries that follow `had`."""
    return rows[-1].number if rows else had


def check_room(table: Table, entry: AnyEntry) -> None:
    """Raises `ServiceError` if a log has too many entries for another that could do without.

    Whatever a game needs, and whatever ends what others have begun, is always possible.
    """
    optional = isinstance(
        entry, Seated | Said | ChatSet | Wished | Answered | TakenBack | Promised
    ) or (isinstance(entry, BotSeated) and entry.by == "person")
    if optional and table.number - len(table.table_state.steps) >= MOST_OTHERS:
        raise ServiceError("log_full", {"most": MOST_OTHERS})


def sits_of(entry: AnyEntry) -> list[tuple[int, str | None]]:
    """Who holds which seat, as far as an entry changes that."""
    if isinstance(entry, Seated):
        return [(entry.seat, entry.key)]
    if isinstance(entry, log.Missed):
        return [(seat, None) for seat in entry.seats]
    return [(entry.seat, None)] if isinstance(entry, log.Left) else []
