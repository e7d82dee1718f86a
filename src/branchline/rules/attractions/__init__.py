"""Attractions: cities that score for whoever touches them."""

from __future__ import annotations

from branchline.rules.attractions.params import AttractionsParams, check_attractions
from branchline.rules.attractions.rule import Attractions
from branchline.rules.registration import add_check, add_rule

add_rule(AttractionsParams, "NY-5", lambda c, v, b: Attractions(c, b, v.points, v.cities))
add_check(check_attractions)
