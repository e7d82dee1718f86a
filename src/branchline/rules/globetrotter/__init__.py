"""The bonus for the most completed tickets."""

from __future__ import annotations

from branchline.rules.globetrotter.params import GlobetrotterParams
from branchline.rules.globetrotter.rule import Globetrotter
from branchline.rules.registration import add_rule

add_rule(GlobetrotterParams, "NO-9", lambda c, v, b: Globetrotter(c, v.points))
