"""Games of followers against each other, and what their positions were worth in the end.

A part of the early moves is random, so that positions come up that no follower would choose.
"""

from __future__ import annotations

from array import array
from typing import Final

from branchline.bots.rollout import MOST_TURNS, Rollout
from branchline.bots.style import Style
from branchline.bots.value import FEATURES, PositionValue
from branchline.core.machine import i64, vec
from branchline.core.rng import POLICY, seed_words, stream
from branchline.engine.flow import OVER, TURN, deal, draw_first
from branchline.engine.game import Game
from branchline.engine.rule import TOGETHER
from branchline.engine.scoring import tally
from branchline.engine.state import State

RANDOM_MOVES: Final = 80  # of 1000, while more than half of all trains are left
SAMPLED: Final = 150  # turns of 1000 that become samples


class Samples:
    """Positions at the start of a turn: features of all seats, time left, final scores."""

    def __init__(self) -> None:
        self.features: Final = array("d")  # seats × FEATURES for each position
        self.left: Final = array("d")
        self.scores: Final = array("d")  # seats for each position


def play_samples(game: Game, style: Style, seed: int | str, first: int, games: int) -> Samples:
    """Play games with these numbers; each depends on the seed and its number alone."""
    out = Samples()
    rollout = Rollout(game, style)
    value = PositionValue(game, [])
    for number in range(first, first + games):
        play_sample(game, rollout, value, f"{seed}/{number}", out)
    return out


def play_to_the_end(game: Game, rollout: Rollout, seed: int | str) -> State:
    """The end of a game between the followers of a rollout."""
    s = dealt(game, seed_words(seed))
    rollout.forget()
    rollout.play(s, 0)
    return s


def dealt(game: Game, words: vec[i64]) -> State:
    """The first position of a game."""
    s = State(game, game.blank_state[:])
    deal(s, words, draw_first(game, words))
    return s


def play_sample(
    game: Game, rollout: Rollout, value: PositionValue, seed: str, out: Samples
) -> None:
    words = seed_words(seed)
    s = dealt(game, words)
    rng = stream(words, 0, POLICY, 0)
    rollout.forget()
    d, t = s.d, s.t
    half: i64 = t.board.trains // 2
    found = 0
    while d[t.phase] != OVER and d[t.turns] < MOST_TURNS:
        seat: i64 = d[t.turn]
        phase: i64 = d[t.phase]
        if game.phase_flags[phase] & TOGETHER:
            seat = 0
            while not d[t.waiting] >> seat & 1:
                seat += 1
        if phase == TURN and d[t.last] == 0 and rng.below(1000) < SAMPLED:
            value.measure(s, rollout)
            for k in range(game.seats * len(FEATURES)):
                out.features.append(value.features[k])
            out.left.append(value.left)
            found += 1
        action: i64 = rollout.followers[seat].choose(s)
        if d[t.trains + seat] > half and rng.below(1000) < RANDOM_MOVES:
            s.enumerate(seat)
            action = s.buf[rng.below(s.n)]
        s.step(seat, action)
    points = tally(s, False)
    for _ in range(found):
        for k in range(game.seats):
            out.scores.append(float(points.total[k]))
