"""A worker process: it answers one question after the other through a pipe, within its bounds.

The pools of the standard library can't end a worker that takes too long. This one is killed, with
whatever it is doing, also if that is compiled code that never looks up.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NamedTuple

START: Final = 30.0  # seconds that a worker may take to start
NICE_START: Final = 300.0  # one that stands back, on a machine where it never gets its turn
PAUSE: Final = 0.2  # seconds before a worker that could not be started is started again
TRIES: Final = 2
READY: Final = 0  # what a worker says first
REPORTED: Final = 1.0  # seconds until it is known how a worker has ended
KILLED: Final = (-signal.SIGKILL, 255)  # 255: so was the process that would have said how it ended
PRELOADED: Final = ["branchline.service.bots.sessions", "branchline.service.broadcast.jobs"]
"""What workers need, loaded once in the process that they are forked from."""


class WorkerGone(Exception):
    """A worker has died, or did not answer in time."""

    def __init__(self, killed: bool = False) -> None:
        super().__init__()
        self.killed: Final = killed
        """It was killed from outside, so not for what it was asked, as far as one can tell."""


class Bounds(NamedTuple):
    """What a worker may use. 0: no bound."""

    nice: int = 0
    """How far it stands back behind the server when both want the processor."""
    growth: int = 0
    """Bytes of address space beyond what it begins with."""
    cpu: int = 0
    """Seconds of processor time for one question."""
    resident: int = 0
    """Bytes of memory with which it still takes another question."""


def work(pipe: Connection, answer: Callable[[Any], Any], bounds: Bounds) -> None:
    """What a worker does until the server is gone, or ends it, or it needs too much memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server tells its workers when to stop
    if bounds.growth:
        most = address_space() + bounds.growth
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with suppress(EOFError, OSError):
        pipe.send(READY)
        os.nice(bounds.nice)  # now that it has started
        while not bounds.resident or memory_used() <= bounds.resident:
            question = pipe.recv()
            if bounds.cpu:
                most = math.ceil(time.process_time()) + bounds.cpu
                resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
            pipe.send(answer(question))


class WorkerProcess:
    """A process that answers one question after the other, through its own pipe."""

    def __init__(self, answer: Callable[[Any], Any], bounds: Bounds) -> None:
        # A forked worker would inherit the server's sockets and threads.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(PRELOADED)  # so that the next one starts at once
        self._pipe, far = context.Pipe()
        self._process: Final = context.Process(target=work, args=(far, answer, bounds), daemon=True)
        self._process.start()
        far.close()
        self._start: Final = NICE_START if bounds.nice else START
        self._ready: bool = False

    def ask(self, question: object, seconds: float) -> Any:
        """Waits for the answer; raises `WorkerGone` if there is none in time."""
        with suppress(EOFError, OSError):
            if not self._ready:
                self._hear(self._start)
                self._ready = True
            self._pipe.send(question)
            return self._hear(seconds)
        self._process.join(REPORTED)
        raise WorkerGone(killed=self._process.exitcode in KILLED)

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def _hear(self, seconds: float) -> Any:
        if not self._pipe.poll(seconds):
            raise WorkerGone
        return self._pipe.recv()

    def end(self) -> None:
        self._process.kill()
        self._process.join()


def start_worker(answer: Callable[[Any], Any], bounds: Bounds) -> WorkerProcess:
    """A new worker; raises `WorkerGone` if there can be none."""
    for _ in range(TRIES):
        try:
            return WorkerProcess(answer, bounds)
        except (EOFError, OSError):  # what workers are forked from has just died, too
            time.sleep(PAUSE)
    raise WorkerGone


def memory_used() -> int:
    """The bytes of memory that this process has now; 0 where the system doesn't say."""
    return _statm(1)


def address_space() -> int:
    """The bytes that this process has mapped; 0 where the system doesn't say."""
    return _statm(0)


def _statm(field: int) -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[field]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
