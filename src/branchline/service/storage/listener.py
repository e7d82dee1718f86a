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

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
"""Seconds between attempts to connect again."""

Connection = psycopg.AsyncConnection[tuple[object, ...]]


class Listener:
    """Calls back, in the event loop, for each notification that another writer sends.

    After an interruption it calls with the table "" and the number 0: anything may have happened.
    """

    def __init__(self, database: Database, writer: str, wake: Callable[[str, int], None]) -> None:
        _, self._options = database.writes.dialect.create_connect_args(database.url)
        self._options.update(database.options)
        self._writer = writer
        self._wake = wake
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen. Whatever is notified after this returns will be heard."""
        try:
            connection = await self._connect()
        except psycopg.Error as error:
            raise store_error(error) from error
        self._task = asyncio.create_task(self._listen(connection), name="branchline-listener")

    async def stop(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _connect(self) -> Connection:
        connection: Connection = await psycopg.AsyncConnection.connect(
            **self._options, autocommit=True
        )
        try:
            await connection.execute(f"LISTEN {CHANNEL}")
        except BaseException:
            await connection.close()
            raise
        return connection

    async def _listen(self, connection: Connection) -> None:
        while True:
            try:
                async for notification in connection.notifies():
                    writer, table, number = notification.payload.split(" ")
                    if writer != self._writer:
                        self._wake(table, int(number))
            except psycopg.Error:
                pass  # the connection is lost
            finally:
                await connection.close()
            connection = await self._connect_again()
            self._wake("", 0)

    async def _connect_again(self) -> Connection:
        pause = FIRST_PAUSE
        while True:
            try:
                return await self._connect()
            except psycopg.Error:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
