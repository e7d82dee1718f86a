"""The plan of a seat: which tickets to go for, over which routes, and with which cards.

Costs are in hundredths of a turn: a turn to claim, half a turn for each card. For every set of
unfinished tickets the cheapest forest is known exactly; the best set is the one with the highest
expected gain, points × (2·P(done) − 1), where P falls as the turns that the forest needs approach
those that the game has left.
"""

from __future__ import annotations

from math import exp
from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.steiner import FAR, MOST_TERMINALS, Forest
from branchline.bots.style import Style
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.engine.layout import column

CLAIM_COST: Final = 100  # a turn
CARD_COST: Final = 50  # half a turn
UNCERTAIN_COST: Final = 35
# Only a part: neighbouring routes often earn the same bonus (a city is touched once).
BONUS_SHARE: Final = 0.5
MOST_TICKETS: Final = 7  # looked at together
MOST_FORESTS: Final = 12  # how many of the forests for sets of tickets are valued


def board_yield(observation: Observation) -> float:
    """The points that a turn brings on this board by routes alone.

    Half way between taking any route and filling the trains with the longest ones.
    """
    t = observation.t
    lengths = sorted([int(t.length[r]) for r in range(t.routes)], reverse=True)
    points: float = 0.0
    turns: float = 0.0
    best_points: float = 0.0
    best_turns: float = 0.0
    trains = t.board.trains
    for length in lengths:
        worth: float = float(observation.claims.points[length])
        points += worth
        turns += 1.0 + 0.5 * float(length)
        if length <= trains:
            trains -= length
            best_points += worth
            best_turns += 1.0 + 0.5 * float(length)
    return 0.5 * (points / turns + best_points / best_turns)


class Plan:
    """Made for each view: the tickets to complete, the routes and cards for them, the value."""

    def __init__(self, observation: Observation, style: Style) -> None:
        t = observation.t
        self.observation: Final = observation
        self.style: Final = style
        self.forest: Final = Forest(t)
        self.cost: Final[vec[i64]] = column([0] * t.routes)
        self.sort_cost: Final[vec[i64]] = column([0] * observation.sorts)  # but for its points
        self.bonus: Final[vec[float]] = vec[float]([0.0] * t.routes)
        self.chosen: Final[vec[i64]] = column([0] * t.routes)
        self.listed: Final[vec[i64]] = column([0] * t.routes)  # the chosen ones, in ascending order
        self.count: i64 = 0  # how many they are
        self.wanted: Final[vec[i64]] = column([0] * t.kinds)
        self.turns_left: float = 30.0
        # The tickets that are looked at together: their points, and the terminals that each joins.
        self.points: Final[vec[i64]] = column([0] * MOST_TICKETS)
        self.ends: Final[vec[i64]] = column([0] * MOST_TICKETS)
        # By set of them: the terminals, what the cheapest forest costs, and its first tree.
        self.terminals: Final[vec[i64]] = column([0] * (1 << MOST_TICKETS))
        self.forest_cost: Final[vec[i64]] = column([0] * (1 << MOST_TICKETS))
        self.first_tree: Final[vec[i64]] = column([0] * (1 << MOST_TICKETS))
        self.tickets: list[int] = []  # those that the plan is to complete
        self.open_tickets: list[int] = []  # all that are not finished
        self.value: float = 0.0
        self.turn_weight: float = 1.0  # below 1, the turns that tickets take count for less
        self.turns_needed: float = 0.0
        self.full: Final[i64] = t.board.trains
        self.trains_at: Final[i64] = observation.at("trains")
        self.route_yield: Final = board_yield(observation)
        mean: float = float(sum([int(t.length[r]) for r in range(t.routes)])) / float(t.routes)
        # A card buys less where claims may cost more of them or come to nothing.
        self.points_per_card: Final = (
            style.card_value * self.route_yield * (0.8 if sum(observation.uncertain) > 0 else 1.0)
        )
        self.trains_per_turn: Final = mean / (1.0 + 0.5 * mean)  # trains a turn
        self.points_per_turn: Final = style.turn_value * self.route_yield

    # --- time ---------------------------------------------------------------------------------

    def estimate_time(self) -> None:
        """How many turns this seat still has, from the trains of all and the speed so far."""
        o = self.observation
        t = o.t
        if o.last > 0:
            # In the last round: this turn, and none after it for most.
            self.turns_left = 1.0
            return
        full: float = float(self.full)
        rounds: float = float(o.turns) / float(t.seats)
        # A third of a game at the usual speed, then what was seen.
        weight: float = 0.3 * full / self.trains_per_turn
        least: float = 1000.0
        seat: i64 = 0
        while seat < t.seats:
            left: float = float(o.data[self.trains_at + seat]) - 2.0
            used: float = full - float(o.data[self.trains_at + seat])
            speed: float = (weight * self.trains_per_turn + used) / (weight + rounds)
            turns: float = left / max(0.4, speed)
            if turns < least:
                least = turns
            seat += 1
        self.turns_left = max(1.0, least + 1.0)

    def odds(self, turns: float) -> float:
        """The probability of completing something that needs this many turns."""
        room: float = self.turns_left * self.style.time_share
        spread: float = max(0.1, 0.6 + self.style.odds_width * self.turns_left)
        x: float = (turns - room) / spread
        if x > 30.0:
            return 0.0
        return 1.0 / (1.0 + exp(x))

    # --- routes -------------------------------------------------------------------------------

    def price_routes(self) -> None:
        """What each route costs this seat: 0 if it has it, FAR if it can't have it.

        `bonus` must hold what a claim of each open route brings in addition to its points.
        """
        o, sort_cost = self.observation, self.sort_cost
        length = o.t.length
        me: i64 = o.seat + 1
        discount: float = self.style.points_discount
        self.price_sorts()
        r: i64 = 0
        while r < o.t.routes:
            price: i64 = FAR
            if o.owner[r] == me:
                price = 0
            elif o.open[r] == 1 and length[r] <= o.trains:
                worth: float = o.points_of[r] + self.bonus[r]
                price = sort_cost[o.sort_of[r]] - int(discount * worth)
                if price < 10:
                    price = 10
            self.cost[r] = price
            r += 1
        self.forest.prepare(self.cost)

    def price_sorts(self) -> None:
        """What an open route of each sort costs, without the discount for what it brings."""
        o = self.observation
        t = o.t
        thrift: i64 = int(self.style.train_cost)
        thrift += o.train_bonus
        hand: i64 = int(self.style.hand_discount)
        k: i64 = 0
        while k < o.sorts:
            r: i64 = o.sample[k]
            # What is in the hand counts only in part: it may go into other routes, and a plan
            # that changes with every card gets nowhere.
            price: i64 = CLAIM_COST + CARD_COST * t.length[r]
            price -= hand * (t.length[r] - o.missing(r))
            price += 2 * CARD_COST * o.claims.symbols[r]
            if o.uncertain[r] == 1:
                price += UNCERTAIN_COST
            self.sort_cost[k] = price + thrift * t.length[r]
            k += 1

    # --- tickets ------------------------------------------------------------------------------

    def make(self, tickets: list[int]) -> float:
        """Choose which of these tickets to complete; returns the plan's value in points.

        Only the first tickets whose cities fit into the exact method are looked at together.
        """
        t, forest = self.observation.t, self.forest
        forest.clear_terminals()
        self.open_tickets = []
        base: float = 0.0
        n: i64 = 0
        for ticket in self.ranked(tickets):
            worth: int = t.ticket_points[ticket]
            if forest.joined(t.ticket_a[ticket], t.ticket_b[ticket]):
                base += float(worth)
                continue
            base -= float(worth)
            self.open_tickets.append(ticket)
            if forest.count <= MOST_TERMINALS - 2 and n < MOST_TICKETS:
                a: i64 = forest.terminal(t.ticket_a[ticket])
                b: i64 = forest.terminal(t.ticket_b[ticket])
                self.ends[n] = a | b
                self.points[n] = worth
                n += 1
        self.clear_chosen()
        self.tickets = []
        self.turns_needed = 0.0
        self.value = base
        if n > 0:
            forest.solve()
            self.choose(n, base)
        return self.value

    def ranked(self, tickets: list[int]) -> list[int]:
        """The most valuable first; they are the first to be planned for."""
        t = self.observation.t
        order = list(tickets)
        order.sort(key=lambda k: k - t.ticket_points[k] * t.tickets)
        return order

    def choose(self, n: i64, base: float) -> None:
        """Find the set of tickets with the highest gain, and mark the routes of its forest."""
        order = self.find_forests(n)
        order.sort(reverse=True)
        best_gain: float = 0.0
        best: i64 = 0
        tickets: i64 = -1
        for k in range(min(len(order), MOST_FORESTS)):
            tickets = order[k] & ((1 << MOST_TICKETS) - 1)
            self.mark(tickets)
            gain: float = self.gain_of(tickets, self.points)
            if gain > best_gain:
                best_gain = gain
                best = tickets
        if tickets != best:
            self.mark(best)
            self.gain_of(best, self.points)
        self.value = base + best_gain
        self.tickets = [self.open_tickets[j] for j in range(n) if best >> j & 1]

    def find_forests(self, n: i64) -> list[int]:
        """Find the cheapest forest for each set of tickets.

        Returns the sets that can be had, each after how good it looks at first sight.
        """
        tree, terminals = self.forest.tree, self.terminals
        cost, first_tree = self.forest_cost, self.first_tree
        order: list[int] = []
        s: i64 = 1
        while s < 1 << n:
            low: i64 = s & -s
            worth: i64 = 0
            terminals[s] = 0
            j: i64 = 0
            while j < n:
                if s >> j & 1:
                    terminals[s] |= self.ends[j]
                    worth += self.points[j]
                j += 1
            cheapest: i64 = tree[terminals[s]]
            part_of: i64 = s
            part: i64 = (s - 1) & s
            while part > 0:
                if part & low:
                    apart: i64 = tree[terminals[part]] + cost[s ^ part]
                    if apart < cheapest:
                        cheapest = apart
                        part_of = part
                part = (part - 1) & s
            cost[s] = cheapest
            first_tree[s] = part_of
            if cheapest < FAR:
                order.append(((worth * 200 - cheapest) << MOST_TICKETS) + s)
            s += 1
        return order

    def clear_chosen(self) -> None:
        k: i64 = 0
        while k < self.count:
            self.chosen[self.listed[k]] = 0
            k += 1
        self.count = 0

    def mark(self, tickets: i64) -> None:
        """Mark the routes of the forest for a set of tickets."""
        self.clear_chosen()
        while tickets > 0:
            part: i64 = self.first_tree[tickets]
            self.forest.mark(self.terminals[part], self.chosen)
            tickets ^= part
        self.list_chosen()

    def list_chosen(self) -> None:
        """List the routes that are marked."""
        chosen, listed = self.chosen, self.listed
        routes: i64 = self.observation.t.routes
        n: i64 = 0
        r: i64 = 0
        while r < routes:
            if chosen[r] == 1:
                listed[n] = r
                n += 1
            r += 1
        self.count = n

    def list_routes(self, routes: vec[i64], n: i64) -> None:
        """List the routes that are marked, where it is known which they are."""
        listed = self.listed
        j: i64 = 0
        while j < n:
            r: i64 = routes[j]
            k: i64 = j
            while k > 0 and listed[k - 1] > r:
                listed[k] = listed[k - 1]
                k -= 1
            listed[k] = r
            j += 1
        self.count = n

    def gain_of(self, tickets: i64, points: vec[i64]) -> float:
        """What completing a set of tickets over the marked routes gains."""
        o = self.observation
        t = o.t
        trains: i64 = 0
        route_points: i64 = 0
        bonuses: float = 0.0
        k: i64 = 0
        while k < self.count:
            r: i64 = self.listed[k]
            trains += t.length[r]
            route_points += o.claims.points[t.length[r]]
            bonuses += self.bonus[r]
            k += 1
        self.turns_needed = self.time_for_chosen()
        if trains > o.trains:
            return -1.0e6 - float(trains - o.trains)
        odds: float = self.odds(self.turns_needed)
        gain: float = 0.0
        most_tickets: float = self.style.most_tickets_weight * float(o.ticket_bonus)
        k = 0
        while tickets >> k > 0:
            if tickets >> k & 1:
                gain += (2.0 * float(points[k]) + most_tickets) * odds
            k += 1
        return (
            gain
            + float(route_points)
            + BONUS_SHARE * bonuses
            - self.turns_needed * self.points_per_turn * self.turn_weight
        )

    def time_for_chosen(self) -> float:
        """The turns that the marked routes take: one to claim each, and to draw what is missing."""
        o = self.observation
        t = o.t
        self.count_cards()
        claims: float = 0.0
        k: i64 = 0
        while k < self.count:
            claims += 1.0
            if o.uncertain[self.listed[k]] == 1:
                claims += 0.3
            k += 1
        lack: i64 = 0
        kind: i64 = 0
        while kind < t.colours:
            if self.wanted[kind] > o.hand[kind]:
                lack += self.wanted[kind] - o.hand[kind]
            kind += 1
        spare_locos: i64 = o.locos - self.wanted[t.loco]
        if spare_locos < 0:
            lack -= 2 * spare_locos
        else:
            lack -= spare_locos
        if lack < 0:
            lack = 0
        return claims + self.style.draw_time * float(lack)

    # --- cards --------------------------------------------------------------------------------

    def count_cards(self) -> None:
        """How many cards of each kind the chosen routes want in all."""
        o, wanted, listed = self.observation, self.wanted, self.listed
        t, hand, symbols = o.t, o.hand, o.claims.symbols
        kind: i64 = 0
        while kind < t.kinds:
            wanted[kind] = 0
            kind += 1
        gray: i64 = 0
        k: i64 = 0
        while k < self.count:
            r: i64 = listed[k]
            wanted[t.loco] += symbols[r]
            if t.colour[r] == GRAY:
                gray += 1
            else:
                wanted[t.colour[r]] += t.length[r] - symbols[r] + o.uncertain[r]
            k += 1
        k = 0
        while gray > 0:
            r = listed[k]
            if t.colour[r] == GRAY:
                # A gray route takes the colour that is most to spare.
                best: i64 = 0
                spare: i64 = hand[0] - wanted[0]
                c: i64 = 1
                while c < t.colours:
                    if hand[c] - wanted[c] > spare:
                        best = c
                        spare = hand[c] - wanted[c]
                    c += 1
                wanted[best] += t.length[r] - symbols[r]
                gray -= 1
            k += 1

    def spare(self, kind: i64) -> i64:
        """How many cards of a kind the plan leaves over; negative if it lacks some."""
        return self.observation.hand[kind] - self.wanted[kind]
