"""The one thread that writes: whatever waits is written together and made durable at once."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from branchline.service.storage.batch import Append, CommitLost, Job, Task, settle, write
from branchline.service.storage.database import Database
from branchline.service.storage.errors import StoreError, may_pass, store_error
from branchline.service.storage.rows import TableChange

T = TypeVar("T")


class Writer:
    """Takes writes from one event loop and answers there.

    A write that is answered is on the disk. Writes that are asked for while others are on their
    way to the disk go there together next, so one wait for the disk serves many.
    """

    def __init__(self, database: Database) -> None:
        self.name = uuid.uuid4().hex[:12]
        self._database = database
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
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
        self._ask(
            Append(future, table=table, number=number, at=at, body=body, change=change, more=more)
        )
        return future

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Do any work within a transaction; it may be done twice if the first time fails."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._ask(Task(future, work=work))
        return await future

    async def close(self) -> None:
        """Finish what was asked for, then stop."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _ask(self, job: Job) -> None:
        if self._closed:
            raise StoreError("storage_closed")
        self._queue.put(job)

    def _answer(self, jobs: list[Job]) -> None:
        for job in jobs:
            if job.future.done():  # its caller was cancelled
                continue
            if job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.result)

    # In the thread

    def _run(self) -> None:
        going_on = True
        while going_on:
            jobs: list[Job] = []
            job = self._queue.get()
            with contextlib.suppress(Empty):
                while job is not None:
                    jobs.append(job)
                    job = self._queue.get_nowait()
                going_on = False
            if jobs:
                self._write(jobs)
                with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                    self._loop.call_soon_threadsafe(self._answer, jobs)
        self._disconnect()

    def _write(self, jobs: list[Job]) -> None:
        try:
            self._try(jobs)
        except Exception as error:
            self._disconnect()
            for job in jobs:
                # Each has an error of its own, since a traceback grows where it is raised.
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
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):  # it may be broken, which is why it is closed
                connection.close()
