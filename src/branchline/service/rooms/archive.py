"""Finished games and pictures of boards: made in worker processes, and kept once they are made."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec

from branchline.core.board import Board
from branchline.drawing.drawings import fits, stored_drawing
from branchline.service.access.limits import Limiters
from branchline.service.bots.spare_time import SpareTime
from branchline.service.broadcast import jobs
from branchline.service.broadcast.jobs import StoredTable
from branchline.service.broadcast.live_table import LiveTable
from branchline.service.errors import ServiceError
from branchline.service.storage import Store
from branchline.service.tables.boards import source_of
from branchline.service.workers.jobs import MEGABYTE, Answers, JobPool
from branchline.service.workers.process import Bounds

KEPT: Final = 48 * MEGABYTE  # of answers, of which a long game's replay has 0.3
READING: Final = 15.0  # seconds that a record may take to arrive
PART: Final = 0.01  # of the event loop's time, while people play
REQUEST: Final = 0.0035  # seconds that it takes to read a long record or to send a long replay
REPLAYING: Final = Bounds(nice=15, growth=512 * MEGABYTE, cpu=5, resident=256 * MEGABYTE)
REPLAY_SECONDS: Final = 60.0  # a real game takes a tenth of one, if it gets the processor
DRAWING: Final = Bounds(nice=15, growth=1024 * MEGABYTE, cpu=120, resident=512 * MEGABYTE)
DRAWING_SECONDS: Final = 300.0


class Archive:
    """Answers about finished games and about boards, of any size and from anyone."""

    def __init__(self, store: Store, limiters: Limiters, spare_time: SpareTime) -> None:
        self._spare_time: Final = spare_time.also(PART)
        self._store: Final = store
        self._limiters: Final = limiters
        self._replays: Final = JobPool(REPLAYING, REPLAY_SECONDS)
        self._drawings: Final = JobPool(DRAWING, DRAWING_SECONDS)
        self._answers: Final = Answers(KEPT)

    async def uploaded(
        self,
        read: Callable[[], Awaitable[bytes]],
        address: str,
        seat: int | None,
        lang: str,
        cities: str,
    ) -> bytes:
        """The replay of a record that somebody sends. It is read when there is a place for it."""
        self._count(address)
        async with self._replays.place(address):
            await self._stand_back()
            try:
                data = await asyncio.wait_for(read(), READING)
            except TimeoutError:
                raise ServiceError("too_slow", status=408) from None
            spoken = seat, lang, cities
            return await self._replays.do(address, lang, jobs.uploaded_replay, data, *spoken)

    async def replay(
        self, live: LiveTable, address: str, seat: int | None, lang: str, cities: str
    ) -> bytes:
        """The replay of a finished table."""
        return await self._made(live, address, lang, jobs.table_replay, seat, lang, cities)

    async def record(self, live: LiveTable, address: str, lang: str) -> bytes:
        """The record of a finished table, with every secret; bots are named in a language."""
        return await self._made(live, address, lang, jobs.table_record, lang)

    async def _made(
        self,
        live: LiveTable,
        address: str,
        lang: str,
        work: Callable[..., bytes],
        *args: str | int | None,
    ) -> bytes:
        table = live.table
        if table.status != "over":
            raise ServiceError("not_over")

        async def make() -> bytes:
            self._count(address)
            async with self._replays.place(address):
                await self._stand_back()
                rows = await self._store.entries(table.id)
                entries = [(row.number, row.at, row.body) for row in rows]
                board = table.game.board
                stored = StoredTable(table.id, board.id, source_of(board), entries)
                return await self._replays.do(address, lang, work, stored, *args)

        # Someone who is forgotten loses the name, though no entry is added.
        names = tuple([seat.name for seat in table.seats])
        return await self._answers.get((work, table.id, table.number, names, *args), make)

    async def drawing(self, board: Board, address: str, lang: str) -> bytes:
        """The picture of a board: the one that comes with it, or a new one."""
        source = source_of(board)

        async def make() -> bytes:
            stored = stored_drawing(board.id)
            if stored is not None and fits(stored, board):
                return msgspec.json.encode(stored)
            self._count(address)
            async with self._drawings.place(address):
                await self._stand_back()
                return await self._drawings.do(address, lang, jobs.drawing, source, board.id)

        return await self._answers.get(("drawing", source), make)

    async def _stand_back(self) -> None:
        """Wait until there is time for another request, and take it."""
        await self._spare_time.come()
        self._spare_time.spend(REQUEST)

    def _count(self, address: str) -> None:
        """Raises `ServiceError` if an address has asked for too much lately."""
        if self._limiters.replays.take(address) > 0:
            raise ServiceError("too_many_requests", status=429)

    def close(self) -> None:
        """End all workers."""
        self._replays.close()
        self._drawings.close()
