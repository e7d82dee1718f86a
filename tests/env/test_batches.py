"""Several batches in processes play the games of one."""

from __future__ import annotations

import numpy as np
import pytest

from branchline.env import Batch, Batches, EnvError
from golden_games import game_of


def test_processes_play_the_games_of_one_batch_in_the_same_places() -> None:
    game = game_of("new_york", 2)
    one = Batch(game, 6, bots=[None, "random"])
    with Batches(game, 6, processes=2, bots=[None, "random"]) as several:
        a, b = one.reset("shared"), several.reset("shared")
        rng = np.random.default_rng(1)
        for _ in range(120):
            assert all(np.array_equal(a[k], b[k]) for k in range(len(a)))
            assert np.array_equal(one.scores, several.scores)
            actions = one.sample(rng)
            a, b = one.step(actions), several.step(actions)
        with pytest.raises(EnvError, match="at place 5 "):
            several.step([*b.masks.argmax(axis=1)[:5], 0])
        with pytest.raises(EnvError, match="array of 6 whole numbers"):
            several.step([0])
        for worker in several._workers:
            worker.kill()
            worker.join()
        with pytest.raises(EnvError, match="has ended"):
            several.reset("shared")
    with pytest.raises(EnvError, match="has ended"):
        several.step([0] * 6)


def test_games_that_cannot_be_shared_are_refused() -> None:
    with pytest.raises(EnvError, match="7 games can’t be shared equally among 2"):
        Batches("usa", 7, processes=2)
    with pytest.raises(EnvError, match="win, margin, points"):
        Batches("usa", 2, processes=2, reward="money")
