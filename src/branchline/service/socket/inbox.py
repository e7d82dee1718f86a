"""The messages of a connection, answered one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

from starlette.types import Message

from branchline.core.catalogue import say
from branchline.service.access.limits import Limiters
from branchline.service.broadcast.channel import Channel
from branchline.service.messages import ClientMessage, Trouble
from branchline.service.socket.session import SocketSession
from branchline.service.storage import StoreError

PATIENCE: Final = 200  # messages beyond the limit before a connection is closed


class Inbox:
    """Has a session answer the messages of its connection, in their order.

    A message that comes while none is being answered is answered at once, as far as that is
    possible without waiting, and not in a task: switching to one costs more than reading a message.
    """

    def __init__(self, limiters: Limiters, session: SocketSession) -> None:
        self._bucket: Final = limiters.messages()
        self._talk: Final = limiters.talk
        self._session: Final = session
        self._in_hand: bool = False  # whether `serve` has a message
        self._busy: bool = False  # whether `take` has one
        self._message: ClientMessage | None = None  # that one
        self._work: Coroutine[Any, Any, None] | None = None  # what is done about it
        self._settled: Final = asyncio.Event()
        self._error: BaseException | None = None

    async def serve(self, channel: Channel) -> None:
        """Answer messages until the client is gone, or has been too fast for too long."""
        channel.on_text = self.take
        warnings = 0
        session = self._session
        while not session.connection.gone:
            self._in_hand = False
            message: Message = await channel.receive()
            self._in_hand = True
            while self._busy:
                self._settled.clear()
                await self._settled.wait()
            if message["type"] == "websocket.disconnect" or self._error is not None:
                break
            wait = self._wait()
            if wait > 0:
                warnings += 1
                session.reply(Trouble("too_fast", say("errors.too_fast", session.lang)))
                if warnings > PATIENCE:
                    session.connection.drop()
                    break
                await asyncio.sleep(min(wait, 1.0))
            text = message.get("text")
            await session.receive(text if text is not None else message.get("bytes") or b"")
        if self._error is not None:
            raise self._error

    def take(self, data: bytes) -> bool:
        """Answer a message now; False, and nothing is done, if others come first."""
        session = self._session
        if self._in_hand or self._busy or session.connection.gone or self._wait() > 0:
            return False
        self._busy = True
        try:
            self._message = message = session.read(data)
            if message is None:
                self._end(None)
            elif not session.begin(message, self._moved):
                self._respond(message)
        except BaseException as error:
            self._end(error)
        return True

    def _moved(self, done: bool, error: Exception | None) -> None:
        """A move that the session has begun was made, and answered; or it was not."""
        message = self._message
        assert message is not None
        if done:
            self._end(error)
        elif error is None:  # another process was faster
            self._respond(message)
        elif isinstance(error, StoreError):
            self._session.not_stored(message, error)
            self._end(None)
        else:
            self._end(error)

    def _respond(self, message: ClientMessage) -> None:
        self._work = self._session.respond(message)
        self._go_on()

    def _wait(self) -> float:
        """The seconds until the next message may come; 0: this one may."""
        return self._bucket.take() or self._talk.take(self._session.address)

    def _go_on(self, _: object = None) -> None:
        """Answer the message that was taken, up to where that waits for something."""
        assert self._work is not None
        try:
            future = self._work.send(None)
        except StopIteration:
            self._end(None)
        except BaseException as error:
            self._end(error)
        else:
            if future is None:
                asyncio.get_running_loop().call_soon(self._go_on)
            else:  # as a task does it
                future._asyncio_future_blocking = False
                future.add_done_callback(self._go_on)

    def _end(self, error: BaseException | None) -> None:
        self._work = self._message = None
        self._busy = False
        self._settled.set()
        if error is not None:
            self._error = error
            self._session.connection.drop()
