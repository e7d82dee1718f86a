"""Counters for what happens with every move, where a microsecond counts; for one thread alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

OTHER: Final = "other"


class Tally:
    """How often something has happened, by a word from a closed list; others count as `other`."""

    def __init__(self, known: Iterable[str]) -> None:
        self.counts: Final[dict[str, int]] = dict.fromkeys((*sorted(known), OTHER), 0)

    def add(self, word: str, count: int = 1) -> None:
        self.counts[word if word in self.counts else OTHER] += count


class Times:
    """How many times in seconds lie between each step and the next, and what they add up to."""

    def __init__(self, steps: Sequence[float]) -> None:
        self.steps: Final = list(steps)
        self.counts: Final = [0] * (len(self.steps) + 1)
        self.sum: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(self.steps, seconds)] += 1
        self.sum += seconds
