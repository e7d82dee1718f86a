"""Scores: line by line, with the rule that each line rests on, and who has won."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.engine.facts import Values


class Line:
    """A line of a seat's score. `what` is a catalogue key (`score.<what>`), `ref` its subject.

    `values` are the numbers that the points rest on, by name: see `docs/engine.md`.
    """

    def __init__(
        self,
        seat: int,
        rule: str,
        what: str,
        points: int,
        ref: int,
        values: Values | None = None,
    ) -> None:
        self.seat: Final = seat
        self.rule: Final = rule
        self.what: Final = what
        self.points: Final = points
        self.ref: Final = ref
        self.values: Final[Values] = values if values is not None else {}

    def __repr__(self) -> str:
        return f"{self.what} {self.ref} {self.points:+d} ({self.rule})"


class Tally:
    """Adds up points while the rules score; keeps the lines if they are wanted."""

    def __init__(self, seats: i64, explain: bool) -> None:
        self.seats: Final[i64] = seats
        self.total: Final = vec[i64]([0] * seats)
        self.done: Final = vec[i64]([0] * seats)  # completed tickets
        self.lines: Final[list[Line] | None] = [] if explain else None
        self.tie_break: str = ""  # the last tie-break that parted seats with equal points

    def add(
        self,
        seat: i64,
        rule: str,
        what: str,
        points: i64,
        ref: i64,
        values: Values | None = None,
    ) -> None:
        """Score points. Callers build `values` only if lines are kept."""
        self.total[seat] += points
        if self.lines is not None:
            self.lines.append(Line(seat, rule, what, points, ref, values))


class Outcome:
    """The result of a game: `scores` and `lines` by seat, `winners`, completed `tickets`.

    `tie_break` is the tie-break that decided, as the board's rules name it. It is empty if none
    was needed, and if none could part the winners (BASE-12).
    """

    def __init__(
        self,
        scores: list[int],
        lines: list[list[Line]],
        winners: list[int],
        tickets: list[int],
        tie_break: str = "",
    ) -> None:
        self.scores: Final = scores
        self.lines: Final = lines
        self.winners: Final = winners
        self.tickets: Final = tickets
        self.tie_break: Final = tie_break

    def __repr__(self) -> str:
        return f"Outcome(scores={self.scores}, winners={self.winners})"

    def __str__(self) -> str:
        rows = []
        for seat, lines in enumerate(self.lines):
            mark = " wins" if seat in self.winners else ""
            rows.append(f"seat {seat}: {self.scores[seat]} points{mark}")
            rows += [f"  {line!r}" for line in lines]
        return "\n".join(rows)


__all__ = ["Line", "Outcome", "Tally", "Values"]
