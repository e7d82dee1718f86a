"""Intervals from a bootstrap over blocks.

The games of a block share their seed and are not independent; the blocks are. So blocks are
resampled, never games.

If all blocks are equal, so is every sample: a bot that has won ten blocks of ten would seem certain
to win forever. The interval of a share is then as long as unseen blocks of another kind can make
it.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

import msgspec

from branchline.lab.errors import require

DRAWS: Final = 2000
GROUPS: Final = 2000  # of more blocks, neighbours are drawn together
TAIL: Final = 0.025  # on each side: 95 % between
SAME: Final = 1e-12


class Estimate(msgspec.Struct, frozen=True):
    """A value and the interval that holds the true one with 95 % confidence."""

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether the interval has two ends; a single block has no interval."""
        return isfinite(self.low) and isfinite(self.high)


class Bootstrap:
    """Resamples blocks, always in the same way for the same number of blocks."""

    def __init__(self, blocks: int, draws: int = DRAWS) -> None:
        self.np: Final = require("numpy")
        self.blocks: Final = blocks
        groups = min(blocks, GROUPS)
        self.starts: Final = self.np.arange(groups) * blocks // groups
        rng = self.np.random.default_rng(groups)
        self.counts: Final = rng.multinomial(groups, [1 / groups] * groups, draws).astype(float)

    def group_sums(self, values: Any) -> Any:
        """The sums over blocks that are drawn together."""
        values = self.np.asarray(values, dtype=float)
        return self.np.add.reduceat(values, self.starts, axis=0)

    def mean(self, values: Any) -> Estimate:
        """The mean of a value that every block has."""
        column = self.np.asarray(values, dtype=float).reshape(-1, 1)
        return self.ratios(column, self.np.ones_like(column))[0]

    def share(self, values: Any) -> Estimate:
        """The mean of a value between 0 and 1 that every block has."""
        column = self.np.asarray(values, dtype=float).reshape(-1, 1)
        return self.shares(column, self.np.ones_like(column))[0]

    def ratios(self, parts: Any, wholes: Any) -> list[Estimate]:
        """Sums over sums, column by column: the mean amount per case."""
        np = self.np
        parts, wholes = np.asarray(parts, dtype=float), np.asarray(wholes, dtype=float)
        below = self.counts @ self.group_sums(wholes)
        drawn = self.counts @ self.group_sums(parts) / np.where(below > 0, below, np.nan)
        above, under = parts.sum(axis=0), wholes.sum(axis=0)
        found = []
        for k in range(parts.shape[1]):
            column = drawn[:, k]
            value = float(above[k] / under[k]) if under[k] else 0.0
            found.append(self.interval(value, column[~np.isnan(column)]))
        return found

    def shares(self, parts: Any, wholes: Any) -> list[Estimate]:
        """Sums over sums, column by column: the share of cases that were so."""
        seen = (self.np.asarray(wholes) > 0).sum(axis=0)
        return [
            certain(e.value, int(n)) if e.known and e.high - e.low < SAME else e
            for e, n in zip(self.ratios(parts, wholes), seen, strict=True)
        ]

    def interval(self, value: float, drawn: Any) -> Estimate:
        """A value with the middle 95 % of the resampled values."""
        if self.blocks < 2 or len(drawn) == 0:
            return Estimate(value, float("-inf"), float("inf"))
        low, high = self.np.quantile(drawn, [TAIL, 1 - TAIL])
        return Estimate(value, min(float(low), value), max(float(high), value))


def certain(value: float, blocks: int) -> Estimate:
    """The interval of a share if all blocks had the same result: others may exist unseen.

    After n equal blocks, others are, with 97.5 % confidence, rarer than 1 − 0.025^(1/n); and they
    are at most all won or all lost.

    >>> certain(1.0, 100).low > 0.96
    True
    """
    rare: float = 1 - TAIL ** (1 / blocks)
    return Estimate(value, value * (1 - rare), value + rare * (1 - value))
