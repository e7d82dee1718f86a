"""Train an agent for New York with two seats, by masked PPO in self-play: numpy, one core, minutes.

    python examples/train_ppo.py                        # trains, then plays against other bots
    python examples/train_ppo.py --decisions 0          # only plays, with the weights there are

Everything is in this file: the features, the network with its gradients, the rollouts, PPO, and the
trained agent as a bot, which `branchline` plays by its name from this folder:

    branchline arena train_ppo:Agent greedy --map new_york
    branchline play --map new_york --against train_ppo:Agent

docs/learning.md explains it step by step and has the results.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: the matrices are small

import numpy as np
from numpy.typing import NDArray

from branchline import Game, View
from branchline.bots import make_bot
from branchline.engine.encoding import Encoding
from branchline.env import Batch, Step

BOARD, SEATS = "new_york", 2
WEIGHTS = Path(__file__).with_name("train_ppo.npz")
RIVALS = "random,greedy,long,paths,planner"

Array = NDArray[np.float32]


@dataclass
class Settings:
    """What decides the result; the same settings lead to the same weights."""

    seed: int = 1
    decisions: int = 4_000_000  # in all
    games: int = 256  # at the same time
    steps: int = 64  # of each game, between two updates
    hidden: int = 96
    epochs: int = 3
    minibatch: int = 1024
    learning_rate: float = 1e-3  # falls to zero
    clip: float = 0.2
    entropy: float = 0.01
    trace: float = 0.95  # lambda of the advantages; games are short, so nothing is discounted
    points: float = 20.0  # the margin that is a reward of 1


# --- what the agent sees --------------------------------------------------------------------------


class Features:
    """Rows of integers as numbers for a network: amounts scaled, codes as one of many."""

    MOST_AMOUNT = 40  # counters seldom come near their bounds
    MOST_CODE = 64  # codes with more values are left out: the numbers of actions

    def __init__(self, encoding: Encoding) -> None:
        amounts: list[tuple[int, int]] = []
        codes: list[tuple[int, int]] = []
        for field in encoding.fields:
            for place in range(field.offset, field.offset + field.size):
                if not field.code:
                    amounts.append((place, min(field.most, self.MOST_AMOUNT)))
                elif field.most <= self.MOST_CODE:
                    codes += [(place, value) for value in range(1, field.most + 1)]
        self.amounts = np.array([place for place, _ in amounts])
        self.scale = np.array([1 / most for _, most in amounts], np.float32)
        self.places = np.array([place for place, _ in codes])
        self.values = np.array([value for _, value in codes], np.int16)
        self.size = len(amounts) + len(codes)

    def __call__(self, rows: NDArray[np.int16]) -> Array:
        n = len(self.amounts)
        out = np.empty((len(rows), self.size), np.float32)
        np.multiply(rows[:, self.amounts], self.scale, out=out[:, :n])
        np.equal(rows[:, self.places], self.values, out=out[:, n:], casting="unsafe")
        return out


# --- the network ----------------------------------------------------------------------------------


def new_weights(
    inputs: int, hidden: int, actions: int, rng: np.random.Generator
) -> dict[str, Array]:
    """Weights to begin with: at first the policy is nearly indifferent."""

    def layer(before: int, after: int, gain: float) -> Array:
        weights = rng.standard_normal((before, after)) * gain / np.sqrt(before)
        return weights.astype(np.float32)

    weights = {
        "hidden1": layer(inputs, hidden, 1.4),
        "hidden2": layer(hidden, hidden, 1.4),
        "policy": layer(hidden, actions, 0.01),
        "value": layer(hidden, 1, 1.0),
    }
    biases = {f"{name}_bias": np.zeros(w.shape[1], np.float32) for name, w in weights.items()}
    return weights | biases


class Network:
    """Two hidden layers, then the policy over the legal actions and the value of the position."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights

    def forward(self, x: Array, legal: NDArray[np.bool_]) -> tuple[Array, Array, Array, Array]:
        """The hidden layers, the probabilities of the actions (0 if illegal), and the values."""
        w = self.weights
        h1 = np.maximum(x @ w["hidden1"] + w["hidden1_bias"], 0)
        h2 = np.maximum(h1 @ w["hidden2"] + w["hidden2_bias"], 0)
        logits = np.where(legal, h2 @ w["policy"] + w["policy_bias"], -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        policy = odds / odds.sum(axis=1, keepdims=True)
        return h1, h2, policy, (h2 @ w["value"])[:, 0] + w["value_bias"]

    def gradients(
        self, x: Array, h1: Array, h2: Array, d_logits: Array, d_value: Array
    ) -> dict[str, Array]:
        """What the weights contribute to a loss, from its slopes at the two outputs."""
        w, d_value = self.weights, d_value[:, None]
        d_h2 = (d_logits @ w["policy"].T + d_value @ w["value"].T) * (h2 > 0)
        d_h1 = (d_h2 @ w["hidden2"].T) * (h1 > 0)
        slopes = {"hidden1": (x, d_h1), "hidden2": (h1, d_h2), "policy": (h2, d_logits)}
        found = {}
        for name, (before, after) in {**slopes, "value": (h2, d_value)}.items():
            found[name] = before.T @ after
            found[name + "_bias"] = after.sum(axis=0)
        return found


class Adam:
    """Adam with the gradient's length limited."""

    def __init__(self, weights: dict[str, Array], longest: float = 0.5) -> None:
        self.weights, self.longest, self.steps = weights, longest, 0
        self.mean = {name: np.zeros_like(w) for name, w in weights.items()}
        self.square = {name: np.zeros_like(w) for name, w in weights.items()}

    def step(self, gradients: dict[str, Array], rate: float) -> None:
        self.steps += 1
        length = np.sqrt(sum(float(np.square(g).sum()) for g in gradients.values()))
        shrink = np.float32(min(1.0, self.longest / (length + 1e-8)))
        for name, gradient in gradients.items():
            g = gradient * shrink
            self.mean[name] += 0.1 * (g - self.mean[name])
            self.square[name] += 0.001 * (g * g - self.square[name])
            mean = self.mean[name] / np.float32(1 - 0.9**self.steps)
            square = self.square[name] / np.float32(1 - 0.999**self.steps)
            self.weights[name] -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-5))


# --- self-play ------------------------------------------------------------------------------------


class Rollout:
    """Some steps of all games: the decisions of both seats, and what came of them."""

    def __init__(self, batch: Batch, steps: int) -> None:
        shape = (steps, batch.n)
        self.rows = np.zeros((*shape, batch.encoding.size), np.int16)
        self.legal = np.zeros((*shape, batch.game.actions), np.bool_)
        self.seats = np.zeros(shape, np.intp)
        self.actions = np.zeros(shape, np.intp)
        self.log_odds = np.zeros(shape, np.float32)
        self.values = np.zeros(shape, np.float32)
        self.rewards = np.zeros((*shape, batch.game.seats), np.float32)
        self.ends = np.zeros(shape, np.bool_)

    def play(
        self,
        batch: Batch,
        now: Step,
        network: Network,
        features: Features,
        rng: np.random.Generator,
    ) -> tuple[Step, Array]:
        """Go on from `now`, drawing actions from the policy; returns where that leads.

        And the last known value of each game to each seat: of its open decision, or the one before.
        """
        games = np.arange(batch.n)
        known = np.zeros((batch.n, batch.game.seats), np.float32)
        for t in range(len(self.rows)):
            _, _, policy, values = network.forward(features(now.observations), now.masks)
            actions = draw(policy, rng)
            self.rows[t], self.legal[t], self.seats[t] = now.observations, now.masks, now.seats
            self.actions[t], self.values[t] = actions, values
            self.log_odds[t] = np.log(policy[games, actions])
            known[games, now.seats] = values
            now = batch.step(actions)
            self.rewards[t], self.ends[t] = now.rewards, now.ends
        known[games, now.seats] = network.forward(features(now.observations), now.masks)[3]
        return now, known

    def advantages(self, known: Array, settings: Settings) -> Array:
        """How much better than expected each decision turned out for the seat that took it (GAE).

        A seat's decisions follow each other with those of the other seat in between.
        """
        found = np.zeros_like(self.values)
        games = np.arange(len(known))
        following, trail, reward = known.copy(), np.zeros_like(known), np.zeros_like(known)
        for t in reversed(range(len(found))):
            over = self.ends[t]
            following[over], trail[over] = 0, 0
            reward[over] = self.rewards[t, over] / settings.points
            at = games, self.seats[t]
            surprise = reward[at] + following[at] - self.values[t]
            found[t] = trail[at] = surprise + settings.trace * trail[at]
            following[at], reward[at] = self.values[t], 0
        return found


def draw(policy: Array, rng: np.random.Generator) -> NDArray[np.intp]:
    """An action from each row of probabilities (the Gumbel trick: never one of probability 0)."""
    with np.errstate(divide="ignore"):
        noisy = np.log(policy) + rng.gumbel(size=policy.shape).astype(np.float32)
    chosen: NDArray[np.intp] = noisy.argmax(axis=1)
    return chosen


# --- learning -------------------------------------------------------------------------------------


def train(settings: Settings, report: Callable[[str], None] = print) -> Network:
    """PPO: play some steps of all games, improve the policy on them a few times, and so on."""
    rng = np.random.default_rng(settings.seed)
    batch = Batch(BOARD, settings.games, seats=SEATS, reward="margin")
    features = Features(batch.encoding)
    network = Network(new_weights(features.size, settings.hidden, batch.game.actions, rng))
    adam = Adam(network.weights)
    now, rollout = batch.reset(settings.seed), Rollout(batch, settings.steps)
    rounds = settings.decisions // rollout.actions.size
    began = time.perf_counter()
    for round in range(rounds):
        now, known = rollout.play(batch, now, network, features, rng)
        advantages = rollout.advantages(known, settings)
        rate = settings.learning_rate * (1 - round / rounds)
        spread = improve(network, adam, features, rollout, advantages, rate, settings, rng)
        if (round + 1) % 10 == 0 or round + 1 == rounds:
            done = (round + 1) * rollout.actions.size
            length = rollout.ends.size / max(1, rollout.ends.sum())
            report(
                f"{done:>9,} decisions, {time.perf_counter() - began:4.0f} s: "
                f"entropy {spread:.2f}, {length:.1f} decisions a game"
            )
    return network


def improve(
    network: Network,
    adam: Adam,
    features: Features,
    rollout: Rollout,
    advantages: Array,
    rate: float,
    settings: Settings,
    rng: np.random.Generator,
) -> float:
    """Improve the policy and the values on a rollout; returns the policy's entropy."""
    rows = rollout.rows.reshape(-1, rollout.rows.shape[-1])
    legal = rollout.legal.reshape(-1, rollout.legal.shape[-1])
    actions, before = rollout.actions.ravel(), rollout.log_odds.ravel()
    goals = (advantages + rollout.values).ravel()
    better = advantages.ravel()
    better = (better - better.mean()) / (better.std() + 1e-8)
    spread = 0.0
    for _ in range(settings.epochs):
        order = rng.permutation(len(actions))
        for start in range(0, len(order), settings.minibatch):
            k = order[start : start + settings.minibatch]
            n, each = len(k), np.arange(len(k))
            x = features(rows[k])
            h1, h2, policy, values = network.forward(x, legal[k])
            log_policy = np.log(policy + 1e-12)
            ratio = np.exp(log_policy[each, actions[k]] - before[k])
            # Where the ratio has gone too far in the right direction, nothing is gained any more.
            free = np.where(better[k] > 0, ratio < 1 + settings.clip, ratio > 1 - settings.clip)
            slope = -(better[k] * ratio * free) / n
            d_logits = -policy * slope[:, None]
            d_logits[each, actions[k]] += slope
            entropy = -(policy * log_policy).sum(axis=1, keepdims=True)
            d_logits += settings.entropy / n * policy * (log_policy + entropy)
            d_value = 0.5 * (values - goals[k]) / n
            adam.step(network.gradients(x, h1, h2, d_logits, d_value), rate)
            spread = float(entropy.mean())
    return spread


# --- the agent as a bot ---------------------------------------------------------------------------


class Agent:
    """The trained agent as a bot. At a game that it was not trained for, it plays as `greedy`."""

    def __init__(self, weights: str = str(WEIGHTS)) -> None:
        with np.load(weights) as stored:
            self.network = Network({name: stored[name].astype(np.float32) for name in stored})
        self.substitute = make_bot("greedy")
        self.encoding: Encoding | None = None
        self.values: list[float] | None = None

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.encoding = self.values = None
        if game.board.id == BOARD and game.seats == SEATS:
            self.encoding = Encoding(game)
            self.features = Features(self.encoding)
        else:
            self.substitute.start(game, seat, seed)

    def decide(self, view: View, seconds: float) -> int:
        """The likeliest action of the policy; `values` are the logarithms of all."""
        if self.encoding is None:
            return self.substitute.decide(view, seconds)
        rows = np.array([self.encoding.view_row(view)], np.int16)
        legal = np.zeros((1, view.game.actions), np.bool_)
        legal[0, view.actions] = True
        policy = self.network.forward(self.features(rows), legal)[2][0]
        self.values = np.log(policy[view.actions] + 1e-12).tolist()
        return int(policy.argmax())

    def finish(self, view: View) -> None:
        if self.encoding is None:
            self.substitute.finish(view)


def save(network: Network, path: Path) -> None:
    """Half precision is enough to play."""
    np.savez_compressed(path, **{k: w.astype(np.float16) for k, w in network.weights.items()})


def evaluate(path: Path, rivals: str, blocks: int, processes: int) -> str:
    """The agent's win shares with 95 % intervals, by the arena: every deal is played both ways."""
    from branchline.lab.arena import league
    from branchline.lab.requests import league as make_league

    agent = f"train_ppo:Agent:weights={path}"
    contests = make_league([agent], rivals, BOARD, [], False, blocks, "evaluation", 1.0)
    return league.markdown(league.run(contests, "en", processes), "en")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--decisions", type=int, default=Settings.decisions)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--rivals", default=RIVALS, help="bots to play against afterwards")
    parser.add_argument("--blocks", type=int, default=500, help="deals, each played both ways")
    parser.add_argument("--processes", type=int, default=1)
    wanted = parser.parse_args()
    if wanted.decisions:
        began = time.perf_counter(), time.process_time()
        network = train(Settings(seed=wanted.seed, decisions=wanted.decisions))
        wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
        save(network, wanted.weights)
        print(f"trained in {wall:.0f} s ({cpu:.0f} s of processor time): {wanted.weights}")
    if wanted.blocks:
        print(evaluate(wanted.weights.resolve(), wanted.rivals, wanted.blocks, wanted.processes))


if __name__ == "__main__":
    main()
