"""The lobby: everything around a game. Creating tables, taking seats, bots, links, rematches."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from typing import Final

from branchline.bots import bot_names
from branchline.engine.seed_draw import seat_promise
from branchline.service.access.keys import hash_key, new_token
from branchline.service.access.visible_text import visible
from branchline.service.broadcast.live_table import LiveTable
from branchline.service.errors import ServiceError, Stale
from branchline.service.messages import ClockRule
from branchline.service.rooms.rooms import Rooms
from branchline.service.tables.log_entries import (
    AnyEntry,
    BotGone,
    BotSeated,
    ChatSet,
    Created,
    Left,
    Opened,
    Promised,
    Rematched,
    Seated,
)
from branchline.service.tables.seed_drawing import STAND_IN, missed, new_part
from branchline.service.tables.table import Table

LINK_LIFE: Final = 15 * 60 * 1000  # milliseconds
NO_CLOCK: Final = ClockRule()
MAX_PACE: Final = 10_000
CLOCK_LIMITS: Final = {"none": (0, 0), "move": (5, 7 * 86_400), "game": (30, 30 * 86_400)}


def clean_name(name: str, longest: int) -> str:
    """A name without what can't be seen; raises `ServiceError` if nothing is left or too much."""
    text = visible(name)
    if not 0 < len(text) <= longest:
        raise ServiceError("bad_name", {"most": longest}, 422)
    return text


def link_hash(key: str, token: str) -> str:
    """What is stored of a link: it is worth nothing when the seat has another holder."""
    return hash_key(f"{key} {token}")


def check_clock(clock: ClockRule) -> ClockRule:
    low, high = CLOCK_LIMITS.get(clock.kind, (1, 0))
    if not low <= clock.seconds <= high or clock.timeout not in ("move", "seat"):
        raise ServiceError("bad_clock", status=422)
    return clock


class Lobby:
    """What people do around a game; `key` is always the hash of the browser's secret."""

    def __init__(self, rooms: Rooms, name_length: int, bots: Sequence[str] = ()) -> None:
        self.rooms: Final = rooms
        self.name_length: Final = name_length
        self.bots: Final = bots
        """Bots that are offered in addition to those that have a name."""

    async def create(
        self,
        key: str,
        board: str,
        seats: int,
        name: str,
        bots: Sequence[str | None] = (),
        public: bool = False,
        clock: ClockRule = NO_CLOCK,
        first: int | None = None,
        pace: int = 0,
        chat: bool = True,
        here: Sequence[str | None] = (),
        takes_part: bool = False,
    ) -> LiveTable:
        """A new table; its maker has the first seat.

        `bots` and `here` are for the seats after it: the level of a bot, or the name of someone who
        plays on the maker's device.
        """
        found = self.rooms.boards.named(board)
        self.rooms.boards.game(found.digest, seats)  # raises if the board does not seat so many
        if first is not None and not 0 <= first < seats:
            raise ServiceError("no_such_seat", {"seat": first, "seats": seats}, 422)
        twice = any(level and other for level, other in zip(bots, here, strict=False))
        if max(len(bots), len(here)) > seats - 1 or twice or not 0 <= pace <= MAX_PACE:
            raise ServiceError("bad_table", status=422)
        created = Created(
            *(found.id, found.digest, seats, public, check_clock(clock), first, pace, chat),
            part=new_part(),
        )
        begun: list[AnyEntry] = [Seated(0, clean_name(name, self.name_length), key, takes_part)]
        for k, level in enumerate(bots):
            if level is not None:
                begun.append(BotSeated(k + 1, self._check_level(level), secrets.token_hex(16)))
        for k, other in enumerate(here):
            if other is not None:
                begun.append(Seated(k + 1, clean_name(other, self.name_length), key, takes_part))
        return await self.rooms.create(created, begun)

    async def sit(
        self, live: LiveTable, key: str, name: str, seat: int | None, takes_part: bool = False
    ) -> int:
        """Take a free seat; whoever has one already keeps it, and only the name changes."""
        name = clean_name(name, self.name_length)
        async with live.lock:
            table = live.table
            own = table.seat_of(key)
            if own >= 0:
                if table.seats[own].name != name:
                    await self.rooms.append(live, Seated(own, name, key))
                await self.rooms.begin_if_full(live)
                return own
            if table.status == "over":
                raise ServiceError("game_over")
            free = [k for k, s in enumerate(table.seats) if s.open]
            free += [k for k, s in enumerate(table.seats) if not s.key and s.bot and s.name]
            if seat is not None and not 0 <= seat < len(table.seats):
                raise ServiceError("no_such_seat", {"seat": seat, "seats": len(table.seats)}, 422)
            if not free or (seat is not None and seat not in free):
                raise ServiceError("seat_taken")
            seat = free[0] if seat is None else seat
            await self.rooms.append(live, Seated(seat, name, key, takes_part))
            await self.rooms.begin_if_full(live)
            self.rooms.reseat(live)
            return seat

    async def promise(self, live: LiveTable, key: str, promise: str) -> None:
        """Put in a part of the seed: its hash. It can be replaced until the promises are sealed.

        The same promise once more changes nothing, at any time.
        """
        async with live.lock:
            held = self._seats_of(live, key)
            draw = live.table.table_state.draw
            if any(draw.promises.get(seat) != promise for seat in held):
                if not draw.part or not draw.since or draw.sealed or live.table.state is not None:
                    raise ServiceError("not_drawing")
                await self.rooms.append(live, Promised(held, promise))
            await self.rooms.begin_if_full(live)

    async def reveal(self, live: LiveTable, key: str, nonce: str) -> None:
        """Open one's promise."""
        async with live.lock:
            table, draw = live.table, live.table.table_state.draw
            held = [seat for seat in self._seats_of(live, key) if seat in draw.sealed]
            if not held:
                raise ServiceError("not_drawing")
            if any(draw.promises[seat] != seat_promise(table.id, nonce) for seat in held):
                raise ServiceError("wrong_nonce", status=422)
            if table.state is None and not all(seat in draw.nonces for seat in held):
                await self.rooms.append(live, Opened(held, nonce))
            await self.rooms.begin_if_full(live)

    async def leave(self, live: LiveTable, key: str, seat: int) -> None:
        """Give a seat up; in a game a bot plays on."""
        async with live.lock:
            self._own(live, key, seat)
            if live.table.status == "over":
                raise ServiceError("game_over")
            if self._drawing(live):  # whoever has promised can't go and sit down again
                await self.rooms.append(live, missed([seat]))
                await self.rooms.begin_if_full(live)
                self.rooms.reseat(live)
                return
            playing = live.table.status == "playing"
            level, seed = (STAND_IN, secrets.token_hex(16)) if playing else ("", "")
            await self.rooms.append(live, Left(seat, level, seed, live.table.seats[seat].name))
            self.rooms.reseat(live)
            self._forget_notices(live, seat)

    async def rename(self, live: LiveTable, key: str, seat: int, name: str) -> None:
        name = clean_name(name, self.name_length)
        async with live.lock:
            self._own(live, key, seat)
            if live.table.seats[seat].bot:
                raise ServiceError("seat_taken")
            if live.table.seats[seat].name != name:
                await self.rooms.append(live, Seated(seat, name, key))

    async def seat_bot(self, live: LiveTable, key: str, seat: int, level: str) -> None:
        """Let a bot play one's own seat, or, as the host, one that is open."""
        self._check_level(level)
        async with live.lock:
            table = live.table
            if not 0 <= seat < len(table.seats):
                raise ServiceError("no_such_seat", {"seat": seat, "seats": len(table.seats)}, 404)
            waiting = table.status == "waiting" and not table.seats[seat].key
            if waiting and table.table_state.host == key:
                pass
            elif table.seats[seat].key != key or table.status != "playing":
                raise ServiceError("not_your_seat", status=403)
            await self.rooms.append(live, BotSeated(seat, level, secrets.token_hex(16)))
            await self.rooms.begin_if_full(live)

    async def unseat_bot(self, live: LiveTable, key: str, seat: int) -> None:
        """Take one's own seat back, or, as the host before the game, open a bot's seat."""
        async with live.lock:
            table = live.table
            if not 0 <= seat < len(table.seats):
                raise ServiceError("no_such_seat", {"seat": seat, "seats": len(table.seats)}, 404)
            s = table.seats[seat]
            if self._drawing(live):
                raise ServiceError("begins_now")
            host = table.status == "waiting" and table.table_state.host == key and not s.key
            if not host and s.key != key:
                raise ServiceError("not_your_seat", status=403)
            if s.bot:
                await self.rooms.append(live, BotGone(seat))

    async def link(self, live: LiveTable, key: str, seat: int) -> str:
        """A token with which another device takes the seat over, once."""
        self._own(live, key, seat)
        token = new_token()
        expires = self.rooms.now() + LINK_LIFE
        hash = link_hash(key, token)
        await self.rooms.store.put_link(hash, live.table.id, seat, expires)
        return token

    async def move(self, live: LiveTable, key: str, token: str) -> int:
        """Take a seat over from another device."""
        async with live.lock:
            table = live.table
            if self._drawing(live):
                raise ServiceError("begins_now")
            seat = await self._linked(table, token)
            if table.seat_of(key) not in (-1, seat):
                raise ServiceError("seated_already")
            s = table.seats[seat]
            await self._insist(live, s.key, Seated(seat, s.name, key, s.takes_part))
            if s.bot:
                await self._insist(live, key, BotSeated(seat, s.bot, secrets.token_hex(16)))
            self.rooms.reseat(live)
            self._forget_notices(live, seat)
        return seat

    async def _insist(self, live: LiveTable, holder: str, entry: Seated | BotSeated) -> None:
        """Append an entry for a seat, whoever else writes, as long as the seat has this holder."""
        while live.table.seats[entry.seat].key == holder:
            with contextlib.suppress(Stale):
                await self.rooms.append(live, entry)
                return
        raise ServiceError("link_used", status=410)

    def _forget_notices(self, live: LiveTable, seat: int) -> None:
        """Whoever holds the seat now has not asked to be told of its turns."""
        self.rooms.later(self.rooms.store.put_notice(live.table.id, seat, None))

    async def _linked(self, table: Table, token: str) -> int:
        """The seat of a link that its maker still holds; the link is used up."""
        for seat, s in enumerate(table.seats):
            if s.key:
                hash = link_hash(s.key, token)
                if await self.rooms.store.take_link(hash, self.rooms.now()) == (table.id, seat):
                    return seat
        raise ServiceError("link_used", status=410)

    async def chat(self, live: LiveTable, key: str, on: bool) -> None:
        """The host switches the chat on or off."""
        async with live.lock:
            if live.table.table_state.host != key:
                raise ServiceError("host_only", status=403)
            if live.table.table_state.chat != on:
                await self.rooms.append(live, ChatSet(on))

    async def rematch(self, live: LiveTable, key: str) -> str:
        """The table of the next game, with everyone in the same seat."""
        async with live.lock:
            table, f = live.table, live.table.table_state
            if table.seat_of(key) < 0:
                raise ServiceError("not_your_seat", status=403)
            if table.status != "over":
                raise ServiceError("not_over")
            if f.rematch:
                return f.rematch
            seats: list[AnyEntry] = []
            for k, s in enumerate(table.seats):
                if s.key:
                    seats.append(Seated(k, s.name, s.key, s.takes_part))
                elif s.bot:
                    seats.append(BotSeated(k, s.bot, secrets.token_hex(16)))
            seats.sort(key=lambda e: not (isinstance(e, Seated) and e.key == f.host))
            created = f.created
            following = Created(
                created.board,
                created.digest,
                created.seats,
                created.public,
                created.clock,
                created.first,
                created.pace,
                f.chat,
                f.id,
                table.series(),
                new_part(),
            )
            new = (await self.rooms.create(following, seats)).table.id
            await self.rooms.append(live, Rematched(new))
            return new

    def _check_level(self, level: str) -> str:
        if level not in self.bots and level not in bot_names():
            raise ServiceError("no_such_level", {"level": level[:40]}, 422)
        return level

    def _drawing(self, live: LiveTable) -> bool:
        """Whether the promises are sealed and the cards not dealt."""
        return live.table.state is None and bool(live.table.table_state.draw.sealed)

    def _seats_of(self, live: LiveTable, key: str) -> list[int]:
        held = live.table.seats_of(key)
        if not held:
            raise ServiceError("not_your_seat", status=403)
        return held

    def _own(self, live: LiveTable, key: str, seat: int) -> None:
        seats = live.table.seats
        if not 0 <= seat < len(seats):
            raise ServiceError("no_such_seat", {"seat": seat, "seats": len(seats)}, 404)
        if seats[seat].key != key:
            raise ServiceError("not_your_seat", status=403)
