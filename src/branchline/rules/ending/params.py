"""The parameters of the end of the game."""

from __future__ import annotations

from branchline.rules.parameters import CountOrNone, Params


class EndingParams(Params, tag="ending", frozen=True, kw_only=True):
    """When the last round begins (BASE-10)."""

    trains: CountOrNone = 2
    """The last round begins when a player ends a turn with this many trains or fewer."""
