"""Whole games by random choice, without coming back to Python between the moves."""

from __future__ import annotations

from array import array
from typing import Final

from branchline.core.machine import i64
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.flow import OVER, deal, draw_first
from branchline.engine.game import Game
from branchline.engine.rule import TOGETHER
from branchline.engine.scoring import tally, winners
from branchline.engine.state import State


def playout(state: State, rng: Rng) -> i64:
    """Play a state to its end, every decision by chance; returns the number of actions taken.

    Every action is drawn from the full list of legal ones. The state itself is changed.
    """
    d, t, game = state.d, state.t, state.game
    state.moves = None
    actions: i64 = 0
    while d[t.phase] != OVER:
        seat: i64 = d[t.turn]
        if game.phase_flags[d[t.phase]] & TOGETHER:
            seat = 0
            while not d[t.waiting] >> seat & 1:
                seat += 1
        state.enumerate(seat)
        state.step(seat, state.buf[rng.below(state.n)])
        actions += 1
    return actions


class Games:
    """Columns of many games: `scores` has `seats` numbers a game, the others one.

    `winners` is a mask of seats. All are `array.array('q')`, which numpy takes without a copy.
    """

    def __init__(self, seats: int) -> None:
        self.seats: Final = seats
        self.scores: Final = array("q")
        self.winners: Final = array("q")
        self.actions: Final = array("q")
        self.turns: Final = array("q")

    def __len__(self) -> int:
        return len(self.actions)


def play_many(game: Game, games: int, seed: int | str, first_game: int = 0) -> Games:
    """Play many random games in one call.

    Game number k depends on the seed and on k alone, so that any split of the numbers over
    processes leads to the same games.
    """
    out = Games(game.seats)
    for number in range(first_game, first_game + games):
        words = seed_words(f"{seed}/{number}")
        state = State(game, game.blank_state[:])
        deal(state, words, draw_first(game, words))
        actions = playout(state, stream(words, 0, POLICY, 0))
        points = tally(state, False)
        mask = 0
        for seat in winners(state, points):
            mask |= 1 << seat
        for seat in range(game.seats):
            out.scores.append(points.total[seat])
        out.winners.append(mask)
        out.actions.append(actions)
        out.turns.append(state.d[state.t.turns])
    return out
