"""The value of train cards to a plan, in points."""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.plan import Plan
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.engine.layout import column
from branchline.rules.cards.deck import Deck

NOTHING: Final = -1.0e9


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
        self.worths: Final[vec[float]] = vec[float]([0.0] * observation.t.kinds)
        self.chances: Final[vec[float]] = vec[float]([0.0] * observation.t.kinds)
        self.known_at: Final[i64] = observation.at("known")
        self.discard_at: Final[i64] = observation.at_discard
        self.discard_size_at: Final[i64] = observation.at_discard_size
        self.display_at: Final[i64] = observation.at("display")
        self.blind: float = 0.0
        # By sort of route: the most that a claim outside of the plan would bring.
        self.most: Final[vec[float]] = vec[float]([0.0] * observation.sorts)
        # What share a number of cards is of those that are needed.
        self.width: Final[i64] = max([int(length) for length in observation.t.length]) + 1
        self.shares: Final[vec[float]] = vec[float](
            [float(k) / float(max(1, n)) for n in range(self.width) for k in range(self.width)]
        )

    def update(self) -> None:
        """Value each kind, and a card from the deck by the cards that are still unseen."""
        o, p = self.observation, self.plan
        t = o.t
        self.price = p.points_per_card * min(1.0, p.turns_left / max(0.1, p.style.card_horizon))
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
        known: i64 = self.known_at
        discard: i64 = self.discard_at
        kind: i64 = 0
        while kind < t.kinds:
            n: i64 = self.deck.locomotives if kind == t.loco else self.deck.per_colour
            n -= o.hand[kind]
            if o.deck > d[self.discard_size_at]:
                n -= d[discard + kind]
            seat: i64 = 0
            while seat < t.seats:
                if seat != o.seat:
                    n -= d[known + seat * t.kinds + kind]
                seat += 1
            self.unseen[kind] = n
            kind += 1
        slot: i64 = 0
        while slot < t.display_size:
            kind = d[self.display_at + slot]
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
            return self.price * (p.style.locomotive_value + (0.4 if lack > 0 else 0.0))
        if lack > 0:
            return self.price * (p.style.needed_value + p.style.near_value * self.nearness(kind))
        return self.price * (p.style.surplus_value + 0.3 * self.chances[kind])

    def estimate_chances(self) -> None:
        """Find for each colour how near the hand is to routes that the plan does not have."""
        o, chances, most = self.observation, self.chances, self.most
        t, hand, wanted = o.t, o.hand, self.plan.wanted
        kind: i64 = 0
        while kind < t.colours:
            chances[kind] = 0.0
            kind += 1
        self.find_best()
        sort: i64 = 0
        while sort < o.sorts:
            r: i64 = o.sample[sort]
            if most[sort] > 0.0 and t.length[r] <= o.trains:
                need: i64 = t.length[r] - o.claims.symbols[r]
                turns: float = 1.0 + 0.5 * float(t.length[r])
                kind = t.colour[r]
                end: i64 = kind + 1
                if kind == GRAY:
                    kind = 0
                    end = t.colours
                while kind < end:
                    over: i64 = hand[kind] - wanted[kind]
                    if 0 <= over < need:
                        near: float = self.shares[need * self.width + over + 1]
                        value: float = near * most[sort] / turns / self.plan.route_yield
                        if value > chances[kind]:
                            chances[kind] = value
                    kind += 1
            sort += 1

    def find_best(self) -> None:
        """Find for each sort of route the most that a claim outside of the plan would bring."""
        o, p = self.observation, self.plan
        most, is_open, chosen, sort_of, bonus = self.most, o.open, p.chosen, o.sort_of, p.bonus
        k: i64 = 0
        while k < o.sorts:
            most[k] = NOTHING
            k += 1
        r: i64 = 0
        while r < o.t.routes:
            if is_open[r] == 1 and chosen[r] == 0 and bonus[r] > most[sort_of[r]]:
                most[sort_of[r]] = bonus[r]
            r += 1
        k = 0
        while k < o.sorts:
            most[k] += o.points_of[o.sample[k]]
            k += 1

    def nearness(self, kind: i64) -> float:
        """How near the hand is to paying for a chosen route with this colour, at best."""
        o, p = self.observation, self.plan
        t = o.t
        have: float = float(o.hand[kind] + o.locos)
        best: float = 0.0
        k: i64 = 0
        while k < p.count:
            r: i64 = p.listed[k]
            if t.colour[r] == kind or t.colour[r] == GRAY:
                need: float = float(t.length[r] - o.claims.symbols[r])
                if have < need and (have + 1.0) / need > best:
                    best = (have + 1.0) / need
            k += 1
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
        best: float = 0.0
        skipped = False
        slot: i64 = self.display_at
        end: i64 = slot + o.t.display_size
        while slot < end:
            kind: i64 = o.data[slot]
            slot += 1
            if kind >= o.t.blank or (kind == o.t.loco and not o.draw.free):
                continue
            if kind == taken and not skipped:
                skipped = True
                continue
            if self.worths[kind] > best:
                best = self.worths[kind]
        return best
