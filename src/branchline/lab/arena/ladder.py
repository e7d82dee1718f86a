"""The ladder: all bots on many boards and numbers of seats, in blocks, to be compared for years.

At two seats a block has every pair of bots, both ways round. At more seats the bots are dealt into
groups, other ones in every block, and each group plays in all its rotations; who is left over meets
some of the others once more. So every bot plays in every block.

Item number i is block `i // tables` at table `i % tables`: a ladder that was broken off has about
the same number of blocks everywhere, and more blocks can be added later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from branchline._version import VERSION
from branchline.core.rng import POLICY, seed_words, stream
from branchline.lab.arena.contest import BlockPlayer, Contest, seatings
from branchline.lab.arena.ratings import Ranking, rankings_of, ratings
from branchline.lab.results import mean
from branchline.lab.run.line_up import LineUp
from branchline.lab.run.parts_folder import PartsFolder
from branchline.lab.run.progress import progress_bar
from branchline.lab.run.timed_bot import Thinking
from branchline.lab.run.worker_pool import batches
from branchline.lab.stats import Bootstrap, Estimate

FORMAT: Final = 1


class LadderGame(msgspec.Struct, frozen=True, array_like=True):
    """A game: the bot at each seat by its number, the scores, a mask of the winning seats."""

    seating: tuple[int, ...]
    scores: tuple[int, ...]
    winners: int


class LadderBlock(msgspec.Struct, frozen=True, array_like=True):
    """A block at a table, and how much each bot thought."""

    games: list[LadderGame]
    thinking: list[Thinking]


class Ladder(msgspec.Struct, frozen=True):
    """What is played: every table has the same bots."""

    tables: tuple[LineUp, ...]
    blocks: int
    seed: str
    seconds: float = 1.0

    @property
    def bots(self) -> tuple[str, ...]:
        return self.tables[0].bots

    @property
    def items(self) -> int:
        return self.blocks * len(self.tables)

    def begin(self) -> Callable[[int], LadderBlock]:
        return LadderPlayer(self).play

    def settings(self) -> dict[str, Any]:
        """Everything that decides the results; not how many blocks there are."""
        return {
            "format": FORMAT,
            "engine": VERSION,
            "ladder": list(self.bots),
            "seed": self.seed,
            "seconds": self.seconds,
            "tables": [
                {"board": t.board, "digest": t.digest, "seats": t.seats} for t in self.tables
            ],
        }


def block_seatings(bots: int, seats: int, seed: str) -> list[tuple[int, ...]]:
    """The seatings of a block.

    >>> len(block_seatings(4, 2, "1")), len(block_seatings(5, 3, "1"))
    (12, 6)
    """
    if seats == 2:
        return seatings(bots, 2)
    rng = stream(seed_words(f"ladder {seed}"), 0, POLICY, 0)
    order = list(range(bots))
    for k in range(bots - 1, 0, -1):
        j = int(rng.below(k + 1))
        order[k], order[j] = order[j], order[k]
    order += order[: -bots % seats]
    groups = [tuple(sorted(order[k : k + seats])) for k in range(0, len(order), seats)]
    return [group[k:] + group[:k] for group in groups for k in range(seats)]


class LadderPlayer:
    """Plays blocks of a ladder, each table with bots of its own."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder: Final = ladder
        self.players: Final[dict[int, BlockPlayer]] = {}

    def play(self, item: int) -> LadderBlock:
        block, table = divmod(item, len(self.ladder.tables))
        line_up = self.ladder.tables[table]
        player = self.players.get(table)
        if player is None:
            contest = Contest(line_up, self.ladder.blocks, self.ladder.seed, self.ladder.seconds)
            player = self.players[table] = BlockPlayer(contest, timed=True)
        seed = f"{self.ladder.seed}/{block} {line_up.board} {line_up.seats}"
        wanted = block_seatings(len(line_up.bots), line_up.seats, seed)
        games = []
        for game in player.play_seatings(block, wanted):
            scores = tuple(seat.score for seat in game.result.seats)
            games.append(LadderGame(game.seating, scores, game.result.winners))
        return LadderBlock(games, [timer.take() for timer in player.runner.timers])


def run(
    ladder: Ladder, lang: str, processes: int, folder: str | None = None, ray: str | None = None
) -> list[LadderBlock]:
    """Play what is missing, and return all blocks in the order of their items."""
    found: dict[int, LadderBlock] = {}
    kept: PartsFolder[LadderBlock] | None = None
    todo = [range(ladder.items)]
    if folder is not None:
        decoder = msgspec.msgpack.Decoder(list[LadderBlock])
        kept = PartsFolder(folder, ladder.settings(), ladder.items, decoder)
        found.update(kept.numbered())
        todo = kept.missing()
    with progress_bar(ladder.items, lang, min(len(found), ladder.items)) as bar:
        for batch in batches(ladder, todo, processes, ray):
            if not batch.results:
                continue
            if kept is not None:
                kept.add(batch.first, batch.results)
            found.update(enumerate(batch.results, batch.first))
            line_up = ladder.tables[batch.first % len(ladder.tables)]
            bar.advance(len(batch), f"{line_up.board} {line_up.seats}")
    return [found[item] for item in range(ladder.items)]


# --- what it says ---------------------------------------------------------------------------------


class Rung(msgspec.Struct, frozen=True):
    """A bot at a table, or over all tables: its rating and its share of the victories."""

    bot: str
    games: int
    rating: Estimate
    wins: Estimate


class TableResult(msgspec.Struct, frozen=True):
    """A board with a number of seats."""

    board: str
    names: dict[str, str]
    digest: str
    seats: int
    games: int
    rungs: list[Rung]


class BotTime(msgspec.Struct, frozen=True):
    """The processor time of a bot's decisions, in milliseconds."""

    bot: str
    decisions: int
    mean: float
    slowest: float


class LadderResult(msgspec.Struct, frozen=True):
    """All results of a ladder; the rungs over all tables, the best first."""

    engine: str
    commit: str
    command: str
    seed: str
    blocks: int
    seconds: float
    games: int
    rungs: list[Rung]
    tables: list[TableResult]
    times: list[BotTime]


def analyse(
    ladder: Ladder, blocks: Sequence[LadderBlock], commit: str, command: str
) -> LadderResult:
    """Put the blocks of a ladder together."""
    count = len(ladder.tables)
    tables = []
    for k, line_up in enumerate(ladder.tables):
        own = blocks[k::count]
        tables.append(
            TableResult(
                board=line_up.board,
                names=dict(line_up.source["name"]),
                digest=line_up.digest,
                seats=line_up.seats,
                games=sum(len(block.games) for block in own),
                rungs=_rungs(ladder.bots, own),
            )
        )
    return LadderResult(
        engine=VERSION,
        commit=commit,
        command=command,
        seed=ladder.seed,
        blocks=ladder.blocks,
        seconds=ladder.seconds,
        games=sum(table.games for table in tables),
        rungs=_rungs(ladder.bots, blocks),
        tables=tables,
        times=list(_times(ladder.bots, blocks)),
    )


def _rungs(bots: Sequence[str], blocks: Sequence[LadderBlock]) -> list[Rung]:
    """The bots of some blocks, the best first."""
    draws = Bootstrap(len(blocks))
    rated = ratings(len(bots), [_rankings(block) for block in blocks], draws)
    rungs = []
    for k, bot in enumerate(bots):
        shares = [
            mean(_share(game, k) for game in block.games if k in game.seating) for block in blocks
        ]
        games = sum(k in game.seating for block in blocks for game in block.games)
        rungs.append(Rung(bot, games, rated[k], draws.share(shares)))
    return sorted(rungs, key=lambda rung: -rung.rating.value)


def _rankings(block: LadderBlock) -> list[Ranking]:
    found = []
    for game in block.games:
        places = [(game.winners >> k & 1, score) for k, score in enumerate(game.scores)]
        found += rankings_of(game.seating, places)
    return found


def _share(game: LadderGame, bot: int) -> float:
    """The bot's share of a victory; a shared one counts in parts."""
    return (game.winners >> game.seating.index(bot) & 1) / game.winners.bit_count()


def _times(bots: Sequence[str], blocks: Sequence[LadderBlock]) -> Iterator[BotTime]:
    for k, bot in enumerate(bots):
        total = Thinking()
        for block in blocks:
            total = total.and_also(block.thinking[k])
        each = 1000 * total.seconds / max(1, total.decisions)
        yield BotTime(bot, total.decisions, each, 1000 * total.slowest)
