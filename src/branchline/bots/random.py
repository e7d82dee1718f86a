"""A player that takes any of its actions with equal probability."""

from __future__ import annotations

from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.view import View


class RandomBot:
    """Chooses at random."""

    def __init__(self) -> None:
        self.rng: Rng = Rng(0, 0, 0, 0)

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.rng = stream(seed_words(seed), 0, POLICY, seat)

    def decide(self, view: View, seconds: float) -> int:
        return view.actions[self.rng.below(len(view.actions))]

    def finish(self, view: View) -> None:
        """Nothing to keep."""
