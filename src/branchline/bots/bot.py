"""What a bot is: it sees a view and answers a decision, nothing more."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from branchline.engine.game import Game
from branchline.engine.view import View


@runtime_checkable
class Bot(Protocol):
    """A player of one seat. One object may play many games, one after the other.

    The same game, seat, seed and views must give the same answers, and nothing may be kept from
    one game to the next.
    """

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        """A game begins; all chance that the bot uses comes from the seed."""
        ...

    def decide(self, view: View, seconds: float) -> int:
        """One of `view.actions`, within about so many seconds."""
        ...

    def finish(self, view: View) -> None:
        """The game is over; the view is the last that this seat gets."""
        ...
