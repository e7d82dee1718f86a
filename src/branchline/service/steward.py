"""Looks after the tables when no person acts: bots that have to move, clocks that run out.

Whichever process has written the last entry goes on with the table. If that process dies, the store
still says when the table needs a look, and the next sweep of any process takes it up. Should two
take it up at once, both try to write the same number, and one of them wins.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import Final

from branchline.engine.errors import IllegalAction
from branchline.service.boards import source_of
from branchline.service.entries import AnyEntry, BotSeated
from branchline.service.errors import Stale
from branchline.service.hub import Hub
from branchline.service.live import Live
from branchline.service.pool import Pool, Question
from branchline.service.storage import StoreError

SWEEP: Final = 3.0  # seconds between looks for tables that nobody looks after
GRACE: Final = 30_000  # milliseconds that a clock gets when the server was away
IDLE: Final = 600.0  # seconds after which an unused table leaves the memory
STAND_IN: Final = "normal"
"""The level that plays for someone who is out of time or has left."""

logger: Final = logging.getLogger("branchline.steward")

Owed = tuple[str, int, int, str]
"""A table, a seat, the decision that it owes, and the bot that takes it (none: a clock runs)."""


class Steward:
    """Makes the moves of bots, and those of persons whose time is over."""

    def __init__(self, hub: Hub, pool: Pool, seconds: float) -> None:
        self.hub: Final = hub
        self.pool: Final = pool
        self.seconds: Final = seconds
        self.started: Final = hub.now()
        self._work: Final[dict[Owed, asyncio.Task[None]]] = {}
        self._sweeper: asyncio.Task[None] | None = None
        hub.followers.append(self.look)

    def start(self) -> None:
        self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        tasks = [*self._work.values(), *([self._sweeper] if self._sweeper else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _sweep(self) -> None:
        """Take up what is due and nobody looks after: at the start, and after another's death."""
        late = 0
        while True:
            try:
                due = await self.hub.store.due(self.hub.now() - late, 1000)
            except StoreError as error:
                logger.warning("no sweep: %s", error)
                due = []
            for id in due:
                try:
                    self.look(await self.hub.live(id))
                except Exception:  # one table that can't be loaded is not the end of the others
                    logger.exception("table %s", id)
            self.hub.forget(IDLE)
            late = int(SWEEP * 1000)
            await asyncio.sleep(SWEEP)

    def look(self, live: Live, entry: AnyEntry | None = None) -> None:
        """See who owes a decision at a table, and look after those who are no persons."""
        table = live.table
        if table.status != "playing":
            return
        for seat, s in enumerate(table.seats):
            if not s.decision or (not s.bot and table.deadline(seat) is None):
                continue
            owed = (table.folded.id, seat, s.decision, s.bot)
            if owed in self._work:
                continue
            work = self._bot(*owed) if s.bot else self._clock(*owed[:3])
            task = asyncio.create_task(work)
            self._work[owed] = task
            task.add_done_callback(lambda t, owed=owed: self._finished(owed, t))  # type: ignore[misc]

    def _finished(self, owed: Owed, task: asyncio.Task[None]) -> None:
        self._work.pop(owed, None)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, Stale):
            logger.warning("table %s: %s", owed[0], error)  # the sweep comes back to it

    async def _wait(self, until: int) -> None:
        await asyncio.sleep(max(0, until - self.hub.now()) / 1000)

    # While these wait, their table may leave the memory and come back as another object.

    async def _bot(self, id: str, seat: int, decision: int, level: str) -> None:
        """Let a bot take its decision."""
        table = (await self.hub.live(id)).table
        await self._wait(table.folded.at + table.folded.created.pace)
        live = await self.hub.live(id)
        action = await self._ask(live, seat, decision, level)
        async with live.lock:
            if action is not None and live.table.seats[seat].bot == level:
                await self._act(live, seat, decision, action, "bot")

    async def _clock(self, id: str, seat: int, decision: int) -> None:
        """Wait until a person's time is over, then play the move or take over the seat."""
        live = await self.hub.live(id)
        deadline = live.table.deadline(seat)
        if deadline is None:
            return
        if live.table.seats[seat].since < self.started:
            deadline = max(deadline, self.started + GRACE)
        await self._wait(deadline)
        live = await self.hub.live(id)
        if live.table.folded.created.clock.timeout == "seat":
            async with live.lock:
                s = live.table.seats[seat]
                if s.decision == decision and s.person:
                    seed = secrets.token_hex(16)
                    await self.hub.append(live, BotSeated(seat, STAND_IN, seed, "clock"))
            return
        action = await self._ask(live, seat, decision, STAND_IN)
        async with live.lock:
            if action is not None and live.table.seats[seat].person:
                await self._act(live, seat, decision, action, "clock")

    async def _ask(self, live: Live, seat: int, decision: int, level: str) -> int | None:
        """What a bot would do; None if the decision is no longer open."""
        table = live.table
        if table.state is None or table.seats[seat].decision != decision:
            return None
        view = table.state.view(seat)
        created, game = table.folded.created, table.game
        # The same for a decision that is asked for again: another try gives the same move.
        seed = f"{table.seats[seat].bot_seed or table.folded.id} {decision}"
        question = Question(
            source_of(game.board),
            created.digest,
            created.seats,
            seat,
            level,
            seed,
            [int(x) for x in view.data],
            [int(x) for x in view.actions],
            self.seconds,
        )
        began = time.perf_counter()
        action = await self.pool.decide(question)
        self.hub.metrics.thought(level, time.perf_counter() - began)
        return action

    async def _act(self, live: Live, seat: int, decision: int, action: int, by: str) -> None:
        if live.table.seats[seat].decision != decision:
            return
        try:
            await self.hub.act(live, seat, decision, action, by)
        except IllegalAction:
            logger.warning("table %s: a bot's move was refused", live.table.folded.id)
