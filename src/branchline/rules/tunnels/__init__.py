"""Tunnels: routes whose length is not known before they are tried."""

from __future__ import annotations

from branchline.rules.registration import add_check, add_rule
from branchline.rules.tunnels.params import TunnelsParams, check_tunnels
from branchline.rules.tunnels.rule import Tunnels

add_rule(TunnelsParams, "NO-5", lambda c, v, b: Tunnels(c, v.reveal))
add_check(check_tunnels)
