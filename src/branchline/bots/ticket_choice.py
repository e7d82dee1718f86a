"""A quick choice of tickets: which of those offered to keep, or to pick from a pack.

It values each choice as the planner does, by the plan that it would allow, but with quick plans:
the ways between the cities of all tickets in question are found once.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.plan import Plan
from branchline.bots.quick_plan import QuickPlan
from branchline.core.machine import i64, vec
from branchline.engine.layout import OFFERED, PACK, PICKED, column
from branchline.engine.state import State
from branchline.rules.drafts.drafting import ROUND, Drafting
from branchline.rules.tickets.choice import Choice
from branchline.rules.tickets.draw import DrawTickets
from branchline.rules.tickets.opening import OpeningTickets

MOST_TICKETS: Final = 16  # looked at together


class TicketChoice:
    """Chooses tickets for one seat in a world. The plan's prices must be set."""

    def __init__(self, observation: Observation, plan: Plan) -> None:
        game = observation.game
        self.observation: Final = observation
        self.plan: Final = plan
        # One of its own: in a draft the same ways are looked at again and again.
        self.quick: Final = QuickPlan(plan)
        phases = len(game.phase_names)
        self.where: Final[vec[i64]] = column([-1] * phases)  # OFFERED, PICKED, or PACK to pick from
        self.base: Final[vec[i64]] = column([0] * phases)  # the number of an action less its mask
        self.left: Final[vec[i64]] = column([0] * phases)  # which way the packs go
        for rule in game.rules:
            if isinstance(rule, (DrawTickets, OpeningTickets)):
                self.note(rule.phase, OFFERED, rule.choice)
            elif isinstance(rule, Drafting):
                self.note(rule.keep_phase, PICKED, rule.choice)
                self.where[rule.pick_phase] = PACK
                self.base[rule.pick_phase] = rule.pick
                self.left[rule.pick_phase] = 1 if rule.left else 0

    def note(self, phase: i64, where: i64, choice: Choice | None) -> None:
        assert choice is not None
        self.where[phase] = where
        self.base[phase] = choice.base

    def decides(self, phase: i64) -> bool:
        """Whether a phase is about tickets."""
        return self.where[phase] >= 0

    def choose(self, s: State) -> i64:
        """The best of the seat's legal actions, which are in the state's buffer."""
        o, p = self.observation, self.plan
        d, t = s.d, s.t
        phase: i64 = d[t.phase]
        where: i64 = self.where[phase]
        mine = o.held
        place: i64 = where + o.seat
        p.turn_weight = p.style.keep_turn_weight
        if where == PACK:
            mine = o.held + o.picked
            round: i64 = d[t.reg + ROUND]
            if self.left[phase] == 1:
                round = -round
            place = PACK + (o.seat + round) % t.seats
            p.turn_weight = p.style.pick_turn_weight
        offered = [k for k in range(t.tickets) if d[t.ticket_at + k] == place]
        self.quick.look_at(offered + mine, MOST_TICKETS)
        best: i64 = s.buf[0]
        most: float = -1.0e9
        k: i64 = 0
        while k < s.n:
            mask: i64 = s.buf[k] - self.base[phase]
            if where == PACK:
                mask = 1 << mask
            worth: float = self.value(offered, mask, mine)
            if worth > most:
                most = worth
                best = s.buf[k]
            k += 1
        p.turn_weight = 1.0
        return best

    def value(self, offered: list[int], mask: i64, mine: list[int]) -> float:
        """What it is worth to hold one's own tickets and those of the mask, in points."""
        t, quick = self.observation.t, self.quick
        worth: float = 0.0
        kept: i64 = 0
        for k in range(len(offered) + len(mine)):
            if k < len(offered) and not mask >> k & 1:
                continue
            ticket = offered[k] if k < len(offered) else mine[k - len(offered)]
            points: float = float(t.ticket_points[ticket])
            if quick.forest.joined(t.ticket_a[ticket], t.ticket_b[ticket]):
                worth += points
            else:
                worth -= points
                if quick.number[ticket] >= 0:
                    kept |= 1 << quick.number[ticket]
        return worth + max(0.0, quick.gain(quick.best_of(kept)))
