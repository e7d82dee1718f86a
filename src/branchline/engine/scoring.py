"""The end of a game: the rules score, ties are broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchline.engine.outcome import Outcome, Tally

if TYPE_CHECKING:
    from branchline.engine.state import State


def tally(s: State, explain: bool) -> Tally:
    """The points of all seats; to explain them, with their lines."""
    points = Tally(s.game.seats, explain)
    for rule in s.game.score_rules:
        rule.score(s, points)
    return points


def winners(s: State, points: Tally) -> list[int]:
    """The seats with the most points, after every tie-break (BASE-12)."""
    best = max(points.total)
    seats = [k for k in range(s.game.seats) if points.total[k] == best]
    for rule in s.game.tie_rules:
        if len(seats) > 1:
            seats = rule.tie_break(s, points, seats)
    return seats


def outcome(s: State) -> Outcome:
    """Scores line by line and the winners, as if the game ended now."""
    points = tally(s, True)
    lines = points.lines if points.lines is not None else []
    winning = winners(s, points)
    return Outcome(
        list(points.total),
        [[line for line in lines if line.seat == seat] for seat in range(s.game.seats)],
        winning,
        list(points.done),
        points.tie_break,
    )
