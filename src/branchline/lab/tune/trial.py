"""Games between candidates and opponents: every candidate plays the same blocks.

Block b of a trial has the seed `SEED/b` and one group of opponents; the candidate plays it from
every seat. So all candidates have the same cards, tickets and opponents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from typing import Final

import msgspec

from branchline.lab.results import mean
from branchline.lab.run.follower_runner import FollowerRunner
from branchline.lab.run.game_runner import GameRunner
from branchline.lab.run.line_up import LineUp
from branchline.lab.run.worker_pool import batches

MARGIN: Final = 0.2  # of the winner's points: by so much a game is clearly won or lost


class Trial(msgspec.Struct, frozen=True):
    """The first bots of the line-up are the candidates, the rest their opponents.

    Item k is block k % blocks of candidate k // blocks. With `quick`, all are planners, and
    followers play in their place.
    """

    line_up: LineUp
    candidates: int
    blocks: int
    seed: str
    seconds: float = 1.0
    quick: bool = False

    def begin(self) -> Callable[[int], list[float]]:
        return TrialPlayer(self).play


class TrialPlayer:
    """Plays blocks of a trial."""

    def __init__(self, trial: Trial) -> None:
        self.trial: Final = trial
        self.runner: Final = (
            FollowerRunner(trial.line_up)
            if trial.quick
            else GameRunner(trial.line_up, trial.seconds)
        )

    def play(self, item: int) -> list[float]:
        """What the candidate achieved from each seat."""
        trial = self.trial
        candidate, block = divmod(item, trial.blocks)
        seed = f"{trial.seed}/{block}"
        others = opponents(len(trial.line_up.bots) - trial.candidates, trial.line_up.seats, block)
        seating = [candidate, *(trial.candidates + k for k in others)]
        found = []
        for seat in range(trial.line_up.seats):
            turned = seating[-seat:] + seating[:-seat] if seat else seating
            state = self.runner.play(seed, turned, [f"{seed}/{k}" for k in range(len(turned))])
            scores = [int(score) for score in state.outcome.scores]
            won = seat in state.outcome.winners
            found.append(achieved(scores, seat, won / len(state.outcome.winners)))
        return found


def opponents(count: int, seats: int, block: int) -> list[int]:
    """Who meets the candidate in a block: all in turn, so that each has the same share.

    >>> [opponents(3, 2, block) for block in range(4)]
    [[0], [1], [2], [0]]
    >>> opponents(3, 4, 1)
    [1, 2, 0]
    """
    return [(block + k) % count for k in range(seats - 1)]


def achieved(scores: Sequence[int], seat: int, share: float) -> float:
    """Half for the victory, half for how clear the game was: this tells more than victory alone."""
    best = max(score for k, score in enumerate(scores) if k != seat)
    scale = MARGIN * max(1.0, *map(float, scores))
    clear = 1 / (1 + exp(min(50.0, max(-50.0, -2 * (scores[seat] - best) / scale))))
    return 0.5 * share + 0.5 * clear


def run_trial(trial: Trial, processes: int, ray: str | None = None) -> list[float]:
    """The mean of what each candidate achieved."""
    found: dict[int, float] = {}
    items = range(trial.candidates * trial.blocks)
    for batch in batches(trial, [items], processes, ray):
        for item, games in enumerate(batch.results, batch.first):
            found[item] = mean(games)
    starts = range(0, items.stop, trial.blocks)
    return [mean(found[start + k] for k in range(trial.blocks)) for start in starts]
