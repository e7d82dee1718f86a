"""Connections are counted from the accept on, and whoever is silent is not waited for."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from branchline.service.access.limits import Counters
from branchline.service.operations import open_files
from branchline.service.operations.metrics import Metrics
from branchline.service.operations.open_files import raise_file_limit
from branchline.service.socket import connections
from branchline.service.socket.connections import http_protocol
from service.server import Client, Server

pytestmark = pytest.mark.anyio

REQUEST = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the length of the body."""
    size = 0
    while True:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    body = b"x" * 20_000_000 if scope["path"] == "/much" else str(size).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Site:
    """A server in this process."""

    def __init__(self, port: int, metrics: Metrics, counters: Counters) -> None:
        self.port = port
        self.metrics = metrics
        self.counters = counters
        self._writers: list[asyncio.StreamWriter] = []

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._writers.append(writer)
        return reader, writer

    async def close(self) -> None:
        for writer in self._writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def site(each: int = 5, total: int = 8, proxies: tuple[str, ...] = ()) -> AsyncIterator[Site]:
    metrics, counters = Metrics(), Counters(each, total)
    protocol = http_protocol(counters, proxies, metrics)
    config = uvicorn.Config(app, log_config=None)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: protocol(config, state, {}), "127.0.0.1", 0)
    found = Site(server.sockets[0].getsockname()[1], metrics, counters)
    try:
        yield found
    finally:
        await found.close()
        server.close()


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What comes until the other side closes; fails if it doesn't."""
    async with asyncio.timeout(20):
        try:
            return await reader.read(-1)
        except ConnectionResetError:
            return b""


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "READ_SECONDS"):
        monkeypatch.setattr(connections, name, 0.1)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nhost: x\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc",
        REQUEST + b"GET /",
        b"GET /much HTTP/1.1\r\nhost: x\r\n\r\n",
    ],
)
async def test_a_connection_that_falls_silent_is_ended(said: bytes) -> None:
    async with site() as found:
        reader, writer = await found.open()
        async with asyncio.timeout(20):
            while not found.counters.open:
                await asyncio.sleep(0)
        writer.write(said)
        if b"much" not in said:  # there, silent is who doesn't read
            await ended(reader)
        async with asyncio.timeout(20):
            while found.counters.open:
                await asyncio.sleep(0.01)


async def test_a_byte_now_and_then_buys_no_time_for_a_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    async with site() as found:
        reader, writer = await found.open()
        task = asyncio.create_task(ended(reader))
        sent = 0
        while not task.done():
            writer.write(b"G")
            sent += 1
            assert sent < 2000
            await asyncio.sleep(0.01)


async def test_an_address_has_a_part_of_the_connections_and_leaves_with_them() -> None:
    async with site(each=3) as found:
        held = [await found.open() for _ in range(3)]
        for _, writer in held:
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\n")
        reader, writer = await found.open()
        assert b" 503 " in await ended(reader)
        assert found.metrics.value("connections_refused_total") == 1
        for _, other in held:
            other.close()
        async with asyncio.timeout(20):
            while found.counters.open:
                await asyncio.sleep(0.01)
        reader, writer = await found.open()
        writer.write(REQUEST)
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")


async def test_behind_a_trusted_proxy_only_the_sum_counts() -> None:
    async with site(each=1, total=3, proxies=("127.0.0.0/8",)) as found:
        for _ in range(3):
            await found.open()
        reader, _ = await found.open()
        assert b" 503 " in await ended(reader)


async def test_silent_connections_of_one_address_lock_nobody_out(tmp_path: Path) -> None:
    limits = {"connections_per_address": 60, "sockets_per_address": 10}
    with Server(tmp_path, limits=limits) as server, ExitStack() as silent:
        for _ in range(200):
            address = ("127.0.0.1", server.port)
            one = socket.create_connection(address, source_address=("127.0.0.2", 0))
            silent.enter_context(one)
        async with Client(server.url) as ann:
            table = await ann.create("nordic", 2)
            async with ann.connected(table) as held:
                assert held.welcome
            assert server.metric("branchline_connections_refused_total") >= 100
        assert "too many connections" in server.log
        assert "room for connections" in server.log or "limit on open files" in server.log


async def test_a_websocket_leaves_the_count_when_it_ends(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        async with Client(server.url) as ann:
            table = await ann.create("nordic", 2)
            for _ in range(3):
                async with ann.connected(table) as held:
                    assert held.welcome
        async with asyncio.timeout(20):
            while server.metric("branchline_connections") > 1:  # the one that asks
                await asyncio.sleep(0.05)


def test_the_limit_on_files_is_raised_or_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    limit = (1024, 4096)

    class Resource:
        RLIMIT_NOFILE = 7
        RLIM_INFINITY = -1

        @staticmethod
        def getrlimit(which: int) -> tuple[int, int]:
            return limit

        @staticmethod
        def setrlimit(which: int, new: tuple[int, int]) -> None:
            nonlocal limit
            limit = new

    monkeypatch.setattr(open_files, "resource", Resource)
    caplog.set_level("INFO")
    assert raise_file_limit(500) == 500
    assert limit == (1024, 4096)
    assert raise_file_limit(2000) == 2000
    assert limit == (2200, 4096)
    assert raise_file_limit(20_000) == 4096 - 200
    assert limit == (4096, 4096)
    assert [record.levelname for record in caplog.records] == ["INFO", "INFO", "WARNING"]
