"""Everything a running server consists of, as the routes and sockets find it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec

from branchline.core.board import Board
from branchline.service.access.limits import Limiters
from branchline.service.answers import TableBrief
from branchline.service.bots.worker_pool import WorkerPool
from branchline.service.broadcast.readers import Reader
from branchline.service.broadcast.summaries import brief_of, summary_of
from branchline.service.broadcast.updates import table_info
from branchline.service.errors import ServiceError
from branchline.service.notices.notices import load_signer
from branchline.service.notices.turn_notifier import TurnNotifier
from branchline.service.operations.metrics import Metrics
from branchline.service.operations.settings import Settings
from branchline.service.people.people import People
from branchline.service.rooms.archive import Archive
from branchline.service.rooms.autoplay import Autoplay
from branchline.service.rooms.lobby import Lobby
from branchline.service.rooms.retention import Retention
from branchline.service.rooms.rooms import Rooms
from branchline.service.storage import Store, TableRow
from branchline.service.tables.boards import Boards, NoSuchBoard

DAY: Final = 86_400_000
FORSAKEN: Final = 7 * DAY
"""Without a change for that long a game takes nobody's place any more."""
LISTED: Final = 50  # tables in a list


class Service:
    """All parts of a running server."""

    def __init__(self, settings: Settings, now: Callable[[], int]) -> None:
        self.settings: Final = settings
        self.now: Final = now
        self.metrics: Final = Metrics()
        self.limiters: Final = Limiters(settings.limits)
        self.boards: Final = Boards([str(path) for path in settings.boards])
        self.ready: bool = False
        self.store: Store
        self.rooms: Rooms
        self.lobby: Lobby
        self.archive: Archive
        self.pool: WorkerPool
        self.autoplay: Autoplay
        self.turn_notifier: TurnNotifier
        self.retention: Retention
        self.people: People

    async def start(self) -> None:
        settings = self.settings
        self.store = await Store.open(settings.database_url, key=settings.key)
        self.rooms = Rooms(self.store, self.boards, self.now, self.metrics)
        self.lobby = Lobby(self.rooms, settings.limits.name_length, settings.bots)
        self.archive = Archive(self.store, self.limiters, self.rooms.spare_time)
        self.pool = WorkerPool(
            settings.workers,
            failed=lambda: self.metrics.error("bot"),
            spare_time=self.rooms.spare_time,
        )
        self.pool.warm()
        self.autoplay = Autoplay(self.rooms, self.pool, settings.bot_seconds)
        signer = await load_signer(self.store.set_setting_once)
        self.turn_notifier = TurnNotifier(self.rooms, settings.webhooks, self.metrics, signer)
        self.autoplay.start()
        self.people = People(self.rooms, self.lobby, settings.ratings == "on")
        self.rooms.later(self.people.start())
        self.retention = Retention(self.rooms, settings)
        self.retention.start()
        self.ready = True

    async def stop(self) -> None:
        """Stop so that whoever is connected comes back to the next process."""
        self.ready = False
        for live in list(self.rooms.live_tables.values()):
            for connection in list(live.connections):
                connection.drop()
        await self.autoplay.stop()
        await self.retention.stop()
        await self.turn_notifier.notices.stop()
        await self.rooms.stop()
        await asyncio.to_thread(self.pool.close)
        await asyncio.to_thread(self.archive.close)
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
        if self.limiters.tables.take(address) > 0:
            raise ServiceError("too_many_tables", status=429)
        most = self.settings.limits.tables
        if await self.store.alive(most, self.now() - FORSAKEN) >= most:
            raise ServiceError("too_many_tables", status=503)

    async def public_tables(self, lang: str) -> list[TableBrief]:
        rows = await self.store.public_tables(self.now() - DAY, LISTED)
        return latest_first([await self._brief(row, None, lang) for row in rows])

    async def tables_of(self, key: str, lang: str) -> list[TableBrief]:
        rows = await self.store.tables_of(key, LISTED)
        return latest_first([await self._brief(row, key, lang) for row, _ in rows])

    async def _brief(self, row: TableRow, key: str | None, lang: str) -> TableBrief:
        """A table in a list of the holder of a key."""
        if row.summary is not None and row.id not in self.rooms.live_tables:
            return brief_of(row.summary, key, lang)
        live = await self.rooms.live_table(row.id)
        if live.table.status == "over" and row.summary is None:
            self.rooms.later(self.store.put_summary(row.id, summary_of(live.table)))
        table = live.table
        held = table.seats_of(key)
        seat = held[0] if held else -1
        info = table_info(live, Reader(table, seat, lang))
        return TableBrief(
            table=msgspec.structs.replace(info, result=None, draw=None),
            seat=seat,
            held=held,
            your_turn=any(table.seats[k].decision > 0 for k in held),
            updated=table.table_state.told,
            scores=info.result.scores if info.result is not None else [],
            winners=info.result.winners if info.result is not None else [],
        )


def latest_first(briefs: list[TableBrief]) -> list[TableBrief]:
    """Tables in the order of what everyone has heard; the store also counts hidden steps."""
    return sorted(briefs, key=lambda brief: -brief.updated)
