"""Claiming routes and paying for them: doubles, ferries, restricted locomotives, substitutes."""

from __future__ import annotations

from branchline.rules.claims.claim_routes import ClaimRoutes
from branchline.rules.claims.params import (
    ClaimRoutesParams,
    DoublesParams,
    FerriesParams,
    LocomotiveRestrictionParams,
    SubstitutesParams,
    check_routes,
)
from branchline.rules.claims.route_kinds import (
    Doubles,
    Ferries,
    LocomotiveRestriction,
    Substitutes,
)
from branchline.rules.registration import add_check, add_rule

add_rule(ClaimRoutesParams, "BASE-7", lambda c, v, b: ClaimRoutes(c, b, v.points))
add_rule(DoublesParams, "BASE-8", lambda c, v, b: Doubles(c, v.open_from))
add_rule(FerriesParams, "IB-8", lambda c, v, b: Ferries(c))
add_rule(
    LocomotiveRestrictionParams,
    "NO-3",
    lambda c, v, b: LocomotiveRestriction(c, "ferries" in v.allowed, "tunnels" in v.allowed),
)
add_rule(
    SubstitutesParams,
    "NO-4",
    lambda c, v, b: Substitutes(c, v.cite or "NO-6", v.ferry_locomotive),
)
add_check(check_routes)
