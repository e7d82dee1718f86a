"""A bot through one game: the one place from which bots are started, asked and finished.

The lab, the terminal and the table server all play bots through this module, so that all of them
keep what `Bot` promises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from branchline.bots.bot import Bot
from branchline.engine.errors import StateError
from branchline.engine.game import Game
from branchline.engine.state import State
from branchline.engine.view import View


class Session:
    """A bot at a seat of one game: started once, asked in the order of play, finished once."""

    def __init__(self, bot: Bot, game: Game, seat: int, seed: int | str) -> None:
        self.bot: Final = bot
        self.finished: bool = False
        bot.start(game, seat, seed)

    def decide(self, view: View, seconds: float) -> int:
        """The bot's answer, whatever it is."""
        return self.bot.decide(view, seconds)

    def show_again(self, view: View, seconds: float) -> None:
        """Show a view that the bot's predecessor was asked about; its answer is ignored.

        If it fails, so did its predecessor, which was asked again at its next decision.
        """
        try:
            self.bot.decide(view, seconds)
        except Exception:
            return

    def finish(self, view: View) -> None:
        """The game is over for this bot. Asked again, this does nothing."""
        if not self.finished:
            self.finished = True
            self.bot.finish(view)


def play(state: State, bots: Sequence[Bot], seeds: Sequence[int | str], seconds: float) -> None:
    """Let bots, one for each seat, play a game to its end.

    >>> import branchline
    >>> from branchline.bots import make_bot
    >>> state = branchline.Game("new_york", seats=2).start(seed=3)
    >>> play(state, [make_bot("random"), make_bot("planner")], [1, 2], seconds=1.0)
    >>> state.outcome.winners
    [1]
    """
    game = state.game
    sessions = [Session(bot, game, seat, seeds[seat]) for seat, bot in enumerate(bots)]
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, sessions[seat].decide(state.view(seat), seconds))
    for seat, session in enumerate(sessions):
        session.finish(state.view(seat))


def resume(sessions: Mapping[int, Session], state: State, seconds: float) -> None:
    """Show bots what their seats have decided about in the moves of a state so far."""
    if state.moves is None or state.seed is None:
        raise StateError("no_moves")
    again = state.game.start(state.seed, state.first)
    for move in state.moves:
        seat = move & 7
        if seat in sessions:
            sessions[seat].show_again(again.view(seat), seconds)
        again.apply(seat, move >> 3)
