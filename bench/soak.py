"""A long run against real servers that are killed, flooded and sent rubbish, while people play.

    make soak                                    an hour
    make soak SOAK_MINUTES=62 SOAK_KILLS=1000    a thousand kills, spread over that time
    bench/soak.py --minutes 5                    the same by hand

Two server processes share a PostgreSQL, a third has an SQLite file. Servers, their workers and the
database server are killed or stopped at random moments, also several at a time, and started again.
Strangers flood the servers from addresses of their own. People draw the seed together, play games
to the end, come back after every fall, send what was not acknowledged again, and check at every
return that all they were told before is told again, word for word. When a game is over, every
acknowledged move must be in it once, its record must be a game by the rules, and its seed must
follow from what all had promised. Whatever does not fit ends the run with exit code 1.

Everything is on this machine and on loopback addresses. The run ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
import psycopg
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from service import server as patience
from service.postgres import Cluster
from service.server import PROTOCOL, Server
from service.stubborn import Club, Game, SeatLost

LIMITS = {
    # Players are faster than people, and many; strangers meet the limits of every day.
    "messages_per_second": 100_000,
    "messages_burst": 100_000,
    "messages_per_address": 100_000,
    "tables_per_address": 600,
}
GAMES = (
    ("nordic", 2, []), ("usa", 2, ["easy"]), ("new_york", 1, ["easy", "easy"]),
    ("iberia", 2, []), ("south_korea", 2, ["easy"]), ("europe", 1, ["normal"]),
)  # fmt: skip
STRANGERS = "127.66.0.{}"
RUBBISH = (b"", b"{", b"[]", b'{"type":"act"}', b"\xff\xfe", b"x" * 20_000, b'{"type":"ping"}')
patience.SECONDS = 120.0  # a busy machine is not what this looks for
GRACE = 300  # seconds that the last games get after the time is over
LAST = 20  # seconds at the end in which no kill is planned
PAUSE = 2.5  # seconds between two kills where nobody says how many there should be

Fall = tuple[str, object, Callable[[], object], Callable[[], object]]
"""What is written of it, what falls, how, and how it gets up again."""


class Figures:
    """What the run counts."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.kills: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.games = 0
        self.draws = 0
        self.seats_lost = 0
        self.moves = 0
        self.returns = 0
        self.waits: list[float] = []
        self.downtimes: list[float] = []

    def add(self, game: Game) -> None:
        self.games += 1
        self.draws += game.fair
        self.moves += game.moves
        for player in game.players:
            self.returns += player.returns
            self.waits += player.waits
            self.refusals.update(player.refused)

    def line(self) -> str:
        minutes = (time.monotonic() - self.began) / 60
        kills = sum(self.kills.values())
        return f"{minutes:6.1f} min  {kills:5} kills  {self.games:5} games  {self.moves:7} moves"

    def report(self) -> str:
        lines = [
            self.line(),
            f"kills and stops: {dict(self.kills)}",
            f"games with a seed drawn by all: {self.draws}; seats lost in draws: {self.seats_lost}",
            f"connections made again: {self.returns}",
            f"moves refused and sent again: {dict(self.refusals)}",
            f"seconds to an acknowledged move, falls included: {spread(self.waits)}",
            f"seconds from a kill until it was up again: {spread(self.downtimes)}",
            f"answers to strangers: {dict(sorted(self.answers.items()))}",
        ]
        return "\n".join(lines)


class Soak:
    """One run."""

    def __init__(self, folder: Path, minutes: float, kills: int, lanes: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.folder = folder
        self.until = time.monotonic() + minutes * 60
        self.most_kills = kills
        self.lanes = lanes
        self.figures = Figures()
        self.cluster = Cluster()
        self.cluster.start()
        database = ("--database", self.cluster.create_database())
        self.shared = [self._server("one", *database), self._server("two", *database)]
        self.alone = self._server("alone")
        self.down: set[object] = set()
        """What has fallen and is not up again."""

    def _server(self, name: str, *options: str) -> Server:
        return Server(self.folder / name, *options, limits=LIMITS)

    @property
    def servers(self) -> list[Server]:
        return [*self.shared, self.alone]

    @property
    def done(self) -> bool:
        reached = self.most_kills and sum(self.figures.kills.values()) >= self.most_kills
        return bool(reached) or time.monotonic() > self.until

    async def run(self) -> None:
        with contextlib.ExitStack() as stack:
            stack.callback(self.cluster.remove)
            for server in self.servers:
                stack.enter_context(server)
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + self._longest()):
                await self._run()
            self._inspect()

    def _longest(self) -> float:
        return self.until - time.monotonic() + GRACE

    async def _run(self) -> None:
        floods = [asyncio.create_task(work()) for work in self._floods()]
        teller = asyncio.create_task(self._tell())
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._kill())
                for lane in range(self.lanes):
                    servers = self.shared if lane % 3 else [self.alone]
                    group.create_task(self._play(lane, servers))
        finally:
            for task in (*floods, teller):
                task.cancel()
            ended = await asyncio.gather(*floods, teller, return_exceptions=True)
        faults = [e for e in ended if isinstance(e, Exception)]
        if faults:
            raise ExceptionGroup("strangers got what they should not", faults)

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(60)
            print(self.figures.line(), flush=True)

    # --- people -----------------------------------------------------------------------------------

    async def _play(self, lane: int, servers: list[Server]) -> None:
        """One game after the other, each checked at its end; every second is drawn by all."""
        addresses = (f"127.{1 + lane}.0.{1 + k % 250}" for k in itertools.count())
        for seed in itertools.count():
            if self.done:
                return
            async with Club(servers, addresses) as club:
                try:
                    game = await self._opened(club, lane, seed)
                    await game.play()
                except SeatLost:
                    self.figures.seats_lost += 1
                    continue
                await game.check()
            self.figures.add(game)

    async def _opened(self, club: Club, lane: int, seed: int) -> Game:
        """A table; a new attempt for each that a fall has spoilt."""
        board, persons, bots = GAMES[(lane + seed) % len(GAMES)]
        while True:
            with contextlib.suppress(httpx.TransportError, AssertionError):
                return await club.open(board, persons, bots, 1000 * lane + seed, seed % 2 == 0)
            await asyncio.sleep(0.2)

    # --- kills ------------------------------------------------------------------------------------

    async def _kill(self) -> None:
        async with asyncio.TaskGroup() as falls:
            while not self.done:
                await asyncio.sleep(self.rng.uniform(0, 2 * self._pause()))
                able = [fall for fall in self._falls() if fall[1] not in self.down]
                if able:
                    falls.create_task(self._fall(*self.rng.choice(able)))

    def _pause(self) -> float:
        """The mean time until the next kill, so that all fit into the run."""
        if not self.most_kills:
            return PAUSE
        left = self.until - time.monotonic() - LAST
        return max(0.1, left / max(1, self.most_kills - self._begun()))

    def _begun(self) -> int:
        return sum(self.figures.kills.values()) + len(self.down)

    async def _fall(
        self, name: str, what: object, fall: Callable[[], object], rise: Callable[[], object]
    ) -> None:
        self.down.add(what)
        began = time.monotonic()
        await asyncio.to_thread(fall)
        await asyncio.sleep(self.rng.choice((0.0, 0.0, 0.5)))
        await asyncio.to_thread(rise)
        self.figures.downtimes.append(time.monotonic() - began)
        self.figures.kills[name] += 1
        self.down.remove(what)

    def _falls(self) -> list[Fall]:
        found: list[Fall] = []
        for server in self.servers:
            rise = lambda server=server: start(server)  # noqa: E731
            found += [("server killed", server, server.kill, rise)] * 3
            found.append(("server stopped", server, server.stop, rise))
            if server not in self.down:
                worker = lambda server=server: kill_worker(server, self.rng)  # noqa: E731
                found += [("worker killed", (server, "worker"), worker, lambda: None)] * 2
        for word, how in (("killed", signal.SIGKILL), ("cut off", signal.SIGQUIT)):
            fall = lambda how=how: self.cluster.stop(how)  # noqa: E731
            found += [(f"PostgreSQL {word}", self.cluster, fall, self.cluster.start)] * 3
        return found

    # --- strangers --------------------------------------------------------------------------------

    def _floods(self) -> list[Callable[[], Awaitable[None]]]:
        return [self._requests, self._uploads, self._rubbish, self._silence, self._tables]

    async def _requests(self) -> None:
        paths = ["/", "/api/boards", "/api/tables", "/api/tables/mine", "/api/rules", "/nothing",
                 "/api/boards/usa/drawing", "/api/tables/23456789abc", "/api/about"]  # fmt: skip
        async for http in self._strangers(1):
            await self._ask(http, "GET", self.rng.choice(paths))
            await asyncio.sleep(0.01)

    async def _uploads(self) -> None:
        good = await self._a_record()
        async for http in self._strangers(2):
            body = self.rng.choice(
                [good, good[: len(good) // 2], bytes(2 << 20), b"{}", good.replace(b"1", b"9")]
            )
            await self._ask(http, "POST", "/api/replays", content=body)
            await asyncio.sleep(0.2)

    async def _a_record(self) -> bytes:
        """The record of a game between bots alone."""
        from branchline import Game as Rules

        state = Rules("usa", seats=2).start(seed=1)
        while not state.over:
            seat = state.to_act[0]
            state.apply(seat, state.legal(seat)[0])
        return state.record().to_json().encode()

    async def _rubbish(self) -> None:
        """Sockets that open, send something that is not a message, and go without a word."""
        while True:
            server = self.rng.choice(self.servers)
            address = f"ws://127.0.0.1:{server.port}/api/tables/23456789abc/socket"
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                socket = await connect(
                    address, subprotocols=[PROTOCOL], local_addr=(STRANGERS.format(3), 0)
                )
                for data in RUBBISH:
                    await socket.send(data)
                socket.transport.abort()
            self.figures.answers["sockets"] += 1
            await asyncio.sleep(0.1)

    async def _silence(self) -> None:
        """Connections that say nothing, and some that never end a header."""
        held: list[asyncio.StreamWriter] = []
        while True:
            server = self.rng.choice(self.servers)
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(
                    "127.0.0.1", server.port, local_addr=(STRANGERS.format(4), 0)
                )
                writer.write(self.rng.choice([b"", b"GET / HTTP/1.1\r\nhost: x\r\nx"]))
                held.append(writer)
            self.figures.answers["silent connections"] += 1
            if len(held) > 100:
                held.pop(0).close()
            await asyncio.sleep(0.05)

    async def _tables(self) -> None:
        """Tables that nobody comes to, and games of bots for somebody who has left."""
        async for http in self._strangers(5):
            form = {"board": "nordic", "seats": 2, "name": "N", "bots": ["easy"]}
            if self.rng.random() < 0.5:
                form["bots"] = []
            answer = await self._ask(http, "POST", "/api/tables", json=form)
            if answer is not None and answer.status_code == 201:
                await self._ask(http, "DELETE", f"/api/tables/{answer.json()['table']}/seats/0")
            await asyncio.sleep(2)

    async def _strangers(self, k: int) -> Any:
        """A client for any server, again and again, from an address of its own."""
        way = httpx.AsyncHTTPTransport(local_address=STRANGERS.format(k))
        async with httpx.AsyncClient(transport=way, timeout=30) as http:
            while True:
                yield http

    async def _ask(
        self, http: httpx.AsyncClient, method: str, path: str, **more: Any
    ) -> httpx.Response | None:
        server = self.rng.choice(self.servers)
        try:
            answer = await http.request(method, server.url + path, **more)
        except httpx.HTTPError as error:
            self.figures.answers[type(error).__name__] += 1
            return None
        self.figures.answers[str(answer.status_code)] += 1
        if answer.status_code >= 500 and answer.status_code != 503:
            raise AssertionError(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
        return answer

    # --- at the end -------------------------------------------------------------------------------

    def _inspect(self) -> None:
        """Look at the databases and the logs."""
        gaps = (
            "SELECT count(*) FROM (SELECT table_id FROM entries GROUP BY table_id "
            "HAVING count(*) <> max(number) OR min(number) <> 1) AS broken"
        )
        self.cluster.start()
        address = self.shared[0]._options[1]
        with psycopg.connect(address) as remote:
            assert remote.execute(gaps).fetchone() == (0,), "a log has a gap in PostgreSQL"
            remote_size = remote.execute("SELECT count(*) FROM entries").fetchone()
        file = self.alone.data / "branchline.db"
        with contextlib.closing(sqlite3.connect(file)) as local:
            assert local.execute(gaps).fetchone() == (0,), "a log has a gap in SQLite"
            assert local.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            local_size = local.execute("SELECT count(*) FROM entries").fetchone()
        print(f"entries: PostgreSQL {remote_size[0]}, SQLite {local_size[0]}; no log has a gap")
        for server in self.servers:
            memory = server.metric("process_resident_memory_bytes") / 2**20
            errors = server.metric("branchline_errors_total")
            print(f"{server.data.name}: {memory:.0f} MB, {errors:.0f} errors since its last start")
            for line, count in Counter(kinds(server.log)).most_common(8):
                print(f"    {count:5} x {line}")


def start(server: Server) -> None:
    """Start a server as an init system does: again, if it ends because its database is away."""
    while True:
        try:
            server.start()
            return
        except AssertionError:
            server.kill()
            time.sleep(0.2)


def kill_worker(server: Server, rng: random.Random) -> None:
    """Kill one of the processes in which a server's bots and jobs run."""
    with contextlib.suppress(AssertionError, ProcessLookupError, IndexError):
        os.kill(
            rng.choice([p for p in processes_of(server.pid) if p != server.pid]), signal.SIGKILL
        )


def processes_of(session: int) -> list[int]:
    """The processes of a server, itself included."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just ended
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(path.parent.name))
    return found


def spread(seconds: list[float]) -> str:
    """The middle of some times, and their end."""
    cuts = quantiles(seconds, n=100) if len(seconds) > 1 else [0.0] * 99
    parts = (f"p{k} {cuts[k - 1]:.3f}" for k in (50, 95, 99))
    return ", ".join([*parts, f"longest {max(seconds, default=0):.1f}"])


def kinds(log: str) -> Iterator[str]:
    """The warnings of a log and the ends of its tracebacks, without what differs each time."""
    raised = False
    for line in log.splitlines():
        found = re.match(r"\S+ (error|warning)\s+(.*)", line)
        ends = raised and re.match(r"\w+(\.\w+)*(:|$)", line) and not line.startswith("Trace")
        raised = not found and not ends and (raised or line.startswith("Traceback"))
        if found or ends:
            text = re.sub(r"/api/tables/\w+", "/api/tables/ID", found[2] if found else line)
            yield re.sub(r"\b[0-9]+(\.[0-9]+)?", "N", text)[:160]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60, help="how long it takes")
    parser.add_argument("--kills", type=int, default=0, help="so many in that time; 0: any")
    parser.add_argument("--lanes", type=int, default=6, help="games at the same time")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="branchline-soak-"))
    print(f"seed {options.seed}, up to {options.minutes:g} minutes, logs in {folder}", flush=True)

    async def run() -> Figures:
        soak = Soak(folder, options.minutes, options.kills, options.lanes, options.seed)
        try:
            await soak.run()
        finally:
            print(soak.figures.report(), flush=True)
        return soak.figures

    asyncio.run(run())
    shutil.rmtree(folder)
    print("no acknowledged move was lost, and none was made twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
