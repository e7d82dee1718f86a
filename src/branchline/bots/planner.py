"""The planner: plans its tickets exactly, and weighs every turn against that plan.

For each decision it values the actions in points and takes the best. A claim is worth its route's
points, its share of the plan's tickets and what the rules of the board add, less the cards that it
uses up; drawing is worth the cards; tickets are worth what the plan would gain by the best of them.
"""

from __future__ import annotations

from math import inf
from typing import Final

from branchline.bots.board_data import planner_weights
from branchline.bots.observation import Observation
from branchline.bots.rivals import Rivals
from branchline.bots.style import VERSION_1, Style, checked_weights
from branchline.bots.ticket_value import TicketValue
from branchline.bots.turn_value import NEVER, TurnValue
from branchline.core.machine import i64, vec
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.layout import column
from branchline.engine.view import View
from branchline.rules.claims.registers import PAY, SUBSTITUTE

RULED_OUT: Final = -1.0e8  # what is worth less is not done while there is anything else


class Planner:
    """A player that plans its tickets.

    Its parameters are weights (see `Style`). Those that are not given are what was tuned for the
    board and the number of seats.
    """

    def __init__(self, **weights: object) -> None:
        self.given: Final = checked_weights(weights)
        self.seat_planner: SeatPlanner | None = None

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        tuned = planner_weights(game.board.id, game.seats)
        rng = stream(seed_words(seed), 0, POLICY, seat)
        self.seat_planner = SeatPlanner(game, seat, Style({**tuned, **self.given}), rng)

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


def planner_1(**weights: object) -> Planner:
    """The planner with the weights of version 1 on every board: a yardstick that never changes."""
    return Planner(**{**VERSION_1, **weights})


class SeatPlanner:
    """The planner at one seat of one game. It keeps nothing between decisions."""

    def __init__(self, game: Game, seat: i64, style: Style, rng: Rng) -> None:
        self.game: Final = game
        self.rng: Final = rng
        self.observation: Final = Observation(game, seat)
        self.turn_value: Final = TurnValue(self.observation, style)
        self.plan: Final = self.turn_value.plan
        self.card_value: Final = self.turn_value.cards
        self.ticket_value: Final = TicketValue(self.observation, self.plan)
        self.rivals: Final = Rivals(self.observation)
        self.turn_value.loss = self.rivals.loss
        self.payable: Final[vec[i64]] = column([0] * game.layout.routes)
        self.values: list[float] = []  # of the actions of the last decision

    def decide(self, view: View) -> int:
        actions = view.actions
        if len(actions) == 1:
            self.values = [0.0]
            return actions[0]
        self.values = []
        self.observation.read(view)
        self.turn_value.read_prices()
        o = self.observation
        if o.in_question:
            choice = view.action(actions[0]).kind
            if choice == "keep":
                return self.keep(view, o.in_question, o.held)
            if choice == "pick":
                return self.pick(actions)
        self.turn_value.prepare()
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

    # --- what an action is worth ----------------------------------------------------------------

    def worth(self, action: i64, phase: str) -> float:
        rule = self.game.action_rules[action]
        kind: i64 = self.game.action_kinds[action]
        if rule is self.observation.claims:
            if kind == PAY:
                return self.turn_value.payment(action)
            if kind == SUBSTITUTE:
                return self.turn_value.substitute(action)
            return self.turn_value.claim(action)
        if rule is self.observation.draw:
            return self.card_value.draw(action, phase == "draw")
        if rule is self.observation.draw_tickets:
            return self.ticket_value.draw(0)
        cards: i64 = rule.extra_cards(action)
        if cards > 0:
            return self.turn_value.more_cards(cards)
        tickets: i64 = rule.extra_tickets(action)
        if tickets > 0:
            return self.ticket_value.draw(tickets) - 1.0
        return rule.action_value(self.observation, action)

    # --- tickets ------------------------------------------------------------------------------

    def keep(self, view: View, offered: list[int], held: list[int]) -> int:
        """The choice of offered tickets with the most valuable plan."""
        best = view.actions[0]
        most: float = NEVER
        self.plan.turn_weight = self.plan.style.keep_turn_weight
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
        self.plan.turn_weight = self.plan.style.pick_turn_weight
        for k in range(len(actions)):
            worth = self.judge(self.plan.make(mine + [pack[k]]))
            if worth > most:
                most = worth
                best = actions[k]
        self.plan.turn_weight = 1.0
        return best
