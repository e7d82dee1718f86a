"""The ladder: every bot in every block, the same result however often it was broken off."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from branchline._plain import compiled
from branchline.bots.registry import make_bot, own_bots
from branchline.cli import run as run_command
from branchline.lab.arena.contest import Contest
from branchline.lab.arena.contest import run as run_contest
from branchline.lab.arena.ladder import (
    LadderBlock,
    LadderResult,
    analyse,
    block_seatings,
    run,
)
from branchline.lab.arena.standings import analyse as analyse_contest
from branchline.lab.errors import LabError
from branchline.lab.report.ladder_page import ladder_page, markdown
from branchline.lab.requests import ladder
from branchline.lab.run.parts_folder import PartsFolder
from test_lab_reports import Page

pytest.importorskip("numpy")
pytest.importorskip("jinja2")

BOTS = ["paths", "greedy", "random"]
LONG = 120 if compiled() else 6
"""Blocks of a ladder that takes a second or two."""


def plan(blocks: int = 2, **other: Any) -> Any:
    settings = {"bots": BOTS, "boards": "new_york", "seats": "2,3", "seed": "t", "seconds": 1.0}
    return ladder(**{**settings, **other, "blocks": blocks})


def games_of(blocks: list[LadderBlock]) -> list[Any]:
    """What does not depend on the speed of the machine."""
    return [block.games for block in blocks]


@pytest.mark.parametrize(("bots", "seats"), [(3, 3), (4, 3), (7, 3), (9, 4), (7, 5), (5, 5)])
def test_every_bot_sits_at_every_place_of_its_group_in_every_block(bots: int, seats: int) -> None:
    met = set()
    for block in range(30):
        found = block_seatings(bots, seats, f"s/{block}")
        assert len(found) == -(-bots // seats) * seats
        assert {k for seating in found for k in seating} == set(range(bots))
        for seating in found:
            assert len(set(seating)) == seats
            assert seating[1:] + seating[:1] in found
            met |= {(a, b) for a in seating for b in seating if a != b}
    assert len(met) == bots * (bots - 1), "all have met"
    assert block_seatings(bots, seats, "s/1") == block_seatings(bots, seats, "s/1")


def test_two_seats_are_rated_as_in_the_arena() -> None:
    whole = plan(4, seats="2")
    blocks = run(whole, "en", 1)
    contest = Contest(whole.tables[0], 4, "t", 1.0)
    arena = analyse_contest(contest, run_contest(contest, "en", 1))
    [table] = analyse(whole, blocks, "", "").tables
    assert [(r.bot, r.rating, r.wins) for r in table.rungs] == [
        (s.bot, s.rating, s.wins) for s in arena.standings
    ]


def test_a_ladder_that_was_broken_off_ends_like_one_that_was_not(tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    process = subprocess.Popen([sys.executable, __file__, folder])
    parts = tmp_path / "out" / "parts"
    end = time.monotonic() + 60
    while time.monotonic() < end and not list(parts.glob("*.msgpack")):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = store(folder, plan(LONG))
    assert 0 < sum(len(items) for items in kept.missing()) < 2 * LONG
    again = run(plan(LONG), "en", 1, folder)
    assert games_of(again) == games_of(run(plan(LONG), "en", 1))
    assert run(plan(LONG), "en", 1, folder) == again, "nothing is played or timed a second time"


def store(folder: str, whole: Any) -> PartsFolder[LadderBlock]:
    decoder = msgspec.msgpack.Decoder(list[LadderBlock])
    return PartsFolder(folder, whole.settings(), whole.items, decoder)


def test_gaps_are_filled(tmp_path: Path) -> None:
    whole = run(plan(3), "en", 1)
    kept = store(str(tmp_path / "out"), plan(3))
    kept.add(1, whole[1:3])
    kept.add(2, whole[2:4])
    kept.add(5, whole[5:6])
    assert kept.missing() == [range(1), range(4, 5)]
    assert games_of(run(plan(3), "en", 1, str(tmp_path / "out"))) == games_of(whole)
    assert kept.missing() == []


def test_blocks_can_be_added_and_other_settings_are_refused(tmp_path: Path) -> None:
    first = run(plan(1), "en", 1, str(tmp_path / "out"))
    more = run(plan(2), "en", 1, str(tmp_path / "out"))
    assert more[:2] == first
    assert games_of(more) == games_of(run(plan(2), "en", 1))
    fewer = run(plan(1), "en", 1, str(tmp_path / "out"))
    assert fewer == first
    others: list[dict[str, Any]] = [{"bots": BOTS[:2]}, {"seed": "u"}, {"seconds": 2.0}]
    for other in [*others, {"boards": "usa"}, {"seats": "2"}]:
        with pytest.raises(LabError, match="other_settings"):
            run(plan(1, **other), "en", 1, str(tmp_path / "out"))


def test_a_damaged_part_is_played_again(tmp_path: Path) -> None:
    whole = run(plan(2), "en", 1, str(tmp_path / "out"))
    part = min((tmp_path / "out" / "parts").glob("*.msgpack"))
    part.write_bytes(part.read_bytes()[:-20])
    assert games_of(run(plan(2), "en", 1, str(tmp_path / "out"))) == games_of(whole)


@pytest.fixture(scope="module")
def result() -> LadderResult:
    whole = plan(3)
    return analyse(whole, run(whole, "en", 1), "abc123", "branchline ladder --blocks 3")


def test_the_result_has_ratings_shares_and_times(result: LadderResult) -> None:
    assert [(t.board, t.seats, t.games) for t in result.tables] == [
        ("new_york", 2, 18),
        ("new_york", 3, 9),
    ]
    assert result.games == 27
    assert [rung.bot for rung in result.rungs][-1] == "random"
    ordered = [rung.rating.value for rung in result.rungs]
    assert ordered == sorted(ordered, reverse=True)
    assert sum(rung.rating.value for rung in result.rungs) == pytest.approx(0, abs=1e-6)
    times = {time.bot: time for time in result.times}
    assert times.keys() == set(BOTS)
    for time_of in times.values():
        assert time_of.decisions > 50
        assert 0 <= time_of.mean <= time_of.slowest


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_reports_name_all_of_it(result: LadderResult, lang: str) -> None:
    text = markdown(result, lang)
    page = Page(ladder_page(result, lang)).text
    for word in [*BOTS, "New York", "abc123", "branchline ladder --blocks 3"]:
        assert word in text
        assert word in page
    lines = text.splitlines()
    assert sum(line.startswith("| `") for line in lines) == 3 * 3


def test_the_command_writes_what_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["--json", str(tmp_path / "a.json"), "--html", str(tmp_path / "a.html")]
    options = ["--boards", "new_york", "--seats", "2", "--blocks", "2", "--processes", "1"]
    assert run_command(["ladder", "random", "greedy", *options, *files]) == 0
    assert "ms a move" in capsys.readouterr().out
    found = msgspec.json.decode((tmp_path / "a.json").read_bytes(), type=LadderResult)
    assert found.blocks == 2
    assert found.command.startswith(Path(sys.argv[0]).name)
    assert run_command(["ladder", "random,greedy", *options, "--markdown", "-"]) == 0
    assert capsys.readouterr().out.startswith("| bot |")
    for wrong in (["--seats", "two"], ["--seats", "9"], ["--boards", "mars"], ["--blocks", "0"]):
        assert run_command(["ladder", "random", "greedy", *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_all_bots_of_ours_climb_unless_told_otherwise() -> None:
    names = ladder([], "new_york", "2", 1, "1", 1.0).bots
    assert list(names) == own_bots()
    assert {"random", "planner", "easy", "normal"} <= set(names)
    assert "hard" not in names, "it is the planner"
    for name in names:
        make_bot(name)


if __name__ == "__main__":
    run(plan(LONG), "en", 2, sys.argv[1])
