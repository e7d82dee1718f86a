"""What train-car cards are worth to a plan, in points."""

from __future__ import annotations

from typing import Final

from branchline.bots.eyes import Eyes
from branchline.bots.plan import Plan
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.engine.table import column
from branchline.rules.cards import Deck


class Cards:
    """Weighs cards in the display, in the deck and in the hand."""

    def __init__(self, eyes: Eyes, plan: Plan) -> None:
        self.eyes: Final = eyes
        self.plan: Final = plan
        self.price: float = 0.9  # what a card is worth now
        deck = eyes.game.rule_named("deck")
        assert isinstance(deck, Deck)
        self.deck: Final = deck
        self.unseen: Final[vec[i64]] = column([0] * eyes.t.kinds)
        self.worths: list[float] = [0.0] * eyes.t.kinds
        self.blind: float = 0.0

    def look(self) -> None:
        """Weigh each kind, and a card from the deck by what has not been seen yet."""
        e, p = self.eyes, self.plan
        t = e.t
        self.price = p.card * min(1.0, p.turns_left / 6.0)
        kind: i64 = 0
        while kind < t.kinds:
            self.worths[kind] = self.worth(kind)
            kind += 1
        self.count_unseen()
        total: float = 0.0
        count: i64 = 0
        kind = 0
        while kind < t.kinds:
            total += float(self.unseen[kind]) * self.worths[kind]
            count += self.unseen[kind]
            kind += 1
        self.blind = total / float(count) if count > 0 else 0.0

    def count_unseen(self) -> None:
        """The cards in the deck and in rivals' hands of which this seat does not know."""
        e = self.eyes
        t, d = e.t, e.data
        known: i64 = e.at("known")
        discard: i64 = e.at("discard")
        kind: i64 = 0
        while kind < t.kinds:
            n: i64 = self.deck.locomotives if kind == t.loco else self.deck.per_colour
            n -= e.hand[kind]
            if e.deck > e.data[e.at("discard_size")]:
                n -= d[discard + kind]
            seat: i64 = 0
            while seat < t.seats:
                if seat != e.seat:
                    n -= d[known + seat * t.kinds + kind]
                seat += 1
            self.unseen[kind] = n
            kind += 1
        display: i64 = e.at("display")
        slot: i64 = 0
        while slot < t.display_size:
            kind = d[display + slot]
            if kind < t.kinds:
                self.unseen[kind] -= 1
            slot += 1
        kind = 0
        while kind < t.kinds:
            if self.unseen[kind] < 0:
                self.unseen[kind] = 0
            kind += 1

    def worth(self, kind: i64) -> float:
        """What one more card of a kind brings."""
        e, p = self.eyes, self.plan
        lack: i64 = p.wanted[kind] - e.hand[kind]
        if kind == e.t.loco:
            return self.price * (2.4 if lack > 0 else 2.0)
        if lack > 0:
            return self.price * (1.2 + 0.7 * self.nearness(kind))
        return self.price * (0.6 + 0.3 * self.chance(kind))

    def nearness(self, kind: i64) -> float:
        """How near the hand is to paying for a chosen route with this colour, at best."""
        e, p = self.eyes, self.plan
        t = e.t
        have: float = float(e.hand[kind] + e.locos)
        best: float = 0.0
        r: i64 = 0
        while r < t.routes:
            if p.chosen[r] == 1 and (t.colour[r] == kind or t.colour[r] == GRAY):
                need: float = float(t.length[r] - e.claims.symbols[r])
                if have < need and (have + 1.0) / need > best:
                    best = (have + 1.0) / need
            r += 1
        return best

    def chance(self, kind: i64) -> float:
        """How near the hand is to any good route with a colour that the plan does not want."""
        e, p = self.eyes, self.plan
        t = e.t
        over: i64 = p.spare(kind)
        best: float = 0.0
        r: i64 = 0
        while r < t.routes:
            if (
                e.open[r] == 1
                and p.chosen[r] == 0
                and t.length[r] <= e.trains
                and (t.colour[r] == kind or t.colour[r] == GRAY)
            ):
                need: i64 = t.length[r] - e.claims.symbols[r]
                if over < need:
                    length: float = float(t.length[r])
                    points: float = float(e.claims.points[t.length[r]]) + p.bonus[r]
                    near: float = float(over + 1) / float(need)
                    value: float = near * points / (1.0 + 0.5 * length) / p.yield_
                    if value > best:
                        best = value
            r += 1
        return best

    def use(self, kind: i64, n: i64) -> float:
        """What it costs to play n cards of a kind, dearer if the plan wants them elsewhere."""
        over: i64 = self.plan.spare(kind)
        if over < 0:
            over = 0
        cheap: i64 = n
        if cheap > over:
            cheap = over
        price: float = float(cheap) * 0.7 + float(n - cheap) * 1.1
        if kind == self.eyes.t.loco:
            price = float(n) * 1.7
        return price * self.price

    def draw(self, action: i64, second: bool) -> float:
        """Taking a card, and with the first the best that may follow it."""
        e = self.eyes
        if action == e.draw.blind:
            one = self.blind
        else:
            one = self.worths[action - e.draw.take]
        if second:
            return one
        if action != e.draw.blind and action - e.draw.take == e.t.loco and not e.draw.free:
            return one * 1.05
        return one + max(self.blind, self.best_shown(action - e.draw.take))

    def best_shown(self, taken: i64) -> float:
        """The best card of the display beside the one that is taken first."""
        e = self.eyes
        at: i64 = e.at("display")
        best: float = 0.0
        skipped = False
        for slot in range(e.t.display_size):
            kind: i64 = e.data[at + slot]
            if kind >= e.t.blank or (kind == e.t.loco and not e.draw.free):
                continue
            if kind == taken and not skipped:
                skipped = True
                continue
            best = max(best, self.worths[kind])
        return best
