"""How messages leave: together, in order, and no faster than they are read."""

from __future__ import annotations

import asyncio
import importlib
import os
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.types import Message
from starlette.websockets import WebSocket
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.uri import parse_uri

from branchline.service.broadcast.live_table import QUEUE, Connection, Outbox
from branchline.service.socket import direct_channel
from branchline.service.socket.channels import AsgiChannel, channel_of, websocket_protocol
from branchline.service.socket.direct_channel import DirectChannel
from service.server import Party, Server

pytestmark = pytest.mark.anyio


class Transport(asyncio.Transport):
    """What was written, in pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return False


async def application(scope: object, receive: object, send: object) -> None:
    """Never asked."""


def open_channel() -> tuple[DirectChannel, Transport]:
    """A connection whose handshake is over."""
    config = uvicorn.Config(application, log_config=None)
    config.load()
    channel, transport = DirectChannel(config, ServerState(), {}), Transport()
    channel.transport = transport
    channel.handshake_complete = True
    channel.conn.state = OPEN
    return channel, transport


def texts(data: bytes) -> list[bytes]:
    """The messages in what a client has received."""
    client = ClientProtocol(parse_uri("ws://test/"), state=OPEN)
    client.receive_data(data)
    frames = [event for event in client.events_received() if isinstance(event, Frame)]
    assert all(frame.opcode is Opcode.TEXT for frame in frames)
    return [bytes(frame.data) for frame in frames]


async def test_what_is_queued_together_goes_out_in_one_write() -> None:
    channel, transport = open_channel()
    connection = Connection(0, "en", None, channel)
    messages = [b"one", b"2" * 200, b"3" * 70_000]
    for message in messages:
        connection.send(message)
    assert transport.written == []
    await asyncio.sleep(0)
    assert [texts(piece) for piece in transport.written] == [messages]
    connection.send(b"four")
    await asyncio.sleep(0)
    assert texts(transport.written[1]) == [b"four"]


async def test_connections_with_one_outbox_are_sent_to_in_one_go_of_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outbox = Outbox()
    calls: list[Callable[[], object]] = []

    def call_soon(work: Callable[..., object], *args: object) -> None:
        calls.append(partial(work, *args))

    ends = [open_channel() for _ in range(3)]
    connections = [Connection(0, "en", None, channel, outbox=outbox) for channel, _ in ends]
    for channel, _ in ends:
        monkeypatch.setattr(channel, "loop", SimpleNamespace(call_soon=call_soon))
    for connection in connections:
        connection.send(b"one")
    connections[1].send(b"two")
    assert len(calls) == 1
    calls.pop()()
    sent = [[texts(piece) for piece in transport.written] for _, transport in ends]
    assert sent == [[[b"one"]], [[b"one", b"two"]], [[b"one"]]]
    connections[2].send(b"three")
    assert len(calls) == 1
    calls.pop()()
    assert texts(ends[2][1].written[-1]) == [b"three"]


async def test_a_connection_that_fails_keeps_nothing_from_the_others() -> None:
    outbox = Outbox()
    ends = [open_channel() for _ in range(3)]
    connections = [Connection(0, "en", None, channel, outbox=outbox) for channel, _ in ends]

    def fail(data: Any) -> None:
        raise OSError

    ends[0][1].write = fail  # type: ignore[method-assign]
    for connection in connections:
        connection.send(b"one")
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(faults) == 1
    assert [transport.written != [] for _, transport in ends] == [False, True, True]


async def test_a_slow_reader_gets_the_rest_in_order_when_it_has_caught_up() -> None:
    channel, transport = open_channel()
    connection = Connection(0, "en", None, channel)
    channel.pause_writing()
    for n in range(5):
        connection.send(b"%d" % n)
        await asyncio.sleep(0)
    assert transport.written == []
    channel.resume_writing()
    assert texts(b"".join(transport.written)) == [b"0", b"1", b"2", b"3", b"4"]
    connection.send(b"5")
    await asyncio.sleep(0)
    assert texts(transport.written[-1]) == [b"5"]
    assert not connection.gone


async def test_a_reader_that_does_not_catch_up_is_dropped() -> None:
    channel, transport = open_channel()
    connection = Connection(0, "en", None, channel)
    channel.pause_writing()
    for n in range(QUEUE + 1):
        assert not connection.gone
        connection.send(b"%d" % n)
    assert connection.gone
    assert connection.ended.is_set()
    connection.send(b"late")
    channel.resume_writing()
    assert texts(b"".join(transport.written)) == [b"%d" % n for n in range(QUEUE + 1)]


async def test_nothing_is_written_to_a_client_that_is_gone_or_going() -> None:
    for state in ("disconnected", "close_sent"):
        channel, transport = open_channel()
        setattr(channel, state, True)
        assert channel.push([b"one"])
        assert transport.written == []
    channel, transport = open_channel()
    channel.conn.send_close(1000)
    channel.conn.data_to_send()
    assert channel.push([b"one"])
    assert transport.written == []


# Where uvicorn's own class is missing or another one


class Client:
    """The far end of a WebSocket of any server; it reads when it is told to."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self.gone = False

    async def receive(self) -> Message:
        return {"type": "websocket.connect"}

    async def send(self, message: Message) -> None:
        await self.reads.wait()
        if self.gone:
            raise OSError
        if message["type"] == "websocket.send":
            self.texts.append(message["text"])

    async def opened(self) -> AsgiChannel:
        scope = {"type": "websocket", "path": "/", "headers": [], "state": {}}
        websocket = WebSocket(scope, self.receive, self.send)
        await websocket.accept()
        channel = channel_of(websocket)
        assert isinstance(channel, AsgiChannel)
        return channel


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_any_servers_websocket_sends_in_order_and_waits_for_a_slow_reader() -> None:
    client = Client()
    channel = await client.opened()
    connection = Connection(0, "en", None, channel)
    connection.send(b"0")
    await settled()
    assert client.texts == ["0"]
    client.reads.clear()
    for n in range(1, 6):
        connection.send(b"%d" % n)
        await settled()
    assert client.texts == ["0"]
    assert not channel.writable.is_set()
    client.reads.set()
    await settled()
    assert client.texts == ["0", "1", "2", "3", "4", "5"]
    assert channel.writable.is_set()
    assert not connection.gone


async def test_any_servers_websocket_drops_a_reader_that_does_not_catch_up() -> None:
    client = Client()
    connection = Connection(0, "en", None, await client.opened())
    client.reads.clear()
    connection.send(b"first")
    await settled()
    for n in range(QUEUE + 1):
        assert not connection.gone
        connection.send(b"%d" % n)
    assert connection.gone


async def test_any_servers_websocket_sends_nothing_to_a_client_that_is_gone() -> None:
    client = Client()
    channel = await client.opened()
    client.gone = True
    assert channel.push([b"one", b"two"])
    await settled()
    assert channel.writable.is_set()
    assert client.texts == []


@pytest.mark.parametrize("name", direct_channel.NEEDS)
async def test_a_websocket_that_lacks_something_is_left_to_uvicorn(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel, _ = open_channel()
    scope: dict[str, Any] = {"state": {}}
    monkeypatch.setattr(channel, "scope", scope, raising=False)
    monkeypatch.delattr(channel, name)

    async def run(self: object) -> None:
        """Stands for uvicorn's."""

    monkeypatch.setattr(DirectChannel.__mro__[1], "run_asgi", run)
    await channel.run_asgi()
    assert scope == {"state": {}}


@pytest.mark.parametrize("name", direct_channel.CLASS_NEEDS)
def test_a_class_that_lacks_something_is_not_extended(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert websocket_protocol() is DirectChannel
    monkeypatch.delattr(DirectChannel.__mro__[1], name)
    monkeypatch.delitem(sys.modules, direct_channel.__name__)
    monkeypatch.delattr("branchline.service.socket.direct_channel")
    assert websocket_protocol() == "auto"


def test_a_class_that_is_missing_is_not_extended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, direct_channel.__name__, None)
    monkeypatch.delattr("branchline.service.socket.direct_channel")
    with pytest.raises(ImportError):
        importlib.import_module(direct_channel.__name__)
    assert websocket_protocol() == "auto"


async def test_a_server_without_our_class_plays_the_same_games(tmp_path: Path) -> None:
    # Every Python that starts with this folder in its path finds no such module.
    lines = f"import sys\nsys.modules[{direct_channel.__name__!r}] = None\n"
    (tmp_path / "sitecustomize.py").write_text(lines, encoding="utf-8")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    environ = {"PYTHONPATH": os.pathsep.join(paths)}
    with Server(tmp_path / "data", environ=environ) as server:
        assert "uvicorn's own class" in server.log
        async with Party(server.url) as party:
            ann, bob = await party.client("Ann"), await party.client("Bob")
            table = await ann.create("nordic", 2)
            await bob.join(table)
            sockets = [await party.socket(person, table) for person in (ann, bob)]
            rng = random.Random(1)
            await asyncio.gather(*(socket.play(rng) for socket in sockets))
            assert all(socket.table["status"] == "over" for socket in sockets)
        assert server.metric("branchline_errors_total") == 0, server.log
