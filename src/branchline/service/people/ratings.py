"""Ratings of people from the games that they have played with each other.

The model is Plackett–Luce with the Bayesian update of Weng and Lin (A Bayesian Approximation Method
for Online Ranking, 2011, algorithm 4), with the constants that are usual for it: each game moves
the ratings of those who took part, whatever their number, and a rating says how sure it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, NamedTuple

MEAN: Final = 25.0
SPREAD: Final = MEAN / 3
LUCK: Final = SPREAD / 2
"""How far a single game strays from what the players can do."""
LEAST: Final = 0.0001
"""The least share of the uncertainty that a game leaves."""
POINTS: Final = 60.0
MIDDLE: Final = 1500.0


class Rating(NamedTuple):
    """What is known of a player's strength."""

    mean: float = MEAN
    spread: float = SPREAD
    games: int = 0

    @property
    def points(self) -> int:
        """The rating as it is shown: 1500 for a newcomer.

        >>> Rating().points, Rating(30.0, 2.0, 40).points
        (1500, 1800)
        """
        return round(MIDDLE + POINTS * (self.mean - MEAN))

    @property
    def margin(self) -> int:
        """The true strength is within this many points, 19 times in 20.

        >>> Rating(30.0, 2.0, 40).margin
        240
        """
        return round(2 * POINTS * self.spread)


def after_game(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game; who has the lowest place won, and equal places are shared.

    >>> [round(r.mean, 3) for r in after_game([Rating(), Rating()], [1, 2])]
    [27.635, 22.365]
    """
    scale = sqrt(sum(r.spread**2 + LUCK**2 for r in ratings))
    strengths = [exp(r.mean / scale) for r in ratings]
    seats = range(len(ratings))
    behind = [sum(strengths[i] for i in seats if places[i] >= places[q]) for q in seats]
    shared = [sum(place == places[q] for place in places) for q in seats]
    found = []
    for i, rating in enumerate(ratings):
        gain = loss = 0.0
        for q in seats:
            if places[q] <= places[i]:
                share = strengths[i] / behind[q]
                gain += ((1.0 if q == i else 0.0) - share) / shared[q]
                loss += share * (1 - share) / shared[q]
        variance = rating.spread**2
        surety = 1 - loss * variance / scale**2 * rating.spread / scale
        mean = rating.mean + gain * variance / scale
        spread = rating.spread * sqrt(max(surety, LEAST))
        found.append(Rating(mean, spread, rating.games + 1))
    return found


def places_of(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """The place of each seat, from 1; who won by a tie-break is ahead of those with equal points.

    >>> places_of([90, 120, 120, 40], [2])
    [3, 2, 1, 4]
    """
    order = [(seat not in winners, -score) for seat, score in enumerate(scores)]
    return [1 + sum(other < mine for other in order) for mine in order]
