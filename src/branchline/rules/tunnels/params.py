"""The parameters of tunnels."""

from __future__ import annotations

from collections.abc import Iterator

from branchline.core.mapfile import MapProblem
from branchline.rules.parameters import BoardRules, Count, Params


class TunnelsParams(Params, tag="tunnels", frozen=True, kw_only=True):
    """Tunnels, and how many cards are turned up (NO-5)."""

    reveal: Count = 3
    """The cards turned up from the deck when a tunnel is claimed."""


def check_tunnels(rules: BoardRules) -> Iterator[MapProblem]:
    """The board has this rule if and only if it has such routes."""
    tunnels = any(r.tunnel for r in rules.board.routes)
    yield from rules.check_mark("tunnels", "tunnel", tunnels, tunnels)
