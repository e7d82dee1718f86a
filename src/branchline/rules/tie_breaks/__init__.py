"""What decides among players with equal points."""

from __future__ import annotations

from branchline.rules.registration import add_check, add_rule
from branchline.rules.tie_breaks.params import TieBreaksParams, check_ties
from branchline.rules.tie_breaks.rule import TieBreaks

add_rule(TieBreaksParams, "BASE-12", lambda c, v, b: TieBreaks(c, list(v.order)))
add_check(check_ties)
