"""What it is worth to draw tickets, before they are seen.

Each ticket that may be in the deck is set against the plan: joined already, joined when the plan is
done, or a detour away. The worth is the expected gain of the best choice among those drawn.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.eyes import Eyes
from branchline.bots.plan import CARD_COST, CLAIM_COST, Plan
from branchline.bots.steiner import FAR, Forest
from branchline.core.graph import find
from branchline.core.machine import i64, vec
from branchline.engine.table import column


class Offers:
    """Weighs tickets that are still in the deck."""

    def __init__(self, eyes: Eyes, plan: Plan) -> None:
        self.eyes: Final = eyes
        self.plan: Final = plan
        self.forest: Final = Forest(eyes.t)
        self.cost: Final[vec[i64]] = column([0] * eyes.t.routes)

    def worth(self, drawn: i64) -> float:
        """The expected gain of drawing so many tickets and keeping the best of them."""
        e, p = self.eyes, self.plan
        t = e.t
        spare: i64 = e.trains
        r: i64 = 0
        while r < t.routes:
            self.cost[r] = p.cost[r]
            if p.chosen[r] == 1:
                self.cost[r] = 0
                spare -= t.length[r]
            elif 0 < p.cost[r] < FAR:
                # In turns alone: what makes a route pleasant in a plan does not make it fast.
                self.cost[r] = CLAIM_COST + CARD_COST * t.length[r]
            r += 1
        self.forest.prepare(self.cost)
        gains = [self.gain(ticket, spare) for ticket in e.unseen()]
        gains.sort(reverse=True)
        return self.best_of(gains, drawn)

    def gain(self, ticket: i64, spare: i64) -> float:
        """What holding a ticket would bring, with so many trains beside the plan."""
        e, p = self.eyes, self.plan
        t, forest = e.t, self.forest
        a: i64 = t.ticket_a[ticket]
        b: i64 = t.ticket_b[ticket]
        points: float = float(t.ticket_points[ticket])
        if p.forest.joined(a, b):
            return points
        if e.last > 0:
            return -points
        turns: float = 0.0
        if not forest.joined(a, b):
            forest.clear_terminals()
            forest.terminal(a)
            forest.solve()
            cost: i64 = forest.best[t.cities + find(forest.parent, b)]
            if cost >= FAR:
                return -points
            turns = float(cost) / 100.0
            if turns * p.usual > float(spare):
                return -points
        # The draw itself takes a turn.
        odds: float = p.odds(p.turns_needed + turns + 1.0)
        return max(-points, points * (2.0 * odds - 1.0) - turns * p.rate)

    def best_of(self, gains: list[float], drawn: i64) -> float:
        """The expected gain of the best choice among `drawn` of these, the highest of them first.

        All that gain are kept; if none does, one has to be.
        """
        n = len(gains)
        if n == 0 or drawn == 0:
            return 0.0
        worth: float = 0.0
        share: float = min(1.0, float(drawn) / float(n))
        none: float = 1.0  # the chance that all drawn are among those from here on
        for k in range(n):
            rest = n - k
            hit: float = min(1.0, float(drawn) / float(rest))
            if gains[k] > 0.0:
                worth += share * gains[k]
            else:
                worth += none * hit * gains[k]
            none *= 1.0 - hit
        return worth
