"""How much processor time a bot takes for its decisions."""

from __future__ import annotations

import time
from typing import Final

import msgspec

from branchline.bots.checked_bot import CheckedBot
from branchline.engine.game import Game
from branchline.engine.view import View


class Thinking(msgspec.Struct, frozen=True, array_like=True):
    """Decisions of a bot, the processor seconds that they took in all, and the slowest one."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def and_also(self, other: Thinking) -> Thinking:
        """Both together."""
        return Thinking(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.slowest, other.slowest),
        )


class TimedBot:
    """A bot whose decisions are timed.

    What happens in other processes counts if the bot has a method `processor_seconds`, which
    returns their time so far.
    """

    def __init__(self, bot: CheckedBot) -> None:
        self.bot: Final = bot
        self.thinking = Thinking()

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.bot.start(game, seat, seed)

    def decide(self, view: View, seconds: float) -> int:
        began = self._now()
        action = self.bot.decide(view, seconds)
        spent = self._now() - began
        self.thinking = self.thinking.and_also(Thinking(1, spent, spent))
        return action

    def _now(self) -> float:
        others = getattr(self.bot.bot, "processor_seconds", None)
        return time.process_time() + (float(others()) if others is not None else 0.0)

    def finish(self, view: View) -> None:
        self.bot.finish(view)

    def take(self) -> Thinking:
        """The thinking since it was last asked for."""
        found, self.thinking = self.thinking, Thinking()
        return found
