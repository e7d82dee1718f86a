"""Many games at once: the arrays say what the engine says, whatever the split of the games."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import branchline
from branchline import Game
from branchline.bots import BotError, make_bot
from branchline.engine.encoding import Encoding
from branchline.engine.errors import SeatsError, StateError
from branchline.env import Batch, EnvError
from golden_games import TABLES, game_of


def play_on(batch: Batch, seed: int, steps: int, first: int = 0) -> list[tuple[int, list[int]]]:
    """Random play for some steps; the number and the scores of every game that ended."""
    rng = np.random.default_rng(seed)
    batch.reset(seed, first)
    ended = []
    for _ in range(steps):
        before = batch.numbers
        step = batch.step(batch.sample(rng))
        ended += [(int(before[k]), batch.scores[k].tolist()) for k in np.flatnonzero(step.ends)]
    return ended


def first_choice(batch: Batch, games: int) -> dict[int, tuple[int, ...]]:
    """Games in which every learner takes its lowest action; the scores by number."""
    step = batch.reset("lowest")
    found: dict[int, tuple[int, ...]] = {}
    while not found.keys() >= set(range(games)):
        before = batch.numbers
        step = batch.step(step.masks.argmax(axis=1))
        for k in np.flatnonzero(step.ends):
            found[int(before[k])] = tuple(batch.scores[k].tolist())
    return {number: found[number] for number in range(games)}


# --- what the arrays say -------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_masks_seats_and_observations_are_those_of_the_state(board: str, seats: int) -> None:
    game = game_of(board, seats)
    encoding = Encoding(game)
    batch = Batch(game, 3)
    rng = np.random.default_rng(5)
    step = batch.reset(seed=3)
    for _ in range(150):
        for k in range(3):
            state = batch.state(k)
            seat = int(step.seats[k])
            assert seat == state.to_act[0]
            assert np.flatnonzero(step.masks[k]).tolist() == sorted(state.legal(seat))
            assert step.observations[k].tolist() == encoding.row(state, seat)
        step = batch.step(batch.sample(rng))


@pytest.mark.parametrize("reward", ["win", "margin", "points"])
def test_rewards_are_what_the_end_is_worth(reward: Any) -> None:
    batch = Batch("new_york", 4, seats=3, reward=reward, keep_moves=True)
    rng = np.random.default_rng(5)
    batch.reset(seed=1)
    games = 0
    while games < 16:
        step = batch.step(batch.sample(rng))
        assert not step.rewards[~step.ends].any()
        for k in np.flatnonzero(step.ends):
            games += 1
            result = branchline.replay(batch.last_record(int(k))).outcome
            assert batch.scores[k].tolist() == result.scores
            for seat, own in enumerate(result.scores):
                rivals = result.scores[:seat] + result.scores[seat + 1 :]
                won = 1 / len(result.winners) if seat in result.winners else 0
                worth = {"win": won, "margin": own - max(rivals), "points": own}[reward]
                assert step.rewards[k, seat] == np.float32(worth)


def test_floats_are_the_integers_scaled_by_their_bounds() -> None:
    whole, scaled = Batch("europe", 8), Batch("europe", 8, observe="floats")
    a, b = whole.reset(4), scaled.reset(4)
    rng = np.random.default_rng(1)
    high = np.array(whole.encoding.high, np.float32)
    for _ in range(100):
        assert b.observations.dtype == np.float32
        assert np.allclose(b.observations, a.observations / high)
        assert b.observations.max() <= 1
        actions = whole.sample(rng)
        a, b = whole.step(actions), scaled.step(actions)


def test_arrays_of_the_caller_are_filled() -> None:
    game = game_of("usa", 2)
    n, size = 4, Encoding(game).size
    out: dict[str, NDArray[Any]] = {
        "observations": np.zeros((n, size), np.int16),
        "masks": np.zeros((n, game.actions), np.bool_),
        "seats": np.zeros(n, np.uint8),
        "rewards": np.zeros((n, 2), np.float32),
        "ends": np.zeros(n, np.bool_),
        "scores": np.zeros((n, 2), np.int16),
    }
    own, lent = Batch(game, n), Batch(game, n, out=out)
    a, b = own.reset(1), lent.reset(1)
    assert b.masks is out["masks"]
    rng = np.random.default_rng(1)
    for _ in range(200):
        actions = own.sample(rng)
        a, b = own.step(actions), lent.step(actions)
        assert all(np.array_equal(a[k], b[k]) for k in range(len(a)))
        assert np.array_equal(own.scores, out["scores"])
    floats = np.zeros((n, size), np.float32)
    batch = Batch(game, n, observe="floats", out={"observations": floats})
    batch.reset(1)
    assert floats.any()


def test_own_arrays_can_only_be_read() -> None:
    step = Batch("usa", 2).reset(1)
    for array in (step.observations, step.masks, step.seats, step.ends):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


# --- which games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_games_depend_on_seed_and_number_alone(board: str, seats: int) -> None:
    bots = [None, "random", None, "random", None][:seats]
    game = game_of(board, seats)
    small, large = Batch(game, 2, bots=bots), Batch(game, 5, bots=bots)
    assert first_choice(small, 6) == first_choice(large, 6)


def test_several_batches_share_the_games_of_a_seed() -> None:
    game = game_of("new_york", 2)
    whole = first_choice(Batch(game, 6), 12)
    found: dict[int, tuple[int, ...]] = {}
    for part in range(3):
        batch = Batch(game, 2)
        step = batch.reset("lowest", first=2 * part, stride=6)
        while len(found) < 4 * (part + 1):
            before = batch.numbers
            step = batch.step(step.masks.argmax(axis=1))
            for k in np.flatnonzero(step.ends):
                if before[k] < 12:
                    found[int(before[k])] = tuple(batch.scores[k].tolist())
    assert found == whole


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_records_replay_to_the_same_scores(board: str, seats: int) -> None:
    batch = Batch(game_of(board, seats), 2, keep_moves=True)
    rng = np.random.default_rng(2)
    batch.reset("records")
    seen = 0
    while seen < 2:
        step = batch.step(batch.sample(rng))
        for k in np.flatnonzero(step.ends):
            record = batch.last_record(int(k))
            assert record.seed == f"records/{batch.numbers[k] - 2}"
            state = branchline.replay(record)
            assert state.over
            assert state.outcome.scores == batch.scores[k].tolist()
            seen += 1
    assert branchline.replay(batch.record(0)) == batch.state(0)


def test_a_reset_begins_the_same_games_again() -> None:
    batch = Batch("iberia", 3)
    once = play_on(batch, 9, 500)
    assert once
    assert play_on(batch, 9, 500) == once
    assert play_on(batch, 8, 500) != once


PROGRAM = """
import numpy as np
from branchline.env import Batch
from branchline._plain import compiled
import hashlib
seen = hashlib.sha256()
for board, seats in [("nordic", 2), ("south_korea", 3), ("europe", 2)]:
    batch = Batch(board, 2, seats=seats, bots=[None, "random", "greedy"][:seats])
    rng = np.random.default_rng(3)
    step = batch.reset(11)
    for _ in range(150):
        step = batch.step(batch.sample(rng))
        for array in step:
            seen.update(np.ascontiguousarray(array).tobytes())
print(seen.hexdigest())
"""


def test_compiled_and_plain_batches_are_equal_to_the_bit() -> None:
    told = []
    for pure in ("0", "1"):
        environment = {**os.environ, "BRANCHLINE_PURE": pure}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        told.append(done.stdout)
    assert told[0] == told[1]


# --- bots ----------------------------------------------------------------------------------------


def test_bots_play_their_seats() -> None:
    batch = Batch("new_york", 8, seats=3, bots=["greedy", None, "random"], keep_moves=True)
    rng = np.random.default_rng(2)
    step = batch.reset(1)
    ended = 0
    while ended < 8:
        assert set(step.seats.tolist()) == {1}
        step = batch.step(batch.sample(rng))
        ended += int(step.ends.sum())
    seats = {seat for seat, _ in batch.record(0).actions}
    assert seats == {0, 1, 2}


def test_a_compiled_random_seat_plays_like_the_bot_of_that_name() -> None:
    game = game_of("usa", 2)
    batch = Batch(game, 1, bots=[None, "random"], keep_moves=True)
    step = batch.reset("alike")
    while not step.ends.any():
        step = batch.step(step.masks.argmax(axis=1))
    bot = make_bot("random")
    bot.start(game, 1, "alike/0")
    state = game.start("alike/0")
    while not state.over:
        seat = state.to_act[0]
        view = state.view(seat)
        state.apply(seat, min(view.actions) if seat == 0 else bot.decide(view, 1.0))
    assert state.outcome.scores == batch.scores[0].tolist()


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"n": 0}, EnvError, "1 to 1000000 games, not 0"),
        ({"reward": "money"}, EnvError, "win, margin, points"),
        ({"observe": "all"}, EnvError, "integers, floats, nothing"),
        ({"bots": ["random", "random"]}, EnvError, "at least one to the learner"),
        ({"bots": ["random"]}, SeatsError, "bots_and_seats"),
        ({"bots": [None, "nobody"]}, BotError, "unknown_bot"),
        ({"seats": 9}, SeatsError, "wrong_seats"),
        ({"out": {"masks": np.zeros((2, 3))}}, EnvError, r"masks must be .* bool \(4, 541\)"),
        ({"out": {"masks": [True]}}, EnvError, "masks must be"),
        ({"out": {"secrets": np.zeros(4)}}, EnvError, "observations, masks"),
    ],
)
def test_a_batch_that_cannot_be_is_refused(
    options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        Batch("usa", **{"n": 4, **options})


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0, 0, 0], "array of 2 whole numbers"),
        ([[0, 0]], "array of 2 whole numbers"),
        ([0.5, 0.5], "array of 2 whole numbers"),
        ([-1, 0], "numbered from 0 to 540"),
        ([0, 541], "numbered from 0 to 540"),
    ],
)
def test_actions_that_are_not_numbers_of_actions_are_refused(actions: Any, said: str) -> None:
    batch = Batch("usa", 2)
    batch.reset(1)
    with pytest.raises(EnvError, match=said):
        batch.step(actions)


def test_an_illegal_action_is_refused_and_nothing_is_done() -> None:
    batch = Batch("usa", 3)
    step = batch.reset(1)
    actions = step.masks.argmax(axis=1)
    actions[2] = 0
    before = [batch.state(k) for k in range(3)]
    masks = step.masks.copy()
    with pytest.raises(EnvError, match=r"at place 2 \(BASE-2: other_decision\)"):
        batch.step(actions)
    assert [batch.state(k) for k in range(3)] == before
    assert np.array_equal(step.masks, masks)
    batch.step(step.masks.argmax(axis=1))


def test_what_a_batch_does_not_have_is_refused() -> None:
    batch = Batch(Game("usa", 2), 2)
    with pytest.raises(EnvError, match="Call reset"):
        batch.step([0, 0])
    with pytest.raises(StateError, match="bad_seed"):
        batch.reset("a;b")
    batch.reset(1)
    with pytest.raises(EnvError, match="keep_moves=True"):
        batch.record(0)
    with pytest.raises(EnvError, match="No game has ended"):
        batch.last_record(0)
