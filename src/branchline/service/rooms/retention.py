"""Removes tables when their time is over: as long as the host's settings say, and no sooner."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from branchline.service.operations.settings import Settings
from branchline.service.rooms.rooms import Rooms
from branchline.service.storage import StoreError

DAY: Final = 86_400_000
PAUSE: Final = 60.0  # seconds between looks for tables whose time is over
MARKED: Final = 200  # tables of one look
PORTION: Final = 100  # entries that are removed in one transaction
BREATH: Final = 0.1  # seconds between portions, which moves have for themselves

logger: Final = logging.getLogger("branchline.retention")


class Retention:
    """Looks from time to time for tables that are kept no longer."""

    def __init__(self, rooms: Rooms, settings: Settings) -> None:
        self.rooms: Final = rooms
        self.days: Final = {
            "waiting": settings.keep_waiting,
            "playing": settings.keep_playing,
            "over": settings.keep_finished,
        }
        """How many days without a change a table of each status is kept; 0: for ever."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                while await self.look():
                    pass
            except StoreError:  # the store logs its own faults
                pass
            except Exception:
                logger.exception("no table was removed")
            await asyncio.sleep(PAUSE)

    async def look(self) -> int:
        """Remove a first lot of the tables whose time is over; returns how many there were."""
        marked = 0
        for status, days in self.days.items():
            if days:
                marked += await self._expire(status, self.rooms.now() - int(days * DAY))
        while await self.rooms.store.remove_some(PORTION):
            await asyncio.sleep(BREATH)
        return marked

    async def _expire(self, status: str, before: int) -> int:
        # Whoever looks at a table right now is not done with it.
        kept = [id for id, live in self.rooms.live_tables.items() if live.connections]
        expired = await self.rooms.store.mark_expired(status, before, MARKED, kept)
        for id in expired:
            self.rooms.drop(id)
        if expired:
            logger.info("tables removed", extra={"status": status, "count": len(expired)})
        return len(expired)
