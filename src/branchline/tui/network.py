"""What a seat's routes join, read off a view."""

from __future__ import annotations

from branchline.engine.view import View


def components(view: View, seat: int) -> list[int]:
    """For each city a number that is the same for cities which the seat's routes join."""
    board = view.game.board
    of = list(range(len(board.cities)))
    for route, owner in zip(board.routes, view["owner"], strict=True):
        if owner == seat + 1 and of[route.a] != of[route.b]:
            old, new = of[route.a], of[route.b]
            of = [new if c == old else c for c in of]
    return of


def joined(view: View, seat: int, ticket: int) -> bool:
    """Whether the seat's own routes join the two cities of a ticket."""
    t = view.game.board.tickets[ticket]
    of = components(view, seat)
    return of[t.a] == of[t.b]
