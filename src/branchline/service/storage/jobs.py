"""What the writing thread is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from branchline.service.storage.rows import TableChange

Then = Callable[[bool, Exception | None], None]
"""Called in the event loop when entries were written, or not, or could not be."""


class Job:
    """Something to write. After the batch it has a result or an error.

    Whoever asked for it waits for the future, if it has one.
    """

    def __init__(self, future: asyncio.Future[Any] | None) -> None:
        self.future: Final = future
        self.result: Any = None
        self.error: Exception | None = None

    def answer(self) -> None:
        """Tell whoever asked for it, in the event loop."""
        future, error = self.future, self.error
        if future is None or future.done():  # its caller was cancelled
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(self.result)


class Task(Job):
    """Any work; its result is what the work returns."""

    def __init__(
        self, future: asyncio.Future[Any] | None, work: Callable[[Connection], Any]
    ) -> None:
        super().__init__(future)
        self.work: Final = work


class Append(Job):
    """An entry, or several in order; its result is whether they became the next of their table.

    With a `then` it is told instead of a future, which costs the event loop another round.
    """

    def __init__(
        self,
        future: asyncio.Future[bool] | None,
        table: str,
        number: int,
        at: int,
        body: bytes,
        change: TableChange | None,
        more: Sequence[bytes] = (),
        then: Then | None = None,
    ) -> None:
        super().__init__(future)
        self.table: Final = table
        self.number: Final = number
        self.at: Final = at
        self.body: Final = body
        self.change: Final = change
        self.more: Final = more
        self.then: Final = then

    def answer(self) -> None:
        if self.then is None:
            super().answer()
        else:
            self.then(self.error is None and bool(self.result), self.error)

    @property
    def count(self) -> int:
        """How many entries these are."""
        return 1 + len(self.more)

    @property
    def last(self) -> int:
        """The number of the last one."""
        return self.number + len(self.more)

    def row(self, k: int) -> tuple[str, int, int, bytes]:
        """One of the entries, counted from 0."""
        return self.table, self.number + k, self.at, self.more[k - 1] if k else self.body


def plain_values(jobs: Sequence[Job]) -> list[object] | None:
    """The values of single entries of different tables, which change nothing else.

    None: there is something else among the jobs.
    """
    values: list[object] = []
    places: set[str] = set()
    for job in jobs:
        if not isinstance(job, Append) or job.change is not None or job.more:
            return None
        values += (job.table, job.number, job.at, job.body)
        places.add(job.table)
    return values if len(places) == len(jobs) else None


def forget_results(jobs: Sequence[Job]) -> None:
    """Of an earlier attempt."""
    for job in jobs:
        job.result = job.error = None


def all_done(jobs: Sequence[Job]) -> None:
    for job in jobs:
        job.result = True
