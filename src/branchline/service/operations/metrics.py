"""What a server counts and measures, for Prometheus.

Labels come from closed lists, so that nobody outside can make the number of series grow.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, Final, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from branchline._version import VERSION
from branchline.service.messages import ClientMessage, ServerMessage
from branchline.service.operations.tallies import OTHER, Tally, Times

METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
MOVERS: Final = frozenset({"person", "bot", "clock"})
LEVELS: Final = frozenset({"easy", "normal", "hard", "expert"})
ERRORS: Final = frozenset({"request", "socket", "storage", "bot", "notice"})
NOTICES: Final = frozenset({"push", "webhook"})
OUTCOMES: Final = frozenset({"sent", "failed", "gone", "refused", "dropped"})

QUICK: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
THINKING: Final = (0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10)


def _tags(union: Any) -> frozenset[str]:
    return frozenset(str(kind.__struct_config__.tag) for kind in get_args(union))


ASKED: Final = _tags(ClientMessage)
TOLD: Final = _tags(ServerMessage)


def one_of(word: str, known: Iterable[str]) -> str:
    """The word if it is known, else `other`."""
    return word if word in known else OTHER


class Counts(Collector):
    """A counter with one label, for Prometheus, whose own costs ten times as much."""

    def __init__(self, name: str, about: str, label: str, tally: Tally) -> None:
        self._about: Final = (f"branchline_{name}", about)
        self._label: Final = label
        self._tally: Final = tally

    def collect(self) -> Iterable[Metric]:
        family = CounterMetricFamily(*self._about, labels=[self._label])
        for word, count in self._tally.counts.items():
            family.add_metric([word], count)
        yield family


class Seconds(Collector):
    """A histogram of seconds, in the same way."""

    def __init__(self, name: str, about: str, times: Times) -> None:
        self._about: Final = (f"branchline_{name}_seconds", about)
        self._times: Final = times

    def collect(self) -> Iterable[Metric]:
        times = self._times
        bounds = [*map(floatToGoString, times.steps), "+Inf"]
        buckets = list(zip(bounds, accumulate(times.counts), strict=True))
        yield HistogramMetricFamily(*self._about, buckets=buckets, sum_value=times.sum)


class Metrics:
    """The measurements of one server. Each has its own registry, so tests can have many."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self._registry: Final = registry

        def counter(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"branchline_{name}", about, labels, registry=registry)

        def gauge(name: str, about: str, *labels: str) -> Gauge:
            return Gauge(f"branchline_{name}", about, labels, registry=registry)

        def seconds(name: str, about: str, steps: tuple[float, ...], *labels: str) -> Histogram:
            full = f"branchline_{name}_seconds"
            return Histogram(full, about, labels, buckets=steps, registry=registry)

        self._requests: Final = counter(
            "requests", "Requests answered.", "route", "method", "status"
        )
        self._request_time: Final = seconds(
            "request", "From a request to its answer.", QUICK, "route"
        )
        self.sockets: Final = gauge("sockets", "Sockets that are open.")
        self.connections: Final = gauge("connections", "Connections of any kind that are open.")
        self.connections_refused: Final = counter(
            "connections_refused", "Connections that were one too many."
        )
        # These are counted for every move, where a microsecond counts, too.
        asked, told, append_time = Tally(ASKED), Tally(TOLD), Times(QUICK)
        self._moves: Final = Tally(MOVERS)
        self._move_time: Final = Times(QUICK)
        self.message_in: Final = asked.add
        """A client's message has come; its type may be anything."""
        self.message_out: Final = told.add
        """A message of this type was sent, or so many."""
        self.appended: Final = append_time.add
        """Entries were stored, which took so many seconds."""
        moved = "From a move's arrival until it is stored and told."
        for collector in (
            Counts("messages_in", "Messages of clients.", "type", asked),
            Counts("messages_out", "Messages to clients.", "type", told),
            Counts("moves", "Moves accepted.", "by", self._moves),
            Seconds("move", moved, self._move_time),
            Seconds("append", "To store entries of a log.", append_time),
        ):
            registry.register(collector)
        self._thinking: Final = seconds(
            "bot_thinking", "To choose a bot's action.", THINKING, "level"
        )
        self.tables: Final = gauge("tables_live", "Tables that are held in memory.")
        self._errors: Final = counter("errors", "Things that should not have happened.", "where")
        self._notices: Final = counter("notices", "Turn notices.", "kind", "outcome")
        gauge("info", "The version.", "version").labels(VERSION).set(1)
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        """A request was answered. `route` is the template (`/api/tables/{id}`), never the path."""
        self._requests.labels(route, one_of(method, METHODS), str(status)).inc()
        self._request_time.labels(route).observe(seconds)

    def moved(self, by: str, seconds: float | None = None, count: int = 1) -> None:
        """A `person`, a `bot` or the `clock` has made so many moves; how long that took us."""
        self._moves.add(by, count)
        if seconds is not None:
            self._move_time.add(seconds)

    def thought(self, level: str, seconds: float) -> None:
        """A bot has chosen an action."""
        self._thinking.labels(one_of(level, LEVELS)).observe(seconds)

    def error(self, where: str) -> None:
        """Something went wrong in a `request`, a `socket`, the `storage`, a `bot` or a `notice`."""
        self._errors.labels(one_of(where, ERRORS)).inc()

    def notice(self, kind: str, outcome: str) -> None:
        """A `push` or `webhook` was `sent`, `failed`, `gone`, `refused` or `dropped`."""
        self._notices.labels(one_of(kind, NOTICES), one_of(outcome, OUTCOMES)).inc()

    def value(self, name: str, **labels: str) -> float:
        """What a series stands at, for tests and for `/readyz`; 0 if it does not exist yet."""
        return self._registry.get_sample_value(f"branchline_{name}", labels) or 0.0

    def render(self) -> tuple[bytes, str]:
        """Everything in Prometheus' text format, and its content type."""
        return generate_latest(self._registry), CONTENT_TYPE_PLAIN_0_0_4


class RequestMetrics:
    """An ASGI middleware that counts requests by the template of the route that answered them.

    It stands inside everything that copies the scope, as the router leaves the route there.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app: Final = app
        self._metrics: Final = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        status = 500

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        finally:
            seconds = time.perf_counter() - start
            self._metrics.request(route_of(scope), scope["method"], status, seconds)


def route_of(scope: Scope) -> str:
    """The template of the route that a router has found; `none` if it found none."""
    path = getattr(scope.get("route"), "path", None)
    if path is None:
        return "none"
    return str(path) or "/"
