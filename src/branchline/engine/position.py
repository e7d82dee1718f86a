"""A seat's position in numbers: what a bot reads from a view, and what it expects.

Rules use it to say what a claim or an action of theirs is worth to a seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from branchline.core.machine import i64, vec
from branchline.engine.game import Game
from branchline.engine.layout import CLOSED, Layout, column
from branchline.engine.view import MINE, OFFERED_TO_ME, PICKED_BY_ME, View, write_visible

if TYPE_CHECKING:
    from branchline.engine.state import State


class Position:
    """Read again for every decision. It holds what the view holds, and no reference to a state."""

    def __init__(self, game: Game, seat: i64) -> None:
        t = game.layout
        self.game: Final = game
        self.t: Final[Layout] = t
        self.seat: Final[i64] = seat
        self.seats: Final[i64] = t.seats

        # What the view shows.
        self.data: vec[i64] = column([])
        self.own_data: vec[i64] = column([])  # where what is seen of a world is written
        self.phase: i64 = 0
        self.turns: i64 = 0
        self.last: i64 = 0
        self.locos: i64 = 0
        self.cards: i64 = 0
        self.trains: i64 = 0
        self.hand: Final[vec[i64]] = column([0] * t.kinds)
        self.owner: Final[vec[i64]] = column([0] * t.routes)
        self.open: Final[vec[i64]] = column([0] * t.routes)  # 1: this seat may claim it
        self.touched: Final[vec[i64]] = column([0] * t.cities)
        self.held: list[int] = []
        self.offered: list[int] = []
        self.picked: list[int] = []
        self.in_question: list[int] = []  # the tickets that the open decision is about
        self.ticket_deck: i64 = 0
        self.deck: i64 = 0

        # What the player expects, in turns, points and cards.
        self.turns_left: float = 30.0
        self.card_price: float = 0.0
        self.spare: Final[vec[i64]] = column([0] * t.kinds)  # cards that no plan needs
        self.open_tickets: list[int] = []  # held, and not completed
        self.network: vec[i64] = column([])  # which cities its routes join, as a forest

        # Where the view shows it.
        self.at_phase: Final[i64] = self.at("phase")
        self.at_turns: Final[i64] = self.at("turns")
        self.at_last: Final[i64] = self.at("last")
        self.at_hand: Final[i64] = self.at("hand")
        self.at_trains: Final[i64] = self.at("trains")
        self.at_ticket_len: Final[i64] = self.at("ticket_len")
        self.at_deck_len: Final[i64] = self.at("deck_len")
        self.at_specials: Final[i64] = self.at("specials")
        self.at_discard: Final[i64] = self.at("discard")
        self.at_discard_size: Final[i64] = self.at("discard_size")
        self.at_owner: Final[i64] = self.at("owner")
        self.at_tickets: Final[i64] = self.at("tickets")

    def at(self, name: str) -> i64:
        """The offset of a field in the view."""
        return self.game.view_fields[name].offset

    def read(self, view: View) -> None:
        """Read a view."""
        self.read_numbers(view.data)
        self.in_question = view.in_question

    def read_world(self, s: State) -> None:
        """Read a world as the seat would see it, but not which tickets are in question."""
        if len(self.own_data) == 0:
            self.own_data = self.game.view_buffer[:]
        write_visible(s, self.seat, self.own_data)
        self.read_numbers(self.own_data)

    def read_numbers(self, d: vec[i64]) -> None:
        """Read the numbers of a view."""
        t = self.t
        self.data = d
        self.phase = d[self.at_phase]
        self.turns = d[self.at_turns]
        self.last = d[self.at_last]
        hand: i64 = self.at_hand
        self.cards = 0
        kind: i64 = 0
        while kind < t.kinds:
            self.hand[kind] = d[hand + kind]
            self.cards += d[hand + kind]
            kind += 1
        self.locos = self.hand[t.loco]
        self.trains = d[self.at_trains + self.seat]
        self.ticket_deck = d[self.at_ticket_len]
        self.deck = d[self.at_deck_len] - d[self.at_specials] + d[self.at_discard_size]
        owner, is_open, touched = self.owner, self.open, self.touched
        owners: i64 = self.at_owner
        me: i64 = self.seat + 1
        city: i64 = 0
        while city < t.cities:
            touched[city] = 0
            city += 1
        r: i64 = 0
        while r < t.routes:
            owner[r] = d[owners + r]
            is_open[r] = 0
            if owner[r] == me:
                touched[t.a[r]] = 1
                touched[t.b[r]] = 1
            elif owner[r] == 0 and (t.twin[r] < 0 or d[owners + t.twin[r]] != me):
                is_open[r] = 1
            r += 1
        self.read_tickets(d)

    def read_tickets(self, d: vec[i64]) -> None:
        at: i64 = self.at_tickets
        self.held = []
        self.offered = []
        self.picked = []
        ticket: i64 = 0
        while ticket < self.t.tickets:
            what: i64 = d[at + ticket]
            if what == MINE:
                self.held.append(ticket)
            elif what == OFFERED_TO_ME:
                self.offered.append(ticket)
            elif what == PICKED_BY_ME:
                self.picked.append(ticket)
            ticket += 1

    def unseen(self) -> list[int]:
        """The tickets that, as far as this seat knows, may still be in the deck."""
        at: i64 = self.at("tickets")
        return [k for k in range(self.t.tickets) if self.data[at + k] == 0]

    def rival(self, owner: i64) -> bool:
        """Whether a route's owner is another player."""
        return owner != 0 and owner != CLOSED and owner != self.seat + 1

    def touches(self, city: i64) -> bool:
        """Whether one of the seat's own routes touches a city."""
        return self.touched[city] == 1
