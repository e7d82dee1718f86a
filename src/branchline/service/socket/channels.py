"""The server's end of a WebSocket.

`DirectChannel` (in `direct_channel`) writes several messages at once, without a waiting task, but
extends a class that is internal to uvicorn. Where that class is missing or has changed,
`AsgiChannel` does the same through the application interface, only more slowly.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

import websockets  # noqa: F401 (without it uvicorn has no WebSockets, and does not say so)
from starlette.websockets import WebSocket, WebSocketDisconnect

from branchline.service.broadcast.channel import Channel

log: Final = logging.getLogger(__name__)


class AsgiChannel:
    """A channel on any ASGI server: a task sends; until it is done, the reader is catching up."""

    def __init__(self, websocket: WebSocket) -> None:
        self.loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        self.writable: asyncio.Event = asyncio.Event()
        self.writable.set()
        self.on_writable: Callable[[], object] | None = None
        self.on_text: Callable[[bytes], bool] | None = None
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


def websocket_protocol() -> type[asyncio.Protocol] | str:
    """The protocol for uvicorn's WebSockets: `DirectChannel` if possible, else uvicorn's own."""
    try:
        from branchline.service.socket.direct_channel import DirectChannel
    except ImportError as error:
        log.warning("WebSockets are served by uvicorn's own class, which is slower: %s", error)
        return "auto"
    return DirectChannel


def channel_of(websocket: WebSocket) -> Channel:
    """The channel of a connection."""
    found: Channel | None = websocket.scope["state"].get("channel")
    return AsgiChannel(websocket) if found is None else found
