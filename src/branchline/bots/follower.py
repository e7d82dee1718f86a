"""A quick player for one seat of a world: it makes a plan and follows it.

It values actions as the planner does, but plans only when it has to: when it has claimed a route of
the plan or a rival takes one, when its tickets change, when time runs short or when the plan is
done. Then it plays for points. It reads worlds directly, so that thousands of games a second can
be played with it. It uses nothing of a world that its seat could not see.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.style import Style
from branchline.bots.ticket_choice import TicketChoice
from branchline.bots.ticket_value import TicketValue
from branchline.bots.turn_value import NEVER, TurnValue
from branchline.core.machine import i64, vec
from branchline.engine.flow import TURN
from branchline.engine.game import Game
from branchline.engine.layout import column
from branchline.engine.state import State

# Quick plans that could be made in the time of an exact one, and of a choice of tickets.
EXACT_PLAN: Final = 4
TICKET_CHOICE: Final = 2


class PlanNotes:
    """What a follower has to remember of its plan, to go on with it in another world."""

    def __init__(self, game: Game) -> None:
        n = int(game.layout.routes)
        self.routes: Final[vec[i64]] = column([0] * n)
        self.cost: Final[vec[i64]] = column([0] * n)
        self.bonus: Final[vec[float]] = vec[float]([0.0] * n)
        self.target: Final[vec[i64]] = column([0] * n)
        self.chances: Final[vec[float]] = vec[float]([0.0] * game.layout.kinds)
        self.count: i64 = 0
        self.share: float = 0.0
        self.aiming: bool = False
        self.planned: bool = False
        self.ticket_count: i64 = 0
        self.turns_left: float = 0.0
        self.value: float = 0.0
        self.tickets: list[int] = []
        self.open_tickets: list[int] = []


class Follower:
    """Plays one seat in worlds. `forget` before each new one, or `recall` a plan."""

    def __init__(self, game: Game, seat: i64, style: Style) -> None:
        t = game.layout
        o = Observation(game, seat)
        self.game: Final = game
        self.seat: Final[i64] = seat
        self.observation: Final = o
        self.turn_value: Final = TurnValue(o, style)
        self.plan: Final = self.turn_value.plan
        self.cards: Final = self.turn_value.cards
        self.ticket_choice: Final = TicketChoice(o, self.plan)
        self.ticket_value: Final = TicketValue(o, self.plan)
        self.claims: Final[i64] = o.claims.claim
        self.claims_end: Final[i64] = o.claims.claim + len(o.claims.route_of)
        self.take: Final[i64] = o.draw.take
        self.blind: Final[i64] = o.draw.blind
        self.pay_phase: Final[i64] = o.claims.pay_phase
        self.sub_phase: Final[i64] = o.claims.sub_phase
        self.draw_phase: Final[i64] = o.draw.phase
        self.overpays: Final = len(game.overpay_rules) > 0
        # What of a view changes with every card.
        self.at_known: Final[i64] = o.at("known")
        self.at_display: Final[i64] = o.at("display")
        self.at_discard: Final[i64] = o.at_discard
        self.at_discard_size: Final[i64] = o.at_discard_size
        self.at_trains: Final[i64] = o.at("trains")
        self.hands: Final[i64] = t.seats * t.kinds
        # The plan.
        self.planned: bool = False
        self.aiming: bool = False  # at points, since the tickets of the plan are done
        self.ticket_count: i64 = 0  # of the seat when it planned
        self.fresh: bool = False  # whether the observation is of this turn
        self.exact: bool = False  # whether its plans are the best ones, which takes longer
        self.plans: i64 = 0  # quick ones that could have been made in the time of all plans so far
        self.recalled: bool = False  # the plan was made in another world

    # --- the plan -------------------------------------------------------------------------------

    def forget(self) -> None:
        """Begin in another world, without a plan."""
        self.planned = False
        if len(self.observation.own_data) == 0:
            self.observation.own_data = self.game.view_buffer[:]

    def note(self, notes: PlanNotes) -> None:
        """Write the plan down."""
        p, v = self.plan, self.turn_value
        k: i64 = 0
        while k < p.count:
            r: i64 = p.listed[k]
            notes.routes[k] = r
            notes.cost[k] = p.cost[r]
            notes.target[k] = v.target[r]
            k += 1
        copy(p.bonus, notes.bonus)
        copy(self.cards.chances, notes.chances)
        notes.count = p.count
        notes.share = v.share
        notes.aiming = self.aiming
        notes.planned = self.planned
        notes.ticket_count = self.ticket_count
        notes.turns_left = p.turns_left
        notes.value = p.value
        notes.tickets = p.tickets
        notes.open_tickets = p.open_tickets

    def recall(self, notes: PlanNotes) -> None:
        """Begin in another world with a plan that was written down."""
        self.forget()
        p, v = self.plan, self.turn_value
        p.clear_chosen()
        v.clear_targets()
        k: i64 = 0
        while k < notes.count:
            r: i64 = notes.routes[k]
            p.listed[k] = r
            p.chosen[r] = 1
            p.cost[r] = notes.cost[k]
            v.target[r] = notes.target[k]
            k += 1
        copy(notes.bonus, p.bonus)
        copy(notes.chances, self.cards.chances)
        p.count = notes.count
        v.share = notes.share
        self.aiming = notes.aiming
        self.planned = notes.planned
        self.ticket_count = notes.ticket_count
        p.turns_left = notes.turns_left
        self.observation.turns_left = notes.turns_left
        p.value = notes.value
        p.tickets = notes.tickets
        p.open_tickets = notes.open_tickets
        self.observation.open_tickets = notes.open_tickets
        self.recalled = True

    def keep_up(self, s: State) -> None:
        """See that the plan still stands, or make another."""
        d, t = s.d, s.t
        p = self.plan
        me: i64 = self.seat + 1
        if not self.planned or d[t.ticket_count + self.seat] != self.ticket_count:
            self.make_plan(s)
            return
        done: i64 = 0
        k: i64 = 0
        while k < p.count:
            r: i64 = p.listed[k]
            owner: i64 = d[t.owner + r]
            if owner == me:
                p.chosen[r] = 0
                self.turn_value.target[r] = 0
                done += 1
            else:
                if owner != 0 or t.length[r] > d[t.trains + self.seat]:
                    self.make_plan(s)
                    return
                p.listed[k - done] = r
            k += 1
        p.count -= done
        if self.aiming and d[t.last] == 0:
            self.aim(s)
            return
        if done > 0 or p.count == 0 or d[t.last] > 0:
            self.make_plan(s)
            return
        p.estimate_time()
        self.observation.turns_left = p.turns_left
        p.turns_needed = p.time_for_chosen()
        if p.turns_needed > p.turns_left:
            self.make_plan(s)

    def review(self, s: State) -> None:
        """Bring the plan up to date, to be looked at; targets for points stay as they are."""
        self.glance(s)
        same = s.d[s.t.ticket_count + self.seat] == self.ticket_count
        if self.planned and self.aiming and same:
            self.plan.estimate_time()
        else:
            self.keep_up(s)

    def make_plan(self, s: State) -> None:
        o, p = self.observation, self.plan
        o.read_world(s)
        self.turn_value.read_prices()
        if self.exact:
            self.turn_value.prepare()
        else:
            self.turn_value.prepare_quickly()
        self.plans += EXACT_PLAN if self.exact else 1
        self.planned = True
        self.fresh = True
        self.recalled = False
        self.aiming = not p.tickets
        self.ticket_count = s.d[s.t.ticket_count + self.seat]

    def aim(self, s: State) -> None:
        """Choose routes for their points alone, without another look at the tickets."""
        self.observation.read_world(s)
        if self.recalled:
            self.turn_value.read_prices()  # for the network
            self.recalled = False
        else:
            self.turn_value.read_worth()
        self.turn_value.aim()
        self.plans += 1
        self.fresh = True

    # --- what it sees ---------------------------------------------------------------------------

    def glance(self, s: State) -> None:
        """Look at what changes with every card: the seat's hand, the display, the discards."""
        o = self.observation
        d, t, v = s.d, s.t, o.own_data
        o.data = v
        o.turns = d[t.turns]
        o.last = d[t.last]
        o.trains = d[t.trains + self.seat]
        o.deck = d[t.deck_len] - d[t.specials] + d[t.discard_size]
        o.ticket_deck = d[t.ticket_len]
        hand: i64 = t.hand + self.seat * t.kinds
        k: i64 = 0
        while k < t.kinds:
            o.hand[k] = d[hand + k]
            v[self.at_discard + k] = d[t.discard + k]
            k += 1
        o.locos = o.hand[t.loco]
        v[self.at_discard_size] = d[t.discard_size]
        k = 0
        while k < self.hands:
            v[self.at_known + k] = d[t.known + k]
            k += 1
        k = 0
        while k < t.display_size:
            v[self.at_display + k] = d[t.display + k]
            k += 1
        k = 0
        while k < t.seats:
            v[self.at_trains + k] = d[t.trains + k]
            k += 1
        self.fresh = False

    # --- decisions ------------------------------------------------------------------------------

    def choose(self, s: State) -> i64:
        """One of the seat's legal actions."""
        s.enumerate(self.seat)
        if s.n == 1:
            return s.buf[0]
        phase: i64 = s.d[s.t.phase]
        if phase == TURN:
            return self.turn(s)
        if phase == self.draw_phase:
            return self.next_card(s)
        if phase == self.pay_phase:
            return self.payment(s)
        if self.ticket_choice.decides(phase):
            self.observation.read_world(s)
            self.turn_value.read_prices()
            self.plans += TICKET_CHOICE
            self.planned = False
            return self.ticket_choice.choose(s)
        return self.special(s)

    def turn(self, s: State) -> i64:
        v = self.turn_value
        self.glance(s)
        self.keep_up(s)
        if not self.fresh:
            if v.bonuses_vary:
                self.look(s)
                v.weigh_bonuses()
            self.plan.count_cards()
            v.update_hand()
        v.find_bounds()
        actions, route_of = s.buf, self.observation.claims.route_of
        # Claims come one after the other.
        first: i64 = 0
        while first < s.n and not self.claims <= actions[first] < self.claims_end:
            first += 1
        end: i64 = s.n
        while end > first and not self.claims <= actions[end - 1] < self.claims_end:
            end -= 1
        at: i64 = -1
        most: float = NEVER
        worth: float = NEVER
        k: i64 = 0
        while k < s.n:
            if k == first:
                k = end
                continue
            worth = self.not_a_claim(s, actions[k])
            if worth > most:
                most = worth
                at = k
            k += 1
        # Claims last: most of them need not be valued, since they can't be worth as much.
        route: i64 = -1
        bound: float = NEVER
        k = first
        while k < end:
            if route_of[actions[k] - self.claims] != route:
                route = route_of[actions[k] - self.claims]
                bound = v.at_most(route)
            if bound >= most:
                worth = v.claim(actions[k])
                if worth > most or (worth == most and k < at):
                    most = worth
                    at = k
            k += 1
        if at >= 0:
            return actions[at]
        return self.anything(s)

    def not_a_claim(self, s: State, action: i64) -> float:
        """What an action at the start of a turn is worth that claims no route."""
        if action >= self.take and action <= self.blind:
            return self.cards.draw(action, False)
        if action == self.observation.draw_tickets.action:
            return self.ticket_value.draw(0) if self.observation.last > 0 else NEVER
        return self.other(s, action)

    def other(self, s: State, action: i64) -> float:
        """An action of a special rule at the start of a turn."""
        rule = self.game.action_rules[action]
        more: i64 = rule.extra_cards(action)
        if more > 0:
            return self.turn_value.more_cards(more)
        tickets: i64 = rule.extra_tickets(action)
        if tickets > 0:
            return self.ticket_value.draw(tickets) - 1.0 if self.observation.last > 0 else NEVER
        self.look(s)
        return rule.action_value(self.observation, action)

    def look(self, s: State) -> None:
        """Read all that the seat sees, if that was not done in this turn."""
        if not self.fresh:
            self.observation.read_world(s)
            if self.recalled:
                self.turn_value.read_prices()  # for the network
                self.recalled = False
            self.fresh = True

    def anything(self, s: State) -> i64:
        """Nothing fits the plan: the claim with the most points, else whatever comes last."""
        o = self.observation
        best: i64 = s.buf[s.n - 1]
        most: i64 = -1
        k: i64 = 0
        while k < s.n:
            action: i64 = s.buf[k]
            if action >= self.claims and action < self.claims_end:
                length: i64 = s.t.length[o.claims.route_of[action - self.claims]]
                if o.claims.points[length] > most:
                    most = o.claims.points[length]
                    best = action
            k += 1
        return best

    def next_card(self, s: State) -> i64:
        """The next card of a draw."""
        self.glance(s)
        if not self.planned:
            self.make_plan(s)
        self.plan.count_cards()
        self.cards.update()
        best: i64 = s.buf[0]
        most: float = NEVER
        k: i64 = 0
        while k < s.n:
            worth: float = self.cards.draw(s.buf[k], True)
            if worth > most:
                most = worth
                best = s.buf[k]
            k += 1
        return best

    def payment(self, s: State) -> i64:
        """How to pay for a claim: what matters least."""
        if not self.planned:
            self.make_plan(s)
        self.observation.read_world(s)
        best: i64 = s.buf[0]
        most: float = NEVER
        k: i64 = 0
        while k < s.n:
            worth: float = self.turn_value.payment(s.buf[k])
            if worth > most:
                most = worth
                best = s.buf[k]
            k += 1
        return best

    def special(self, s: State) -> i64:
        """A decision that belongs to one of the board's rules."""
        o = self.observation
        if not self.planned:
            self.make_plan(s)
        self.fresh = False
        self.look(s)
        substitutes = s.d[s.t.phase] == self.sub_phase
        best: i64 = s.buf[0]
        most: float = NEVER
        k: i64 = 0
        while k < s.n:
            action: i64 = s.buf[k]
            if substitutes:
                worth: float = self.turn_value.substitute(action)
            else:
                worth = self.game.action_rules[action].action_value(o, action)
            if worth > most:
                most = worth
                best = action
            k += 1
        return best


def copy(source: vec[float], target: vec[float]) -> None:
    k: i64 = 0
    n: i64 = len(source)
    while k < n:
        target[k] = source[k]
        k += 1
