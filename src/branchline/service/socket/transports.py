"""The server's end of a WebSocket.

`DirectWire` (in `direct_wire`) writes several messages at once and without a task that waits, but
builds on a class that uvicorn keeps for itself. Where that class is missing or another one,
`AsgiWire` does the same through the application interface, only slower.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

import websockets  # noqa: F401 (without it uvicorn has no WebSockets, and does not say so)
from starlette.websockets import WebSocket, WebSocketDisconnect

from branchline.service.broadcast.transport import Wire

log: Final = logging.getLogger(__name__)


class AsgiWire:
    """A wire on any server: a task sends, and until it is done the reader has to catch up."""

    def __init__(self, websocket: WebSocket) -> None:
        self.loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        self.writable: asyncio.Event = asyncio.Event()
        self.writable.set()
        self.on_writable: Callable[[], object] | None = None
        self._websocket: Final = websocket
        self._task: asyncio.Task[None] | None = None  # kept, since a loop forgets its tasks

    def push(self, messages: Sequence[bytes]) -> bool:
        if not self.writable.is_set():
            return False
        self.writable.clear()
        self._task = self.loop.create_task(self._send(messages))
        return True

    async def _send(self, messages: Sequence[bytes]) -> None:
        # A client that is gone, or about to go, is noticed by whoever receives.
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            for message in messages:
                await self._websocket.send_text(message.decode())
        self.writable.set()
        if self.on_writable is not None:
            self.on_writable()

    async def receive(self) -> Any:
        return await self._websocket.receive()


def protocol() -> type[asyncio.Protocol] | str:
    """What uvicorn is to serve WebSockets with: `DirectWire` if there can be one, else its own."""
    try:
        from branchline.service.socket.direct_transport import DirectWire
    except ImportError as error:
        log.warning("WebSockets are served by uvicorn's own class, which is slower: %s", error)
        return "auto"
    return DirectWire


def wire_of(websocket: WebSocket) -> Wire:
    """The wire of a connection."""
    found: Wire | None = websocket.scope["state"].get("wire")
    return AsgiWire(websocket) if found is None else found
