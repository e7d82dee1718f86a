"""How many moves a second a table server takes, and how much memory its tables need.

    make load                                    everything, on SQLite
    bench/load.py --seconds 30 --tables 100      longer, with more tables
    bench/load.py --database postgresql://…      on PostgreSQL

Clients in processes of their own play random games over the network, as fast as they can, at
tables that were made before the clock starts. In the same run, in turns, as many clients talk to a
bare WebSocket server that is served with the same settings and passes on as many messages of the
same sizes to the same players, but knows no game. Absolute numbers are of this machine and day;
trust the ratios. Rounds are short and take turns, and each ratio is the median of those of all
neighbouring rounds: a machine that is slow for a while is slow for both.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import math
import os
import random
import re
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple, TypeVar

import httpx
import msgspec
import uvicorn
from crowd import BOT_TABLES, KINDS, MANY_BOT_TABLES, RATE, crowd, write_board
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect

from branchline.service.operations.settings import Limits, Settings
from branchline.service.run import config_of

BOARD = "usa"
LIMITS = [
    *("requests_per_second", "requests_burst", "messages_per_second", "messages_burst"),
    *("messages_per_address",),
    *("tables", "tables_per_address", "sockets", "sockets_per_address"),
    *("connections_per_address", "replays_per_minute"),
]
WARM_UP = 0.5  # seconds that are not counted
ROUNDS = 9  # in turns with the bare server
CROWDED_ROUNDS = 5  # in turns with a server that has nothing else to do
LONG = 6.0  # seconds of a round that stands alone
FASTEST = 6000  # moves a second for which there are tables enough when the clock starts
GAME = 150  # moves of a game, about
GAMES = 10  # that a client has ready at most

T = TypeVar("T")
Figures = dict[str, Any]
Sizes = Sequence[int]


# --- clients ------------------------------------------------------------------------------------


class Choice(msgspec.Struct):
    action: int
    do: str


class Asked(msgspec.Struct):
    number: int
    offers: list[msgspec.Raw]


class Status(msgspec.Struct):
    status: str


class Entry(msgspec.Struct):
    kind: str
    seat: int = -1


class Message(msgspec.Struct):
    """As much of the server's messages as a player needs."""

    type: str
    decision: Asked | msgspec.UnsetType | None = msgspec.UNSET
    table: Status | None = None
    entry: Entry | None = None
    code: str = ""


class Meter:
    """What a client has measured."""

    def __init__(self, seconds: float) -> None:
        self.begun = time.perf_counter() + WARM_UP
        self.end = self.begun + seconds
        self.moves = 0
        self.latencies: list[float] = []
        """Of the moves after the warm-up."""
        self.sizes: dict[str, list[int]] = {}

    @property
    def over(self) -> bool:
        return time.perf_counter() > self.end

    def answered(self, sent: float) -> None:
        now = time.perf_counter()
        self.moves += 1
        if self.begun <= sent and now <= self.end:
            self.latencies.append(now - sent)


_choice = msgspec.json.Decoder(Choice).decode


def decide(decision: Asked, rng: random.Random) -> bytes:
    """Any action; claims more often, so that games end, and seldom new tickets, as people do.

    It looks at few offers, to be quick.
    """
    number, offers = decision.number, decision.offers
    offer = _choice(offers[int(rng.random() * len(offers))])
    for _ in range(4):
        if offer.do == "claim":
            break
        other = _choice(offers[int(rng.random() * len(offers))])
        if other.do != "tickets":
            offer = other
    act = f'{{"type":"act","id":"m{number}","decision":{number},"action":{offer.action}}}'
    return act.encode()


async def play(socket: ClientConnection, meter: Meter, rng: random.Random) -> None:
    """Play one game to its end."""
    decoder = msgspec.json.Decoder(Message)
    decision: Asked | None = None
    sent = 0.0
    async for text in socket:
        message = decoder.decode(text)
        meter.sizes.setdefault(message.type, []).append(len(text))
        if message.type == "done":
            meter.answered(sent)
            sent = 0.0
        elif message.type in ("refused", "trouble"):
            raise RuntimeError(f"the server says no: {message.code}")
        if message.decision is not msgspec.UNSET:
            decision = message.decision
        if meter.over or (message.table is not None and message.table.status == "over"):
            return
        if decision is not None and not sent:
            act, decision = decide(decision, rng), None
            meter.sizes.setdefault("act", []).append(len(act))
            sent = time.perf_counter()
            await socket.send(act, text=True)


async def sit_down(url: str, http: httpx.AsyncClient) -> list[ClientConnection]:
    """Two players, connected to a table of their own."""
    keys = [{"cookie": f"branchline={secrets.token_urlsafe(32)}"} for _ in range(2)]
    form = {"board": BOARD, "seats": 2, "name": "Ann"}
    made = await http.post(f"{url}/api/tables", json=form, headers=keys[0])
    made.raise_for_status()
    path = f"/api/tables/{made.json()['table']}"
    joined = await http.post(f"{url}{path}/seats", json={"name": "Ben"}, headers=keys[1])
    joined.raise_for_status()
    address = f"{url.replace('http', 'ws', 1)}{path}/socket?lang=en"
    return [await open_socket(address, key) for key in keys]


async def open_socket(address: str, headers: dict[str, str]) -> ClientConnection:
    return await connect(
        address,
        subprotocols=["branchline.1"],  # type: ignore[list-item]
        additional_headers=headers,
        compression=None,
        max_size=None,
        ping_interval=None,
        open_timeout=60,
    )


async def finish(socket_a: ClientConnection, socket_b: ClientConnection, meter: Meter) -> None:
    """One game between two players."""
    sockets, rng = (socket_a, socket_b), random.Random()
    players = [asyncio.create_task(play(socket, meter, rng)) for socket in sockets]
    first, rest = await asyncio.wait(players, return_when=asyncio.FIRST_COMPLETED)
    for player in rest:  # who would wait for the first for ever
        player.cancel()
    for player in first:
        player.result()
    for socket in sockets:
        socket.transport.abort()


async def play_on(
    url: str, http: httpx.AsyncClient, meter: Meter, tables: list[list[ClientConnection]]
) -> None:
    """One game after the other."""
    while not meter.over:
        await finish(*(tables.pop() if tables else await sit_down(url, http)), meter)


async def duel_on(url: str, http: httpx.AsyncClient, meter: Meter) -> None:
    """One game after the other against an easy bot, whose answers are measured."""
    while not meter.over:
        key = {"cookie": f"branchline={secrets.token_urlsafe(32)}"}
        form = {"board": BOARD, "seats": 2, "name": "Ann", "bots": ["easy"]}
        made = await http.post(f"{url}/api/tables", json=form, headers=key)
        made.raise_for_status()
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{made.json()['table']}/socket"
        await duel(await open_socket(address, key), meter, random.Random())


async def duel(socket: ClientConnection, meter: Meter, rng: random.Random) -> None:
    """One game: the time from the end of one's own turn to the bot's first move after it."""
    decoder = msgspec.json.Decoder(Message)
    ended = 0.0
    async for text in socket:
        message = decoder.decode(text)
        moved = message.entry is not None and message.entry.kind == "moved"
        if moved and message.entry is not None:
            if message.entry.seat == 0:
                ended = time.perf_counter() if message.decision is None else 0.0
            elif ended:
                meter.answered(ended)
                ended = 0.0
        if meter.over or (message.table is not None and message.table.status == "over"):
            break
        if isinstance(message.decision, Asked):
            await socket.send(decide(message.decision, rng), text=True)
    socket.transport.abort()


async def echo_on(pair: list[ClientConnection], meter: Meter, sizes: list[int]) -> None:
    """Have as many messages of the same sizes passed on as a move brings."""
    act, *told = sizes
    question = json.dumps(told).ljust(act).encode()
    while not meter.over:
        for mover, other in (pair, reversed(pair)):
            sent = time.perf_counter()
            await mover.send(question, text=True)
            await mover.recv()
            await mover.recv()
            meter.answered(sent)
            await other.recv()


def games_ready(tables: int, seconds: float) -> int:
    """How many games each table needs, so that none has to be made while others are measured.

    Not many more: those that are open and not played cost the server something as well.
    """
    return max(2, min(GAMES, math.ceil(FASTEST * (seconds + WARM_UP) / GAME / tables)))


async def client(
    url: str, count: int, games: int, seconds: float, sizes: list[int], duels: bool = False
) -> Figures:
    """So many tables, duels with a bot, or pairs at the bare server, at the same time."""
    async with httpx.AsyncClient(timeout=60) as http:
        works: list[Callable[[Meter], Coroutine[Any, Any, None]]] = []
        for _ in range(count):
            if duels:
                works.append(partial(duel_on, url, http))
            elif sizes:
                address = f"{url.replace('http', 'ws', 1)}/echo/{secrets.token_hex(8)}"
                pair = [await open_socket(address, {}) for _ in range(2)]
                works.append(partial(echo_on, pair, sizes=sizes))
            else:
                tables = [await sit_down(url, http) for _ in range(games)]
                works.append(partial(play_on, url, http, tables=tables))
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        meter = Meter(seconds)
        await asyncio.gather(*(work(meter) for work in works))
        print("over", flush=True)  # before the connections end, which is not a part of a move
        await asyncio.to_thread(sys.stdin.readline)
    means = {kind: round(mean(found)) for kind, found in meter.sizes.items()}
    return {"latencies": meter.latencies, "moves": meter.moves, "sizes": means}


async def idle(url: str, count: int) -> None:
    """Players who sit at their tables and do nothing, until the input ends."""
    async with httpx.AsyncClient(timeout=60) as http:
        sockets = []
        for _ in range(count):
            sockets += await sit_down(url, http)
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)


# --- servers ------------------------------------------------------------------------------------


def bare() -> None:
    """The server that knows no game."""
    app = FastAPI()

    pairs: dict[str, list[WebSocket]] = {}

    @app.websocket("/echo/{pair}")
    async def echo(socket: WebSocket, pair: str) -> None:
        await socket.accept(subprotocol="branchline.1")
        players = pairs.setdefault(pair, [])
        players.append(socket)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (message := await socket.receive())["type"] == "websocket.receive":
                update, done = json.loads(message.get("text") or message["bytes"])
                for player in players:
                    await player.send_text("x" * update)
                await socket.send_text("x" * done)

    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    config = config_of(Settings(limits=Limits(connections_per_address=1_000_000)))
    config.app = app
    config.ws = "websockets-sansio"  # uvicorn's own class, without ours around it
    config.host, config.port = "127.0.0.1", 0
    server = uvicorn.Server(config)

    async def serve() -> None:
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        print(f"http://127.0.0.1:{port}/", flush=True)
        await task

    run(serve())


class Address(NamedTuple):
    """Where a server is, and its process."""

    url: str
    pid: int


@contextlib.contextmanager
def running(*command: str) -> Iterator[Address]:
    """A server."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found is not None
        yield Address(f"http://127.0.0.1:{found[1]}", process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


@contextlib.contextmanager
def table_server(database: str | None) -> Iterator[Address]:
    with tempfile.TemporaryDirectory() as folder:
        options = ["--board", str(write_board(Path(folder)))]
        options += ["--host", "127.0.0.1", "--port", "0", "--data", folder, "--workers", "1"]
        for name in LIMITS:
            options += ["--limit", f"{name}=1000000"]
        if database is not None:
            options += ["--database", database]
        with running("-m", "branchline.cli", "--lang", "en", "serve", *options) as found:
            yield found


def memory(pid: int) -> float:
    """The resident memory of a process, in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- the run ------------------------------------------------------------------------------------


class Round(NamedTuple):
    """What the clients of a server have measured in one go."""

    latencies: list[float]
    seconds: float
    moves: int
    cpu: float

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def late(self) -> float:
        """The time within which 95 of 100 moves were answered."""
        return sorted(self.latencies)[int(len(self.latencies) * 0.95)]

    @property
    def work(self) -> float:
        """The processor time of a move."""
        return self.cpu / self.moves


class Sample:
    """What the clients of a server have measured, in all rounds."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rounds: list[Round] = []
        self.sizes: dict[str, int] = {}

    def measure(
        self,
        server: Address,
        tables: int,
        seconds: float,
        processes: int,
        sizes: Sizes = (),
        duels: bool = False,
        beside: contextlib.AbstractContextManager[Any] | None = None,
    ) -> None:
        """Let clients play, or echo messages of these sizes, for a while.

        `beside` is entered when they are ready, and lasts while they play.
        """
        with (
            clients(server.url, tables, seconds, processes, sizes, duels) as playing,
            beside or contextlib.nullcontext(),
        ):
            before = cpu_seconds(server.pid)
            with playing() as figures:
                cpu = cpu_seconds(server.pid) - before
            latencies = [time for found in figures for time in found["latencies"]]
            moves = sum(found["moves"] for found in figures)
            self.rounds.append(Round(latencies, seconds, moves, cpu))
            self.sizes = figures[0]["sizes"]

    @property
    def latencies(self) -> list[float]:
        return [time for each in self.rounds for time in each.latencies]

    @property
    def rate(self) -> float:
        return len(self.latencies) / sum(each.seconds for each in self.rounds)

    @property
    def work(self) -> float:
        """The processor time of a move."""
        return sum(each.cpu for each in self.rounds) / sum(each.moves for each in self.rounds)

    def __str__(self) -> str:
        """A line of the report."""
        ordered = sorted(self.latencies)
        count = len(ordered)
        times = [ordered[min(count - 1, int(count * q))] * 1000 for q in (0.5, 0.95, 0.99)]
        cells = "".join(f"{time:9.2f}" for time in times)
        return f"{self.name:30}{self.rate:9.0f}{cells}{self.work * 1e6:9.0f}"


class Ratio:
    """How many times as much of something there was in the second of two samples as in the first.

    Their rounds have taken turns: it is the median of all neighbouring rounds, with its range.
    """

    def __init__(self, first: Sample, second: Sample, of: Callable[[Round], float]) -> None:
        before, after = [of(each) for each in first.rounds], [of(each) for each in second.rounds]
        pairs = [*zip(before, after, strict=True), *zip(before[1:], after[:-1], strict=True)]
        found = sorted(b / a for a, b in pairs)
        self.median = median(found)
        self.least, self.most = found[0], found[-1]

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.least:.2f} to {self.most:.2f})"


HEAD = f"{'':30}{'moves/s':>9}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'CPU µs':>9}"


@contextlib.contextmanager
def clients(
    url: str, tables: int, seconds: float, processes: int, sizes: Sizes, duels: bool = False
) -> Iterator[Callable[[], contextlib.AbstractContextManager[list[Figures]]]]:
    """Clients in processes of their own that are ready; returns what starts and awaits them.

    They have played and are still connected in the block; afterwards their figures are known.
    """
    command = [sys.executable, __file__, "--client", url, "--tables", str(tables // processes)]
    command += ["--seconds", str(seconds), "--sizes", json.dumps(sizes)]
    command += ["--games", str(games_ready(tables, seconds))]
    command += ["--duels"] if duels else []
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / str(k) for k in range(processes)]
        started = [talking_to([*command, "--out", str(file)]) for file in files]

        def tell(word: str, answer: str) -> None:
            for process in started:
                process.stdin.write(f"{word}\n")
                process.stdin.flush()
            if any(process.stdout.readline() != answer for process in started):
                sys.exit("a client has failed")

        @contextlib.contextmanager
        def playing() -> Iterator[list[Figures]]:
            figures: list[Figures] = []
            tell("go", "over\n")
            yield figures
            tell("leave", "")
            if any(process.wait() for process in started):
                sys.exit("a client has failed")
            figures += [json.loads(file.read_text()) for file in files]

        for process in started:
            assert process.stdout.readline() == "ready\n"
        yield playing


def talking_to(command: list[str]) -> Any:
    """A process whose input and output are ours."""
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def report(tables: int, idlers: int, seconds: float, processes: int, database: str | None) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * idlers + 2 * GAMES * tables + 1000)), hard)
    )
    moves(tables, seconds, processes, database)
    if idlers:
        rest(idlers, LONG, database)
    starve(max(2, tables // 3), seconds, processes, database)
    wait_for_bots(seconds, database)


def moves(tables: int, seconds: float, processes: int, database: str | None) -> None:
    """Tables that play, next to the bare server, and one table alone."""
    played, echoed = Sample(f"{tables} tables"), Sample("bare server, same messages")
    alone = Sample("one table alone")
    each = seconds / ROUNDS
    sizes: list[int] = []
    with table_server(database) as server, running(__file__, "--bare") as other:
        for _ in range(ROUNDS):
            played.measure(server, tables, each, processes)
            size = played.sizes
            sizes = [size["act"], size["update"], size["done"]]
            echoed.measure(other, tables, each, processes, sizes)
        alone.measure(server, 1, LONG, 1)
        used = memory(server.pid)
    print(HEAD, played, echoed, alone, sep="\n")
    work = Ratio(played, echoed, lambda each: each.work)
    rate = Ratio(played, echoed, lambda each: 1 / each.rate)
    print(f"\nratio to the bare server: {rate}; by CPU time {work}")
    for sample in (played, echoed):
        found = "".join(f"{each.work * 1e6:6.0f}" for each in sample.rounds)
        print(f"{'CPU µs by round, ' + sample.name:46}{found}")
    print(f"bytes: act {sizes[0]}, update {sizes[1]} to each player, done {sizes[2]}")
    print(f"memory after {tables} tables at a time have played: {used:.0f} MB")


def wait_for_bots(seconds: float, database: str | None) -> None:
    """How long a person waits for a bot, alone and next to many tables of bots alone."""
    quiet, crowded = Sample("an easy bot's answer"), Sample(f"next to {MANY_BOT_TABLES} bot tables")
    with table_server(database) as server:
        quiet.measure(server, 1, seconds / 3, 1, duels=True)
        with crowd_of(server.url, ["bots"], MANY_BOT_TABLES) as asked:
            crowded.measure(server, 1, seconds / 3, 1, duels=True, beside=asked())
    print(f"\n{HEAD.replace('moves', ' asks')}", quiet, crowded, sep="\n")


def rest(idlers: int, seconds: float, database: str | None) -> None:
    """A table that plays next to many at which nothing happens."""
    alone = Sample("one table next to them")
    with table_server(database) as server:
        Sample("warm-up").measure(server, 1, 0.5, 1)
        before = memory(server.pid)
        command = [sys.executable, __file__, "--idle", server.url, "--tables", str(idlers)]
        players = talking_to(command)
        assert players.stdout.readline() == "ready\n"
        after = memory(server.pid)
        alone.measure(server, 1, seconds, 1)
        print(f"\n{idlers} open tables with 2 players each: {after:.0f} MB,", end=" ")
        print(f"{(after - before) * 1024 / idlers:.0f} kB a table")
        print(alone)
        players.stdin.close()
        players.wait()


ROWS = [*([kind] for kind in KINDS), list(KINDS)]


def starve(
    tables: int,
    seconds: float,
    processes: int,
    database: str | None,
    rows: Sequence[list[str]] = ROWS,
) -> None:
    """People who play next to everything that others may ask for at the same time.

    There are two servers, since tables of bots go on when whoever made them is gone. Each stands
    still while people play at the other.
    """
    print(f"\nnext to what others ask for, {RATE:.0f} times a second each:")
    print(f"{HEAD}   rate, p95")
    each = seconds / 2 / CROWDED_ROUNDS
    for kinds in rows:
        quiet = Sample(f"{tables} tables alone")
        crowded = Sample("next to " + (kinds[0] if len(kinds) == 1 else "all of them"))
        with (
            table_server(database) as server,
            table_server(database) as busy,
            crowd_of(busy.url, kinds) as asked,
        ):
            for _ in range(CROWDED_ROUNDS):
                with standing_still(busy):
                    quiet.measure(server, tables, each, processes)
                with standing_still(server):
                    beside = asked()
                    crowded.measure(busy, tables, each, processes, beside=beside)
        rate = Ratio(quiet, crowded, lambda each: each.rate)
        late = Ratio(quiet, crowded, lambda each: each.late)
        print(quiet, f"{crowded}   {rate}, {late}", sep="\n")
        print(f"{'':4}answered in the last round: {asked.said}", flush=True)


@contextlib.contextmanager
def standing_still(server: Address) -> Iterator[None]:
    """For the block, a server does nothing, whatever its tables want."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


class Crowd:
    """A process that asks for much, whenever it is wanted."""

    def __init__(self, process: Any) -> None:
        self._process = process
        self.said = ""
        """What it was answered when it was wanted last."""

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        """It asks for as long as the block lasts."""
        self._tell("go")
        assert self._process.stdout.readline() == "ready\n"
        yield
        self._tell("stop")
        self.said = self._process.stdout.readline().strip()

    def _tell(self, word: str) -> None:
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()


@contextlib.contextmanager
def crowd_of(url: str, kinds: list[str], bot_tables: int = BOT_TABLES) -> Iterator[Crowd]:
    """A crowd that is ready."""
    command = [sys.executable, __file__, "--crowd", url, "--kinds", ",".join(kinds)]
    process = talking_to([*command, "--bot-tables", str(bot_tables)])
    assert process.stdout.readline() == "prepared\n"
    try:
        yield Crowd(process)
    finally:
        process.communicate()


def run(work: Coroutine[Any, Any, T]) -> T:
    """In the fastest event loop that is installed, which is also the server's."""
    with asyncio.Runner(
        loop_factory=uvicorn.Config("", log_config=None).get_loop_factory()
    ) as runner:
        return runner.run(work)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=18, help="in which each server plays")
    parser.add_argument("--tables", type=int, default=60, help="that play at the same time")
    parser.add_argument("--idlers", type=int, default=1000, help="tables at which nothing happens")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--database", help="a PostgreSQL database in place of SQLite")
    parser.add_argument("--only", choices=["moves", "crowd", "bots"], help="nothing but these rows")
    for name in ("--client", "--idle", "--out", "--sizes", "--crowd", "--kinds"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--games", type=int, default=GAMES, help=argparse.SUPPRESS)
    parser.add_argument("--bot-tables", type=int, default=BOT_TABLES, help=argparse.SUPPRESS)
    for name in ("--bare", "--duels"):
        parser.add_argument(name, action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.bare:
        bare()
    elif given.crowd:
        run(crowd(given.crowd, given.kinds.split(","), given.bot_tables))
    elif given.idle:
        run(idle(given.idle, given.tables))
    elif given.client:
        sizes = json.loads(given.sizes)
        games, seconds = given.games, given.seconds
        found = run(client(given.client, given.tables, games, seconds, sizes, given.duels))
        Path(given.out).write_text(json.dumps(found))
    elif given.only == "bots":
        wait_for_bots(given.seconds, given.database)
    elif given.only == "moves":
        moves(given.tables, given.seconds, given.processes, given.database)
    elif given.only:
        starve(max(2, given.tables // 3), given.seconds, given.processes, given.database)
    else:
        report(given.tables, given.idlers, given.seconds, given.processes, given.database)


if __name__ == "__main__":
    main()
