"""The parameters of the bonus for the longest path."""

from __future__ import annotations

from branchline.rules.parameters import Params, Points


class LongestPathParams(Params, tag="longest_path", frozen=True, kw_only=True):
    """A bonus for the longest path (BASE-14)."""

    points: Points = 10
    """The bonus; all who are level with the longest path score it."""
