"""PettingZoo's own tests, and what they can't know of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

import branchline
from branchline import IllegalAction
from branchline.engine.encoding import Encoding
from branchline.env import EnvError, aec, parallel
from golden_games import TABLES, game_of

# They say that observations with masks are not plain arrays.
quiet = pytest.mark.filterwarnings("ignore:Observation")


@quiet
@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_agents_in_turn_pass_the_test_of_pettingzoo(board: str, seats: int) -> None:
    api_test(aec(board, seats, render_mode="ansi"), num_cycles=20)


@quiet
@pytest.mark.parametrize("options", [{"bots": [None, "random", None]}, {"observe": "floats"}])
def test_so_do_those_with_bots_and_with_floats(options: dict[str, Any]) -> None:
    api_test(aec("new_york", 3, **options), num_cycles=60)


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_agents_at_once_pass_the_test_of_pettingzoo(board: str, seats: int) -> None:
    parallel_api_test(parallel(board, seats), num_cycles=30)


def test_equal_seeds_lead_to_equal_games() -> None:
    seed_test(lambda: aec("iberia", 2), num_cycles=50)
    played = []  # PettingZoo's test for agents at once takes no notice of masks
    for seed in (7, 7, 8):
        env = parallel("new_york", 3)
        shown, _ = env.reset(seed=seed)
        while env.agents:
            actions = {agent: int(shown[agent]["action_mask"].argmax()) for agent in env.agents}
            shown, *_ = env.step(actions)
        played.append(env.record().hash)
    assert played[0] == played[1] != played[2]


def test_a_seat_that_is_not_to_act_sees_its_own_row_and_no_action() -> None:
    env = aec("usa", 2)
    env.reset(seed=1)
    encoding = Encoding(game_of("usa", 2))
    for _ in range(80):
        state = env.one.core.states[0].clone()
        for seat, agent in enumerate(env.agents):
            shown = env.observe(agent)
            assert shown["observation"].tolist() == encoding.row(state, seat)
            assert shown["action_mask"].any() == (agent == env.agent_selection)
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))


def test_rewards_come_with_the_end() -> None:
    env = aec("new_york", 3, reward="points")
    env.reset(seed=5)
    earned = {}
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        assert observation is not None
        if termination:
            earned[agent] = reward
            env.step(None)
        else:
            assert reward == 0
            env.step(int(observation["action_mask"].argmax()))
    assert list(earned.values()) == branchline.replay(env.record()).outcome.scores


@pytest.mark.parametrize("board", ["iberia", "usa"])
@pytest.mark.rule("RU-12")
def test_agents_at_once_choose_together_and_in_secret(board: str) -> None:
    env = parallel(board, 3)
    shown, _ = env.reset(seed=2)
    assert all(shown[agent]["action_mask"][:-1].any() for agent in env.agents)
    lowest = {agent: int(shown[agent]["action_mask"].argmax()) for agent in env.agents}
    env.step(lowest)
    assert [seat for seat, _ in env.record().actions][:3] == [0, 1, 2]


def test_who_owes_nothing_can_only_wait() -> None:
    env = parallel("usa", 2)
    shown, _ = env.reset(seed=2)
    for _ in range(20):
        actions = {agent: int(shown[agent]["action_mask"].argmax()) for agent in env.agents}
        shown, *_ = env.step(actions)
        waiting = [a for a in env.agents if np.flatnonzero(shown[a]["action_mask"])[0] == env.wait]
        assert len(waiting) == 1


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = aec("usa", 2)
    with pytest.raises(EnvError, match="Call reset"):
        env.step(0)
    env.reset(seed=1)
    before = env.one.core.states[0].clone()
    for action in (0, -1, 541):
        with pytest.raises(IllegalAction):
            env.step(action)
    with pytest.raises(EnvError, match="whole number, not 'draw'"):
        env.step("draw")
    assert env.one.core.states[0] == before
    with pytest.raises(EnvError, match="ansi, human"):
        parallel("usa", 2, render_mode="rgb_array")


def test_the_table_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for make in (aec, parallel):
        env = make("usa", 2, render_mode="ansi")
        env.reset(seed=1)
        text = env.render()
        assert text is not None
        assert "seat 1: points 0, trains 45, hand_size 4" in text
        human = make("usa", 2, render_mode="human")
        human.reset(seed=1)
        human.render()
        assert capsys.readouterr().out == text + "\n"
