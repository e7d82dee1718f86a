"""Points and tie-breaks at the end: attractions, most tickets, longest path."""

from __future__ import annotations

from typing import Final

from branchline.core.board import Board
from branchline.core.graph import Trails
from branchline.core.machine import i64, vec
from branchline.engine.game import Game
from branchline.engine.outcome import Tally, Values
from branchline.engine.rule import ON_SCORE, ON_TIE, Rule
from branchline.engine.state import State
from branchline.engine.table import column


class Attractions(Rule):
    """A point for every attraction that an own route touches (NY-5)."""

    def __init__(self, cite: str, board: Board, points: i64, cities: list[str]) -> None:
        super().__init__("attractions", cite, 61, ON_SCORE)
        self.points: Final = points
        self.is_attraction: Final[vec[i64]] = column([0] * len(board.cities))
        for city in cities:
            self.is_attraction[board.city_of[city]] = 1

    def score(self, s: State, tally: Tally) -> None:
        d, t = s.d, s.t
        for seat in range(tally.seats):
            touched = self.is_attraction[:]
            n: i64 = 0
            r: i64 = 0
            while r < t.routes:
                if d[t.owner + r] == seat + 1:
                    n += touched[t.a[r]] + touched[t.b[r]]
                    touched[t.a[r]] = 0
                    touched[t.b[r]] = 0
                r += 1
            tally.add(seat, self.cite, "attractions", n * self.points, n)


class Globetrotter(Rule):
    """Points for the most completed tickets, to all who tie (NO-9)."""

    def __init__(self, cite: str, points: i64) -> None:
        super().__init__("globetrotter", cite, 70, ON_SCORE)
        self.points: Final = points

    def score(self, s: State, tally: Tally) -> None:
        best = max(tally.done)
        values: Values | None = None
        if tally.lines is not None:
            values = {"of_all": [int(n) for n in tally.done]}
        for seat in range(tally.seats):
            if tally.done[seat] == best:
                tally.add(seat, self.cite, "globetrotter", self.points, best, values)


class Paths:
    """The longest continuous path of each seat (BASE-14)."""

    def __init__(self, game: Game) -> None:
        t = game.table
        self.trails: Final = Trails(t.cities, t.a, t.b, t.length)
        self.owned: Final[vec[i64]] = column([0] * t.routes)

    def longest(self, s: State, seat: i64) -> i64:
        d, t = s.d, s.t
        n: i64 = 0
        r: i64 = 0
        while r < t.routes:
            if d[t.owner + r] == seat + 1:
                self.owned[n] = r
                n += 1
            r += 1
        return self.trails.longest(self.owned, n)


class LongestPath(Rule):
    """Points for the longest path, to all who tie (US-1, EU-1)."""

    def __init__(self, cite: str, points: i64) -> None:
        super().__init__("longest_path", cite, 71, ON_SCORE)
        self.points: Final = points
        self.paths: Paths | None = None

    def link(self, game: Game) -> None:
        self.paths = Paths(game)

    def score(self, s: State, tally: Tally) -> None:
        assert self.paths is not None
        lengths = [int(self.paths.longest(s, seat)) for seat in range(tally.seats)]
        best = max(lengths)
        values: Values | None = None
        if tally.lines is not None:
            values = {"of_all": lengths}
        for seat in range(tally.seats):
            if lengths[seat] == best:
                tally.add(seat, self.cite, "longest_path", self.points, best, values)


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
            self.stations_left = game.table.layout.field("stations_left").offset

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
