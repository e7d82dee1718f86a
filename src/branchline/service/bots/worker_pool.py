"""Worker processes in which bots think, never in the server's own.

A bot's session stays with one worker (`bots.sessions`) and is rebuilt where it was lost. A worker
that crashes or does not answer in time is replaced, and the move is asked for again; if that fails
too, or the bot has failed, the first legal action is taken, so that a bot never
blocks a table. The log names the bot, with the traceback through its code.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock
from typing import Final, NamedTuple

from branchline.bots import BotFault
from branchline.service.bots.sessions import (
    MEMORY,
    REBUILD,
    SESSIONS,
    UNKNOWN,
    Background,
    BotSessions,
    Question,
    memory_used,
)

START: Final = 30.0  # seconds that a worker may take to start
GRACE: Final = 3.0  # seconds that a worker may take beyond a bot's budget
PAUSE: Final = 0.2  # seconds before a worker that could not be started is started again
TRIES: Final = 2
BUSIER: Final = 2  # questions that wait for a session's worker more than for another: it moves
READY: Final = 0  # what a worker says first

logger: Final = logging.getLogger("branchline.bots")


class Failure(NamedTuple):
    """In place of an action: what a bot did wrong, and where in its code."""

    what: str
    trace: str = ""


SILENT: Final = Failure("its process died or gave no answer in time")

LoadBackground = Callable[[], Awaitable[Background]]
"""Loads what a session needs to start, or to be rebuilt."""


def work(pipe: Connection, ask: Callable[[Question], int]) -> None:
    """What a worker does until the server is gone, or ends it, or it needs too much memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server tells its workers when to stop
    with suppress(EOFError, OSError):
        pipe.send(READY)
        while memory_used() <= MEMORY:
            question = pipe.recv()
            try:
                reply: int | Failure = ask(question)
            except BotFault as fault:
                wrong = fault.detail
                if fault.code == "bot_illegal":
                    wrong = f"the answer {fault.detail} is not one of its actions"
                reply = Failure(f"{fault.at}: {wrong}", fault.trace)
            except Exception as error:  # there is no such bot, for one
                reply = Failure(f"{type(error).__name__}: {error}")
            pipe.send(reply)


class WorkerGone(Exception):
    """A worker has died, or did not answer in time."""


class Worker:
    """A process that answers one question after the other, through its own pipe."""

    def __init__(self, ask: Callable[[Question], int]) -> None:
        # A forked worker would inherit the server's sockets and threads.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__])  # so that the next one starts at once
        self._pipe, far = context.Pipe()
        self._process: Final = context.Process(target=work, args=(far, ask), daemon=True)
        self._process.start()
        far.close()
        self._ready: bool = False

    def answer(self, question: Question) -> int | Failure:
        """Waits for the answer; raises `WorkerGone` if there is none."""
        with suppress(EOFError, OSError):
            if not self._ready:
                self._hear(START)
                self._ready = True
            self._pipe.send(question)
            again = REBUILD + question.seconds if question.background is not None else 0.0
            return self._hear(question.seconds + again + GRACE)
        raise WorkerGone

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def _hear(self, seconds: float) -> int | Failure:
        if not self._pipe.poll(seconds):
            raise WorkerGone
        reply: int | Failure = self._pipe.recv()
        return reply

    def end(self) -> None:
        self._process.kill()
        self._process.join()


def _start(ask: Callable[[Question], int]) -> Worker:
    """A new worker; raises `WorkerGone` if there can be none."""
    for _ in range(TRIES):
        try:
            return Worker(ask)
        except (EOFError, OSError):  # what workers are forked from has just died, too
            time.sleep(PAUSE)
    raise WorkerGone


class WorkerSlot:
    """A place for one worker process, with the thread that waits for it."""

    def __init__(self, ask: Callable[[Question], int]) -> None:
        self.thread: Final = ThreadPoolExecutor(1, thread_name_prefix="branchline-bot")
        self.waiting: int = 0
        """Questions that are being asked here or are queued."""
        self.sessions: int = 0
        """How many sessions live here."""
        self._ask: Final = ask
        self._lock: Final = Lock()
        self._worker: Worker | None = None
        self._closed: bool = False

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._worker is not None:
                self._worker.end()
        self.thread.shutdown(cancel_futures=True)

    # In the thread

    def answer(self, question: Question) -> int | Failure:
        """What the worker answers; raises `WorkerGone` if it does not, and it is ended then."""
        worker = self.worker()
        try:
            return worker.answer(question)
        except WorkerGone:
            worker.end()
            self._worker = None
            raise

    def worker(self) -> Worker:
        """The worker; a new one if the last has died since it was asked."""
        with self._lock:
            if self._closed:
                raise WorkerGone
            if self._worker is not None and not self._worker.alive:
                self._worker.end()
                self._worker = None
            if self._worker is None:
                self._worker = _start(self._ask)
            return self._worker


class WorkerPool:
    """Asks bots for their decisions."""

    def __init__(
        self,
        workers: int,
        ask: Callable[[Question], int] | None = None,
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        self._failed: Final = failed
        answer = ask if ask is not None else BotSessions().answer
        self._slots: Final = [WorkerSlot(answer) for _ in range(workers)]
        self._homes: Final[OrderedDict[tuple[str, int], WorkerSlot]] = OrderedDict()
        """Where sessions were last; those that were not used for longest are forgotten."""
        self._begins: Final[OrderedDict[tuple[str, int], int]] = OrderedDict()
        """For sessions that could not be rebuilt: what was shown before this entry is left out."""
        self._told: Final[set[tuple[str, str]]] = set()  # each traceback is logged once
        self._closed: bool = False
        self.failures: int = 0

    async def decide(self, question: Question, load_background: LoadBackground) -> int:
        """The bot's action: legal, whatever the bot does.

        A bot that can't be shown again what it was shown before begins anew, as if it had just sat
        down; so does one that can't be got to answer, at its next decision. So each decision takes
        two tries at most, and each of them is limited in time.
        """
        key = question.table, question.seat
        for _ in range(TRIES):
            try:
                reply = await self._ask(question, load_background)
            except WorkerGone:
                self._fail(question, SILENT)
                continue
            if isinstance(reply, int) and reply in question.actions:
                return reply
            if isinstance(reply, int):
                reply = Failure(f"the answer {reply} is not one of its actions")
            self._fail(question, reply)
            return question.actions[0]
        self._begin_at(key, question.at + 1)
        return question.actions[0]

    async def finish(
        self, question: Question, load_background: LoadBackground | None = None
    ) -> None:
        """A bot's game is over. Without `load_background`, only a kept session is told."""
        key = question.table, question.seat
        question = question._replace(final=True)
        if load_background is None and key not in self._homes:
            return
        try:
            reply = await self._ask(question, load_background)
            if isinstance(reply, Failure):
                self._fail(question, reply)
        except WorkerGone:
            self._fail(question, SILENT)
        finally:
            self._begins.pop(key, None)
            home = self._homes.pop(key, None)
            if home is not None:
                home.sessions -= 1

    async def _ask(
        self, question: Question, load_background: LoadBackground | None
    ) -> int | Failure:
        """The answer of the session, rebuilt if need be; raises `WorkerGone` if there is none."""
        key = question.table, question.seat
        slot = self._slot(key)
        slot.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            action = await loop.run_in_executor(slot.thread, slot.answer, question)
            if action != UNKNOWN or load_background is None:
                return action
            background = await load_background()
            begin = self._begins.get(key, 0)
            shown = [s for s in background.shown if begin <= s.at < question.at]
            whole = question._replace(background=background._replace(shown=shown))
            try:
                return await loop.run_in_executor(slot.thread, slot.answer, whole)
            except WorkerGone:
                self._begin_at(key, question.at)
                raise
        finally:
            slot.waiting -= 1

    def _slot(self, key: tuple[str, int]) -> WorkerSlot:
        """Where a session is asked: where it was, unless that has much more to do than another."""
        least = min(self._slots, key=lambda slot: (slot.waiting, slot.sessions))
        home = self._homes.pop(key, None)
        if home is not None:
            home.sessions -= 1
        slot = home if home is not None and home.waiting < least.waiting + BUSIER else least
        slot.sessions += 1
        self._homes[key] = slot
        if len(self._homes) > SESSIONS * len(self._slots):
            self._homes.popitem(last=False)[1].sessions -= 1
        return slot

    def _begin_at(self, key: tuple[str, int], number: int) -> None:
        self._begins[key] = number
        self._begins.move_to_end(key)
        if len(self._begins) > SESSIONS * len(self._slots):
            self._begins.popitem(last=False)

    def _fail(self, question: Question, failure: Failure) -> None:
        self.failures += 1
        self._failed()
        if self._closed:
            return
        trace = failure.trace if (question.spec, failure.trace) not in self._told else ""
        self._told.add((question.spec, failure.trace))
        message = "the bot failed at a decision: %s"
        logger.warning(message, failure.what, extra={"bot": question.spec, "trace": trace})

    def warm(self) -> None:
        """Start a worker before it is needed."""
        self._slots[0].thread.submit(self._slots[0].worker)

    def close(self) -> None:
        """End all workers, whatever they are thinking about."""
        self._closed = True
        for slot in self._slots:
            slot.close()
