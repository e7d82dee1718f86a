"""What the rivals seem to need: which open routes, and what it would cost them to lose one.

A rival's tickets are secret, its routes are not. A ticket that this seat has not seen is the
likelier to be a rival's, the more of the way between its cities that rival has laid already. To
take a route on the rest of that way costs the rival the detour, or the ticket.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.plan import CARD_COST, CLAIM_COST
from branchline.bots.steiner import FAR, Forest
from branchline.core.graph import find
from branchline.core.machine import i64, vec
from branchline.engine.layout import column
from branchline.rules.claims.route_kinds import Doubles

BEGUN: Final = 0.3  # a ticket counts as evident from this share of its way on
UNBEGUN: Final = 0.1  # the weight of a ticket without any sign on the board
SURE: Final = 0.9  # nothing about a rival's tickets is more certain than this


class Rivals:
    """Estimates the rivals' needs from the board, again for each decision."""

    def __init__(self, observation: Observation) -> None:
        t = observation.t
        self.observation: Final = observation
        self.forest: Final = Forest(t)
        self.cost: Final[vec[i64]] = column([0] * t.routes)
        self.way: Final[vec[i64]] = column([0] * t.routes)
        # What losing a route would cost the rivals.
        self.loss: Final[vec[float]] = vec[float]([0.0] * t.routes)
        doubles = observation.game.rule_named("doubles")
        self.closes: Final = isinstance(doubles, Doubles) and t.seats < doubles.open_from
        r: i64 = 0
        while r < t.routes:
            self.cost[r] = CLAIM_COST + CARD_COST * t.length[r]
            r += 1
        self.forest.prepare(self.cost)
        self.pivot: Final[vec[i64]] = column(pivots(observation))
        self.far: Final[vec[i64]] = column([0] * t.tickets)  # what is left of each ticket's way
        self.measure()
        self.whole: Final[vec[i64]] = column([self.far[k] for k in range(t.tickets)])

    def measure(self) -> None:
        """Find the cheapest way between each ticket's cities at the prices set last."""
        t, forest = self.observation.t, self.forest
        city: i64 = 0
        while city < t.cities:
            solved = False
            ticket: i64 = 0
            while ticket < t.tickets:
                if self.pivot[ticket] == city:
                    if not solved:
                        self.start_from(city)
                        solved = True
                    end: i64 = t.ticket_a[ticket] + t.ticket_b[ticket] - city
                    self.far[ticket] = forest.best[t.cities + find(forest.parent, end)]
                ticket += 1
            city += 1

    def start_from(self, city: i64) -> None:
        self.forest.clear_terminals()
        self.forest.terminal(city)
        self.forest.solve()

    def estimate_losses(self, payable: vec[i64], points_per_turn: float, turns: float) -> None:
        """Fill `loss` for the marked routes, in points.

        A rival's turn is worth `points_per_turn`, and about `turns` of them are left.
        """
        t = self.observation.t
        for r in range(t.routes):
            self.loss[r] = 0.0
        for seat in range(t.seats):
            if seat != self.observation.seat:
                self.add_losses_of(seat, payable, points_per_turn, turns)

    def add_losses_of(
        self, seat: i64, payable: vec[i64], points_per_turn: float, turns: float
    ) -> None:
        o = self.observation
        self.price(seat)
        self.measure()
        begun: list[int] = []
        weights: list[float] = []
        total: float = 0.0
        for ticket in o.unseen():
            total += UNBEGUN
            if self.far[ticket] < FAR:
                share: float = 1.0 - float(self.far[ticket]) / float(self.whole[ticket])
                weight: float = share * share if share > 0.0 else 0.0
                total += weight
                if share >= BEGUN and self.far[ticket] > 0:
                    begun.append(ticket)
                    weights.append(weight)
        held: float = float(o.data[o.at("ticket_count") + seat])
        for k in range(len(begun)):
            if float(self.far[begun[k]]) / 100.0 <= turns:
                chance: float = min(SURE, held * weights[k] / total)
                self.weigh(begun[k], payable, chance, points_per_turn, turns)

    def price(self, seat: i64) -> None:
        """What the routes cost a rival."""
        o = self.observation
        t = o.t
        trains: i64 = o.data[o.at("trains") + seat]
        me: i64 = seat + 1
        r: i64 = 0
        while r < t.routes:
            twin: i64 = t.twin[r]
            if o.owner[r] == me:
                self.cost[r] = 0
            elif o.owner[r] != 0 or t.length[r] > trains or (twin >= 0 and o.owner[twin] == me):
                self.cost[r] = FAR
            else:
                self.cost[r] = CLAIM_COST + CARD_COST * t.length[r]
            r += 1
        self.forest.prepare(self.cost)

    def weigh(
        self, ticket: i64, payable: vec[i64], chance: float, points_per_turn: float, turns: float
    ) -> None:
        """Add what each route on the rest of a ticket's way is worth to its holder."""
        t, forest = self.observation.t, self.forest
        r: i64 = 0
        while r < t.routes:
            self.way[r] = 0
            r += 1
        self.start_from(t.ticket_a[ticket])
        forest.trace(1, find(forest.parent, t.ticket_b[ticket]), self.way)
        if self.closes:
            self.add_twins()
        points: float = 2.0 * float(t.ticket_points[ticket])
        changed = False
        r = 0
        while r < t.routes:
            if self.way[r] == 1 and payable[r] == 1:
                detour: i64 = self.detour(ticket, r)
                loss: float = points
                if detour < FAR and float(detour) / 100.0 < turns:
                    loss = min(points, float(detour - self.far[ticket]) / 100.0 * points_per_turn)
                self.loss[r] += chance * loss
                changed = True
            r += 1
        if changed:
            forest.prepare(self.cost)

    def add_twins(self) -> None:
        """Mark the twins of marked routes: either closes the other."""
        t = self.observation.t
        r: i64 = 0
        while r < t.routes:
            if t.twin[r] >= 0 and self.way[r] == 1:
                self.way[t.twin[r]] = 1
            r += 1

    def detour(self, ticket: i64, r: i64) -> i64:
        """The way between a ticket's cities without a route and, if that closes too, its twin."""
        t, forest = self.observation.t, self.forest
        twin: i64 = t.twin[r] if self.closes else -1
        kept: i64 = self.cost[r]
        kept_twin: i64 = 0
        self.cost[r] = FAR
        if twin >= 0:
            kept_twin = self.cost[twin]
            self.cost[twin] = FAR
        forest.prepare(self.cost)
        self.start_from(t.ticket_a[ticket])
        far: i64 = forest.best[t.cities + find(forest.parent, t.ticket_b[ticket])]
        self.cost[r] = kept
        if twin >= 0:
            self.cost[twin] = kept_twin
        return far


def pivots(observation: Observation) -> list[int]:
    """For each ticket one of its cities, few different ones in all: each takes a search."""
    t = observation.t
    found = [-1] * t.tickets
    while -1 in found:
        count = [0] * t.cities
        for k in range(t.tickets):
            if found[k] < 0:
                count[t.ticket_a[k]] += 1
                count[t.ticket_b[k]] += 1
        city = count.index(max(count))
        for k in range(t.tickets):
            if found[k] < 0 and (t.ticket_a[k] == city or t.ticket_b[k] == city):
                found[k] = city
    return found
