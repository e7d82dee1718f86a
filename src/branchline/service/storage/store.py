"""The storage of the table server: logs of tables, and what belongs to them, in one database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from branchline.service.storage import reads, writes
from branchline.service.storage.backup import back_up
from branchline.service.storage.database import READERS, Database, open_database
from branchline.service.storage.errors import StoreError, may_pass, store_error
from branchline.service.storage.listener import Listener
from branchline.service.storage.migrate import migrate
from branchline.service.storage.rows import EntryRow, TableChange, TableRow
from branchline.service.storage.writer import Writer

T = TypeVar("T")


class Store:
    """A database, used from one event loop, which it never blocks.

    Every method may raise `StoreError`, and then has changed nothing. What a method has written
    when it returns survives the death of any process, and of the machine if its disk does.
    """

    def __init__(self, database: Database) -> None:
        """For `Store.open` only."""
        self._database = database
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="branchline-reader")
        self._writer = Writer(database)
        self._listener: Listener | None = None
        self._callbacks: list[Callable[[str, int], None]] = []
        self._closed = False

    @staticmethod
    async def open(url: str, *, listen: bool = True) -> Store:
        """Open a database, and make it or bring it to this version's schema first if necessary.

        `url` is an SQLAlchemy URL for SQLite or PostgreSQL, or the path of an SQLite file. Several
        processes may open a database at the same time. `listen=False` is for tools that don't
        care what others write.
        """
        database = open_database(url)
        try:
            await asyncio.to_thread(migrate, database)
        except BaseException:
            database.close()
            raise
        store = Store(database)
        if listen and database.postgres:
            store._listener = Listener(database, store._writer.name, store._wake)
            try:
                await store._listener.start()
            except BaseException:
                await store.close()
                raise
        return store

    async def close(self) -> None:
        """Finish the writes that were asked for, then close all connections."""
        self._closed = True
        if self._listener is not None:
            await self._listener.stop()
        await self._writer.close()
        await asyncio.to_thread(self._readers.shutdown)
        self._database.close()

    async def ready(self) -> None:
        """Raise `StoreError` unless the database can be read and written now."""
        await self._writer.do(lambda c: writes.write_probe(c, str(time.time_ns())))
        await self._read(lambda c: reads.read_setting(c, writes.PROBE))

    # Tables and their logs

    async def create(
        self,
        row: TableRow,
        board: bytes,
        entries: Sequence[bytes],
        at: int,
        sits: Sequence[tuple[int, str]],
    ) -> None:
        """A new table, its board (kept once for each digest), its first entries, its holders."""
        try:
            await self._writer.do(lambda c: writes.write_table(c, row, board, entries, at, sits))
        except IntegrityError:
            raise StoreError("storage_taken", {"id": row.id}) from None

    async def append(
        self,
        table: str,
        number: int,
        at: int,
        body: bytes,
        change: TableChange | None = None,
        more: Sequence[bytes] = (),
    ) -> bool:
        """Add an entry to a log, and what it changes in the table's row, at once or not at all.

        `more` are entries that follow it, written with it or not at all.

        False if `number` is not the next number: another process was faster, so read its entry
        and think again. Ask for one entry of a table at a time: an entry that is sent after one
        that loses is not refused for that.
        """
        return await self._writer.append(table, number, at, body, change, more)

    async def entries(self, table: str, after: int = 0) -> list[EntryRow]:
        """The log after a number, in order; nothing if there is no such table."""
        return await self._read(lambda c: reads.read_entries(c, table, after))

    async def table(self, id: str) -> TableRow | None:
        """A table's row."""
        return await self._read(lambda c: reads.read_table(c, id))

    async def board(self, digest: str) -> bytes | None:
        """The board that tables with this digest are played on."""
        return await self._read(lambda c: reads.read_board(c, digest))

    async def public_tables(self, since: int, limit: int) -> list[TableRow]:
        """Public tables that wait or play and have changed since then, the latest first."""
        return await self._read(lambda c: reads.read_public(c, since, limit))

    async def tables_of(self, key: str, limit: int) -> list[tuple[TableRow, int]]:
        """Tables at which the key with this hash holds a seat, with its first, the latest first."""
        return await self._read(lambda c: reads.read_tables_of(c, key, limit))

    async def due(self, before: int, limit: int) -> list[str]:
        """Tables in play that want a look before or at that time, the most urgent first."""
        return await self._read(lambda c: reads.read_due(c, before, limit))

    async def count(self) -> dict[str, int]:
        """How many tables wait, play and are over."""
        return await self._read(reads.read_count)

    # Snapshots: where loading a long log may begin

    async def put_snapshot(self, table: str, number: int, version: str, body: bytes) -> None:
        """Keep the state after entry `number`; of each table only the newest few are kept."""
        await self._writer.do(lambda c: writes.write_snapshot(c, table, number, version, body))

    async def snapshot(self, table: str, version: str) -> tuple[int, bytes] | None:
        """The newest snapshot that this version of the format has written."""
        return await self._read(lambda c: reads.read_snapshot(c, table, version))

    async def drop_snapshots(self, table: str, after: int) -> None:
        """Forget the snapshots of states after entry `after`."""
        await self._writer.do(lambda c: writes.remove_snapshots(c, table, after))

    # Links, notices, settings

    async def put_link(self, hash: str, table: str, seat: int, expires: int) -> None:
        """Keep a one-time link, by the hash of its token."""
        await self._writer.do(lambda c: writes.write_link(c, hash, table, seat, expires))

    async def take_link(self, hash: str, now: int) -> tuple[str, int] | None:
        """The table and seat of a link that is good until after `now`. Only one caller gets it."""
        return await self._writer.do(lambda c: writes.remove_link(c, hash, now))

    async def put_notice(self, table: str, seat: int, body: bytes | None) -> None:
        """Add a way to tell a seat of its turn (the newest few are kept); None forgets all."""
        await self._writer.do(lambda c: writes.write_notice(c, table, seat, body))

    async def notices(self, table: str, seat: int) -> list[bytes]:
        """The ways to tell a seat of its turn, the oldest first."""
        return await self._read(lambda c: reads.read_notices(c, table, seat))

    async def setting(self, name: str) -> str | None:
        """A setting that all processes share."""
        return await self._read(lambda c: reads.read_setting(c, name))

    async def set_setting_once(self, name: str, value: str) -> str:
        """Set it if nobody has; returns the value that it has now."""
        return await self._writer.do(lambda c: writes.write_setting_once(c, name, value))

    # Other processes, operators

    def on_wake(self, callback: Callable[[str, int], None]) -> None:
        """Be called, in the event loop, when another process has added entries: table, number.

        Of entries that were added together only the last is told. Table "" and number 0: the
        connection was lost for a while, so any table may have new entries. Never with SQLite.
        """
        self._callbacks.append(callback)

    async def backup(self, target: Path, force: bool = False) -> None:
        """Copy an SQLite database as it is at one moment, while it is in use."""
        if self._database.postgres:
            raise StoreError("storage_backup")
        await asyncio.to_thread(back_up, self._database.path, target, force)

    def _wake(self, table: str, number: int) -> None:
        for callback in self._callbacks:
            callback(table, number)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        if self._closed:
            raise StoreError("storage_closed")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._read_now, work)

    def _read_now(self, work: Callable[[Connection], T]) -> T:
        for attempt in (1, 2):
            try:
                with self._database.reads.connect() as connection:
                    return work(connection)
            except DBAPIError as error:
                # A connection that was idle while the database restarted is known only by trying.
                if attempt == 2 or not may_pass(error):
                    raise store_error(error) from error
        raise AssertionError("unreachable")
