"""Express cards: each strengthens one action, once per game (KR-2, KR-3, KR-4)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.engine.events import EventKind
from branchline.engine.facts import Action, Figure, Sentence, Values
from branchline.engine.flow import TURN
from branchline.engine.game import Game
from branchline.engine.layout import COUNTER, PUBLIC
from branchline.engine.rule import ON_TURN, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.cards.draw import DrawCards
from branchline.rules.tickets.draw import DrawTickets

CARDS: Final = 0
TICKETS: Final = 1


class ExpressCards(Rule):
    """The cards of each seat, and what they do when cards or tickets are drawn."""

    def __init__(self, cite: str, values: list[int]) -> None:
        super().__init__("express_cards", cite, 45, ON_TURN)
        self.values: Final = values
        self.count: Final = len(values)
        self.headline = 4
        self.game: Game | None = None
        self.draw: DrawCards | None = None
        self.tickets: DrawTickets | None = None
        self.unspent: i64 = 0
        self.spent_in: i64 = 0  # the turn in which one was last spent
        self.cards_base: i64 = 0
        self.tickets_base: i64 = 0
        self.event: EventKind | None = None

    def declare(self, game: Game) -> None:
        self.game = game
        self.unspent = game.layout.fields.add(
            "express", game.seats * self.count, PUBLIC, 1, width=self.count
        )
        self.spent_in = game.layout.fields.add("express_spent_in", 1, PUBLIC, holds=COUNTER)
        self.cards_base = game.add_actions(self, CARDS, self.count)
        self.tickets_base = game.add_actions(self, TICKETS, self.count)
        self.event = game.add_event(self.index, 0, "ExpressSpent", "value !card", reveals=False)
        rule = game.rule_named("draw_tickets")
        assert isinstance(rule, DrawTickets)
        rule.most = rule.draw + max(self.values)
        self.tickets = rule

    def link(self, game: Game) -> None:
        rule = game.rule_named("draw_cards")
        assert isinstance(rule, DrawCards)
        self.draw = rule

    def initial(self, d: vec[i64]) -> None:
        assert self.game is not None
        for k in range(self.game.seats * self.count):
            d[self.unspent + k] = 1

    def has(self, s: State, seat: i64, card: i64) -> bool:
        return s.d[self.unspent + seat * self.count + card] == 1

    def ready(self, s: State, seat: i64, card: i64) -> bool:
        """Whether the seat holds the card and has spent none in this turn (KR-2)."""
        return self.has(s, seat, card) and s.d[self.spent_in] != s.d[s.t.turns]

    def turn_actions(self, s: State, seat: i64) -> None:
        assert self.tickets is not None
        more = self.tickets.allowed(s) and s.d[s.t.ticket_len] > self.tickets.draw
        card: i64 = 0
        while card < self.count:
            if self.has(s, seat, card):
                if s.can_draw():
                    s.put(self.cards_base + card)
                if more:
                    s.put(self.tickets_base + card)
            card += 1

    def apply(self, s: State, seat: i64, action: i64) -> None:
        assert self.draw is not None and self.tickets is not None
        if action >= self.tickets_base:
            card: i64 = action - self.tickets_base
            self.spent(s, seat, card)
            self.tickets.offer(s, seat, self.tickets.draw + self.values[card])
            return
        card = action - self.cards_base
        self.spent(s, seat, card)
        for _ in range(self.values[card]):
            if not s.draw(seat):
                break
        self.draw.begin(s, seat)

    def spent(self, s: State, seat: i64, card: i64) -> None:
        """An Express card is used and leaves the game."""
        s.d[self.unspent + seat * self.count + card] = 0
        s.d[self.spent_in] = s.d[s.t.turns]
        if s.log is not None and self.event is not None:
            s.log.add(self.event, seat, [self.values[card], card])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        self.spent(s, seat, numbers[1])

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        assert self.draw is not None and self.tickets is not None
        tickets = action >= self.tickets_base
        card = action - (self.tickets_base if tickets else self.cards_base)
        if s.d[s.t.phase] != TURN:
            if s.d[s.t.phase] != self.draw.phase and s.d[s.t.phase] != self.tickets.phase:
                return None
            if s.d[self.spent_in] == s.d[s.t.turns]:
                return Refusal(self.cite, "express_once_a_turn")
            return Refusal("KR-4" if tickets else "KR-3", "express_too_late")
        if not self.has(s, seat, card):
            return Refusal(self.cite, "express_spent", {"value": self.values[card]})
        if not tickets:
            return Refusal("KR-3", "express_no_cards")
        if not self.tickets.allowed(s):
            return self.tickets.why_not(s, seat, self.tickets.action)
        return Refusal("KR-4", "express_no_tickets", {"count": s.d[s.t.ticket_len]})

    def facts(self, action: i64, view: View | None) -> Action:
        assert self.tickets is not None
        notation = self.write(action)
        if action < self.cards_base + self.count:
            values: Values = {"express": self.values[action - self.cards_base]}
            return Action(action, "express_cards", notation, values, group="draw_cards")
        value = self.values[action - self.tickets_base]
        values = {"express": value, "count": self.tickets.drawn(view, value)}
        return Action(action, "express_tickets", notation, values, group="draw_tickets")

    def components(self) -> list[Sentence]:
        return [Sentence("express", {"bonuses": list(self.values)})]

    def figures(self, view: View, seat: int) -> list[Figure]:
        left = view.of_seat("express", seat)
        cards = [f"+{self.values[k]}" for k in range(self.count) if left[k]]
        return [Figure("express", " ".join(cards) if cards else "–")]

    def extra_cards(self, action: i64) -> i64:
        if action >= self.tickets_base:
            return 0
        return self.values[action - self.cards_base]

    def extra_tickets(self, action: i64) -> i64:
        if action < self.tickets_base:
            return 0
        return self.values[action - self.tickets_base]

    def write(self, action: i64) -> str:
        if action >= self.tickets_base:
            return f"express {self.values[action - self.tickets_base]} tickets"
        return f"express {self.values[action - self.cards_base]} cards"
