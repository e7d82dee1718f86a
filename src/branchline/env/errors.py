"""What can go wrong in an environment, as data; the catalogue key is `errors.<code>`."""

from __future__ import annotations

from branchline.core.catalogue import say
from branchline.engine.errors import BranchlineError


class EnvError(BranchlineError):
    """An environment can't be made, or was asked for something that it can't do.

    >>> print(EnvError("bad_actions_range", {"most": 540}))
    The actions are numbered from 0 to 540.
    """

    def __str__(self) -> str:
        return say(f"errors.{self.code}", "en", **self.values)
