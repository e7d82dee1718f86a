"""Seconds per step of fastcatan, batched and driven from Python, on one core; prints JSON."""

from __future__ import annotations

import json
import random
import sys
import time

import fastcatan
import numpy as np

GAMES = 1024
ROUNDS = 20


def batch_step(seconds: float) -> float:
    """A step of one game in a batch, with its mask; how an agent chooses is not timed."""
    games = fastcatan.BatchedEnv(GAMES, seed=1)
    games.reset()
    masks = np.zeros((GAMES, fastcatan.MASK_WORDS), np.uint64)
    dones = np.zeros(GAMES, np.uint8)
    games.write_masks(masks)
    weights = np.random.default_rng(1).random((3, GAMES, 64 * fastcatan.MASK_WORDS), np.float32)
    spent, steps = 0.0, 0
    while spent < seconds:
        for k in range(ROUNDS):
            bits = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")
            actions = (bits * weights[k % 3]).argmax(axis=1).astype(np.uint32)
            start = time.process_time()
            games.step_autoreset(actions, dones)
            games.write_masks(masks)
            spent += time.process_time() - start
        steps += ROUNDS * GAMES
    return spent / steps


def driven_step(seconds: float) -> float:
    """A step in a Python loop that asks for the legal actions."""
    game, rng = fastcatan.Env(), random.Random(1)
    steps = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        game.reset(seed=steps)
        while not game.done:
            legal = game.legal_actions()
            game.step(legal[int(rng.random() * len(legal))])
            steps += 1
    return spent / steps


def main() -> None:
    seconds = float(sys.argv[1])
    print(json.dumps({"batch": batch_step(seconds), "driven": driven_step(seconds)}))


if __name__ == "__main__":
    main()
