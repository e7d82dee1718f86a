"""The end of the game: the last round, and passing."""

from __future__ import annotations

from branchline.rules.ending.params import EndingParams
from branchline.rules.ending.rule import Ending
from branchline.rules.registration import add_rule

add_rule(EndingParams, "BASE-10", lambda c, v, b: Ending(c, v.trains))
