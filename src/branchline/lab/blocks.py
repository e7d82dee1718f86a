"""Tournaments in blocks: each block is one deal, played in every seating.

Block number b has the seed `SEED/b`: its games have the same cards, the same tickets and the same
first seat, so that luck and the order of play fall on every bot alike. Bot number k of the line-up
has the seed `SEED/b/k`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

import msgspec

from branchline.lab.lineup import Table
from branchline.lab.play import GameResult, Room, result_of


class Seated(msgspec.Struct, frozen=True, array_like=True):
    """A game of a block; `seating` has the number of the bot at each seat."""

    seating: tuple[int, ...]
    result: GameResult


class Contest(msgspec.Struct, frozen=True):
    """Bots at one board, meeting each other in blocks. The table's line-up may exceed its seats."""

    table: Table
    blocks: int
    seed: str
    seconds: float = 1.0

    def begin(self) -> Callable[[int], list[Seated]]:
        return Host(self).play

    def games(self) -> int:
        """How many games a block has."""
        return len(seatings(len(self.table.bots), self.table.seats))


def seatings(bots: int, seats: int) -> list[tuple[int, ...]]:
    """Every group of bots that can meet, each in all its rotations.

    >>> seatings(2, 2)
    [(0, 1), (1, 0)]
    >>> len(seatings(3, 3)), len(seatings(4, 2))
    (3, 12)
    """
    groups = combinations(range(bots), seats)
    return [group[k:] + group[:k] for group in groups for k in range(seats)]


class Host:
    """Plays blocks of a contest."""

    def __init__(self, contest: Contest) -> None:
        self.contest: Final = contest
        self.room: Final = Room(contest.table, contest.seconds)
        self.seatings: Final = seatings(len(contest.table.bots), contest.table.seats)

    def play(self, block: int) -> list[Seated]:
        """All games of a block."""
        seed = f"{self.contest.seed}/{block}"
        bots = self.contest.table.bots
        games = []
        for seating in self.seatings:
            state = self.room.play(seed, seating, [f"{seed}/{k}" for k in seating])
            names = [bots[k] for k in seating]
            result = result_of(state, names, seed, len(state.moves or ()))
            games.append(Seated(seating, result))
        return games
