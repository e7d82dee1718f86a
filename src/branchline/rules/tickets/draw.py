"""Drawing tickets as an action (BASE-9), and what tickets score (BASE-11)."""

from __future__ import annotations

from typing import Final

from branchline.core.graph import find, join
from branchline.core.machine import i64, vec
from branchline.engine.facts import Action, Sentence, Values
from branchline.engine.flow import TURN, end_turn
from branchline.engine.game import Game
from branchline.engine.layout import HELD, column
from branchline.engine.outcome import Tally
from branchline.engine.rule import ON_SCORE, ON_TURN, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.tickets.choice import Choice

DRAW: Final = 1  # a kind of action (0 is Choice's)

LEAST: Final = 0  # register: how many must be kept


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
        self.parent = column([0] * game.layout.cities)
        game.score_subjects["ticket_done"] = "ticket"
        game.score_subjects["ticket_failed"] = "ticket"

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
        assert self.choice is not None
        if action == self.action:
            self.offer(s, seat, self.draw)
        else:
            s.kept(seat, self.choice.mask(action), self.out)
            end_turn(s)

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

    def facts(self, action: i64, view: View | None) -> Action:
        assert self.choice is not None
        if action != self.action:
            offered = view.offered if view is not None else None
            return self.choice.facts(action, self.write(action), offered)
        values: Values = {"count": self.drawn(view, 0)}
        return Action(action, "tickets", self.write(action), values, group=self.name)

    def drawn(self, view: View | None, more: i64) -> int:
        """How many tickets a draw shows, with `more` than usual, as far as there are enough."""
        wanted = int(self.draw + more)
        return wanted if view is None else min(wanted, view.ticket_deck_size)

    def tickets_in_question(self, view: View) -> list[int]:
        return view.offered

    def components(self) -> list[Sentence]:
        assert self.game is not None
        tickets = self.game.board.tickets
        long = sum([1 for ticket in tickets if ticket.long])
        values: Values = {"count": len(tickets), "long": long}
        return [Sentence("tickets_long" if long else "tickets", values)]

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
