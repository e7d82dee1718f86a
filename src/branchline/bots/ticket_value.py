"""What it is worth to draw tickets, before they are seen.

Each ticket that may be in the deck is compared with the plan: its cities are joined already, are
joined when the plan is done, or need a detour. The value is the expected gain of the best choice
among the tickets drawn.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.plan import CARD_COST, CLAIM_COST, Plan
from branchline.bots.steiner import FAR, Forest
from branchline.bots.turn_value import NEVER
from branchline.core.graph import find
from branchline.core.machine import i64, vec
from branchline.engine.layout import column


class TicketValue:
    """Values the tickets that may still be in the deck."""

    def __init__(self, observation: Observation, plan: Plan) -> None:
        self.observation: Final = observation
        self.plan: Final = plan
        self.forest: Final = Forest(observation.t)
        self.cost: Final[vec[i64]] = column([0] * observation.t.routes)

    def draw(self, more: i64) -> float:
        """The value of drawing tickets, `more` than usual."""
        o, p = self.observation, self.plan
        drawn: i64 = o.draw_tickets.draw + more
        if drawn > o.ticket_deck:
            drawn = o.ticket_deck
        if o.last > 0:
            return self.worth(drawn)  # nothing can come between
        weight: float = p.style.ticket_draw_weight
        if len(p.open_tickets) > len(p.tickets):
            if p.style.given_up_weight <= 0.0:
                return NEVER / 2.0
            weight *= p.style.given_up_weight
        return self.worth(drawn) * weight

    def worth(self, drawn: i64) -> float:
        """The expected gain of drawing this many tickets and keeping the best of them."""
        o, p = self.observation, self.plan
        t = o.t
        spare: i64 = o.trains
        r: i64 = 0
        while r < t.routes:
            self.cost[r] = p.cost[r]
            if p.chosen[r] == 1:
                self.cost[r] = 0
                spare -= t.length[r]
            elif 0 < p.cost[r] < FAR:
                # In turns alone: a discount in the plan does not make a route faster to build.
                self.cost[r] = CLAIM_COST + CARD_COST * t.length[r]
            r += 1
        self.forest.prepare(self.cost)
        gains = [self.gain(ticket, spare) for ticket in o.unseen()]
        gains.sort(reverse=True)
        return self.best_of(gains, drawn)

    def gain(self, ticket: i64, spare: i64) -> float:
        """What holding a ticket would bring, with `spare` trains left by the plan."""
        o, p = self.observation, self.plan
        t, forest = o.t, self.forest
        a: i64 = t.ticket_a[ticket]
        b: i64 = t.ticket_b[ticket]
        points: float = float(t.ticket_points[ticket])
        if p.forest.joined(a, b):
            return points
        if o.last > 0:
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
            if turns * p.trains_per_turn > float(spare):
                return -points
        # The draw itself takes a turn.
        odds: float = p.odds(p.turns_needed + turns + 1.0)
        return max(-points, points * (2.0 * odds - 1.0) - turns * p.points_per_turn)

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
