"""One bot against many on many boards, as a table for a document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from branchline.core.catalogue import say
from branchline.lab.arena.contest import BlockGame, BlockPlayer, Contest, block_share
from branchline.lab.numbers import board_name, value_with_interval
from branchline.lab.run.progress import progress_bar
from branchline.lab.run.worker_pool import batches
from branchline.lab.stats import Bootstrap, Estimate


class League(msgspec.Struct, frozen=True):
    """Several contests between two bots, as one sequence of blocks."""

    contests: tuple[Contest, ...]

    def ranges(self) -> list[range]:
        blocks = self.contests[0].blocks
        return [range(k * blocks, (k + 1) * blocks) for k in range(len(self.contests))]

    def begin(self) -> Callable[[int], list[BlockGame]]:
        return LeaguePlayer(self).play


class LeaguePlayer:
    """Plays blocks of a season."""

    def __init__(self, league: League) -> None:
        self.league: Final = league
        self.starts: Final = [items.start for items in league.ranges()]
        self.at: int = -1
        self.player: BlockPlayer | None = None

    def play(self, item: int) -> list[BlockGame]:
        k = bisect_right(self.starts, item) - 1
        player = self.player
        if player is None or k != self.at:
            player = BlockPlayer(self.league.contests[k])
            self.at, self.player = k, player
        return player.play(item - self.starts[k])


class Cell(msgspec.Struct, frozen=True):
    """The first bot's win share against the other on a board."""

    board: str
    names: dict[str, str]
    bot: str
    other: str
    blocks: int
    wins: Estimate


def run(league: League, lang: str, processes: int, ray: str | None = None) -> list[Cell]:
    """Play all contests and return a cell for each."""
    shares: list[dict[int, float]] = [{} for _ in league.contests]
    ranges = league.ranges()
    with progress_bar(ranges[-1].stop, lang) as bar:
        for batch in batches(league, ranges, processes, ray):
            for item, block in enumerate(batch.results, batch.first):
                k = item // len(ranges[0])
                shares[k][item] = block_share(block, 0, 1)
            if batch.results:
                line_up = league.contests[batch.first // len(ranges[0])].line_up
                bar.advance(len(batch), f"{line_up.board} {line_up.bots[1]}")
    draws = Bootstrap(league.contests[0].blocks)
    return [
        _cell(contest, [found[item] for item in sorted(found)], draws)
        for contest, found in zip(league.contests, shares, strict=True)
    ]


def _cell(contest: Contest, shares: Sequence[float], draws: Bootstrap) -> Cell:
    line_up = contest.line_up
    names = dict(line_up.source["name"])
    estimate = draws.share(shares)
    return Cell(line_up.board, names, line_up.bots[0], line_up.bots[1], contest.blocks, estimate)


def markdown(cells: Sequence[Cell], lang: str) -> str:
    """The cells as a Markdown table: a row for each board, a column for each other bot."""
    others = list(dict.fromkeys(cell.other for cell in cells))
    found = {(cell.board, cell.other): cell for cell in cells}
    lines = [
        f"| {say('lab.column.board', lang)} | " + " | ".join(f"`{o}`" for o in others) + " |",
        "|---|" + "---:|" * len(others),
    ]
    for board in dict.fromkeys(cell.board for cell in cells):
        names = found[board, others[0]].names
        row = [value_with_interval(found[board, other].wins, 1, lang) for other in others]
        lines.append(f"| {board_name(names, lang)} | " + " | ".join(row) + " |")
    return "\n".join(lines)
