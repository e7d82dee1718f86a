"""What a contest says about its bots: win shares, margins, ratings, and what they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final

import msgspec

from branchline._version import VERSION
from branchline.lab.arena import block_mean
from branchline.lab.blocks import Contest, Seated
from branchline.lab.play import GameResult
from branchline.lab.ratings import Ranking, rankings_of, ratings
from branchline.lab.sprt import Verdict
from branchline.lab.stats import Bootstrap, Estimate

BINS: Final = 12


class Standing(msgspec.Struct, frozen=True):
    """A bot over all its games; points are means by kind of score line."""

    bot: str
    games: int
    wins: Estimate
    margin: Estimate
    rating: Estimate
    score: float
    done: float
    failed: float
    points: dict[str, float]


class Pair(msgspec.Struct, frozen=True):
    """A bot against another: how often it was ahead, and by how many points."""

    bot: str
    other: str
    games: int
    ahead: Estimate
    margin: Estimate


class Lengths(msgspec.Struct, frozen=True):
    """How many turns games took; `bins` are (first turn, last turn, games)."""

    mean: float
    least: int
    median: int
    most: int
    bins: list[tuple[int, int, int]]


class ArenaResult(msgspec.Struct, frozen=True):
    """Everything that a contest gave. `order` is the win share by order of play."""

    board: str
    digest: str
    engine: str
    names: dict[str, str]
    seats: int
    seed: str
    blocks: int
    games: int
    model: str
    standings: list[Standing]
    pairs: list[Pair]
    order: list[Estimate]
    lengths: Lengths
    actions: float
    ties: int
    test: Verdict | None = None


def analyse(
    contest: Contest, blocks: Sequence[list[Seated]], test: Verdict | None = None
) -> ArenaResult:
    """Put the results of a contest together."""
    return Analysis(contest, blocks).result(test)


def labels(bots: Sequence[str]) -> list[str]:
    """Names for the bots of a line-up; one that sits there twice is told apart by a number.

    >>> labels(["paths", "random", "random"])
    ['paths', 'random', 'random #2']
    """
    found: list[str] = []
    for k, bot in enumerate(bots):
        again = list(bots[:k]).count(bot)
        found.append(f"{bot} #{again + 1}" if again else bot)
    return found


class Analysis:
    """The blocks of a contest, with a name for each bot."""

    def __init__(self, contest: Contest, blocks: Sequence[list[Seated]]) -> None:
        self.contest: Final = contest
        self.blocks: Final = blocks
        self.players: Final = labels(contest.table.bots)
        self.draws: Final = Bootstrap(len(blocks))
        self.results: Final = [game.result for block in blocks for game in block]

    def result(self, test: Verdict | None) -> ArenaResult:
        table = self.contest.table
        rated = ratings(len(self.players), [self._rankings(b) for b in self.blocks], self.draws)
        standings = [self._standing(k, rating) for k, rating in enumerate(rated)]
        return ArenaResult(
            board=table.board,
            digest=table.digest,
            engine=VERSION,
            names=dict(table.source["name"]),
            seats=table.seats,
            seed=self.contest.seed,
            blocks=len(self.blocks),
            games=len(self.results),
            model="bradley_terry" if table.seats == 2 else "plackett_luce",
            standings=sorted(standings, key=lambda s: -s.rating.value),
            pairs=self._pairs(),
            order=by_order([[g.result for g in block] for block in self.blocks], self.draws),
            lengths=lengths_of([result.turns for result in self.results]),
            actions=mean(result.actions for result in self.results),
            ties=sum(result.winners.bit_count() > 1 for result in self.results),
            test=test,
        )

    def _rankings(self, block: list[Seated]) -> list[Ranking]:
        found = []
        for game in block:
            r = game.result
            places = [(r.winners >> k & 1, seat.score) for k, seat in enumerate(r.seats)]
            found += rankings_of(game.seating, places)
        return found

    def _standing(self, player: int, rating: Estimate) -> Standing:
        wins, margins = [], []
        seats = []
        for block in self.blocks:
            there = [game for game in block if player in game.seating]
            at = [(game.result, game.seating.index(player)) for game in there]
            wins.append(mean(result.share(seat) for result, seat in at))
            margins.append(mean(margin(result, seat) for result, seat in at))
            seats += [result.seats[seat] for result, seat in at]
        sources = dict.fromkeys(what for seat in seats for what in seat.points)
        return Standing(
            bot=self.players[player],
            games=len(seats),
            wins=self.draws.share(wins),
            margin=self.draws.mean(margins),
            rating=rating,
            score=mean(seat.score for seat in seats),
            done=mean(seat.done for seat in seats),
            failed=mean(seat.failed for seat in seats),
            points={what: mean(s.points.get(what, 0) for s in seats) for what in sources},
        )

    def _pairs(self) -> list[Pair]:
        """Every bot against every other."""
        pairs = []
        for a, b in permutations(range(len(self.players)), 2):
            ahead = [block_mean(block, a, b, GameResult.ahead) for block in self.blocks]
            points = [block_mean(block, a, b, gap) for block in self.blocks]
            both = sum({a, b} <= set(game.seating) for block in self.blocks for game in block)
            estimates = self.draws.share(ahead), self.draws.mean(points)
            pairs.append(Pair(self.players[a], self.players[b], both, *estimates))
        return pairs


def gap(result: GameResult, seat: int, other: int) -> int:
    """By how many points a seat is ahead of another."""
    return result.seats[seat].score - result.seats[other].score


def margin(result: GameResult, seat: int) -> float:
    """By how many points a seat is ahead of the mean of the others."""
    others = [s.score for k, s in enumerate(result.seats) if k != seat]
    return result.seats[seat].score - mean(others)


def mean(values: Iterable[float]) -> float:
    """The mean, 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def by_order(blocks: Sequence[Sequence[GameResult]], draws: Bootstrap) -> list[Estimate]:
    """The win share of who begins, of who comes second, and so on."""
    shares: list[list[float]] = [[] for _ in blocks[0][0].seats]
    for block in blocks:
        for order, values in enumerate(shares):
            seats = range(len(shares))
            at = [(r, s) for r in block for s in seats if r.order(s) == order]
            values.append(mean(result.share(seat) for result, seat in at))
    return [draws.share(values) for values in shares]


def lengths_of(turns: Sequence[int]) -> Lengths:
    """How long games took.

    >>> lengths_of([10, 11, 30]).bins[0]
    (10, 11, 2)
    """
    ordered = sorted(turns)
    width = (ordered[-1] - ordered[0]) // BINS + 1
    start = ordered[0] // width * width
    bins = []
    for first in range(start, ordered[-1] + 1, width):
        count = sum(first <= turn < first + width for turn in ordered)
        bins.append((first, first + width - 1, count))
    return Lengths(mean(turns), ordered[0], ordered[len(ordered) // 2], ordered[-1], bins)
