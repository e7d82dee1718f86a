"""People who play on whatever happens to the server, and remember all that it has told them."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from branchline.engine.record import Record, replay
from service.server import Client, Json, Server, Socket

PAUSE: Final = 0.05  # seconds before the next attempt
PASSING: Final = frozenset({"storage_full", "storage_locked", "storage_unreachable", "busy"})
"""Refusals after which the same message may be sent again."""


class Lost(Exception):
    """The connection is gone."""


class Player:
    """Someone at a table who comes back after every fall, to any of the servers.

    A message that was not answered is sent again with the same id. What was told once must be
    told again at every return, word for word.
    """

    def __init__(self, clients: Sequence[Client], table: str, rng: random.Random) -> None:
        self.clients: Final = clients
        self.table: Final = table
        self.rng: Final = rng
        self.log: list[Json] = []
        self.view: Json = {}
        self.done: Final[dict[str, int]] = {}
        """The messages that were acknowledged, and the entries that did them."""
        self.refused: Final[list[str]] = []
        self.returns: int = 0
        self.over: bool = False
        self.may_move: Final = asyncio.Event()
        self.may_move.set()
        self._pending: Json | None = None
        self._at: int = rng.randrange(len(clients))

    async def play(self) -> None:
        """Play to the end."""
        while not self.over:
            with contextlib.suppress(Lost):
                async with self._connected() as socket:
                    await self._talk(socket)
            self.returns += 1
            self._at += 1
            await asyncio.sleep(PAUSE)

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[Socket]:
        client = self.clients[self._at % len(self.clients)]
        try:
            socket = await client.connect(self.table)
        except (OSError, ConnectionClosed, InvalidHandshake, AssertionError, TimeoutError):
            raise Lost from None
        try:
            assert socket.welcome["entries"][: len(self.log)] == self.log
            yield socket
        except AssertionError:
            if socket.close_code is None or socket._fault is not None:
                raise
            raise Lost from None
        except ConnectionClosed:
            raise Lost from None
        finally:
            self.log = socket.entries
            await socket.close()

    async def _talk(self, socket: Socket) -> None:
        while True:
            self.view = socket.view or {}
            if self._pending is None:
                await socket.until(lambda: socket.over or socket.decision is not None, 60)
                if socket.over:
                    self.over, self.view = True, socket.view or {}
                    return
                await self.may_move.wait()
                assert socket.decision is not None
                self._pending = {
                    "id": f"m{len(self.done)}",
                    "decision": socket.decision["number"],
                    "action": socket.choose(self.rng)["action"],
                }
            answer = await socket.ask("act", **self._pending)
            if answer["type"] == "done":
                assert answer["number"] <= socket.number, "the update comes before the answer"
                assert answer["number"] not in self.done.values(), "an entry can't answer two"
                self.done[self._pending["id"]] = answer["number"]
                self._pending = None
            else:
                assert answer["code"] in PASSING, answer
                self.refused.append(answer["code"])
                await asyncio.sleep(PAUSE)


class Game:
    """A table with persons in its first seats and bots in the others."""

    def __init__(self, table: str, players: list[Player]) -> None:
        self.table: Final = table
        self.players: Final = players

    async def play(self) -> None:
        await asyncio.gather(*(player.play() for player in self.players))

    @property
    def moves(self) -> int:
        """Acknowledged moves of persons."""
        return sum(len(player.done) for player in self.players)

    async def check(self) -> None:
        """After the end: every acknowledged move is there once, and all agree on everything."""
        for seat, player in enumerate(self.players):
            for client in player.clients:
                async with client.connected(self.table) as fresh:
                    assert fresh.over
                    assert fresh.view == player.view
                    assert fresh.entries[: len(player.log)] == player.log
                    numbers = [entry["number"] for entry in fresh.entries]
                    assert numbers == list(range(1, len(numbers) + 1))
                    mine = [e["number"] for e in fresh.entries if made_by(e, seat)]
                    assert mine == sorted(player.done.values())
        answer = await self.players[0].clients[0].http.get(f"/api/tables/{self.table}/record")
        record = Record.from_json(answer.content)
        replay(record)  # raises if the record isn't a game by the rules
        for seat, player in enumerate(self.players):
            assert sum(by == seat for by, _ in record.actions) == len(player.done)


def made_by(entry: Json, seat: int) -> bool:
    return bool(entry["kind"] == "moved" and entry["seat"] == seat)


class Club(contextlib.AsyncExitStack):
    """Games that are played on one or several servers over one database."""

    def __init__(self, servers: Sequence[Server]) -> None:
        super().__init__()
        self.servers: Final = servers
        self.games: Final[list[Game]] = []

    async def _person(self, name: str) -> list[Client]:
        """One browser, as a client of every server."""
        clients = [
            await self.enter_async_context(Client(server.url, name)) for server in self.servers
        ]
        await clients[0].ask("GET", "/api/about")
        for other in clients[1:]:
            other.http.cookies.update(clients[0].http.cookies)
        return clients

    async def open(self, board: str, persons: int, bots: Sequence[str], seed: int) -> Game:
        """A table for so many persons, and the bots after them."""
        people = [await self._person(f"P{k}") for k in range(persons)]
        levels: list[Any] = [*[None] * (persons - 1), *bots]
        table = await people[0][0].create(board, persons + len(bots), bots=levels)
        for clients in people[1:]:
            await clients[-1].join(table)
        rng = random.Random(seed)
        players = [Player(clients, table, random.Random(rng.random())) for clients in people]
        self.games.append(Game(table, players))
        return self.games[-1]

    async def open_some(self) -> None:
        """Tables of several kinds."""
        await self.open("nordic", 2, [], 1)
        await self.open("nordic", 1, ["easy", "easy"], 2)
        await self.open("usa", 2, ["easy"], 3)

    @contextlib.asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Nobody begins a move meanwhile."""
        for player in self.players:
            player.may_move.clear()
        yield
        for player in self.players:
            player.may_move.set()

    @property
    def refusals(self) -> set[str]:
        return {code for player in self.players for code in player.refused}

    @property
    def players(self) -> list[Player]:
        return [player for game in self.games for player in game.players]

    @property
    def moves(self) -> int:
        return sum(game.moves for game in self.games)

    async def refused(self) -> None:
        """Wait until someone is told that a move could not be made."""
        async with asyncio.timeout(20):
            while not self.refusals:
                await asyncio.sleep(0.01)

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[asyncio.Task[None]]:
        """All games go on meanwhile; at the end they are over, and as they should be."""
        task = asyncio.create_task(self._play())
        try:
            yield task
            await asyncio.wait_for(task, 120)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
        for game in self.games:
            await game.check()

    async def _play(self) -> None:
        await asyncio.gather(*(game.play() for game in self.games))

    async def moved(self, more: int, task: asyncio.Task[None]) -> None:
        """Wait for so many more moves, or the end of all games."""
        wanted = self.moves + more
        async with asyncio.timeout(60):
            while self.moves < wanted and not task.done():
                await asyncio.sleep(0.005)
        if task.done():
            task.result()  # raises what has gone wrong
