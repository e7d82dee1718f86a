"""Notifies people who are away when it becomes their turn."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from branchline.service.broadcast.live_table import LiveTable
from branchline.service.broadcast.readers import seat_name
from branchline.service.notices.notices import Notice, Notices, Target, read_targets, turn_notice
from branchline.service.notices.web_push import Signer
from branchline.service.operations.metrics import Metrics
from branchline.service.rooms.rooms import Rooms
from branchline.service.tables.log_entries import AnyEntry


class Subscription(msgspec.Struct, frozen=True):
    """How someone wants to be notified, with the link to the table and the language."""

    target: Target
    link: str
    lang: str


_decoder: Final = msgspec.json.Decoder(Subscription)


class TurnNotifier:
    """Keeps who subscribed to notices, and sends them."""

    def __init__(self, rooms: Rooms, webhooks: str, metrics: Metrics, signer: Signer) -> None:
        self.rooms: Final = rooms
        self.webhooks: Final = webhooks
        self.notices: Final = Notices(webhooks, metrics, self._gone, signer)
        rooms.followers.append(self._follow)

    async def subscribe(
        self, table: str, seat: int, wish: dict[str, Any], link: str, lang: str
    ) -> None:
        """Store how a seat wants to be notified of its turn, in place of what it asked before."""
        targets = read_targets(wish, self.webhooks)
        await self.rooms.store.put_notice(table, seat, None)
        for target in targets:
            body = msgspec.json.encode(Subscription(target, link, lang))
            await self.rooms.store.put_notice(table, seat, body)

    def _follow(self, live: LiveTable, entry: AnyEntry) -> None:
        number = live.table.number
        for seat, s in enumerate(live.table.seats):
            if s.decision == number and s.person and not live.is_present(seat):
                self.rooms.later(self._notify(live, seat))

    async def _notify(self, live: LiveTable, seat: int) -> None:
        table = live.table
        for body in await self.rooms.store.notices(table.id, seat):
            subscription = _decoder.decode(body)
            board = table.game.board.named(subscription.lang)
            name = seat_name(table.seats[seat], seat, subscription.lang)
            notice = turn_notice(table.id, board, seat, name, subscription.link, subscription.lang)
            self.notices.send(subscription.target, notice)

    async def _gone(self, notice: Notice, target: Target) -> None:
        """A browser's subscription has ended, or an address is gone for good."""
        store, table, seat = self.rooms.store, notice.table, notice.seat
        kept = [b for b in await store.notices(table, seat) if _decoder.decode(b).target != target]
        await store.put_notice(table, seat, None)
        for body in kept:
            await store.put_notice(table, seat, body)
