"""A WebSocket that is written to directly; importable only where uvicorn has what it extends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

CLASS_NEEDS: Final = ("handle_text", "pause_writing", "receive", "resume_writing", "run_asgi")
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

    The application finds it in its scope's state, as a `Channel`.
    """

    on_writable: Callable[[], object] | None = None

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


def text_frames(messages: Sequence[bytes]) -> bytes:
    """Messages as a server sends them: whole, unmasked and uncompressed (RFC 6455, 5.2).

    >>> text_frames([b"ab", b"c"])
    b'\\x81\\x02ab\\x81\\x01c'
    """
    parts: list[bytes] = []
    for message in messages:
        size = len(message)
        if size < 126:
            parts += (bytes((0x81, size)), message)
        elif size < 65536:
            parts += (b"\x81\x7e", size.to_bytes(2, "big"), message)
        else:
            parts += (b"\x81\x7f", size.to_bytes(8, "big"), message)
    return b"".join(parts)
