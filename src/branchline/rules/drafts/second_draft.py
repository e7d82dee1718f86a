"""The draft that a card in the deck sets off (IB-1, IB-4, IB-5, IB-7, RU-7, RU-8)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.core.rng import DRAFT_CARD, TICKETS, Rng, shuffle, stream
from branchline.engine.events import NOBODY
from branchline.engine.flow import end_turn
from branchline.engine.game import Game
from branchline.engine.layout import LEFT_OVER, PUBLIC, column
from branchline.engine.rule import AFTER_TURN, ON_CARD, ON_SETUP, ON_TURN_END, TOGETHER
from branchline.engine.state import State
from branchline.engine.worlds import Secret, Worlds
from branchline.rules.drafts.drafting import Drafting
from branchline.rules.tickets.draw import DrawTickets

RETURNED: Final = 4  # events, after those of every draft
CARD_DRAWN: Final = 5
FINISHED: Final = 6

SPREAD: Final = 20  # the draft card lies within a twentieth of the deck around its share (RU-7)


class SecondDraft(Drafting):
    """The draft that a card in the deck sets off (IB-1, IB-4, IB-5, IB-7, RU-7, RU-8)."""

    def __init__(
        self, cite: str, deal: i64, keep: i64, left: bool, above: list[int], of: list[int]
    ) -> None:
        super().__init__(
            "second_draft", "Second", cite, 90, ON_SETUP | ON_CARD | ON_TURN_END, deal, keep, left
        )
        self.above: Final = above  # by number of seats: above/of of the deck lies above the card
        self.of: Final = of
        self.deck_cards = 1
        self.flags = TOGETHER | AFTER_TURN
        self.headline = 2
        self.card: i64 = 0
        self.due: i64 = 0
        self.over: i64 = 0

    def declare(self, game: Game) -> None:
        super().declare(game)
        self.kinds += [
            game.add_event(self.index, RETURNED, "TicketsReturned", "count !order*"),
            game.add_event(self.index, CARD_DRAWN, "DraftCardDrawn", ""),
            game.add_event(self.index, FINISHED, "SecondDraftEnded", ""),
        ]
        self.card = game.add_specials(1)
        game.fixed_cards.append(self.card)
        self.due = game.layout.fields.add("second_draft_due", 1, PUBLIC, 1)
        self.over = game.layout.fields.add("second_draft_over", 1, PUBLIC, 1)

    def link(self, game: Game) -> None:
        super().link(game)
        rule = game.rule_named("draw_tickets")
        assert isinstance(rule, DrawTickets)
        if rule.after_second_draft:
            rule.blocked_at = self.over
            rule.blocked_cite = "IB-7"

    def setup(self, s: State) -> None:
        d, t = s.d, s.t
        n: i64 = d[t.deck_len]
        low: i64 = self.least_above(t.seats, n)
        places: i64 = self.most_above(t.seats, n) - low + 1
        above: i64 = low + stream(d, t.seed, DRAFT_CARD, 0).below(places)
        k: i64 = n
        while k > n - above:
            d[t.deck + k] = d[t.deck + k - 1]
            k -= 1
        d[t.deck + k] = self.card
        s.deck_made(n + 1, 3)

    def least_above(self, seats: i64, n: i64) -> i64:
        """How many of n other cards at least lie above the draft card: its share less 1/20 (RU-7).

        >>> SecondDraft("IB-4", 6, 4, False, [0, 0, 1], [1, 1, 2]).least_above(2, 150)
        68
        """
        share: i64 = n * (SPREAD * self.above[seats] - self.of[seats])
        whole: i64 = SPREAD * self.of[seats]
        return max(0, (share + whole - 1) // whole)

    def most_above(self, seats: i64, n: i64) -> i64:
        """How many of n other cards at most lie above the draft card: its share and 1/20 (RU-7)."""
        share: i64 = n * (SPREAD * self.above[seats] + self.of[seats])
        return min(n, share // (SPREAD * self.of[seats]))

    def is_over(self, d: vec[i64]) -> bool:
        return d[self.over] == 1

    def unseen_cards(self, d: vec[i64], counts: vec[i64]) -> None:
        """Its card is in the deck until the draft is due (IB-4)."""
        assert self.game is not None
        t = self.game.layout
        under_way = d[t.phase] == self.pick_phase or d[t.phase] == self.keep_phase
        if d[self.due] == 0 and d[self.over] == 0 and not under_way:
            counts[self.card] += 1

    def secret(self, worlds: Worlds) -> Secret | None:
        return DraftCardSecret(self) if worlds.fixed > 0 else None

    def special_card(self, s: State, card: i64) -> bool:
        if card != self.card:
            return False
        self.card_drawn(s)
        return True

    def turn_ended(self, s: State, seat: i64) -> bool:
        if s.d[self.due] == 0:
            return False
        if self.begin(s):
            return True
        self.finished(s)
        return False

    def finish(self, s: State) -> None:
        d, t = s.d, s.t
        order = column(self.contents(s, LEFT_OVER))
        shuffle(stream(d, t.seed, TICKETS, d[t.ticket_shuffles]), order, 0, len(order))
        self.returned(s, list(order))
        self.finished(s)
        end_turn(s)

    # --- events -------------------------------------------------------------------------------

    def card_drawn(self, s: State) -> None:
        """The draft card comes up: the draft is held when the turn is over."""
        d, t = s.d, s.t
        d[t.deck_len] -= 1
        d[t.specials] -= 1
        d[self.due] = 1
        if s.log is not None:
            s.log.add(self.kinds[CARD_DRAWN], NOBODY, [])

    def returned(self, s: State, order: list[int]) -> None:
        """The tickets that nobody kept go under the deck, in an order that nobody knows."""
        s.d[s.t.ticket_shuffles] += 1
        for ticket in order:
            s.ticket_push(ticket, 0)
        if s.log is not None:
            s.log.add(self.kinds[RETURNED], NOBODY, [len(order), *order])

    def finished(self, s: State) -> None:
        s.d[self.due] = 0
        s.d[self.over] = 1
        if s.log is not None:
            s.log.add(self.kinds[FINISHED], NOBODY, [])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        if local == CARD_DRAWN:
            self.card_drawn(s)
        elif local == RETURNED:
            self.returned(s, numbers[1:])
        elif local == FINISHED:
            self.finished(s)
        else:
            super().redo(s, local, seat, numbers)


class DraftCardSecret(Secret):
    """Where in the deck the draft card lies."""

    def __init__(self, rule: SecondDraft) -> None:
        self.rule: Final = rule

    def place_cards(self, s: State, rng: Rng) -> None:
        """Put the draft card at any of the places still possible (RU-7).

        All cards that have been drawn lay above it. The places below them are as likely as before.
        """
        d, t, rule = s.d, s.t, self.rule
        others: i64 = d[t.deck_len] - 1
        drawn: i64 = d[t.deck_start] - 1 - others
        low: i64 = min(others, max(0, rule.least_above(t.seats, d[t.deck_start] - 1) - drawn))
        high: i64 = min(others, max(low, rule.most_above(t.seats, d[t.deck_start] - 1) - drawn))
        place: i64 = others - low - rng.below(high - low + 1)
        at: i64 = 0
        while d[t.deck + at] != rule.card:
            at += 1
        while at < place:
            d[t.deck + at] = d[t.deck + at + 1]
            at += 1
        while at > place:
            d[t.deck + at] = d[t.deck + at - 1]
            at -= 1
        d[t.deck + at] = rule.card
