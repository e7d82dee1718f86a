"""Hearing from the other processes that serve the same tables, on PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import psycopg

from branchline.service.storage.batch import CHANNEL
from branchline.service.storage.database import Database
from branchline.service.storage.errors import store_error
from branchline.service.storage.migrate import REVISION, SERVING

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
"""Seconds between attempts to connect again."""

Connection = psycopg.AsyncConnection[tuple[object, ...]]


class Listener:
    """Calls back, in the event loop, for each notification that another writer sends.

    After an interruption it calls with the table "" and the number 0: anything may have happened.
    """

    def __init__(
        self, database: Database, writer: str, revision: str, wake: Callable[[str, int], None]
    ) -> None:
        _, self._options = database.writes.dialect.create_connect_args(database.url)
        self._options.update(database.options)
        self._writer = writer
        self._wake = wake
        self.revision = revision
        """Of the schema, when this was connected last."""
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen. Whatever is notified after this returns will be heard."""
        try:
            await self._connect()
        except psycopg.Error as error:
            raise store_error(error) from error
        self._task = asyncio.create_task(self._listen(), name="branchline-listener")

    async def stop(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._disconnect()

    async def _connect(self) -> None:
        self._connection = await psycopg.AsyncConnection.connect(**self._options, autocommit=True)
        await self._connection.execute(f"SELECT pg_advisory_lock_shared({SERVING})")
        await self._connection.execute(f"LISTEN {CHANNEL}")
        found = await (await self._connection.execute(REVISION)).fetchone()
        self.revision = str(found[0]) if found is not None else ""

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _listen(self) -> None:
        while True:
            with contextlib.suppress(psycopg.Error):  # the connection is lost
                await self._hear()
            await self._connect_again()
            self._call("", 0)

    async def _hear(self) -> None:
        assert self._connection is not None
        async for notification in self._connection.notifies():
            writer, _, entry = notification.payload.partition(" ")
            table, _, number = entry.rpartition(" ")
            if writer != self._writer and number.isdecimal():
                self._call(table, int(number))

    def _call(self, table: str, number: int) -> None:
        # By the loop, so that a callback that fails is reported and doesn't end the listening.
        asyncio.get_running_loop().call_soon(self._wake, table, number)

    async def _connect_again(self) -> None:
        pause = FIRST_PAUSE
        while True:
            await self._disconnect()
            try:
                return await self._connect()
            except psycopg.Error:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
