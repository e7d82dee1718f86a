"""Simulations: the same games on any number of processes, and after being killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import branchline
from branchline._plain import compiled
from branchline.engine.playout import play_many
from branchline.lab.errors import LabError
from branchline.lab.requests import simulation
from branchline.lab.run.worker_pool import batches
from branchline.lab.simulate.play import run
from branchline.lab.simulate.results_folder import ResultsFolder
from branchline.lab.simulate.simulation import Simulation

COMMAND = """
import sys, typer
from branchline.lab.commands import add_commands
app = typer.Typer()
add_commands(app, "en")
sys.exit(typer.main.get_command(app).main(sys.argv[1:], standalone_mode=False))
"""


def plan(games: int = 40, seed: str = "t", bots: str = "paths,hungry", **more: Any) -> Simulation:
    settings = {"seats": None, "records": False, "all_boards": False, **more}
    return simulation("new_york", [], bots=bots, games=games, seed=seed, seconds=1.0, **settings)


def lab(*words: str) -> list[str]:
    return [sys.executable, "-c", COMMAND, *words]


def tables(folder: Path) -> list[Any]:
    parquet = pytest.importorskip("pyarrow.parquet")
    return [parquet.read_table(folder / name) for name in ("seats.parquet", "games.parquet")]


# One game after the other


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_the_number_of_processes_changes_nothing(processes: int) -> None:
    whole = plan(games=30)
    found: dict[int, Any] = {}
    for batch in batches(whole, whole.ranges(), processes):
        found.update(enumerate(batch.results, batch.first))
    play = whole.begin()
    assert found == {number: play(number) for number in range(30)}


def test_a_game_depends_on_its_seed_and_number_alone() -> None:
    one, two = plan(games=5).begin(), plan(games=50).begin()
    assert one(4) == two(4)
    assert one(4).result.seed == "t/4"
    assert plan(games=5, seed="u").begin()(4).result != one(4).result


def test_a_line_up_of_random_bots_plays_the_games_of_the_engine() -> None:
    play = plan(games=20, bots="", seats=3).begin()
    many = play_many(branchline.Game("new_york", 3), 20, "t")
    for number in range(20):
        result = play(number).result
        assert [s.score for s in result.seats] == list(many.scores[3 * number : 3 * number + 3])
        assert result.winners == many.winners[number]
        assert (result.actions, result.turns) == (many.actions[number], many.turns[number])


def test_kept_moves_of_random_games_are_of_the_same_games() -> None:
    kept = plan(games=3, bots="", seats=2, records=True).begin()
    fast = plan(games=3, bots="", seats=2).begin()
    assert [kept(k).result for k in range(3)] == [fast(k).result for k in range(3)]


def test_the_points_by_source_add_up_to_the_score() -> None:
    play = plan().begin()
    for number in range(5):
        for seat in play(number).result.seats:
            assert sum(seat.points.values()) == seat.score


def test_all_boards_and_numbers_of_players_share_the_games() -> None:
    whole = simulation(None, [], None, "", 100, "1", 1.0, False, True)
    boards = {line_up.board for line_up in whole.line_ups}
    assert boards == set(branchline.builtin_boards())
    assert sum(whole.games) == 100
    assert max(whole.games) - min(whole.games) <= 1
    summaries = run(whole, "en", 1)
    assert [summary.games for summary in summaries] == list(whole.games)


def test_a_summary_is_the_same_however_it_was_counted() -> None:
    one, two = (run(plan(), "en", processes)[0].to_dict() for processes in (1, 2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    assert one["games"] == 40
    assert sum(two["win_share"]) == pytest.approx(1.0)  # type: ignore[call-overload]


# In a folder


def test_the_tables_have_a_row_for_each_seat_and_each_game(tmp_path: Path) -> None:
    [summary] = run(plan(), "en", 1, str(tmp_path / "out"))
    seats, games = tables(tmp_path / "out")
    assert (seats.num_rows, games.num_rows) == (80, 40)
    assert not (tmp_path / "out" / "parts").exists()
    rows = seats.to_pylist()
    assert sum(row["score"] for row in rows if row["seat"] == 0) == summary.total[0]
    for row in rows:
        assert sum(v for k, v in row.items() if k.startswith("points_")) == row["score"]
    settings = json.loads(seats.schema.metadata[b"branchline"])
    assert settings["seed"] == "t"
    assert settings["tables"][0]["bots"] == ["paths", "hungry"]
    assert games.schema.metadata == seats.schema.metadata
    for row in games.to_pylist():
        shares = [r["win_share"] for r in rows if r["game"] == row["game"]]
        assert sum(shares) == pytest.approx(1.0)
        assert row["winners"] == sum(1 << k for k, share in enumerate(shares) if share)
        assert row["seed"] == f"t/{row['game']}"


def test_a_finished_folder_gives_its_summary_again(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    folder = str(tmp_path / "out")
    first = run(plan(), "en", 1, folder)[0].to_dict()
    again = run(plan(), "en", 1, folder)[0].to_dict()
    assert {**first, "seconds": 0} == {**again, "seconds": 0}


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"seed": "u"}, "seed: t ≠ u"),
        ({"games": 41}, "games: 40 ≠ 41"),
        ({"bots": "paths,greedy"}, "bots: paths,hungry ≠ paths,greedy"),
        ({"records": True}, "records"),
    ],
)
def test_a_folder_takes_no_other_settings(
    tmp_path: Path, other: dict[str, Any], named: str
) -> None:
    pytest.importorskip("pyarrow")
    ResultsFolder(str(tmp_path / "out"), plan())
    with pytest.raises(LabError, match=r"other_settings") as caught:
        ResultsFolder(str(tmp_path / "out"), plan(**other))
    assert named in caught.value.text("en")


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(LabError, match="folder_in_use"):
        ResultsFolder(str(tmp_path), plan())
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_a_damaged_part_is_played_again(tmp_path: Path) -> None:
    run(plan(), "en", 1, str(tmp_path / "whole"))
    store = ResultsFolder(str(tmp_path / "out"), plan())
    play = plan().begin()
    store.add(0, [play(k) for k in range(10)])
    store.add(20, [play(k) for k in range(20, 25)])
    damaged = next((tmp_path / "out" / "parts").glob("*020-*"))
    damaged.write_bytes(damaged.read_bytes()[:-3])
    run(plan(), "en", 1, str(tmp_path / "out"))
    assert tables(tmp_path / "out") == tables(tmp_path / "whole")


def test_parts_that_overlap_count_once(tmp_path: Path) -> None:
    run(plan(), "en", 1, str(tmp_path / "whole"))
    store = ResultsFolder(str(tmp_path / "out"), plan())
    play = plan().begin()
    for first, last in ((0, 10), (5, 15), (6, 9), (30, 40)):
        store.add(first, [play(k) for k in range(first, last)])
    assert store.missing() == [range(15, 30)]
    run(plan(), "en", 1, str(tmp_path / "out"))
    assert tables(tmp_path / "out") == tables(tmp_path / "whole")


# Interrupted


@pytest.fixture
def under_way(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A simulation of its own, with several parts written and not finished."""
    pytest.importorskip("pyarrow")
    words = lab("simulate", "--map", "new_york", "--bots", "paths,hungry", "--seed", "k")
    words += ["--games", str(GAMES), "--processes", "2", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + 60
    parts = tmp_path / "out" / "parts"
    while time.monotonic() < end and len(list(parts.glob("*-*.msgpack"))) < 3:
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.005)
    yield process
    if process.poll() is None:
        process.kill()
        process.communicate()


GAMES = 1500 if compiled() else 60


def test_after_kill_9_the_same_command_gives_the_same_tables(
    tmp_path: Path, under_way: subprocess.Popen[str]
) -> None:
    os.kill(under_way.pid, signal.SIGKILL)
    under_way.communicate()
    assert under_way.returncode == -signal.SIGKILL
    assert not (tmp_path / "out" / "games.parquet").exists()
    done = ResultsFolder(str(tmp_path / "out"), killed := plan(games=GAMES, seed="k"))
    missing = sum(len(items) for items in done.missing())
    assert 0 < missing < GAMES
    run(killed, "en", 1, str(tmp_path / "out"))
    run(killed, "en", 1, str(tmp_path / "whole"))
    assert tables(tmp_path / "out") == tables(tmp_path / "whole")
    for name in ("seats.parquet", "games.parquet"):
        one, two = (tmp_path / folder / name for folder in ("out", "whole"))
        assert one.read_bytes() == two.read_bytes()


def test_ctrl_c_keeps_what_was_played_and_leaves_no_process(
    tmp_path: Path, under_way: subprocess.Popen[str]
) -> None:
    os.killpg(under_way.pid, signal.SIGINT)
    error = under_way.communicate(timeout=30)[1]
    assert "goes on from here" in error
    assert "Traceback" not in error.partition("goes on from here")[0]
    store = ResultsFolder(str(tmp_path / "out"), plan(games=GAMES, seed="k"))
    assert sum(len(items) for items in store.missing()) < GAMES
    end = time.monotonic() + 10
    while group_lives(under_way.pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not group_lives(under_way.pid)


def group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
