"""A WebSocket that is written to directly; importable only where uvicorn has what it extends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from branchline.service.socket.frames import are_whole, short_text, text_frames

CLASS_NEEDS: Final = (
    *("data_received", "handle_text", "pause_writing", "receive", "resume_writing", "run_asgi"),
)
NEEDS: Final = (
    *("close_sent", "conn", "disconnected", "loop", "queue", "scope", "transport", "writable"),
)
AHEAD: Final = 8  # messages that are read before the first of them is answered
"""Internals of uvicorn, which it doesn't promise to keep."""

log: Final = logging.getLogger(__name__)

for _name in CLASS_NEEDS:  # a protocol that does nothing of its own is not enough
    if getattr(WebSocketsSansIOProtocol, _name, None) is getattr(asyncio.Protocol, _name, None):
        raise ImportError(f"uvicorn's WebSocketsSansIOProtocol has no {_name}")


class DirectChannel(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which also sends several messages in one write and without waiting.

    A short message that comes alone is read here; all others, and whatever else a client may send,
    uvicorn reads. The application finds it in its scope's state, as a `Channel`.
    """

    on_writable: Callable[[], object] | None = None
    on_text: Callable[[bytes], bool] | None = None
    _between: bool = False  # whether the next byte begins a frame that begins a message

    async def run_asgi(self) -> None:
        lacks = [name for name in NEEDS if not hasattr(self, name)]
        if lacks:
            log.warning("a WebSocket is served by uvicorn alone, which has no %s", lacks[0])
        else:
            self.scope["state"]["channel"] = self
        await super().run_asgi()

    def push(self, messages: Sequence[bytes]) -> bool:
        if not self.writable.is_set():
            return False
        gone = self.disconnected or self.close_sent or self.conn.state is not State.OPEN
        if not gone:
            self.transport.write(text_frames(messages))
        return True

    def data_received(self, data: bytes) -> None:
        if self._between:
            text = short_text(data) if self.on_text is not None else None
            if text is not None and self._is_next() and self.on_text(text):  # type: ignore[misc]
                return
            self._between = are_whole(data)
        else:
            self._between = self.conn.state is State.CONNECTING and data.endswith(b"\r\n\r\n")
        super().data_received(data)

    def _is_next(self) -> bool:
        """Whether a message that has just come is the next one, and welcome."""
        return self.conn.state is State.OPEN and not self.close_sent and self.queue.empty()

    def handle_text(self, event: Frame) -> None:
        """Take a whole message in without stopping and starting to read for each."""
        if event.fin and not self.close_sent and self.queue.qsize() < AHEAD:
            self.queue.put_nowait({"type": "websocket.receive", "bytes": bytes(event.data)})
        else:
            super().handle_text(event)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.on_writable is not None:
            self.on_writable()
