"""What boards add to the plain game, in points: festivals, attractions, mat, stations."""

from __future__ import annotations

from typing import Final

from branchline.bots.eyes import Eyes
from branchline.bots.plan import Plan
from branchline.core.board import GRAY
from branchline.core.graph import find
from branchline.core.machine import i64
from branchline.rules.claims import ROUTE

# Each of the three cards turned up asks for another with a chance of about one in four. To try in
# vain costs the turn, so a tunnel without a spare card is worth less than its chance.
THROUGH: Final = [0.2, 0.85, 0.98]


class Extras:
    """Judges what only some boards have, by what their rules say."""

    def __init__(self, eyes: Eyes, plan: Plan) -> None:
        self.eyes: Final = eyes
        self.plan: Final = plan

    # --- claims -------------------------------------------------------------------------------

    def claim(self, r: i64) -> float:
        """What a claim of this route brings beside its points."""
        e = self.eyes
        t = e.t
        worth: float = 0.0
        if e.festivals is not None:
            worth += max(self.festival(t.a[r]), self.festival(t.b[r]))
        if e.attractions is not None:
            worth += self.attraction(t.a[r]) + self.attraction(t.b[r])
        if e.longest_path > 0 and self.touches(r):
            worth += 0.25 * float(t.length[r])
        if e.mat is not None and e.trains > t.length[r]:
            worth += max(0.0, self.best_line(r, t.length[r]))
        return worth

    def touches(self, r: i64) -> bool:
        """Whether the route would meet an own one."""
        e = self.eyes
        t = e.t
        for k in range(t.routes):
            if e.owner[k] == e.seat + 1 and (
                t.a[k] == t.a[r] or t.a[k] == t.b[r] or t.b[k] == t.a[r] or t.b[k] == t.b[r]
            ):
                return True
        return False

    def attraction(self, city: i64) -> float:
        """The points for touching a city for the first time."""
        e = self.eyes
        rule = e.attractions
        if rule is None or rule.is_attraction[city] == 0:
            return 0.0
        for r in range(e.t.routes):
            if e.owner[r] == e.seat + 1 and (e.t.a[r] == city or e.t.b[r] == city):
                return 0.0
        return float(rule.points)

    def festival(self, city: i64) -> float:
        """What the pile beside a city is worth to this seat."""
        e = self.eyes
        rule = e.festivals
        if rule is None:
            return 0.0
        f: i64 = rule.festival_of[city]
        if f < 0:
            return 0.0
        pile: i64 = e.data[e.at("festival_piles") + f]
        if pile == 0:
            return 0.0
        held: i64 = e.data[e.at("festival_cards") + e.seat * rule.sets + f]
        gain: float = float(rule.scores[f][held + pile - 1])
        if held > 0:
            gain -= float(rule.scores[f][held - 1])
        return gain

    def festival_end(self, action: i64) -> float:
        """Which end's cards to take."""
        e = self.eyes
        rule = e.festivals
        assert rule is not None
        route: i64 = e.data[e.at("registers") + ROUTE]
        if action == rule.first_end:
            return self.festival(e.t.a[route])
        return self.festival(e.t.b[route])

    # --- tunnels ------------------------------------------------------------------------------

    def through(self, spare: i64) -> float:
        """How likely a tunnel opens to who has so many cards more than its length."""
        if spare >= len(THROUGH):
            return 1.0
        return THROUGH[spare] if spare > 0 else THROUGH[0]

    def tunnel(self, action: i64) -> float:
        """Pay what the tunnel asks, with few locomotives; back off only if one must."""
        text = self.eyes.game.action_text(action)
        if text == "back-off":
            return -20.0
        return -float(action)

    # --- the mat ------------------------------------------------------------------------------

    def line_gain(self, line: i64, value: i64) -> float:
        """What a train on the best free spot up to the value would change on a line, in points."""
        e = self.eyes
        rule = e.mat
        assert rule is not None
        at: i64 = e.at("mat") + line * rule.width
        spot: i64 = 0
        mine: i64 = 0
        sums = [0] * e.seats
        for k in range(rule.width):
            points: i64 = rule.value[line * rule.width + k]
            owner: i64 = e.data[at + k]
            if owner > 0:
                sums[owner - 1] += points
            elif points <= value and points > spot:
                spot = points
        if spot == 0:
            return -5.0
        mine = sums[e.seat]
        scoring = rule.scoring[e.seats]
        before = self.rank_points(sums, mine, e.seat, scoring)
        after = self.rank_points(sums, mine + spot, e.seat, scoring)
        lead: i64 = mine + spot
        for seat in range(e.seats):
            if seat != e.seat and mine + spot - sums[seat] < lead:
                lead = mine + spot - sums[seat]
        # A lead counts more when little time is left to lose it, and when it is large.
        late: float = max(0.0, 1.0 - self.plan.turns_left / 25.0)
        safe: float = min(1.0, 0.25 + 0.5 * late + 0.06 * float(max(lead, 0)))
        rivals: float = 1.4 if e.seats == 2 else 1.15
        return (after - before) * safe * rivals + 0.12 * float(spot) - 0.9

    def rank_points(self, sums: list[int], mine: i64, me: i64, scoring: list[int]) -> float:
        """The points for this seat's place on a line with the sum `mine`."""
        if mine == 0:
            return 0.0
        place = 0
        for seat in range(len(sums)):
            if seat != me and sums[seat] >= mine:
                place += 1
        if place >= len(scoring):
            return 0.0
        return float(scoring[place])

    def best_line(self, r: i64, value: i64) -> float:
        """The best that a claim of the route can do on the mat without an Express card."""
        e = self.eyes
        rule = e.mat
        assert rule is not None
        best: float = -5.0
        for line in range(rule.lines):
            if e.t.colour[r] == GRAY or rule.line_of[e.t.colour[r]] == line:
                best = max(best, self.line_gain(line, value))
        return best

    def overpay(self, r: i64, value: i64) -> float:
        """What playing so many cards brings on the mat."""
        if self.eyes.mat is None or self.eyes.trains <= self.eyes.t.length[r]:
            return 0.0
        return max(0.0, self.best_line(r, value))

    def place(self, action: i64) -> float:
        """A way to place a train on the mat, or not to."""
        e = self.eyes
        rule = e.mat
        assert rule is not None
        if action == rule.skip:
            return 0.0
        line: i64 = (action - rule.place) // rule.strengths
        express: i64 = (action - rule.place) % rule.strengths
        value: i64 = 0
        for kind in range(e.t.kinds):
            value += e.data[e.at("laid") + kind]
        price: float = 0.0
        if express > 0 and e.express is not None:
            strength: i64 = e.express.values[express - 1]
            value += strength
            price = 0.8 * float(strength) * min(1.0, 0.3 + self.plan.turns_left / 20.0)
        return self.line_gain(line, value) - price

    # --- stations -----------------------------------------------------------------------------

    def station(self, action: i64, card: float) -> float:
        """Building a station: worth it when it finishes a ticket that would fail."""
        e = self.eyes
        rule = e.stations
        assert rule is not None
        if action == rule.build:
            best: float = 0.0
            for city in range(e.t.cities):
                best = max(best, self.station_at(city))
            left: i64 = e.data[e.at("stations_left") + e.seat]
            cost: float = float(rule.unused) + float(rule.count - left + 1) * card
            if best < 0.5 or self.plan.turns_left > 4.0:
                return -40.0
            return best - cost
        if action < rule.pay:
            return self.station_at(action - rule.city)
        kind: i64 = (action - rule.pay) // (rule.count + 1)
        locos: i64 = (action - rule.pay) % (rule.count + 1)
        return float(self.plan.spare(kind)) - 3.0 * float(locos)

    def station_at(self, city: i64) -> float:
        """The ticket points that one rival route into the city would turn round."""
        e, p = self.eyes, self.plan
        t = e.t
        rule = e.stations
        assert rule is not None
        if e.data[e.at("stations") + city] != 0:
            return 0.0
        best: float = 0.0
        parent = p.forest.parent
        for r in range(t.routes):
            if (t.a[r] == city or t.b[r] == city) and e.rival(e.owner[r]):
                a: i64 = find(parent, t.a[r])
                b: i64 = find(parent, t.b[r])
                gain: float = 0.0
                for ticket in p.open_tickets:
                    x: i64 = find(parent, t.ticket_a[ticket])
                    y: i64 = find(parent, t.ticket_b[ticket])
                    if (x == a and y == b) or (x == b and y == a):
                        gain += 2.0 * float(t.ticket_points[ticket])
                best = max(best, gain)
        return best
