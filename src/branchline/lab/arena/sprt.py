"""A sequential test: play until one of two hypotheses on the win share is clearly better.

The generalised sequential probability ratio test on the results of whole blocks: at every block the
likelihoods of the most likely distributions of results with either mean are compared. A block's
result is a mean of halves, so only a few different ones exist (Van den Bergh: "A Practical
Introduction to the GSPRT").
"""

from __future__ import annotations

from collections import Counter
from math import log
from typing import Final

import msgspec

LOWER: Final = "lower"
HIGHER: Final = "higher"
OPEN: Final = "open"
FAINT: Final = 1e-3  # as if every other result had been seen this often: keeps the ratio finite


class Verdict(msgspec.Struct, frozen=True):
    """Where a test stands: `lower` or `higher` share accepted, or `open`."""

    first: str
    second: str
    lower: float
    higher: float
    error: float
    blocks: int
    share: float
    ratio: float
    accepted: str = OPEN


def share_of(elo: float) -> float:
    """The expected win share for a difference in rating.

    >>> round(share_of(0), 3), round(share_of(400), 3)
    (0.5, 0.909)
    """
    return 1 / (1 + 10 ** (-elo / 400))


class Sprt:
    """Takes the shares of one block after the other."""

    def __init__(self, lower: float, higher: float, error: float = 0.05) -> None:
        self.lower: Final = lower
        self.higher: Final = higher
        self.error: Final = error
        self.bound: Final = log((1 - error) / error)
        self.seen: Final[Counter[float]] = Counter()
        self.blocks = 0
        self.ratio = 0.0
        self.accepted = OPEN

    def add(self, share: float) -> str:
        """Count a block and return what is accepted now. Once accepted, it never changes."""
        if self.accepted != OPEN:
            return self.accepted
        self.seen[round(share, 9)] += 1
        self.blocks += 1
        self.ratio = likelihood_ratio(self.seen, self.lower, self.higher)
        if self.ratio >= self.bound:
            self.accepted = HIGHER
        elif self.ratio <= -self.bound:
            self.accepted = LOWER
        return self.accepted

    def verdict(self, first: str, second: str) -> Verdict:
        """Where the test stands."""
        total = sum(share * count for share, count in self.seen.items())
        mean = total / self.blocks if self.blocks else 0.0
        facts = (self.lower, self.higher, self.error, self.blocks, mean, self.ratio, self.accepted)
        return Verdict(first, second, *facts)


def likelihood_ratio(seen: Counter[float], lower: float, higher: float) -> float:
    """The logarithm of how much likelier the results are with the higher mean."""
    counts = {0.0: FAINT, 0.5: FAINT, 1.0: FAINT}
    for share, count in seen.items():
        counts[share] = counts.get(share, 0.0) + count
    n = sum(counts.values())
    shares = {share: count / n for share, count in counts.items()}
    one, two = tilted(shares, higher), tilted(shares, lower)
    return n * sum(p * log(one[x] / two[x]) for x, p in shares.items())


def tilted(shares: dict[float, float], mean: float) -> dict[float, float]:
    """The most likely distribution with this mean, given how often each result was seen.

    >>> p = tilted({0.0: 0.5, 1.0: 0.5}, 0.75)
    >>> round(p[1.0], 6)
    0.75
    """
    # p(x) / (1 + t (x − mean)), with the t that makes the mean right, and all of them positive.
    low, high = -1 / (max(shares) - mean), 1 / (mean - min(shares))
    edge = 1e-12 * (high - low)
    low, high = low + edge, high - edge
    for _ in range(60):
        t = (low + high) / 2
        excess = sum(p * (x - mean) / (1 + t * (x - mean)) for x, p in shares.items())
        low, high = (t, high) if excess > 0 else (low, t)
    t = (low + high) / 2
    return {x: p / (1 + t * (x - mean)) for x, p in shares.items()}
