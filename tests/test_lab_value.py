"""`branchline train-value`: the weights of a value, learned from games and written for bots."""

from __future__ import annotations

import struct
import tomllib
from pathlib import Path

import pytest

from branchline import Game
from branchline.bots.value import FEATURES
from branchline.lab.requests import lessons
from branchline.lab.run.line_up import make_line_up
from branchline.lab.tune.searched_games import COLUMNS, SearchedGames
from branchline.lab.tune.value_training import Trained, train, value_table, write_value


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(lessons("new_york", [], 2, 1000, "lessons"), 1, None)


def test_what_is_learned_explains_a_part_of_the_results(trained: Trained) -> None:
    assert len(trained.weights) == 2 * len(FEATURES)
    assert trained.games == 1000
    assert trained.positions > 1000
    assert 0.0 < trained.explained < 1.0


@pytest.mark.parametrize("seats", [2, 4])
def test_searched_games_teach_to_tell_candidates_apart(seats: int) -> None:
    """The same, whatever the number of processes."""
    wanted = lessons("new_york", [], seats, 300, "candidates", searched=10)
    trained = train(wanted, 1, None)
    before, after = trained.told_apart
    assert after > before
    assert after > 0.05
    assert train(wanted, 2, None) == trained
    assert value_table(trained)[1].startswith("# Then 10 searched games: ")


def test_candidates_in_one_world_differ_around_zero() -> None:
    game = Game("new_york", 2)
    value = SearchedGames(make_line_up(game.board, 2, []), "zero", [0.5] * 30, 12, 25.0)
    rows = list(struct.iter_unpack(f"{COLUMNS}d", value.begin()(0)))
    assert len(rows) > 50
    for column in zip(*rows, strict=True):
        assert sum(column) == pytest.approx(0.0, abs=1e-6)
    assert any(abs(row[0]) > 1 for row in rows)


def test_a_table_takes_the_place_of_the_older_one_and_leaves_the_others(
    trained: Trained, tmp_path: Path
) -> None:
    file = tmp_path / "board.toml"
    file.write_text("# Mine.\n\n[planner.2]\nnoise = 0.5\n\n[value.2]\nscale = 1.0\n", "utf-8")
    write_value(str(file), trained)
    write_value(str(file), trained)
    found = tomllib.loads(file.read_text("utf-8"))
    assert found["planner"] == {"2": {"noise": 0.5}}
    assert found["value"]["2"]["weights"] == trained.weights
    assert found["value"]["2"]["turns"] == 12
    assert file.read_text("utf-8").count("[value.2]") == 1
    assert value_table(trained)[1] == "[value.2]"
