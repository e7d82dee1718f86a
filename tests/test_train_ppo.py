"""The baseline that learns: its gradients, its advantages, a short training, its weights."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import branchline
from branchline.bots import make_bot
from branchline.bots.conformance import check_bot
from branchline.bots.session import play

np = pytest.importorskip("numpy")

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def ppo(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module("train_ppo")


def small(ppo: Any, **more: Any) -> Any:
    settings = {"decisions": 1024, "games": 16, "steps": 32, "hidden": 8, "minibatch": 256, **more}
    return ppo.Settings(**settings)


def test_a_short_training_is_the_same_for_the_same_seed(ppo: Any) -> None:
    said: list[str] = []
    one, two, other = (ppo.train(small(ppo, seed=s), said.append).weights for s in (1, 1, 2))
    assert one.keys() == two.keys()
    assert all((one[name] == two[name]).all() for name in one)
    assert not (one["policy"] == other["policy"]).all()
    assert all(np.isfinite(w).all() for w in one.values())
    assert "1,024 decisions" in said[-1]


def test_the_gradients_are_those_of_finite_differences(ppo: Any) -> None:
    rng = np.random.default_rng(0)
    shapes = {name: w.shape for name, w in ppo.new_weights(5, 4, 3, rng).items()}
    weights = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    network = ppo.Network(weights)
    x, legal = rng.standard_normal((6, 5)), rng.random((6, 3)) < 0.7
    taken = np.arange(6) % 3
    legal[np.arange(6), taken] = True
    gain, goal = rng.standard_normal(6), rng.standard_normal(6)

    def loss() -> float:
        _, _, policy, values = network.forward(x, legal)
        chosen = np.log(policy[np.arange(6), taken])
        return float((gain * chosen).sum() + (goal * values).sum())

    h1, h2, policy, _ = network.forward(x, legal)
    slope = -policy * gain[:, None]
    slope[np.arange(6), taken] += gain
    found = network.gradients(x, h1, h2, slope, goal)
    for name, w in weights.items():
        for place in np.ndindex(w.shape):
            true, nudge = w[place], 1e-6
            w[place] = true + nudge
            above = loss()
            w[place] = true - nudge
            below = loss()
            w[place] = true
            assert found[name][place] == pytest.approx((above - below) / (2 * nudge), abs=1e-5)


def test_without_a_fading_trace_advantages_are_the_reward_less_the_value(ppo: Any) -> None:
    """Of each seat's own decisions, in the games that have ended."""
    settings = small(ppo, trace=1.0, steps=80)
    rng = np.random.default_rng(1)
    batch = ppo.Batch(ppo.BOARD, settings.games, seats=2, reward="margin")
    features = ppo.Features(batch.encoding)
    network = ppo.Network(ppo.new_weights(features.size, 8, batch.game.actions, rng))
    rollout = ppo.Rollout(batch, settings.steps)
    _, known = rollout.play(batch, batch.reset(3), network, features, rng)
    found = rollout.advantages(known, settings)
    checked = 0
    for game in range(settings.games):
        ends = np.flatnonzero(rollout.ends[:, game])
        for t in range(ends[0] + 1 if len(ends) else 0):
            seat = rollout.seats[t, game]
            reward = rollout.rewards[ends[0], game, seat] / settings.points
            assert found[t, game] == pytest.approx(reward - rollout.values[t, game], abs=1e-4)
            checked += 1
    assert checked > 300


def test_only_legal_actions_are_drawn_as_often_as_the_policy_says(ppo: Any) -> None:
    policy = np.tile(np.array([0.0, 0.75, 0.25, 0.0], np.float32), (4000, 1))
    counts = np.bincount(ppo.draw(policy, np.random.default_rng(0)), minlength=4)
    assert counts[0] == counts[3] == 0
    assert counts[1] / 4000 == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize(("rival", "least"), [("random", 38), ("greedy", 32)])
def test_the_trained_agent_wins_a_match_of_forty_games(ppo: Any, rival: str, least: int) -> None:
    game = branchline.Game("new_york", seats=2)
    agent, other = ppo.Agent(), make_bot(rival)
    won = 0.0
    for deal in range(20):
        for seat in (0, 1):
            state = game.start(f"match/{deal}")
            bots = [agent, other] if seat == 0 else [other, agent]
            play(state, bots, [f"match/{deal}/0", f"match/{deal}/1"], 1.0)
            winners = state.outcome.winners
            won += (seat in winners) / len(winners)
    assert won >= least


def test_the_agent_keeps_the_promises_of_a_bot(ppo: Any) -> None:
    assert check_bot("train_ppo:Agent", games=1, boards=["new_york"]) == []


def test_the_agent_values_its_actions_by_their_probability(ppo: Any) -> None:
    game = branchline.Game("new_york", seats=2)
    view = game.start(seed=1, first=0).view(0)
    agent = ppo.Agent()
    agent.start(game, 0, 1)
    action = agent.decide(view, 1.0)
    assert sum(np.exp(agent.values)) == pytest.approx(1.0, abs=1e-5)
    assert view.actions[int(np.argmax(agent.values))] == action


def test_the_committed_weights_are_small(ppo: Any) -> None:
    assert ppo.WEIGHTS.stat().st_size < 200_000


def test_one_command_trains_evaluates_and_says_how_long_it_took(
    ppo: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--decisions", "16384", "--weights", str(tmp_path / "w.npz"), "--rivals", "random"]
    monkeypatch.setattr("sys.argv", ["train_ppo.py", *words, "--blocks", "3"])
    ppo.main()
    said = capsys.readouterr().out
    assert "s of processor time" in said
    assert "| New York |" in said
