"""Which of a seat's tickets are completed now, and which routes of others it uses for that."""

from __future__ import annotations

from branchline.core.graph import find
from branchline.core.machine import i64
from branchline.engine.layout import HELD
from branchline.engine.state import State
from branchline.rules.tickets.draw import DrawTickets


def joined(s: State, seat: i64) -> tuple[list[int], list[int]]:
    """The seat's completed tickets if the game ended now, and the routes of others that it uses.

    Reads nothing but the seat's own tickets and what lies open on the board.
    """
    d, t = s.d, s.t
    tickets = s.game.rule_named("draw_tickets")
    assert isinstance(tickets, DrawTickets)
    parent = tickets.network(s, seat)
    borrowed: list[int] = []
    for rule in s.game.borrow_rules:
        rule.borrow(s, seat, parent)
        borrowed += rule.borrowed(s, seat)
    done = [
        ticket
        for ticket in range(t.tickets)
        if d[t.ticket_at + ticket] == HELD + seat
        and find(parent, t.ticket_a[ticket]) == find(parent, t.ticket_b[ticket])
    ]
    return done, sorted(borrowed)
