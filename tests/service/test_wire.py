"""How messages leave: together, in order, and no faster than they are read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.uri import parse_uri

from branchline.service.live import QUEUE, Connection
from branchline.service.wire import Wire

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


def open_wire() -> tuple[Wire, Transport]:
    """A connection whose handshake is over."""
    config = uvicorn.Config(application, log_config=None)
    config.load()
    wire, transport = Wire(config, ServerState(), {}), Transport()
    wire.transport = transport
    wire.handshake_complete = True
    wire.conn.state = OPEN
    return wire, transport


def texts(data: bytes) -> list[bytes]:
    """The messages in what a client has received."""
    client = ClientProtocol(parse_uri("ws://test/"), state=OPEN)
    client.receive_data(data)
    frames = [event for event in client.events_received() if isinstance(event, Frame)]
    assert all(frame.opcode is Opcode.TEXT for frame in frames)
    return [bytes(frame.data) for frame in frames]


async def test_what_is_queued_together_goes_out_in_one_write() -> None:
    wire, transport = open_wire()
    connection = Connection(0, "en", None, wire)
    messages = [b"one", b"2" * 200, b"3" * 70_000]
    for message in messages:
        connection.send(message)
    assert transport.written == []
    await asyncio.sleep(0)
    assert [texts(piece) for piece in transport.written] == [messages]
    connection.send(b"four")
    await asyncio.sleep(0)
    assert texts(transport.written[1]) == [b"four"]


async def test_a_slow_reader_gets_the_rest_in_order_when_it_has_caught_up() -> None:
    wire, transport = open_wire()
    connection = Connection(0, "en", None, wire)
    wire.pause_writing()
    for n in range(5):
        connection.send(b"%d" % n)
        await asyncio.sleep(0)
    assert transport.written == []
    wire.resume_writing()
    assert texts(b"".join(transport.written)) == [b"0", b"1", b"2", b"3", b"4"]
    connection.send(b"5")
    await asyncio.sleep(0)
    assert texts(transport.written[-1]) == [b"5"]
    assert not connection.gone


async def test_a_reader_that_does_not_catch_up_is_dropped() -> None:
    wire, transport = open_wire()
    connection = Connection(0, "en", None, wire)
    wire.pause_writing()
    for n in range(QUEUE + 1):
        assert not connection.gone
        connection.send(b"%d" % n)
    assert connection.gone
    assert connection.ended.is_set()
    connection.send(b"late")
    wire.resume_writing()
    assert texts(b"".join(transport.written)) == [b"%d" % n for n in range(QUEUE + 1)]


async def test_nothing_is_written_to_a_client_that_is_gone_or_going() -> None:
    for state in ("disconnected", "close_sent"):
        wire, transport = open_wire()
        setattr(wire, state, True)
        assert wire.push([b"one"])
        assert transport.written == []
    wire, transport = open_wire()
    wire.conn.send_close(1000)
    wire.conn.data_to_send()
    assert wire.push([b"one"])
    assert transport.written == []
