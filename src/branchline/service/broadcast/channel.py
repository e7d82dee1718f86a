"""What a connection to a table sends its messages through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol


class Channel(Protocol):
    """Sends without waiting, and reports when a slow reader is ready again."""

    loop: asyncio.AbstractEventLoop
    writable: asyncio.Event
    """Set unless the reader has to catch up first."""
    on_writable: Callable[[], object] | None
    """Called when a slow reader has caught up."""
    on_text: Callable[[bytes], bool] | None
    """May be offered a message before `receive` gets it; True: it was taken."""

    def push(self, messages: Sequence[bytes]) -> bool:
        """Send texts soon, in order; False, and nothing is sent, if the reader must catch up."""

    async def receive(self) -> Any:
        """The next message of the application interface (ASGI)."""
