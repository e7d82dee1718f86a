"""Many games in one file: each can be played again, alone, by this version and by others."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import branchline
from branchline.bots import make_bot
from branchline.bots.session import play
from branchline.cli import make_app
from branchline.cli import run as command
from branchline.engine.errors import RecordError
from branchline.lab import records
from branchline.lab.errors import LabError
from branchline.lab.records import RecordsFile, RecordsWriter
from branchline.lab.requests import simulation
from branchline.lab.simulate.play import run

parquet = pytest.importorskip("pyarrow.parquet")

GAMES = 26


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of a simulation over all boards with all numbers of players."""
    folder = tmp_path_factory.mktemp("records") / "out"
    plan = simulation(None, [], None, "", GAMES, "r", 1.0, True, True)
    run(plan, "en", 1, str(folder))
    return folder


def replay(*words: str) -> Result:
    return CliRunner().invoke(make_app("en"), ["replay", *words], env={"COLUMNS": "100"})


def test_every_game_is_played_again_to_the_same_scores(kept: Path) -> None:
    seats = iter(parquet.read_table(kept / "seats.parquet").to_pylist())
    with RecordsFile(kept / "records.parquet") as games:
        assert len(games) == GAMES
        for game in games:
            rows = [next(seats) for _ in range(game.seats)]
            state = game.replay()
            assert state.outcome.scores == game.scores == [row["score"] for row in rows]
            assert state.outcome.winners == game.winners
            assert (game.board, game.number, game.seed) == (
                rows[0]["board"],
                rows[0]["game"],
                f"r/{game.number}",
            )
            assert game.bots == ["random"] * game.seats
            assert len(game.actions) == len(game.actors) == rows[0]["actions"]


def test_a_game_is_read_without_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "GROUP", 4)
    plan = simulation("new_york", [], 2, "", 11, "g", 1.0, True, False)
    run(plan, "en", 1, str(tmp_path / "out"))
    read: list[int] = []
    with RecordsFile(tmp_path / "out" / "records.parquet") as games:
        whole = games.file.read_row_group
        monkeypatch.setattr(games, "file", Counted(games.file, whole, read))
        assert [games[place].number for place in (9, 8, 3)] == [9, 8, 3]
        assert read == [2, 0]
        assert [game.number for game in games] == list(range(11))
        with pytest.raises(IndexError):
            games[11]


class Counted:
    """A Parquet file that notes which row groups are read."""

    def __init__(self, file: Any, whole: Any, read: list[int]) -> None:
        self.metadata, self.whole, self.read = file.metadata, whole, read
        self.close = file.close

    def read_row_group(self, group: int) -> Any:
        self.read.append(group)
        return self.whole(group)


def test_a_file_of_another_version_is_read_by_the_notation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then an action may have another number, or none."""
    game = branchline.Game("new_york", seats=2)
    state = game.start(seed=4)
    play(state, [make_bot("paths"), make_bot("greedy")], [1, 2], 1.0)
    monkeypatch.setattr(records, "VERSION", "0.0.1")
    true_text = game.action_text
    last = len(game.action_rules) - 1

    class Renumbered:
        """The game of a version that counted its actions backwards."""

        board, seats, action_rules = game.board, game.seats, game.action_rules

        @staticmethod
        def action_text(number: int) -> str:
            return true_text(last - number)

    moves = state.moves or []
    backwards = [(last - (move >> 3)) * 8 + (move & 7) for move in moves]
    path = tmp_path / "old.parquet"
    old: Any = Renumbered
    with RecordsWriter(path, [old]) as file:
        packed = array("I", backwards).tobytes()
        scores = state.outcome.scores
        file.add_moves([records.Moves(0, 0, "4", None, ["paths", "greedy"], scores, 1, packed)])
        wrong = [scores[0] + 1, scores[1]]
        file.add_moves([records.Moves(0, 1, "4", None, [], wrong, 1, packed)])
    monkeypatch.undo()
    with RecordsFile(path) as games:
        assert games[0].replay() == state
        with pytest.raises(RecordError, match=r"other_rules_text: engine=0\.0\.1"):
            games[1].replay()


def test_a_first_seat_that_was_fixed_is_kept(tmp_path: Path) -> None:
    game = branchline.Game("usa", seats=3)
    states = []
    for first in (0, 1, 2):
        state = game.start(seed=1, first=first)
        play(state, [make_bot("greedy")] * 3, [1, 2, 3], 1.0)
        states.append(state)
    with RecordsWriter(tmp_path / "games.parquet", [game]) as file:
        for number, state in enumerate(states):
            file.add(state, number)
    with RecordsFile(tmp_path / "games.parquet") as games:
        assert [each.replay() for each in games] == states
        assert games[2].replay(log=True).record() == states[2].record()


def test_a_board_of_ones_own_travels_with_its_games(tmp_path: Path) -> None:
    text = (Path(branchline.__file__).parent / "maps" / "new_york.toml").read_text("utf-8")
    board = tmp_path / "mine.toml"
    board.write_text(text.replace('id = "new_york"', 'id = "mine"', 1), encoding="utf-8")
    plan = simulation(str(board), [], 2, "paths,random", 2, "b", 1.0, True, False)
    run(plan, "en", 1, str(tmp_path / "out"))
    board.unlink()
    with RecordsFile(tmp_path / "out" / "records.parquet") as games:
        assert [game.board for game in games] == ["mine", "mine"]
        for game in games:
            game.replay()


def test_a_changed_row_is_refused(tmp_path: Path) -> None:
    game = branchline.Game("new_york", seats=2)
    with RecordsWriter(tmp_path / "games.parquet", [game]) as file:
        file.add_moves([records.Moves(0, 0, "1", None, [], [1, 2], 1, b"\xff\0\0\0")])
        file.add_moves([records.Moves(0, 1, "1", None, [], [1, 2], 1, b"")])
    with RecordsFile(tmp_path / "games.parquet") as games:
        with pytest.raises(RecordError, match="bad_action: number=1"):
            games[0].replay()
        with pytest.raises(RecordError, match="diverged"):
            games[1].replay()


def test_other_files_are_refused(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "text.parquet").write_text("dear diary")
    for path in (tmp_path / "text.parquet", kept / "games.parquet"):
        with pytest.raises(LabError, match="not_records"):
            RecordsFile(path)
    with pytest.raises(LabError, match="file_unreadable"):
        RecordsFile(tmp_path / "absent.parquet")


def test_the_command_shows_one_of_many_games(kept: Path, tmp_path: Path) -> None:
    file = str(kept / "records.parquet")
    shown = replay(file, "--game", "7", "--all-open")
    assert shown.exit_code == 0, shown.output
    with RecordsFile(file) as games:
        (tmp_path / "seven.json").write_text(games[7].replay().record().to_json(), "utf-8")
    assert shown.output == replay(str(tmp_path / "seven.json"), "--all-open").output
    for words in ([file], [file, "--game", str(GAMES)], [file, "--game", "-1"]):
        refused = replay(*words)
        assert refused.exit_code == 2
        assert f"choose one with --game, from 0 to {GAMES - 1}" in refused.stderr


def test_a_single_game_takes_no_number(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(branchline.Game("usa", seats=2).start(seed=1).record().to_json(), "utf-8")
    assert command(["replay", str(path), "--game", "0"]) == 2
