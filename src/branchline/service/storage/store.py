"""The storage of the table server: logs of tables, and what belongs to them, in one database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from branchline.service.storage import people, reads, removal, writes
from branchline.service.storage.backup import Counts, back_up
from branchline.service.storage.database import READERS, Database, open_database
from branchline.service.storage.encryption import (
    Encryption,
    entry_place,
    snapshot_place,
    summary_place,
)
from branchline.service.storage.errors import StoreError, may_pass, store_error
from branchline.service.storage.faults import Faults
from branchline.service.storage.file_modes import make_private
from branchline.service.storage.jobs import Then
from branchline.service.storage.listener import Listener
from branchline.service.storage.migrate import check_revision, migrate
from branchline.service.storage.rows import EntryRow, PersonRow, TableChange, TableRow
from branchline.service.storage.writer import Writer

KEY_PROOF: Final = "key_proof"

T = TypeVar("T")


class Store:
    """A database, used from one event loop, which it never blocks.

    Every method may raise `StoreError`, and then has changed nothing. What a method has written
    when it returns survives the death of any process, and of the machine if its disk does.
    """

    def __init__(self, database: Database, encryption: Encryption, revision: str) -> None:
        """For `Store.open` only."""
        self._database = database
        self._revision = revision
        self._encryption = encryption
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="branchline-reader")
        self._faults = Faults()
        self._writer = Writer(database, self._faults, revision)
        self._listener: Listener | None = None
        self._callbacks: list[Callable[[str, int], None]] = []
        self._closed = False

    @staticmethod
    async def open(url: str, *, listen: bool = True, key: str | None = None) -> Store:
        """Open a database, and make it or bring it to this version's schema first if necessary.

        `url` is an SQLAlchemy URL for SQLite or PostgreSQL, or the path of an SQLite file. Several
        processes may open a database at the same time. `listen=False` is for tools that don't
        care what others write. With a `key`, 64 hexadecimal digits, logs are stored encrypted.
        """
        database = open_database(url)
        if not database.postgres:
            make_private(database.path)
        try:
            revision = await asyncio.to_thread(migrate, database)
        except BaseException:
            database.close()
            raise
        store = Store(database, Encryption(key), revision)
        try:
            await store._check_key()
        except BaseException:
            await store.close()
            raise
        if listen and database.postgres:
            store._listener = Listener(database, store._writer.name, revision, store._wake)
            try:
                await store._listener.start()
                # From now on nobody changes the schema; somebody may have until now.
                check_revision(store._listener.revision, revision)
            except BaseException:
                await store.close()
                raise
        return store

    async def _check_key(self) -> None:
        """Raise `StoreError` if the database was written with a key, and this is not the same."""
        proof = self._encryption.proof
        if proof:
            self._encryption.check(await self.set_setting_once(KEY_PROOF, proof))
        elif stored := await self._read(lambda c: reads.read_setting(c, KEY_PROOF)):
            self._encryption.check(stored)

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
        sealed = self._sealed(row.id, 1, entries)
        try:
            await self._writer.do(lambda c: writes.write_table(c, row, board, sealed, at, sits))
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
        if self._encryption.on:
            body, *more = self._sealed(table, number, [body, *more])
            change = self._sealed_change(table, change)
        return await self._writer.append(table, number, at, body, change, more)

    def append_then(
        self,
        table: str,
        number: int,
        at: int,
        body: bytes,
        change: TableChange | None,
        more: Sequence[bytes],
        then: Then,
    ) -> None:
        """As `append`, without waiting: `then` is told as soon as it is known, in the event loop.

        It must not raise anything, and gets an error that `append` would raise.
        """
        if self._encryption.on:
            body, *more = self._sealed(table, number, [body, *more])
            change = self._sealed_change(table, change)
        self._writer.append_then(table, number, at, body, change, more, then)

    def _sealed_change(self, table: str, change: TableChange | None) -> TableChange | None:
        if change is None or change.summary is None:
            return change
        sealed = self._encryption.seal(change.summary, summary_place(table))
        return msgspec.structs.replace(change, summary=sealed)

    def _sealed(self, table: str, first: int, bodies: Sequence[bytes]) -> list[bytes]:
        """Bodies of the entries from a number on, as they are stored."""
        seal = self._encryption.seal
        return [seal(body, entry_place(table, k)) for k, body in enumerate(bodies, first)]

    async def entries(self, table: str, after: int = 0) -> list[EntryRow]:
        """The log after a number, in order; nothing if there is no such table."""
        rows = await self._read(lambda c: reads.read_entries(c, table, after))
        unseal = self._encryption.open
        return [
            EntryRow(row.number, row.at, unseal(row.body, entry_place(table, row.number)))
            for row in rows
        ]

    async def table(self, id: str) -> TableRow | None:
        """A table's row."""
        row = await self._read(lambda c: reads.read_table(c, id))
        return None if row is None else self._opened(row)

    def _opened(self, row: TableRow) -> TableRow:
        """A row with what is encrypted in it."""
        if row.summary is None:
            return row
        summary = self._encryption.open(row.summary, summary_place(row.id))
        return msgspec.structs.replace(row, summary=summary)

    async def board(self, digest: str) -> bytes | None:
        """The board that tables with this digest are played on."""
        return await self._read(lambda c: reads.read_board(c, digest))

    async def public_tables(self, since: int, limit: int) -> list[TableRow]:
        """Public tables that wait or play and have changed since then, the latest first."""
        rows = await self._read(lambda c: reads.read_public(c, since, limit))
        return [self._opened(row) for row in rows]

    async def tables_of(self, key: str, limit: int) -> list[tuple[TableRow, int]]:
        """Tables at which the key with this hash holds a seat, with its first, the latest first.

        Of a key that holds hundreds, those are looked at whose seats were taken last.
        """
        rows = await self._read(lambda c: reads.read_tables_of(c, key, limit))
        return [(self._opened(row), seat) for row, seat in rows]

    async def due(self, before: int, limit: int) -> list[str]:
        """Tables in play that want a look before or at that time, the most urgent first."""
        return await self._read(lambda c: reads.read_due(c, before, limit))

    async def alive(self, most: int, since: int) -> int:
        """How many tables wait, or play and have changed since then; `most` if there are more."""
        return await self._read(lambda c: reads.read_alive(c, most, since))

    async def count(self) -> dict[str, int]:
        """How many tables wait, play and are over."""
        return await self._read(reads.read_count)

    async def put_summary(self, table: str, body: bytes) -> None:
        """Keep what lists show of a finished table."""
        sealed = self._encryption.seal(body, summary_place(table))
        await self._writer.do(lambda c: writes.write_summary(c, table, sealed))

    # Tables whose time is over

    async def mark_expired(
        self, status: str, before: int, limit: int, kept: Collection[str] = ()
    ) -> list[str]:
        """Let tables with this status that have not changed since then exist no longer.

        Those in `kept` are left alone. Returns which; `remove_some` removes what they consist of.
        """
        return await self._writer.do(lambda c: removal.mark_expired(c, status, before, limit, kept))

    async def remove_some(self, rows: int) -> int:
        """Remove about so many rows of tables that exist no longer; 0: there are none left."""
        return await self._writer.do(lambda c: removal.remove_some(c, rows))

    # Snapshots: where loading a long log may begin

    async def put_snapshot(self, table: str, number: int, version: str, body: bytes) -> None:
        """Keep the state after entry `number`; of each table only the newest few are kept."""
        sealed = self._encryption.seal(body, snapshot_place(table, number))
        await self._writer.do(writes.SnapshotWrite(table, number, version, sealed))

    async def snapshot(self, table: str, version: str) -> tuple[int, bytes] | None:
        """The newest snapshot that this version of the format has written."""
        found = await self._read(lambda c: reads.read_snapshot(c, table, version))
        if found is None:
            return None
        number, body = found
        return number, self._encryption.open(body, snapshot_place(table, number))

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

    # Visitors

    async def person(self, key: str) -> PersonRow | None:
        """What is kept of a visitor; None: nothing but seats."""
        return await self._read(lambda c: people.read_person(c, key))

    async def ranking(self, games: int, limit: int) -> list[PersonRow]:
        """The best rated of those who want to be shown and have played that many games."""
        return await self._read(lambda c: people.read_ranking(c, games, limit))

    async def all_tables_of(self, key: str) -> list[str]:
        """Every table at which a key holds a seat."""
        return await self._read(lambda c: people.read_seats_of(c, key))

    async def unrated(self, since: int, limit: int) -> list[str]:
        """Games that have ended since then and were not rated, the oldest first."""
        return await self._read(lambda c: people.read_unrated(c, since, limit))

    async def put_person(self, person: PersonRow) -> None:
        """Keep a visitor's name and whether it is shown; a rating that is there stays."""
        await self._writer.do(lambda c: people.write_person(c, person))

    async def rate(self, table: str, newcomers: Sequence[PersonRow], after: people.Update) -> bool:
        """Let a game change the ratings of those who played it; False: it has done so already."""
        return await self._writer.do(lambda c: people.write_ratings(c, table, newcomers, after))

    async def drop_person(self, key: str) -> None:
        """Forget a visitor's name and rating."""
        await self._writer.do(lambda c: people.remove_person(c, key))

    async def rewrite(
        self, table: str, bodies: Mapping[int, bytes], key: str, seats: Sequence[int]
    ) -> None:
        """Replace entries of a log, and forget that the key held these seats."""
        seal = self._encryption.seal
        sealed = {k: seal(body, entry_place(table, k)) for k, body in bodies.items()}
        await self._writer.do(lambda c: people.rewrite_entries(c, table, sealed, key, seats))

    # Other processes, operators

    def on_wake(self, callback: Callable[[str, int], None]) -> None:
        """Be called, in the event loop, when another process has added entries: table, number.

        Of entries that were added together only the last is told. Table "" and number 0: the
        connection was lost for a while, so any table may have new entries. Never with SQLite.
        """
        self._callbacks.append(callback)

    async def backup(self, target: Path, force: bool = False) -> Counts:
        """Copy an SQLite database as it is at one moment, while it is in use, and check it."""
        if self._database.postgres:
            raise StoreError("storage_backup")
        return await asyncio.to_thread(back_up, self._database.path, target, force)

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
                if self._listener is not None:
                    check_revision(self._listener.revision, self._revision)
                with self._database.reads.connect() as connection:
                    found = work(connection)
                self._faults.worked("read")
                return found
            except (DBAPIError, StoreError) as error:
                # A connection that was idle while the database restarted is known only by trying.
                if attempt == 2 or not may_pass(error):
                    fault = store_error(error)
                    self._faults.failed("read", fault)
                    raise fault from error
        raise AssertionError("unreachable")
