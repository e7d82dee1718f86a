"""The parameters of stations."""

from __future__ import annotations

from branchline.rules.parameters import Count, Params, Points


class StationsParams(Params, tag="stations", frozen=True, kw_only=True):
    """Stations, and the points of each one not built (EU-1)."""

    count: Count = 3
    """The stations of each player."""
    unused: Points = 4
    """The points of each station that is not built by the end of the game."""
