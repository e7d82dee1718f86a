"""The middleware between the network and the application, as plain ASGI classes.

`middleware_stack` lists them in the right order. All of their answers are JSON,
`{"error": {"code", "text"}}`, in the reader's language; the texts are `errors.<code>`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import ip_network
from typing import Final

from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from branchline.service.access.keys import key_of, new_secret, set_cookie
from branchline.service.access.limits import Buckets, Limiters
from branchline.service.http.refusals import Header, refuse
from branchline.service.http.scope import bare_address, client_of, header, is_https, trusted
from branchline.service.operations.metrics import Metrics, RequestMetrics
from branchline.service.operations.settings import Settings

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
REPLAYS: Final = "/api/replays"
HEALTH: Final = frozenset({"/healthz", "/readyz", "/metrics"})
HOST: Final = re.compile(r"[a-z0-9._-]+(:[0-9]{1,5})?|\[[0-9a-f:.]+\](:[0-9]{1,5})?")
DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
CLOSE: Final = (b"connection", b"close")
NOT_KEPT: Final = b"no-store"
PRIVATE: Final = b"private"
MOST_DISCARDED: Final = 4 * 1024 * 1024
DISCARD_SECONDS: Final = 2.0

log: Final = logging.getLogger(__name__)


def middleware_stack(settings: Settings, limiters: Limiters, metrics: Metrics) -> list[Middleware]:
    """All middleware, the outermost first: `FastAPI(middleware=middleware_stack(…))`."""
    limits = settings.limits
    return [
        Middleware(ProxyHeaders, settings.proxy),
        Middleware(RequestMetrics, metrics),
        Middleware(SecurityHeaders),
        Middleware(RateLimit, limiters.requests),
        Middleware(OriginCheck, settings.origins),
        Middleware(BodyLimit, limits.body_bytes, {REPLAYS: limits.record_bytes}),
        Middleware(ErrorHandler, metrics),
    ]


class ProxyHeaders:
    """Restores `client` and `scheme` of a request to what they were before trusted proxies.

    Nobody else's `X-Forwarded-…` headers are believed.
    """

    def __init__(self, app: ASGIApp, proxies: Iterable[str]) -> None:
        self._app: Final = app
        self._proxies: Final = tuple(ip_network(text) for text in proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._proxies and scope["type"] != "lifespan" and scope.get("client"):
            scope = self._seen_through(scope)
        await self._app(scope, receive, send)

    def _seen_through(self, scope: Scope) -> Scope:
        peer, port = scope["client"]
        if not trusted(peer, self._proxies):
            return scope
        changed = dict(scope)
        named = [
            part.strip()
            for key, value in scope["headers"]
            if key == b"x-forwarded-for"
            for part in value.decode("latin-1").split(",")
        ]
        # The nearest proxy writes last; what stands before the first stranger may be invented.
        for text in reversed(named):
            address = bare_address(text)
            if address is None:
                break
            peer, port = address, 0
            if not trusted(address, self._proxies):
                break
        changed["client"] = (peer, port)
        proto = (header(scope, b"x-forwarded-proto") or "").strip().lower()
        if proto in ("http", "https"):
            socket = {"http": "ws", "https": "wss"}
            changed["scheme"] = socket[proto] if scope["type"] == "websocket" else proto
        return changed


class SecurityHeaders:
    """Adds the headers that tell a browser what our pages may do.

    An answer that does not say how long it may be kept is not kept at all, by no cache on the way.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        added = security_headers((header(scope, b"host") or "").lower())

        async def send_more(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = [*message.get("headers", ()), *added]
                if cache_control(headers) is None:
                    headers.append((b"cache-control", NOT_KEPT))
                message["headers"] = headers
            await send(message)

        await self._app(scope, receive, send_more)


def cache_control(headers: Iterable[Header]) -> bytes | None:
    """What an answer says of how long it may be kept."""
    return next((value for name, value in headers if name.lower() == b"cache-control"), None)


@lru_cache(maxsize=256)
def security_headers(host: str) -> tuple[Header, ...]:
    """The headers for a page of this host."""
    # Older browsers don't count a socket to the same host as 'self', so it is named.
    sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""
    policy = (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        f"connect-src 'self'{sockets}; object-src 'none'; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'self'"
    )
    return (
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
    )


class OriginCheck:
    """Allows only our own pages, and configured origins, to change anything or open a socket.

    Browsers always name the origin then; programs, which name none, are let through.
    """

    def __init__(self, app: ASGIApp, origins: Iterable[str] = ()) -> None:
        self._app: Final = app
        self._origins: Final = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        checked = scope["type"] == "websocket" or (
            scope["type"] == "http" and scope["method"] not in SAFE
        )
        if checked and not self._allowed(scope):
            await refuse(scope, send, 403, "foreign_origin")
            return
        await self._app(scope, receive, send)

    def _allowed(self, scope: Scope) -> bool:
        given = [value for key, value in scope["headers"] if key == b"origin"]
        if not given:
            return True
        if len(given) > 1:
            return False
        origin = given[0].decode("latin-1").lower()
        return origin in self._origins or same_host(origin, header(scope, b"host") or "")


def same_host(origin: str, host: str) -> bool:
    """Whether an origin names this host and port.

    The scheme is not compared: behind a proxy we don't see the one that the browser used.

    >>> same_host("https://play.example.org", "play.example.org:443")
    True
    >>> same_host("null", "null"), same_host("http://localhost:5173", "localhost:8000")
    (False, False)
    """
    scheme, separator, place = origin.partition("://")
    if not separator or scheme not in DEFAULT_PORTS or not HOST.fullmatch(place):
        return False
    port = DEFAULT_PORTS[scheme]
    return place.removesuffix(port) == host.lower().removesuffix(port)


class TooLarge(Exception):
    """A body has turned out longer than it may be. The answer has been sent."""


class BodyLimit:
    """Refuses bodies that are too long, by their declared and by their actual length."""

    def __init__(self, app: ASGIApp, most: int, others: Mapping[str, int] | None = None) -> None:
        self._app: Final = app
        self._most: Final = most
        self._others: Final = dict(others or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._others.get(scope["path"], self._most)
        declared = header(scope, b"content-length")
        if declared is not None and not (declared.isdecimal() and int(declared[:15]) <= most):
            await discard(receive)
            await refuse(scope, send, 413, "body_too_large", [CLOSE])
            return
        count = 0
        begun = refused = False

        async def receive_some() -> Message:
            nonlocal count, refused
            message = await receive()
            if message["type"] == "http.request":
                count += len(message.get("body", b""))
                if count > most:
                    refused = True
                    if not begun:
                        if message.get("more_body"):
                            await discard(receive)
                        await refuse(scope, send, 413, "body_too_large", [CLOSE])
                    raise TooLarge
            return message

        async def send_on(message: Message) -> None:
            nonlocal begun
            begun = True
            # A framework may turn the exception into an answer of its own, which comes too late.
            if not refused:
                await send(message)

        with contextlib.suppress(TooLarge):
            await self._app(scope, receive_some, send_on)


async def discard(receive: Receive) -> None:
    """Read on for a moment and forget it.

    Who still sends when the connection is closed gets an error of the network and not our answer.
    """
    left = MOST_DISCARDED
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DISCARD_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body"):
                    return


class RateLimit:
    """Answers 429 to addresses that send too many requests. Health checks are not counted."""

    def __init__(self, app: ASGIApp, buckets: Buckets) -> None:
        self._app: Final = app
        self._buckets: Final = buckets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and scope["path"] not in HEALTH:
            wait = self._buckets.take(client_of(scope))
            if wait > 0:
                seconds = str(math.ceil(wait)).encode()
                await refuse(scope, send, 429, "too_many_requests", [(b"retry-after", seconds)])
                return
        await self._app(scope, receive, send)


class ErrorHandler:
    """Logs unexpected exceptions, and answers without any detail of them."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app: Final = app
        self._metrics: Final = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_on(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        except TooLarge:
            raise
        except ClientDisconnect:
            pass  # whoever sent half a body is not there to read an answer
        except Exception:
            fields = {"method": scope.get("method", ""), "path": scope["path"]}
            log.exception("request failed", extra=fields)
            self._metrics.error("request" if scope["type"] == "http" else "socket")
            if not begun:
                await refuse(scope, send, 500, "internal_error")
            elif scope["type"] == "http":
                raise  # half an answer: the server has to cut the connection
            else:
                await send({"type": "websocket.close", "code": 1011})


class VisitorCookie:
    """Sets a secret cookie for every browser; passes secret and address to the routes.

    The cookie comes with answers that are for one visitor alone. With a file that a cache on the
    way may keep, the same secret would go to many.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        secret = key_of(scope)
        fresh = secret is None and scope["type"] == "http" and scope["path"] not in HEALTH
        state = scope.setdefault("state", {})
        state["secret"] = secret if secret is not None else new_secret()
        state["address"] = client_of(scope)

        async def send_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ())]
                kept = cache_control(headers)
                if kept is None or PRIVATE in kept:
                    headers.append(set_cookie(state["secret"], is_https(scope)))
                    message["headers"] = headers
            await send(message)

        await self._app(scope, receive, send_cookie if fresh else send)
