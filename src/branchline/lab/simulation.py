"""What a simulation plays: so many games at each of its tables, each known by its number.

Game number k of a table has the seed `SEED/k`, and the bot at seat s the seed `SEED/k/s`.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Final

import msgspec

from branchline.lab.lineup import Table
from branchline.lab.play import GameResult, Room, result_of

CHANCE: Final = "random"


class Played(msgspec.Struct, frozen=True, array_like=True):
    """A game of a simulation: its table and number, its result, its packed record if kept."""

    table: int
    number: int
    result: GameResult
    record: bytes = b""


class Simulation(msgspec.Struct, frozen=True):
    """What is to be played: so many games at each table."""

    tables: tuple[Table, ...]
    games: tuple[int, ...]
    seed: str
    seconds: float = 1.0
    records: bool = False

    def ranges(self) -> list[range]:
        """The numbers of all games, in one sequence over all tables."""
        ends = list(accumulate(self.games))
        return [range(end - n, end) for n, end in zip(self.games, ends, strict=True)]

    def begin(self) -> Callable[[int], Played]:
        """Get ready; gives the function that plays a game by its number."""
        return Player(self).play


class Player:
    """Plays games of a simulation."""

    def __init__(self, plan: Simulation) -> None:
        self.plan: Final = plan
        self.starts: Final = [numbers.start for numbers in plan.ranges()]
        self.table: int = -1
        self.room: Room | None = None

    def play(self, item: int) -> Played:
        plan = self.plan
        k = bisect_right(self.starts, item) - 1
        room, number = self.room, item - self.starts[k]
        if room is None or k != self.table:
            room = Room(plan.tables[k], plan.seconds)
            self.table, self.room = k, room
        bots = room.table.bots
        seed = f"{plan.seed}/{number}"
        if all(bot == CHANCE for bot in bots):
            state, actions = room.play_at_random(seed, keep=plan.records)
        else:
            seats = range(len(bots))
            state = room.play(seed, seats, [f"{seed}/{seat}" for seat in seats])
            actions = len(state.moves or ())
        record = zlib.compress(state.record().to_json().encode()) if plan.records else b""
        return Played(k, number, result_of(state, bots, seed, actions), record)
