"""The application: everything put together, and the routes that are not about tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from starlette.responses import FileResponse

from branchline._version import VERSION
from branchline.core.board import Board
from branchline.core.catalogue import say
from branchline.service.api import router
from branchline.service.audience import Reader
from branchline.service.boards import Boards
from branchline.service.desk import Desk
from branchline.service.guard import client_of, guards, is_https, language_of
from branchline.service.hub import Connection, Hub, Live, ServiceError
from branchline.service.keys import hash_key, key_of, new_secret, set_cookie
from branchline.service.limits import Gates
from branchline.service.messages import Trouble
from branchline.service.metrics import Metrics
from branchline.service.notices import Notices
from branchline.service.pool import Pool
from branchline.service.requests import HANDLERS
from branchline.service.settings import Settings
from branchline.service.socket import Session
from branchline.service.steward import Steward
from branchline.service.storage import Store, StoreError, TableRow

PROTOCOL_NAME: Final = "branchline.1"
PAGE: Final = Path(__file__).parent / "page"
DAY: Final = 86_400_000
CLOSE_AGAIN: Final = 4000  # a close code of ours: connect again
CLOSE_LIMIT: Final = 4029

logger: Final = logging.getLogger("branchline.server")


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


class Service:
    """All parts of a running server."""

    def __init__(self, settings: Settings, store: Store, now: Callable[[], int]) -> None:
        self.settings: Final = settings
        self.store: Final = store
        self.metrics: Final = Metrics()
        self.gates: Final = Gates(settings.limits)
        self.boards: Final = Boards([str(path) for path in settings.boards])
        self.hub: Final = Hub(store, self.boards, now)
        self.desk: Final = Desk(self.hub, settings.limits.name_length)
        self.pool: Final = Pool(settings.workers)
        self.steward: Final = Steward(self.hub, self.pool, settings.bot_seconds)
        self.closing: bool = False
