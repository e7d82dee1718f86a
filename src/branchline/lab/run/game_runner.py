"""Games between the bots of a line-up, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchline.bots import BotFault, CheckedBot
from branchline.bots.bot import Bot
from branchline.bots.session import play
from branchline.core.rng import POLICY, seed_words, stream
from branchline.engine.playout import playout
from branchline.engine.state import State
from branchline.lab.errors import GameFailed
from branchline.lab.run.decision_log import DecisionLog, LoggedBot
from branchline.lab.run.line_up import LineUp
from branchline.lab.run.timed_bot import TimedBot


class GameRunner:
    """The game and the bots of a line-up, made once for many games.

    With `decisions`, the decisions of the last game are in `log`; with `timed`, the bots' thinking
    times are in `timers`.
    """

    def __init__(
        self, line_up: LineUp, seconds: float, decisions: bool = False, timed: bool = False
    ) -> None:
        self.line_up: Final = line_up
        self.seconds: Final = seconds
        self.game: Final = line_up.game()
        self.log: Final = DecisionLog(self.game) if decisions else None
        self.timers: Final[list[TimedBot]] = []
        self.timed: Final = timed
        self.bots: Final[list[Bot]] = [self._bot(name) for name in line_up.bots]

    def _bot(self, name: str) -> Bot:
        bot = CheckedBot(name)
        if self.timed:
            self.timers.append(TimedBot(bot))
            return self.timers[-1]
        return bot if self.log is None else LoggedBot(bot, self.log)

    def play(
        self, seed: str, seating: Sequence[int], bot_seeds: Sequence[str], log: bool = False
    ) -> State:
        """Play a whole game; `seating` says which bot of the line-up sits at each seat."""
        names = [self.line_up.bots[k] for k in seating]
        if self.log is not None:
            self.log.clear()
        try:
            state = self.game.start(seed, log=log)
            bots = [self.bots[k] for k in seating]
            play(state, bots, bot_seeds, self.seconds)
        except Exception as error:
            raise self.failed(seed, names, error) from error
        return state

    def play_at_random(self, seed: str, keep: bool = False) -> tuple[State, int]:
        """The game that `engine.playout.play_many` plays from this seed, and its number of actions.

        Much faster than bots that choose at random, since nobody looks at views. With `keep`, the
        state has its moves.
        """
        try:
            state = self.game.start(seed)
            rng = stream(seed_words(seed), 0, POLICY, 0)
            if not keep and self.log is None:
                return state, int(playout(state, rng))
            if self.log is not None:
                self.log.clear()
            while not state.over:
                seat = state.to_act[0]
                actions = state.legal(seat)
                action = actions[rng.below(len(actions))]
                if self.log is not None:
                    self.log.add(seat, self.log.encoding.row(state, seat), actions, action)
                state.apply(seat, action)
            return state, len(state.moves or ())
        except Exception as error:
            raise self.failed(seed, self.line_up.bots, error) from error

    def failed(self, seed: str, bots: Sequence[str], error: Exception) -> GameFailed:
        fault = error if isinstance(error, BotFault) else None
        what = f"{type(error).__name__}: {error}"
        if fault is not None:
            what = f"{fault.bot}: {fault.at} → {fault.detail}"
        return GameFailed(self.line_up.board, self.line_up.seats, seed, ",".join(bots), what, fault)
