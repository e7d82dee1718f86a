"""People who play on whatever happens to the server, and remember all that it has told them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from branchline.engine.record import Record, replay
from branchline.engine.seed_draw import seat_promise
from branchline.engine.verify import OK, verify
from service.server import Client, Json, Server, Socket

PAUSE: Final = 0.05  # seconds before the next attempt
TRIES: Final = 4
PASSING: Final = frozenset({"storage_full", "storage_locked", "storage_unreachable", "busy"})
"""Refusals after which the same message may be sent again."""


class Lost(Exception):
    """The connection is gone."""


class SeatLost(Exception):
    """Someone was too late in a draw, and has no seat any more."""


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
        self.waits: Final[list[float]] = []
        """Seconds from the first attempt to send a message until it was acknowledged."""
        self.over: bool = False
        self.may_move: Final = asyncio.Event()
        self.may_move.set()
        self.nonces: Final[dict[int, str]] = {}
        """What this one has put into the seed, by round."""
        self.promised: Json = {}
        """What all had promised when this one revealed its part."""
        self._pending: Json | None = None
        self._since: float = 0.0
        self._at: int = rng.randrange(len(clients))

    async def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        """The answer of the first server that is there and can use its database."""
        while True:
            client = self.clients[self._at % len(self.clients)]
            with contextlib.suppress(httpx.TransportError):
                answer = await client.http.request(method, path, json=body)
                if answer.status_code < 500:
                    return answer
                assert answer.status_code == 503, answer.text
            self._at += 1
            await asyncio.sleep(PAUSE)

    async def draw(self) -> None:
        """Put a part into the seed, as the page does, until the game begins."""
        while not await self.draw_on():
            await asyncio.sleep(PAUSE)

    async def draw_on(self) -> bool:
        """Promise, or reveal what was promised, if that is next; whether the game has begun."""
        path = f"/api/tables/{self.table}"
        told = (await self.ask("GET", path)).json()
        if told["seat"] < 0:
            raise SeatLost
        if told["table"]["status"] != "waiting":
            return True
        draw = told["table"]["draw"]
        round = draw["round"]
        nonce = self.nonces.setdefault(round, self.rng.randbytes(32).hex())
        if not draw.get("sealed"):
            promise = {"promise": seat_promise(self.table, nonce)}
            await self.ask("PUT", f"{path}/promise", promise)
            return False
        seen = {name: draw[name] for name in ("round", "server", "promises")}
        if self.promised.get("round") == round:
            assert self.promised == seen, "what is sealed never changes"
        self.promised = seen
        await self.ask("PUT", f"{path}/nonce", {"nonce": nonce})
        return False

    async def look(self, client: Client) -> Socket:
        """All that a server tells of the table now; the connection is closed."""
        while True:
            try:
                socket = await client.connect(self.table)
            except (OSError, ConnectionClosed, InvalidHandshake, AssertionError, TimeoutError):
                await asyncio.sleep(PAUSE)
                continue
            await socket.close()
            return socket

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
                self._since = time.monotonic()
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
                self.waits.append(time.monotonic() - self._since)
                self._pending = None
            else:
                assert answer["code"] in PASSING, answer
                self.refused.append(answer["code"])
                await asyncio.sleep(PAUSE)


class Game:
    """A table with persons in its first seats and bots in the others."""

    def __init__(self, table: str, players: list[Player], fair: bool = False) -> None:
        self.table: Final = table
        self.players: Final = players
        self.fair: Final = fair
        """Whether the players put parts into the seed."""

    async def play(self) -> None:
        if self.fair:
            await asyncio.gather(*(player.draw() for player in self.players))
        await asyncio.gather(*(player.play() for player in self.players))

    @property
    def moves(self) -> int:
        """Acknowledged moves of persons."""
        return sum(len(player.done) for player in self.players)

    async def check(self) -> None:
        """After the end: every acknowledged move is there once, and all agree on everything."""
        for seat, player in enumerate(self.players):
            for client in player.clients:
                fresh = await player.look(client)
                assert fresh.over
                assert fresh.view == player.view
                assert fresh.entries[: len(player.log)] == player.log
                numbers = [entry["number"] for entry in fresh.entries]
                assert numbers == list(range(1, len(numbers) + 1))
                mine = [e["number"] for e in fresh.entries if made_by(e, seat)]
                assert mine == sorted(player.done.values())
        record = await self._record()
        replay(record)  # raises if the record isn't a game by the rules
        for seat, player in enumerate(self.players):
            assert sum(by == seat for by, _ in record.actions) == len(player.done)
        if self.fair:
            self._check_draw(record)

    async def _record(self) -> Record:
        """The record; a process that makes it may be killed several times."""
        path = f"/api/tables/{self.table}/record"
        answer = await self.players[0].ask("GET", path)
        for _ in range(TRIES):
            if answer.status_code != 200:
                answer = await self.players[0].ask("GET", path)
        assert answer.status_code == 200, answer.text
        return Record.from_json(answer.content)

    def _check_draw(self, record: Record) -> None:
        """The seed was drawn from what everyone has promised."""
        found = verify(record)
        assert found.ok, found.failed
        assert record.draw is not None
        if any(record.draw.nonces):
            assert {check.code: check.status for check in found.checks}["draw"] == OK
        for seat, player in enumerate(self.players):
            promised = [promise or "" for promise in record.draw.promises]
            if record.draw.nonces[seat] is None:
                continue  # away when the promises were sealed
            assert record.draw.nonces[seat] == player.nonces[record.draw.round]
            assert player.promised == {
                "round": record.draw.round, "server": record.draw.server, "promises": promised
            }  # fmt: skip


def made_by(entry: Json, seat: int) -> bool:
    return bool(entry["kind"] == "moved" and entry["seat"] == seat)


class Club(contextlib.AsyncExitStack):
    """Games that are played on one or several servers over one database."""

    def __init__(self, servers: Sequence[Server], addresses: Iterator[str] | None = None) -> None:
        """`addresses` are those from which one person after the other comes."""
        super().__init__()
        self.addresses: Final = addresses or itertools.repeat("")
        self.servers: Final = servers
        self.games: Final[list[Game]] = []

    async def _person(self, name: str) -> list[Client]:
        """One browser, as a client of every server."""
        local = next(self.addresses)
        clients = [
            await self.enter_async_context(Client(server.url, name, local=local))
            for server in self.servers
        ]
        await clients[0].ask("GET", "/api/about")
        for other in clients[1:]:
            other.http.cookies.update(clients[0].http.cookies)
        return clients

    async def open(
        self, board: str, persons: int, bots: Sequence[str], seed: int, fair: bool = False
    ) -> Game:
        """A table for so many persons, and the bots after them."""
        people = [await self._person(f"P{k}") for k in range(persons)]
        levels: list[Any] = [*[None] * (persons - 1), *bots]
        seats = persons + len(bots)
        table = await people[0][0].create(board, seats, bots=levels, takes_part=fair)
        for clients in people[1:]:
            await clients[-1].join(table, takes_part=fair)
        rng = random.Random(seed)
        players = [Player(clients, table, random.Random(rng.random())) for clients in people]
        self.games.append(Game(table, players, fair))
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
