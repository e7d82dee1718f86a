"""What decides among players with equal points (BASE-12)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.engine.game import Game
from branchline.engine.outcome import Tally
from branchline.engine.rule import ON_TIE, Rule
from branchline.engine.state import State
from branchline.rules.longest_path.paths import Paths


class TieBreaks(Rule):
    """Who wins among those with equal points (BASE-12); at the end they share the victory."""

    def __init__(self, cite: str, order: list[str]) -> None:
        super().__init__("tie_breaks", cite, 99, ON_TIE)
        self.by: Final = order
        self.paths: Paths | None = None
        self.stations_left: i64 = -1

    def link(self, game: Game) -> None:
        self.paths = Paths(game)
        if "stations" in self.by:
            self.stations_left = game.layout.fields.field("stations_left").offset

    def tie_break(self, s: State, tally: Tally, seats: list[int]) -> list[int]:
        for what in self.by:
            values = [self.measure(s, tally, what, seat) for seat in seats]
            best = max(values)
            ahead = [seats[k] for k in range(len(seats)) if values[k] == best]
            if len(ahead) < len(seats):
                tally.tie_break = what
            seats = ahead
        return seats

    def measure(self, s: State, tally: Tally, what: str, seat: int) -> int:
        """What counts in favour of a seat."""
        if what == "tickets":
            return tally.done[seat]
        if what == "stations":
            return s.d[self.stations_left + seat]
        assert self.paths is not None
        length = self.paths.longest(s, seat)
        if what == "longest_path":
            return length
        # The bonus for it: of those who tie in points, nobody may hold it (US-1, EU-1).
        longest = max([self.paths.longest(s, other) for other in range(tally.seats)])
        return 1 if length == longest else 0
