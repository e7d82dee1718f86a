"""The application: all parts of a server put together, and the routes that are not about tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response, WebSocket
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from branchline._version import VERSION
from branchline.core.board import Board
from branchline.service.api import router
from branchline.service.audience import Reader
from branchline.service.bell import Bell
from branchline.service.boards import Boards, NoSuchBoard
from branchline.service.desk import Desk
from branchline.service.errors import ServiceError
from branchline.service.guard import client_of, guards, is_https, is_loopback
from branchline.service.hub import Hub
from branchline.service.keys import key_of, new_secret, set_cookie
from branchline.service.limits import Gates
from branchline.service.metrics import Metrics
from branchline.service.notices import load_signer
from branchline.service.pool import Pool
from branchline.service.requests import HANDLERS
from branchline.service.settings import Settings
from branchline.service.site import add_page
from branchline.service.socket import talk
from branchline.service.steward import Steward
from branchline.service.storage import Store, StoreError, TableRow
from branchline.service.telling import table_info

DAY: Final = 86_400_000
LISTED: Final = 50  # tables in a list

logger: Final = logging.getLogger("branchline.server")


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


class Service:
    """All parts of a running server."""

    def __init__(self, settings: Settings, now: Callable[[], int]) -> None:
        self.settings: Final = settings
        self.now: Final = now
        self.metrics: Final = Metrics()
        self.gates: Final = Gates(settings.limits)
        self.boards: Final = Boards([str(path) for path in settings.boards])
        self.ready: bool = False
        self.store: Store
        self.hub: Hub
        self.desk: Desk
        self.pool: Pool
        self.steward: Steward
        self.bell: Bell

    async def start(self) -> None:
        settings = self.settings
        self.store = await Store.open(settings.database_url)
        self.hub = Hub(self.store, self.boards, self.now, self.metrics)
        self.desk = Desk(self.hub, settings.limits.name_length, settings.bots)
        self.pool = Pool(settings.workers, failed=lambda: self.metrics.error("bot"))
        self.pool.warm()
        self.steward = Steward(self.hub, self.pool, settings.bot_seconds)
        signer = await load_signer(self.store.set_setting_once)
        self.bell = Bell(self.hub, settings.webhooks, self.metrics, signer)
        await self.bell.notices.start()
        self.steward.start()
        self.ready = True

    async def stop(self) -> None:
        """Stop so that whoever is connected comes back to the next process."""
        self.ready = False
        for live in list(self.hub.lives.values()):
            for connection in list(live.connections):
                connection.drop()
        await self.steward.stop()
        await self.bell.notices.stop()
        await self.hub.stop()
        await asyncio.to_thread(self.pool.close)
        await self.store.close()

    # --- what the routes ask ------------------------------------------------------------------

    async def board(self, name: str, digest: str | None) -> Board:
        """A board by its name; with a digest, as it was when a table was made with it."""
        if digest is None or (name in self.boards.by_name and self.boards.knows(digest)):
            return self.boards.by_digest(digest) if digest else self.boards.named(name)
        if not self.boards.knows(digest):
            source = await self.store.board(digest[:80])
            if source is None:
                raise NoSuchBoard(name)
            self.boards.add(source, name)
        return self.boards.by_digest(digest)

    async def may_create(self, address: str) -> None:
        """Raises `ServiceError` if there are too many tables, or too many from this address."""
        if self.gates.tables.take(address) > 0:
            raise ServiceError("too_many_tables", status=429)
        counts = await self.store.count()
        if counts.get("waiting", 0) + counts.get("playing", 0) >= self.settings.limits.tables:
            raise ServiceError("too_many_tables", status=503)

    async def public_tables(self, lang: str) -> list[dict[str, Any]]:
        rows = await self.store.public_tables(self.now() - DAY, LISTED)
        return latest_first([await self._brief(row, -1, lang) for row in rows])

    async def tables_of(self, key: str, lang: str) -> list[dict[str, Any]]:
        rows = await self.store.tables_of(key, LISTED)
        return latest_first([await self._brief(row, seat, lang) for row, seat in rows])

    async def _brief(self, row: TableRow, seat: int, lang: str) -> dict[str, Any]:
        """A table in a list."""
        live = await self.hub.live(row.id)
        info = table_info(live, Reader(live.table, seat, lang))
        mine = seat >= 0 and live.table.seats[seat].decision > 0
        return {
            "table": msgspec.structs.replace(info, result=None),
            "seat": seat,
            "your_turn": mine,
            "updated": live.table.folded.told,
        }


def latest_first(briefs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tables in the order of what everyone has heard; the store also counts hidden steps."""
    return sorted(briefs, key=lambda brief: -int(brief["updated"]))


class Visitor:
    """Gives every browser its secret, and tells the routes whose secret and address it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app: Final = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        secret = key_of(scope)
        fresh = secret is None and scope["type"] == "http"
        state = scope.setdefault("state", {})
        state["secret"] = secret if secret is not None else new_secret()
        state["address"] = client_of(scope)

        async def send_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = set_cookie(state["secret"], is_https(scope))
                message["headers"] = [*message.get("headers", ()), cookie]
            await send(message)

        await self._app(scope, receive, send_cookie if fresh else send)


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
        middleware=[*guards(settings, service.gates, service.metrics), Middleware(Visitor)],
    )
    app.state.service = service
    app.include_router(router)

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
        service.metrics.tables.set(len(service.hub.lives))
        body, kind = service.metrics.render()
        return Response(body, media_type=kind)

    @app.websocket("/api/tables/{table}/socket")
    async def socket(websocket: WebSocket, table: str) -> None:
        await talk(service, websocket, table)

    add_page(app)
    return app
