"""All faces play the same games, compiled or not, and say which package they lack."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import branchline
from branchline.env import EnvError
from golden_games import game_of

PROGRAM = """
import sys
import numpy as np
import pyspiel
import branchline.env.open_spiel
from branchline._plain import compiled
from branchline.env import Batch, aec, parallel
from branchline.env.gymnasium_envs import BranchlineGym

def lowest(mask):
    return int(np.asarray(mask).argmax())

def by_batch(board):
    batch = Batch(board, 1, keep_moves=True)
    step = batch.reset(11)
    while not step.ends[0]:
        step = batch.step(step.masks.argmax(axis=1))
    return batch.last_record(0)

def by_aec(board):
    env = aec(board)
    env.reset(seed=11)
    while not any(env.terminations.values()):
        env.step(lowest(env.last()[0]["action_mask"]))
    return env.record()

def by_parallel(board):
    env = parallel(board)
    shown, _ = env.reset(seed=11)
    while env.agents:
        shown, *_ = env.step({a: lowest(shown[a]["action_mask"]) for a in env.agents})
    return env.record()

def by_gymnasium(board):
    env = BranchlineGym(board, bots=["greedy"])
    _, info = env.reset(seed=11)
    over = False
    while not over:
        _, _, over, _, info = env.step(lowest(info["action_mask"]))
    return env.record()

def by_open_spiel(board):
    game = pyspiel.load_game("python_branchline", {"board": board, "deals": 2, "seed": "11"})
    state = game.new_initial_state()
    state.apply_action(0)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state.position.state

for board in ("new_york", "iberia"):
    for play in (by_batch, by_aec, by_parallel, by_gymnasium, by_open_spiel):
        played = play(board)
        print(play.__name__, played.hash if play is not by_open_spiel else played.hash())
print(compiled(), file=sys.stderr)
"""


def told(pure: str) -> tuple[list[tuple[str, str]], str]:
    """The hash of the last position of a game in each face."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "BRANCHLINE_PURE": pure},
        check=True,
        capture_output=True,
        text=True,
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    return [(name, state) for name, state in rows], done.stderr.split()[-1]


def test_all_faces_play_the_same_game_compiled_and_plain() -> None:
    played, _ = told("0")
    plain, compiled = told("1")
    assert compiled == "False"
    assert plain == played
    for part, board in ((played[:5], "new_york"), (played[5:], "iberia")):
        state = game_of(board, 2).start("11/0")
        while not state.over:
            seat = state.to_act[0]
            state.apply(seat, min(state.legal(seat)))
        same = {name: found == state.hash() for name, found in part}
        # Against a bot it is another game.
        assert same == {name: name != "by_gymnasium" for name, _ in part}


@pytest.mark.parametrize("package", ["numpy", "gymnasium", "pettingzoo"])
def test_a_missing_package_is_named_with_the_extra_that_has_it(package: str) -> None:
    program = f"""
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            return None
        return super().find_spec(name, path, target)

at = sys.meta_path.index(PathFinder)
sys.meta_path[at] = Without
import branchline, branchline.cli, branchline.env
branchline.Game("usa", 2).start(1)
try:
    branchline.env.aec
except branchline.env.EnvError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    install = 'install it with pip install "branchline[env]".'
    assert done.stdout == f"This needs the package {package}: {install}\n"


def test_only_what_is_there_can_be_imported() -> None:
    with pytest.raises(AttributeError, match="no attribute 'wonders'"):
        branchline.env.wonders  # noqa: B018
    assert issubclass(EnvError, branchline.BranchlineError)
