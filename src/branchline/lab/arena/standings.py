"""What a contest says about its bots: win shares, margins, ratings, and what they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

import msgspec

from branchline._version import VERSION
from branchline.lab.arena.contest import BlockGame, Contest, block_mean
from branchline.lab.arena.ratings import Ranking, rankings_of, ratings
from branchline.lab.arena.sprt import Verdict
from branchline.lab.results import GameResult, Lengths, by_order, lengths_of, mean
from branchline.lab.stats import Bootstrap, Estimate


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


class ArenaResult(msgspec.Struct, frozen=True):
    """All results of a contest. `order` is the win share by order of play."""

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
    contest: Contest, blocks: Sequence[list[BlockGame]], test: Verdict | None = None
) -> ArenaResult:
    """Put the results of a contest together."""
    return Analysis(contest, blocks).result(test)


def labels(bots: Sequence[str]) -> list[str]:
    """Names for the bots of a line-up; a bot that occurs again gets a number.

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

    def __init__(self, contest: Contest, blocks: Sequence[list[BlockGame]]) -> None:
        self.contest: Final = contest
        self.blocks: Final = blocks
        self.players: Final = labels(contest.line_up.bots)
        self.draws: Final = Bootstrap(len(blocks))
        self.results: Final = [game.result for block in blocks for game in block]

    def result(self, test: Verdict | None) -> ArenaResult:
        line_up = self.contest.line_up
        rated = ratings(len(self.players), [self._rankings(b) for b in self.blocks], self.draws)
        standings = [self._standing(k, rating) for k, rating in enumerate(rated)]
        return ArenaResult(
            board=line_up.board,
            digest=line_up.digest,
            engine=VERSION,
            names=dict(line_up.source["name"]),
            seats=line_up.seats,
            seed=self.contest.seed,
            blocks=len(self.blocks),
            games=len(self.results),
            model="bradley_terry" if line_up.seats == 2 else "plackett_luce",
            standings=sorted(standings, key=lambda s: -s.rating.value),
            pairs=self._pairs(),
            order=by_order([[g.result for g in block] for block in self.blocks], self.draws),
            lengths=lengths_of([result.turns for result in self.results]),
            actions=mean(result.actions for result in self.results),
            ties=sum(result.winners.bit_count() > 1 for result in self.results),
            test=test,
        )

    def _rankings(self, block: list[BlockGame]) -> list[Ranking]:
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
