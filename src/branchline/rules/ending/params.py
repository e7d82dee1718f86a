"""The parameters of the end of the game."""

from __future__ import annotations

from branchline.rules.parameters import CountOrNone, Params


class EndingParams(Params, tag="ending", frozen=True, kw_only=True):
    """The last round begins when a player has so few trains left (BASE-10)."""

    trains: CountOrNone = 2
