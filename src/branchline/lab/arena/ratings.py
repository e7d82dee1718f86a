"""Ratings from results: Bradley–Terry for two seats, Plackett–Luce for more, on the Elo scale.

Bradley–Terry is Plackett–Luce with two in every ranking, so one fit serves both. So that a bot that
has lost every game has a rating too, each bot is credited with half a win and half a loss against
each other one. The fit works on how often each ranking occurs, not on the games one by one, which
is what makes the bootstrap quick.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import log
from typing import Any, Final

from branchline.lab.errors import require
from branchline.lab.stats import Bootstrap, Estimate

ELO: Final = 400 / log(10)
DRAWS: Final = 500
STEPS: Final = 100
CLOSE: Final = 1e-9

Ranking = tuple[int, ...]
"""Players from first to last."""


def rankings_of(players: Sequence[int], places: Sequence[tuple[int, ...]]) -> list[Ranking]:
    """A game's result as two rankings, with level seats once in either order.

    >>> rankings_of([0, 1, 2], [(1,), (5,), (1,)])
    [(1, 0, 2), (1, 2, 0)]
    """
    seats = range(len(players))
    one = sorted(seats, key=lambda k: (tuple(-x for x in places[k]), k))
    two = sorted(seats, key=lambda k: (tuple(-x for x in places[k]), -k))
    return [tuple(players[k] for k in order) for order in (one, two)]


def fit(players: int, rankings: Sequence[Ranking]) -> list[float]:
    """The ratings, in Elo points around 0. Every game counts as two rankings (`rankings_of`).

    >>> [round(r) for r in fit(2, [(0, 1), (0, 1), (0, 1), (0, 1), (1, 0), (1, 0)])]
    [44, -44]
    """
    counted = Counter(rankings)
    [found] = fit_counts([0.0] * players, list(counted), [[*counted.values()]])
    return [float(x) for x in found]


def fit_counts(start: Any, rankings: Sequence[Ranking], counts: Any) -> Iterator[Any]:
    """The ratings for each row of `counts`, which says how often each ranking occurred.

    The maximum of the likelihood, by Newton's method from the ratings `start`. It is concave, and
    the half games ensure a single maximum. A step in which no difference of ratings grows by more
    than 1 always climbs, so the method arrives from everywhere; near the goal steps are whole.
    """
    np = require("numpy")
    players = len(start)
    pairs = list(permutations(range(players), 2))
    stages = _stages([*rankings, *pairs], players)
    which, sets, wins = (np.array(column) for column in zip(*stages, strict=True))
    for row in counts:
        weight = np.concatenate([row, np.ones(len(pairs))])[which]
        won = weight @ wins
        at = np.array(start) / ELO
        for _ in range(STEPS):
            strength = sets * np.exp(at)
            chance = strength / strength.sum(axis=1, keepdims=True)
            expected = weight @ chance
            bend = np.diag(expected) - (chance.T * weight) @ chance
            step = np.linalg.solve(bend + 1.0, won - expected)  # the sum of all stays as it is
            step /= max(1.0, float(np.ptp(step)))
            at += step
            if float(np.abs(step).max()) < CLOSE:
                break
        yield (at - at.mean()) * ELO


def _stages(rankings: Sequence[Ranking], players: int) -> list[tuple[int, list[int], list[int]]]:
    """Each choice of a next best: the ranking it belongs to, who was there, who was chosen."""
    stages = []
    for number, ranking in enumerate(rankings):
        for k, chosen in enumerate(ranking[:-1]):
            there = [int(player in ranking[k:]) for player in range(players)]
            stages.append((number, there, [int(player == chosen) for player in range(players)]))
    return stages


def ratings(players: int, blocks: Sequence[Sequence[Ranking]], draws: Bootstrap) -> list[Estimate]:
    """The ratings with their intervals, from the rankings of each block."""
    np = require("numpy")
    kinds = sorted({ranking for block in blocks for ranking in block})
    place = {ranking: k for k, ranking in enumerate(kinds)}
    table = np.zeros((len(blocks), len(kinds)))
    for row, block in zip(table, blocks, strict=True):
        for ranking in block:
            row[place[ranking]] += 1
    values = fit(players, [ranking for block in blocks for ranking in block])
    counts = draws.counts[:DRAWS] @ draws.group_sums(table)
    drawn = np.array(list(fit_counts(values, kinds, counts)))
    return [_opened(draws.interval(values[k], drawn[:, k]), k, kinds) for k in range(players)]


def _opened(rating: Estimate, player: int, kinds: Sequence[Ranking]) -> Estimate:
    """Without an interval where only the half games hold it: always first, or always last."""
    there = [ranking for ranking in kinds if player in ranking]
    if any(all(ranking[end] == player for ranking in there) for end in (0, -1)):
        return Estimate(rating.value, float("-inf"), float("inf"))
    return rating
