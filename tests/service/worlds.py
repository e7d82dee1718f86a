"""A table in a rooms of this process, with a clock that the test turns, and ears at it.

What a connection is sent is taken from its queue, as it would go over the network.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Protocol

import pytest

from branchline import State
from branchline.service.access.keys import hash_key
from branchline.service.access.limits import Limiters
from branchline.service.bots.sessions import Question
from branchline.service.bots.worker_pool import LoadBackground
from branchline.service.broadcast.live_table import Connection, LiveTable
from branchline.service.context import Service
from branchline.service.messages import ClockRule
from branchline.service.operations.settings import Limits, Settings
from branchline.service.rooms import autoplay as autoplay_module
from branchline.service.rooms.autoplay import Autoplay
from branchline.service.rooms.lobby import Lobby
from branchline.service.rooms.rooms import Rooms
from branchline.service.socket.session import SocketSession
from branchline.service.storage import Store
from branchline.service.tables.boards import Boards
from branchline.service.tables.table import Table, from_snapshot, layout_version

START: Final = 1_700_000_000_000
NO_CLOCK: Final = ClockRule()
BOARDS: Final = Boards()

Json = dict[str, Any]


def key_of(seat: int) -> str:
    """The key of whoever has a seat first."""
    return hash_key(f"person {seat}")


class Ear:
    """A connection: everything that it was sent, and a way to send."""

    def __init__(self, world: World, seat: int, lang: str) -> None:
        self.world: Final = world
        self.connection: Final = Connection(seat, lang, key_of(seat) if seat >= 0 else None)
        self.session: Final = SocketSession(
            world.rooms, world.live, self.connection, world.limiters
        )
        self.heard: Final[list[bytes]] = []
        self._taken: int = 0
        self._acts: int = 0

    def _fetch(self) -> list[bytes]:
        self.heard.extend(self.connection.taken())
        return self.heard

    def take(self) -> list[bytes]:
        """What has come since this was asked before."""
        new = self._fetch()[self._taken :]
        self._taken = len(self.heard)
        return new

    def told(self, kind: str) -> list[Json]:
        """All messages of a kind so far."""
        return [m for m in map(json.loads, self._fetch()) if m["type"] == kind]

    async def send(self, **message: object) -> Json:
        """Send a message; gives its answer, which is also among what was heard."""
        await self.session.receive(json.dumps(message))
        answer: Json = json.loads(self._fetch()[-1])
        assert answer["id"] == message["id"]
        return answer

    async def act(self, action: int) -> Json:
        """Answer the seat's decision with an action, which must be accepted."""
        table, seat = self.world.table, self.connection.seat
        self._acts += 1
        decision = table.number_for(seat, table.seats[seat].decision)
        reply = await self.send(type="act", id=f"a{self._acts}", decision=decision, action=action)
        assert reply["type"] == "done", reply
        return reply

    async def act_at_once(self, actions: Sequence[int]) -> Json:
        """Answer the seat's decision with a chain of actions, which must be accepted."""
        table, seat = self.world.table, self.connection.seat
        self._acts += 1
        decision = table.number_for(seat, table.seats[seat].decision)
        message = {"type": "act", "decision": decision, "actions": list(actions)}
        reply = await self.send(id=f"a{self._acts}", **message)
        assert reply["type"] == "done", reply
        return reply


class World:
    """A table with a rooms and a store of its own."""

    def __init__(self, store: Store, time: int = START) -> None:
        self.time: int = time
        self.store: Final = store
        self.rooms: Final = Rooms(store, BOARDS, lambda: self.time)
        self.lobby: Final = Lobby(self.rooms, 40)
        self.service: Final = Service(Settings(), self.rooms.now)
        self.service.store, self.service.rooms = store, self.rooms
        self.limiters: Final = Limiters(Limits())
        self.live: LiveTable
        self.sleepers: int = 0
        """How many wait for the time of this world to pass."""
        self._ticks: asyncio.Event = asyncio.Event()

    @property
    def table(self) -> Table:
        return self.live.table

    @property
    def state(self) -> State:
        assert self.table.state is not None
        return self.table.state

    async def begin(
        self,
        board: str,
        seats: int,
        clock: ClockRule = NO_CLOCK,
        bots: Sequence[str | None] = (),
    ) -> None:
        """A table in play, with a person at every seat that no bot has."""
        self.live = await self.lobby.create(
            key_of(0), board, seats, "Player 0", bots, clock=clock, public=True
        )
        for seat in range(1, seats):
            if self.table.seats[seat].open:
                await self.lobby.sit(self.live, key_of(seat), f"Player {seat}", seat)

    async def listen(self, seat: int, lang: str = "en", since: int = 0) -> Ear:
        ear = Ear(self, seat, lang)
        await self.rooms.welcome(self.live, ear.connection, since)
        return ear

    async def become(self, state: State) -> None:
        """Go on with another state in the place of this one, also after loading again."""
        table = Table(self.table.table_state, self.table.game, state)
        body, version = table.snapshot(), layout_version(table.game)
        await self.store.put_snapshot(table.id, table.number, version, body)
        self.live.table = from_snapshot(table.game, body)

    # --- bots and clocks ------------------------------------------------------------------------

    async def sleep(self, seconds: float) -> None:
        """As `asyncio.sleep`, in the time of this world."""
        due = self.time + seconds * 1000
        while self.time < due:
            self.sleepers += 1
            try:
                await self._ticks.wait()
            finally:
                self.sleepers -= 1

    async def advance(self, milliseconds: int) -> None:
        """Let time pass; whoever has waited for it wakes up."""
        self.time += milliseconds
        self._ticks.set()
        self._ticks = asyncio.Event()
        await asyncio.sleep(0)

    async def until(self, reached: Callable[[], bool], seconds: float = 10.0) -> None:
        """Wait, in true time, for what happens in the background."""
        async with asyncio.timeout(seconds):
            while not reached():
                await asyncio.sleep(0.002)

    async def settle(self) -> None:
        """Wait until nothing more happens by itself, as far as one can see."""
        number = -1
        while number != self.table.number:
            number = self.table.number
            await asyncio.sleep(0.05)

    async def load_again(self) -> Table:
        """The table as another process would find it."""
        return await self.rooms.load(self.table.id)


@asynccontextmanager
async def new_world(folder: Path) -> AsyncIterator[World]:
    store = await Store.open(f"sqlite:///{folder / 'world.db'}", listen=False)
    try:
        yield World(store)
    finally:
        await store.close()


class Thinker(Protocol):
    """What stands in place of the pool."""

    async def decide(self, question: Question, load_background: LoadBackground) -> int: ...

    async def finish(
        self, question: Question, load_background: LoadBackground | None = None
    ) -> None: ...


class FirstAction:
    """In place of the pool: bots that take the first legal action at once."""

    async def decide(self, question: Question, load_background: LoadBackground) -> int:
        return question.actions[0]

    async def finish(
        self, question: Question, load_background: LoadBackground | None = None
    ) -> None:
        """Nothing was kept."""


@asynccontextmanager
async def attended(
    world: World, monkeypatch: pytest.MonkeyPatch, pool: Thinker | None = None, beat: int = 0
) -> AsyncIterator[Autoplay]:
    """A autoplay who looks after a world, in its time; `beat` is that of bots among people."""
    timed = SimpleNamespace(
        sleep=world.sleep, create_task=asyncio.create_task, gather=asyncio.gather
    )
    monkeypatch.setattr(autoplay_module, "asyncio", timed)
    monkeypatch.setattr(autoplay_module, "BEAT", beat)
    autoplay = Autoplay(world.rooms, pool or FirstAction(), 1.0)  # type: ignore[arg-type]
    try:
        yield autoplay
    finally:
        await autoplay.stop()
        world.rooms.followers.remove(autoplay.check)
