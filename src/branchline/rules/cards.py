"""Train-car cards: the deck and the display, drawing, and the three-locomotive reset."""

from __future__ import annotations

from typing import Final

from branchline.core.board import Board
from branchline.core.machine import i64, vec
from branchline.engine.events import NOBODY, EventKind
from branchline.engine.game import Game
from branchline.engine.rule import ON_SETUP, ON_TURN, ON_TURN_END, Refusal, Rule
from branchline.engine.state import TURN, State
from branchline.engine.table import PUBLIC, Table

LEFT: Final = 0  # register: cards still to draw

TOO_FEW_OTHERS: Final = 2  # why a display stays

TAKE: Final = 0
BLIND: Final = 1


class Deck(Rule):
    """The cards, the opening hands and the display (BASE-1, RU-2)."""

    def __init__(
        self, cite: str, board: Board, per_colour: i64, locomotives: i64, hand: i64, display: i64
    ) -> None:
        super().__init__("deck", cite, 10, ON_SETUP | ON_TURN_END)
        self.per_colour: Final = per_colour
        self.locomotives: Final = locomotives
        self.hand: Final = hand
        self.deck_cards = per_colour * len(board.colours) + locomotives
        self.display_slots = display
        self.resets: LocomotiveReset | None = None
        self.table: Table | None = None

    def initial(self, d: vec[i64]) -> None:
        t = self.table
        assert t is not None
        for seat in range(t.seats):
            d[t.trains + seat] = t.board.trains
        for slot in range(t.display_size):
            d[t.display + slot] = t.blank
        d[t.gaps] = t.display_size

    def link(self, game: Game) -> None:
        self.table = game.table
        rule = game.rule_named("locomotive_reset")
        if rule is not None:
            assert isinstance(rule, LocomotiveReset)
            self.resets = rule

    def setup(self, s: State) -> None:
        d, t = s.d, s.t
        n: i64 = 0
        for kind in range(t.kinds):
            for _ in range(self.locomotives if kind == t.loco else self.per_colour):
                d[t.deck + n] = kind
                n += 1
        s.shuffle_deck(n)
        s.deck_made(n, 1)
        for seat in range(t.seats):
            for _ in range(self.hand):
                s.draw(seat)
        self.fill(s)

    def fill(self, s: State) -> None:
        """Fill the gaps of the display, and replace it as often as it takes (BASE-5, RU-1).

        This ends. A display is replaced only while enough other cards exist, and whenever the deck
        runs out, all cards but the few that the display already shows are shuffled. So each deck
        has a chance, the same every time, to begin with a display that may stay.
        """
        if s.d[s.t.gaps] == 0:
            return
        while self.fill_gaps(s):
            s.reset()
            s.renew_deck()

    def fill_gaps(self, s: State) -> bool:
        """Put a card on every empty place, as far as there are cards.

        True if the display must now be replaced. A display that the last card of the deck spoils is
        discarded before the discards are shuffled (BASE-6): two fives with three locomotives each
        would otherwise take turns for ever.
        """
        d, t = s.d, s.t
        due = False
        slot: i64 = 0
        while slot < t.display_size:
            if d[t.display + slot] == t.blank:
                card: i64 = s.top()
                if card == t.blank:
                    return due
                s.filled(slot, card)
                due = self.resets is not None and self.resets.due(s)
                if d[t.deck_len] == 0:
                    if due:
                        return True
                    s.renew_deck()
            slot += 1
        return due

    def turn_ended(self, s: State, seat: i64) -> bool:
        self.fill(s)
        return False


class LocomotiveReset(Rule):
    """A display with too many locomotives is discarded and replaced (BASE-5, RU-1)."""

    def __init__(self, cite: str, at: i64) -> None:
        super().__init__("locomotive_reset", cite, 11, ON_TURN_END)
        self.at: Final = at
        self.stays: i64 = 0
        self.event: EventKind | None = None
        self.deck: Deck | None = None

    def declare(self, game: Game) -> None:
        self.stays = game.table.layout.add("display_stays", 1, PUBLIC)
        self.event = game.add_event(self.index, 0, "DisplayStayed", "reason")

    def link(self, game: Game) -> None:
        rule = game.rule_named("deck")
        assert isinstance(rule, Deck)
        self.deck = rule

    def due(self, s: State) -> bool:
        """Whether the display, on which a card has just been put, must be replaced.

        One that stays although it shows too many locomotives is told each time (RU-1).
        """
        if self.locomotives_shown(s) >= self.at:
            if self.others_suffice(s):
                return True
            self.stayed(s, TOO_FEW_OTHERS)
        elif s.d[self.stays] != 0:
            self.stayed(s, 0)
        return False

    def locomotives_shown(self, s: State) -> i64:
        d, t = s.d, s.t
        shown: i64 = 0
        slot: i64 = 0
        while slot < t.display_size:
            if d[t.display + slot] == t.loco:
                shown += 1
            slot += 1
        return shown

    def others_suffice(self, s: State) -> bool:
        """Whether a new display could show few enough locomotives (RU-1)."""
        d, t = s.d, s.t
        cards: i64 = 0
        locos: i64 = 0
        for slot in range(t.display_size):
            if d[t.display + slot] != t.blank:
                cards += 1
        locos = self.locomotives_shown(s)
        for k in range(d[t.deck_len]):
            if d[t.deck + k] < t.special:
                cards += 1
                if d[t.deck + k] == t.loco:
                    locos += 1
        cards += d[t.discard_size]
        locos += d[t.discard + t.loco]
        shown: i64 = min(t.display_size, cards)
        return cards - locos >= shown - (self.at - 1)

    def stayed(self, s: State, reason: i64) -> None:
        """The display stays although it shows too many locomotives, for want of other cards.

        Reason 0: it no longer shows too many. In records of version 0.1, reason 1: it has been
        replaced three times in a row.
        """
        s.d[self.stays] = reason
        if s.log is not None and self.event is not None:
            s.log.add(self.event, NOBODY, [reason])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        self.stayed(s, numbers[0])

    def turn_ended(self, s: State, seat: i64) -> bool:
        if self.locomotives_shown(s) < self.at:
            if s.d[self.stays] != 0:
                self.stayed(s, 0)
        elif self.others_suffice(s):
            # What was discarded in this turn has made it possible.
            s.reset()
            s.renew_deck()
            assert self.deck is not None
            self.deck.fill(s)
        return False


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
        self.take = game.add_actions(self, TAKE, game.table.kinds)
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
        assert self.game is not None
        if left > 0 and self.possible(s, left):
            s.d[s.t.reg + LEFT] = left
            s.ask(self.phase, self.game.turn_bit[seat])
        else:
            self.game.end_turn(s)

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

    def write(self, action: i64) -> str:
        if action == self.blind:
            return "draw"
        assert self.game is not None
        return f"take {self.game.card_name(action - self.take)}"
