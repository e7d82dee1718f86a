"""What a bot is: it sees a view and answers a decision, nothing more."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from branchline.engine.game import Game
from branchline.engine.view import View


@runtime_checkable
class Bot(Protocol):
    """A player of one seat. One object may play many games, one after the other.

    In each game the calls are `start` once, `decide` for every decision of the seat in the order
    of play, `finish` once. A bot is shown nothing else: no events, and nothing between its
    decisions, since a view holds all that its seat may know. A bot may keep notes from one
    decision to the next, but nothing from one game to the next.

    The same game, seat and seed, and the same views in the same order, must lead to the same
    answers. So a new object can take the place of one that was lost: it is started with the same
    seed and shown the same views again, and its answers to those are ignored. This is how a table
    goes on after a crash. An object that is lost is not finished, so `start` has to clear
    everything.

    A bot may take a seat in the middle of a game: its first view is then any decision. An answer
    need not be played if it is late or not legal: the next view shows what happened.

    A bot that values its actions may have an attribute `values`: after `decide`, a number for each
    of `view.actions`, in their order. `branchline simulate --decisions` keeps them.
    """

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        """The bot takes its seat at a game; all chance that it uses comes from the seed."""
        ...

    def decide(self, view: View, seconds: float) -> int:
        """Return one of `view.actions` within about this many seconds."""
        ...

    def finish(self, view: View) -> None:
        """The bot's game is over; the view is the last that it gets.

        Either the game has ended, or it was given up, or somebody else plays the seat from now on.
        """
        ...
