"""Bots think in worker processes, never in the server's own.

A worker gets a view and nothing else, so even a foreign bot can't see more than its seat. A worker
that crashes or does not answer in time is replaced, and the move is asked for again; if that fails
too, or the bot has failed, the first legal action is taken, so that a table never stands still
because of a bot. The log names the bot, with the traceback through its code.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from multiprocessing.connection import Connection
from threading import Lock, local
from typing import Final, NamedTuple

import msgspec

from branchline.bots import BotFault, seat_bot
from branchline.core.mapfile import board_from_data
from branchline.engine.game import Game
from branchline.engine.view import view_from

START: Final = 30.0  # seconds that a worker may take to start
GRACE: Final = 3.0  # seconds that a worker may take beyond a bot's budget
PAUSE: Final = 0.2  # seconds before a worker that could not be started is started again
TRIES: Final = 2
READY: Final = 0  # what a worker says first

logger: Final = logging.getLogger("branchline.bots")


class Failure(NamedTuple):
    """In place of an action: what a bot did wrong, and where in its code."""

    what: str
    trace: str


class Question(NamedTuple):
    """All that a bot needs for a decision."""

    source: bytes
    digest: str
    seats: int
    seat: int
    spec: str
    seed: str
    view: list[int]
    actions: list[int]
    seconds: float


@lru_cache(maxsize=32)
def _game(digest: str, seats: int, source: bytes) -> Game:
    return Game(board_from_data(msgspec.json.decode(source), digest[:16]), seats)


def answer(question: Question) -> int:
    """What the bot does. Runs in a worker."""
    q = question
    game = _game(q.digest, q.seats, q.source)
    bot = seat_bot(q.spec, game, q.seat, q.seed)
    return int(bot.decide(view_from(game, q.seat, q.view, q.actions), q.seconds))


def work(pipe: Connection, ask: Callable[[Question], int]) -> None:
    """What a worker does until the server is gone, or ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server tells its workers when to stop
    with suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            question = pipe.recv()
            try:
                reply: int | Failure = ask(question)
            except BotFault as fault:
                wrong = fault.detail
                if fault.code == "bot_illegal":
                    wrong = f"the answer {fault.detail} is not one of its actions"
                reply = Failure(f"{fault.at}: {wrong}", fault.trace)
            except Exception as error:  # there is no such bot, for one
                reply = Failure(f"{type(error).__name__}: {error}", "")
            pipe.send(reply)


class Gone(Exception):
    """A worker has died, or did not answer in time."""


class Worker:
    """A process that answers one question after the other, through a pipe of its own."""

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
        """Waits for the answer; raises `Gone` if there is none."""
        with suppress(EOFError, OSError):
            if not self._ready:
                self._hear(START)
                self._ready = True
            self._pipe.send(question)
            return self._hear(question.seconds + GRACE)
        raise Gone

    def _hear(self, seconds: float) -> int | Failure:
        if not self._pipe.poll(seconds):
            raise Gone
        reply: int | Failure = self._pipe.recv()
        return reply

    def end(self) -> None:
        self._process.kill()
        self._process.join()


def _start(ask: Callable[[Question], int]) -> Worker:
    """A new worker; raises `Gone` if there can be none."""
    for _ in range(TRIES):
        try:
            return Worker(ask)
        except (EOFError, OSError):  # what workers are forked from has just died, too
            time.sleep(PAUSE)
    raise Gone


class Pool:
    """Asks bots for their decisions. For each worker there is a thread that waits for it."""

    def __init__(
        self,
        workers: int,
        ask: Callable[[Question], int] = answer,
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        self._failed: Final = failed
        self._ask: Final = ask
        self._threads: Final = ThreadPoolExecutor(workers, thread_name_prefix="branchline-bot")
        self._own: Final = local()
        self._lock: Final = Lock()
        self._workers: Final[set[Worker]] = set()
        self._closed: bool = False
        self._told: Final[set[tuple[str, str]]] = set()  # each traceback is logged once
        self.failures: int = 0

    async def decide(self, question: Question) -> int:
        """The bot's action: legal, whatever the bot does."""
        loop = asyncio.get_running_loop()
        for _ in range(TRIES):
            try:
                reply = await loop.run_in_executor(self._threads, self._try, question)
            except Gone:
                self._fail(question, Failure("its process died or gave no answer in time", ""))
                continue
            if isinstance(reply, int) and reply in question.actions:
                return reply
            if isinstance(reply, int):
                reply = Failure(f"the answer {reply} is not one of its actions", "")
            self._fail(question, reply)
            break
        return question.actions[0]

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
        self._threads.submit(self._worker)

    def close(self) -> None:
        """End all workers, whatever they are thinking about."""
        with self._lock:
            self._closed = True
            for worker in self._workers:
                worker.end()
        self._threads.shutdown(cancel_futures=True)

    # In a thread

    def _try(self, question: Question) -> int | Failure:
        worker = self._worker()
        try:
            return worker.answer(question)
        except Gone:
            self._dismiss(worker)
            raise

    def _worker(self) -> Worker:
        """The worker of this thread."""
        if getattr(self._own, "worker", None) is None:
            with self._lock:
                if self._closed:
                    raise Gone
                self._own.worker = _start(self._ask)
                self._workers.add(self._own.worker)
        found: Worker = self._own.worker
        return found

    def _dismiss(self, worker: Worker) -> None:
        self._own.worker = None
        worker.end()
        with self._lock:
            self._workers.discard(worker)
