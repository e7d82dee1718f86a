"""A bot whose answers are checked: whatever it does wrong is raised as a fault of that bot."""

from __future__ import annotations

from typing import Any, Final

from branchline.bots.board_data import BotDataError
from branchline.bots.fault import BotFault, illegal, raised
from branchline.bots.registry import is_own, make_bot
from branchline.engine.game import Game
from branchline.engine.view import View


class CheckedBot:
    """Plays as the bot that `spec` names and raises `BotFault` where that bot fails.

    >>> CheckedBot("random").spec
    'random'
    """

    def __init__(self, spec: str) -> None:
        self.spec: Final = spec
        self.own: Final = is_own(spec)
        # `Any`: it may break its contract, and compiled code would insist on the types of `Bot`.
        self.bot: Final[Any] = make_bot(spec)

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        try:
            self.bot.start(game, seat, seed)
        except BotFault:
            raise
        except BotDataError as error:
            raise BotFault(error.code, self.spec, False, "start", error.detail) from None
        except Exception as error:
            raise raised(self.spec, self.own, "start", error) from None

    def decide(self, view: View, seconds: float) -> int:
        allowed = list(view.actions)  # the bot could change the view's list
        try:
            answer: object = self.bot.decide(view, seconds)
        except BotFault:
            raise
        except Exception as error:
            raise raised(self.spec, self.own, view.phase, error) from None
        if not isinstance(answer, int) or isinstance(answer, bool) or answer not in allowed:
            raise illegal(self.spec, self.own, view.phase, answer)
        return answer

    def values(self, actions: int) -> list[float] | None:
        """What the actions of the last view were worth to the bot; None if it does not tell.

        There must be a value for each of the `actions`, in their order.
        """
        try:
            told: Any = getattr(self.bot, "values", None)
            if told is None:
                return None
            values = [float(value) for value in told]
            if len(values) != actions:
                raise ValueError(f"{len(values)} values for {actions} actions")
        except Exception as error:
            raise raised(self.spec, self.own, "values", error) from None
        return values

    def finish(self, view: View) -> None:
        try:
            self.bot.finish(view)
        except BotFault:
            raise
        except Exception as error:
            raise raised(self.spec, self.own, "finish", error) from None


def seat_bot(spec: str, game: Game, seat: int, seed: int | str) -> CheckedBot:
    """Make a bot and start it at a seat of a game."""
    bot = CheckedBot(spec)
    bot.start(game, seat, seed)
    return bot
