"""A player that takes any of its actions, each as likely."""

from __future__ import annotations

from typing import Final

from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.view import View


class RandomPlayer:
    """Chooses by chance alone; the same seed and seat give the same choices."""

    def __init__(self, seed: int | str, seat: int) -> None:
        self.name: Final = "random"
        self.rng: Final[Rng] = stream(seed_words(seed), 0, POLICY, seat)

    def choose(self, view: View) -> int:
        """One of the view's actions."""
        return self.pick(view.actions)

    def pick(self, actions: list[int]) -> int:
        """One of the actions, for those who have the list without a view."""
        return actions[self.rng.below(len(actions))]


class RandomBot:
    """Takes any of its actions, each as likely."""

    def __init__(self) -> None:
        self.rng: Rng = Rng(0, 0, 0, 0)

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.rng = stream(seed_words(seed), 0, POLICY, seat)

    def decide(self, view: View, seconds: float) -> int:
        return view.actions[self.rng.below(len(view.actions))]

    def finish(self, view: View) -> None:
        """Nothing to keep."""
