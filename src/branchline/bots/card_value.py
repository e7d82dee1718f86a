"""The value of train cards to a plan, in points."""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.plan import Plan
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.engine.layout import column
from branchline.rules.cards.deck import Deck


class CardValue:
    """Values cards in the display, in the deck and in the hand."""

    def __init__(self, observation: Observation, plan: Plan) -> None:
        self.observation: Final = observation
        self.plan: Final = plan
        self.price: float = 0.9  # what a card is worth now
        deck = observation.game.rule_named("deck")
        assert isinstance(deck, Deck)
        self.deck: Final = deck
        self.unseen: Final[vec[i64]] = column([0] * observation.t.kinds)
        self.worths: list[float] = [0.0] * observation.t.kinds
        self.blind: float = 0.0

    def update(self) -> None:
        """Value each kind, and a card from the deck by the cards that are still unseen."""
        o, p = self.observation, self.plan
        t = o.t
        self.price = p.points_per_card * min(1.0, p.turns_left / 6.0)
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
        """Count the cards in the deck and in rivals' hands that this seat does not know."""
        o = self.observation
        t, d = o.t, o.data
        known: i64 = o.at("known")
        discard: i64 = o.at("discard")
        kind: i64 = 0
        while kind < t.kinds:
            n: i64 = self.deck.locomotives if kind == t.loco else self.deck.per_colour
            n -= o.hand[kind]
            if o.deck > o.data[o.at("discard_size")]:
                n -= d[discard + kind]
            seat: i64 = 0
            while seat < t.seats:
                if seat != o.seat:
                    n -= d[known + seat * t.kinds + kind]
                seat += 1
            self.unseen[kind] = n
            kind += 1
        display: i64 = o.at("display")
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
        o, p = self.observation, self.plan
        lack: i64 = p.wanted[kind] - o.hand[kind]
        if kind == o.t.loco:
            return self.price * (2.4 if lack > 0 else 2.0)
        if lack > 0:
            return self.price * (1.2 + 0.7 * self.nearness(kind))
        return self.price * (0.6 + 0.3 * self.chance(kind))

    def nearness(self, kind: i64) -> float:
        """How near the hand is to paying for a chosen route with this colour, at best."""
        o, p = self.observation, self.plan
        t = o.t
        have: float = float(o.hand[kind] + o.locos)
        best: float = 0.0
        r: i64 = 0
        while r < t.routes:
            if p.chosen[r] == 1 and (t.colour[r] == kind or t.colour[r] == GRAY):
                need: float = float(t.length[r] - o.claims.symbols[r])
                if have < need and (have + 1.0) / need > best:
                    best = (have + 1.0) / need
            r += 1
        return best

    def chance(self, kind: i64) -> float:
        """How near the hand is to any good route with a colour that the plan does not want."""
        o, p = self.observation, self.plan
        t = o.t
        over: i64 = p.spare(kind)
        best: float = 0.0
        r: i64 = 0
        while r < t.routes:
            if (
                o.open[r] == 1
                and p.chosen[r] == 0
                and t.length[r] <= o.trains
                and (t.colour[r] == kind or t.colour[r] == GRAY)
            ):
                need: i64 = t.length[r] - o.claims.symbols[r]
                if over < need:
                    length: float = float(t.length[r])
                    points: float = float(o.claims.points[t.length[r]]) + p.bonus[r]
                    near: float = float(over + 1) / float(need)
                    value: float = near * points / (1.0 + 0.5 * length) / p.route_yield
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
        if kind == self.observation.t.loco:
            price = float(n) * 1.7
        return price * self.price

    def draw(self, action: i64, second: bool) -> float:
        """The value of taking a card; for the first card, with the best that may follow it."""
        o = self.observation
        if action == o.draw.blind:
            one = self.blind
        else:
            one = self.worths[action - o.draw.take]
        if second:
            return one
        if action != o.draw.blind and action - o.draw.take == o.t.loco and not o.draw.free:
            return one * 1.05
        return one + max(self.blind, self.best_shown(action - o.draw.take))

    def best_shown(self, taken: i64) -> float:
        """The best card of the display apart from the one that is taken first."""
        o = self.observation
        at: i64 = o.at("display")
        best: float = 0.0
        skipped = False
        for slot in range(o.t.display_size):
            kind: i64 = o.data[at + slot]
            if kind >= o.t.blank or (kind == o.t.loco and not o.draw.free):
                continue
            if kind == taken and not skipped:
                skipped = True
                continue
            best = max(best, self.worths[kind])
        return best
