"""The value of what only some boards have, in points: festivals, attractions, mat, stations."""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.plan import Plan
from branchline.core.board import GRAY
from branchline.core.graph import find
from branchline.core.machine import i64
from branchline.rules.claims.claim_routes import ROUTE

# Each of the three cards turned up costs another with a probability of about one in four. A failed
# attempt costs the turn, so a tunnel without a spare card is worth less than its probability.
TUNNEL_ODDS: Final = [0.2, 0.85, 0.98]


class Bonuses:
    """Values what only some boards have, by the parameters of their rules."""

    def __init__(self, observation: Observation, plan: Plan) -> None:
        self.observation: Final = observation
        self.plan: Final = plan

    # --- claims -------------------------------------------------------------------------------

    def claim(self, r: i64) -> float:
        """What a claim of this route brings in addition to its points."""
        o = self.observation
        t = o.t
        worth: float = 0.0
        if o.festivals is not None:
            worth += max(self.festival(t.a[r]), self.festival(t.b[r]))
        if o.attractions is not None:
            worth += self.attraction(t.a[r]) + self.attraction(t.b[r])
        if o.longest_path > 0 and self.touches(r):
            worth += 0.25 * float(t.length[r])
        if o.mat is not None and o.trains > t.length[r]:
            worth += max(0.0, self.best_line(r, t.length[r]))
        return worth

    def touches(self, r: i64) -> bool:
        """Whether the route would touch one of this seat's own."""
        o = self.observation
        t = o.t
        for k in range(t.routes):
            if o.owner[k] == o.seat + 1 and (
                t.a[k] == t.a[r] or t.a[k] == t.b[r] or t.b[k] == t.a[r] or t.b[k] == t.b[r]
            ):
                return True
        return False

    def attraction(self, city: i64) -> float:
        """The points for touching a city for the first time."""
        o = self.observation
        rule = o.attractions
        if rule is None or rule.is_attraction[city] == 0:
            return 0.0
        for r in range(o.t.routes):
            if o.owner[r] == o.seat + 1 and (o.t.a[r] == city or o.t.b[r] == city):
                return 0.0
        return float(rule.points)

    def festival(self, city: i64) -> float:
        """What the festival pile at a city is worth to this seat."""
        o = self.observation
        rule = o.festivals
        if rule is None:
            return 0.0
        f: i64 = rule.festival_of[city]
        if f < 0:
            return 0.0
        pile: i64 = o.data[o.at("festival_piles") + f]
        if pile == 0:
            return 0.0
        held: i64 = o.data[o.at("festival_cards") + o.seat * rule.sets + f]
        gain: float = float(rule.scores[f][held + pile - 1])
        if held > 0:
            gain -= float(rule.scores[f][held - 1])
        return gain

    def festival_end(self, action: i64) -> float:
        """The value of taking the cards at one end of the route."""
        o = self.observation
        rule = o.festivals
        assert rule is not None
        route: i64 = o.data[o.at("registers") + ROUTE]
        if action == rule.first_end:
            return self.festival(o.t.a[route])
        return self.festival(o.t.b[route])

    # --- tunnels ------------------------------------------------------------------------------

    def tunnel_odds(self, spare: i64) -> float:
        """The probability of passing a tunnel with this many cards more than its length."""
        if spare >= len(TUNNEL_ODDS):
            return 1.0
        return TUNNEL_ODDS[spare] if spare > 0 else TUNNEL_ODDS[0]

    def tunnel(self, action: i64) -> float:
        """Pay the extra cards of a tunnel, with few locomotives; give up only as a last resort."""
        text = self.observation.game.action_text(action)
        if text == "back-off":
            return -20.0
        return -float(action)

    # --- the mat ------------------------------------------------------------------------------

    def line_gain(self, line: i64, value: i64) -> float:
        """What a train on the best free spot up to the value would change on a line, in points."""
        o = self.observation
        rule = o.mat
        assert rule is not None
        at: i64 = o.at("mat") + line * rule.width
        spot: i64 = 0
        mine: i64 = 0
        sums = [0] * o.seats
        for k in range(rule.width):
            points: i64 = rule.value[line * rule.width + k]
            owner: i64 = o.data[at + k]
            if owner > 0:
                sums[owner - 1] += points
            elif points <= value and points > spot:
                spot = points
        if spot == 0:
            return -5.0
        mine = sums[o.seat]
        scoring = rule.scoring[o.seats]
        before = self.rank_points(sums, mine, o.seat, scoring)
        after = self.rank_points(sums, mine + spot, o.seat, scoring)
        lead: i64 = mine + spot
        for seat in range(o.seats):
            if seat != o.seat and mine + spot - sums[seat] < lead:
                lead = mine + spot - sums[seat]
        # A lead counts more when little time is left to lose it, and when it is large.
        late: float = max(0.0, 1.0 - self.plan.turns_left / 25.0)
        safe: float = min(1.0, 0.25 + 0.5 * late + 0.06 * float(max(lead, 0)))
        rivals: float = 1.4 if o.seats == 2 else 1.15
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
        o = self.observation
        rule = o.mat
        assert rule is not None
        best: float = -5.0
        for line in range(rule.lines):
            if o.t.colour[r] == GRAY or rule.line_of[o.t.colour[r]] == line:
                best = max(best, self.line_gain(line, value))
        return best

    def overpay(self, r: i64, value: i64) -> float:
        """What playing this many cards brings on the mat."""
        if self.observation.mat is None or self.observation.trains <= self.observation.t.length[r]:
            return 0.0
        return max(0.0, self.best_line(r, value))

    def place(self, action: i64) -> float:
        """A way to place a train on the mat, or not to."""
        o = self.observation
        rule = o.mat
        assert rule is not None
        if action == rule.skip:
            return 0.0
        line: i64 = (action - rule.place) // rule.strengths
        express: i64 = (action - rule.place) % rule.strengths
        value: i64 = 0
        for kind in range(o.t.kinds):
            value += o.data[o.at("laid") + kind]
        price: float = 0.0
        if express > 0 and o.express is not None:
            strength: i64 = o.express.values[express - 1]
            value += strength
            price = 0.8 * float(strength) * min(1.0, 0.3 + self.plan.turns_left / 20.0)
        return self.line_gain(line, value) - price

    # --- stations -----------------------------------------------------------------------------

    def station(self, action: i64, card: float) -> float:
        """Building a station: worth it when it finishes a ticket that would fail."""
        o = self.observation
        rule = o.stations
        assert rule is not None
        if action == rule.build:
            best: float = 0.0
            for city in range(o.t.cities):
                best = max(best, self.station_at(city))
            left: i64 = o.data[o.at("stations_left") + o.seat]
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
        """The ticket points that borrowing one rival route into the city would win back."""
        o, p = self.observation, self.plan
        t = o.t
        rule = o.stations
        assert rule is not None
        if o.data[o.at("stations") + city] != 0:
            return 0.0
        best: float = 0.0
        parent = p.forest.parent
        for r in range(t.routes):
            if (t.a[r] == city or t.b[r] == city) and o.rival(o.owner[r]):
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
