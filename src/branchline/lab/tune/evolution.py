"""The optimiser: a separable CMA evolution strategy (Ros and Hansen, 2008).

A generation samples candidates around a mean, and moves the mean towards the better half of them.
Each coordinate learns a width of its own. Results of games are so noisy that many candidates with a
few games each tell more than a few candidates with many. Only the candidates' order counts.

It uses plain floats and a generator of its own: the same seed and the same scores lead to the same
candidates on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from random import Random
from typing import Final


class Evolution:
    """Looks for the highest score near the origin, in units in which 1 is a usual step."""

    def __init__(self, size: int, candidates: int, seed: str, step: float = 1.0) -> None:
        n = float(size)
        self.size: Final = size
        self.candidates: Final = candidates
        self.seed: Final = seed
        self.generation = 0
        self.mean = [0.0] * size
        self.step = step
        self.variance = [1.0] * size
        self.path = [0.0] * size  # the direction of the last steps, for the widths
        self.step_path = [0.0] * size  # the same without the widths, for the step
        half = candidates // 2
        raw = [log(half + 0.5) - log(rank + 1) for rank in range(half)]
        self.weights: Final = [w / sum(raw) for w in raw]
        parents = 1 / sum(w * w for w in self.weights)
        self.parents: Final = parents
        self.step_rate: Final = (parents + 2) / (n + parents + 5)
        self.damping: Final = 1 + 2 * max(0.0, sqrt((parents - 1) / (n + 1)) - 1) + self.step_rate
        self.path_rate: Final = (4 + parents / n) / (n + 4 + 2 * parents / n)
        rank_one = 2 / ((n + 1.3) ** 2 + parents)
        rank_all = min(1 - rank_one, 2 * (parents - 2 + 1 / parents) / ((n + 2) ** 2 + parents))
        # A diagonal has fewer numbers to learn than a full matrix and may learn them faster.
        faster = (n + 2) / 3
        self.rank_one: Final = min(0.5, rank_one * faster)
        self.rank_all: Final = min(1 - self.rank_one, rank_all * faster)
        self.usual_length: Final = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))

    def ask(self) -> list[list[float]]:
        """The candidates of this generation. They come in mirrored pairs, which cancels noise."""
        rng = Random(f"{self.seed}/{self.generation}")
        found: list[list[float]] = []
        while len(found) < self.candidates:
            drawn = [self.step * rng.gauss(0.0, 1.0) * sqrt(v) for v in self.variance]
            found.append([m + d for m, d in zip(self.mean, drawn, strict=True)])
            found.append([m - d for m, d in zip(self.mean, drawn, strict=True)])
        return found[: self.candidates]

    def tell(self, tried: Sequence[Sequence[float]], scores: Sequence[float]) -> None:
        """Learn from the scores of the candidates as they were tried."""
        n = range(self.size)
        order = sorted(range(len(scores)), key=lambda k: (-scores[k], k))
        best = [
            [(tried[order[rank]][i] - self.mean[i]) / self.step for i in n]
            for rank in range(len(self.weights))
        ]
        move = [sum(w * z[i] for w, z in zip(self.weights, best, strict=True)) for i in n]
        self.mean = [m + self.step * d for m, d in zip(self.mean, move, strict=True)]
        keep, gain = 1 - self.step_rate, sqrt(self.step_rate * (2 - self.step_rate) * self.parents)
        self.step_path = [
            keep * self.step_path[i] + gain * move[i] / sqrt(self.variance[i]) for i in n
        ]
        length = sqrt(sum(x * x for x in self.step_path))
        self.generation += 1
        expected = self.usual_length * sqrt(1 - keep ** (2 * self.generation))
        stalled = length / expected > 1.4 + 2 / (self.size + 1)
        keep, gain = 1 - self.path_rate, sqrt(self.path_rate * (2 - self.path_rate) * self.parents)
        self.path = [keep * self.path[i] + (0.0 if stalled else gain * move[i]) for i in n]
        for i in n:
            spread = sum(w * z[i] * z[i] for w, z in zip(self.weights, best, strict=True))
            self.variance[i] = max(
                1e-4,
                (1 - self.rank_one - self.rank_all) * self.variance[i]
                + self.rank_one * self.path[i] * self.path[i]
                + self.rank_all * spread,
            )
        self.step *= exp(min(1.0, self.step_rate / self.damping * (length / self.usual_length - 1)))
