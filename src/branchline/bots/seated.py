"""A bot under its name: whatever it does wrong is told as a fault of that bot."""

from __future__ import annotations

from typing import Any, Final

from branchline.bots.fault import illegal, raised
from branchline.bots.registry import is_own, make_bot
from branchline.engine.game import Game
from branchline.engine.view import View


class NamedBot:
    """Plays as the bot that `spec` names; raises `BotFault` where that one fails.

    >>> NamedBot("random").spec
    'random'
    """

    def __init__(self, spec: str) -> None:
        self.spec: Final = spec
        self.own: Final = is_own(spec)
        # Nothing is taken for granted of it: compiled code would insist on the types of `Bot`.
        self.bot: Final[Any] = make_bot(spec)

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        try:
            self.bot.start(game, seat, seed)
        except Exception as error:
            raise raised(self.spec, self.own, "start", error) from None

    def decide(self, view: View, seconds: float) -> int:
        allowed = list(view.actions)  # the bot has the view in its hands
        try:
            answer: object = self.bot.decide(view, seconds)
        except Exception as error:
            raise raised(self.spec, self.own, view.phase, error) from None
        if not isinstance(answer, int) or isinstance(answer, bool) or answer not in allowed:
            raise illegal(self.spec, self.own, view.phase, answer)
        return answer

    def finish(self, view: View) -> None:
        try:
            self.bot.finish(view)
        except Exception as error:
            raise raised(self.spec, self.own, "finish", error) from None


def seat_bot(spec: str, game: Game, seat: int, seed: int | str) -> NamedBot:
    """A bot that has taken its seat at a game."""
    bot = NamedBot(spec)
    bot.start(game, seat, seed)
    return bot
