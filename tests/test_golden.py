"""The games in `golden/`, replayed line by line: what was played once must stay playable."""

from __future__ import annotations

import re

import pytest

from branchline import parse_action, read_game, write_game
from golden_games import FOLDER, TABLES, game_of, shows


def read(board: str, seats: int) -> str:
    return (FOLDER / f"{board}_{seats}.txt").read_text(encoding="utf-8")


def plain(text: str) -> list[str]:
    """The lines without comments."""
    lines = [line.split(";", 1)[0].rstrip() for line in text.splitlines()]
    return [line for line in lines if line]


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_a_golden_game_is_replayed_line_by_line(board: str, seats: int) -> None:
    text = read(board, seats)
    setting = dict(line.split(" ", 1) for line in plain(text) if not line[0].isdigit())
    game = game_of(board, seats)
    assert setting["board"] == f"{board} {game.board.digest[:16]}"
    assert setting["seats"] == str(seats)
    state = game.start(setting["seed"])
    for number, line in enumerate(text.splitlines(), 1):
        if line[:1].isdigit():
            seat, said = line.split(";", 1)[0].strip().split(" ", 1)
            assert not state.over, number
            action = parse_action(game, said)
            assert state.why_not(int(seat), action) is None, f"line {number}: {line}"
            state.apply(int(seat), action)
    assert state.over
    assert state.hash() == setting["hash"]
    comments = re.findall(r"^; (\w+) (.*)$", text, re.MULTILINE)
    found = {key: list(map(int, rest.split())) for key, rest in comments}
    assert found == {"scores": state.outcome.scores, "winners": state.outcome.winners}
    assert plain(write_game(state)) == plain(text)


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_a_golden_game_shows_what_is_special_to_its_board(board: str, seats: int) -> None:
    text = read(board, seats)
    assert shows(text, board)
    assert plain(write_game(read_game(text))) == plain(text)


def test_there_is_one_golden_game_for_each_board_and_number_of_seats() -> None:
    names = {f"{board}_{seats}.txt" for board, seats in TABLES}
    assert {path.name for path in FOLDER.iterdir()} == names
