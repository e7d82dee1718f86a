"""How messages come in: all of them, in order, whichever way each is read."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.protocol import OPEN
from websockets.uri import parse_uri

from branchline.service.access.limits import Limiters
from branchline.service.broadcast.live_table import Connection
from branchline.service.operations.settings import Limits
from branchline.service.socket.direct_channel import DirectChannel
from branchline.service.socket.inbox import Inbox
from branchline.service.socket.session import SocketSession
from branchline.service.storage import StoreError

pytestmark = pytest.mark.anyio


class Answering:
    """A session that notes what it is told; what begins with `slow` waits until it may go on."""

    def __init__(self) -> None:
        self.connection = Connection(0, "en", None)
        self.address, self.lang = "a", "en"
        self.noted: list[str] = []
        self.replies: list[object] = []
        self.may_go_on = asyncio.Event()
        self.at_end: Callable[[], object] = int
        self.begun: list[Callable[[bool, Exception | None], None]] = []

    async def receive(self, data: bytes | str) -> None:
        await self.respond(cast(str, self.read(data)))

    def read(self, data: bytes | str) -> str | None:
        text = data if isinstance(data, str) else data.decode()
        if text != "nothing":
            return text
        self.noted.append(text)
        return None

    def begin(self, text: str, end: Callable[[bool, Exception | None], None]) -> bool:
        """What begins with `move` is begun, and ends when the test says so."""
        if text.startswith("move"):
            self.noted.append(text)
            self.begun.append(end)
        return text.startswith("move")

    def not_stored(self, text: str, error: StoreError) -> None:
        self.noted.append(f"{text}: {error.code}")

    async def respond(self, text: str) -> None:
        self.noted.append(text)
        if text.startswith("slow"):
            await asyncio.sleep(0)
            await self.may_go_on.wait()
            self.noted.append(f"{text} done")
            asyncio.get_running_loop().call_soon(self.at_end)
        if text == "wrong":
            raise ValueError(text)

    def reply(self, reply: object) -> None:
        self.replies.append(reply)


class Line:
    """A channel: what the inbox does not take at once is queued, as a WebSocket does it."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.on_text: Any = None
        self.taken: list[bool] = []

    def come(self, text: str) -> None:
        self.taken.append(self.queue.empty() and self.on_text(text.encode()))
        if not self.taken[-1]:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})

    def end(self) -> None:
        self.queue.put_nowait({"type": "websocket.disconnect"})

    async def receive(self) -> dict[str, Any]:
        return await self.queue.get()


async def served(limits: Limits | None = None) -> tuple[Answering, Line, asyncio.Task[None]]:
    """A session whose messages are being answered, while the limiters' clock stands still."""
    session, line = Answering(), Line()
    limiters = Limiters(limits or Limits(), clock=lambda: 0.0)
    inbox = Inbox(limiters, cast(SocketSession, session))
    task = asyncio.create_task(inbox.serve(cast(Any, line)))
    await settled()
    return session, line, task


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_message_is_answered_at_once_and_those_behind_a_slow_one_in_order() -> None:
    session, line, task = await served()
    line.come("one")
    assert session.noted == ["one"]  # before anybody had to wait
    for text in ("slow two", "three", "slow four", "five"):
        line.come(text)
    await settled()
    assert line.taken == [True, True, False, False, False]
    assert session.noted == ["one", "slow two"]
    session.may_go_on.set()
    await settled()
    line.come("six")
    line.end()
    await task
    said = ["slow two", "slow two done", "three", "slow four", "slow four done", "five", "six"]
    assert session.noted == ["one", *said]
    assert line.taken[-1]


async def test_what_comes_just_when_an_answer_is_done_does_not_overtake_what_waits() -> None:
    session, line, task = await served()
    session.at_end = lambda: line.come("three")
    line.come("slow one")
    line.come("two")
    await settled()
    session.may_go_on.set()
    await settled()
    line.end()
    await task
    assert session.noted == ["slow one", "slow one done", "two", "three"]


async def test_what_comes_behind_a_move_that_is_begun_waits_for_its_end() -> None:
    session, line, task = await served()
    for text in ("nothing", "move one", "two", "three"):
        line.come(text)
    await settled()
    assert line.taken == [True, True, False, False]
    assert session.noted == ["nothing", "move one"]
    session.begun.pop()(True, None)
    await settled()
    assert session.noted == ["nothing", "move one", "two", "three"]
    line.come("four")
    assert session.noted[-1] == "four"
    line.end()
    await task


async def test_a_move_that_another_process_has_overtaken_is_answered_as_any_message() -> None:
    session, line, task = await served()
    line.come("move one")
    line.come("two")
    await settled()
    session.begun.pop()(False, None)
    await settled()
    assert session.noted == ["move one", "move one", "two"]
    line.end()
    await task


async def test_a_move_that_can_not_be_stored_is_refused_and_the_next_is_taken() -> None:
    session, line, task = await served()
    line.come("move one")
    session.begun.pop()(False, StoreError("storage_full"))
    line.come("move two")
    assert session.noted == ["move one", "move one: storage_full", "move two"]
    session.begun.pop()(True, None)
    line.end()
    await task


@pytest.mark.parametrize("done", [True, False])
async def test_a_fault_of_ours_at_the_end_of_a_move_ends_the_connection(done: bool) -> None:
    session, line, task = await served()
    line.come("move one")
    session.begun.pop()(done, ValueError("wrong"))
    assert session.connection.gone
    line.end()
    with pytest.raises(ValueError, match="wrong"):
        await task


async def test_a_fault_of_ours_ends_the_connection_and_is_told_to_the_server() -> None:
    session, line, task = await served()
    line.come("wrong")
    assert session.connection.gone
    line.come("late")
    line.end()
    with pytest.raises(ValueError, match="wrong"):
        await task
    assert "late" not in session.noted


async def test_what_comes_too_fast_is_not_answered_at_once() -> None:
    session, line, task = await served(Limits(messages_per_second=1000, messages_burst=2))
    for text in ("one", "two", "three"):
        line.come(text)
    assert line.taken == [True, True, False]
    await asyncio.wait_for(settled(), 5)
    assert len(session.replies) == 1  # a warning
    line.end()
    await task
    assert session.noted == ["one", "two", "three"]


def frames_of(rng: random.Random, count: int) -> tuple[bytes, list[bytes]]:
    """What a client sends: texts of all lengths, whole and in parts, and pings; and the texts."""
    client = ClientProtocol(parse_uri("ws://test/"), state=OPEN)
    texts: list[bytes] = []
    for k in range(count):
        text = b"%d " % k + b"x" * rng.choice([0, 1, 5, 90, 121, 122, 123, 124, 125, 300, 70_000])
        texts.append(text)
        if rng.random() < 0.2:
            half = len(text) // 2
            client.send_text(text[:half], fin=False)
            if rng.random() < 0.5:
                client.send_ping(b"")
            client.send_continuation(text[half:], fin=True)
        else:
            client.send_text(text)
            if rng.random() < 0.2:
                client.send_ping(b"abc")
    return b"".join(client.data_to_send()), texts


def shaken_hands() -> DirectChannel:
    """A connection that a client has just opened."""
    config = uvicorn.Config(forever, log_config=None)
    config.load()
    channel = DirectChannel(config, ServerState(), {})
    channel.transport = cast(
        Any, SimpleNamespace(pause_reading=int, resume_reading=int, write=len, close=int)
    )
    client = ClientProtocol(parse_uri("ws://test/"))
    client.send_request(client.connect())
    channel.data_received(b"".join(client.data_to_send()))
    channel.conn.send_response(channel.response)
    channel.queue.get_nowait()  # that it has connected
    return channel


async def forever(scope: object, receive: object, send: object) -> None:
    await asyncio.Event().wait()


async def hang_up(channel: DirectChannel) -> None:
    for task in channel.tasks:
        task.cancel()
    await asyncio.gather(*channel.tasks, return_exceptions=True)


async def test_short_messages_that_come_alone_are_offered_at_once() -> None:
    channel = shaken_hands()
    got: list[bytes] = []

    def take(text: bytes) -> bool:
        got.append(text)
        return True

    channel.on_text = take
    client = ClientProtocol(parse_uri("ws://test/"), state=OPEN)
    for text in (b"", b"one", b"x" * 125, b"y" * 200, b"two"):
        client.send_ping(b"")
        channel.data_received(b"".join(client.data_to_send()))
        client.send_text(text)
        channel.data_received(b"".join(client.data_to_send()))
    assert got == [b"", b"one", b"x" * 125]
    assert channel.queue.qsize() == 2  # what is long, and what came behind it
    await hang_up(channel)


@pytest.mark.parametrize("first", [b"\x81", b"\x01"])
async def test_a_part_of_a_message_that_looks_like_a_message_is_none(first: bytes) -> None:
    channel = shaken_hands()
    channel.on_text = cast(Any, pytest.fail)
    looks, mask = b"\x81\x82" + bytes(4) + b"hi", bytes(4)
    start, rest = b"a" * 200, b"b" * 300
    size = len(start + looks + rest).to_bytes(2, "big")
    if first == b"\x81":  # the rest of a message that the network has cut
        pieces = [first + b"\xfe" + size + mask + start, looks, rest]
        expected = start + looks + rest
    else:  # the client has cut it, and breaks off
        pieces = [first + b"\xfe" + len(start).to_bytes(2, "big") + mask + start, looks]
        expected = None
    for piece in pieces:
        channel.data_received(piece)
    found = [] if channel.queue.empty() else [channel.queue.get_nowait()]
    if expected is None:
        assert channel.conn.parser_exc is not None
    else:
        assert found == [{"type": "websocket.receive", "bytes": expected}]
    await hang_up(channel)


@pytest.mark.parametrize("seed", range(10))
async def test_messages_arrive_however_the_network_cuts_them(seed: int) -> None:
    rng = random.Random(seed)
    channel = shaken_hands()
    got: list[bytes] = []

    def take(text: bytes) -> bool:
        if rng.random() < 0.1:
            return False
        got.append(text)
        return True

    channel.on_text = take
    expected: list[bytes] = []
    for _ in range(30):
        data, texts = frames_of(rng, rng.choice([1, 1, 1, 1, 1, 2, 3]))
        expected += texts
        cuts = sorted(rng.sample(range(len(data)), min(len(data) - 1, rng.choice([0, 0, 0, 0, 1]))))
        for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            channel.data_received(data[start:end])
            while not channel.queue.empty():
                message: Any = channel.queue.get_nowait()
                text = message.get("text")
                got.append(text.encode() if text is not None else message["bytes"])
    assert got == expected
    await hang_up(channel)
