"""The bonus for the longest path."""

from __future__ import annotations

from branchline.rules.longest_path.params import LongestPathParams
from branchline.rules.longest_path.rule import LongestPath
from branchline.rules.registration import add_rule

add_rule(LongestPathParams, "BASE-14", lambda c, v, b: LongestPath(c, v.points))
