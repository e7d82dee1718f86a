"""Stations: each lets its owner use one rival route into its city at the end (EU-1)."""

from __future__ import annotations

from typing import Final

from branchline.core.graph import find, join
from branchline.core.machine import i64, vec
from branchline.engine.events import EventKind
from branchline.engine.facts import Action, Figure, Item, Part, Row, Sentence, Values
from branchline.engine.flow import TURN, end_turn
from branchline.engine.game import Game
from branchline.engine.layout import CLOSED, HELD, OWNING, PUBLIC, TOUCHED, column
from branchline.engine.outcome import Tally
from branchline.engine.position import Position
from branchline.engine.rule import ON_BORROW, ON_SCORE, ON_TURN, PRIVATE, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.claims.refusals import held

CITY: Final = 0  # register

BUILD: Final = 0
CHOOSE_CITY: Final = 1
PAY: Final = 2


class Stations(Rule):
    """Building stations, what they join, and points for those not built."""

    def __init__(self, cite: str, count: i64, unused: i64) -> None:
        super().__init__("stations", cite, 48, ON_TURN | ON_BORROW | ON_SCORE)
        self.count: Final = count
        self.unused: Final = unused
        self.headline = 7
        self.game: Game | None = None
        self.at: i64 = 0
        self.left: i64 = 0
        self.build: i64 = 0
        self.city: i64 = 0
        self.pay: i64 = 0
        self.city_phase: i64 = 0
        self.pay_phase: i64 = 0
        self.event: EventKind | None = None
        self.best: i64 = 0
        self.best_done: i64 = 0
        self.best_parent: vec[i64] = column([])
        self.trial: vec[i64] = column([-1] * count)  # by station, the route tried; -1: none
        self.best_trial: vec[i64] = column([-1] * count)

    def declare(self, game: Game) -> None:
        self.game = game
        t = game.layout
        self.at = t.fields.add("stations", t.cities, PUBLIC, t.seats, OWNING, mark=TOUCHED)
        self.left = t.fields.add("stations_left", t.seats, PUBLIC, self.count, width=1)
        self.build = game.add_actions(self, BUILD, 1)
        self.city = game.add_actions(self, CHOOSE_CITY, t.cities)
        self.pay = game.add_actions(self, PAY, t.kinds * (self.count + 1))
        self.city_phase = game.add_phase("station_city", self, PRIVATE)
        self.pay_phase = game.add_phase("station_pay", self, PRIVATE)
        game.score_subjects["station"] = "city"
        game.explanations.append("station")
        game.joining.append("stations")
        self.event = game.add_event(self.index, 0, "StationBuilt", "city", reveals=False)

    def initial(self, d: vec[i64]) -> None:
        assert self.game is not None
        for seat in range(self.game.seats):
            d[self.left + seat] = self.count

    def cost(self, s: State, seat: i64) -> i64:
        return self.count - s.d[self.left + seat] + 1

    def affordable(self, s: State, seat: i64) -> bool:
        d, t = s.d, s.t
        hand: i64 = t.hand + seat * t.kinds
        cost: i64 = self.cost(s, seat)
        locos: i64 = d[hand + t.loco]
        kind: i64 = 0
        while kind < t.loco:
            if d[hand + kind] > 0 and d[hand + kind] + locos >= cost:
                return True
            kind += 1
        return locos >= cost

    def free_city(self, s: State) -> bool:
        c: i64 = 0
        while c < s.t.cities:
            if s.d[self.at + c] == 0:
                return True
            c += 1
        return False

    def turn_actions(self, s: State, seat: i64) -> None:
        if s.d[self.left + seat] > 0 and self.affordable(s, seat) and self.free_city(s):
            s.put(self.build)

    def legal(self, s: State, seat: i64) -> None:
        d, t = s.d, s.t
        if d[t.phase] == self.city_phase:
            c: i64 = 0
            while c < t.cities:
                if d[self.at + c] == 0:
                    s.put(self.city + c)
                c += 1
            return
        hand: i64 = t.hand + seat * t.kinds
        cost: i64 = self.cost(s, seat)
        kind: i64 = 0
        while kind < t.loco:
            y: i64 = 0
            while y < cost and y <= d[hand + t.loco]:
                if d[hand + kind] >= cost - y:
                    s.put(self.pay + kind * (self.count + 1) + y)
                y += 1
            kind += 1
        if d[hand + t.loco] >= cost:
            s.put(self.pay + t.loco * (self.count + 1) + cost)

    def apply(self, s: State, seat: i64, action: i64) -> None:
        d, t = s.d, s.t
        assert self.game is not None
        kind: i64 = self.game.action_kinds[action]
        if kind == BUILD:
            s.ask(self.city_phase, self.game.turn_bit[seat])
        elif kind == CHOOSE_CITY:
            d[t.used] = 1
            d[t.reg + CITY] = action - self.city
            s.ask(self.pay_phase, self.game.turn_bit[seat])
        else:
            card: i64 = (action - self.pay) // (self.count + 1)
            y: i64 = (action - self.pay) % (self.count + 1)
            d[t.laid + card] += self.cost(s, seat) - y
            d[t.laid + t.loco] += y
            s.played(seat)
            self.built(s, seat, d[t.reg + CITY])
            end_turn(s)

    def built(self, s: State, seat: i64, city: i64) -> None:
        s.d[self.at + city] = seat + 1
        s.touch(self.at + city)
        s.d[self.left + seat] -= 1
        if s.log is not None and self.event is not None:
            s.log.add(self.event, seat, [city])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        self.built(s, seat, numbers[0])

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        d, t = s.d, s.t
        assert self.game is not None
        kind = self.game.action_kinds[action]
        if kind == BUILD and d[t.phase] == TURN:
            if d[self.left + seat] == 0:
                return Refusal(self.cite, "no_stations_left")
            if not self.free_city(s):
                return Refusal(self.cite, "no_station_city")
            values = {"need": self.cost(s, seat), "have": self.most_alike(s, seat)}
            return Refusal(self.cite, "station_too_dear", values)
        if kind == CHOOSE_CITY and d[t.phase] == self.city_phase:
            return Refusal(self.cite, "station_city_taken", {"city": action - self.city})
        if kind == PAY and d[t.phase] == self.pay_phase:
            return self.why_not_payment(s, seat, action - self.pay)
        return None

    def why_not_payment(self, s: State, seat: i64, code: i64) -> Refusal:
        d, t = s.d, s.t
        card: i64 = code // (self.count + 1)
        y: i64 = code % (self.count + 1)
        cost: i64 = self.cost(s, seat)
        if y > cost or (y == cost) != (card == t.loco):
            return Refusal(self.cite, "station_payment", {"need": cost})
        hand: i64 = t.hand + seat * t.kinds
        have: i64 = d[hand + card] if card != t.loco else 0
        own = held(s, card, have, d[hand + t.loco] if y > 0 else 0)
        values = {"cards": held(s, card, cost - y, y), "own": own}
        return Refusal(self.cite, "payment_not_held", values)

    def most_alike(self, s: State, seat: i64) -> i64:
        """The most cards of one colour, with the locomotives, that the seat has."""
        d, t = s.d, s.t
        hand: i64 = t.hand + seat * t.kinds
        return max([d[hand + kind] for kind in range(t.loco)]) + d[hand + t.loco]

    # --- facts ----------------------------------------------------------------------------------

    def facts(self, action: i64, view: View | None) -> Action:
        notation = self.write(action)
        if action == self.build:
            return Action(action, "station", notation, lasting=True)
        if action < self.pay:
            city: Values = {"city": int(action - self.city)}
            return Action(action, "station_at", notation, city, lasting=True)
        card = int((action - self.pay) // (self.count + 1))
        locos = int((action - self.pay) % (self.count + 1))
        if view is None or view.seat < 0:
            return Action(action, "pay", notation, {"locomotives": locos}, "pay_plain")
        cost = int(self.count) - view["stations_left"][view.seat] + 1
        return Action(
            action, "pay", notation, {"cards": view.game.cards_of(card, cost - locos, locos)}
        )

    def question(self, view: View) -> Sentence | None:
        if view.one("phase") == self.city_phase:
            return Sentence("station_city")
        return Sentence("station_pay", {"city": view["registers"][CITY]})

    def components(self) -> list[Sentence]:
        return [Sentence("stations", {"count": int(self.count)})]

    def figures(self, view: View, seat: int) -> list[Figure]:
        return [Figure("stations", str(view["stations_left"][seat]))]

    def rows(self, view: View) -> list[Row]:
        """The stations that are built, with their owners."""
        items: list[Item] = []
        for city, owner in enumerate(view["stations"]):
            if owner:
                of = Part(thing="person", number=owner - 1)
                items.append([Part(thing="city", number=city), Part(" ("), of, Part(")")])
        return [Row("stations", items)] if items else []

    # --- what bots should know --------------------------------------------------------------------

    def action_value(self, p: Position, action: i64) -> float:
        """Building a station is worth it when it completes a ticket that would fail."""
        if action == self.build:
            if p.turns_left > 4.0:
                return -40.0  # the rival may still leave the way open
            best: float = 0.0
            at: i64 = p.at("stations")
            for r in range(p.t.routes):
                if p.rival(p.owner[r]) and (
                    p.data[at + p.t.a[r]] == 0 or p.data[at + p.t.b[r]] == 0
                ):
                    best = max(best, self.route_won(p, r))
            left: i64 = p.data[p.at("stations_left") + p.seat]
            cost: float = float(self.unused) + float(self.count - left + 1) * p.card_price
            if best < 0.5:
                return -40.0
            return best - cost
        if action < self.pay:
            return self.tickets_won(p, action - self.city)
        kind: i64 = (action - self.pay) // (self.count + 1)
        locos: i64 = (action - self.pay) % (self.count + 1)
        return float(p.spare[kind]) - 3.0 * float(locos)

    def tickets_won(self, p: Position, city: i64) -> float:
        """The ticket points that borrowing one rival route into the city would win back."""
        t = p.t
        if p.data[p.at("stations") + city] != 0:
            return 0.0
        best: float = 0.0
        for r in range(t.routes):
            if (t.a[r] == city or t.b[r] == city) and p.rival(p.owner[r]):
                best = max(best, self.route_won(p, r))
        return best

    def route_won(self, p: Position, r: i64) -> float:
        """The ticket points that borrowing a route would win back."""
        t, parent = p.t, p.network
        a: i64 = find(parent, t.a[r])
        b: i64 = find(parent, t.b[r])
        gain: float = 0.0
        for ticket in p.open_tickets:
            x: i64 = find(parent, t.ticket_a[ticket])
            y: i64 = find(parent, t.ticket_b[ticket])
            if (x == a and y == b) or (x == b and y == a):
                gain += 2.0 * float(t.ticket_points[ticket])
        return gain

    def write(self, action: i64) -> str:
        assert self.game is not None
        kind = self.game.action_kinds[action]
        if kind == BUILD:
            return "station"
        if kind == CHOOSE_CITY:
            return f"station at {self.game.board.cities[action - self.city].id}"
        card = (action - self.pay) // (self.count + 1)
        return f"station pay {self.game.colour_text(card)} {(action - self.pay) % (self.count + 1)}"

    # --- the end --------------------------------------------------------------------------------

    def borrow(self, s: State, seat: i64, parent: vec[i64]) -> None:
        """Join the rival routes that bring the most points, then the most tickets."""
        cities = [c for c in range(s.t.cities) if s.d[self.at + c] == seat + 1]
        if not cities:
            return
        self.best = -1
        self.best_done = -1
        self.try_routes(s, seat, cities, 0, parent[:])
        for c in range(s.t.cities):
            parent[c] = self.best_parent[c]

    def borrowed(self, s: State, seat: i64) -> list[int]:
        built = 0
        for city in range(s.t.cities):
            if s.d[self.at + city] == seat + 1:
                built += 1
        return [int(self.best_trial[k]) for k in range(built) if self.best_trial[k] >= 0]

    def try_routes(self, s: State, seat: i64, cities: list[int], k: int, parent: vec[i64]) -> None:
        d, t = s.d, s.t
        if k == len(cities):
            self.judge(s, seat, parent)
            return
        self.trial[k] = -1
        self.try_routes(s, seat, cities, k + 1, parent)
        city: i64 = cities[k]
        r: i64 = 0
        while r < t.routes:
            into = t.a[r] == city or t.b[r] == city
            rival = self.is_rival(d[t.owner + r], seat)
            if into and rival and find(parent, t.a[r]) != find(parent, t.b[r]):
                joined = parent[:]
                join(joined, t.a[r], t.b[r])
                self.trial[k] = r
                self.try_routes(s, seat, cities, k + 1, joined)
            r += 1

    def is_rival(self, owner: i64, seat: i64) -> bool:
        return owner != 0 and owner != CLOSED and owner != seat + 1

    def judge(self, s: State, seat: i64, parent: vec[i64]) -> None:
        d, t = s.d, s.t
        points: i64 = 0
        done: i64 = 0
        ticket: i64 = 0
        while ticket < t.tickets:
            if d[t.ticket_at + ticket] == HELD + seat and find(parent, t.ticket_a[ticket]) == find(
                parent, t.ticket_b[ticket]
            ):
                points += t.ticket_points[ticket]
                done += 1
            ticket += 1
        if points > self.best or (points == self.best and done > self.best_done):
            self.best = points
            self.best_done = done
            self.best_parent = parent[:]
            self.best_trial = self.trial[:]

    def score(self, s: State, tally: Tally) -> None:
        for seat in range(tally.seats):
            left = s.d[self.left + seat]
            tally.add(seat, self.cite, "stations", left * self.unused, left)
            if tally.lines is not None:
                self.explain(s, tally, seat)

    def explain(self, s: State, tally: Tally, seat: i64) -> None:
        """Tell for each of the seat's stations the route that it borrows, if it needs one."""
        d, t = s.d, s.t
        parent = column(list(range(t.cities)))
        for r in range(t.routes):
            if d[t.owner + r] == seat + 1:
                join(parent, t.a[r], t.b[r])
        self.borrow(s, seat, parent)
        cities = [c for c in range(t.cities) if d[self.at + c] == seat + 1]
        for k in range(len(cities)):
            values: Values = {}
            route = int(self.best_trial[k])
            if route >= 0:
                values = {"route": route, "of": int(d[t.owner + route] - 1)}
            tally.add(seat, self.cite, "station", 0, cities[k], values)
