"""Games of followers in a world, to the end or for a number of turns.

Seats that race play as `long` does: they save for the longest routes and ignore their tickets.
"""

from __future__ import annotations

from typing import Final

from branchline.bots.follower import Follower
from branchline.bots.scripted import LongRoutes
from branchline.bots.style import Style
from branchline.core.machine import i64
from branchline.engine.flow import OVER, TURN
from branchline.engine.game import Game
from branchline.engine.rule import TOGETHER
from branchline.engine.state import State

PLAN_WORK: Final = 4
MOST_TURNS: Final = 1000  # several times as many as the longest games have


class Rollout:
    """A follower for each seat. The caller tells them what to forget or to recall."""

    def __init__(self, game: Game, style: Style) -> None:
        self.game: Final = game
        self.followers: Final = [Follower(game, seat, style) for seat in range(game.seats)]
        self.racers: list[LongRoutes] = []  # one for each seat, made when they are first needed
        self.racing: i64 = 0  # the seats that race, a bit each
        self.steps: i64 = 0  # decisions taken so far

    def forget(self) -> None:
        """Begin in another world without plans."""
        for follower in self.followers:
            follower.forget()

    def let_race(self, seats: i64) -> None:
        """Let these seats race from now on, and no others: a bit each."""
        self.racing = seats
        if seats and not self.racers:
            for seat in range(self.game.seats):
                self.racers.append(LongRoutes())
                self.racers[seat].start(self.game, seat, 0)

    def play(self, s: State, turns: i64) -> None:
        """Play on for this many turns, or to the end if the last round comes before (0: always).

        Stops at the start of a turn only. Whatever the followers do, it does not go on for ever.
        """
        d, t, game = s.d, s.t, self.game
        s.moves = None
        end: i64 = d[t.turns] + (turns if turns > 0 else MOST_TURNS)
        while d[t.phase] != OVER:
            seat: i64 = d[t.turn]
            phase: i64 = d[t.phase]
            if phase == TURN:
                if d[t.turns] >= end and d[t.last] == 0:
                    return
            elif game.phase_flags[phase] & TOGETHER:
                seat = 0
                while not d[t.waiting] >> seat & 1:
                    seat += 1
            s.step(seat, self.choose(s, seat))
            self.steps += 1

    def choose(self, s: State, seat: i64) -> i64:
        """What a seat does next."""
        if self.racing >> seat & 1:
            action = self.racers[seat].choose(s)
            if action >= 0:
                return action
        return self.followers[seat].choose(s)

    def work(self) -> i64:
        """How much was done so far, in decisions: a plan takes as long as several of them."""
        total: i64 = self.steps
        for follower in self.followers:
            total += PLAN_WORK * follower.plans
        return total
