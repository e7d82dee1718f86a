"""The parameters of claims, and what routes need of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from branchline.core.mapfile import MapProblem, phrase
from branchline.rules.parameters import BoardRules, Count, Params, Points


class ClaimRoutesParams(Params, tag="claim_routes", frozen=True, kw_only=True):
    """Claiming (BASE-7); the points of a route of length 1, 2, 3 … (BASE-11)."""

    points: list[Points]
    """The points of a route of 1, 2, 3 … spaces, up to the board's longest route at least."""


class DoublesParams(Params, tag="doubles", frozen=True, kw_only=True):
    """From how many seats on both routes of a double stay open (BASE-8)."""

    open_from: Count
    """With fewer players than this, claiming one route of a pair closes the other."""


class FerriesParams(Params, tag="ferries", frozen=True, kw_only=True):
    """Routes with locomotive symbols (IB-8); how many, `locomotives` says in the list of routes."""


class LocomotiveRestrictionParams(Params, tag="locomotive_restriction", frozen=True, kw_only=True):
    """Where alone locomotives serve (NO-3)."""

    allowed: list[Literal["ferries", "tunnels"]]
    """The kinds of routes on which locomotives may be played; on all others they may not."""


class SubstitutesParams(Params, tag="substitutes", frozen=True, kw_only=True):
    """Any few cards for a ferry's locomotive (NO-4), or for a card of the route (NO-6)."""

    ferry_locomotive: Count = 3
    """The number of cards of any kind that replace one locomotive of a ferry.

    How many replace a card of a marked route, its `any_cards` says in the list of routes.
    """


def check_routes(rules: BoardRules) -> Iterator[MapProblem]:
    """Marked routes have their rules, and every length has its points."""
    routes = rules.board.routes
    ferries, sets = any(r.locomotives for r in routes), any(r.any_cards for r in routes)
    yield from rules.check_mark("ferries", "locomotives", ferries, ferries)
    yield from rules.check_mark("substitutes", "any_cards", sets, sets or ferries)
    claim, longest = rules.get(ClaimRoutesParams), max(r.length for r in routes)
    if claim and len(claim.points) < longest:
        found = phrase("few_points", n=len(claim.points))
        right = phrase("points_up_to", most=longest)
        yield MapProblem(rules.at("claim_routes", "points"), found, right)
