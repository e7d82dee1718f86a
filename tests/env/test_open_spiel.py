"""OpenSpiel's own tests, and what they can't know of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.observation import make_observation

import branchline.env.open_spiel
from branchline.engine.encoding import Encoding
from golden_games import TABLES, game_of


def load(board: str, seats: int, deals: int = 4) -> Any:
    return pyspiel.load_game(f"python_branchline(board={board},players={seats},deals={deals})")


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_random_games_pass_the_test_of_open_spiel(board: str, seats: int) -> None:
    pyspiel.random_sim_test(load(board, seats), num_sims=1, serialize=False, verbose=False)


def test_states_can_be_written_down_and_read() -> None:
    game = load("new_york", 2)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    state = game.new_initial_state()
    state.apply_action(3)
    for _ in range(9):
        state.apply_action(state.legal_actions()[-1])
    text = pyspiel.serialize_game_and_state(game, state)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(state)


def test_a_playthrough_is_the_same_when_it_is_run_again() -> None:
    name = "python_branchline(board=new_york,deals=3)"
    text = generate_playthrough.playthrough(name, None, seed=5)
    assert generate_playthrough.playthrough(name, None, seed=5) == text
    assert "ObservationTensor(0)" in text
    assert "claim " in text


def test_a_game_is_the_one_that_the_engine_plays() -> None:
    game = load("europe", 3)
    state = game.new_initial_state()
    state.apply_action(2)
    own = game_of("europe", 3).start("openspiel/2")
    observation, encoding = make_observation(game), Encoding(own.game)
    high = np.array(encoding.high)
    while not own.over:
        seat = own.to_act[0]
        assert state.current_player() == seat
        assert state.legal_actions() == sorted(own.legal(seat))
        assert state.legal_actions((seat + 1) % 3) == []
        observation.set_from(state, player=seat)
        assert np.allclose(observation.tensor, np.array(encoding.row(own, seat)) / high)
        action = state.legal_actions()[0]
        assert state.action_to_string(seat, action) == own.game.action_text(action)
        state.apply_action(action)
        own.apply(seat, action)
    winners = own.outcome.winners
    assert state.is_terminal()
    assert state.returns() == [(seat in winners) / len(winners) - 1 / 3 for seat in range(3)]


def test_a_copy_goes_its_own_way() -> None:
    state = load("usa", 2).new_initial_state()
    assert str(state) == "to be dealt"
    state.apply_action(1)
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(copy) != str(state)
    assert state.history() == [1]


@pytest.mark.rule("RU-12", "RU-15")
def test_observations_of_states_that_a_player_cannot_tell_apart_are_equal() -> None:
    game = load("iberia", 2)
    state = game.new_initial_state()
    state.apply_action(0)
    observation = make_observation(game)
    for move in range(60):
        twin = state.clone()
        twin.position.state = state.position.state.resample(0, move)
        observation.set_from(state, player=0)
        tensor = observation.tensor.copy()
        observation.set_from(twin, player=0)
        assert np.array_equal(observation.tensor, tensor)
        assert observation.string_from(state, 0) == observation.string_from(twin, 0)
        state.apply_action(state.legal_actions()[-1])


def test_the_fields_of_an_observation_have_names() -> None:
    observation = make_observation(load("usa", 2))
    assert observation.dict["trains"].shape == (2,)
    assert observation.dict["owner"].shape == (100,)
    assert branchline.env.open_spiel.TYPE.short_name == "python_branchline"
