"""Answers the messages of a connection to a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from branchline.core.catalogue import rule_text, say
from branchline.engine.describe import Words
from branchline.engine.errors import IllegalAction, NotationError
from branchline.engine.notation import parse_action
from branchline.engine.rule import Refusal
from branchline.rules.claims.ways import nearest
from branchline.service.access.limits import Limiters
from branchline.service.access.visible_text import JOINERS, visible
from branchline.service.broadcast.live_table import Connection, LiveTable
from branchline.service.broadcast.readers import Reader
from branchline.service.broadcast.ways import ways_told
from branchline.service.errors import ServiceError, Stale
from branchline.service.http.responses import error_text
from branchline.service.messages import (
    Act,
    Agree,
    Because,
    ClientMessage,
    Done,
    How,
    Ping,
    Pong,
    Refused,
    Reply,
    Say,
    Takeback,
    Trouble,
    Why,
    kind_of,
)
from branchline.service.rooms.direct_moves import End
from branchline.service.rooms.rooms import Rooms
from branchline.service.storage import StoreError
from branchline.service.tables.log_entries import Answered, Said, TakenBack, Wished
from branchline.service.tables.table import Table

MANY: Final = 10  # times that an answer is tried again because another process was faster

_decoder: Final = msgspec.json.Decoder(ClientMessage)
_encode: Final = msgspec.json.Encoder().encode


class SocketSession:
    """Answers the messages of one connection."""

    def __init__(
        self,
        rooms: Rooms,
        live: LiveTable,
        connection: Connection,
        limiters: Limiters,
        address: str = "",
    ) -> None:
        self.rooms: Final = rooms
        self.live: Final = live
        self.connection: Final = connection
        self.lang: Final = connection.lang
        self.limiters: Final = limiters
        self.address: Final = address

    @property
    def seat(self) -> int:
        return self.connection.seat

    async def receive(self, data: bytes | str) -> None:
        """Answer one message."""
        message = self.read(data)
        if message is not None:
            await self.respond(message)

    def read(self, data: bytes | str) -> ClientMessage | None:
        """A message; None: it is not one, and was answered."""
        try:
            message: ClientMessage = _decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            self.rooms.metrics.message_in("")
            self.reply(Trouble("bad_message", say("table.bad_message", self.lang)))
            return None
        self.rooms.metrics.message_in(kind_of(message))
        return message

    def begin(self, message: ClientMessage, end: End) -> bool:
        """Take a move that nothing is in the way of; False: any other message.

        When `end` is told that it has happened, it was answered.
        """
        return isinstance(message, Act) and self.rooms.direct_moves.begin(
            self.live, self.connection, message, end
        )

    def not_stored(self, message: ClientMessage, error: StoreError) -> None:
        """Say that a move which was begun could not be stored."""
        self.rooms.not_stored(self.live)
        self.reply(Refused(message.id, error.code, error_text(error, self.lang)))

    async def respond(self, message: ClientMessage) -> None:
        """Answer a message that was read."""
        self.reply(await self.answer(message))

    def reply(self, reply: Reply) -> None:
        self.rooms.metrics.message_out(kind_of(reply))
        self.connection.send(_encode(reply))

    async def answer(self, message: ClientMessage) -> Reply:
        """What a message is answered with."""
        if not isinstance(message, Act):
            if isinstance(message, Ping):
                return Pong(message.id, self.rooms.now())
            if isinstance(message, Why):
                return self._why(message)
            if isinstance(message, How):
                return ways_told(self._reader(), message.id, message.route)
        lock = self.live.lock
        try:
            for _ in range(MANY):
                await lock.acquire()
                try:
                    number = await self._do(message)
                except Stale:
                    continue
                finally:
                    lock.release()
                return Done(message.id, self.live.table.number_for(self.seat, number))
            raise ServiceError("busy")
        except IllegalAction as error:
            text = self._reader().words.refusal(error.refusal)
            return Refused(message.id, error.refusal.reason, text, error.refusal.rule)
        except (ServiceError, StoreError) as error:
            return Refused(message.id, error.code, error_text(error, self.lang))

    def _reader(self) -> Reader:
        return Reader(self.live.table, self.seat, self.lang, self.connection.cities)

    # --- requests, with the lock held; each returns the number of its entry ----------------------

    async def _do(self, message: Act | Takeback | Agree | Say) -> int:
        table, seat = self.live.table, self.seat
        if seat >= 0 and seat not in table.seats_of(self.connection.key):
            raise ServiceError("not_your_seat", status=403)
        done = table.done(seat, message.id) if seat >= 0 else 0
        if done:
            return done
        if isinstance(message, Say):
            return await self._say(message)
        if seat < 0:
            raise ServiceError("spectator", status=403)
        if isinstance(message, Agree):  # the word of a person, whoever plays
            return await self._agree(message)
        if table.seats[seat].bot:
            raise ServiceError("bot_plays")
        if isinstance(message, Takeback):
            return await self._takeback(message)
        decision = table.number_from(seat, message.decision)
        return await self.rooms.act(self.live, seat, decision, message.steps, "person", message.id)

    async def _say(self, message: Say) -> int:
        table = self.live.table
        if not table.table_state.chat:
            raise ServiceError("chat_is_off", status=403)
        if self.seat < 0 and table.status != "over":
            raise ServiceError("spectator", status=403)  # a watcher could tell what others hold
        text = visible(message.text, joiners=True)
        if not text.strip(JOINERS):
            raise ServiceError("bad_message", status=422)
        if len(text) > self.limiters.limits.chat_length:
            raise ServiceError("bad_message", status=422)
        if self.limiters.chat.take(f"{table.id} {self.seat}") > 0:
            raise ServiceError("too_fast", status=429)
        if self.seat < 0:
            return await self.rooms.append(self.live, Said(self.seat, "", text))
        said = Said(self.seat, table.seats[self.seat].name, text, message.id)
        return await self.rooms.append(self.live, said)

    async def _takeback(self, message: Takeback) -> int:
        table, seat = self.live.table, self.seat
        move = table.number_from(seat, message.move)
        step = table.step_at(move)
        if step is None or step.seat != seat or table.status != "playing":
            raise ServiceError("no_such_move")
        if table.gone_since(move):
            raise ServiceError("gone_since")
        if self.limiters.weigh(self.address, table.number) > 0:
            raise ServiceError("too_fast", status=429)  # the whole log may have to be read again
        if table.may_undo(seat, move):
            quiet = table.stays_quiet(move)
            return await self.rooms.append(self.live, TakenBack(seat, move, message.id, quiet))
        return await self.rooms.append(self.live, Wished(seat, move, message.id))

    async def _agree(self, message: Agree) -> int:
        table, seat = self.live.table, self.seat
        wish = table.table_state.wish
        if wish is None or wish.request != table.number_from(seat, message.request):
            raise ServiceError("no_such_wish")
        if wish.seat == seat and not message.yes:
            return await self.rooms.append(
                self.live, Answered(seat, wish.request, False, message.id)
            )
        if seat not in table.must_agree(wish.seat) or seat in wish.agreed:
            raise ServiceError("no_such_wish")
        answer = Answered(seat, wish.request, message.yes, message.id)
        number = await self.rooms.append(self.live, answer)
        table, wish = self.live.table, self.live.table.table_state.wish
        if wish is not None and holders(table, table.must_agree(wish.seat)) <= holders(
            table, wish.agreed
        ):
            await self.rooms.append(self.live, TakenBack(wish.seat, wish.move))
        return number

    def _why(self, message: Why) -> Reply:
        """Why an action, or any claim of a route, is not allowed now."""
        table, seat = self.live.table, self.seat
        words = self._reader().words
        state = table.state
        if state is None or seat < 0:
            return Because(message.id, say("table.not_playing", self.lang))
        refusals: list[Refusal] = []
        for action in asked_about(message, words):
            refusal = state.why_not(seat, action)
            if refusal is None:
                return Because(message.id, "")
            refusals.append(refusal)
        if not refusals:
            return Because(message.id, say("table.no_such_route", self.lang))
        refusal = nearest(refusals)
        rule = rule_text(refusal.rule, self.lang, words.vocabulary.of_rules())
        return Because(message.id, words.refusal(refusal), rule.id, rule.title)


def holders(table: Table, seats: Sequence[int]) -> set[str]:
    """Who holds these seats; people who share a device answer once for all of them."""
    return {table.seats[seat].key for seat in seats}


def asked_about(message: Why, words: Words) -> list[int]:
    """The actions that a question is about; none if it names nothing of this board."""
    if message.action is not UNSET:
        return [message.action]
    if message.notation is not UNSET:
        try:
            return [parse_action(words.game, message.notation)]
        except NotationError:
            return []
    return words.game.claims_of(message.route) if message.route is not UNSET else []
