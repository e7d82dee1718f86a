"""Destination tickets: the opening deal, drawing more, and their points."""

from __future__ import annotations

from typing import Final

from branchline.core.graph import find, join
from branchline.core.machine import i64, vec
from branchline.engine.game import Game
from branchline.engine.outcome import Tally
from branchline.engine.rule import ON_SCORE, ON_SETUP, ON_TURN, TOGETHER, Refusal, Rule
from branchline.engine.state import TURN, State
from branchline.engine.table import HELD, column

KEEP: Final = 0
DRAW: Final = 1

LEAST: Final = 0  # register: how many must be kept


def ones(x: i64) -> i64:
    """How many bits are set."""
    n: i64 = 0
    while x:
        x &= x - 1
        n += 1
    return n


class Choice:
    """The numbered choices of which offered tickets to keep, shared by the rules that need them.

    A choice is a set of offered tickets, each known by its place among them in ascending order.
    """

    def __init__(self, rule: Rule, game: Game, most: i64) -> None:
        self.most: Final = most
        self.base: Final[i64] = game.add_actions(rule, KEEP, (1 << most) - 1) - 1

    def put(self, s: State, offered: i64, least: i64, exact: bool) -> None:
        """Put every choice of at least (or exactly) `least` of the offered tickets."""
        mask: i64 = 1
        end: i64 = 1 << offered
        while mask < end:
            n: i64 = ones(mask)
            if n == least or (n > least and not exact):
                s.put(self.base + mask)
            mask += 1

    def mask(self, action: i64) -> i64:
        return action - self.base

    def write(self, action: i64) -> str:
        mask = self.mask(action)
        return "keep " + " ".join([str(k + 1) for k in range(self.most) if mask >> k & 1])

    def why_not(
        self, action: i64, offered: i64, least: i64, cite: str, exact: bool = False
    ) -> Refusal:
        if self.mask(action) >= 1 << offered:
            return Refusal(cite, "ticket_not_offered", {"offered": offered})
        reason = "keep_wrong_number" if exact else "keep_too_few"
        return Refusal(cite, reason, {"least": least, "offered": offered})


class DrawTickets(Rule):
    """Drawing tickets as an action (BASE-9), and what all tickets are worth (BASE-11)."""

    def __init__(
        self, cite: str, draw: i64, keep: i64, out: bool, after_second_draft: bool
    ) -> None:
        super().__init__("draw_tickets", cite, 50, ON_TURN | ON_SCORE)
        self.after_second_draft: Final = after_second_draft
        self.draw: Final = draw
        self.keep: Final = keep
        self.out: Final[i64] = 1 if out else 0
        self.most: i64 = draw  # the largest offer that any rule makes
        self.game: Game | None = None
        self.action: i64 = 0
        self.phase: i64 = 0
        self.choice: Choice | None = None
        self.blocked_at: i64 = -1  # while this field is 0, no tickets can be drawn
        self.blocked_cite: str = ""
        self.parent: vec[i64] = column([])

    def declare(self, game: Game) -> None:
        self.game = game
        self.action = game.add_actions(self, DRAW, 1)
        self.choice = Choice(self, game, self.most)
        self.phase = game.add_phase("keep_tickets", self)
        self.parent = column([0] * game.table.cities)

    def allowed(self, s: State) -> bool:
        return s.d[s.t.ticket_len] > 0 and (self.blocked_at < 0 or s.d[self.blocked_at] > 0)

    def turn_actions(self, s: State, seat: i64) -> None:
        if self.allowed(s):
            s.put(self.action)

    def legal(self, s: State, seat: i64) -> None:
        assert self.choice is not None
        self.choice.put(s, s.d[s.t.offer_count + seat], s.d[s.t.reg + LEAST], False)

    def offer(self, s: State, seat: i64, wanted: i64) -> None:
        """Show the seat up to `wanted` tickets and ask which to keep."""
        d, t = s.d, s.t
        n: i64 = wanted
        if n > d[t.ticket_len]:
            n = d[t.ticket_len]
        s.offered(seat, n)
        d[t.reg + LEAST] = self.keep
        if n < self.keep:
            d[t.reg + LEAST] = n
        assert self.game is not None
        s.ask(self.phase, self.game.turn_bit[seat])

    def apply(self, s: State, seat: i64, action: i64) -> None:
        assert self.game is not None and self.choice is not None
        if action == self.action:
            self.offer(s, seat, self.draw)
        else:
            s.kept(seat, self.choice.mask(action), self.out)
            self.game.end_turn(s)

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        d, t = s.d, s.t
        if action == self.action and d[t.phase] == TURN:
            if d[t.ticket_len] == 0:
                return Refusal(self.cite, "no_tickets_left")
            return Refusal(self.blocked_cite, "tickets_not_yet")
        if action != self.action and d[t.phase] == self.phase and self.choice is not None:
            offered = d[t.offer_count + seat]
            return self.choice.why_not(action, offered, d[t.reg + LEAST], self.cite)
        return None

    def write(self, action: i64) -> str:
        assert self.choice is not None
        return "tickets" if action == self.action else self.choice.write(action)

    # --- scores ---------------------------------------------------------------------------------

    def network(self, s: State, seat: i64) -> vec[i64]:
        """Which cities the seat's routes join, as a forest of parents."""
        d, t, parent = s.d, s.t, self.parent
        c: i64 = 0
        while c < t.cities:
            parent[c] = c
            c += 1
        r: i64 = 0
        while r < t.routes:
            if d[t.owner + r] == seat + 1:
                join(parent, t.a[r], t.b[r])
            r += 1
        return parent

    def score(self, s: State, tally: Tally) -> None:
        d, t = s.d, s.t
        assert self.game is not None
        seat: i64 = 0
        while seat < t.seats:
            parent = self.network(s, seat)
            for rule in self.game.borrow_rules:
                rule.borrow(s, seat, parent)
            ticket: i64 = 0
            while ticket < t.tickets:
                if d[t.ticket_at + ticket] == HELD + seat:
                    points: i64 = t.ticket_points[ticket]
                    if find(parent, t.ticket_a[ticket]) == find(parent, t.ticket_b[ticket]):
                        tally.done[seat] += 1
                        tally.add(seat, "BASE-11", "ticket_done", points, ticket)
                    else:
                        tally.add(seat, "BASE-11", "ticket_failed", -points, ticket)
                ticket += 1
            seat += 1


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

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        if s.d[s.t.phase] != self.phase or self.choice is None:
            return None
        offered = s.d[s.t.offer_count + seat]
        return self.choice.why_not(action, offered, self.keep, self.cite)

    def write(self, action: i64) -> str:
        assert self.choice is not None
        return "opening " + self.choice.write(action)
