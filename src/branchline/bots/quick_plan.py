"""A plan in a part of the time: tickets are joined by the cheapest ways between their cities.

Where there are few cities the exact plan is as quick. Where there are more, every set of tickets
that is looked at gets the tree of the cheapest ways. The best set also tries to join its tickets
one after the other, each over what the others have planned.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.plan import Plan
from branchline.bots.steiner import FAR, Forest
from branchline.bots.ways import MOST_CITIES, Ways
from branchline.core.graph import find
from branchline.core.machine import i64, vec
from branchline.engine.layout import column

EXACT: Final = 5  # for so many groups of cities the exact plan takes no longer
MOST_TICKETS: Final = 8  # looked at together
ENOUGH: Final = 0.8  # with these odds nothing is given up
KEPT_SETS: Final = 1 << 12  # how many sets of tickets are valued only once


class QuickPlan:
    """Makes the plan of a `Plan`, whose prices must be set."""

    def __init__(self, plan: Plan) -> None:
        self.plan: Final = plan
        self.forest: Final[Forest] = plan.forest
        self.ways: Final = Ways(plan.forest)
        self.unfinished: list[int] = []
        self.open: list[int] = []  # those of them that are looked at
        self.number: Final[vec[i64]] = column([-1] * plan.observation.t.tickets)  # among these
        self.points: Final[vec[i64]] = column([0] * MOST_CITIES)  # theirs
        self.place_a: Final[vec[i64]] = column([0] * MOST_CITIES)  # their cities among the ways
        self.place_b: Final[vec[i64]] = column([0] * MOST_CITIES)
        self.kept: Final[vec[i64]] = column([0] * plan.observation.t.routes)
        # By set of tickets: what it gains over a tree of ways, the turns that this takes, and in
        # which look at tickets that was found.
        self.gains: Final[vec[float]] = vec[float]([0.0] * KEPT_SETS)
        self.turns: Final[vec[float]] = vec[float]([0.0] * KEPT_SETS)
        self.found_in: Final[vec[i64]] = column([0] * KEPT_SETS)
        self.looks: i64 = 0
        self.turns_needed: float = 0.0  # of the set that was valued last

    def make(self, tickets: list[int]) -> None:
        """Choose which of these tickets to complete, and how."""
        p = self.plan
        if self.groups(tickets) <= EXACT:
            p.make(tickets)
            return
        base: float = self.look_at(p.ranked(tickets), MOST_TICKETS)
        best: i64 = self.best_of((1 << len(self.open)) - 1)
        gain: float = self.gain(best)
        other: float = self.gain_in_turn(best)
        if other > gain:
            gain = other
        else:
            self.choose(best)
        p.open_tickets = self.unfinished
        p.tickets = [self.open[k] for k in range(len(self.open)) if best >> k & 1]
        if gain <= 0.0:
            p.clear_chosen()
            p.turns_needed = 0.0
            p.tickets = []
            gain = 0.0
        p.value = base + gain

    def groups(self, tickets: list[int]) -> i64:
        """How many groups of cities the tickets are to join, counted as far as that matters."""
        t, forest = self.plan.observation.t, self.forest
        forest.clear_terminals()
        for ticket in tickets:
            if not forest.joined(t.ticket_a[ticket], t.ticket_b[ticket]):
                forest.terminal(t.ticket_a[ticket])
                forest.terminal(t.ticket_b[ticket])
        return forest.count

    def look_at(self, tickets: list[int], most: int) -> float:
        """Measure the ways for at most so many tickets; returns the points of all as they are."""
        t, forest, ways = self.plan.observation.t, self.forest, self.ways
        base: float = 0.0
        self.unfinished = []
        self.open = []
        self.looks += 1
        ways.clear()
        for ticket in tickets:
            worth: int = t.ticket_points[ticket]
            if forest.joined(t.ticket_a[ticket], t.ticket_b[ticket]):
                base += float(worth)
                continue
            base -= float(worth)
            self.unfinished.append(ticket)
            self.number[ticket] = -1
            k: i64 = len(self.open)
            if k < most:
                a: i64 = ways.place(t.ticket_a[ticket])
                b: i64 = ways.place(t.ticket_b[ticket])
                if a >= 0 and b >= 0:
                    self.place_a[k] = a
                    self.place_b[k] = b
                    self.points[k] = worth
                    self.number[ticket] = k
                    self.open.append(ticket)
        ways.measure()
        return base

    def best_of(self, tickets: i64) -> i64:
        """Which of a set of tickets to go for: all, or as many as are worth it."""
        p, ways = self.plan, self.ways
        n: i64 = len(self.open)
        k: i64 = 0
        while k < n:
            if ways.apart(self.place_a[k], self.place_b[k]):
                tickets &= ~(1 << k)
            k += 1
        most: float = self.gain(tickets)
        turns: float = self.turns_needed
        while most < 0.0 or p.odds(turns) < ENOUGH:
            found: i64 = tickets
            k = 0
            while k < n:
                if tickets >> k & 1:
                    fewer: i64 = tickets ^ 1 << k
                    gain: float = self.gain(fewer)
                    if gain > most:
                        most = gain
                        turns = self.turns_needed
                        found = fewer
                k += 1
            if found == tickets:
                break
            tickets = found
        return tickets

    def gain(self, tickets: i64) -> float:
        """What the routes gain that a tree of ways has for a set of tickets."""
        if tickets < KEPT_SETS and self.found_in[tickets] == self.looks:
            self.turns_needed = self.turns[tickets]
            return self.gains[tickets]
        gain: float = self.choose(tickets)
        self.turns_needed = self.plan.turns_needed
        if tickets < KEPT_SETS:
            self.gains[tickets] = gain
            self.turns[tickets] = self.turns_needed
            self.found_in[tickets] = self.looks
        return gain

    def choose(self, tickets: i64) -> float:
        """Choose the routes for a set of tickets by a tree of ways; returns what they gain."""
        p, ways = self.plan, self.ways
        p.clear_chosen()
        ways.clear_wanted()
        k: i64 = 0
        while tickets >> k > 0:
            if tickets >> k & 1:
                ways.want(self.place_a[k], self.place_b[k])
            k += 1
        ways.grow()
        k = 0
        while tickets >> k > 0:
            if tickets >> k & 1:
                ways.need(self.place_a[k], self.place_b[k])
            k += 1
        ways.mark(p.chosen)
        p.list_routes(ways.routes, ways.route_count)
        return p.gain_of(tickets, self.points)

    def gain_in_turn(self, tickets: i64) -> float:
        """The same, one ticket after the other: what is planned already costs the next nothing."""
        p, forest = self.plan, self.forest
        t = p.observation.t
        p.clear_chosen()
        joined: i64 = 0
        marked: i64 = 0
        for k in range(len(self.open)):
            if tickets >> k & 1:
                a: i64 = find(forest.parent, t.ticket_a[self.open[k]])
                b: i64 = find(forest.parent, t.ticket_b[self.open[k]])
                forest.clear_terminals()
                forest.terminal(a)
                forest.solve()
                if forest.best[t.cities + b] < FAR:
                    joined |= 1 << k
                    forest.trace(1, b, p.chosen)
                    marked = self.make_free(marked)
        while marked > 0:
            marked -= 1
            forest.set_price(self.kept[marked], p.cost[self.kept[marked]])
        p.list_chosen()
        return p.gain_of(joined, self.points)

    def make_free(self, marked: i64) -> i64:
        """Let the routes that are chosen cost nothing; returns how many they are."""
        p, forest = self.plan, self.forest
        r: i64 = 0
        while r < p.observation.t.routes:
            if p.chosen[r] == 1 and forest.price[forest.steps[2 * r]] > 0:
                forest.set_price(r, 0)
                self.kept[marked] = r
                marked += 1
            r += 1
        return marked
