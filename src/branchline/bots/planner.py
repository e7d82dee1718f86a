"""The planner: plans its tickets exactly, and weighs every turn against that plan.

Each decision gives the actions a worth in points and takes the best. A claim is worth its route's
points, its share of the plan's tickets and what the board adds (festival cards, attractions, the
mat), less the cards that it uses up; drawing is worth the cards; tickets are worth what the plan
would gain by the best of them.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.cards import Cards
from branchline.bots.extras import Extras
from branchline.bots.eyes import Eyes
from branchline.bots.offers import Offers
from branchline.bots.plan import Plan, Style
from branchline.bots.rivals import Rivals
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.rule import Rule
from branchline.engine.table import column
from branchline.engine.view import View
from branchline.rules.claims import PAY, ROUTE, SUBSTITUTE

NEVER: Final = -1.0e9
# A kept ticket need not be followed up, so when choosing the turns that it takes count less.
ZEAL: Final = 0.7


class Planner:
    """A player that plans. `slip` is how far it misjudges each action, in turns' worth."""

    def __init__(
        self,
        slip: float = 0.0,
        caution: float = 0.7,
        thrift: float = -30.0,
        love: float = 5.0,
        hand: float = 20.0,
        hunger: float = 0.3,
        rate: float = 1.3,
        card: float = 0.62,
        focus: float = 4.0,
        block: float = 0.3,
    ) -> None:
        self.style: Final = Style(
            slip, caution, thrift, love, hand, hunger, rate, card, focus, block
        )
        self.mind: Mind | None = None

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        rng = stream(seed_words(seed), 0, POLICY, seat)
        self.mind = Mind(game, seat, self.style, rng)

    def decide(self, view: View, seconds: float) -> int:
        """One of the view's actions."""
        assert self.mind is not None
        return self.mind.decide(view)

    def finish(self, view: View) -> None:
        """Nothing to keep."""


class Mind:
    """The thinking of a planner for one game and seat; it remembers nothing between decisions."""

    def __init__(self, game: Game, seat: i64, style: Style, rng: Rng) -> None:
        self.game: Final = game
        self.rng: Final = rng
        self.eyes: Final = Eyes(game, seat)
        self.plan: Final = Plan(self.eyes, style)
        self.extras: Final = Extras(self.eyes, self.plan)
        self.cards: Final = Cards(self.eyes, self.plan)
        self.offers: Final = Offers(self.eyes, self.plan)
        self.rivals: Final = Rivals(self.eyes)
        self.target: Final[vec[i64]] = column([0] * game.table.routes)
        self.payable: Final[vec[i64]] = column([0] * game.table.routes)
        self.share: float = 0.0  # what each hundredth of a turn spent on the plan brings

    def decide(self, view: View) -> int:
        actions = view.actions
        if len(actions) == 1:
            return actions[0]
        self.eyes.look(view)
        self.plan.estimate_time()
        for r in range(self.eyes.t.routes):
            self.plan.bonus[r] = self.extras.claim(r) if self.eyes.open[r] == 1 else 0.0
        self.plan.price_routes()
        phase = self.game.phase_names[self.eyes.phase]
        if phase == "keep_tickets" or phase == "opening_tickets":
            return self.keep(actions, self.eyes.offered, self.eyes.held)
        if phase == "draft_pick" or phase == "second_draft_pick":
            return self.pick(actions)
        if phase == "draft_keep" or phase == "second_draft_keep":
            return self.keep(actions, self.eyes.picked, self.eyes.held)
        self.prepare()
        if phase == "turn":
            self.weigh_blocks(actions)
        best = actions[0]
        most: float = NEVER
        for action in actions:
            worth = self.misjudged(self.worth(action, phase))
            if worth > most:
                most = worth
                best = action
        return best

    def misjudged(self, worth: float) -> float:
        """The worth of an action as this player sees it."""
        slip: float = self.plan.style.slip
        if slip == 0.0:
            return worth
        return worth + slip * self.plan.yield_ * (float(self.rng.below(2001)) / 1000.0 - 1.0)

    def weigh_blocks(self, actions: list[int]) -> None:
        """See what each route that can be claimed now would cost the rivals."""
        e, p = self.eyes, self.plan
        r: i64 = 0
        while r < e.t.routes:
            self.payable[r] = 0
            r += 1
        some = False
        for action in actions:
            if self.game.action_rules[action] is e.claims:
                self.payable[e.claims.route_of[action - e.claims.claim]] = 1
                some = True
        if some and p.style.block > 0.0:
            self.rivals.look(self.payable, p.rate, p.turns_left)

    # --- the position -------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the plan, and add routes that score by themselves if there is time for them."""
        e, p = self.eyes, self.plan
        t = e.t
        p.make(e.held)
        gain: float = 0.0
        for ticket in p.tickets:
            gain += 2.0 * float(t.ticket_points[ticket])
        self.share = gain / max(1.0, p.turns_needed)
        p.count_cards()
        if p.turns_needed < 1.5 or not p.tickets:
            self.add_targets()
            p.count_cards()
        else:
            for r in range(t.routes):
                self.target[r] = 0
        self.cards.look()

    def add_targets(self) -> None:
        """Choose routes for their points alone, as far as turns and trains reach."""
        e, p = self.eyes, self.plan
        t = e.t
        turns: float = p.turns_left * 0.95 - p.turns_needed
        trains: i64 = e.trains
        r: i64 = 0
        while r < t.routes:
            self.target[r] = 0
            if p.chosen[r] == 1:
                trains -= t.length[r]
            r += 1
        for _ in range(3):
            best: i64 = -1
            most: float = 0.0
            r = 0
            while r < t.routes:
                if e.open[r] == 1 and p.chosen[r] == 0 and t.length[r] <= trains:
                    need: float = 1.0 + 0.5 * float(e.missing(r))
                    if need <= turns:
                        points: float = float(e.claims.points[t.length[r]]) + p.bonus[r]
                        density: float = points / need
                        if density > most:
                            most = density
                            best = r
                r += 1
            if best < 0:
                return
            self.target[best] = 1
            p.chosen[best] = 1
            trains -= t.length[best]
            turns -= 1.0 + 0.5 * float(e.missing(best))

    # --- what an action is worth ----------------------------------------------------------------

    def worth(self, action: i64, phase: str) -> float:
        rule = self.game.action_rules[action]
        kind: i64 = self.game.action_kinds[action]
        if rule is self.eyes.claims:
            if kind == PAY:
                return self.payment(action)
            if kind == SUBSTITUTE:
                return float(self.plan.spare(action - self.eyes.claims.sub)) - self.loco_tax(
                    action - self.eyes.claims.sub
                )
            return self.claim(action)
        if rule is self.eyes.draw:
            return self.cards.draw(action, phase == "draw")
        if rule is self.eyes.draw_tickets:
            return self.tickets(0)
        return self.special(rule, action)

    def special(self, rule: Rule, action: i64) -> float:
        """Actions that only some boards have."""
        e, x = self.eyes, self.extras
        if rule is e.express:
            return self.express(action)
        if rule is e.mat:
            return x.place(action)
        if rule is e.festivals:
            return x.festival_end(action)
        if rule is e.stations:
            return x.station(action, self.cards.price)
        if rule.name == "tunnels":
            return x.tunnel(action)
        return -50.0  # passing, and whatever is not known

    def loco_tax(self, kind: i64) -> float:
        if kind == self.eyes.t.loco:
            return 4.0
        return 0.0

    def claim(self, action: i64) -> float:
        """A claim of a route with a colour."""
        e, p = self.eyes, self.plan
        t = e.t
        r: i64 = e.claims.route_of[action - e.claims.claim]
        colour: i64 = e.claims.colour_of[action - e.claims.claim]
        length: i64 = t.length[r]
        worth: float = float(e.claims.points[length]) + p.bonus[r]
        worth += p.style.block * self.rivals.loss[r] / float(t.seats - 1)
        x: i64 = 0
        if colour < t.colours:
            x = length - e.claims.symbols[r]
            if x > e.hand[colour]:
                x = e.hand[colour]
        y: i64 = length - x
        sets: i64 = 0
        if y > e.locos:
            sets = y - e.locos
            y = e.locos
        if p.chosen[r] == 1 and self.target[r] == 0:
            # Its cards were gathered for it; only what it takes beyond them counts.
            over: i64 = y - e.claims.symbols[r]
            if over < 0:
                over = 0
            worth += 4.0 + self.share * float(p.cost[r]) / 100.0
            worth -= self.cards.price * (0.5 * float(over) + 0.8 * float(sets))
            if t.colour[r] == GRAY and colour < t.colours and self.starves(colour, x):
                worth -= self.cards.price * 0.2 * float(x)
            if t.twin[r] < 0:
                worth += 1.0
            if e.tunnel[r] == 1 and p.turns_left > 3.0:
                worth *= self.extras.through(e.hand[colour] + e.locos - length)
            return worth
        if self.target[r] == 0:
            # Not in the plan: trains and cards are better kept, unless time runs out.
            worth -= 0.25 * float(length)
            if e.trains - length < self.trains_wanted() and p.tickets:
                return NEVER / 2.0
        price: float = self.cards.use(t.loco, y) + float(sets) * 2.6 * self.cards.price
        if colour < t.colours:
            price += self.cards.use(colour, x)
        if e.tunnel[r] == 1:
            price += 0.8 * self.cards.price
        if p.tickets:
            price *= p.style.focus  # first the tickets
        return worth - price

    def starves(self, colour: i64, n: i64) -> bool:
        """Whether a gray route would take cards that coloured routes of the plan need."""
        e, p = self.eyes, self.plan
        need: i64 = 0
        r: i64 = 0
        while r < e.t.routes:
            if p.chosen[r] == 1 and e.t.colour[r] == colour:
                need += e.t.length[r]
            r += 1
        return e.hand[colour] - n < need

    def trains_wanted(self) -> i64:
        e, p = self.eyes, self.plan
        n: i64 = 0
        r: i64 = 0
        while r < e.t.routes:
            if p.chosen[r] == 1 and self.target[r] == 0:
                n += e.t.length[r]
            r += 1
        return n

    def payment(self, action: i64) -> float:
        """A way to pay for the claim under way: the cheapest is best."""
        e = self.eyes
        claims = e.claims
        r: i64 = e.data[e.at("registers") + ROUTE]
        colour: i64 = e.data[e.at("registers") + ROUTE + 1]
        code: i64 = action - claims.pay
        extra: i64 = code % claims.extras
        z: i64 = code // claims.extras % claims.sets
        y: i64 = code // (claims.extras * claims.sets)
        x: i64 = e.t.length[r] + extra - y - z
        price: float = float(z * claims.set_size[r]) * 0.8 * self.cards.price + self.cards.use(
            e.t.loco, y
        )
        if colour < e.t.colours:
            price += float(x) * 0.7 * self.cards.price
        return self.extras.overpay(r, e.t.length[r] + extra) - price

    def tickets(self, more: i64) -> float:
        """Drawing tickets, perhaps more than usual: what they may bring."""
        e, p = self.eyes, self.plan
        drawn: i64 = e.draw_tickets.draw + more
        if drawn > e.ticket_deck:
            drawn = e.ticket_deck
        if e.last > 0:
            return self.offers.worth(drawn)  # nothing can come between
        if len(p.open_tickets) > len(p.tickets):
            return NEVER / 2.0
        return self.offers.worth(drawn) * p.style.hunger

    def express(self, action: i64) -> float:
        """Spending an Express card on cards or tickets."""
        e, p = self.eyes, self.plan
        express = e.express
        assert express is not None
        early: float = min(1.0, p.turns_left / 20.0)
        if action >= express.tickets_base:
            return self.tickets(express.values[action - express.tickets_base]) - 1.0
        value: float = float(express.values[action - express.cards_base])
        return 2.0 * self.cards.blind + value * (self.cards.blind - 0.9 * early)

    # --- tickets ------------------------------------------------------------------------------

    def keep(self, actions: list[int], offered: list[int], held: list[int]) -> int:
        """The choice of offered tickets with the highest plan."""
        best = actions[0]
        most: float = NEVER
        base = actions[0] - self.lowest_mask(actions, offered)
        self.plan.zeal = ZEAL
        for action in actions:
            mask = action - base
            kept = [offered[k] for k in range(len(offered)) if mask >> k & 1]
            worth = self.misjudged(self.plan.make(held + kept))
            if worth > most:
                most = worth
                best = action
        self.plan.zeal = 1.0
        return best

    def lowest_mask(self, actions: list[int], offered: list[int]) -> int:
        """The set that the first of the actions stands for."""
        text = self.game.action_text(actions[0]).split()
        mask = 0
        for word in text[text.index("keep") + 1 :]:
            mask |= 1 << (int(word) - 1)
        return mask

    def pick(self, actions: list[int]) -> int:
        """Of a draft pack, the ticket that fits best to those picked and held."""
        pack = self.eyes.pack
        mine = self.eyes.held + self.eyes.picked
        best = actions[0]
        most: float = NEVER
        for k in range(len(actions)):
            worth = self.misjudged(self.plan.make(mine + [pack[k]]))
            if worth > most:
                most = worth
                best = actions[k]
        return best
