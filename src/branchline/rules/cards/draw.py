"""Drawing cards, from the display or blind (BASE-3, BASE-4, NO-2, NO-8)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.engine.facts import Action, Sentence, Values
from branchline.engine.flow import TURN, end_turn
from branchline.engine.game import Game
from branchline.engine.rule import ON_TURN, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.cards.deck import Deck

LEFT: Final = 0  # register: cards still to draw

TAKE: Final = 0
BLIND: Final = 1


class DrawCards(Rule):
    """Drawing cards, from the display or blind (BASE-3, BASE-4, NO-2, NO-8)."""

    def __init__(self, cite: str, cards: i64, free: bool, needs_deck: str) -> None:
        super().__init__("draw_cards", cite, 20, ON_TURN)
        self.cards: Final = cards
        self.free: Final = free  # a face-up locomotive is a card like any other
        self.needs_deck: Final = needs_deck != ""
        self.needs_deck_cite: Final = needs_deck
        self.take: i64 = 0
        self.blind: i64 = 0
        self.phase: i64 = 0
        self.game: Game | None = None
        self.deck: Deck | None = None

    def declare(self, game: Game) -> None:
        self.game = game
        self.take = game.add_actions(self, TAKE, game.layout.kinds)
        self.blind = game.add_actions(self, BLIND, 1)
        self.phase = game.add_phase("draw", self)

    def link(self, game: Game) -> None:
        rule = game.rule_named("deck")
        assert isinstance(rule, Deck)
        self.deck = rule

    def turn_actions(self, s: State, seat: i64) -> None:
        self.options(s, self.cards)

    def legal(self, s: State, seat: i64) -> None:
        self.options(s, s.d[s.t.reg + LEFT])

    def options(self, s: State, left: i64) -> None:
        """Put what may be drawn with `left` cards still to draw, each kind once."""
        d, t, buf = s.d, s.t, s.buf
        blind = d[t.deck_len] - d[t.specials] + d[t.discard_size] > 0
        if self.needs_deck and left == self.cards and not blind:
            return
        seen: i64 = 1 << t.blank
        if not self.free and left < self.cards:
            seen |= 1 << t.loco
        n: i64 = s.n
        slot: i64 = t.display
        end: i64 = slot + t.display_size
        while slot < end:
            card: i64 = d[slot]
            if seen >> card & 1 == 0:
                seen |= 1 << card
                buf[n] = self.take + card
                n += 1
            slot += 1
        if blind:
            buf[n] = self.blind
            n += 1
        s.n = n

    def possible(self, s: State, left: i64) -> bool:
        """Whether anything may be drawn."""
        n = s.n
        self.options(s, left)
        found = s.n > n
        s.n = n
        return found

    def begin(self, s: State, seat: i64) -> None:
        """Let the seat draw as usual, after something else that belongs to the action."""
        self.go_on(s, seat, self.cards)

    def go_on(self, s: State, seat: i64, left: i64) -> None:
        if left > 0 and self.possible(s, left):
            assert self.game is not None
            s.d[s.t.reg + LEFT] = left
            s.ask(self.phase, self.game.turn_bit[seat])
        else:
            end_turn(s)

    def apply(self, s: State, seat: i64, action: i64) -> None:
        d, t = s.d, s.t
        left: i64 = d[t.reg + LEFT] - 1
        if d[t.phase] == TURN:
            left = self.cards - 1
        if action == self.blind:
            s.draw(seat)
        else:
            card: i64 = action - self.take
            slot: i64 = 0
            while d[t.display + slot] != card:
                slot += 1
            s.took(seat, slot, card)
            assert self.deck is not None
            self.deck.fill(s)
            if card == t.loco and not self.free:
                left = 0
        self.go_on(s, seat, left)

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        d, t = s.d, s.t
        if d[t.phase] != TURN and d[t.phase] != self.phase:
            return None
        if action == self.blind or (self.needs_deck and d[t.phase] == TURN and not s.can_draw()):
            if self.needs_deck and d[t.phase] == TURN:
                return Refusal(self.needs_deck_cite, "deck_empty_no_draw")
            return Refusal("BASE-6", "deck_empty")
        card = action - self.take
        for slot in range(t.display_size):
            if d[t.display + slot] == card:
                return Refusal("BASE-4", "locomotive_as_second")
        return Refusal("BASE-3", "not_on_display", {"card": card})

    def facts(self, action: i64, view: View | None) -> Action:
        kind, values = "draw", Values()
        if action != self.blind:
            kind, values = "take", {"card": action - self.take}
        return Action(action, kind, self.write(action), values, group=self.name, lasting=True)

    def question(self, view: View) -> Sentence | None:
        return Sentence("draw")

    def write(self, action: i64) -> str:
        if action == self.blind:
            return "draw"
        assert self.game is not None
        return f"take {self.game.card_name(action - self.take)}"
