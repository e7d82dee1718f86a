"""The plan of a seat: which tickets to go for, over which routes, and with which cards.

Costs are in hundredths of a turn: a turn to claim, half a turn for each card. For every set of
unfinished tickets the cheapest forest is known exactly; the best set is the one with the highest
expected gain, points × (2·P(done) − 1), where P falls as the turns that the forest needs come near
to those that the game has left.
"""

from __future__ import annotations

from math import exp
from typing import Final

from branchline.bots.eyes import Eyes
from branchline.bots.steiner import FAR, MOST_TERMINALS, Forest
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.engine.table import column

CLAIM_COST: Final = 100  # a turn
CARD_COST: Final = 50  # half a turn
TUNNEL_COST: Final = 35
DRAW_TIME: Final = 0.58  # turns for each card that is missing: not every card drawn is one of them
# Neighbouring routes often earn the same extra (an attraction is touched once), so in part.
ADDED: Final = 0.5
MAT_TRAIN: Final = 35  # a train is worth more where it could go on the mat
MOST_TICKETS: Final = 7  # looked at together


class Style:
    """What a planner leans to. The defaults were found by play; see `docs/bots.md`."""

    def __init__(
        self,
        slip: float,
        caution: float,
        thrift: float,
        love: float,
        hand: float,
        hunger: float,
        rate: float,
        card: float,
        focus: float,
        block: float,
    ) -> None:
        self.slip: Final = slip  # how far it misjudges each action, in turns' worth
        self.caution: Final = caution  # the share of the time left that it dares to plan for
        # What a train is worth, in hundredths of a turn. Below 0 the plan prefers long routes,
        # which score more and bring the end nearer.
        self.thrift: Final = thrift
        self.love: Final = love  # how much a route's points make up for its cost
        self.hand: Final = hand  # how much cards in hand make a route cheaper to plan
        self.hunger: Final = hunger  # how gladly it draws tickets
        # Both as multiples of what a turn yields on the board by routes alone:
        self.rate: Final = rate  # what the turns are worth that tickets take
        self.card: Final = card  # what a card is worth
        self.focus: Final = focus  # how much dearer other routes are while tickets are open
        self.block: Final = block  # how much a rival's loss counts


def board_yield(eyes: Eyes) -> float:
    """The points that a turn brings on this board by routes alone.

    Half way between taking any route and filling the trains with the longest ones.
    """
    t = eyes.t
    lengths = sorted([int(t.length[r]) for r in range(t.routes)], reverse=True)
    points: float = 0.0
    turns: float = 0.0
    best_points: float = 0.0
    best_turns: float = 0.0
    trains = t.board.trains
    for length in lengths:
        worth: float = float(eyes.claims.points[length])
        points += worth
        turns += 1.0 + 0.5 * float(length)
        if length <= trains:
            trains -= length
            best_points += worth
            best_turns += 1.0 + 0.5 * float(length)
    return 0.5 * (points / turns + best_points / best_turns)


class Plan:
    """Made anew for a view; then tells what is wanted and what it is worth."""

    def __init__(self, eyes: Eyes, style: Style) -> None:
        t = eyes.t
        self.eyes: Final = eyes
        self.style: Final = style
        self.forest: Final = Forest(t)
        self.cost: Final[vec[i64]] = column([0] * t.routes)
        self.bonus: list[float] = [0.0] * t.routes
        self.chosen: Final[vec[i64]] = column([0] * t.routes)
        self.wanted: Final[vec[i64]] = column([0] * t.kinds)
        self.turns_left: float = 30.0
        self.tickets: list[int] = []  # those that the plan goes for
        self.open_tickets: list[int] = []  # all that are not finished
        self.value: float = 0.0
        self.zeal: float = 1.0  # below 1, turns count for less
        self.turns_needed: float = 0.0
        self.yield_: Final = board_yield(eyes)
        mean: float = float(sum([int(t.length[r]) for r in range(t.routes)])) / float(t.routes)
        # A card buys less where tunnels ask for more of them and may come to nothing.
        self.card: Final = style.card * self.yield_ * (0.8 if sum(eyes.tunnel) > 0 else 1.0)
        self.usual: Final = mean / (1.0 + 0.5 * mean)  # trains a turn
        self.rate: Final = style.rate * self.yield_

    # --- time ---------------------------------------------------------------------------------

    def estimate_time(self) -> None:
        """How many turns this seat still has, from the trains of all and the speed so far."""
        e = self.eyes
        t = e.t
        if e.last > 0:
            # In the last round: this turn, and none after it for most.
            self.turns_left = 1.0
            return
        trains: i64 = e.at("trains")
        full: float = float(t.board.trains)
        rounds: float = float(e.turns) / float(t.seats)
        least: float = 1000.0
        seat: i64 = 0
        while seat < t.seats:
            left: float = float(e.data[trains + seat]) - 2.0
            used: float = full - float(e.data[trains + seat])
            # A third of a game at the usual speed, then what was seen.
            weight: float = 0.3 * full / self.usual
            speed: float = (weight * self.usual + used) / (weight + rounds)
            turns: float = left / max(0.4, speed)
            if turns < least:
                least = turns
            seat += 1
        self.turns_left = max(1.0, least + 1.0)

    def odds(self, turns: float) -> float:
        """How likely it is to get something done that needs so many turns."""
        room: float = self.turns_left * self.style.caution
        x: float = (turns - room) / (0.6 + 0.10 * self.turns_left)
        if x > 30.0:
            return 0.0
        return 1.0 / (1.0 + exp(x))

    # --- routes -------------------------------------------------------------------------------

    def price_routes(self) -> None:
        """What each route costs this seat: 0 if it has it, FAR if it can't have it.

        `bonus` must hold what a claim of each open route brings beside its points.
        """
        e = self.eyes
        t = e.t
        me: i64 = e.seat + 1
        thrift: i64 = int(self.style.thrift)
        if e.mat is not None:
            thrift += MAT_TRAIN
        hand: i64 = int(self.style.hand)
        r: i64 = 0
        while r < t.routes:
            price: i64 = FAR
            if e.owner[r] == me:
                price = 0
            elif e.open[r] == 1 and t.length[r] <= e.trains:
                # What is in the hand counts only in part: it may go into other routes, and a plan
                # that changes with every card gets nowhere.
                price = CLAIM_COST + CARD_COST * t.length[r]
                price -= hand * (t.length[r] - e.missing(r))
                price += 2 * CARD_COST * e.claims.symbols[r]
                if e.tunnel[r] == 1:
                    price += TUNNEL_COST
                worth: float = float(e.claims.points[t.length[r]]) + self.bonus[r]
                price += thrift * t.length[r] - int(self.style.love * worth)
                if price < 10:
                    price = 10
            self.cost[r] = price
            r += 1
        self.forest.prepare(self.cost)

    # --- tickets ------------------------------------------------------------------------------

    def make(self, tickets: list[int]) -> float:
        """Choose the best of these tickets to go for; gives the plan's value in points.

        Only the first tickets whose cities fit into the exact method are looked at together.
        """
        t, forest = self.eyes.t, self.forest
        forest.clear_terminals()
        self.open_tickets = []
        base: float = 0.0
        masks: list[int] = []
        points: list[int] = []
        for ticket in self.ranked(tickets):
            worth: int = t.ticket_points[ticket]
            if forest.joined(t.ticket_a[ticket], t.ticket_b[ticket]):
                base += float(worth)
                continue
            base -= float(worth)
            self.open_tickets.append(ticket)
            if forest.count <= MOST_TERMINALS - 2 and len(masks) < MOST_TICKETS:
                a: i64 = forest.terminal(t.ticket_a[ticket])
                b: i64 = forest.terminal(t.ticket_b[ticket])
                masks.append(a | b)
                points.append(worth)
        r: i64 = 0
        while r < t.routes:
            self.chosen[r] = 0
            r += 1
        self.tickets = []
        self.turns_needed = 0.0
        self.value = base
        if masks:
            forest.solve()
            self.choose(masks, points, base)
        return self.value

    def ranked(self, tickets: list[int]) -> list[int]:
        """The most valuable first; they are the first to be planned for."""
        t = self.eyes.t
        order = list(tickets)
        order.sort(key=lambda k: (-t.ticket_points[k], k))
        return order

    def choose(self, masks: list[int], points: list[int], base: float) -> None:
        """Find the set of tickets with the highest gain, and mark the routes of its forest."""
        forest = self.forest
        n = len(masks)
        size = 1 << n
        cost: list[int] = [0] * size
        split: list[int] = [0] * size
        terminals: list[int] = [0] * size
        order: list[tuple[int, int]] = []
        for s in range(1, size):
            low = s & -s
            k = low.bit_length() - 1
            terminals[s] = terminals[s ^ low] | masks[k]
            cheapest: int = forest.tree[terminals[s]]
            part_of = s
            part = (s - 1) & s
            while part > 0:
                if part & low:
                    tree: int = forest.tree[terminals[part]]
                    if tree + cost[s ^ part] < cheapest:
                        cheapest = tree + cost[s ^ part]
                        part_of = part
                part = (part - 1) & s
            cost[s] = cheapest
            split[s] = part_of
            if cheapest < FAR:
                worth = 0
                for j in range(n):
                    if s >> j & 1:
                        worth += points[j]
                order.append((worth * 200 - cheapest, s))
        order.sort(reverse=True)
        best_gain: float = 0.0
        best_set = 0
        for k in range(min(len(order), 12)):
            s = order[k][1]
            self.mark(s, split, terminals)
            gain = self.gain_of(s, points)
            if gain > best_gain:
                best_gain = gain
                best_set = s
        self.mark(best_set, split, terminals)
        self.gain_of(best_set, points)
        self.value = base + best_gain
        self.tickets = [self.open_tickets[j] for j in range(n) if best_set >> j & 1]

    def mark(self, s: int, split: list[int], terminals: list[int]) -> None:
        """Mark the routes of the forest for a set of tickets."""
        r: i64 = 0
        while r < self.eyes.t.routes:
            self.chosen[r] = 0
            r += 1
        while s > 0:
            self.forest.mark(terminals[split[s]], self.chosen)
            s ^= split[s]

    def gain_of(self, s: int, points: list[int]) -> float:
        """What going for a set of tickets over the marked routes gains against leaving them."""
        e = self.eyes
        t = e.t
        trains: i64 = 0
        route_points: i64 = 0
        added: float = 0.0
        r: i64 = 0
        while r < t.routes:
            if self.chosen[r] == 1:
                trains += t.length[r]
                route_points += e.claims.points[t.length[r]]
                added += self.bonus[r]
            r += 1
        self.turns_needed = self.time_for_chosen()
        if trains > e.trains:
            return -1.0e6
        odds: float = self.odds(self.turns_needed)
        gain: float = 0.0
        for j in range(len(points)):
            if s >> j & 1:
                gain += (2.0 * float(points[j]) + 0.25 * float(e.globetrotter)) * odds
        return (
            gain + float(route_points) + ADDED * added - self.turns_needed * self.rate * self.zeal
        )

    def time_for_chosen(self) -> float:
        """The turns that the marked routes take: one to claim each, and to draw what is missing."""
        e = self.eyes
        t = e.t
        self.count_cards()
        claims: float = 0.0
        r: i64 = 0
        while r < t.routes:
            if self.chosen[r] == 1:
                claims += 1.0
                if e.tunnel[r] == 1:
                    claims += 0.3
            r += 1
        lack: i64 = 0
        kind: i64 = 0
        while kind < t.colours:
            if self.wanted[kind] > e.hand[kind]:
                lack += self.wanted[kind] - e.hand[kind]
            kind += 1
        spare_locos: i64 = e.locos - self.wanted[t.loco]
        if spare_locos < 0:
            lack -= 2 * spare_locos
        else:
            lack -= spare_locos
        if lack < 0:
            lack = 0
        return claims + DRAW_TIME * float(lack)

    # --- cards --------------------------------------------------------------------------------

    def count_cards(self) -> None:
        """How many cards of each kind the chosen routes want in all."""
        e = self.eyes
        t = e.t
        kind: i64 = 0
        while kind < t.kinds:
            self.wanted[kind] = 0
            kind += 1
        r: i64 = 0
        while r < t.routes:
            if self.chosen[r] == 1:
                free: i64 = t.length[r] - e.claims.symbols[r]
                self.wanted[t.loco] += e.claims.symbols[r]
                if t.colour[r] != GRAY:
                    self.wanted[t.colour[r]] += free
                    if e.tunnel[r] == 1:
                        self.wanted[t.colour[r]] += 1
            r += 1
        r = 0
        while r < t.routes:
            if self.chosen[r] == 1 and t.colour[r] == GRAY:
                # A gray route takes the colour that is most to spare.
                best: i64 = 0
                c: i64 = 1
                while c < t.colours:
                    if e.hand[c] - self.wanted[c] > e.hand[best] - self.wanted[best]:
                        best = c
                    c += 1
                self.wanted[best] += t.length[r] - e.claims.symbols[r]
            r += 1

    def spare(self, kind: i64) -> i64:
        """How many cards of a kind the plan leaves over (negative: how many it lacks)."""
        return self.eyes.hand[kind] - self.wanted[kind]
