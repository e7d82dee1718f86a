"""Contests in blocks: each block is one deal, played in every seating.

Block number b has the seed `SEED/b`: its games have the same cards, the same tickets and the same
first seat, so that luck and the order of play affect every bot alike. Bot number k of the line-up
has the seed `SEED/b/k`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

import msgspec

from branchline.lab.arena.sprt import OPEN, Sprt
from branchline.lab.results import GameResult, result_of
from branchline.lab.run.game_runner import GameRunner
from branchline.lab.run.line_up import LineUp
from branchline.lab.run.progress import progress_bar
from branchline.lab.run.worker_pool import Batch, batches


class BlockGame(msgspec.Struct, frozen=True, array_like=True):
    """A game of a block; `seating` has the number of the bot at each seat."""

    seating: tuple[int, ...]
    result: GameResult


class Contest(msgspec.Struct, frozen=True):
    """Bots that meet on one board in blocks. The line-up may have more bots than seats."""

    line_up: LineUp
    blocks: int
    seed: str
    seconds: float = 1.0

    def begin(self) -> Callable[[int], list[BlockGame]]:
        return BlockPlayer(self).play

    def games(self) -> int:
        """How many games a block has."""
        return len(seatings(len(self.line_up.bots), self.line_up.seats))


def seatings(bots: int, seats: int) -> list[tuple[int, ...]]:
    """Every group of bots that can meet, each in all its rotations.

    >>> seatings(2, 2)
    [(0, 1), (1, 0)]
    >>> len(seatings(3, 3)), len(seatings(4, 2))
    (3, 12)
    """
    groups = combinations(range(bots), seats)
    return [group[k:] + group[:k] for group in groups for k in range(seats)]


class BlockPlayer:
    """Plays blocks of a contest."""

    def __init__(self, contest: Contest, timed: bool = False) -> None:
        self.contest: Final = contest
        self.runner: Final = GameRunner(contest.line_up, contest.seconds, timed=timed)
        self.seatings: Final = seatings(len(contest.line_up.bots), contest.line_up.seats)

    def play(self, block: int) -> list[BlockGame]:
        """All games of a block."""
        return self.play_seatings(block, self.seatings)

    def play_seatings(self, block: int, seatings: Sequence[tuple[int, ...]]) -> list[BlockGame]:
        """The games of a block with these seatings."""
        seed = f"{self.contest.seed}/{block}"
        bots = self.contest.line_up.bots
        games = []
        for seating in seatings:
            state = self.runner.play(seed, seating, [f"{seed}/{k}" for k in seating])
            names = [bots[k] for k in seating]
            result = result_of(state, names, seed, len(state.moves or ()))
            games.append(BlockGame(seating, result))
        return games


# --- playing a contest ------------------------------------------------------------------------


def in_order(found: Iterator[Batch[list[BlockGame]]]) -> Iterator[list[BlockGame]]:
    """The blocks by their number, whichever is finished first."""
    waiting: dict[int, list[BlockGame]] = {}
    following = 0
    for batch in found:
        waiting.update(enumerate(batch.results, batch.first))
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def run(
    contest: Contest,
    lang: str,
    processes: int,
    ray: str | None = None,
    test: tuple[Sprt, int, int] | None = None,
) -> list[list[BlockGame]]:
    """Play all blocks, or those up to the one that decides the test between two of the bots."""
    blocks: list[list[BlockGame]] = []
    with progress_bar(contest.blocks, lang) as bar:
        coming = batches(contest, [range(contest.blocks)], processes, ray)
        for block in in_order(coming):
            blocks.append(block)
            bar.advance(1, contest.line_up.board)
            if test is not None:
                sprt, first, second = test
                if sprt.add(block_share(block, first, second)) != OPEN:
                    coming.close()
                    break
    return blocks


def block_share(block: list[BlockGame], first: int, second: int) -> float:
    """How far the first bot was ahead of the second, over their games in a block."""
    return block_mean(block, first, second, GameResult.ahead)


def block_mean(
    block: list[BlockGame], first: int, second: int, value: Callable[[GameResult, int, int], float]
) -> float:
    """The mean of a value over the games in which both bots sit."""
    total, games = 0.0, 0
    for game in block:
        if first in game.seating and second in game.seating:
            total += value(game.result, game.seating.index(first), game.seating.index(second))
            games += 1
    return total / games
