"""A real server in a process of its own, and real clients over the network.

with Server(folder) as server:
    async with Client(server.url) as ann:
        table = await ann.create("nordic", seats=2, bots=["easy"])
        async with ann.connected(table) as socket:
            await socket.play(random.Random(1))
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PROTOCOL: Final = "branchline.1"
SECONDS: Final = 30.0  # that anything may take before a test gives up
ROOMY: Final = {
    "requests_per_second": 100_000,
    "requests_burst": 100_000,
    "messages_per_second": 100_000,
    "messages_burst": 100_000,
    "messages_per_address": 100_000,
    "tables_per_address": 100_000,
    "sockets_per_address": 10_000,
    "connections_per_address": 10_000,
    "chat_per_minute": 10_000,
    "replays_per_minute": 10_000,
}
"""Limits that a test which is not about limits never meets."""

Json = dict[str, Any]


class Server:
    """`branchline serve` as a process. It can be stopped, killed and started again on its data."""

    def __init__(
        self,
        data: Path,
        *options: str,
        limits: Mapping[str, float] = ROOMY,
        environ: Mapping[str, str] | None = None,
        python: Path | str = sys.executable,
    ) -> None:
        self.data: Final = data
        self.python: Final = str(python)
        self.port: int = 0
        self._options: Final = options
        self._limits: Final = limits
        self.environ: Final = dict(environ or {})
        self._process: subprocess.Popen[str] | None = None
        self._sessions: Final[list[int]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """What the server has written to its error stream, in all its lives."""
        path = self.data / "server.log"
        return path.read_text("utf-8") if path.exists() else ""

    def start(self) -> None:
        """Start, on the port of before if there was one, and wait until it is ready."""
        self.data.mkdir(parents=True, exist_ok=True)
        limits = [word for name, n in self._limits.items() for word in ("--limit", f"{name}={n}")]
        command = [self.python, "-m", "branchline.cli", "--lang", "en", "serve"]
        command += ["--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        command += ["--workers", "1", *limits, *self._options]
        with (self.data / "server.log").open("a", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **self.environ},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,  # so that its workers can be cleared away after a kill
            )
        self._sessions.append(self._process.pid)
        self.port = self._listen()
        self._wait_until_ready()

    def _listen(self) -> int:
        """The port that the server says it has."""
        assert self._process is not None
        assert self._process.stdout is not None
        said = _first_line(self._process.stdout, SECONDS)
        found = re.search(r":(\d+)/", said)
        assert found is not None, f"{said!r}\n{self.log}"
        return int(found[1])

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/readyz", timeout=5).status_code == 200:
                    return
            time.sleep(0.02)
        raise AssertionError(f"the server is not ready\n{self.log}")

    def stop(self) -> int:
        """Ask it to stop, as an operator would; gives its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """`kill -9`: it has no time for anything."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        code = process.wait(SECONDS)
        assert process.stdout is not None
        process.stdout.close()
        return code

    def restart(self) -> None:
        """Kill it, and start it again on the same data and port."""
        self.kill()
        self.start()

    def metric(self, name: str) -> float:
        """The sum of a metric's series."""
        text = httpx.get(f"{self.url}/metrics", timeout=SECONDS).text
        lines = re.findall(rf"^{name}(?:\{{.*\}})? (\S+)$", text, re.MULTILINE)
        return sum(map(float, lines))

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGTERM)
        for session in self._sessions:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(session, signal.SIGKILL)


def _first_line(stream: IO[str], seconds: float) -> str:
    """The first line of a stream that may stay silent."""
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: lines.put(stream.readline()), daemon=True).start()
    return lines.get(timeout=seconds)


class Client:
    """A browser: it has a secret of its own, asks over HTTP and opens sockets.

    `local` is the address of this machine from which it comes; any of 127.0.0.0/8 will do.
    """

    def __init__(self, url: str, name: str = "Ann", lang: str = "en", local: str = "") -> None:
        self.url: Final = url
        self.name: Final = name
        self.lang: Final = lang
        self.local: Final = local
        way = httpx.AsyncHTTPTransport(local_address=local or None)
        self.http: Final = httpx.AsyncClient(
            base_url=url, timeout=SECONDS, headers={"accept-language": lang}, transport=way
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    async def ask(self, method: str, path: str, body: object = None, status: int = 200) -> Any:
        """An answer of the interface, which must have this status."""
        answer = await self.http.request(method, path, json=body)
        assert answer.status_code == status, (method, path, answer.status_code, answer.text)
        return answer.json() if answer.content else None

    async def refused(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """The status and the code of an error."""
        answer = await self.http.request(method, path, json=body)
        assert answer.status_code >= 400, answer.text
        error = answer.json()["error"]
        assert error["text"]
        return answer.status_code, str(error["code"])

    async def create(self, board: str = "nordic", seats: int = 2, **more: object) -> str:
        """Make a table, with the first seat taken; gives its id."""
        body = {"board": board, "seats": seats, "name": self.name, **more}
        answer = await self.ask("POST", "/api/tables", body, 201)
        assert answer["link"] == f"{self.url}/t/{answer['table']}"
        return str(answer["table"])

    async def join(self, table: str, seat: int | None = None, takes_part: bool = False) -> int:
        """Take a seat; gives which."""
        body = {"name": self.name, "seat": seat, "takes_part": takes_part}
        return int((await self.ask("POST", f"/api/tables/{table}/seats", body))["seat"])

    async def table(self, table: str) -> Json:
        """What everyone may know of a table."""
        found: Json = (await self.ask("GET", f"/api/tables/{table}"))["table"]
        return found

    async def connect(
        self, table: str, since: int = 0, lang: str = "", seat: int | None = None
    ) -> Socket:
        """Open a socket, and wait for the welcome."""
        address = self.url.replace("http", "ws", 1)
        address += f"/api/tables/{table}/socket?since={since}&lang={lang or self.lang}"
        address += "" if seat is None else f"&seat={seat}"
        headers = {"Cookie": self.cookie} if self.cookie else {}
        socket = Socket(
            await connect(
                address,
                subprotocols=[PROTOCOL],  # type: ignore[list-item]
                additional_headers=headers,
                compression=None,
                max_size=None,
                ping_interval=None,
                local_addr=(self.local, 0) if self.local else None,
            )
        )
        await socket.until(lambda: bool(socket.welcome))
        return socket

    @contextlib.asynccontextmanager
    async def connected(
        self, table: str, since: int = 0, lang: str = "", seat: int | None = None
    ) -> AsyncIterator[Socket]:
        socket = await self.connect(table, since, lang, seat)
        try:
            yield socket
        finally:
            await socket.close()


class Socket:
    """A connection to a table. It keeps every message, and folds what it is told.

    It fails at once if a number is left out or comes twice.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self.connection: Final = connection
        self.received: Final[list[str]] = []
        self.welcome: Json = {}
        self.updates: Final[list[Json]] = []
        self.replies: Final[dict[str, Json]] = {}
        self.troubles: Final[list[Json]] = []
        self.presence: Json = {}
        self.entries: Final[list[Json]] = []
        """The log, as far as this connection was told it."""
        self.number: int = 0
        self.seat: int = -1
        self.view: Json | None = None
        self.decision: Json | None = None
        self.clock: Json | None = None
        self.table: Json = {}
        self.close_code: int | None = None
        self._fault: Exception | None = None
        self._ids: int = 0
        self._news: Final = asyncio.Condition()
        self._reader: Final = asyncio.create_task(self._read())

    @property
    def over(self) -> bool:
        return self.table.get("status") == "over"

    # --- receiving ------------------------------------------------------------------------------

    async def _read(self) -> None:
        try:
            async for text in self.connection:
                assert isinstance(text, str)
                self.received.append(text)
                self._fold(json.loads(text))
                await self._notify()
        except ConnectionClosed:
            pass
        except Exception as fault:
            self._fault = fault
        self.close_code = self.connection.close_code or 1006
        await self._notify()

    async def _notify(self) -> None:
        async with self._news:
            self._news.notify_all()

    def _fold(self, message: Json) -> None:
        kind = message["type"]
        if kind == "welcome":
            self.welcome = message
            self.number, self.seat = message["number"], message["seat"]
            self.view, self.decision = message["view"], message["decision"]
            self.table, self.clock = message["table"], message["clock"]
            self._check_gaps(message)
            self.entries.extend(message["entries"])
        elif kind == "update":
            self._fold_update(message)
        elif kind == "presence":
            self.presence = message
        elif kind == "trouble":
            self.troubles.append(message)
        else:
            self.replies[message["id"]] = message

    def _check_gaps(self, welcome: Json) -> None:
        """A welcome carries every entry from its first up to the number that it names."""
        numbers = [entry["number"] for entry in welcome["entries"]]
        last = welcome["number"]
        assert numbers == list(range(last - len(numbers) + 1, last + 1)), (numbers, last)

    def _fold_update(self, message: Json) -> None:
        assert message["number"] == self.number + 1, (self.number, message)
        assert message["entry"]["number"] == message["number"], message
        self.number = message["number"]
        self.updates.append(message)
        self.entries.append(message["entry"])
        if message.get("changes"):
            self.view = {**(self.view or {}), **message["changes"]}
        if "decision" in message:
            self.decision = message["decision"]
        self.table = message.get("table", self.table)
        self.clock = message.get("clock")

    async def until(self, reached: Callable[[], bool], seconds: float = SECONDS) -> None:
        """Wait for something, which must come before the connection ends."""
        try:
            async with asyncio.timeout(seconds), self._news:
                while not reached():
                    if self._fault is not None:
                        raise self._fault
                    assert self.close_code is None, (self.close_code, self.received[-3:])
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"waited in vain; the last: {self.received[-3:]}") from None

    async def ended(self, seconds: float = SECONDS) -> int:
        """Wait until the server has closed the connection; gives the code."""
        async with asyncio.timeout(seconds):
            await asyncio.shield(self._reader)
        assert self.close_code is not None
        return self.close_code

    async def close(self) -> None:
        await self.connection.close()
        await self._reader
        if self._fault is not None:
            raise self._fault

    # --- sending --------------------------------------------------------------------------------

    def new_id(self) -> str:
        self._ids += 1
        return f"{id(self):x}-{self._ids}"

    async def send(self, kind: str, **fields: object) -> str:
        """Send a message without waiting for its answer; gives its id."""
        message = {"type": kind, "id": self.new_id(), **fields}
        await self.connection.send(json.dumps(message))
        return str(message["id"])

    async def ask(self, kind: str, **fields: object) -> Json:
        """Send a message; gives its answer."""
        if "id" in fields:
            self.replies.pop(str(fields["id"]), None)
        id = await self.send(kind, **fields)
        await self.until(lambda: id in self.replies)
        return self.replies[id]

    async def act(self, action: int, **fields: object) -> Json:
        """Answer the open decision."""
        await self.until(lambda: self.decision is not None)
        assert self.decision is not None
        return await self.ask(
            "act", **{"decision": self.decision["number"], **fields, "action": action}
        )

    async def takeback(self, move: int) -> Json:
        return await self.ask("takeback", move=move)

    async def agree(self, request: int, yes: bool = True) -> Json:
        return await self.ask("agree", request=request, yes=yes)

    async def say(self, text: str) -> Json:
        return await self.ask("say", text=text)

    # --- playing --------------------------------------------------------------------------------

    def offer(self, notation: str) -> Json:
        """The offer with this notation."""
        assert self.decision is not None
        found: Json = next(o for o in self.decision["offers"] if o["notation"] == notation)
        return found

    def choose(self, rng: random.Random) -> Json:
        """Any legal action; most often the dearest claim, so that games end."""
        assert self.decision is not None
        offers: list[Json] = self.decision["offers"]
        claims = [o for o in offers if o["do"] == "claim"]
        if claims and rng.random() < 0.7:
            dearest = max(o["points"] for o in claims)
            return rng.choice([o for o in claims if o["points"] == dearest])
        return rng.choice(offers)

    async def step(self, rng: random.Random) -> bool:
        """Wait for a decision and answer it at random; False: the game is over."""
        await self.until(lambda: self.over or self.decision is not None)
        if self.over:
            return False
        done = await self.act(self.choose(rng)["action"])
        assert done["type"] == "done", done
        return True

    async def play(self, rng: random.Random) -> None:
        """Play at random to the end."""
        while await self.step(rng):
            pass


async def one_to_move(sockets: Sequence[Socket]) -> Socket | None:
    """Wait until one of them has to decide, and give that one; None: the game is over."""
    waits = [
        asyncio.create_task(s.until(lambda s=s: s.over or s.decision is not None))  # type: ignore[misc]
        for s in sockets
    ]
    done, others = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in others:
        wait.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    for wait in done:
        wait.result()
    return next((s for s in sockets if s.decision is not None), None)


async def play_some(sockets: Sequence[Socket], rng: random.Random, moves: int) -> None:
    """Make so many moves at a table, whoever has to; all have heard of them at the end."""
    for _ in range(moves):
        socket = await one_to_move(sockets)
        if socket is None:
            break
        await socket.step(rng)
        await level(*sockets)


async def open_game(*sockets: Socket) -> tuple[Socket, ...]:
    """Take the opening's decisions; gives the sockets, first the one whose turn it is."""
    rng = random.Random("opening")
    while True:
        first = await one_to_move(sockets)
        assert first is not None
        assert first.decision is not None
        if first.decision["phase"] == "turn":
            return tuple(sorted(sockets, key=lambda s: s is not first))
        await first.step(rng)
        await level(*sockets)


async def level(*sockets: Socket) -> None:
    """Wait until all have heard of what any of them has, but for steps that are another's own."""
    newest = max(public_time(s) for s in sockets)
    for socket in sockets:
        await socket.until(lambda s=socket: public_time(s) >= newest)  # type: ignore[misc]


def public_time(socket: Socket) -> int:
    """When the last thing happened that everyone hears of."""
    public = (e["at"] for e in reversed(socket.entries) if e["kind"] != "moved" or e.get("events"))
    return next(public, 0)


class Party(contextlib.AsyncExitStack):
    """Clients and sockets that are closed when the test ends."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url: Final = url

    async def client(self, name: str = "Ann", lang: str = "en") -> Client:
        return await self.enter_async_context(Client(self.url, name, lang))

    async def socket(self, client: Client, table: str, since: int = 0, lang: str = "") -> Socket:
        return await self.enter_async_context(client.connected(table, since, lang))
