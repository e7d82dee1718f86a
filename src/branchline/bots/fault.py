"""The failure of a bot: which bot, at which decision, and where in its own code."""

from __future__ import annotations

import traceback
from types import TracebackType
from typing import Final

from branchline.engine.errors import BranchlineError

LONGEST: Final = 200  # characters of a line of a traceback


class BotFault(BranchlineError):
    """A bot raised an exception or returned an answer that is not allowed.

    `own` says whether it is one of ours, so that the fault is ours too. `trace` is the traceback
    through the bot's code, `debug` the same with our frames and all local variables; both are empty
    for an answer that is not allowed.
    """

    def __init__(
        self, code: str, bot: str, own: bool, at: str, detail: str, trace: str = "", debug: str = ""
    ) -> None:
        super().__init__(code, {"bot": bot, "at": at, "detail": detail})
        self.bot: Final = bot
        self.own: Final = own
        self.at: Final = at
        self.detail: Final = detail
        self.trace: Final = trace
        self.debug: Final = debug

    def __reduce__(self) -> tuple[type[BotFault], tuple[object, ...]]:
        told = (self.code, self.bot, self.own, self.at, self.detail, self.trace, self.debug)
        return BotFault, told


def raised(bot: str, own: bool, at: str, error: Exception) -> BotFault:
    """The fault of a bot that raised an exception; call it where the exception is caught."""
    detail = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST]
    trace, debug = _trace(error), _debug(error)
    return BotFault("bot_failed", bot, own, at, detail, trace, debug)


def illegal(bot: str, own: bool, at: str, answer: object) -> BotFault:
    """The fault of a bot whose answer is not one of the view's actions."""
    try:
        shown = repr(answer)[:80]
    except Exception:  # the bot's own object
        shown = type(answer).__name__
    return BotFault("bot_illegal", bot, own, at, shown)


def _trace(error: Exception) -> str:
    return _cut(traceback.format_exception(type(error), error, _bots_part(error.__traceback__)))


def _debug(error: Exception) -> str:
    try:
        told = traceback.TracebackException.from_exception(error, capture_locals=True)
        return _cut(list(told.format()))
    except Exception:  # a local variable that can't be shown
        return _cut(traceback.format_exception(type(error), error, error.__traceback__))


def _bots_part(frames: TracebackType | None) -> TracebackType | None:
    """The traceback without the frames that lead to the bot: the caller's and the import's."""
    if frames is not None:
        frames = frames.tb_next
    while frames is not None and "importlib" in frames.tb_frame.f_code.co_filename:
        frames = frames.tb_next
    return frames


def _cut(parts: list[str]) -> str:
    lines = "".join(parts).splitlines()
    return "\n".join(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…" for line in lines)
