"""Four scripted styles, after descriptions in the literature on this game.

- `greedy` thinks one step ahead: it claims the best route that it can pay, else draws for one.
- `long` saves for the longest routes and claims little else.
- `paths` joins its tickets by shortest paths, one after the other.
- `hungry` first draws tickets until they would use up its trains, then does the same.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.observation import Observation
from branchline.bots.steiner import FAR, Forest
from branchline.core.board import GRAY
from branchline.core.graph import find
from branchline.core.machine import i64, vec
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.flow import TURN
from branchline.engine.game import Game
from branchline.engine.layout import column
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.claims.registers import PAY, SUBSTITUTE


class Scripted:
    """What the four share: they weigh routes, draw cards for them and claim them."""

    def __init__(self) -> None:
        self.observation: Observation | None = None
        self.forest: Forest | None = None
        self.rng: Rng = Rng(0, 0, 0, 0)
        self.aim: vec[i64] = column([])  # how much each route is aimed at

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.observation = Observation(game, seat)
        self.forest = Forest(game.layout)
        self.rng = stream(seed_words(seed), 0, POLICY, seat)
        self.aim = column([0] * game.layout.routes)

    def finish(self, view: View) -> None:
        """Nothing to keep."""

    def choose(self, s: State) -> i64:
        """Its answer in a world, in a turn or to the draw of a card; -1 for anything else."""
        o = self.observation
        assert o is not None
        o.read_world(s)
        self.rng = Rng(0, 0, 0, 0)  # whatever it was asked before
        s.enumerate(o.seat)
        actions = [s.buf[k] for k in range(s.n)]
        if o.phase == TURN:
            self.aim_anew(o)
            return self.turn(o, actions)
        if o.phase == o.draw.phase:
            self.aim_anew(o)
            return self.draw(o, actions)
        return -1

    def decide(self, view: View, seconds: float) -> int:
        o = self.observation
        assert o is not None
        o.read(view)
        self.aim_anew(o)
        if o.phase == TURN:
            return self.turn(o, view.actions)
        kind = view.action(view.actions[0]).kind
        if kind == "take" or kind == "draw":
            return self.draw(o, view.actions)
        if kind == "keep":
            return self.keep(o, view)
        if kind == "pick":
            return self.pick(o, view.actions)
        return self.other(o, view)

    def aim_anew(self, o: Observation) -> None:
        for r in range(o.t.routes):
            self.aim[r] = 0
        self.take_aim(o)

    # --- what the styles differ in --------------------------------------------------------------

    def take_aim(self, o: Observation) -> None:
        """Give weights to the routes that this style wants."""

    def wants_tickets(self, o: Observation) -> bool:
        """Whether to draw tickets rather than anything else."""
        return False

    def ticket_worth(self, o: Observation, ticket: i64) -> float:
        """How much it wants a ticket. It returns tickets below 0 if it may."""
        return -float(self.distance(o, ticket))

    # --- the turn -------------------------------------------------------------------------------

    def turn(self, o: Observation, actions: list[int]) -> int:
        if self.wants_tickets(o) and o.draw_tickets.action in actions:
            return o.draw_tickets.action
        best = -1
        most: i64 = 0
        for action in actions:
            if o.game.action_rules[action] is not o.claims:
                continue
            r: i64 = o.claims.route_of[action - o.claims.claim]
            colour: i64 = o.claims.colour_of[action - o.claims.claim]
            if o.uncertain[r] == 1 and o.claim_fails(colour, o.t.length[r]):
                continue
            worth: i64 = self.aim[r] * 100
            # Of several payments, prefer the one that keeps the locomotives.
            if colour == o.t.loco:
                worth -= 1
            if worth > most:
                most = worth
                best = action
        if best >= 0:
            return best
        drawing = [a for a in actions if o.game.action_rules[a] is o.draw]
        if drawing:
            return self.draw(o, drawing)
        claims = [a for a in actions if o.game.action_rules[a] is o.claims]
        if claims:
            return claims[self.rng.below(len(claims))]
        return actions[self.rng.below(len(actions))]

    def draw(self, o: Observation, actions: list[int]) -> int:
        """The card that the target routes need most; else one from the deck."""
        t = o.t
        best = actions[-1]
        most: i64 = 0
        for action in actions:
            if action == o.draw.blind:
                continue
            card: i64 = action - o.draw.take
            worth: i64 = 0
            for r in range(t.routes):
                if self.aim[r] > 0 and o.open[r] == 1:
                    if card == t.loco:
                        worth += self.aim[r] * o.claims.symbols[r]
                    elif t.colour[r] == card and o.hand[card] < t.length[r]:
                        worth += self.aim[r] * 2
                    elif t.colour[r] == GRAY and o.hand[card] < t.length[r]:
                        worth += self.aim[r] * o.hand[card]
            if worth > most:
                most = worth
                best = action
        return best

    def other(self, o: Observation, view: View) -> int:
        """Payments with the fewest locomotives; never giving up where more can be paid; chance."""
        actions, claims = view.actions, o.claims
        kind: i64 = o.game.action_kinds[actions[0]]
        if o.game.action_rules[actions[0]] is claims and kind == PAY:
            return min(actions)
        if o.game.action_rules[actions[0]] is claims and kind == SUBSTITUTE:
            return max(actions, key=lambda a: (o.hand[a - claims.sub], -a))
        if view.action(actions[0]).kind == "back_off":
            return actions[1] if len(actions) > 1 else actions[0]
        return actions[self.rng.below(len(actions))]

    # --- tickets --------------------------------------------------------------------------------

    def distance(self, o: Observation, ticket: i64) -> i64:
        """Spaces still missing between a ticket's cities, 1000 if they can't be joined."""
        forest = self.forest
        assert forest is not None
        self.price(o)
        forest.clear_terminals()
        forest.terminal(o.t.ticket_a[ticket])
        forest.solve()
        cost: i64 = forest.best[o.t.cities + find(forest.parent, o.t.ticket_b[ticket])]
        return 1000 if cost >= FAR else cost

    def price(self, o: Observation) -> None:
        """Routes cost their length; own ones nothing."""
        t = o.t
        cost = column([0] * t.routes)
        for r in range(t.routes):
            if o.owner[r] == o.seat + 1:
                cost[r] = 0
            elif o.open[r] == 1:
                cost[r] = t.length[r]
            else:
                cost[r] = FAR
        assert self.forest is not None
        self.forest.prepare(cost)

    def aim_at_tickets(self, o: Observation) -> bool:
        """Aim at the shortest path of the ticket that is nearest to done; False if none is left."""
        best: i64 = -1
        least: i64 = 1000
        for ticket in o.held:
            far = self.distance(o, ticket)
            if 0 < far < least and far <= o.trains:
                least = far
                best = ticket
        if best < 0:
            return False
        forest = self.forest
        assert forest is not None
        forest.clear_terminals()
        both: i64 = forest.terminal(o.t.ticket_a[best]) | forest.terminal(o.t.ticket_b[best])
        forest.solve()
        chosen = column([0] * o.t.routes)
        forest.mark(both, chosen)
        for r in range(o.t.routes):
            self.aim[r] = chosen[r] * (1 + o.t.length[r])
        return True

    def keep(self, o: Observation, view: View) -> int:
        """The allowed set of offered tickets that it likes best."""
        likes = [self.ticket_worth(o, ticket) for ticket in o.in_question]
        best = view.actions[0]
        most = -1e9
        for action in view.actions:
            places = view.action(action).places
            assert places is not None
            worth = sum([likes[k] for k in places])
            if worth > most:
                most = worth
                best = action
        return best

    def pick(self, o: Observation, actions: list[int]) -> int:
        likes = [self.ticket_worth(o, ticket) for ticket in o.in_question]
        return actions[likes.index(max(likes))]


class Greedy(Scripted):
    """Thinks one step ahead."""

    def take_aim(self, o: Observation) -> None:
        for r in range(o.t.routes):
            if o.open[r] == 1 and o.t.length[r] <= o.trains:
                self.aim[r] = o.claims.points[o.t.length[r]]


class LongRoutes(Scripted):
    """Saves for the longest routes."""

    def take_aim(self, o: Observation) -> None:
        longest: i64 = 0
        for r in range(o.t.routes):
            if o.open[r] == 1 and o.t.length[r] <= o.trains and o.t.length[r] > longest:
                longest = o.t.length[r]
        for r in range(o.t.routes):
            if o.open[r] == 1 and o.t.length[r] <= o.trains and o.t.length[r] >= longest - 1:
                self.aim[r] = o.claims.points[o.t.length[r]]


class TicketPaths(Scripted):
    """Joins its tickets, one after the other; then plays for points."""

    def take_aim(self, o: Observation) -> None:
        if not self.aim_at_tickets(o):
            for r in range(o.t.routes):
                if o.open[r] == 1 and o.t.length[r] <= o.trains:
                    self.aim[r] = o.claims.points[o.t.length[r]]

    def ticket_worth(self, o: Observation, ticket: i64) -> float:
        return float(o.t.ticket_points[ticket]) - 0.5 * float(self.distance(o, ticket))


class Hungry(TicketPaths):
    """Draws tickets first, as many as its trains could join."""

    def wants_tickets(self, o: Observation) -> bool:
        if o.ticket_deck == 0 or o.last > 0:
            return False
        needed: i64 = 0
        for ticket in o.held:
            needed += self.distance(o, ticket)
        return needed < o.trains * 3 // 4 and o.trains > o.t.board.trains // 3

    def ticket_worth(self, o: Observation, ticket: i64) -> float:
        return float(o.t.ticket_points[ticket]) - 0.3 * float(self.distance(o, ticket))


__all__: Final = ["Greedy", "Hungry", "LongRoutes", "TicketPaths"]
