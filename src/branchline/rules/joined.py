"""Which of a seat's tickets are completed now, and which routes its stations would use for that."""

from __future__ import annotations

from branchline.core.graph import find
from branchline.core.machine import i64
from branchline.engine.state import State
from branchline.engine.table import HELD
from branchline.rules.stations import Stations
from branchline.rules.tickets import DrawTickets


def joined(s: State, seat: i64) -> tuple[list[int], list[int]]:
    """The seat's completed tickets if the game ended now, and the routes of others that it uses.

    Reads nothing but the seat's own tickets, and the routes and stations on the board.
    """
    d, t = s.d, s.t
    tickets = s.game.rule_named("draw_tickets")
    assert isinstance(tickets, DrawTickets)
    parent = tickets.network(s, seat)
    borrowed: list[int] = []
    for rule in s.game.borrow_rules:
        rule.borrow(s, seat, parent)
        if isinstance(rule, Stations):
            borrowed += borrowed_by(rule, s, seat)
    done = [
        ticket
        for ticket in range(t.tickets)
        if d[t.ticket_at + ticket] == HELD + seat
        and find(parent, t.ticket_a[ticket]) == find(parent, t.ticket_b[ticket])
    ]
    return done, sorted(borrowed)


def borrowed_by(stations: Stations, s: State, seat: i64) -> list[int]:
    """The routes that `Stations.borrow` has just chosen, one for each station that needs one."""
    built = 0
    for city in range(s.t.cities):
        if s.d[stations.at + city] == seat + 1:
            built += 1
    chosen = [int(stations.best_trial[k]) for k in range(built)]
    return [route for route in chosen if route >= 0]
