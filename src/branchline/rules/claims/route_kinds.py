"""Rules that settle how single routes are claimed: doubles, ferries, restricted locomotives,
substitutes."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.engine.events import NOBODY, EventKind
from branchline.engine.game import Game
from branchline.engine.layout import CLOSED
from branchline.engine.rule import ON_CLAIM, Rule
from branchline.engine.state import State
from branchline.rules.claims.claim_routes import ClaimRoutes, claims_of


class Doubles(Rule):
    """Nobody owns both routes of a pair; at small tables one closes the other (BASE-8)."""

    def __init__(self, cite: str, open_from: i64) -> None:
        super().__init__("doubles", cite, 42, ON_CLAIM)
        self.open_from: Final = open_from
        self.event: EventKind | None = None
        self.claims: ClaimRoutes | None = None

    def declare(self, game: Game) -> None:
        self.event = game.add_event(self.index, 0, "RouteClosed", "route", reveals=False)
        self.claims = claims_of(game)
        if game.seats < self.open_from:
            for r in game.board.routes:
                self.claims.barring[r.index] = -1  # a pair's second route is closed for everyone

    def claimed(self, s: State, seat: i64, route: i64) -> bool:
        twin: i64 = s.t.twin[route]
        if twin >= 0 and s.t.seats < self.open_from:
            self.closed(s, twin)
        return False

    def closed(self, s: State, route: i64) -> None:
        s.d[s.t.owner + route] = CLOSED
        s.touch(s.t.owner + route)
        assert self.claims is not None
        self.claims.remove(s, route)
        if s.log is not None and self.event is not None:
            s.log.add(self.event, NOBODY, [route])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        self.closed(s, numbers[0])


class Ferries(Rule):
    """A locomotive for every symbol (IB-8, NO-4)."""

    def __init__(self, cite: str) -> None:
        super().__init__("ferries", cite, 30, 0)
        self.headline = 12

    def declare(self, game: Game) -> None:
        claims = claims_of(game)
        for r in game.board.routes:
            claims.symbols[r.index] = r.locomotives


class LocomotiveRestriction(Rule):
    """Locomotives serve on some routes only (NO-3)."""

    def __init__(self, cite: str, ferries: bool, tunnels: bool) -> None:
        super().__init__("locomotive_restriction", cite, 31, 0)
        self.ferries: Final = ferries
        self.tunnels: Final = tunnels

    def declare(self, game: Game) -> None:
        claims = claims_of(game)
        for r in game.board.routes:
            ferry = self.ferries and r.locomotives > 0
            tunnel = self.tunnels and r.tunnel
            claims.wild[r.index] = 1 if ferry or tunnel else 0


class Substitutes(Rule):
    """Any few cards stand for a ferry's locomotive, or on some routes for a card (NO-4, NO-6)."""

    def __init__(self, cite: str, cite_any_cards: str, ferry_locomotive: i64) -> None:
        super().__init__("substitutes", cite, 32, 0)
        self.cite_any_cards: Final = cite_any_cards
        self.headline = 9
        self.ferry_locomotive: Final = ferry_locomotive

    def declare(self, game: Game) -> None:
        claims = claims_of(game)
        claims.cite_any_cards = self.cite_any_cards
        for r in game.board.routes:
            if r.any_cards > 0:
                claims.set_size[r.index] = r.any_cards
            elif r.locomotives > 0:
                claims.set_size[r.index] = self.ferry_locomotive
