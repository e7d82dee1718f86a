"""The planner: plans its tickets exactly, and weighs every turn against that plan.

For each decision it values the actions in points and takes the best. A claim is worth its route's
points, its share of the plan's tickets and what the rules of the board add, less the cards that it
uses up; drawing is worth the cards; tickets are worth what the plan would gain by the best of them.
"""

from __future__ import annotations

from math import inf
from typing import Final

from branchline.bots.card_value import CardValue
from branchline.bots.observation import Observation
from branchline.bots.plan import Plan, Style
from branchline.bots.rivals import Rivals
from branchline.bots.ticket_value import TicketValue
from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.layout import column
from branchline.engine.view import View
from branchline.rules.claims.registers import PAY, ROUTE, SUBSTITUTE

NEVER: Final = -1.0e9
RULED_OUT: Final = -1.0e8  # what is worth less is not done while there is anything else
# A kept ticket need not be completed, so the turns that it takes count less when choosing.
KEEP_TURN_WEIGHT: Final = 0.7


class Planner:
    """A player that plans its tickets. The parameters are the weights in `Style`."""

    def __init__(
        self,
        noise: float = 0.0,
        time_share: float = 0.7,
        train_cost: float = -30.0,
        points_discount: float = 5.0,
        hand_discount: float = 20.0,
        ticket_draw_weight: float = 0.3,
        turn_value: float = 1.3,
        card_value: float = 0.62,
        off_plan_factor: float = 4.0,
        block_weight: float = 0.3,
    ) -> None:
        self.style: Final = Style(
            noise,
            time_share,
            train_cost,
            points_discount,
            hand_discount,
            ticket_draw_weight,
            turn_value,
            card_value,
            off_plan_factor,
            block_weight,
        )
        self.seat_planner: SeatPlanner | None = None

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        rng = stream(seed_words(seed), 0, POLICY, seat)
        self.seat_planner = SeatPlanner(game, seat, self.style, rng)

    def decide(self, view: View, seconds: float) -> int:
        """One of the view's actions."""
        assert self.seat_planner is not None
        return self.seat_planner.decide(view)

    @property
    def values(self) -> list[float]:
        """What the actions of the last view were worth in points; −∞: ruled out."""
        assert self.seat_planner is not None
        return [worth if worth > RULED_OUT else -inf for worth in self.seat_planner.values]

    def finish(self, view: View) -> None:
        """Nothing to keep."""


class SeatPlanner:
    """The planner at one seat of one game. It keeps nothing between decisions."""

    def __init__(self, game: Game, seat: i64, style: Style, rng: Rng) -> None:
        self.game: Final = game
        self.rng: Final = rng
        self.observation: Final = Observation(game, seat)
        self.plan: Final = Plan(self.observation, style)
        self.card_value: Final = CardValue(self.observation, self.plan)
        self.ticket_value: Final = TicketValue(self.observation, self.plan)
        self.rivals: Final = Rivals(self.observation)
        self.target: Final[vec[i64]] = column([0] * game.layout.routes)
        self.payable: Final[vec[i64]] = column([0] * game.layout.routes)
        self.share: float = 0.0  # what each hundredth of a turn spent on the plan brings
        self.values: list[float] = []  # of the actions of the last decision

    def decide(self, view: View) -> int:
        actions = view.actions
        if len(actions) == 1:
            self.values = [0.0]
            return actions[0]
        self.values = []
        self.observation.read(view)
        self.plan.estimate_time()
        o = self.observation
        o.turns_left = self.plan.turns_left
        for r in range(o.t.routes):
            self.plan.bonus[r] = o.claim_bonus(r) if o.open[r] == 1 else 0.0
        self.plan.price_routes()
        if o.in_question:
            choice = view.action(actions[0]).kind
            if choice == "keep":
                return self.keep(view, o.in_question, o.held)
            if choice == "pick":
                return self.pick(actions)
        self.prepare()
        phase = self.game.phase_names[o.phase]
        if phase == "turn":
            self.weigh_blocks(actions)
        best = actions[0]
        most: float = NEVER
        for action in actions:
            worth = self.judge(self.worth(action, phase))
            if worth > most:
                most = worth
                best = action
        return best

    def judge(self, worth: float) -> float:
        """Note the value of the next action, as this player judges it."""
        judged = self.with_noise(worth)
        self.values.append(judged)
        return judged

    def with_noise(self, worth: float) -> float:
        """The value of an action with this player's error of judgement."""
        noise: float = self.plan.style.noise
        if noise == 0.0:
            return worth
        return worth + noise * self.plan.route_yield * (float(self.rng.below(2001)) / 1000.0 - 1.0)

    def weigh_blocks(self, actions: list[int]) -> None:
        """Estimate what losing each route that can be claimed now would cost the rivals."""
        o, p = self.observation, self.plan
        r: i64 = 0
        while r < o.t.routes:
            self.payable[r] = 0
            r += 1
        some = False
        for action in actions:
            if self.game.action_rules[action] is o.claims:
                self.payable[o.claims.route_of[action - o.claims.claim]] = 1
                some = True
        if some and p.style.block_weight > 0.0:
            self.rivals.estimate_losses(self.payable, p.points_per_turn, p.turns_left)

    # --- the position -------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the plan, and add routes that score by themselves if time allows."""
        o, p = self.observation, self.plan
        t = o.t
        p.make(o.held)
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
        self.card_value.update()
        o.card_price = self.card_value.price
        o.open_tickets = p.open_tickets
        o.network = p.forest.parent
        for kind in range(t.kinds):
            o.spare[kind] = p.spare(kind)

    def add_targets(self) -> None:
        """Choose routes for their points alone, as far as turns and trains allow."""
        o, p = self.observation, self.plan
        t = o.t
        turns: float = p.turns_left * 0.95 - p.turns_needed
        trains: i64 = o.trains
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
                if o.open[r] == 1 and p.chosen[r] == 0 and t.length[r] <= trains:
                    need: float = 1.0 + 0.5 * float(o.missing(r))
                    if need <= turns:
                        points: float = float(o.claims.points[t.length[r]]) + p.bonus[r]
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
            turns -= 1.0 + 0.5 * float(o.missing(best))

    # --- what an action is worth ----------------------------------------------------------------

    def worth(self, action: i64, phase: str) -> float:
        rule = self.game.action_rules[action]
        kind: i64 = self.game.action_kinds[action]
        if rule is self.observation.claims:
            if kind == PAY:
                return self.payment(action)
            if kind == SUBSTITUTE:
                return float(
                    self.plan.spare(action - self.observation.claims.sub)
                ) - self.locomotive_penalty(action - self.observation.claims.sub)
            return self.claim(action)
        if rule is self.observation.draw:
            return self.card_value.draw(action, phase == "draw")
        if rule is self.observation.draw_tickets:
            return self.tickets(0)
        cards: i64 = rule.extra_cards(action)
        if cards > 0:
            return self.more_cards(cards)
        tickets: i64 = rule.extra_tickets(action)
        if tickets > 0:
            return self.tickets(tickets) - 1.0
        return rule.action_value(self.observation, action)

    def locomotive_penalty(self, kind: i64) -> float:
        if kind == self.observation.t.loco:
            return 4.0
        return 0.0

    def claim(self, action: i64) -> float:
        """A claim of a route with a colour."""
        o, p = self.observation, self.plan
        t = o.t
        r: i64 = o.claims.route_of[action - o.claims.claim]
        colour: i64 = o.claims.colour_of[action - o.claims.claim]
        length: i64 = t.length[r]
        worth: float = float(o.claims.points[length]) + p.bonus[r]
        worth += p.style.block_weight * self.rivals.loss[r] / float(t.seats - 1)
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
            worth += 4.0 + self.share * float(p.cost[r]) / 100.0
            worth -= self.card_value.price * (0.5 * float(over) + 0.8 * float(sets))
            if t.colour[r] == GRAY and colour < t.colours and self.starves(colour, x):
                worth -= self.card_value.price * 0.2 * float(x)
            if t.twin[r] < 0:
                worth += 1.0
            if o.uncertain[r] == 1 and p.turns_left > 3.0:
                worth *= o.claim_odds(o.hand[colour] + o.locos - length)
            return worth
        if self.target[r] == 0:
            # Not in the plan: trains and cards are better kept, unless time runs out.
            worth -= 0.25 * float(length)
            if o.trains - length < self.trains_wanted() and p.tickets:
                return NEVER / 2.0
        price: float = self.card_value.use(t.loco, y) + float(sets) * 2.6 * self.card_value.price
        if colour < t.colours:
            price += self.card_value.use(colour, x)
        if o.uncertain[r] == 1:
            price += 0.8 * self.card_value.price
        if p.tickets:
            price *= p.style.off_plan_factor  # first the tickets
        return worth - price

    def starves(self, colour: i64, n: i64) -> bool:
        """Whether a gray route would take cards that coloured routes of the plan need."""
        o, p = self.observation, self.plan
        need: i64 = 0
        r: i64 = 0
        while r < o.t.routes:
            if p.chosen[r] == 1 and o.t.colour[r] == colour:
                need += o.t.length[r]
            r += 1
        return o.hand[colour] - n < need

    def trains_wanted(self) -> i64:
        o, p = self.observation, self.plan
        n: i64 = 0
        r: i64 = 0
        while r < o.t.routes:
            if p.chosen[r] == 1 and self.target[r] == 0:
                n += o.t.length[r]
            r += 1
        return n

    def payment(self, action: i64) -> float:
        """A way to pay for the claim under way: the cheapest is best."""
        o = self.observation
        claims = o.claims
        r: i64 = o.data[o.at("registers") + ROUTE]
        colour: i64 = o.data[o.at("registers") + ROUTE + 1]
        code: i64 = action - claims.pay
        extra: i64 = code % claims.extras
        z: i64 = code // claims.extras % claims.sets
        y: i64 = code // (claims.extras * claims.sets)
        x: i64 = o.t.length[r] + extra - y - z
        price: float = float(
            z * claims.set_size[r]
        ) * 0.8 * self.card_value.price + self.card_value.use(o.t.loco, y)
        if colour < o.t.colours:
            price += float(x) * 0.7 * self.card_value.price
        return o.payment_bonus(r, o.t.length[r] + extra) - price

    def tickets(self, more: i64) -> float:
        """The value of drawing tickets, `more` than usual."""
        o, p = self.observation, self.plan
        drawn: i64 = o.draw_tickets.draw + more
        if drawn > o.ticket_deck:
            drawn = o.ticket_deck
        if o.last > 0:
            return self.ticket_value.worth(drawn)  # nothing can come between
        if len(p.open_tickets) > len(p.tickets):
            return NEVER / 2.0
        return self.ticket_value.worth(drawn) * p.style.ticket_draw_weight

    def more_cards(self, more: i64) -> float:
        """The value of drawing `more` cards than usual, which can be done only once or twice."""
        early: float = min(1.0, self.plan.turns_left / 20.0)
        value: float = float(more)
        return 2.0 * self.card_value.blind + value * (self.card_value.blind - 0.9 * early)

    # --- tickets ------------------------------------------------------------------------------

    def keep(self, view: View, offered: list[int], held: list[int]) -> int:
        """The choice of offered tickets with the most valuable plan."""
        best = view.actions[0]
        most: float = NEVER
        self.plan.turn_weight = KEEP_TURN_WEIGHT
        for action in view.actions:
            places = view.action(action).places
            assert places is not None
            kept = [offered[k] for k in places]
            worth = self.judge(self.plan.make(held + kept))
            if worth > most:
                most = worth
                best = action
        self.plan.turn_weight = 1.0
        return best

    def pick(self, actions: list[int]) -> int:
        """Of a draft pack, the ticket that best fits those picked and held."""
        pack = self.observation.in_question
        mine = self.observation.held + self.observation.picked
        best = actions[0]
        most: float = NEVER
        for k in range(len(actions)):
            worth = self.judge(self.plan.make(mine + [pack[k]]))
            if worth > most:
                most = worth
                best = actions[k]
        return best
