"""A lock that can also be taken without waiting, if it is free."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final


class TurnLock:
    """As `asyncio.Lock`: whoever waits gets it in order. It is for one event loop.

    >>> lock = TurnLock()
    >>> lock.take(), lock.take(), lock.release(), lock.take()
    (True, False, None, True)
    """

    def __init__(self) -> None:
        self._held: bool = False
        self._waiting: Final[deque[asyncio.Future[None]]] = deque()

    def locked(self) -> bool:
        return self._held

    def take(self) -> bool:
        """Take it if nobody has it; False: it has to be waited for."""
        if self._held:
            return False
        self._held = True
        return True

    async def acquire(self) -> bool:
        if self.take():
            return True
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was handed over in this moment
                self.release()
            raise
        return True

    def release(self) -> None:
        """Hand it over to whoever has waited for longest, if anybody does."""
        if not self._held:
            raise RuntimeError("the lock is not held")
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._held = False

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        self.release()
