"""Players that see a view and answer a decision, by the names that the command knows.

>>> make_player("random", seed=1, seat=0).name
'random'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from branchline.bots.random import RandomPlayer
from branchline.engine.view import View


class Player(Protocol):
    """Whoever answers decisions for a seat."""

    @property
    def name(self) -> str:
        """The name by which the player is chosen."""
        ...

    def choose(self, view: View) -> int:
        """One of the view's actions."""
        ...


PLAYERS: Final[dict[str, Callable[[int | str, int], Player]]] = {"random": RandomPlayer}
"""How to make a player, from a seed and its seat."""


def make_player(name: str, seed: int | str, seat: int) -> Player:
    """The player of that name; the same seed and seat give the same answers.

    Raises `KeyError` if there is no such player.
    """
    return PLAYERS[name](seed, seat)
