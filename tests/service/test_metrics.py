"""Metrics: what happens is counted, and nobody outside can add series."""

from __future__ import annotations

import asyncio

import httpx
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Receive, Scope, Send

from branchline.service.operations.metrics import ASKED, TOLD, Metrics, RequestMetrics


def series(metrics: Metrics) -> set[str]:
    text, kind = metrics.render()
    assert kind.startswith("text/plain")
    families = text_string_to_metric_families(text.decode())
    return {f"{s.name}{sorted(s.labels.items())}" for f in families for s in f.samples}


def test_what_happens_is_counted() -> None:
    metrics = Metrics()
    metrics.message_in("act")
    metrics.message_out("update", 3)
    metrics.moved("person", 0.002)
    metrics.moved("bot")
    metrics.appended(0.001)
    metrics.thought("hard", 1.5)
    metrics.error("storage")
    metrics.notice("push", "sent")
    metrics.sockets.inc()
    metrics.tables.set(7)
    value = metrics.value
    assert value("messages_in_total", type="act") == 1
    assert value("messages_out_total", type="update") == 3
    assert value("moves_total", by="person") == value("moves_total", by="bot") == 1
    assert value("move_seconds_count") == value("append_seconds_count") == 1
    assert value("move_seconds_sum") == 0.002
    found = [value("move_seconds_bucket", le=le) for le in ("0.001", "0.0025", "2.5", "+Inf")]
    assert found == [0, 1, 1, 1]
    assert value("bot_thinking_seconds_sum", level="hard") == 1.5
    assert value("errors_total", where="storage") == 1
    assert value("notices_total", kind="push", outcome="sent") == 1
    assert (value("sockets"), value("tables_live")) == (1, 7)


def test_every_message_of_the_protocol_has_a_label() -> None:
    assert {"act", "takeback", "agree", "why", "how", "say", "ping"} == ASKED
    assert {"welcome", "update", "done", "refused", "trouble"} < TOLD


def test_invented_words_do_not_make_new_series() -> None:
    metrics = Metrics()
    metrics.message_in("x")
    metrics.request("none", "X", 200, 0)
    metrics.moved("x")
    metrics.thought("x", 0)
    metrics.error("x")
    metrics.notice("x", "x")
    metrics.message_out("x")
    before = series(metrics)
    for k in range(50):
        metrics.message_in(f"x{k}")
        metrics.message_out(f"x{k}")
        metrics.request("none", f"X{k}", 200, 0)
        metrics.moved(f"x{k}")
        metrics.thought(f"x{k}", 0)
        metrics.error(f"x{k}")
        metrics.notice(f"x{k}", f"x{k}")
    assert series(metrics) == before


def test_two_servers_in_one_process_count_apart() -> None:
    one, two = Metrics(), Metrics()
    one.moved("person")
    assert two.value("moves_total", by="person") == 0


def test_requests_are_counted_by_the_template_of_their_route() -> None:
    metrics = Metrics()
    app = FastAPI()

    @app.get("/api/tables/{id}")
    async def table(id: str) -> str:
        return id

    async def ask() -> None:
        transport = httpx.ASGITransport(RequestMetrics(app, metrics))
        async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
            for k in range(20):
                assert (await client.get(f"/api/tables/{k}")).status_code == 200
                assert (await client.get(f"/wp-login/{k}.php")).status_code == 404

    asyncio.run(ask())
    found = {"method": "GET", "route": "/api/tables/{id}", "status": "200"}
    assert metrics.value("requests_total", **found) == 20
    assert metrics.value("requests_total", method="GET", route="none", status="404") == 20
    assert metrics.value("request_seconds_count", route="none") == 20
    assert not any("php" in name for name in series(metrics))


def test_a_request_that_fails_is_counted_as_such() -> None:
    metrics = Metrics()

    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError

    async def ask() -> None:
        transport = httpx.ASGITransport(RequestMetrics(broken, metrics), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
            await client.get("/broken")

    asyncio.run(ask())
    assert metrics.value("requests_total", method="GET", route="none", status="500") == 1
