"""Seconds per step of every environment, in a process of its own; prints JSON.

Of a batch only the calls of `step` are timed: how an agent chooses is its own affair. The faces of
one game are timed as a loop from Python, with a choice that costs next to nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import gymnasium
import numpy as np

import branchline.env
from branchline.env import Batch, aec

GAMES = 1024
ROUNDS = 20  # steps of a batch between two looks at the clock


def batch_step(board: str, observe: Any, seconds: float) -> float:
    """A step of one game in a batch, every seat a learner's."""
    batch = Batch(board, GAMES, observe=observe)
    step = batch.reset(seed=1)
    weights = np.random.default_rng(1).random((3, *step.masks.shape), dtype=np.float32)
    spent, steps = 0.0, 0
    while spent < seconds:
        for k in range(ROUNDS):
            actions = (step.masks * weights[k % 3]).argmax(axis=1)
            start = time.process_time()
            step = batch.step(actions)
            spent += time.process_time() - start
        steps += ROUNDS * GAMES
    return spent / steps


def chosen(mask: Any, number: int) -> int:
    """An allowed action: the first from a place that changes from step to step."""
    allowed = mask.tobytes()
    found: int = allowed.find(1, number * 7919 % len(allowed))
    return found if found >= 0 else allowed.find(1)


def aec_step(board: str, seconds: float) -> float:
    """A step of an agent: it looks at what `last` returns, and acts."""
    env = aec(board)
    steps = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        env.reset(seed=steps)
        for _ in env.agent_iter():
            observation, _, over, _, _ = env.last()
            if over:
                break
            env.step(chosen(observation["action_mask"], steps))
            steps += 1
    return spent / steps


def gymnasium_step(board: str, seconds: float) -> float:
    """A step of a learner against a bot that plays at random, with the bot's own decisions."""
    env = gymnasium.make(f"branchline/{board}-v0", disable_env_checker=True).unwrapped
    steps = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        _, info = env.reset(seed=steps)
        over = False
        while not over:
            _, _, over, _, info = env.step(chosen(info["action_mask"], steps))
            steps += 1
    return spent / steps


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--boards", nargs="+", default=branchline.builtin_boards())
    args = parser.parse_args()
    out = {
        board: {
            "masks": batch_step(board, "nothing", args.seconds),
            "integers": batch_step(board, "integers", args.seconds),
            "floats": batch_step(board, "floats", args.seconds),
            "aec": aec_step(board, args.seconds),
            "gymnasium": gymnasium_step(board, args.seconds),
        }
        for board in args.boards
    }
    print(json.dumps(out))


if __name__ == "__main__":
    main()
