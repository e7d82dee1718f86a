"""Gymnasium's own tests, and what they can't know of."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import branchline
from branchline import IllegalAction, builtin_boards
from branchline.engine.errors import SeatsError
from branchline.env import Batch, EnvError
from branchline.env.gymnasium_envs import BranchlineGym, BranchlineVector
from golden_games import TABLES


@pytest.mark.parametrize("board", builtin_boards())
def test_every_board_has_an_id(board: str) -> None:
    env = gymnasium.make(f"branchline/{board}-v0", seats=3, bots=["greedy", "random"])
    assert isinstance(env.unwrapped, BranchlineGym)
    assert env.unwrapped.one.game.board.id == board
    assert env.unwrapped.one.game.seats == 3


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.parametrize("observe", ["integers", "floats"])
def test_an_environment_passes_the_check_of_gymnasium(board: str, seats: int, observe: Any) -> None:
    env = BranchlineGym(board, seats, seat=seats - 1, observe=observe, render_mode="ansi")
    check_env(env, skip_render_check=True)


def play(env: BranchlineGym, seed: int) -> tuple[list[list[int]], float]:
    """A game of lowest actions: the observations and what it was worth."""
    row, info = env.reset(seed=seed)
    rows, worth, over = [row.tolist()], 0.0, False
    while not over:
        row, worth, over, truncated, info = env.step(int(info["action_mask"].argmax()))
        assert not truncated
        rows.append(row.tolist())
    return rows, worth


def test_equal_seeds_lead_to_equal_games_and_resets_to_the_next() -> None:
    env = BranchlineGym("new_york", 2, bots=["greedy"])
    first = play(env, 3)
    assert play(env, 3) == first
    assert play(env, 4) != first
    env.reset(seed=3)
    env.reset()
    assert env.record().seed == "3/1"
    env.reset(seed=3, options={"game": 12})
    assert env.record().seed == "3/12"
    env = BranchlineGym("new_york", 2)
    env.reset()
    assert env.record().seed.endswith("/0")


@pytest.mark.parametrize("reward", ["win", "margin", "points"])
def test_the_reward_is_the_learners(reward: Any) -> None:
    env = BranchlineGym("new_york", 3, seat=1, bots=["random", "greedy"], reward=reward)
    _, worth = play(env, 8)
    outcome = branchline.replay(env.record()).outcome
    own, best = outcome.scores[1], max(outcome.scores[0], outcome.scores[2])
    won = (1 in outcome.winners) / len(outcome.winners)
    assert worth == {"win": won, "margin": own - best, "points": own}[reward]


def test_an_illegal_action_loses_or_raises() -> None:
    env = BranchlineGym("usa")
    env.reset(seed=1)
    for action in (0, -1, 541):
        _, reward, over, truncated, info = env.step(action)
        assert (reward, over, truncated) == (-1, True, False)
        assert np.array_equal(info["action_mask"].astype(bool), env.action_masks())
    with pytest.raises(EnvError, match="whole number, not None"):
        env.step(None)
    strict = BranchlineGym("usa", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction):
        strict.step(0)


def test_a_vector_is_many_single_environments() -> None:
    options: dict[str, Any] = {"bots": ["greedy"], "seat": 1, "observe": "floats"}
    many = gymnasium.make_vec("branchline/new_york-v0", 3, **options)
    assert isinstance(many.unwrapped, BranchlineVector)
    assert many.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    singles = [BranchlineGym("new_york", **options) for _ in range(3)]
    number = list(range(3))
    rows, infos = many.reset(seed=6)
    one = [env.reset(seed=6, options={"game": k}) for k, env in enumerate(singles)]
    ended = 0
    for _ in range(150):
        for k, (row, info) in enumerate(one):
            assert np.allclose(rows[k], row)
            assert np.array_equal(infos["action_mask"][k], info["action_mask"])
        assert rows in many.observation_space
        actions = infos["action_mask"].argmax(axis=1)
        rows, rewards, ends, cuts, infos = many.step(actions)
        assert not cuts.any()
        for k, env in enumerate(singles):
            row, worth, over, _, info = env.step(int(actions[k]))
            assert (worth, over) == (rewards[k], ends[k])
            if over:
                ended += 1
                assert np.allclose(infos["final_obs"][k], row)
                number[k] += 3
                row, info = env.reset(seed=6, options={"game": number[k]})
            one[k] = (row, info)
    assert ended > 3


def test_a_vector_goes_on_with_the_games_that_follow() -> None:
    many = BranchlineVector("new_york", 2)
    many.reset(seed=1)
    many.reset()
    assert many.batch.numbers.tolist() == [2, 3]
    many.reset(seed=1)
    assert many.batch.numbers.tolist() == [0, 1]
    unseeded = BranchlineVector("new_york", 2)
    rows, _ = unseeded.reset()
    assert rows in unseeded.observation_space


def test_a_gymnasium_learner_plays_the_games_of_a_batch() -> None:
    env = BranchlineGym("south_korea", 3, bots=["random", "random"])
    rows, _ = play(env, 5)
    batch = Batch("south_korea", 1, seats=3, bots=[None, "random", "random"])
    step = batch.reset(5)
    seen = [step.observations[0].tolist()]
    while not step.ends.any():
        step = batch.step(step.masks.argmax(axis=1))
        seen.append(step.observations[0].tolist())
    assert rows[:-1] == seen[:-1]
    assert rows[-1] == batch.finals[0].tolist()


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"seat": 2}, SeatsError, "no_such_seat"),
        ({"bots": ["random", "random"]}, SeatsError, "bots_and_seats"),
        ({"observe": "nothing"}, EnvError, "integers, floats"),
        ({"reward": "money"}, EnvError, "win, margin, points"),
        ({"illegal": "ignore"}, EnvError, "raise, lose"),
        ({"render_mode": "rgb_array"}, EnvError, "ansi, human"),
    ],
)
def test_what_cannot_be_is_refused(
    options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        BranchlineGym("usa", **options)
