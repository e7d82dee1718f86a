"""Places for worker processes, each with a thread that waits for it and a fair queue before it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Lock
from typing import Any, Final

from branchline.service.workers.fair_queue import FairQueue
from branchline.service.workers.process import Bounds, WorkerGone, WorkerProcess, start_worker


class WorkerSlot:
    """A place for one worker process, which is replaced when it is gone."""

    def __init__(self, answer: Callable[[Any], Any], bounds: Bounds) -> None:
        self.sessions: int = 0
        """How many sessions live here, for those who keep any."""
        self.waiting: int = 0
        """Questions that are being asked here or are queued."""
        self._thread: Final = ThreadPoolExecutor(1, thread_name_prefix="branchline-worker")
        self._queue: Final[FairQueue[asyncio.Future[None]]] = FairQueue()
        self._last: Final[FairQueue[asyncio.Future[None]]] = FairQueue()
        self._busy: bool = False
        self._answer: Final = answer
        self._bounds: Final = bounds
        self._lock: Final = Lock()
        self._worker: WorkerProcess | None = None
        self._closed: bool = False

    @asynccontextmanager
    async def turn(self, names: Sequence[str], last: bool = False) -> AsyncIterator[None]:
        """Wait until it is the turn of whoever is named, and keep the worker for the block.

        Those who come `last` have a turn when nobody else waits.
        """
        self.waiting += 1
        try:
            if self._busy:
                future = asyncio.get_running_loop().create_future()
                (self._last if last else self._queue).put(names, future)
                try:
                    await future
                except asyncio.CancelledError:
                    if future.done() and not future.cancelled():
                        self._pass_on()
                    raise
            self._busy = True
            try:
                yield
            finally:
                self._pass_on()
        finally:
            self.waiting -= 1

    def _pass_on(self) -> None:
        """The turn goes to the next who waits."""
        self._busy = False
        while len(self._queue) or len(self._last):
            future = (self._queue if len(self._queue) else self._last).pop()
            if not future.done():
                self._busy = True
                future.set_result(None)
                return

    async def ask(self, question: object, seconds: float) -> Any:
        """The worker's answer; raises `WorkerGone` if there is none in time. It is ended then."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._ask, question, seconds)

    def warm(self) -> None:
        """Start the worker before it is needed."""
        self._thread.submit(self._running)

    def close(self) -> None:
        """End the worker, whatever it is doing."""
        with self._lock:
            self._closed = True
            if self._worker is not None:
                self._worker.end()
        self._thread.shutdown(cancel_futures=True)

    # In the thread

    def _ask(self, question: object, seconds: float) -> Any:
        worker = self._running()
        try:
            return worker.ask(question, seconds)
        except WorkerGone:
            worker.end()
            self._worker = None
            raise

    def _running(self) -> WorkerProcess:
        """The worker; a new one if the last has died since it was asked."""
        with self._lock:
            if self._closed:
                raise WorkerGone
            if self._worker is not None and not self._worker.alive:
                self._worker.end()
                self._worker = None
            if self._worker is None:
                self._worker = start_worker(self._answer, self._bounds)
            return self._worker
