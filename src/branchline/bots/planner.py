"""The planner: plans its tickets exactly, and weighs every turn against that plan.

Each decision gives the actions a worth in points and takes the best. A claim is worth its route's
points, its share of the plan's tickets and what the board adds (festival cards, attractions, the
mat), less the cards that it uses up; drawing is worth the cards; tickets are worth what the plan
would gain by the best of them.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.extras import Extras
from branchline.bots.eyes import Eyes
from branchline.bots.plan import Plan, Style
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.rule import Rule
from branchline.engine.table import column
from branchline.engine.view import View
from branchline.rules.claims import PAY, ROUTE, SUBSTITUTE

NEVER: Final = -1.0e9


class Planner:
    """A player that plans. `slip` is how often it takes any action instead of the best."""

    def __init__(
        self,
        slip: float = 0.0,
        caution: float = 0.7,
        thrift: float = 5.0,
        love: float = 10.0,
        hand: float = 20.0,
        hunger: float = 0.0,
        rate: float = 1.3,
        card: float = 0.62,
        focus: float = 3.0,
    ) -> None:
        self.slip: Final = slip
        self.style: Final = Style(caution, thrift, love, hand, hunger, rate, card, focus)
        self.rng: Rng = Rng(0, 0, 0, 0)
        self.mind: Mind | None = None

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.rng = stream(seed_words(seed), 0, POLICY, seat)
        self.mind = Mind(game, seat, self.style)

    def decide(self, view: View, seconds: float) -> int:
        """One of the view's actions."""
        if self.slip > 0.0 and float(self.rng.below(10000)) < self.slip * 10000.0:
            return view.actions[self.rng.below(len(view.actions))]
        assert self.mind is not None
        return self.mind.decide(view)

    def finish(self, view: View) -> None:
        """Nothing to keep."""


class Mind:
    """The thinking of a planner for one game and seat; it remembers nothing between decisions."""

    def __init__(self, game: Game, seat: i64, style: Style) -> None:
        self.game: Final = game
        self.eyes: Final = Eyes(game, seat)
        self.plan: Final = Plan(self.eyes, style)
        self.extras: Final = Extras(self.eyes, self.plan)
        self.card: float = 0.9  # what a card is worth now
        self.target: Final[vec[i64]] = column([0] * game.table.routes)
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
        best = actions[0]
        most: float = NEVER
        for action in actions:
            worth = self.worth(action, phase)
            if worth > most:
                most = worth
                best = action
        return best

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
        self.card = p.card * min(1.0, p.turns_left / 6.0)
        p.count_cards()
        if p.turns_needed < 1.5 or not p.tickets:
            self.add_targets()
            p.count_cards()
        else:
            for r in range(t.routes):
                self.target[r] = 0

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
            return self.draw(action, phase)
        if rule is self.eyes.draw_tickets:
            return self.tickets()
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
            return x.station(action, self.card)
        if rule.name == "tunnels":
            return x.tunnel(action)
        return -50.0  # passing, and whatever is not known

    def loco_tax(self, kind: i64) -> float:
        if kind == self.eyes.t.loco:
            return 4.0
        return 0.0

    def use(self, kind: i64, n: i64) -> float:
        """What it costs to play n cards of a kind, dearer if the plan wants them elsewhere."""
        p = self.plan
        over: i64 = p.spare(kind)
        if over < 0:
            over = 0
        cheap: i64 = n
        if cheap > over:
            cheap = over
        price: float = float(cheap) * 0.7 + float(n - cheap) * 1.1
        if kind == self.eyes.t.loco:
            price = float(n) * 1.7
        return price * self.card

    def claim(self, action: i64) -> float:
        """A claim of a route with a colour."""
        e, p = self.eyes, self.plan
        t = e.t
        r: i64 = e.claims.route_of[action - e.claims.claim]
        colour: i64 = e.claims.colour_of[action - e.claims.claim]
        length: i64 = t.length[r]
        worth: float = float(e.claims.points[length]) + p.bonus[r]
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
            worth -= self.card * (0.5 * float(over) + 0.8 * float(sets))
            if t.colour[r] == GRAY and colour < t.colours and self.starves(colour, x):
                worth -= self.card * 0.2 * float(x)
            if t.twin[r] < 0:
                worth += 1.0
            return worth
        if self.target[r] == 0:
            # Not in the plan: trains and cards are better kept, unless time runs out.
            worth -= 0.25 * float(length)
            if e.trains - length < self.trains_wanted() and p.tickets:
                return NEVER / 2.0
        price: float = self.use(t.loco, y) + float(sets) * 2.6 * self.card
        if colour < t.colours:
            price += self.use(colour, x)
        if e.tunnel[r] == 1:
            price += 0.8 * self.card
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

    def card_worth(self, kind: i64) -> float:
        """What one more card of a kind brings."""
        e, p = self.eyes, self.plan
        lack: i64 = p.wanted[kind] - e.hand[kind]
        if kind == e.t.loco:
            return self.card * (2.4 if lack > 0 else 1.5)
        if lack > 0:
            return self.card * (1.2 + 0.7 * self.nearness(kind))
        return self.card * (0.6 + 0.05 * float(min(e.hand[kind], 6)))

    def nearness(self, kind: i64) -> float:
        """How near the hand is to paying for a chosen route with this colour, at best."""
        e, p = self.eyes, self.plan
        t = e.t
        have: float = float(e.hand[kind] + e.locos)
        best: float = 0.0
        r: i64 = 0
        while r < t.routes:
            if p.chosen[r] == 1 and (t.colour[r] == kind or t.colour[r] == GRAY):
                need: float = float(t.length[r] - e.claims.symbols[r])
                if have < need and (have + 1.0) / need > best:
                    best = (have + 1.0) / need
            r += 1
        return best

    def blind_worth(self) -> float:
        """A card from the deck: the mean over what has not been seen, roughly all kinds alike."""
        t = self.eyes.t
        total: float = 0.0
        for kind in range(t.colours):
            total += self.card_worth(kind)
        return (total / float(t.colours)) * 0.87 + self.card_worth(t.loco) * 0.13

    def draw(self, action: i64, phase: str) -> float:
        e = self.eyes
        blind = self.blind_worth()
        if action == e.draw.blind:
            one = blind
        else:
            one = self.card_worth(action - e.draw.take)
        if phase == "draw":
            return one
        if action != e.draw.blind and action - e.draw.take == e.t.loco and not e.draw.free:
            return one * 1.05
        return one + max(blind, self.best_shown(action - e.draw.take))

    def best_shown(self, taken: i64) -> float:
        """The best card of the display beside the one that is taken first."""
        e = self.eyes
        at: i64 = e.at("display")
        best: float = 0.0
        skipped = False
        for slot in range(e.t.display_size):
            kind: i64 = e.data[at + slot]
            if kind == e.t.blank or (kind == e.t.loco and not e.draw.free):
                continue
            if kind == taken and not skipped:
                skipped = True
                continue
            best = max(best, self.card_worth(kind))
        return best

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
        price: float = float(z * claims.set_size[r]) * 0.8 * self.card + self.use(e.t.loco, y)
        if colour < e.t.colours:
            price += float(x) * 0.7 * self.card
        return self.extras.overpay(r, e.t.length[r] + extra) - price

    def tickets(self) -> float:
        """Drawing tickets: the plan's gain by the best of those that may come."""
        e, p = self.eyes, self.plan
        room: float = p.turns_left - p.turns_needed
        if room < 6.0 or p.turns_needed > 4.0 or len(p.open_tickets) > len(p.tickets):
            return NEVER / 2.0
        return self.extras.tickets_worth(e.draw_tickets.draw) * p.style.hunger - p.rate * 0.4

    def express(self, action: i64) -> float:
        """Spending an Express card on cards or tickets."""
        e, p = self.eyes, self.plan
        express = e.express
        assert express is not None
        early: float = min(1.0, p.turns_left / 20.0)
        if action >= express.tickets_base:
            return self.tickets() - 1.0
        value: float = float(express.values[action - express.cards_base])
        return 2.0 * self.blind_worth() + value * (self.blind_worth() - 0.9 * early)

    # --- tickets ------------------------------------------------------------------------------

    def keep(self, actions: list[int], offered: list[int], held: list[int]) -> int:
        """The choice of offered tickets with the highest plan."""
        best = actions[0]
        most: float = NEVER
        base = actions[0] - self.lowest_mask(actions, offered)
        for action in actions:
            mask = action - base
            kept = [offered[k] for k in range(len(offered)) if mask >> k & 1]
            worth = self.plan.make(held + kept)
            if worth > most:
                most = worth
                best = action
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
            worth = self.plan.make(mine + [pack[k]])
            if worth > most:
                most = worth
                best = actions[k]
        return best
