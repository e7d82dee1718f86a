"""Bots think in worker processes, never in the server's own.

A worker gets a view and nothing else, so even a foreign bot can't see more than its seat. A worker
that crashes or does not answer in time is replaced, and the move is asked for again; if that fails
too, the first legal action is taken, so that a table never stands still because of a bot.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, TimeoutError
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
from pebble import ProcessExpired, ProcessPool

from branchline.bots import seat_bot
from branchline.core.machine import i64, vec
from branchline.core.mapfile import board_from_data
from branchline.engine.game import Game
from branchline.engine.view import View

GRACE: Final = 5.0  # seconds that a worker may take beyond a bot's budget: it has to start, too
TRIES: Final = 2


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
    return int(bot.decide(View(game, q.seat, vec[i64](q.view), q.actions), q.seconds))


def _quiet() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server tells its workers when to stop


class Pool:
    """Asks bots for their decisions."""

    def __init__(self, workers: int, ask: Callable[[Question], int] = answer) -> None:
        # A forked worker would inherit the server's sockets and threads.
        context = multiprocessing.get_context("forkserver")
        self._pool: Final = ProcessPool(workers, initializer=_quiet, context=context)
        self._ask: Final = ask
        self.failures: int = 0

    async def decide(self, question: Question) -> int:
        """The bot's action: legal, whatever the bot does."""
        for _ in range(TRIES):
            future = self._pool.schedule(
                self._ask, args=[question], timeout=question.seconds + GRACE
            )
            try:
                action = await asyncio.wrap_future(future)
            except (ProcessExpired, TimeoutError, CancelledError):
                self.failures += 1
                continue
            except Exception:  # a bot's own fault, whatever it is
                self.failures += 1
                break
            if action in question.actions:
                return action
            self.failures += 1
            break
        return question.actions[0]

    def warm(self) -> None:
        """Start the workers before they are needed."""
        self._pool.schedule(time.sleep, args=[0])

    def close(self) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()
