"""The middleware_stack: who may ask, how much, how often, and what a browser is told."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI, Request, WebSocket
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from branchline.core.catalogue import say
from branchline.service.access.limits import Buckets, Limiters
from branchline.service.app import may_read_metrics
from branchline.service.http import middleware
from branchline.service.http import scope as scopes
from branchline.service.http.middleware import (
    BodyLimit,
    ErrorHandler,
    OriginCheck,
    ProxyHeaders,
    RateLimit,
    SecurityHeaders,
)
from branchline.service.http.refusals import refuse
from branchline.service.operations.metrics import Metrics
from branchline.service.operations.settings import Limits, Settings
from branchline.service.socket.serving import serve_socket
from branchline.service.storage import StoreError


class Answer:
    """What an application sent, and the scope that reached the innermost one."""

    def __init__(self, sent: list[Message]) -> None:
        self.sent = sent
        self.headers = {k.decode(): v.decode() for k, v in sent[0].get("headers", [])}
        self.status = sent[0].get("status", 0)
        self.body = b"".join(message.get("body", b"") for message in sent[1:])

    @property
    def error(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.body)["error"]
        return found


def scope_of(kind: str = "http", **more: Any) -> dict[str, Any]:
    headers = [(k.encode(), v.encode()) for k, v in more.pop("headers", [])]
    own = {"scheme": "ws"} if kind == "websocket" else {"scheme": "http", "method": "GET"}
    shared = {"type": kind, "path": "/", "query_string": b"", "client": ("192.0.2.1", 5000)}
    return {**shared, **own, "headers": headers, **more}


def ask(app: ASGIApp, chunks: Iterable[bytes] = (b"",), **more: Any) -> Answer:
    """One request, or with `kind="websocket"` the opening of a socket."""
    parts = list(chunks)
    sent: list[Message] = []

    async def receive() -> Message:
        if not parts:
            return {"type": "http.disconnect"}
        body = parts.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(parts)}

    async def send(message: Message) -> None:
        sent.append(message)

    async def call() -> None:
        await app(scope_of(**more), receive, send)

    asyncio.run(call())
    return Answer(sent)


async def welcome(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that reads the whole body and tells whom it sees."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    length = 0
    more = True
    while more:
        message = await receive()
        assert message["type"] == "http.request"
        length += len(message["body"])
        more = message["more_body"]
    seen = {"client": scope["client"][0], "scheme": scope["scheme"], "length": length}
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(seen).encode()})


# The address


def seen(proxies: tuple[str, ...], peer: str, *headers: tuple[str, str]) -> dict[str, str]:
    answer = ask(ProxyHeaders(welcome, proxies), client=(peer, 1), headers=headers)
    found: dict[str, str] = json.loads(answer.body)
    return found


def test_a_stranger_cannot_choose_its_address() -> None:
    forged = [("x-forwarded-for", "198.51.100.9"), ("x-forwarded-proto", "https")]
    for proxies in ((), ("10.0.0.0/8",)):
        found = seen(proxies, "192.0.2.1", *forged)
        assert (found["client"], found["scheme"]) == ("192.0.2.1", "http")


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        (["198.51.100.9"], "198.51.100.9"),
        (["203.0.113.1, 198.51.100.9"], "198.51.100.9"),
        (["203.0.113.1, 198.51.100.9, 10.0.0.7"], "198.51.100.9"),
        (["203.0.113.1", "198.51.100.9"], "198.51.100.9"),
        (["10.0.0.8"], "10.0.0.8"),
        (["nonsense"], "10.0.0.1"),
        (["198.51.100.9, nonsense"], "10.0.0.1"),
        (["198.51.100.9:4711"], "198.51.100.9"),
        (["[2001:db8::1]:4711"], "2001:db8::1"),
        (["2001:db8::1"], "2001:db8::1"),
        ([], "10.0.0.1"),
    ],
)
def test_a_trusted_proxy_tells_the_address(forwarded: list[str], client: str) -> None:
    headers = [("x-forwarded-for", line) for line in forwarded]
    assert seen(("10.0.0.0/8",), "10.0.0.1", *headers)["client"] == client
    assert seen(("10.0.0.0/8",), "::ffff:10.0.0.1", *headers)["client"].endswith(client)


def test_a_trusted_proxy_tells_the_scheme() -> None:
    proxies = ("10.0.0.1/32",)
    assert seen(proxies, "10.0.0.1", ("x-forwarded-proto", "https"))["scheme"] == "https"
    assert seen(proxies, "10.0.0.1", ("x-forwarded-proto", "gopher"))["scheme"] == "http"
    assert seen(proxies, "10.0.0.1")["scheme"] == "http"


def test_the_scheme_of_a_socket_stays_a_sockets() -> None:
    schemes = []

    async def look(scope: Scope, receive: Receive, send: Send) -> None:
        schemes.append((scope["scheme"], scopes.is_https(scope)))
        await send({"type": "websocket.close"})

    secure = [("x-forwarded-proto", "https")]
    ask(ProxyHeaders(look, ("192.0.2.1/32",)), kind="websocket", headers=secure)
    assert schemes == [("wss", True)]


# The origin


def origin_allowed(origin: str | None, host: str) -> bool:
    headers = [("host", host)] + ([("origin", origin)] if origin is not None else [])
    app = OriginCheck(welcome, ("https://other.example",))
    http: bool = ask(app, method="POST", headers=headers).status == 200
    opened = ask(app, kind="websocket", headers=headers).sent[0]["type"] == "websocket.accept"
    assert http == opened, "sockets are guarded as requests are"
    return http


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8000", "localhost:8000"),
        ("https://play.example.org", "play.example.org"),
        ("https://play.example.org", "Play.Example.org:443"),
        ("http://192.0.2.7:8000", "192.0.2.7:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("https://other.example", "play.example.org"),
        (None, "play.example.org"),
    ],
)
def test_our_own_page_may_change_things(origin: str | None, host: str) -> None:
    assert origin_allowed(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://evil.example", "play.example.org"),
        ("null", "play.example.org"),
        ("", "play.example.org"),
        ("null", "null"),
        ("http://localhost:5173", "localhost:8000"),
        ("http://localhost", "localhost:8000"),
        ("http://play.example.org:443", "play.example.org"),
        ("https://play.example.org.evil.example", "play.example.org"),
        ("https://play.example.org@evil.example", "play.example.org"),
        ("https://evil.example/play.example.org", "play.example.org"),
        ("http://other.example", "play.example.org"),
        ("https://other.example:444", "play.example.org"),
        ("file://", ""),
        ("http://", ""),
    ],
)
def test_another_page_may_not(origin: str, host: str) -> None:
    assert not origin_allowed(origin, host)


def test_two_origins_are_one_too_many() -> None:
    headers = [("host", "a"), ("origin", "http://a"), ("origin", "http://evil")]
    assert ask(OriginCheck(welcome), method="POST", headers=headers).status == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "post", "INVENTED"])
def test_only_harmless_methods_are_open_to_other_pages(method: str) -> None:
    headers = [("host", "a"), ("origin", "http://evil")]
    assert (
        ask(OriginCheck(welcome), method=method, headers=headers).error["code"] == "foreign_origin"
    )
    assert ask(OriginCheck(welcome), method="GET", headers=headers).status == 200


def test_a_refused_socket_is_answered_as_the_server_can() -> None:
    headers = [("host", "a"), ("origin", "http://evil")]
    plain = ask(OriginCheck(welcome), kind="websocket", headers=headers)
    assert plain.sent == [{"type": "websocket.close", "code": 1008, "reason": "foreign_origin"}]
    able: dict[str, Any] = {"extensions": {"websocket.http.response": {}}}
    rich = ask(OriginCheck(welcome), kind="websocket", headers=headers, **able)
    assert rich.sent[0]["type"] == "websocket.http.response.start"
    assert rich.status == 403
    assert rich.error["code"] == "foreign_origin"


# BodyLimit


def test_a_body_may_be_as_long_as_the_limit() -> None:
    app = BodyLimit(welcome, 10)
    declared = [("content-length", "10")]
    answer = ask(app, [b"12345", b"67890"], method="POST", headers=declared)
    assert json.loads(answer.body)["length"] == 10


@pytest.mark.parametrize("declared", ["11", "99999999999999999999999999", "-1", "x", "1e1", ""])
def test_a_body_that_declares_too_much_is_not_read(declared: str) -> None:
    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("the application was asked")

    headers = [("content-length", declared)]
    answer = ask(BodyLimit(never, 10), [b"123"], method="POST", headers=headers)
    assert (answer.status, answer.error["code"]) == (413, "body_too_large")


def test_a_body_in_pieces_is_counted_as_it_comes() -> None:
    answer = ask(BodyLimit(welcome, 10), [b"12345"] * 1000, method="POST")
    assert (answer.status, answer.error["code"]) == (413, "body_too_large")
    assert len(answer.sent) == 2


def test_a_sender_of_too_much_is_heard_out_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "MOST_DISCARDED", 1000)
    for declared in ([("content-length", "999")], []):
        taken = 0

        def chunks() -> Iterator[bytes]:
            nonlocal taken
            for _ in range(100):
                taken += 100
                yield b"x" * 100

        parts = chunks()
        sent: list[Message] = []

        async def receive(parts: Iterator[bytes] = parts) -> Message:
            return {"type": "http.request", "body": next(parts), "more_body": True}

        async def send(message: Message, sent: list[Message] = sent) -> None:
            sent.append(message)

        asyncio.run(BodyLimit(welcome, 10)(scope_of(headers=declared), receive, send))
        assert sent[0]["status"] == 413
        assert 1000 <= taken <= 1100


def test_a_sender_that_stops_in_the_middle_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(middleware, "DISCARD_SECONDS", 0.05)
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(60)
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [("content-length", "999")]
    asyncio.run(BodyLimit(welcome, 10)(scope_of(headers=headers), receive, send))
    assert sent[0]["status"] == 413


def test_a_body_that_declares_too_little_is_counted_too() -> None:
    headers = [("content-length", "3")]
    assert ask(BodyLimit(welcome, 10), [b"x" * 11], method="POST", headers=headers).status == 413


def test_an_application_that_hides_the_trouble_does_not_answer_twice() -> None:
    async def stubborn(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await receive()
        except Exception:
            await send({"type": "http.response.start", "status": 400, "headers": []})
            await send({"type": "http.response.body", "body": b"?"})

    answer = ask(BodyLimit(stubborn, 10), [b"x" * 11], method="POST")
    assert (answer.status, len(answer.sent)) == (413, 2)


def test_a_path_may_have_a_limit_of_its_own() -> None:
    app = BodyLimit(welcome, 10, {"/api/replays": 20})
    assert ask(app, [b"x" * 15], method="POST", path="/api/replays").status == 200
    assert ask(app, [b"x" * 15], method="POST", path="/api/replays/").status == 413
    assert ask(app, [b"x" * 21], method="POST", path="/api/replays").status == 413


# RateLimit


def test_too_many_requests_have_to_wait() -> None:
    now = [0.0]
    app = RateLimit(welcome, Buckets(0.5, 2, clock=lambda: now[0]))
    assert [ask(app).status for _ in range(3)] == [200, 200, 429]
    answer = ask(app)
    assert answer.headers["retry-after"] == "2"
    assert answer.error["code"] == "too_many_requests"
    assert ask(app, client=("192.0.2.2", 1)).status == 200
    assert ask(app, kind="websocket").sent[0]["type"] == "websocket.close"
    now[0] += 2
    assert ask(app).status == 200


def test_health_checks_are_always_answered() -> None:
    app = RateLimit(welcome, Buckets(0.001, 1))
    assert {ask(app, path="/healthz").status for _ in range(5)} == {200}


# Headers


def test_a_browser_is_told_what_our_pages_may_do() -> None:
    headers = ask(SecurityHeaders(welcome), headers=[("host", "Play.example.org:8000")]).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    connect = "connect-src 'self' ws://play.example.org:8000 wss://play.example.org:8000;"
    assert connect in policy
    assert "script-src" not in policy, "scripts fall under default-src: no inline ones"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "permissions-policy" in headers


@pytest.mark.parametrize("host", ["a; script-src *", "a b", "*", "", "a\r\nx: y", "evil:1:2"])
def test_a_strange_host_does_not_get_into_the_policy(host: str) -> None:
    policy = ask(SecurityHeaders(welcome), headers=[("host", host)]).headers
    assert "connect-src 'self';" in policy["content-security-policy"]


# ErrorHandler and languages


def test_an_unexpected_error_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("a detail")

    metrics = Metrics()
    answer = ask(ErrorHandler(broken, metrics), path="/api/about")
    assert (answer.status, answer.error["code"]) == (500, "internal_error")
    assert b"a detail" not in answer.body
    assert metrics.value("errors_total", where="request") == 1
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.__dict__["path"] == "/api/about"


@pytest.mark.parametrize(
    ("accepted", "query", "lang"),
    [
        ("fr", "", "fr"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "", "fr"),
        ("en;q=0.3, fr;q=0.7", "", "fr"),
        ("fr;q=0, en;q=0.1", "", "en"),
        ("fr;q=0", "", "en"),
        ("de, ja;q=0.9", "", "en"),
        ("", "", "en"),
        ("fr", "lang=en", "en"),
        ("en", "seat=1&lang=fr", "fr"),
        ("fr", "lang=de", "fr"),
        ("en", "slang=fr", "en"),
        ("fr;q=high", "", "fr"),
        (";;;,,,q=1", "", "en"),
    ],
)
def test_an_error_is_told_in_the_readers_language(accepted: str, query: str, lang: str) -> None:
    scope = scope_of(headers=[("accept-language", accepted)], query_string=query.encode())
    assert scopes.language_of(scope) == lang


def test_all_together_around_an_application() -> None:
    limits = Limits(body_bytes=300, record_bytes=600, requests_burst=6, requests_per_second=0.001)
    settings = Settings(limits=limits)
    metrics = Metrics()
    app = FastAPI(
        middleware=middleware.middleware_stack(settings, Limiters(settings.limits), metrics)
    )

    @app.post("/api/tables")
    async def make(request: Request) -> dict[str, Any]:
        return {"got": await request.json()}

    @app.get("/broken")
    async def broken() -> None:
        raise RuntimeError

    own = [("host", "a"), ("origin", "http://a"), ("content-type", "application/json")]
    foreign = [("host", "a"), ("origin", "http://b")]
    post = {"method": "POST", "path": "/api/tables"}
    assert ask(app, [b"[1]"], headers=own, **post).status == 200
    assert ask(app, [b"[1]"], headers=foreign, **post).status == 403
    large = ask(app, [b"[" + b"1," * 200, b"1]"], headers=own, **post)
    assert (large.status, large.error["code"]) == (413, "body_too_large")
    failed = ask(app, path="/broken")
    assert (failed.status, failed.error["code"]) == (500, "internal_error")
    assert "content-security-policy" in failed.headers
    assert ask(app, path="/nowhere").status == 404
    assert ask(app, path="/nowhere").status == 404
    assert ask(app, path="/nowhere").status == 429
    count = metrics.value
    assert count("requests_total", route="/api/tables", method="POST", status="200") == 1
    assert count("requests_total", route="none", method="GET", status="429") == 1


@pytest.mark.parametrize(
    ("who", "client", "may"),
    [
        ("local", ("127.0.0.1", 1), True),
        ("local", ("::ffff:127.0.0.1", 1), True),
        ("local", ("192.0.2.7", 1), False),
        ("local", None, False),
        ("any", ("192.0.2.7", 1), True),
        ("off", ("127.0.0.1", 1), False),
    ],
)
def test_metrics_are_for_this_machine_unless_the_host_says_otherwise(
    who: str, client: tuple[str, int] | None, may: bool
) -> None:
    assert may_read_metrics(who, scope_of() | {"client": client}) == may


def test_a_client_that_goes_away_while_it_sends_is_not_a_fault_of_ours() -> None:
    metrics = Metrics()
    app = FastAPI(
        middleware=middleware.middleware_stack(Settings(), Limiters(Settings().limits), metrics)
    )

    @app.post("/api/replays")
    async def replay(request: Request) -> dict[str, Any]:
        return {"got": len(await request.body())}

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def call() -> None:
        await app(scope_of(method="POST", path="/api/replays"), receive, send)

    asyncio.run(call())
    assert sent == []
    assert metrics.value("errors_total", where="request") == 0


def test_a_socket_that_finds_no_database_is_told_so_without_any_detail() -> None:
    async def live_table(id: str) -> None:
        raise StoreError("storage_unreachable", {"reason": "connection to 10.1.2.3 failed"})

    service: Any = SimpleNamespace(rooms=SimpleNamespace(live_table=live_table))
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = scope_of("websocket", query_string=b"lang=fr") | {
        "subprotocols": ["branchline.1"],
        "state": {"secret": "s", "address": "a"},
        "extensions": {"websocket.http.response": {}},
    }

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    asyncio.run(serve_socket(service, WebSocket(scope, receive, send), "23456789abc"))
    start, body = sent
    assert start["status"] == 503
    error = json.loads(body["body"])["error"]
    assert error["code"] == "storage_unreachable"
    assert error["text"] == say("errors.storage_trouble", "fr")


def test_whoever_is_gone_before_a_refusal_is_not_a_fault_of_ours() -> None:
    async def send(message: Message) -> None:
        raise ConnectionResetError

    for kind in ("http", "websocket"):
        scope = scope_of(kind) | {"extensions": {"websocket.http.response": {}}}
        asyncio.run(refuse(scope, send, 404, "no_such_table"))
