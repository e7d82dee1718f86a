"""The rules, a folder for each family, registered by the names that board files use.

A family has the parameters of its rules (`params.py`), the rules themselves and what they say of
their actions, events and things. To add one, add a folder and name it here.
"""

from __future__ import annotations

from branchline.engine.registry import CHECKER
from branchline.rules import (  # noqa: F401 (each registers its rules)
    attractions,
    cards,
    claims,
    drafts,
    ending,
    express_cards,
    festivals,
    globetrotter,
    longest_path,
    province_mat,
    stations,
    tickets,
    tie_breaks,
    tunnels,
)
from branchline.rules.parameters import check_rules

CHECKER.check = check_rules
