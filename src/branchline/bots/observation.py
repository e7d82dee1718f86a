"""What a bot reads from a view: the seat's position, and the rules that every board has.

A bot never sees a state. What only some boards have, it learns through the hooks of their rules.
"""

from __future__ import annotations

from typing import Final

from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.engine.game import Game
from branchline.engine.layout import column
from branchline.engine.position import Position
from branchline.engine.rule import ON_VALUE, Rule
from branchline.rules.cards.draw import DrawCards
from branchline.rules.claims.claim_routes import ClaimRoutes, claims_of
from branchline.rules.tickets.draw import DrawTickets


class Observation(Position):
    """A seat's position with the rules that bots reason about, read again for every decision."""

    def __init__(self, game: Game, seat: i64) -> None:
        super().__init__(game, seat)
        self.claims: Final[ClaimRoutes] = claims_of(game)
        draw = game.rule_named("draw_cards")
        assert isinstance(draw, DrawCards)
        self.draw: Final[DrawCards] = draw
        tickets = game.rule_named("draw_tickets")
        assert isinstance(tickets, DrawTickets)
        self.draw_tickets: Final[DrawTickets] = tickets
        self.value_rules: Final[vec[Rule]] = game.with_hook(ON_VALUE)
        self.ticket_bonus: Final[i64] = sum([int(rule.ticket_bonus) for rule in game.rules])
        self.train_bonus: Final[i64] = sum([int(rule.train_bonus) for rule in game.rules])
        self.path_bonus: Final[i64] = sum([int(rule.path_bonus) for rule in game.rules])
        self.uncertain: Final[vec[i64]] = column([0] * game.layout.routes)  # claims that may fail
        for rule in game.rules:
            for route in range(game.layout.routes):
                if rule.uncertain(route):
                    self.uncertain[route] = 1
        # What a claim of each route scores.
        self.points_of: Final[vec[float]] = vec[float](
            [float(self.claims.points[length]) for length in game.layout.length]
        )
        # Routes of the same sort differ in nothing but their cities: what the hand is to one of
        # them it is to all.
        self.sort_of: Final[vec[i64]] = column([0] * game.layout.routes)
        samples: list[int] = []
        names: list[tuple[int, ...]] = []
        for route in range(game.layout.routes):
            name = self.sort_name(route)
            if name not in names:
                names.append(name)
                samples.append(route)
            self.sort_of[route] = names.index(name)
        self.sorts: Final[i64] = len(samples)
        self.sample: Final[vec[i64]] = column(samples)  # a route of each sort

    def sort_name(self, r: i64) -> tuple[int, ...]:
        t, claims = self.t, self.claims
        kind = (int(claims.symbols[r]), int(claims.wild[r]), int(self.uncertain[r]))
        return (int(t.colour[r]), int(t.length[r]), *kind)

    def claim_bonuses(self, worth: vec[float]) -> None:
        """Write for each open route what a claim brings in addition to its points; else 0."""
        r: i64 = 0
        while r < self.t.routes:
            worth[r] = 0.0
            r += 1
        for rule in self.value_rules:
            rule.claim_values(self, worth)

    def payment_bonus(self, route: i64, cards: i64) -> float:
        """What playing this many cards on a route brings in addition to its points."""
        worth: float = 0.0
        for rule in self.value_rules:
            worth += rule.payment_value(self, route, cards)
        return worth

    def claim_odds(self, spare: i64) -> float:
        """The chance that an uncertain claim goes through, with this many cards to spare."""
        odds: float = 1.0
        for rule in self.value_rules:
            odds *= rule.claim_odds(spare)
        return odds

    def claim_fails(self, colour: i64, length: i64) -> bool:
        """Whether an uncertain claim of this length with a colour had better not be tried."""
        spare: i64 = self.locos - length
        if colour < self.t.colours:
            spare += self.hand[colour]
        for rule in self.value_rules:
            if rule.claim_fails(self, colour, spare):
                return True
        return False

    def missing(self, r: i64) -> i64:
        """How many cards the hand lacks for a route; a ferry's locomotives count double."""
        t = self.t
        need: i64 = t.length[r] - self.claims.symbols[r]
        locos: i64 = self.locos
        short: i64 = 0
        if self.claims.symbols[r] > locos:
            short = 2 * (self.claims.symbols[r] - locos)
            locos = 0
        else:
            locos -= self.claims.symbols[r]
        if self.claims.wild[r] == 0:
            locos = 0
        have: i64 = 0
        colour: i64 = t.colour[r]
        if colour == GRAY:
            c: i64 = 0
            while c < t.colours:
                if self.hand[c] > have:
                    have = self.hand[c]
                c += 1
        else:
            have = self.hand[colour]
        if need > have + locos:
            short += need - have - locos
        return short
