"""The end of the game: the last round, and passing when nothing is possible (BASE-10, RU-3)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.engine.events import LOG, NOBODY, EventKind
from branchline.engine.facts import Action
from branchline.engine.flow import end_turn
from branchline.engine.game import Game
from branchline.engine.layout import COUNTER, PUBLIC
from branchline.engine.position import Position
from branchline.engine.rule import ON_TURN, ON_TURN_END, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View

LAST_ROUND: Final = 0
TURNS_LEFT: Final = 1
PASSED: Final = 2


class Ending(Rule):
    """Starts the last round, counts its turns, and ends the game."""

    def __init__(self, cite: str, trains: i64) -> None:
        super().__init__("ending", cite, 80, ON_TURN | ON_TURN_END)
        self.trains: Final = trains
        self.action: i64 = 0
        self.passed_at: i64 = 0
        self.kinds: list[EventKind] = []

    def declare(self, game: Game) -> None:
        self.action = game.add_actions(self, 0, 1)
        self.passed_at = game.layout.fields.add("passed_at", 1, PUBLIC, holds=COUNTER)
        self.kinds = [
            game.add_event(self.index, LAST_ROUND, "LastRoundBegan", "", reveals=False),
            game.add_event(self.index, TURNS_LEFT, "TurnsLeft", "turns", reveals=False, news=LOG),
            game.add_event(self.index, PASSED, "Passed", "", reveals=False),
        ]

    def turn_actions(self, s: State, seat: i64) -> None:
        if s.n == 0:
            s.put(self.action)

    def apply(self, s: State, seat: i64, action: i64) -> None:
        self.passed(s, seat)
        end_turn(s)

    def turn_ended(self, s: State, seat: i64) -> bool:
        d, t = s.d, s.t
        if d[t.last] > 0:
            self.turns_left(s, d[t.last] - 1)
            if d[t.last] == 0:
                s.ended()
                return True
        elif d[t.trains + seat] <= self.trains:
            self.last_round(s, seat)
        if d[t.passes] == t.seats and d[self.passed_at] == d[t.turns] + 1:
            s.ended()
            return True
        return False

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        return Refusal("RU-3", "no_pass")

    def facts(self, action: i64, view: View | None) -> Action:
        return Action(action, "pass", self.write(action), lasting=True)

    def action_value(self, p: Position, action: i64) -> float:
        """Passing comes last."""
        return -50.0

    def write(self, action: i64) -> str:
        return "pass"

    # --- events -------------------------------------------------------------------------------

    def last_round(self, s: State, seat: i64) -> None:
        s.d[s.t.last] = s.t.seats
        if s.log is not None:
            s.log.add(self.kinds[LAST_ROUND], seat, [])

    def turns_left(self, s: State, turns: i64) -> None:
        s.d[s.t.last] = turns
        if s.log is not None:
            s.log.add(self.kinds[TURNS_LEFT], NOBODY, [turns])

    def passed(self, s: State, seat: i64) -> None:
        """Passes count only while they follow each other without a turn between."""
        d, t = s.d, s.t
        d[t.passes] = d[t.passes] + 1 if d[self.passed_at] == d[t.turns] else 1
        d[self.passed_at] = d[t.turns] + 1
        if s.log is not None:
            s.log.add(self.kinds[PASSED], seat, [])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        if local == LAST_ROUND:
            self.last_round(s, seat)
        elif local == TURNS_LEFT:
            self.turns_left(s, numbers[0])
        else:
            self.passed(s, seat)
