"""One bot against many on many boards, as a table for a document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from branchline.core.catalogue import say
from branchline.lab.arena import block_share
from branchline.lab.blocks import Contest, Host, Seated
from branchline.lab.pool import batches
from branchline.lab.progress import progress_bar
from branchline.lab.stats import Bootstrap, Estimate
from branchline.lab.words import board_name, in_one


class Season(msgspec.Struct, frozen=True):
    """Several contests of two, as one sequence of blocks."""

    contests: tuple[Contest, ...]

    def ranges(self) -> list[range]:
        blocks = self.contests[0].blocks
        return [range(k * blocks, (k + 1) * blocks) for k in range(len(self.contests))]

    def begin(self) -> Callable[[int], list[Seated]]:
        return Visitor(self).play


class Visitor:
    """Plays blocks of a season."""

    def __init__(self, season: Season) -> None:
        self.season: Final = season
        self.starts: Final = [items.start for items in season.ranges()]
        self.at: int = -1
        self.host: Host | None = None

    def play(self, item: int) -> list[Seated]:
        k = bisect_right(self.starts, item) - 1
        host = self.host
        if host is None or k != self.at:
            host = Host(self.season.contests[k])
            self.at, self.host = k, host
        return host.play(item - self.starts[k])


class Cell(msgspec.Struct, frozen=True):
    """The first bot's win share against the other on a board."""

    board: str
    names: dict[str, str]
    bot: str
    other: str
    blocks: int
    wins: Estimate


def run(season: Season, lang: str, processes: int, ray: str | None = None) -> list[Cell]:
    """Play all contests; a cell for each."""
    shares: list[dict[int, float]] = [{} for _ in season.contests]
    ranges = season.ranges()
    with progress_bar(ranges[-1].stop, lang) as bar:
        for batch in batches(season, ranges, processes, ray):
            for item, block in enumerate(batch.results, batch.first):
                k = item // len(ranges[0])
                shares[k][item] = block_share(block, 0, 1)
            if batch.results:
                table = season.contests[batch.first // len(ranges[0])].table
                bar.advance(len(batch), f"{table.board} {table.bots[1]}")
    draws = Bootstrap(season.contests[0].blocks)
    return [
        _cell(contest, [found[item] for item in sorted(found)], draws)
        for contest, found in zip(season.contests, shares, strict=True)
    ]


def _cell(contest: Contest, shares: Sequence[float], draws: Bootstrap) -> Cell:
    table = contest.table
    names = dict(table.source["name"])
    estimate = draws.share(shares)
    return Cell(table.board, names, table.bots[0], table.bots[1], contest.blocks, estimate)


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
        row = [in_one(found[board, other].wins, 1, lang) for other in others]
        lines.append(f"| {board_name(names, lang)} | " + " | ".join(row) + " |")
    return "\n".join(lines)
