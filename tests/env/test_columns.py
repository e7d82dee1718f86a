"""Rows as columns: amounts are scaled, codes are one-hot."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from branchline.engine.encoding import Encoding
from branchline.env import Columns
from golden_games import TABLES, game_of, play


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_columns_say_what_rows_say(board: str, seats: int) -> None:
    encoding = Encoding(game_of(board, seats))
    columns = Columns(encoding)
    state = encoding.game.start(4)
    rng = random.Random(board)
    moves = play(state, "rare", rng)
    rows = [encoding.row(state, 0) for _ in moves if rng.random() < 0.1]
    found = columns(np.array(rows, np.int16))
    assert found.shape == (len(rows), columns.size)
    assert found.min() >= 0
    assert found.max() <= 1
    at = 0
    for f in encoding.fields:
        for k in range(f.offset, f.offset + f.size):
            numbers = np.array([row[k] for row in rows])
            if f.code and f.most < 16:
                part = found[:, at : at + f.most]
                assert np.array_equal(part @ np.arange(1, f.most + 1), numbers)
                assert (part.sum(axis=1) <= 1).all()
                at += f.most
            else:
                assert np.allclose(found[:, at] * f.most, numbers)
                at += 1
    assert at == columns.size == len(columns.names)


def test_columns_can_be_written_into_an_array() -> None:
    encoding = Encoding(game_of("usa", 2))
    columns = Columns(encoding)
    row = np.array(encoding.row(encoding.game.start(1), 0), np.int16)
    out = np.zeros(columns.size, np.float32)
    assert columns(row, out) is out
    assert np.array_equal(out, columns(row))


def test_the_guide_names_every_field_of_every_board() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "env.md").read_text("utf-8")
    named = set(
        re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (`.*?) \|", guide, re.MULTILINE)))
    )
    fields = {f.name for board, seats in TABLES for f in Encoding(game_of(board, seats)).fields}
    assert fields <= named
