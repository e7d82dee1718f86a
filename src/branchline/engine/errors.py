"""What can go wrong, as data that is put into words in the reader's language."""

from __future__ import annotations

from typing import Final

from branchline.engine.rule import Refusal


class BranchlineError(Exception):
    """The base of all errors that a user can cause. The catalogue key is `errors.<code>`."""

    def __init__(self, code: str, values: dict[str, object] | None = None) -> None:
        self.code: Final = code
        self.values: Final[dict[str, object]] = values if values is not None else {}
        details = ", ".join(f"{k}={v}" for k, v in self.values.items())
        super().__init__(f"{code}: {details}" if details else code)


class StateError(BranchlineError):
    """A state was asked for something that it doesn't have."""


class RecordError(BranchlineError):
    """A record is damaged, foreign or of another version."""


class NotationError(BranchlineError):
    """A text is not an action of this board."""


class SeatsError(BranchlineError):
    """A board can't be played by this many, or there is no such seat."""


class IllegalAction(BranchlineError):
    """The action is not allowed now; `refusal` says which rule forbids it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__("illegal_action", {"rule": refusal.rule, "reason": refusal.reason})
        self.refusal: Final = refusal
