"""Bad input: a clear answer or a closed connection, and nobody else notices."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import random
import socket as sockets
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from branchline.engine.notation import write_game
from branchline.engine.record import Record, replay
from service.server import PROTOCOL, ROOMY, Client, Party, Server, Socket, play_some

pytestmark = pytest.mark.anyio

STRICT = {
    **ROOMY,
    "messages_per_second": 300,
    "messages_burst": 50,
    "sockets_per_address": 30,
    "chat_per_minute": 5,
    "spectators": 3,
    "tables_per_address": 40,
}
ANSWERS = {"trouble", "refused", "because", "pong", "done"}
PATIENT = 1.5  # seconds that an answer may take on a busy machine


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with limits that a test can reach."""
    with Server(tmp_path_factory.mktemp("strict"), limits=STRICT) as running:
        yield running
        assert running.metric("branchline_errors_total") == 0, running.log


@pytest.fixture
async def guests(strict: Server) -> AsyncIterator[Party]:
    async with Party(strict.url) as people:
        yield people


@contextlib.asynccontextmanager
async def undisturbed(party: Party) -> AsyncIterator[list[float]]:
    """Two people play on all the while; their answers must come as fast as ever."""
    people = [await party.client(name) for name in ("Nina", "Otto")]
    table = await people[0].create("usa", 2)
    await people[1].join(table)
    pair = [await party.socket(person, table) for person in people]
    rng = random.Random(1)
    times: list[float] = []
    stop = asyncio.Event()

    async def go_on() -> None:
        while not stop.is_set():
            began = time.perf_counter()
            await pair[0].ask("ping")
            times.append(time.perf_counter() - began)
            await play_some(pair, rng, 1)
            await asyncio.sleep(0.01)

    playing = asyncio.create_task(go_on())
    try:
        yield times
        await pair[0].until(lambda: len(times) > 3)
    finally:
        stop.set()
        await playing
    assert sorted(times)[len(times) * 9 // 10] < PATIENT, times


async def target(party: Party) -> tuple[str, Client, Socket]:
    """A table with one person who may be attacked."""
    ann = await party.client("Ann")
    table = await ann.create("nordic", 2, bots=[None])
    await (await party.client("Bob")).join(table)
    return table, ann, await party.socket(ann, table)


async def answered(socket: Socket, data: str | bytes) -> dict[str, Any]:
    """Send anything; gives the answer, which must come."""
    before = len(socket.received)
    await socket.connection.send(data)

    def found() -> dict[str, Any] | None:
        news = [json.loads(text) for text in socket.received[before:]]
        return next((m for m in news if m["type"] in ANSWERS), None)

    await socket.until(lambda: found() is not None)
    answer = found()
    assert answer is not None
    return answer


# --- messages ---------------------------------------------------------------------------------

NONSENSE: list[str | bytes] = [
    "",
    " ",
    "{",
    "null",
    "[]",
    "0",
    '"act"',
    "NaN",
    "{}",
    "\x00",
    "[" * 8000,
    '{"a":' * 2000,
    '{"type":"act"}',
    '{"type":"welcome","id":"1"}',
    '{"type":"Act","id":"1","decision":1,"action":1}',
    '{"type":["act"],"id":"1","decision":1,"action":1}',
    '{"id":"1","decision":1,"action":1}',
    '{"type":"act","id":"1","decision":1}',
    '{"type":"act","id":1,"decision":1,"action":1}',
    '{"type":"act","id":"","decision":1,"action":1}',
    '{"type":"act","id":"' + "x" * 65 + '","decision":1,"action":1}',
    '{"type":"act","id":"1","decision":"1","action":1}',
    '{"type":"act","id":"1","decision":1.5,"action":1}',
    '{"type":"act","id":"1","decision":-1,"action":1}',
    '{"type":"act","id":"1","decision":1,"action":2147483648}',
    '{"type":"act","id":"1","decision":1,"action":1e400}',
    '{"type":"act","id":"1","decision":1,"action":' + "9" * 5000 + "}",
    '{"type":"act","id":"1","decision":true,"action":null}',
    '{"type":"act","id":"1","decision":1,"action":1,"seat":1}',
    '{"type":"act","id":"\\ud800","decision":1,"action":1}',
    '{"type":"agree","id":"1","request":1,"yes":"yes"}',
    '{"type":"takeback","id":"1","move":[]}',
    '{"type":"say","id":"1","text":""}',
    '{"type":"say","id":"1","text":"' + "x" * 501 + '"}',
    '{"type":"say","id":"1","text":{"a":1}}',
    '{"type":"why","id":"1","action":"draw"}',
    '{"type":"ping"}',
    '{"type":"ping","id":"1"}x',
    b"",
    b"\x00\xff\xfe",
    b"\xed\xa0\x80",
    bytes(range(256)),
    '{"type":"ping","id":"é"}'.encode("latin-1"),
]


async def test_every_nonsense_is_answered_and_changes_nothing(party: Party) -> None:
    table, ann, socket = await target(party)
    async with undisturbed(party):
        number, view = socket.number, socket.view
        for data in NONSENSE:
            answer = await answered(socket, data)
            assert answer["type"] == "trouble", (data[:80], answer)
            assert answer["code"] == "bad_message"
            assert answer["text"]
        assert (socket.number, socket.view) == (number, view)
        fresh = await party.socket(ann, table)
        assert fresh.number == number
        assert (await fresh.ask("ping"))["type"] == "pong"


def garbled(rng: random.Random) -> str:
    """A message that is nearly right."""
    wild = [0, 1, 7, 63, 2**31 - 1, -1, 2**63, 1.0, "", "1", "é" * 40, None, True, [], {}, [[]]]
    numbers = [0, 1, 2, 3, 5, 8, 100, 2**31 - 1]
    kind = rng.choice(["act", "takeback", "agree", "why", "say", "ping", "welcome", "ACT"])
    fields = ["id", "decision", "action", "move", "request", "yes", "route", "text", "seat", "type"]
    right = {
        "act": ["decision", "action"],
        "takeback": ["move"],
        "agree": ["request", "yes"],
        "why": ["action"],
        "say": ["text"],
    }
    message: dict[str, object] = {"type": kind, "id": f"g{rng.randrange(50)}"}
    for name in right.get(kind, []):
        plain = {"yes": rng.random() < 0.5, "text": "hello"}
        message[name] = plain.get(name, rng.choice(numbers))
    for _ in range(rng.choice([0, 0, 1, 2])):
        message[rng.choice(fields)] = rng.choice(wild)
    text = json.dumps(message, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.1:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice('{}[]",:\\ \x01é0') + text[at + 1 :]
    return text


@pytest.mark.parametrize("seat", [0, -1])
async def test_nearly_right_messages_never_break_anything(party: Party, seat: int) -> None:
    table, ann, player = await target(party)
    socket = player if seat == 0 else await party.socket(await party.client("Will"), table)
    rng = random.Random(f"garbled {seat}")
    async with undisturbed(party):
        kinds = set()
        for _ in range(400):
            kinds.add((await answered(socket, garbled(rng)))["type"])
    assert kinds >= {"trouble", "refused", "because", "pong"}
    fresh = await party.socket(ann, table)
    assert fresh.view == player.view
    assert fresh.number == player.number


async def test_a_message_that_is_too_long_ends_the_connection_only(party: Party) -> None:
    table, ann, socket = await target(party)
    async with undisturbed(party):
        assert (await answered(socket, '"' + "x" * 16_000 + '"'))["type"] == "trouble"
        with contextlib.suppress(ConnectionClosed):
            await socket.connection.send("x" * 5_000_000)
        assert await socket.ended() == 1009
        assert (await party.socket(ann, table)).seat == 0


async def test_thousands_of_messages_a_second_end_the_connection(guests: Party) -> None:
    table, ann, socket = await target(guests)
    async with undisturbed(guests):
        with contextlib.suppress(ConnectionClosed):
            for _ in range(4000):
                await socket.connection.send('{"type":"ping","id":"1"}')
        assert await socket.ended() == 4000
        assert {trouble["code"] for trouble in socket.troubles} == {"too_fast"}
        again = await guests.socket(ann, table, socket.number)
        assert (await again.ask("ping"))["type"] == "pong"


async def test_what_is_said_too_fast_is_refused_also_by_a_new_connection(guests: Party) -> None:
    table, ann, socket = await target(guests)
    replies = [await socket.say(f"{k}") for k in range(6)]
    assert [r["type"] for r in replies] == ["done"] * 5 + ["refused"]
    assert replies[-1]["code"] == "too_fast"
    again = await guests.socket(ann, table)
    assert (await again.say("more"))["code"] == "too_fast"


# --- connections --------------------------------------------------------------------------------


async def refused_with(url: str, headers: dict[str, str], protocol: str = PROTOCOL) -> int:
    """The status with which the opening of a socket is refused; 101: it is not."""
    try:
        async with connect(
            url.replace("http", "ws", 1),
            subprotocols=[protocol] if protocol else None,  # type: ignore[list-item]
            additional_headers=headers,
        ):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def test_sockets_of_foreign_pages_are_refused(party: Party) -> None:
    table, ann, _ = await target(party)
    address = f"{party.url}/api/tables/{table}/socket"
    for origin, status in (
        (party.url, 101),
        ("http://evil.example", 403),
        ("null", 403),
        ("https://127.0.0.1", 403),
        (f"{party.url}.evil.example", 403),
    ):
        headers = {"Cookie": ann.cookie, "Origin": origin}
        assert await refused_with(address, headers) == status, origin


async def test_requests_of_foreign_pages_are_refused(party: Party) -> None:
    table, ann, _ = await target(party)
    foreign = {"origin": "http://evil.example"}
    for method, path, body in (
        ("POST", "/api/tables", {"board": "usa", "seats": 2, "name": "Eve"}),
        ("DELETE", f"/api/tables/{table}/seats/0", None),
        ("PUT", f"/api/tables/{table}/seats/0/bot", {"level": "easy"}),
        ("POST", f"/api/tables/{table}/seats/0/link", None),
    ):
        answer = await ann.http.request(method, path, json=body, headers=foreign)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin")
    assert (await ann.table(table))["seats"][0]["kind"] == "person"


@pytest.mark.parametrize(
    ("query", "protocol", "status"),
    [
        ("", PROTOCOL, 101),
        ("", "", 400),
        ("", "branchline.2", 400),
        ("?since=abc", PROTOCOL, 400),
        ("?since=-5", PROTOCOL, 101),
        ("?since=99999999999999999999", PROTOCOL, 101),
        ("?since=1&since=2&lang=xx&lang=%00", PROTOCOL, 101),
    ],
)
async def test_a_socket_is_opened_as_it_should_be_or_not_at_all(
    party: Party, query: str, protocol: str, status: int
) -> None:
    table, _, _ = await target(party)
    address = f"{party.url}/api/tables/{table}/socket{query}"
    assert await refused_with(address, {}, protocol) == status


async def test_a_socket_of_no_table_is_refused(party: Party) -> None:
    for id in ("23456789abc", "x", "..%2f..", "%00", "a" * 500):
        status = await refused_with(f"{party.url}/api/tables/{id}/socket", {})
        assert status in (403, 404), id


async def test_a_guessed_or_foreign_cookie_gives_no_seat(party: Party) -> None:
    table, ann, _ = await target(party)
    other, _, _ = await target(party)
    good = ann.cookie.partition("=")[2]
    guesses = [
        "",
        "x" * 43,
        good[:-1],
        good.swapcase(),
        good + "x",
        f"{'x' * 43}; other={good}",
        "%00" * 10,
        "ü" * 43,
    ]
    for guess in guesses:
        thief = await party.client("Thief")
        thief.http.cookies.clear()
        header = {"Cookie": f"branchline={guess}".encode()}
        answer = await thief.http.get(f"/api/tables/{table}", headers=header)  # type: ignore[arg-type]
        assert answer.json()["seat"] == -1, guess
    stranger = await party.socket(ann, other)
    assert stranger.seat == -1
    assert stranger.view is not None
    assert not any(stranger.view["hand"])


async def test_secrets_of_browsers_are_never_told_or_logged(party: Party, server: Server) -> None:
    table, ann, socket = await target(party)
    secret = ann.cookie.partition("=")[2]
    assert len(secret) == 43
    assert not any(secret in text for text in socket.received)
    assert secret not in (await ann.http.get(f"/api/tables/{table}")).text
    assert secret not in server.log
    answer = await (await party.client()).http.get("/api/about")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


async def test_too_many_sockets_and_spectators_are_refused(guests: Party) -> None:
    table, ann, _ = await target(guests)
    address = f"{guests.url}/api/tables/{table}/socket"
    watchers = [await guests.client(f"W{k}") for k in range(3)]
    for watcher in watchers:
        await guests.socket(watcher, table)
    assert await refused_with(address, {}) == 429
    assert await refused_with(address, {"Cookie": ann.cookie}) == 101
    opened: list[Socket] = []
    with contextlib.suppress(InvalidStatus):
        while len(opened) < 40:
            opened.append(await guests.socket(ann, table))
    assert 20 < len(opened) < 30
    assert await refused_with(address, {"Cookie": ann.cookie}) == 429
    for extra in opened:
        await extra.close()
    while await refused_with(address, {"Cookie": ann.cookie}) != 101:
        await asyncio.sleep(0.05)


async def test_half_open_connections_hold_nobody_up(party: Party) -> None:
    table, ann, _ = await target(party)
    host, port = party.url.removeprefix("http://").split(":")
    upgrade = (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: {PROTOCOL}\r\n"
    )
    starts = [
        b"",
        b"GET /",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{",
        b"\x16\x03\x01\x02\x00\x01\x00",
        upgrade.encode(),
        f"{upgrade}\r\n".encode() + b"\x81",
        f"{upgrade}\r\n".encode() + b"\x81\xfe\x7f",
        f"{upgrade}\r\n".encode() + b"\xff" * 64,
        f"{upgrade}\r\n".encode() + b"\x01\x81\0\0\0\0x",
    ]
    writers = []
    async with undisturbed(party):
        for start in starts * 4:
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(start)
            writers.append(writer)
        await asyncio.sleep(0.5)
        assert (await party.socket(ann, table)).seat == 0
    for writer in writers:
        writer.transport.abort()
    for writer in writers:
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def test_a_reader_who_does_not_read_is_let_go(party: Party, server: Server) -> None:
    table, ann, socket = await target(party)
    baseline = server.metric("branchline_sockets")
    address = f"{party.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", server.port))
    raw.setblocking(False)
    connection = await connect(
        address,
        sock=raw,
        subprotocols=[PROTOCOL],  # type: ignore[list-item]
        max_queue=1,
        ping_interval=None,
        close_timeout=0.1,
    )
    connection.transport.pause_reading()
    message = json.dumps({"type": "ping", "id": "x" * 64})

    async def flood() -> None:
        while True:
            for _ in range(20):
                await connection.send(message)
            await asyncio.sleep(0)  # so that the others in this process get to play

    async with undisturbed(party):
        flooding = asyncio.create_task(flood())
        deadline = time.monotonic() + 25
        while server.metric("branchline_sockets") > baseline + 2:
            assert time.monotonic() < deadline, "the reader is still there"
            await asyncio.sleep(0.2)
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        assert (await socket.ask("ping"))["type"] == "pong"
    connection.transport.abort()
    await connection.wait_closed()
    assert (await party.socket(ann, table)).seat == 0


# --- HTTP -----------------------------------------------------------------------------------------


def raw_get(server: Server, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """A request whose path nobody has tidied up."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.putrequest("GET", "/", skip_host=False)
        connection._buffer[0] = f"GET {path} HTTP/1.1".encode("latin-1")  # type: ignore[attr-defined]
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    "path",
    [
        "/../site.py",
        "/..%2fsite.py",
        "/%2e%2e/site.py",
        "/%2e%2e%2fsite.py",
        "/assets/../../site.py",
        "/assets/..%5c..%5csite.py",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/....//....//etc/passwd",
        "/%00",
        "/site.py%00.js",
        "/" + "a" * 300,
        "/" + "a/" * 3000,
        "/%ff%fe",
        "/t/../../site.py",
    ],
)
def test_no_file_outside_of_the_page_is_given(server: Server, path: str) -> None:
    status, body = raw_get(server, path)
    assert status in (400, 404, 414, 431, 503), path
    assert b"import" not in body
    assert b"root:" not in body


def test_headers_that_are_too_long_are_refused(server: Server) -> None:
    for headers in ({"X-Long": "x" * 3_000_000}, {f"X-{k}": "x" * 9_000 for k in range(300)}):
        try:
            status, _ = raw_get(server, "/api/about", headers)
        except (OSError, http.client.HTTPException):
            continue  # it hung up
        assert 400 <= status < 500
    assert raw_get(server, "/healthz")[0] == 200


async def test_bodies_that_are_too_long_or_no_json_are_refused(party: Party) -> None:
    ann = await party.client()
    for body, status in (
        (b"x" * (16 * 1024 + 1), 413),
        (b"[" * 16_000, 400),
        (b"{" * 100, 422),
        (b"\xff\xfe", 422),
        (b'{"board":"usa","board":"usa"}', 422),
        (b'{"board":"usa","seats":' + b"9" * 5000 + b',"name":"A"}', 400),
    ):
        headers = {"content-type": "application/json"}
        answer = await ann.http.post("/api/tables", content=body, headers=headers)
        assert answer.status_code == status, (body[:30], answer.text)
        assert answer.json()["error"]["code"]


async def test_damaged_records_are_refused_and_break_nothing(party: Party) -> None:
    ann = await party.client()
    table = await ann.create("new_york", 2, bots=["easy"])
    await (await party.socket(ann, table)).play(random.Random(1))
    good = (await ann.http.get(f"/api/tables/{table}/record")).content
    written = write_game(replay(Record.from_json(good))).encode()
    rng = random.Random("records")
    async with undisturbed(party):
        for _ in range(40):
            text = bytearray(written)
            for _ in range(rng.choice([1, 1, 5])):
                at = rng.randrange(len(text))
                text[at : at + rng.choice([0, 1, 1, 30])] = rng.randbytes(rng.choice([0, 1, 1, 9]))
            answer = await ann.http.post("/api/replays", content=bytes(text))
            assert answer.status_code in (200, 422), answer.text
        long = b"branchline 1\n" + b"0 draw\n" * 6_000
        answer = await ann.http.post("/api/replays", content=long)
        assert answer.json()["error"]["code"] == "record_too_long"
        for _ in range(40):
            record = json.loads(good)
            for _ in range(rng.choice([1, 1, 2])):
                damage(record, rng)
            data = json.dumps(record).encode()
            if rng.random() < 0.3:
                at = rng.randrange(len(data))
                data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
            answer = await ann.http.post(f"/api/replays?seat={rng.randrange(-3, 9)}", content=data)
            assert answer.status_code in (200, 413, 422), answer.text


def test_a_record_that_is_too_long_is_refused_before_it_is_sent(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.putrequest("POST", "/api/replays")
        connection.putheader("content-length", str(16 * 1024 * 1024 + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413
    finally:
        connection.close()


def damage(data: Any, rng: random.Random) -> None:
    """Change something somewhere in a record."""
    wild = [0, -1, 10**9, 2**70, "", "x" * 300, None, [], {}, [[0, "draw"]], "take red", 1.5]
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(data[key], dict | list) and data[key] and rng.random() < 0.7:
            data = data[key]
            continue
        if rng.random() < 0.2:
            del data[key]
        else:
            data[key] = rng.choice(wild)
        return


def test_too_many_requests_are_told_when_to_come_again(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    limits = {"requests_per_second": 5, "requests_burst": 10, "tables_per_address": 2}
    with Server(tmp_path_factory.mktemp("few"), limits=limits) as few:
        statuses = [raw_get(few, "/api/about")[0] for _ in range(30)]
        assert statuses.count(429) > 5
        assert raw_get(few, "/healthz")[0] == 200
        answers = [raw_get(few, "/api/about") for _ in range(20)]
        refused = next(body for status, body in answers if status == 429)
        assert json.loads(refused)["error"]["code"] == "too_many_requests"
