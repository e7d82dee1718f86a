"""Worker processes in which bots think, never in the server's own.

A bot's session stays with one worker (`bots.sessions`) and is rebuilt where it was lost. A worker
that crashes or does not answer in time is replaced, and the move is asked for again; if that fails
too, or the bot has failed, the first legal action is taken, so that a bot never
blocks a table. The log names the bot, with the traceback through its code.

Nobody waits for the bots of others for long. Bots that answer at once have workers of their own,
and so have bots that think; those share what time there is. Before each worker addresses take
turns, and so do the tables of one address. Tables at which nobody but bots plays have one worker
that stands back behind everything else, and get what is left of the server's time (`SpareTime`).
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
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
    Turn,
)
from branchline.service.bots.spare_time import SpareTime
from branchline.service.workers.process import Bounds, WorkerGone
from branchline.service.workers.slots import WorkerSlot

GRACE: Final = 3.0  # seconds that a worker may take beyond a bot's budget
TRIES: Final = 2
BUSIER: Final = 2  # questions that wait for a session's worker more than for another: it moves
QUICK: Final = 0.1  # seconds up to which an answer comes at once
QUICK_LEVELS: Final = frozenset({"easy", "normal", "hard"})
"""Bots that are taken for quick until they are measured; all others are taken for slow."""
LEAST_SECONDS: Final = 0.2  # that a bot may think, however many others do
STAND_BACK: Final = 19  # the `nice` of the worker for tables without people
THINKERS_NICE: Final = 5

logger: Final = logging.getLogger("branchline.bots")


class Failure(NamedTuple):
    """In place of an action: what a bot did wrong, and where in its code."""

    what: str
    trace: str = ""


SILENT: Final = Failure("its process died or gave no answer in time")

LoadBackground = Callable[[], Awaitable[Background]]
"""Loads what a session needs to start, or to be rebuilt."""


def reply(ask: Callable[[Question], int], question: Question) -> int | Failure:
    """What a worker answers, whatever the bot does."""
    try:
        return ask(question)
    except BotFault as fault:
        wrong = fault.detail
        if fault.code == "bot_illegal":
            wrong = f"the answer {fault.detail} is not one of its actions"
        return Failure(f"{fault.at}: {wrong}", fault.trace)
    except Exception as error:  # there is no such bot, for one
        return Failure(f"{type(error).__name__}: {error}")


class Lane:
    """Workers for questions of one kind."""

    def __init__(
        self, workers: int, ask: Callable[[Question], int], nice: int = 0, patience: int = 1
    ) -> None:
        self.patience: Final = patience
        """How much longer a worker may take that has to stand back."""
        bounds = Bounds(nice=nice, resident=MEMORY)
        self.slots: Final = [WorkerSlot(partial(reply, ask), bounds) for _ in range(workers)]

    @property
    def crowd(self) -> float:
        """How many questions each worker has."""
        return sum(slot.waiting for slot in self.slots) / len(self.slots)


class WorkerPool:
    """Asks bots for their decisions."""

    def __init__(
        self,
        workers: int,
        ask: Callable[[Question], int] | None = None,
        failed: Callable[[], None] = lambda: None,
        spare_time: SpareTime | None = None,
    ) -> None:
        self._failed: Final = failed
        self._spare_time: Final = spare_time or SpareTime()
        answer = ask if ask is not None else BotSessions().answer
        self._quick: Final = Lane(workers, answer)
        self._slow: Final = Lane(workers, answer, THINKERS_NICE, patience=2)
        self._alone: Final = Lane(1, answer, STAND_BACK, patience=20)
        self._lanes: Final = (self._quick, self._slow, self._alone)
        self._took: Final[dict[str, float]] = {}
        """How long bots take on average, lately."""
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
        turn, question = question.turn, question._replace(turn=Turn())
        lane = self._lane(question, turn)
        slot = self._slot(key, lane)
        async with self._turn(slot, turn, question.table):
            if lane is self._slow:
                seconds = max(LEAST_SECONDS, question.seconds / max(1.0, lane.crowd))
                question = question._replace(seconds=min(question.seconds, seconds))
            grace = GRACE * lane.patience
            began = time.perf_counter()
            action: int | Failure = await slot.ask(question, question.seconds + grace)
            if action != UNKNOWN or load_background is None:
                if not question.final:
                    self._measure(question.spec, time.perf_counter() - began)
                return action
            background = await load_background()
            begin = self._begins.get(key, 0)
            shown = [s for s in background.shown if begin <= s.at < question.at]
            whole = question._replace(background=background._replace(shown=shown))
            try:
                found: int | Failure = await slot.ask(whole, 2 * question.seconds + REBUILD + grace)
            except WorkerGone:
                self._begin_at(key, question.at)
                raise
            return found

    @asynccontextmanager
    async def _turn(self, slot: WorkerSlot, turn: Turn, table: str) -> AsyncIterator[None]:
        """Keep a worker for the block, when it is the turn of whoever asks."""
        names = [turn.address, table]
        if not turn.alone:
            async with slot.turn(names):
                yield
            return
        (own,) = self._alone.slots
        # One after the other, so that many such tables take no more than few. A worker that
        # people need as well is not kept meanwhile.
        async with own.turn(names, last=True):
            await self._spare_time.come()
            if slot is own:
                yield
                return
        async with slot.turn(names, last=True):
            yield

    def _lane(self, question: Question, turn: Turn) -> Lane:
        """Which workers answer: by who waits, and by how long the bot takes."""
        home = self._homes.get((question.table, question.seat))
        if question.final:  # for which nobody waits, and which a kept session has to hear
            return next((lane for lane in self._lanes if home in lane.slots), self._alone)
        usual = 0.0 if question.spec in QUICK_LEVELS else 1.0
        slow = self._took.get(question.spec, usual) > QUICK
        if home in self._slow.slots:  # to rebuild a session that thinks would take long
            return self._slow
        if turn.alone:
            return self._alone
        return self._slow if slow else self._quick

    def _measure(self, spec: str, seconds: float) -> None:
        before = self._took.get(spec, seconds)
        self._took[spec] = before + (seconds - before) / 8

    def _slot(self, key: tuple[str, int], lane: Lane) -> WorkerSlot:
        """Where a session is asked: where it was, unless that has much more to do than another."""
        least = min(lane.slots, key=lambda slot: (slot.waiting, slot.sessions))
        home = self._homes.pop(key, None)
        if home is not None:
            home.sessions -= 1
        stays = home in lane.slots and home.waiting < least.waiting + BUSIER
        slot = home if home is not None and stays else least
        slot.sessions += 1
        self._homes[key] = slot
        if len(self._homes) > SESSIONS * len(self._slots):
            self._homes.popitem(last=False)[1].sessions -= 1
        return slot

    @property
    def _slots(self) -> list[WorkerSlot]:
        return [slot for lane in self._lanes for slot in lane.slots]

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
        self._slots[0].warm()

    def close(self) -> None:
        """End all workers, whatever they are thinking about."""
        self._closed = True
        for slot in self._slots:
            slot.close()
