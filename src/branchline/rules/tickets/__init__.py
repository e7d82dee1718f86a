"""Destination tickets: the opening deal, drawing more, and what they score."""

from __future__ import annotations

from branchline.rules.registration import add_check, add_rule
from branchline.rules.tickets.draw import DrawTickets
from branchline.rules.tickets.opening import OpeningTickets
from branchline.rules.tickets.params import DrawTicketsParams, OpeningTicketsParams, check_tickets

add_rule(
    DrawTicketsParams,
    "BASE-9",
    lambda c, v, b: DrawTickets(c, v.draw, v.keep, v.rejected == "out", v.after_second_draft),
)
add_rule(
    OpeningTicketsParams,
    "BASE-13",
    lambda c, v, b: OpeningTickets(c, v.deal, v.keep, v.rejected == "out", v.long),
)
add_check(check_tickets)
