"""Playing a contest, block after block, as long as it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from branchline.lab.blocks import Contest, Seated
from branchline.lab.play import GameResult
from branchline.lab.pool import Batch, batches
from branchline.lab.progress import progress_bar
from branchline.lab.sprt import OPEN, Sprt


def in_order(found: Iterator[Batch[list[Seated]]]) -> Iterator[list[Seated]]:
    """The blocks by their number, whichever is finished first."""
    waiting: dict[int, list[Seated]] = {}
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
) -> list[list[Seated]]:
    """All blocks, or those up to the one that decides the test between two bots of the line-up."""
    blocks: list[list[Seated]] = []
    with progress_bar(contest.blocks, lang) as bar:
        coming = batches(contest, [range(contest.blocks)], processes, ray)
        for block in in_order(coming):
            blocks.append(block)
            bar.advance(1, contest.table.board)
            if test is not None:
                sprt, first, second = test
                if sprt.add(block_share(block, first, second)) != OPEN:
                    coming.close()
                    break
    return blocks


def block_share(block: list[Seated], first: int, second: int) -> float:
    """How far the first bot was ahead of the second, over their games in a block."""
    return block_mean(block, first, second, GameResult.ahead)


def block_mean(
    block: list[Seated], first: int, second: int, value: Callable[[GameResult, int, int], float]
) -> float:
    """The mean of a value over the games in which both bots sit."""
    total, games = 0.0, 0
    for game in block:
        if first in game.seating and second in game.seating:
            total += value(game.result, game.seating.index(first), game.seating.index(second))
            games += 1
    return total / games
