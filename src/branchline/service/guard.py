"""What stands between the network and the application, as plain ASGI middlewares.

`guards` lists them in the right order. All of their answers are JSON,
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
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final
from urllib.parse import parse_qs

import msgspec
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from branchline.core.catalogue import LANGUAGES, say
from branchline.service.limits import Buckets, Gates, address_key
from branchline.service.metrics import Measured, Metrics
from branchline.service.settings import Settings

Header = tuple[bytes, bytes]

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
REPLAYS: Final = "/api/replays"
HEALTH: Final = frozenset({"/healthz", "/readyz", "/metrics"})
HOST: Final = re.compile(r"[a-z0-9._-]+(:[0-9]{1,5})?|\[[0-9a-f:.]+\](:[0-9]{1,5})?")
DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
CLOSE: Final = (b"connection", b"close")
MOST_DISCARDED: Final = 4 * 1024 * 1024
DISCARD_SECONDS: Final = 2.0
POLICY_VIOLATION: Final = 1008  # a WebSocket close code

log: Final = logging.getLogger(__name__)


def guards(settings: Settings, gates: Gates, metrics: Metrics) -> list[Middleware]:
    """All of them, the outermost first: `FastAPI(middleware=guards(…))`."""
    limits = settings.limits
    return [
        Middleware(Client, settings.proxy),
        Middleware(Measured, metrics),
        Middleware(SecurityHeaders),
        Middleware(Rates, gates.requests),
        Middleware(Origins, settings.origins),
        Middleware(Bodies, limits.body_bytes, {REPLAYS: limits.record_bytes}),
        Middleware(Errors, metrics),
    ]


# --- what a request says --------------------------------------------------------------------


def header(scope: Mapping[str, Any], name: bytes) -> str | None:
    """The first header of this name, in lower case."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None


def language_of(scope: Mapping[str, Any]) -> str:
    """The language of the answer: `lang` in the query, else `Accept-Language`, else English.

    >>> language_of({"query_string": b"", "headers": [(b"accept-language", b"de, fr-CH;q=0.8")]})
    'fr'
    """
    query = scope.get("query_string", b"")
    if b"lang=" in query:
        try:
            asked = parse_qs(query.decode("latin-1"), max_num_fields=20).get("lang", [""])[-1]
        except ValueError:
            asked = ""
        if asked in LANGUAGES:
            return str(asked)
    return preferred(header(scope, b"accept-language") or "")


def city_names_of(scope: Mapping[str, Any]) -> str:
    """The language of city names: with `cities=local` in the query the answer's, else none.

    >>> city_names_of({"query_string": b"lang=fr&cities=local", "headers": []})
    'fr'
    """
    query = scope.get("query_string", b"")
    return language_of(scope) if b"cities=local" in query.split(b"&") else ""


@lru_cache(maxsize=256)
def preferred(accepted: str) -> str:
    """The first of our languages in the order of an `Accept-Language` header, else English."""
    wishes = []
    for part in accepted[:500].split(","):
        tag, _, weight = part.strip().partition(";")
        match = re.fullmatch(r"\s*q=([01](?:\.[0-9]{0,3})?)\s*", weight)
        quality = float(match[1]) if match else 1.0
        wishes.append((-quality, tag.partition("-")[0].lower()))
    for quality, tag in sorted(wishes, key=lambda wish: wish[0]):
        if tag in LANGUAGES and quality < 0:
            return tag
    return "en"


def is_https(scope: Mapping[str, Any]) -> bool:
    """Whether the browser came by https, as far as we or a trusted proxy know."""
    return scope["scheme"] in ("https", "wss")


def client_of(scope: Mapping[str, Any]) -> str:
    """The address that this client's limits are counted by."""
    client = scope.get("client")
    return address_key(client[0]) if client else ""


# --- answers ----------------------------------------------------------------------------------


async def refuse(
    scope: Scope, send: Send, status: int, code: str, headers: Iterable[Header] = ()
) -> None:
    """Answer a request, or the opening of a socket, with an error."""
    text = say(f"errors.{code}", language_of(scope))
    body = msgspec.json.encode({"error": {"code": code, "text": text}})
    sent = [
        (b"content-type", b"application/json; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *headers,
    ]
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": code})
            return
        kind = "websocket.http.response"
    await send({"type": f"{kind}.start", "status": status, "headers": sent})
    await send({"type": f"{kind}.body", "body": body})


# --- the guards ---------------------------------------------------------------------------------


class Client:
    """Makes `client` and `scheme` of a request what they were before trusted proxies.

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


def trusted(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Whether an address is in one of the networks.

    >>> trusted("::ffff:10.1.2.3", [ip_network("10.0.0.0/8")])
    True
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found in network for network in networks)


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.0.2.1"), is_loopback("x")
    (True, True, False, False)
    """
    return trusted(address, (ip_network("127.0.0.0/8"), ip_network("::1/128")))


def bare_address(text: str) -> str | None:
    """The address in an entry of `X-Forwarded-For`, which some proxies write with a port."""
    match = re.fullmatch(r"\[([0-9a-fA-F:.]+)\](?::[0-9]+)?|([0-9.]+):[0-9]+", text)
    plain = (match[1] or match[2]) if match else text
    try:
        return str(ip_address(plain))
    except ValueError:
        return None


class SecurityHeaders:
    """Adds the headers that tell a browser what our pages may do."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        added = security_headers((header(scope, b"host") or "").lower())

        async def send_more(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        await self._app(scope, receive, send_more)


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


class Origins:
    """Lets only our own pages, and configured ones, change something or open a socket.

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


class Bodies:
    """Refuses bodies that are too long, by what they declare and by what comes."""

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


class Rates:
    """Answers 429 to addresses that ask too often. Health checks are not counted."""

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


class Errors:
    """Logs what the application did not expect, and answers without any detail of it."""

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
