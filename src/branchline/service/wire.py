"""The server's end of a WebSocket."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState


class Wire(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which also sends several messages in one write and without waiting.

    The application finds it in its scope's state.
    """

    on_writable: Callable[[], object] | None = None
    """Called when a slow reader has caught up."""

    async def run_asgi(self) -> None:
        self.scope["state"]["wire"] = self
        await super().run_asgi()

    def push(self, messages: Sequence[bytes]) -> bool:
        """Send texts now; False, and nothing is sent, if the reader has to catch up first."""
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
