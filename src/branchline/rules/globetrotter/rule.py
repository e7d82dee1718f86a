"""The bonus for the most completed tickets (NO-9)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.engine.outcome import Tally, Values
from branchline.engine.rule import ON_SCORE, Rule
from branchline.engine.state import State


class Globetrotter(Rule):
    """Points for the most completed tickets, to all who tie (NO-9)."""

    def __init__(self, cite: str, points: i64) -> None:
        super().__init__("globetrotter", cite, 70, ON_SCORE)
        self.points: Final = points
        self.headline = 11
        self.ticket_bonus = points

    def score(self, s: State, tally: Tally) -> None:
        best = max(tally.done)
        values: Values | None = None
        if tally.lines is not None:
            values = {"of_all": [int(n) for n in tally.done]}
        for seat in range(tally.seats):
            if tally.done[seat] == best:
                tally.add(seat, self.cite, "globetrotter", self.points, best, values)
