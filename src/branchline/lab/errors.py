"""What can go wrong in the laboratory, as data; the catalogue key is `lab.errors.<code>`."""

from __future__ import annotations

import importlib
from typing import Any, Final

from branchline.bots.fault import BotFault
from branchline.core.catalogue import say
from branchline.engine.errors import BranchlineError

EXTRAS: Final = {"ray": "ray"}
"""The extra that installs a package; `lab` installs all that are not named here."""


class LabError(BranchlineError):
    """Something that a person asked of the laboratory can't be done."""

    def text(self, lang: str) -> str:
        """What went wrong, and what to do about it."""
        return say(f"lab.errors.{self.code}", lang, **self.values)


class GameFailed(LabError):
    """A game ended with an error of a bot or of the engine; its seed plays it again.

    `fault` is the bot's, if it was a bot that failed.
    """

    def __init__(
        self,
        board: str,
        seats: int,
        seed: str,
        bots: str,
        error: str,
        fault: BotFault | None = None,
    ) -> None:
        values: dict[str, object] = {"board": board, "seats": seats, "seed": seed, "bots": bots}
        code = "game_failed"
        if fault is not None and not fault.own:
            code = fault.code
            values |= fault.values
        super().__init__(code, {**values, "error": error})
        self.fault: Final = fault
        self._told: Final = (board, seats, seed, bots, error, fault)

    def __reduce__(self) -> tuple[type[GameFailed], tuple[Any, ...]]:
        return GameFailed, self._told


def require(name: str) -> Any:
    """A module of an optional package, or an error that says how to install it.

    >>> require("json").__name__
    'json'
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        extra = EXTRAS.get(package, "lab")
        raise LabError("missing_package", {"package": package, "extra": extra}) from None
