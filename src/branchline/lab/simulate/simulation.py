"""What a simulation plays: a number of games for each of its line-ups, each known by its number.

Game number k of a line-up has the seed `SEED/k`, and the bot at seat s the seed `SEED/k/s`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Final

import msgspec

from branchline.lab.records import packed_moves
from branchline.lab.results import GameResult, result_of
from branchline.lab.run.game_runner import GameRunner
from branchline.lab.run.line_up import LineUp

RANDOM_BOT: Final = "random"


class SimulatedGame(msgspec.Struct, frozen=True, array_like=True):
    """A game of a simulation: its line-up, number and result.

    If they are kept, its moves (`packed_moves`) and its decisions (`DecisionLog.pack`).
    """

    line_up: int
    number: int
    result: GameResult
    moves: bytes = b""
    decisions: bytes = b""


class Simulation(msgspec.Struct, frozen=True):
    """What to play: a number of games for each line-up."""

    line_ups: tuple[LineUp, ...]
    games: tuple[int, ...]
    seed: str
    seconds: float = 1.0
    records: bool = False
    decisions: bool = False

    def ranges(self) -> list[range]:
        """The numbers of all games, in one sequence over all line-ups."""
        ends = list(accumulate(self.games))
        return [range(end - n, end) for n, end in zip(self.games, ends, strict=True)]

    def begin(self) -> Callable[[int], SimulatedGame]:
        """Prepare, and return the function that plays a game by its number."""
        return SimulationPlayer(self).play


class SimulationPlayer:
    """Plays games of a simulation."""

    def __init__(self, plan: Simulation) -> None:
        self.plan: Final = plan
        self.starts: Final = [numbers.start for numbers in plan.ranges()]
        self.line_up: int = -1
        self.runner: GameRunner | None = None

    def play(self, item: int) -> SimulatedGame:
        plan = self.plan
        k = bisect_right(self.starts, item) - 1
        runner, number = self.runner, item - self.starts[k]
        if runner is None or k != self.line_up:
            runner = GameRunner(plan.line_ups[k], plan.seconds, plan.decisions)
            self.line_up, self.runner = k, runner
        bots = runner.line_up.bots
        seed = f"{plan.seed}/{number}"
        if all(bot == RANDOM_BOT for bot in bots):
            state, actions = runner.play_at_random(seed, keep=plan.records)
        else:
            seats = range(len(bots))
            state = runner.play(seed, seats, [f"{seed}/{seat}" for seat in seats])
            actions = len(state.moves or ())
        moves = packed_moves(state) if plan.records else b""
        decisions = runner.log.pack() if runner.log is not None else b""
        return SimulatedGame(k, number, result_of(state, bots, seed, actions), moves, decisions)
