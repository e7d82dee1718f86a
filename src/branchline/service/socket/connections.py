"""Connections from the moment they are accepted: counted by address, and ended when silent.

uvicorn waits for a request for ever, and the limits of the application begin with a request.
Whoever opens connections and says nothing would use up the files that the process may open, and
lock everyone else out.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Iterable
from ipaddress import ip_network
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from branchline.service.access.limits import Counters, address_key
from branchline.service.http.scope import trusted
from branchline.service.operations.metrics import Metrics

HEAD_SECONDS: Final = 10.0  # for the head of a request, from its first byte or before
BODY_SECONDS: Final = 20.0  # without another part of a body
READ_SECONDS: Final = 60.0  # without the client reading more of its answer
TOLD_SECONDS: Final = 60.0  # between two lines in the log about refused connections
FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

log: Final = logging.getLogger("branchline.connections")


class Gate:
    """Lets connections in, by address and in all. Behind a trusted proxy all come from one."""

    def __init__(self, counters: Counters, proxies: Iterable[str], metrics: Metrics) -> None:
        self._counters: Final = counters
        self._proxies: Final = tuple(ip_network(text) for text in proxies)
        self._metrics: Final = metrics
        self._refused: int = 0
        self._told: float = -math.inf

    def enter(self, client: tuple[str, int] | None) -> str | None:
        """The key to leave with; None if there are too many."""
        host, port = client or ("", 0)
        key = f"{host} {port}" if trusted(host, self._proxies) else address_key(host)
        if self._counters.enter(key):
            self._metrics.connections.set(self._counters.open)
            return key
        self._refused += 1
        self._metrics.connections_refused.inc()
        if time.monotonic() - self._told > TOLD_SECONDS:
            self._told = time.monotonic()
            facts = {"open": self._counters.open, "refused": self._refused}
            log.warning("too many connections, in all or from one address", extra=facts)
        return None

    def leave(self, key: str) -> None:
        self._counters.leave(key)
        self._metrics.connections.set(self._counters.open)


class GuardedConnection(H11Protocol):
    """uvicorn's HTTP protocol behind a gate, and with an end to its patience.

    It is the one on h11: the other parser takes headers of any length.
    """

    gate: Gate

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._key: str | None = None
        self._until: float = math.inf
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._key = self.gate.enter(self.client)
        self._wait(HEAD_SECONDS)
        if self._key is None:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._key is None:
            return
        super().data_received(data)
        self._look_around()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._until = math.inf
        self._look_around()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait(READ_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._until = math.inf
        self._look_around()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """From here on it is another protocol's, which has pings of its own."""
        super().handle_websocket_upgrade(event)
        protocol: Any = self.transport.get_protocol()
        if protocol is self:
            return
        lost = protocol.connection_lost

        def connection_lost(exc: Exception | None) -> None:
            self._leave()
            lost(exc)

        protocol.connection_lost = connection_lost
        self._stop()

    def _look_around(self) -> None:
        """Decide how long the client may be silent from now on."""
        cycle: Any = self.cycle  # None before the first request
        if self.transport.get_protocol() is not self:
            return
        if self.flow.write_paused:
            if self._until == math.inf:
                self._wait(READ_SECONDS)
        elif cycle is None or cycle.response_complete:
            if self._until == math.inf:  # each further byte of a head must not buy more time
                self._wait(HEAD_SECONDS)
        elif cycle.more_body:
            self._wait(BODY_SECONDS)
        else:
            self._until = math.inf  # it is our turn

    def _wait(self, seconds: float) -> None:
        self._until = self.loop.time() + seconds
        if self._timer is None:
            self._timer = self.loop.call_later(seconds, self._end_if_silent)

    def _end_if_silent(self) -> None:
        self._timer = None
        left = self._until - self.loop.time()
        if left <= 0:
            self.transport.abort()
        elif left < math.inf:
            self._timer = self.loop.call_later(left, self._end_if_silent)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _leave(self) -> None:
        self._stop()
        key, self._key = self._key, None
        if key is not None:
            self.gate.leave(key)


def http_protocol(counters: Counters, proxies: Iterable[str], metrics: Metrics) -> type[Any]:
    """The protocol of a server's HTTP connections."""

    class Guarded(GuardedConnection):
        gate = Gate(counters, proxies, metrics)

    return Guarded
