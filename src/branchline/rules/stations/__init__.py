"""Stations: each lets its owner use one rival route into its city."""

from __future__ import annotations

from branchline.rules.registration import add_rule
from branchline.rules.stations.params import StationsParams
from branchline.rules.stations.rule import Stations

add_rule(StationsParams, "EU-1", lambda c, v, b: Stations(c, v.count, v.unused))
