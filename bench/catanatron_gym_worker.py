"""Seconds per step of Catanatron's Gymnasium environment against a random bot; prints JSON."""

from __future__ import annotations

import json
import random
import sys
import time
import warnings

import gymnasium


def main() -> None:
    warnings.simplefilter("ignore")
    seconds = float(sys.argv[1])
    env = gymnasium.make("catanatron_gym:catanatron-v1", disable_env_checker=True).unwrapped
    rng = random.Random(1)
    steps = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        env.reset(seed=steps)
        over = cut = False
        while not over and not cut:
            _, _, over, cut, _ = env.step(rng.choice(env.get_valid_actions()))
            steps += 1
    print(json.dumps({"step": spent / steps}))


if __name__ == "__main__":
    main()
