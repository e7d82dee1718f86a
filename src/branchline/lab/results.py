"""The results of games, and what many of them have in common: order of play, length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from branchline.engine.state import State
from branchline.lab.stats import Bootstrap, Estimate

BINS: Final = 12


class SeatResult(msgspec.Struct, frozen=True, array_like=True):
    """The result of a seat: its score, its points by kind of score line, its tickets."""

    bot: str
    score: int
    points: dict[str, int]
    done: int
    failed: int


class GameResult(msgspec.Struct, frozen=True, array_like=True):
    """A finished game; `winners` is a mask of seats."""

    seed: str
    first: int
    winners: int
    turns: int
    actions: int
    seats: list[SeatResult]

    def share(self, seat: int) -> float:
        """The seat's share of the victory; a shared one counts in equal parts."""
        return (self.winners >> seat & 1) / self.winners.bit_count()

    def ahead(self, seat: int, other: int) -> float:
        """1 if the seat ended ahead of the other, 0 if behind it, a half if level."""
        mine = (self.winners >> seat & 1, self.seats[seat].score)
        theirs = (self.winners >> other & 1, self.seats[other].score)
        return 0.5 if mine == theirs else float(mine > theirs)

    def order(self, seat: int) -> int:
        """How many seats had their first turn before this one."""
        return (seat - self.first) % len(self.seats)


def result_of(state: State, bots: Sequence[str], seed: str, actions: int) -> GameResult:
    """The result of a finished game."""
    outcome = state.outcome
    seats = []
    for seat, bot in enumerate(bots):
        points: dict[str, int] = {}
        failed = 0
        for line in outcome.lines[seat]:
            if line.what not in state.game.explanations:
                points[line.what] = points.get(line.what, 0) + int(line.points)
            failed += line.what == "ticket_failed"
        done = int(outcome.tickets[seat])
        seats.append(SeatResult(bot, int(outcome.scores[seat]), points, done, failed))
    view = state.view()
    return GameResult(
        seed=seed,
        first=int(view.one("first")),
        winners=sum(1 << int(seat) for seat in outcome.winners),
        turns=int(view.one("turns")),
        actions=actions,
        seats=seats,
    )


# --- many games -------------------------------------------------------------------------------


class Lengths(msgspec.Struct, frozen=True):
    """How many turns games took; `bins` are (first turn, last turn, games)."""

    mean: float
    least: int
    median: int
    most: int
    bins: list[tuple[int, int, int]]


def mean(values: Iterable[float]) -> float:
    """The mean, or 0 if there are no values."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def by_order(blocks: Sequence[Sequence[GameResult]], draws: Bootstrap) -> list[Estimate]:
    """The win share of the seat that begins, of the second, and so on."""
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
