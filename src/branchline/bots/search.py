"""Search by rollouts: which of a few actions does best in worlds that fit what a seat knows.

All candidates are tried in the same worlds, so that their differences to the first one, the
default, have little noise. After an eighth, a quarter and a half of the worlds the worse half of
the candidates is dropped. Another than the default is taken only if it is better beyond the noise
that is left.
"""

from __future__ import annotations

import time
from math import exp, inf, sqrt
from typing import Final

from branchline.bots.follower import PlanNotes
from branchline.bots.rollout import Rollout
from branchline.bots.style import Style
from branchline.bots.value import PositionValue
from branchline.core.machine import i64, vec
from branchline.engine.flow import OVER
from branchline.engine.game import Game
from branchline.engine.rule import TOGETHER
from branchline.engine.scoring import tally, winners
from branchline.engine.state import State

HOPELESS: Final = 2.0  # standard errors by which an action is worse than another beyond doubt
SURE: Final = 3.0  # standard errors by which it is better
USUAL: Final = 0.07  # how much a difference varies from world to world
FORMER_WORLDS: Final = 3.0  # so many worlds with differences like that are taken for granted


class Candidate:
    """An action under trial, with the sums of what it brought."""

    def __init__(self, action: int) -> None:
        self.action: Final = action
        self.caution: float = 1.0  # how much more than usual it must be better than the default
        self.live: bool = True
        self.worlds: int = 0
        self.total: float = 0.0
        self.gain: float = 0.0  # sum of differences to the default
        self.gain_squares: float = 0.0

    def add(self, worlds: int, total: float, gain: float, gain_squares: float) -> None:
        """Count what the action brought in more worlds."""
        self.worlds += worlds
        self.total += total
        self.gain += gain
        self.gain_squares += gain_squares

    def mean(self) -> float:
        return self.total / float(self.worlds) if self.worlds else 0.0

    def lead(self) -> float:
        """The mean difference to the default."""
        return self.gain / float(self.worlds) if self.worlds else 0.0

    def error(self) -> float:
        """The standard error of the lead; from a few worlds, what is usual counts as well."""
        n = float(self.worlds)
        if n < 2.0:
            return 1.0
        mean: float = self.gain / n
        squares: float = max(0.0, self.gain_squares - n * mean * mean)
        spread: float = (squares + FORMER_WORLDS * USUAL * USUAL) / (n - 1.0 + FORMER_WORLDS)
        return sqrt(spread / n)


class Search:
    """Tries the actions of one decision. The seat is the one that decides."""

    def __init__(self, game: Game, seat: i64, style: Style) -> None:
        self.game: Final = game
        self.seat: Final[i64] = seat
        self.rollout: Final = Rollout(game, style)
        self.own: Final = PlanNotes(game)
        self.rivals: Final = [PlanNotes(game) for _ in range(game.seats)]
        self.candidates: list[Candidate] = []
        self.planned: bool = False
        self.turns: i64 = 0  # of a rollout; 0: to the end
        self.value: PositionValue | None = None  # of what is not played to the end
        self.scale: float = 25.0  # of the margin that counts as a clear win
        self.caution: float = 1.0  # standard errors that another action must be better by
        self.win_share: float = 0.5

    def begin(self, actions: list[int]) -> None:
        """Start with the default and its rivals."""
        self.candidates = [Candidate(action) for action in actions]
        self.planned = False

    def try_world(self, world: State, end: float = inf) -> bool:
        """Try every live candidate in a world; False, and nothing counts, if time was up first."""
        self.plan_in(world)
        values: list[float] = []
        for candidate in self.candidates:
            if time.perf_counter() > end:
                return False
            values.append(self.try_action(candidate, world) if candidate.live else 0.0)
        for candidate, value in zip(self.candidates, values, strict=True):
            if candidate.live:
                gain: float = value - values[0]
                candidate.add(1, value, gain, gain * gain)
        return True

    def plan_in(self, world: State) -> None:
        """Let the rivals plan in this world, and the seat itself in the first."""
        together = self.game.phase_flags[world.d[world.t.phase]] & TOGETHER
        for seat in range(self.game.seats):
            follower = self.rollout.followers[seat]
            if seat == self.seat and self.planned:
                continue
            follower.forget()
            if not together and not self.rollout.racing >> seat & 1:
                follower.exact = seat == self.seat
                follower.make_plan(world)
                follower.exact = False
            follower.note(self.own if seat == self.seat else self.rivals[seat])
        self.planned = True

    def try_action(self, candidate: Candidate, world: State) -> float:
        """What the seat gets by an action, in this world, if all go on as followers."""
        s = world.clone()
        self.play_on(candidate, s)
        return self.worth(s)

    def play_on(self, candidate: Candidate, s: State) -> None:
        """Play the action in a copy of the world, then as many turns as a rollout has."""
        for seat in range(self.game.seats):
            notes = self.own if seat == self.seat else self.rivals[seat]
            self.rollout.followers[seat].recall(notes)
        s.step(self.seat, candidate.action)
        self.rollout.play(s, self.turns)

    def worth(self, s: State) -> float:
        """From 0 (lost) to 1 (won): what the state is worth to the seat."""
        if s.d[s.t.phase] != OVER and self.value is not None:
            self.value.estimate(s, self.rollout)
            return squash(self.lead_of(self.value.scores) / self.scale)
        points = tally(s, False)
        scores = vec[float]([float(total) for total in points.total])
        value: float = squash(self.lead_of(scores) / self.scale)
        if self.win_share > 0.0:
            won = winners(s, points)
            share: float = 0.0
            if self.seat in won:
                share = 1.0 / float(len(won))
            value = (1.0 - self.win_share) * value + self.win_share * share
        return value

    def lead_of(self, scores: vec[float]) -> float:
        """How far the seat is ahead of the best of the others."""
        best: float = -1.0e9
        seat: i64 = 0
        while seat < self.game.seats:
            if seat != self.seat and scores[seat] > best:
                best = scores[seat]
            seat += 1
        return scores[self.seat] - best

    def drop_worse(self) -> None:
        """Drop the worse half of the candidates, but never the default."""
        live = [c for c in self.candidates[1:] if c.live]
        live.sort(key=lambda c: -c.lead())
        for c in live[(len(live) + 1) // 2 :]:
            c.live = False

    def drop_hopeless(self) -> None:
        """Drop what is worse than the default beyond doubt."""
        for c in self.candidates[1:]:
            if c.lead() + HOPELESS * c.error() < 0.0:
                c.live = False

    def settled(self) -> bool:
        """Whether more worlds would hardly change the answer."""
        leader = self.candidates[0]
        for c in self.candidates[1:]:
            if c.live and c.lead() > leader.lead():
                leader = c
        others = [c for c in self.candidates[1:] if c.live and c is not leader]
        if leader is self.candidates[0]:
            return len(others) == 0
        sure = SURE * max(1.0, self.caution * leader.caution)
        if leader.lead() < sure * leader.error():
            return False
        for c in others:
            if leader.lead() - c.lead() < HOPELESS * max(c.error(), leader.error()):
                return False
        return True

    def best(self) -> int:
        """The answer: the default, or what is better beyond doubt."""
        answer = self.candidates[0].action
        most: float = 0.0
        for c in self.candidates[1:]:
            if c.live and c.worlds > 1:
                sure: float = c.lead() - self.caution * c.caution * c.error()
                if sure > most:
                    most = sure
                    answer = c.action
        return answer


def squash(x: float) -> float:
    if x > 30.0:
        return 1.0
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + exp(-x))
