"""Festivals: cards that lie at their cities until a route is claimed there."""

from __future__ import annotations

from branchline.rules.festivals.params import FestivalsParams, check_festivals
from branchline.rules.festivals.rule import Festivals
from branchline.rules.registration import add_check, add_rule

add_rule(
    FestivalsParams,
    "IB-9",
    lambda c, v, b: Festivals(
        c,
        b,
        [f.id for f in v.sets],
        [f.cities for f in v.sets],
        [f.cards for f in v.sets],
        [f.scores for f in v.sets],
    ),
)
add_check(check_festivals)
