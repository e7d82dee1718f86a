"""The part of an expert that searches: candidates, tried in the worlds of a view.

Several processes can search at the same decision, each in worlds of its own: world k is the same
wherever it is tried, and the sums of all processes add up.
"""

from __future__ import annotations

from math import floor, inf
from typing import Final

from branchline.bots.belief import Belief
from branchline.bots.board_data import planner_weights, search_table, value_table
from branchline.bots.search import Search
from branchline.bots.style import Style
from branchline.bots.value import PositionValue
from branchline.core.machine import i64
from branchline.engine.game import Game
from branchline.engine.view import View
from branchline.engine.worlds import Worlds

WORLD_WORK: Final = 20  # what drawing a world takes
STRIDES: Final = (2.0**0.5, 3.0**0.5, 5.0**0.5, 7.0**0.5, 11.0**0.5)  # by seat: independent

Sums = list[tuple[int, float, float, float]]
"""What each candidate brought: worlds, total, gain, squares of the gain."""


class SeatSearch:
    """Searches for one seat of a game, as one of `processes` that do."""

    def __init__(self, game: Game, seat: i64, number: int = 0, processes: int = 1) -> None:
        self.game: Final = game
        self.number: Final = number
        self.processes: Final = processes
        style = Style(planner_weights(game.board.id, game.seats))
        self.belief: Final = Belief(game, seat)
        self.search: Final = Search(game, seat, style)
        self.read_value()
        table = search_table(game.board.id, game.seats)
        self.work_per_second: Final[float] = table.work_per_second
        self.usually_racing: Final[float] = table.racing
        self.racing: list[float] = []  # how likely each seat is to race
        self.drawn: Worlds | None = None
        self.name: str = ""
        self.count: int = 0  # worlds tried
        self.most: float = inf  # how many it shall try
        self.work: float = inf  # or how much work it shall do
        self.before: i64 = 0  # the work of earlier decisions

    def read_value(self) -> None:
        """Use what was learned of the board: how far to play on, and the value of what comes."""
        table = value_table(self.game.board.id, self.game.seats)
        search = self.search
        search.scale = table.scale
        search.win_share = table.win_share
        if table.weights and table.turns > 0:
            search.turns = table.turns
            search.value = PositionValue(self.game, table.weights)

    def begin(self, view: View, actions: list[int], name: str, seconds: float, worlds: int) -> None:
        """Start with a decision; `worlds` is for all processes together, and counts if not 0."""
        self.search.begin(actions)
        self.drawn = self.belief.worlds(view)
        self.racing = self.belief.racing(view, self.usually_racing)
        self.name = name
        self.count = 0
        self.most = float(worlds) / float(self.processes) if worlds > 0 else inf
        self.work = inf if worlds > 0 else max(1.0, seconds * self.work_per_second)
        self.before = self.search.rollout.work()

    def worked(self) -> i64:
        """The work that was done for this decision."""
        return self.search.rollout.work() - self.before + WORLD_WORK * self.count

    def done(self) -> float:
        """The share of the work that is done."""
        return max(float(self.worked()) / self.work, float(self.count) / self.most)

    def go_on(self, share: float, end: float) -> None:
        """Try worlds until this share of the work is done or time is up."""
        assert self.drawn is not None
        while self.done() < share:
            world = self.count * self.processes + self.number
            self.search.rollout.let_race(self.racing_in(world))
            if not self.search.try_world(self.drawn.draw(f"{self.name}/{world}"), end):
                return
            self.count += 1

    def racing_in(self, world: i64) -> i64:
        """The seats that race in a world: each in its share of them, evenly spread."""
        seats: i64 = 0
        for seat, share in enumerate(self.racing):
            at: float = float(world) * STRIDES[seat]
            if at - floor(at) < share:
                seats |= 1 << seat
        return seats

    def drop_others(self, live: list[bool]) -> None:
        """Go on with these candidates only."""
        for candidate, stays in zip(self.search.candidates, live, strict=True):
            candidate.live = stays

    def hand_over(self) -> Sums:
        """What was found since the last time, to be added up elsewhere."""
        found = [(c.worlds, c.total, c.gain, c.gain_squares) for c in self.search.candidates]
        for c in self.search.candidates:
            c.add(-c.worlds, -c.total, -c.gain, -c.gain_squares)
        return found

    def add(self, sums: Sums) -> None:
        """Add what another process has found."""
        for candidate, (worlds, total, gain, squares) in zip(
            self.search.candidates, sums, strict=True
        ):
            candidate.add(worlds, total, gain, squares)
