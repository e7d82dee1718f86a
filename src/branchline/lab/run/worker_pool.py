"""Many items of work on all cores: handed out in batches, returned as they are finished.

An item is a game, or a block of games, and depends on its number alone. So neither the number of
processes nor the batches, which hold what a worker can do in about two seconds, change any result.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Final, Generic, Protocol, TypeVar

from branchline.lab.errors import GameFailed, LabError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

BATCH_SECONDS: Final = 2.0
FIRST_SECONDS: Final = 0.3  # work that is done by then needs no other process
LARGEST: Final = 50_000
STEP: Final = 4  # the batches of a worker grow at most so fast


class Work(Protocol[T_co]):
    """Items that can be done one by one, in any order, anywhere. It is sent to workers."""

    def begin(self) -> Callable[[int], T_co]:
        """Prepare, and return the function that does an item."""
        ...


class Batch(Generic[T]):
    """Results of consecutive items: those from `first` on that a worker finished."""

    def __init__(self, first: int) -> None:
        self.first: Final = first
        self.results: list[T] = []
        self.seconds: float = 0.0
        self.failure: GameFailed | None = None
        self.interrupted: bool = False

    def __len__(self) -> int:
        return len(self.results)


def do_batch(
    do: Callable[[int], T], items: range, seconds: float, stop: Callable[[], bool]
) -> Batch[T]:
    """Do items until they are all done, the time is up or somebody asks to stop."""
    batch: Batch[T] = Batch(items.start)
    began = time.perf_counter()
    try:
        for item in items:
            batch.results.append(do(item))
            if time.perf_counter() - began > seconds or stop():
                break
    except KeyboardInterrupt:
        batch.interrupted = True
    except GameFailed as failed:
        batch.failure = failed
    batch.seconds = time.perf_counter() - began
    return batch


class WorkerPool(Protocol):
    """The workers that do batches."""

    @property
    def size(self) -> int: ...

    def submit(self, items: range) -> Future[Any]: ...

    def stop(self) -> None:
        """Ask all workers to stop after the current item."""
        ...

    def close(self) -> None: ...


def batches(
    work: Work[T], todo: Iterable[range], processes: int, ray: str | None = None
) -> Generator[Batch[T]]:
    """Do all items of `todo`, in about that order; and yield batches as they are finished.

    With Ctrl-C, the items under way are finished and yielded before `KeyboardInterrupt` is raised.
    """
    queue = deque(todo)
    if ray is None:
        yield from _in_this_process(work, queue, forever=processes == 1)
    if not queue:
        return
    pool: WorkerPool
    if ray is not None:
        from branchline.lab.run.ray_pool import RayPool

        pool = RayPool(work, ray)
    else:
        left = sum(len(items) for items in queue)
        pool = ProcessPool(work, min(processes, left))
    try:
        yield from Scheduler(pool, queue).batches()
    finally:
        pool.stop()
        pool.close()


def _in_this_process(work: Work[T], queue: deque[range], forever: bool) -> Iterator[Batch[T]]:
    """Work in this process, for a moment or until all is done."""
    do = work.begin()
    seconds = BATCH_SECONDS if forever else FIRST_SECONDS
    end = time.perf_counter() + seconds
    while queue and (forever or time.perf_counter() < end):
        items = queue.popleft()
        batch = do_batch(do, items, seconds, lambda: False)
        if len(batch) < len(items):
            queue.appendleft(items[len(batch) :])
        yield batch
        _check(batch)
        if batch.interrupted:
            raise KeyboardInterrupt


class Scheduler:
    """Keeps a pool busy until the queue is empty, with batches of about the same duration."""

    def __init__(self, pool: WorkerPool, queue: deque[range]) -> None:
        self.pool: Final = pool
        self.queue: Final = queue
        self.running: Final[dict[Future[Any], range]] = {}
        self.size = 1  # of the next batch

    def batches(self) -> Iterator[Batch[Any]]:
        """All batches, as they are finished."""
        try:
            while self.queue or self.running:
                while self.queue and len(self.running) <= self.pool.size:
                    items = self.portion()
                    self.running[self.pool.submit(items)] = items
                for batch in self.finished():
                    yield batch
                    _check(batch)
        except KeyboardInterrupt:
            self.pool.stop()
            while self.running:
                yield from self.finished()
            raise

    def portion(self) -> range:
        """The next items for one worker; few when the end is near, so that all finish together."""
        items = self.queue.popleft()
        left = len(items) + sum(len(others) for others in self.queue)
        fair = max(1, self.size // 8, left // (2 * self.pool.size))
        count = min(len(items), self.size, fair)
        if count < len(items):
            self.queue.appendleft(items[count:])
        return items[:count]

    def finished(self) -> list[Batch[Any]]:
        """Wait for a batch or several; items left undone go back to the queue."""
        found = []
        for future in wait(self.running, return_when=FIRST_COMPLETED).done:
            items = self.running.pop(future)
            try:
                batch: Batch[Any] = future.result()
            except BrokenProcessPool:
                raise LabError("worker_died") from None
            if len(batch) < len(items):
                self.queue.appendleft(items[len(batch) :])
            wanted = int(len(batch) * BATCH_SECONDS / 2 / max(batch.seconds, 1e-6))
            self.size = min(max(wanted, 1), self.size * STEP, LARGEST)
            found.append(batch)
        return sorted(found, key=lambda batch: batch.first)


def _check(batch: Batch[Any]) -> None:
    if batch.failure is not None:
        raise batch.failure


# --- processes of this machine --------------------------------------------------------------


class ProcessPool:
    """Workers on this machine, each in a fresh process."""

    def __init__(self, work: Work[Any], count: int) -> None:
        self.size: Final = count
        context = multiprocessing.get_context("spawn")
        self.ending: Final = context.Event()
        self.executor: Final = ProcessPoolExecutor(
            count, mp_context=context, initializer=_begin, initargs=(work, self.ending)
        )

    def submit(self, items: range) -> Future[Any]:
        with _without_interrupt():  # a process that is started here ignores Ctrl-C too
            return self.executor.submit(_do, items)

    def stop(self) -> None:
        self.ending.set()

    def close(self) -> None:
        self.executor.shutdown(cancel_futures=True)


@contextmanager
def _without_interrupt() -> Iterator[None]:
    """Postpone Ctrl-C for a moment, where the system can."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_do_item: Callable[[int], Any] | None = None
_stop_requested: Callable[[], bool] = bool


def _begin(work: Work[Any], ending: Any) -> None:
    """Prepare a worker: it leaves Ctrl-C to its parent and does not outlive it."""
    global _do_item, _stop_requested
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_with, args=(parent,), daemon=True).start()
    _stop_requested = ending.is_set
    _do_item = work.begin()


def _exit_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _do(items: range) -> Batch[Any]:
    assert _do_item is not None
    return do_batch(_do_item, items, BATCH_SECONDS, _stop_requested)
