"""The value of a turn's actions to a plan, in points: claims, payments and cards.

A claim is worth its route's points, its share of the plan's tickets and what the rules of the board
add, less the cards that it uses up; drawing is worth the cards.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.card_value import CardValue
from branchline.bots.observation import Observation
from branchline.bots.path_value import PathValue
from branchline.bots.plan import Plan
from branchline.bots.quick_plan import QuickPlan
from branchline.bots.style import Style
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.engine.layout import column
from branchline.rules.claims.registers import COLOUR, ROUTE

NEVER: Final = -1.0e9
MOST: Final = 1.0e9
CHEAPEST: Final = 0.6  # no card that a claim takes costs less than this, in cards


class TurnValue:
    """Makes a seat's plan and values actions by it."""

    def __init__(self, observation: Observation, style: Style) -> None:
        self.observation: Final = observation
        self.plan: Final = Plan(observation, style)
        observation.network = self.plan.forest.parent
        self.quick_plan: Final = QuickPlan(self.plan)
        self.cards: Final = CardValue(observation, self.plan)
        self.path_value: Final = PathValue(observation)
        self.target: Final[vec[i64]] = column([0] * observation.t.routes)
        # Routes that may be worth aiming at, with their points a turn, and turns by sort.
        self.options: Final[vec[i64]] = column([0] * observation.t.routes)
        self.density: Final[vec[float]] = vec[float]([0.0] * observation.t.routes)
        self.turns: Final[vec[float]] = vec[float]([0.0] * observation.sorts)
        # What a claim outside of the plan brings at most by its points, by length.
        longest = max([int(length) for length in observation.t.length])
        self.bound: Final[vec[float]] = vec[float]([0.0] * (longest + 1))
        self.share: float = 0.0  # what each hundredth of a turn spent on the plan brings
        # What losing a route would cost the rivals, where somebody has estimated it.
        self.loss: vec[float] = vec[float]([0.0] * observation.t.routes)
        self.registers_at: Final[i64] = observation.at("registers")
        self.bonuses_vary: Final = any(rule.claims_vary for rule in observation.value_rules)

    def read_prices(self) -> None:
        """The observation was read: find out how much time is left and what routes cost."""
        self.read_worth()
        self.plan.price_routes()

    def read_worth(self) -> None:
        """Find out how much time is left and what routes bring, but not what they cost."""
        o, p = self.observation, self.plan
        p.estimate_time()
        o.turns_left = p.turns_left
        self.weigh_bonuses()

    def weigh_bonuses(self) -> None:
        """What each open route brings in addition to its points, by the rules of the board."""
        o, p = self.observation, self.plan
        style = p.style
        o.claim_bonuses(p.bonus)
        path: float = style.path_weight * float(o.path_bonus) / 10.0
        if path > 0.0:
            self.path_value.count()
        elif style.bonus_weight == 1.0:
            return
        r: i64 = 0
        while r < o.t.routes:
            if o.open[r] == 1:
                p.bonus[r] *= style.bonus_weight
                if path > 0.0:
                    p.bonus[r] += path * self.path_value.gain(r)
            r += 1

    def prepare(self) -> None:
        """Make the plan, and add routes that score by themselves if time allows."""
        self.plan.make(self.observation.held)
        self.settle()

    def prepare_quickly(self) -> None:
        """The same with a plan that need not be the best."""
        self.quick_plan.make(self.observation.held)
        self.settle()

    def settle(self) -> None:
        """A plan was made: value what goes with it."""
        o, p = self.observation, self.plan
        t = o.t
        gain: float = 0.0
        for ticket in p.tickets:
            gain += 2.0 * float(t.ticket_points[ticket])
        self.share = gain / max(1.0, p.turns_needed)
        p.count_cards()
        if p.turns_needed < 1.5 or not p.tickets:
            self.add_targets()
            p.count_cards()
        else:
            self.clear_targets()
        o.open_tickets = p.open_tickets
        self.update_cards()

    def aim(self) -> None:
        """Forget the plan, and choose routes for their points alone."""
        p = self.plan
        p.clear_chosen()
        p.turns_needed = 0.0
        self.add_targets()
        p.count_cards()
        self.update_cards()

    def update_cards(self) -> None:
        """Value the cards anew."""
        self.cards.estimate_chances()
        self.update_hand()

    def update_hand(self) -> None:
        """The hand or the display has changed: value the cards again."""
        o, p = self.observation, self.plan
        self.cards.update()
        o.card_price = self.cards.price
        kind: i64 = 0
        while kind < o.t.kinds:
            o.spare[kind] = p.spare(kind)
            kind += 1

    def add_targets(self) -> None:
        """Choose routes for their points alone, as far as turns and trains allow."""
        o, p = self.observation, self.plan
        t = o.t
        turns: float = p.turns_left * 0.95 - p.turns_needed
        trains: i64 = o.trains
        k: i64 = 0
        while k < p.count:
            trains -= t.length[p.listed[k]]
            k += 1
        self.clear_targets()
        n: i64 = self.find_options(trains, turns)
        for _ in range(3):
            best: i64 = -1
            most: float = 0.0
            k = 0
            while k < n:
                r: i64 = self.options[k]
                if (
                    self.density[k] > most
                    and p.chosen[r] == 0
                    and t.length[r] <= trains
                    and self.turns[o.sort_of[r]] <= turns
                ):
                    most = self.density[k]
                    best = r
                k += 1
            if best < 0:
                break
            self.target[best] = 1
            p.chosen[best] = 1
            trains -= t.length[best]
            turns -= self.turns[o.sort_of[best]]
        p.list_chosen()

    def clear_targets(self) -> None:
        target = self.target
        routes: i64 = self.observation.t.routes
        r: i64 = 0
        while r < routes:
            target[r] = 0
            r += 1

    def find_options(self, trains: i64, turns: float) -> i64:
        """List the routes that trains and turns allow to aim at; returns how many they are."""
        o, p = self.observation, self.plan
        t = o.t
        k: i64 = 0
        while k < o.sorts:
            self.turns[k] = 1.0 + 0.5 * float(o.missing(o.sample[k]))
            k += 1
        n: i64 = 0
        r: i64 = 0
        while r < t.routes:
            if o.open[r] == 1 and p.chosen[r] == 0 and t.length[r] <= trains:
                need: float = self.turns[o.sort_of[r]]
                if need <= turns:
                    self.options[n] = r
                    self.density[n] = (o.points_of[r] + p.bonus[r]) / need
                    n += 1
            r += 1
        return n

    def substitute(self, action: i64) -> float:
        """A card of a set of substitutes: what is to spare, and locomotives last."""
        kind: i64 = action - self.observation.claims.sub
        worth: float = float(self.plan.spare(kind))
        return worth - 4.0 if kind == self.observation.t.loco else worth

    def claim(self, action: i64) -> float:
        """A claim of a route with a colour."""
        o, p = self.observation, self.plan
        t = o.t
        r: i64 = o.claims.route_of[action - o.claims.claim]
        colour: i64 = o.claims.colour_of[action - o.claims.claim]
        length: i64 = t.length[r]
        if o.uncertain[r] == 1 and o.claim_fails(colour, length):
            return NEVER / 2.0
        worth: float = float(o.claims.points[length]) + p.bonus[r]
        worth += p.style.block_weight * self.loss[r] / float(t.seats - 1)
        x: i64 = 0
        if colour < t.colours:
            x = length - o.claims.symbols[r]
            if x > o.hand[colour]:
                x = o.hand[colour]
        y: i64 = length - x
        sets: i64 = 0
        if y > o.locos:
            sets = y - o.locos
            y = o.locos
        if p.chosen[r] == 1 and self.target[r] == 0:
            # Its cards were gathered for it; only what it takes beyond them counts.
            over: i64 = y - o.claims.symbols[r]
            if over < 0:
                over = 0
            worth += p.style.plan_claim + self.share * float(p.cost[r]) / 100.0
            if p.style.patience > 0.0:
                worth -= self.postponed(r)
            worth -= self.cards.price * (0.5 * float(over) + 0.8 * float(sets))
            if t.colour[r] == GRAY and colour < t.colours and self.starves(colour, x):
                worth -= self.cards.price * 0.2 * float(x)
            if t.twin[r] < 0:
                worth += 1.0
            if o.uncertain[r] == 1 and p.turns_left > 3.0:
                worth *= o.claim_odds(o.hand[colour] + o.locos - length)
            return worth
        if self.target[r] == 0:
            # Not in the plan: trains and cards are better kept, unless time runs out.
            worth -= 0.25 * float(length)
            if p.tickets and o.trains - length < self.trains_wanted():
                return NEVER / 2.0
        price: float = self.cards.use(t.loco, y) + float(sets) * 2.6 * self.cards.price
        if colour < t.colours:
            price += self.cards.use(colour, x)
        if o.uncertain[r] == 1:
            price += 0.8 * self.cards.price
        if p.tickets:
            price *= p.style.off_plan_factor  # first the tickets
        return worth - price

    def find_bounds(self) -> None:
        """Cards are valued: find what claims outside of the plan bring at most."""
        claims, p = self.observation.claims, self.plan
        price: float = CHEAPEST * self.cards.price
        if p.tickets:
            price *= p.style.off_plan_factor
        length: i64 = 0
        while length < len(self.bound):
            self.bound[length] = float(claims.points[length]) - price * float(length)
            length += 1

    def at_most(self, r: i64) -> float:
        """A bound that is found at once: no claim of the route is worth more than this."""
        o, p = self.observation, self.plan
        if p.chosen[r] == 1 and self.target[r] == 0:
            return MOST
        worth: float = self.bound[o.t.length[r]] + p.bonus[r]
        if self.loss[r] > 0.0:
            worth += p.style.block_weight * self.loss[r] / float(o.t.seats - 1)
        return worth

    def postponed(self, r: i64) -> float:
        """What of a planned claim would be no less if it came later, as far as there is time."""
        o, p = self.observation, self.plan
        if self.loss[r] > 0.0:
            return 0.0
        room: float = max(1.0, p.turns_left * p.style.time_share)
        slack: float = max(0.0, 1.0 - p.turns_needed / room)
        later: float = float(o.claims.points[o.t.length[r]]) + p.style.plan_claim
        later += self.share * float(p.cost[r]) / 100.0
        return p.style.patience * slack * later

    def starves(self, colour: i64, n: i64) -> bool:
        """Whether a gray route would take cards that coloured routes of the plan need."""
        o, p = self.observation, self.plan
        need: i64 = 0
        k: i64 = 0
        while k < p.count:
            if o.t.colour[p.listed[k]] == colour:
                need += o.t.length[p.listed[k]]
            k += 1
        return o.hand[colour] - n < need

    def trains_wanted(self) -> i64:
        o, p = self.observation, self.plan
        n: i64 = 0
        k: i64 = 0
        while k < p.count:
            if self.target[p.listed[k]] == 0:
                n += o.t.length[p.listed[k]]
            k += 1
        return n

    def payment(self, action: i64) -> float:
        """A way to pay for the claim under way: the cheapest is best."""
        o = self.observation
        claims = o.claims
        r: i64 = o.data[self.registers_at + ROUTE]
        colour: i64 = o.data[self.registers_at + COLOUR]
        code: i64 = action - claims.pay
        extra: i64 = code % claims.extras
        z: i64 = code // claims.extras % claims.sets
        y: i64 = code // (claims.extras * claims.sets)
        x: i64 = o.t.length[r] + extra - y - z
        price: float = float(z * claims.set_size[r]) * 0.8 * self.cards.price + self.cards.use(
            o.t.loco, y
        )
        if colour < o.t.colours:
            price += float(x) * 0.7 * self.cards.price
        return o.payment_bonus(r, o.t.length[r] + extra) - price

    def more_cards(self, more: i64) -> float:
        """The value of drawing `more` cards than usual, which can be done only once or twice."""
        early: float = min(1.0, self.plan.turns_left / 20.0)
        value: float = float(more)
        return 2.0 * self.cards.blind + value * (
            self.cards.blind - self.plan.style.express_value * early
        )
