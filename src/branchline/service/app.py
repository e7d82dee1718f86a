"""The application: routes, middleware and sockets put together; health and metrics."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable

from fastapi import FastAPI, Request, Response, WebSocket
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.types import Scope

from branchline._version import VERSION
from branchline.core.board import Board
from branchline.service.context import Service
from branchline.service.http.api import router
from branchline.service.http.middleware import VisitorCookie, middleware_stack
from branchline.service.http.openapi import add_answers
from branchline.service.http.people import router as people_router
from branchline.service.http.responses import HANDLERS
from branchline.service.http.scope import is_loopback
from branchline.service.http.static_pages import add_page
from branchline.service.operations.settings import Settings
from branchline.service.socket.serving import serve_socket
from branchline.service.storage import StoreError


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


def may_read_metrics(who: str, scope: Scope) -> bool:
    """Whether whoever asks may see the metrics."""
    client = scope.get("client")
    return who == "any" or (who == "local" and client is not None and is_loopback(client[0]))


def create_app(settings: Settings, now: Callable[[], int] = wall_clock) -> FastAPI:
    """The server as an ASGI application."""
    service = Service(settings, now)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await service.start()
        yield
        await service.stop()

    app = FastAPI(
        title="Branchline",
        version=VERSION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        exception_handlers=HANDLERS,
        middleware=[
            *middleware_stack(settings, service.limiters, service.metrics),
            Middleware(VisitorCookie),
        ],
    )
    app.state.service = service
    app.include_router(router)
    app.include_router(people_router)
    add_answers(app)

    @app.get("/healthz", include_in_schema=False)
    async def health() -> Response:
        """The process is there."""
        return Response("ok\n", media_type="text/plain")

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> Response:
        """The server can read and write its store."""
        try:
            await service.store.ready()
        except StoreError as error:
            return Response(f"{error.code}\n", 503, media_type="text/plain")
        return Response("ready\n" if service.ready else "stopping\n", 200 if service.ready else 503)

    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        """What the server counts, for Prometheus.

        Not for players: the counters move with steps that a rival is not told of.
        """
        if not may_read_metrics(settings.metrics, request.scope):
            raise HTTPException(404)
        service.metrics.tables.set(len(service.rooms.live_tables))
        body, kind = service.metrics.render()
        return Response(body, media_type=kind)

    @app.websocket("/api/tables/{table}/socket")
    async def socket(websocket: WebSocket, table: str) -> None:
        await serve_socket(service, websocket, table)

    def board_at(table: str) -> Board | None:
        """The board of a table in memory: a page doesn't wait for one to be read from the store."""
        live = service.rooms.live_tables.get(table)
        return live.table.game.board if live else None

    add_page(app, board_at=board_at)
    return app
