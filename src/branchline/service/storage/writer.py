"""The one thread that writes: whatever waits is written together and made durable at once."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Final, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from branchline.service.storage.batch import CommitLost, settle, write
from branchline.service.storage.database import Database
from branchline.service.storage.errors import StoreError, may_pass, store_error
from branchline.service.storage.faults import Faults
from branchline.service.storage.jobs import Append, Job, Task, Then
from branchline.service.storage.migrate import keep_schema
from branchline.service.storage.rows import TableChange

T = TypeVar("T")

logger: Final = logging.getLogger("branchline.storage")


class Writer:
    """Takes writes from one event loop and answers there.

    A write that is answered is on the disk. Writes that are asked for while others are on their
    way to the disk go there together next, so one wait for the disk serves many.
    """

    def __init__(
        self, database: Database, faults: Faults | None = None, revision: str | None = None
    ) -> None:
        """With a `revision` it writes only to a schema that has it."""
        self.name = uuid.uuid4().hex[:12]
        self._database = database
        self._revision = revision
        self._faults = faults or Faults()
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Job] = []
        self._soon = False  # whether what waits is about to be handed over
        self._round: asyncio.Future[None] | None = None  # what the thread has at the moment
        self._queue: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._connection: Connection | None = None
        self._closed = False
        self._thread = Thread(target=self._run, name="branchline-writer", daemon=True)
        self._thread.start()

    def append(
        self,
        table: str,
        number: int,
        at: int,
        body: bytes,
        change: TableChange | None,
        more: Sequence[bytes] = (),
    ) -> asyncio.Future[bool]:
        """Whether the entry, and those that follow it, became the next ones of their table."""
        future: asyncio.Future[bool] = self._loop.create_future()
        self._ask(Append(future, table, number, at, body, change, more))
        return future

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
        """As `append`; `then` is told as soon as it is known."""
        self._ask(Append(None, table, number, at, body, change, more, then))

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Do any work within a transaction; it may be done twice if the first time fails."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._ask(Task(future, work))
        return await future

    async def close(self) -> None:
        """Finish what was asked for, then stop."""
        first, self._closed = not self._closed, True
        self._hand_over()
        while self._round is not None:
            await asyncio.shield(self._round)
        if first:
            self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _ask(self, job: Job) -> None:
        if self._closed:
            raise StoreError("storage_closed")
        self._waiting.append(job)
        if self._round is None and not self._soon:
            self._soon = True
            self._loop.call_soon(self._hand_over)  # with what else is about to be asked for

    def _hand_over(self) -> None:
        """Give the thread what waits, all at once.

        For each time that it is woken, it and the event loop contend for the interpreter.
        """
        self._soon = False
        if self._round is None and self._waiting:
            jobs, self._waiting = self._waiting, []
            self._round = self._loop.create_future()
            self._queue.put(jobs)

    def _answer(self, jobs: list[Job]) -> None:
        done, self._round = self._round, None
        if done is not None:
            done.set_result(None)
        self._hand_over()
        for job in jobs:
            try:
                job.answer()
            except Exception as error:  # of which the others must not suffer
                logger.exception("an answer has failed", exc_info=error)

    # In the thread

    def _run(self) -> None:
        while (jobs := self._queue.get()) is not None:
            self._write(jobs)
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                self._loop.call_soon_threadsafe(self._answer, jobs)
        self._disconnect()

    def _write(self, jobs: list[Job]) -> None:
        try:
            self._try(jobs)
            self._faults.worked("write")
        except Exception as error:
            self._disconnect()
            self._faults.failed("write", store_error(error))
            for job in jobs:
                # Each gets a new error, since a traceback grows where it is raised.
                job.error = store_error(error)
                job.error.__cause__ = error

    def _try(self, jobs: list[Job]) -> None:
        """Write all; once more on a new connection if the first had only been idle for too long."""
        try:
            write(self._connected(), self.name, jobs)
        except CommitLost as lost:
            self._disconnect()
            self._write_in_doubt(jobs, lost.error)
        except Exception as error:
            if not may_pass(error):
                raise
            self._disconnect()
            write(self._connected(), self.name, jobs)

    def _write_in_doubt(self, jobs: list[Job], error: DBAPIError) -> None:
        appends = [job for job in jobs if isinstance(job, Append)]
        write(self._connected(), self.name, settle(self._connected(), appends))
        for job in jobs:
            if isinstance(job, Task):
                job.error = store_error(error)

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._database.writes.connect()
            if self._revision is not None:
                keep_schema(self._connection, self._revision)
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):  # it may be broken, which is why it is closed
                connection.close()
