"""Compiled and plain Python agree to the bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import branchline
from branchline._plain import compiled
from branchline.core.rng import POLICY, seed_words, stream
from branchline.engine.playout import play_many
from branchline.engine.worlds import Worlds

SEEDS = 120
"""Games on each board and seat count; six boards with two to five seats make 2,520 in all."""


def settings() -> list[tuple[str, int]]:
    boards = [branchline.load_board(name) for name in branchline.builtin_boards()]
    return [(b.id, n) for b in boards for n in range(b.seats_min, b.seats_max + 1)]


def fingerprints(board: str, seats: int) -> dict[str, object]:
    """What `SEEDS` random games come to: columns of results, and the states of one of them."""
    game = branchline.Game(board, seats)
    games = play_many(game, SEEDS, "agree")
    state = game.start("agree", log=True)
    rng = stream(seed_words("agree"), 0, POLICY, 1)
    hashes: list[str] = []
    worlds: list[str] = []
    while not state.over:
        seat = state.to_act[0]
        if len(hashes) % 10 == 0:
            sampler = Worlds(state.view(seat))
            worlds.append(sampler.draw("even").hash())
            sampler.weigh([1.0 + int(k) % 7 for k in range(seats * game.layout.tickets)])
            worlds.append(sampler.draw("uneven").hash())
        legal = state.legal(seat)
        state.apply(seat, legal[rng.below(len(legal))])
        hashes.append(state.hash())
    return {
        "scores": list(games.scores),
        "winners": list(games.winners),
        "actions": list(games.actions),
        "turns": list(games.turns),
        "hashes": hashes,
        "record": state.record().to_json(),
        "view": state.view(0).to_dict(),
        "worlds": worlds,
        "text": branchline.write_game(state),
    }


@pytest.mark.skipif(not compiled(), reason="this run is plain Python: there is nothing to compare")
@pytest.mark.parametrize("board", branchline.builtin_boards())
def test_compiled_and_plain_python_play_the_same_games(board: str) -> None:
    plain = subprocess.run(
        [sys.executable, __file__, board],
        env=os.environ | {"BRANCHLINE_PURE": "1"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    said = json.loads(plain.stdout)
    assert said.pop("compiled") is False
    for name, seats in settings():
        if name == board:
            assert json.loads(json.dumps(fingerprints(name, seats))) == said[str(seats)]


if __name__ == "__main__":
    wanted = sys.argv[1]
    found: dict[str, object] = {"compiled": compiled()}
    for name, seats in settings():
        if name == wanted:
            found[str(seats)] = fingerprints(name, seats)
    print(json.dumps(found))
