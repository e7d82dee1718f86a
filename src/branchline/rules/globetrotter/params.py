"""The parameters of the bonus for the most completed tickets."""

from __future__ import annotations

from branchline.rules.parameters import Params, Points


class GlobetrotterParams(Params, tag="globetrotter", frozen=True, kw_only=True):
    """A bonus for the most completed tickets (NO-9)."""

    points: Points = 10
    """The bonus; all who are level with the most completed tickets score it."""
