"""Plays where no person does: for bots that have to move, and when clocks run out.

Whichever process has written the last entry goes on with the table. If that process dies, the store
still says when the table needs a look, and the next sweep of any process takes it up. Should two
take it up at once, both try to write the same number, and one of them wins.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final

from branchline.engine.errors import IllegalAction
from branchline.engine.events import NOBODY
from branchline.service.bots.history import shown, shown_to_bot
from branchline.service.bots.sessions import Background, Question, Turn
from branchline.service.bots.worker_pool import LoadBackground, WorkerPool
from branchline.service.broadcast.live_table import LiveTable
from branchline.service.errors import Stale
from branchline.service.rooms.rooms import Rooms
from branchline.service.storage import StoreError
from branchline.service.tables import log_entries as log
from branchline.service.tables.boards import source_of
from branchline.service.tables.chains import apply_chain
from branchline.service.tables.log_entries import (
    FREE,
    AnyEntry,
    BotGone,
    BotSeated,
    Left,
    Moved,
    Seated,
)
from branchline.service.tables.seed_drawing import STAND_IN, due_at
from branchline.service.tables.table import Table

SWEEP: Final = 3.0  # seconds between sweeps for unattended tables
GRACE: Final = 30_000  # milliseconds that a clock gets when the server was away
IDLE: Final = 600.0  # seconds after which an unused table leaves the memory
BEAT: Final = 100
"""Milliseconds between the moments at which bots move where several people sit, at least."""

logger: Final = logging.getLogger("branchline.autoplay")

Owed = tuple[str, int, int, str]
"""A table, a seat, the decision that it owes, and the bot that takes it (none: a clock runs)."""


class Autoplay:
    """Makes the moves of bots, and of persons whose time has run out."""

    def __init__(self, rooms: Rooms, pool: WorkerPool, seconds: float) -> None:
        self.rooms: Final = rooms
        self.pool: Final = pool
        self.seconds: Final = seconds
        self.started: Final = rooms.now()
        self._work: Final[dict[Owed, asyncio.Task[None]]] = {}
        self._sweeper: asyncio.Task[None] | None = None
        rooms.followers.append(self.check)

    def start(self) -> None:
        self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        tasks = [*self._work.values(), *([self._sweeper] if self._sweeper else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _sweep(self) -> None:
        """Take up tables that are due and unattended: at the start, or when a process has died."""
        late = 0
        while True:
            try:
                due = await self.rooms.store.due(self.rooms.now() - late, 1000)
            except StoreError:  # the store logs its own faults
                due = []
            for id in due:
                try:
                    self.check(await self.rooms.live_table(id))
                except StoreError:
                    break
                except Exception:  # one table that can't be loaded is not the end of the others
                    logger.exception("table %s", id)
            self.rooms.forget(IDLE)
            late = int(SWEEP * 1000)
            await asyncio.sleep(SWEEP)

    def check(self, live: LiveTable, entry: AnyEntry | None = None) -> None:
        """Find who owes a decision at a table; start bots and clocks for them."""
        table = live.table
        self._dismiss(live, entry)
        due = due_at(table, self.rooms.serving_since) if table.state is None else None
        # What is due now is done by whoever has written the last entry, unless that one has died.
        if due is not None and (due or entry is None):
            self._do(
                table, (table.id, NOBODY, table.number, ""), partial(self._draw, table.id, due)
            )
        for seat in table.attended():
            s = table.seats[seat]
            owed = (table.id, seat, s.decision, s.bot)
            if owed in self._work:
                continue
            work = partial(self._bot, *owed) if s.bot else partial(self._clock, *owed[:3])
            self._do(table, owed, work)

    def _dismiss(self, live: LiveTable, entry: AnyEntry | None) -> None:
        """Tell bots whose game is over: it has ended, or another plays their seat."""
        table = live.table
        if isinstance(entry, Moved):
            for seat, s in enumerate(table.seats):
                if s.bot and table.status == "over":
                    self._do(table, (table.id, seat, 0, s.bot), partial(self._finish, live, seat))
        elif isinstance(entry, Seated | Left | BotSeated | BotGone) and table.status == "playing":
            self._do(
                table, (table.id, entry.seat, 0, ""), partial(self._replaced, live, entry.seat)
            )

    def _do(self, table: Table, owed: Owed, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        alone = bots_alone(table)
        task = asyncio.create_task(self.rooms.spare_time.measure(work) if alone else work())
        self._work[owed] = task
        task.add_done_callback(lambda t: self._finished(owed, t))

    def _finished(self, owed: Owed, task: asyncio.Task[None]) -> None:
        if self._work.get(owed) is task:
            del self._work[owed]
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, Stale | StoreError):
            logger.warning("table %s: %s", owed[0], error)  # the sweep comes back to it

    async def _wait(self, until: int) -> None:
        await asyncio.sleep(max(0, until - self.rooms.now()) / 1000)

    async def _draw(self, id: str, due: int) -> None:
        """See a table that is full through to its deal, whoever does not promise or open."""
        until: int | None = due
        while until is not None:
            await self._wait(until)
            live = await self.rooms.live_table(id)
            async with live.lock:
                until = await self.rooms.begin_if_full(live)

    # While these wait, their table may leave the memory and come back as another object.

    async def _bot(self, id: str, seat: int, decision: int, level: str) -> None:
        """Let a bot take its decision."""
        live = await self.rooms.live_table(id)
        table = live.table
        if table.state is None or table.seats[seat].decision != decision:
            return
        # Seats that decide at the same time follow each other, whichever has chosen first.
        first = table.table_state.asked + beat_of(table) + seat
        question = self._question(live, seat, bot_seed(table, seat), table.last_shown(seat))
        load_background = partial(self._background, id, seat, level)
        action = await self._ask(question, level, load_background)

        async def act(live: LiveTable) -> None:
            if live.table.seats[seat].bot == level:
                await self._act(live, seat, decision, action, "bot", question.at)

        await self._on_beat(id, seat, action, first, act)

    async def _on_beat(
        self,
        id: str,
        seat: int,
        action: int,
        first: int,
        act: Callable[[LiveTable], Awaitable[None]],
    ) -> None:
        """Make a chosen move: at once if nobody else hears of it, else on the table's next beat.

        The first beat follows from what everyone saw, so neither hidden steps nor the time that
        went into them show in when a move is heard of.
        """
        live = await self.rooms.live_table(id)
        due = next_beat(first, beat_of(live.table), self.rooms.now())
        if not is_hidden(live.table, seat, action):
            await self._wait(due)
            live = await self.rooms.live_table(id)
        async with live.lock:
            await act(live)

    async def _clock(self, id: str, seat: int, decision: int) -> None:
        """Wait until a person's time is over, then play the move or take over the seat."""
        live = await self.rooms.live_table(id)
        deadline = live.table.deadline(seat)
        if deadline is None:
            return
        if live.table.seats[seat].since < self.started:
            deadline = max(deadline, self.started + GRACE)
        await self._wait(deadline)
        live = await self.rooms.live_table(id)
        if live.table.created.clock.timeout == "seat":
            async with live.lock:
                s = live.table.seats[seat]
                if s.decision == decision and s.person:
                    seed = secrets.token_hex(16)
                    await self.rooms.append(live, BotSeated(seat, STAND_IN, seed, "clock"))
            return
        table = live.table
        if table.state is None or table.seats[seat].decision != decision:
            return
        # A bot for this one move, the same whichever process asks it.
        question = self._question(live, seat, f"{id} {decision}", 0)
        load_background = partial(self._background, id, seat, STAND_IN, once=True)
        action = await self._ask(question, STAND_IN, load_background)

        async def act(live: LiveTable) -> None:
            if live.table.seats[seat].person:
                await self._act(live, seat, decision, action, "clock")

        await self._on_beat(id, seat, action, deadline, act)
        await self.pool.finish(question._replace(last=question.at))

    # Bots

    def _question(self, live: LiveTable, seat: int, seed: str, last: int) -> Question:
        table = live.table
        assert table.state is not None
        at, view, actions = shown(table.state, seat, table.number)
        turn = Turn(live.address, alone=bots_alone(table))
        return Question(table.id, seat, seed, last, at, view, actions, self.seconds, turn=turn)

    async def _ask(self, question: Question, level: str, load_background: LoadBackground) -> int:
        """What a bot would do."""
        began = time.perf_counter()
        action = await self.pool.decide(question._replace(spec=level), load_background)
        self.rooms.metrics.thought(level, time.perf_counter() - began)
        return action

    async def _background(self, id: str, seat: int, level: str, once: bool = False) -> Background:
        """What is needed to start a bot's session, or to rebuild it from the log."""
        rows = [] if once else await self.rooms.store.entries(id)
        table = (await self.rooms.live_table(id)).table
        entries = [(row.number, log.decode(row.body)) for row in rows if row.number <= table.number]
        before = shown_to_bot(table, entries, seat)
        created = table.created
        source = source_of(table.game.board)
        return Background(level, source, created.digest, created.seats, before)

    async def _finish(self, live: LiveTable, seat: int) -> None:
        """The game has ended."""
        table = live.table
        level = table.seats[seat].bot
        question = self._question(live, seat, bot_seed(table, seat), table.last_shown(seat))
        if question.last:  # who never decided had no session
            await self.pool.finish(question, partial(self._background, table.id, seat, level))

    async def _replaced(self, live: LiveTable, seat: int) -> None:
        """Another plays a seat: if a bot had a session there, it is over."""
        await self.pool.finish(self._question(live, seat, "", 0))

    async def _act(
        self, live: LiveTable, seat: int, decision: int, action: int, by: str, shown: int = 0
    ) -> None:
        if live.table.seats[seat].decision != decision:
            return
        try:
            await self.rooms.act(live, seat, decision, [action], by, shown=shown)
        except IllegalAction:
            logger.warning("table %s: a bot's move was refused", live.table.id)


def bots_alone(table: Table) -> bool:
    """Whether nobody but bots plays."""
    return not any(s.person for s in table.seats)


def beat_of(table: Table) -> int:
    """The milliseconds between the moments at which bots move; 0: as soon as they have chosen."""
    people = {s.key for s in table.seats if s.key != FREE}
    return max(table.created.pace, BEAT if len(people) > 1 else 0)


def next_beat(first: int, beat: int, now: int) -> int:
    """The first moment from now on that is some beats after the first one.

    >>> [next_beat(1000, 400, now) for now in (0, 1000, 1001, 1400)]
    [1000, 1000, 1400, 1400]
    """
    return first + beat * max(0, -((first - now) // beat)) if beat else now


def is_hidden(table: Table, seat: int, action: int) -> bool:
    """Whether others would learn nothing of a move."""
    assert table.state is not None
    try:
        (step,) = apply_chain(table.state, seat, [action])
    except IllegalAction:
        return False
    return table.is_quiet(Moved(seat, "", "bot", step.events))


def bot_seed(table: Table, seat: int) -> str:
    """The seed of the bot that plays a seat, for the whole game."""
    return table.seats[seat].bot_seed or table.id
