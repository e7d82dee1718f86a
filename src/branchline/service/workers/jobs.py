"""Jobs for worker processes: work that a request asks for and that may take too long.

A job has a bounded time, of the clock and of the processor, and bounded memory. What doesn't fit is
refused, and the worker with it is gone: nothing that a stranger sends can hold up the server.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

from branchline.engine.describe import describe_error
from branchline.engine.errors import BranchlineError
from branchline.service.errors import ServiceError
from branchline.service.workers.process import Bounds, WorkerGone
from branchline.service.workers.slots import WorkerSlot

MEGABYTE: Final = 1024 * 1024
LONGEST_ANSWER: Final = 16 * MEGABYTE

logger: Final = logging.getLogger("branchline.jobs")


class Job(NamedTuple):
    """A function that returns the body of an answer, with its arguments and the language."""

    work: Callable[..., bytes]
    args: tuple[object, ...]
    lang: str


class Refused(NamedTuple):
    """In place of the body: why there is none, in words."""

    code: str
    text: str
    status: int | None


class Failed(NamedTuple):
    """In place of the body: a fault of ours."""

    trace: str


class JobRefused(BranchlineError):
    """What was sent can't be used; the words for it were found in the worker."""

    def __init__(self, code: str, text: str, status: int | None) -> None:
        super().__init__(code)
        self.text: Final = text
        if status is not None:
            self.status: int = status


def do_job(job: Job) -> bytes | Refused | Failed:
    """In the worker."""
    try:
        body = job.work(*job.args)
        if len(body) > LONGEST_ANSWER:
            raise too_heavy()
        return body
    except BranchlineError as error:
        return refused(error, job.lang)
    except (MemoryError, RecursionError):
        return refused(too_heavy(), job.lang)
    except Exception:
        return Failed(traceback.format_exc())


def refused(error: BranchlineError, lang: str) -> Refused:
    return Refused(error.code, describe_error(error, lang), getattr(error, "status", None))


def too_heavy() -> ServiceError:
    return ServiceError("too_heavy", status=422)


class JobPool:
    """Does jobs, a few at a time. Addresses take turns; when too many wait, more are refused.

    `places` are jobs that may be under way or wait, `each` those of one address, `seconds` what a
    job may take by the clock.
    """

    def __init__(
        self, bounds: Bounds, seconds: float, *, workers: int = 1, places: int = 16, each: int = 4
    ) -> None:
        self._slots: Final = [WorkerSlot(do_job, bounds) for _ in range(workers)]
        self._seconds: Final = seconds
        self._places: Final = places
        self._each: Final = each
        self._held: Final[dict[str, int]] = {}

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """Keep a place for the block; raises `ServiceError` if there is none."""
        if self._held.get(address, 0) >= self._each:
            raise ServiceError("too_many_requests", status=429)
        if sum(self._held.values()) >= self._places:
            raise ServiceError("too_busy", status=503)
        self._held[address] = self._held.get(address, 0) + 1
        try:
            yield
        finally:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]

    async def do(self, address: str, lang: str, work: Callable[..., bytes], *args: object) -> bytes:
        """The body that `work` returns; raises what it refuses. A place is kept."""
        slot = min(self._slots, key=lambda slot: slot.waiting)
        async with slot.turn([address]):
            try:
                done = await self._done(slot, Job(work, args, lang))
            except WorkerGone:
                logger.warning("a job was ended: it took too long or too much memory")
                raise too_heavy() from None
        if isinstance(done, Refused):
            raise JobRefused(*done)
        if isinstance(done, Failed):
            raise RuntimeError(f"a job failed in its worker\n{done.trace}")
        body: bytes = done
        return body

    async def _done(self, slot: WorkerSlot, job: Job) -> Any:
        """A job that was done; once more if its worker was killed from outside meanwhile."""
        try:
            return await slot.ask(job, self._seconds)
        except WorkerGone as gone:
            if not gone.killed:
                raise
            return await slot.ask(job, self._seconds)

    def close(self) -> None:
        """End all workers, whatever they are doing."""
        for slot in self._slots:
            slot.close()


class Answers:
    """Bodies that were made before, up to a number of bytes; each is made once at a time."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._kept: Final[OrderedDict[Hashable, bytes]] = OrderedDict()
        self._size: int = 0
        self._making: Final[dict[Hashable, asyncio.Task[bytes]]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """The body that is kept under a key, or else the one that `make` makes."""
        body = self._kept.get(key)
        if body is not None:
            self._kept.move_to_end(key)
            return body
        task = self._making.get(key)
        if task is None:
            task = self._making[key] = asyncio.ensure_future(self._make(key, make))
            task.add_done_callback(lambda done: self._made(key, done))
        return await asyncio.shield(task)

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        body = await make()
        self._kept[key] = body
        self._size += len(body)
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])
        return body

    def _made(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        del self._making[key]
        if not task.cancelled():
            task.exception()  # whoever waits is told; nobody may wait any more


__all__ = ["Answers", "Job", "JobPool", "JobRefused"]
