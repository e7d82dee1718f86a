"""The opening deal of tickets (BASE-13, NY-2, NO-1, RU-12)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.core.rng import Rng, shuffle
from branchline.engine.facts import Action
from branchline.engine.game import Game
from branchline.engine.layout import HELD, OFFERED, OUT, REJECTED, column
from branchline.engine.rule import ON_SETUP, TOGETHER, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.engine.worlds import Secret, Worlds
from branchline.rules.tickets.choice import Choice


class OpeningTickets(Rule):
    """The opening deal: everyone chooses at the same time (BASE-13, NY-2, NO-1, RU-12)."""

    def __init__(self, cite: str, deal: i64, keep: i64, out: bool, long: i64) -> None:
        super().__init__("opening_tickets", cite, 95, ON_SETUP)
        self.deal: Final = deal
        self.keep: Final = keep
        self.long: Final = long
        self.out: Final[i64] = 1 if out else 0
        self.game: Game | None = None
        self.choice: Choice | None = None
        self.phase: i64 = 0

    def declare(self, game: Game) -> None:
        self.game = game
        self.choice = Choice(self, game, self.deal + self.long)
        self.phase = game.add_phase("opening_tickets", self, TOGETHER)

    def setup(self, s: State) -> None:
        d, t = s.d, s.t
        long: list[int] = []
        n: i64 = 0
        for ticket in t.board.tickets:
            if ticket.long and self.long > 0:
                long.append(ticket.index)
        if long:
            self.deal_long(s, long)
        for ticket in t.board.tickets:
            if self.long == 0 or not ticket.long:
                d[t.ticket_deck + n] = ticket.index
                n += 1
        s.shuffle_tickets(n)
        s.ticket_deck_made(n)
        for seat in range(t.seats):
            s.offered(seat, self.deal)
        s.ask(self.phase, (1 << t.seats) - 1)

    def deal_long(self, s: State, long: list[int]) -> None:
        """Long tickets have a deck of their own, whose rest leaves the game."""
        d, t = s.d, s.t
        n: i64 = len(long)
        for k in range(n):
            d[t.ticket_deck + k] = long[k]
        s.shuffle_tickets(n)
        s.ticket_deck_made(n)
        for _ in range(self.long):
            for seat in range(t.seats):
                s.offered(seat, 1)
        s.tickets_gone()

    def legal(self, s: State, seat: i64) -> None:
        assert self.choice is not None
        self.choice.put(s, s.d[s.t.offer_count + seat], self.keep, False)

    def resolve(self, s: State) -> None:
        d, t = s.d, s.t
        assert self.game is not None and self.choice is not None
        for k in range(t.seats):
            seat: i64 = (d[t.first] + k) % t.seats
            s.kept(seat, self.choice.mask(d[t.choice + seat] - 1), self.out)
        s.turn_began(d[t.first])

    def secret(self, worlds: Worlds) -> Secret | None:
        return LongTickets(self, worlds) if self.long > 0 else None

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        if s.d[s.t.phase] != self.phase or self.choice is None:
            return None
        offered = s.d[s.t.offer_count + seat]
        return self.choice.why_not(action, offered, self.keep, self.cite)

    def facts(self, action: i64, view: View | None) -> Action:
        assert self.choice is not None
        offered = view.offered if view is not None else None
        return self.choice.facts(action, self.write(action), offered)

    def tickets_in_question(self, view: View) -> list[int]:
        return view.offered

    def write(self, action: i64) -> str:
        assert self.choice is not None
        return "opening " + self.choice.write(action)


class LongTickets(Secret):
    """Which long tickets the rivals were dealt, and which they kept."""

    def __init__(self, rule: OpeningTickets, worlds: Worlds) -> None:
        t, d = worlds.t, worlds.base
        self.rule: Final = rule
        self.worlds: Final = worlds
        self.dealing: Final = d[t.phase] == rule.phase
        long = [k.index for k in t.board.tickets if k.long]
        self.unknown: Final = column([k for k in long if not worlds.knows(k)])
        self.work: Final = column([0] * len(long))
        self.rejected: Final = column([0] * t.seats)
        # Tickets that were put out of the game after they were dealt.
        self.out: i64 = 0
        if rule.out == 1:
            self.out = worlds.unknown_n - worlds.open_n - (len(long) - t.seats * rule.long)
            for rival in worlds.rivals:
                self.out -= d[t.ticket_count + rival] + d[t.offer_count + rival]

    def place_tickets(self, s: State, rng: Rng) -> None:
        worlds, work, rule = self.worlds, self.work, self.rule
        n: i64 = len(self.unknown)
        for k in range(n):
            work[k] = self.unknown[k]
        shuffle(rng, work, 0, n)
        self.share_rejected(s, rng)
        at: i64 = 0
        order = worlds.rivals[:]
        shuffle(rng, order, 0, len(order))
        for rival in order:
            dealt: i64 = rule.deal + rule.long
            rejected: i64 = self.rejected[rival]
            for _ in range(rule.long):
                if at == n:
                    break
                ticket: i64 = work[at]
                if self.dealing:
                    worlds.settle(s, ticket, OFFERED + rival)
                elif rng.below(dealt) < rejected:
                    rejected -= 1
                    if rule.out == 1:
                        worlds.settle(s, ticket, REJECTED + rival)
                elif worlds.held_left[rival] > 0:
                    ticket = worlds.take(rival, work, at, n - at, rng)
                    worlds.settle(s, ticket, HELD + rival)
                dealt -= 1
                at += 1
        while at < n:
            worlds.settle(s, work[at], OUT)
            at += 1

    def share_rejected(self, s: State, rng: Rng) -> None:
        """How many of the tickets that it was dealt each rival has rejected.

        Who holds few tickets must have; beyond that the view only tells how many there are in all.
        """
        d, t, rule = s.d, s.t, self.rule
        dealt: i64 = rule.deal + rule.long
        left: i64 = self.out
        room: list[int] = []
        for rival in self.worlds.rivals:
            least: i64 = max(0, dealt - d[t.ticket_count + rival])
            self.rejected[rival] = least
            left -= least
            for _ in range(dealt - rule.keep - least):
                room.append(rival)
        order = column(room)
        shuffle(rng, order, 0, len(room))
        for k in range(min(left, len(room))):
            self.rejected[order[k]] += 1
