"""Intervals from a bootstrap over blocks.

The games of a block share their seed and are not independent; the blocks are. So blocks are drawn
again, never games.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

import msgspec

from branchline.lab.errors import need

DRAWS: Final = 2000
GROUPS: Final = 2000  # of more blocks, neighbours are drawn together
TAIL: Final = 0.025  # on each side: 95 % between


class Estimate(msgspec.Struct, frozen=True):
    """A value and the interval that holds the true one with 95 % confidence."""

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether there is an interval; a single block gives none."""
        return isfinite(self.low) and isfinite(self.high)


class Bootstrap:
    """Draws blocks again and again, always the same ones for a number of blocks."""

    def __init__(self, blocks: int, draws: int = DRAWS) -> None:
        self.np: Final = need("numpy")
        self.blocks: Final = blocks
        groups = min(blocks, GROUPS)
        self.starts: Final = self.np.arange(groups) * blocks // groups
        rng = self.np.random.default_rng(1900)
        self.counts: Final = rng.multinomial(groups, [1 / groups] * groups, draws).astype(float)
        self.sizes: Final = self.counts @ self.fold(self.np.ones(blocks))

    def fold(self, values: Any) -> Any:
        """The sums of what is drawn together."""
        values = self.np.asarray(values, dtype=float)
        return self.np.add.reduceat(values, self.starts, axis=0)

    def mean(self, values: Any, bounds: tuple[float, float] | None = None) -> Estimate:
        """The mean of a value that every block has.

        With `bounds`, between which every value lies, equal blocks are not taken for certainty.
        """
        values = self.np.asarray(values, dtype=float)
        drawn = self.counts @ self.fold(values) / self.sizes
        estimate = self.interval(float(values.mean()), drawn)
        if bounds is not None and estimate.known and float(values.max()) - float(values.min()) < 1e-12:
            return certain(estimate.value, self.blocks, bounds)
        return estimate

    def ratio(self, part: Any, whole: Any) -> list[Estimate]:
        """Sums over sums, column by column: of how many cases how many were so."""
        np = self.np
        part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
        below = self.counts @ self.fold(whole)
        drawn = self.counts @ self.fold(part) / np.where(below > 0, below, np.nan)
        totals = part.sum(axis=0), whole.sum(axis=0)
        estimates = []
        for k in range(part.shape[1]):
            if totals[1][k] == 0:
                estimates.append(Estimate(0.0, 0.0, 0.0))
                continue
            column = drawn[:, k]
            value = float(totals[0][k] / totals[1][k])
            estimates.append(self.interval(value, column[~np.isnan(column)]))
        return estimates

    def interval(self, value: float, drawn: Any) -> Estimate:
        """A value with the middle 95 % of what the draws gave."""
        if self.blocks < 2 or len(drawn) == 0:
            return Estimate(value, float("-inf"), float("inf"))
        low, high = self.np.quantile(drawn, [TAIL, 1 - TAIL])
        return Estimate(value, min(float(low), value), max(float(high), value))


def certain(value: float, blocks: int, bounds: tuple[float, float]) -> Estimate:
    """The interval if all blocks gave the same: others may exist that were not met.

    After n equal blocks, other ones are, with 97.5 % confidence, rarer than 1 − 0.025^(1/n).

    >>> certain(1.0, 100, (0.0, 1.0)).low > 0.96
    True
    """
    rare: float = 1 - TAIL ** (1 / blocks)
    low, high = bounds
    return Estimate(value, value - rare * (value - low), value + rare * (high - value))
