"""The deck, the opening hands and the display, with the three-locomotive reset."""

from __future__ import annotations

from typing import Final

from branchline.core.board import Board
from branchline.core.machine import i64, vec
from branchline.engine.events import NOBODY, EventKind
from branchline.engine.facts import Sentence, Values
from branchline.engine.game import Game
from branchline.engine.layout import CODE, PUBLIC, Layout
from branchline.engine.rule import ON_SETUP, ON_TURN_END, Rule
from branchline.engine.state import State

TOO_OFTEN: Final = 1  # why a display stays
TOO_FEW_OTHERS: Final = 2
MOST_RESETS: Final = 1000
"""In a row. A deck that is mostly locomotives could otherwise need millions."""


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
        self.layout: Layout | None = None

    def initial(self, d: vec[i64]) -> None:
        t = self.layout
        assert t is not None
        for seat in range(t.seats):
            d[t.trains + seat] = t.board.trains
        for slot in range(t.display_size):
            d[t.display + slot] = t.blank
        d[t.gaps] = t.display_size

    def link(self, game: Game) -> None:
        self.layout = game.layout
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

    def unseen_cards(self, d: vec[i64], counts: vec[i64]) -> None:
        assert self.layout is not None
        for kind in range(self.layout.kinds):
            counts[kind] += self.locomotives if kind == self.layout.loco else self.per_colour

    def fill(self, s: State) -> None:
        """Fill the gaps of the display, and replace it as often as it takes (BASE-5, RU-1).

        This ends. A display is replaced only while enough other cards exist, and whenever the deck
        runs out, all cards but the few that the display already shows are shuffled. So each deck
        has a chance, the same every time, to begin with a display that may stay. Where that chance
        is tiny, the display stays in the end all the same.
        """
        if s.d[s.t.gaps] == 0:
            return
        resets: i64 = 0
        while self.fill_gaps(s, resets < MOST_RESETS):
            s.reset()
            s.renew_deck()
            resets += 1

    def fill_gaps(self, s: State, patient: bool) -> bool:
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
                due = self.resets is not None and self.resets.due(s, patient)
                if d[t.deck_len] == 0:
                    if due:
                        return True
                    s.renew_deck()
            slot += 1
        return due

    def turn_ended(self, s: State, seat: i64) -> bool:
        self.fill(s)
        return False

    def components(self) -> list[Sentence]:
        assert self.layout is not None
        colours = int(self.layout.colours)
        values: Values = {"each": int(self.per_colour), "colours": colours}
        values["wild"] = int(self.locomotives)
        values["count"] = int(self.per_colour) * colours + int(self.locomotives)
        return [Sentence("cards", values)]


class LocomotiveReset(Rule):
    """A display with too many locomotives is discarded and replaced (BASE-5, RU-1)."""

    def __init__(self, cite: str, at: i64) -> None:
        super().__init__("locomotive_reset", cite, 11, ON_TURN_END)
        self.at: Final = at
        self.stays: i64 = 0
        self.event: EventKind | None = None
        self.deck: Deck | None = None

    def declare(self, game: Game) -> None:
        self.stays = game.layout.fields.add("display_stays", 1, PUBLIC, TOO_FEW_OTHERS, CODE)
        self.event = game.add_event(
            self.index, 0, "DisplayStayed", "reason", reveals=False, variant="reason"
        )

    def link(self, game: Game) -> None:
        rule = game.rule_named("deck")
        assert isinstance(rule, Deck)
        self.deck = rule

    def due(self, s: State, patient: bool) -> bool:
        """Whether the display, on which a card has just been put, must be replaced.

        One that stays although it shows too many locomotives is told each time (RU-1).
        """
        if self.locomotives_shown(s) >= self.at:
            if not self.others_suffice(s):
                self.stayed(s, TOO_FEW_OTHERS)
            elif patient:
                return True
            else:
                self.stayed(s, TOO_OFTEN)
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
        """The display stays although it shows too many locomotives.

        Reason 0: it no longer shows too many. In records of version 0.1, three times in a row were
        too often.
        """
        s.d[self.stays] = reason
        if s.log is not None and self.event is not None:
            s.log.add(self.event, NOBODY, [reason])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        self.stayed(s, numbers[0])

    def turn_ended(self, s: State, seat: i64) -> bool:
        if s.d[self.stays] == 0:
            return False  # it has been looked at since a card was put on it
        if self.locomotives_shown(s) < self.at:
            self.stayed(s, 0)
        elif self.others_suffice(s):
            # What was discarded in this turn has made it possible.
            s.reset()
            s.renew_deck()
            assert self.deck is not None
            self.deck.fill(s)
        return False
