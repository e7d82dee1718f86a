"""Servers without a network: a store, rooms and autoplay, and clients of them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from branchline.engine.state import State
from branchline.service.access.limits import Limiters
from branchline.service.bots.sessions import Question
from branchline.service.bots.worker_pool import LoadBackground, WorkerPool
from branchline.service.broadcast.live_table import Connection, LiveTable
from branchline.service.messages import Act, Reply, ServerMessage
from branchline.service.operations.settings import Limits
from branchline.service.rooms.autoplay import Autoplay
from branchline.service.rooms.lobby import Lobby
from branchline.service.rooms.rooms import Rooms
from branchline.service.socket.session import SocketSession
from branchline.service.storage import Store
from branchline.service.tables.boards import Boards

ANN, BEN, CAT = "ann", "ben", "cat"


class FirstOffer:
    """In the place of the pool: bots that think no time and take their first action."""

    async def decide(self, question: Question, load_background: LoadBackground) -> int:
        return question.actions[0]

    async def finish(
        self, question: Question, load_background: LoadBackground | None = None
    ) -> None:
        """Nothing was kept."""


@cache
def boards() -> Boards:
    return Boards()


class Process:
    """A server without a network."""

    def __init__(self, store: Store) -> None:
        self.time = 1_000_000
        self.store = store
        self.rooms = Rooms(store, boards(), lambda: self.time)
        self.lobby = Lobby(self.rooms, 40)
        self.autoplay = Autoplay(self.rooms, cast(WorkerPool, FirstOffer()), 1.0)

    def die(self) -> None:
        """Look after nothing any more."""
        self.rooms.followers.clear()

    async def join(self, table: str, key: str) -> Client:
        live = await self.rooms.live_table(table)
        client = Client(self.rooms, live, Connection(live.table.seat_of(key), "en", key))
        await self.rooms.welcome(live, client.connection, 0)
        return client


class Client:
    """Someone connected to a table in one of the processes."""

    def __init__(self, rooms: Rooms, live: LiveTable, connection: Connection) -> None:
        self.live = live
        self.connection = connection
        self.session = SocketSession(
            rooms, live, connection, Limiters(Limits(chat_per_minute=1000))
        )
        self.acts = 0

    @property
    def state(self) -> State:
        assert self.live.table.state is not None
        return self.live.table.state

    def next_act(self) -> Act:
        """The first legal action, for the open decision."""
        seat = self.connection.seat
        table = self.live.table
        self.acts += 1
        decision = table.number_for(seat, table.seats[seat].decision)
        return Act(f"{seat}-{self.acts}", decision, self.state.view(seat).actions[0])

    async def act(self) -> Reply:
        return await self.session.answer(self.next_act())

    async def act_at_random(self, rng: random.Random) -> Reply:
        """Any legal action; claims more often, so that games end."""
        actions = [int(a) for a in self.state.view(self.connection.seat).actions]
        claims = [a for a in actions if self.live.table.game.action_text(a).startswith("claim")]
        chosen = rng.choice(claims if claims and rng.random() < 0.8 else actions)
        return await self.session.answer(replace(self.next_act(), action=chosen))

    def heard(self) -> list[ServerMessage]:
        """What was sent since the last look."""
        decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ServerMessage)
        return [decoder.decode(message) for message in self.connection.taken()]


async def until(condition: Callable[[], object], seconds: float = 10) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)
