"""Four scripted styles, after descriptions in the literature on this game.

- `greedy` thinks one step ahead: it claims the best route that it can pay, else draws for one.
- `long` saves for the longest routes and claims little else.
- `paths` joins its tickets by shortest paths, one after the other.
- `hungry` first draws tickets until they would use up its trains, then does the same.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.eyes import Eyes
from branchline.bots.steiner import FAR, Forest
from branchline.core.board import GRAY
from branchline.core.graph import find
from branchline.core.machine import i64, vec
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.table import column
from branchline.engine.view import View
from branchline.rules.claims import PAY, SUBSTITUTE


class Scripted:
    """What the four share: aims are routes with a weight; they draw for them and claim them."""

    def __init__(self) -> None:
        self.eyes: Eyes | None = None
        self.forest: Forest | None = None
        self.rng: Rng = Rng(0, 0, 0, 0)
        self.aim: vec[i64] = column([])  # how much each route is aimed at

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.eyes = Eyes(game, seat)
        self.forest = Forest(game.table)
        self.rng = stream(seed_words(seed), 0, POLICY, seat)
        self.aim = column([0] * game.table.routes)

    def finish(self, view: View) -> None:
        """Nothing to keep."""

    def decide(self, view: View, seconds: float) -> int:
        e = self.eyes
        assert e is not None
        e.look(view)
        for r in range(e.t.routes):
            self.aim[r] = 0
        self.take_aim(e)
        phase = e.game.phase_names[e.phase]
        if phase == "turn":
            return self.turn(e, view.actions)
        if phase == "draw":
            return self.draw(e, view.actions)
        if phase.endswith(("_keep", "_tickets")):
            return self.keep(e, view.actions)
        if phase.endswith("_pick"):
            return self.pick(e, view.actions)
        return self.small(e, view.actions)

    # --- what the styles differ in --------------------------------------------------------------

    def take_aim(self, e: Eyes) -> None:
        """Give weights to the routes that this style wants."""

    def wants_tickets(self, e: Eyes) -> bool:
        """Whether to draw tickets rather than anything else."""
        return False

    def claims_beside(self, e: Eyes) -> bool:
        """Whether to claim routes that it does not aim at."""
        return False

    def ticket_worth(self, e: Eyes, ticket: i64) -> float:
        """How much it likes a ticket; what it likes less than nothing it gives back if it may."""
        return -float(self.distance(e, ticket))

    # --- the turn -------------------------------------------------------------------------------

    def turn(self, e: Eyes, actions: list[int]) -> int:
        if self.wants_tickets(e) and e.draw_tickets.action in actions:
            return e.draw_tickets.action
        best = -1
        most: i64 = 0
        for action in actions:
            if e.game.action_rules[action] is not e.claims:
                continue
            r: i64 = e.claims.route_of[action - e.claims.claim]
            worth: i64 = self.aim[r] * 100
            if worth == 0 and self.claims_beside(e):
                worth = e.claims.points[e.t.length[r]]
            # Of several ways, the one that leaves the locomotives.
            if e.claims.colour_of[action - e.claims.claim] == e.t.loco:
                worth -= 1
            if worth > most:
                most = worth
                best = action
        if best >= 0:
            return best
        drawing = [a for a in actions if e.game.action_rules[a] is e.draw]
        if drawing:
            return self.draw(e, drawing)
        claims = [a for a in actions if e.game.action_rules[a] is e.claims]
        if claims:
            return claims[self.rng.below(len(claims))]
        return actions[self.rng.below(len(actions))]

    def draw(self, e: Eyes, actions: list[int]) -> int:
        """A card that the routes aimed at lack most; else a locomotive; else from the deck."""
        t = e.t
        best = actions[-1]
        most: i64 = 0
        for action in actions:
            if action == e.draw.blind:
                continue
            card: i64 = action - e.draw.take
            worth: i64 = 0
            for r in range(t.routes):
                if self.aim[r] > 0 and e.open[r] == 1:
                    if card == t.loco:
                        worth += self.aim[r] * e.claims.symbols[r]
                    elif t.colour[r] == card and e.hand[card] < t.length[r]:
                        worth += self.aim[r] * 2
                    elif t.colour[r] == GRAY and e.hand[card] < t.length[r]:
                        worth += self.aim[r] * e.hand[card]
            if worth > most:
                most = worth
                best = action
        return best

    def small(self, e: Eyes, actions: list[int]) -> int:
        """Payments with the fewest locomotives, no backing off, anything else by chance."""
        claims = e.claims
        kind: i64 = e.game.action_kinds[actions[0]]
        if e.game.action_rules[actions[0]] is claims and kind == PAY:
            return min(actions)
        if e.game.action_rules[actions[0]] is claims and kind == SUBSTITUTE:
            return max(actions, key=lambda a: (e.hand[a - claims.sub], -a))
        if e.game.action_rules[actions[0]].name == "tunnels":
            return actions[1] if len(actions) > 1 else actions[0]
        return actions[self.rng.below(len(actions))]

    # --- tickets --------------------------------------------------------------------------------

    def distance(self, e: Eyes, ticket: i64) -> i64:
        """Spaces still missing between a ticket's cities, 1000 if they can't be joined."""
        forest = self.forest
        assert forest is not None
        self.price(e)
        forest.clear_terminals()
        forest.terminal(e.t.ticket_a[ticket])
        forest.solve()
        cost: i64 = forest.best[e.t.cities + find(forest.parent, e.t.ticket_b[ticket])]
        return 1000 if cost >= FAR else cost

    def price(self, e: Eyes) -> None:
        """Routes cost their length; own ones nothing."""
        t = e.t
        cost = column([0] * t.routes)
        for r in range(t.routes):
            if e.owner[r] == e.seat + 1:
                cost[r] = 0
            elif e.open[r] == 1:
                cost[r] = t.length[r]
            else:
                cost[r] = FAR
        assert self.forest is not None
        self.forest.prepare(cost)

    def aim_at_tickets(self, e: Eyes) -> bool:
        """Aim at the shortest path of the ticket that is nearest to done; False if none is left."""
        best: i64 = -1
        least: i64 = 1000
        for ticket in e.held:
            far = self.distance(e, ticket)
            if 0 < far < least and far <= e.trains:
                least = far
                best = ticket
        if best < 0:
            return False
        forest = self.forest
        assert forest is not None
        forest.clear_terminals()
        both: i64 = forest.terminal(e.t.ticket_a[best]) | forest.terminal(e.t.ticket_b[best])
        forest.solve()
        chosen = column([0] * e.t.routes)
        forest.mark(both, chosen)
        for r in range(e.t.routes):
            self.aim[r] = chosen[r] * (1 + e.t.length[r])
        return True

    def keep(self, e: Eyes, actions: list[int]) -> int:
        """The allowed set of offered tickets that it likes best."""
        offered = e.offered or e.picked
        likes = [self.ticket_worth(e, ticket) for ticket in offered]
        best = actions[0]
        most = -1e9
        for action in actions:
            words = e.game.action_text(action).split()
            slots = [int(w) - 1 for w in words[words.index("keep") + 1 :]]
            worth = sum(likes[k] for k in slots)
            if worth > most:
                most = worth
                best = action
        return best

    def pick(self, e: Eyes, actions: list[int]) -> int:
        pack = e.pack
        likes = [self.ticket_worth(e, ticket) for ticket in pack]
        return actions[likes.index(max(likes))]


class Greedy(Scripted):
    """Thinks one step ahead."""

    def take_aim(self, e: Eyes) -> None:
        for r in range(e.t.routes):
            if e.open[r] == 1 and e.t.length[r] <= e.trains:
                self.aim[r] = e.claims.points[e.t.length[r]]


class LongRoutes(Scripted):
    """Saves for the longest routes."""

    def take_aim(self, e: Eyes) -> None:
        longest: i64 = 0
        for r in range(e.t.routes):
            if e.open[r] == 1 and e.t.length[r] <= e.trains and e.t.length[r] > longest:
                longest = e.t.length[r]
        for r in range(e.t.routes):
            if e.open[r] == 1 and e.t.length[r] <= e.trains and e.t.length[r] >= longest - 1:
                self.aim[r] = e.claims.points[e.t.length[r]]


class TicketPaths(Scripted):
    """Joins its tickets, one after the other; then plays for points."""

    def take_aim(self, e: Eyes) -> None:
        if not self.aim_at_tickets(e):
            for r in range(e.t.routes):
                if e.open[r] == 1 and e.t.length[r] <= e.trains:
                    self.aim[r] = e.claims.points[e.t.length[r]]

    def ticket_worth(self, e: Eyes, ticket: i64) -> float:
        return float(e.t.ticket_points[ticket]) - 0.5 * float(self.distance(e, ticket))


class Hungry(TicketPaths):
    """Draws tickets first, as many as its trains could join."""

    def wants_tickets(self, e: Eyes) -> bool:
        if e.ticket_deck == 0 or e.last > 0:
            return False
        needed: i64 = 0
        for ticket in e.held:
            needed += self.distance(e, ticket)
        return needed < e.trains * 3 // 4 and e.trains > e.t.board.trains // 3

    def ticket_worth(self, e: Eyes, ticket: i64) -> float:
        return float(e.t.ticket_points[ticket]) - 0.3 * float(self.distance(e, ticket))


__all__: Final = ["Greedy", "Hungry", "LongRoutes", "TicketPaths"]
