"""A WebSocket that is written to directly; importable only where uvicorn has what it extends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

CLASS_NEEDS: Final = ("pause_writing", "receive", "resume_writing", "run_asgi")
NEEDS: Final = ("close_sent", "conn", "disconnected", "loop", "scope", "transport", "writable")
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
        if not self.disconnected and not self.close_sent:
            try:
                for message in messages:
                    self.conn.send_text(message)
            except InvalidState:  # the client is about to go
                return True
            self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.on_writable is not None:
            self.on_writable()
