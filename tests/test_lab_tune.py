"""Tuning: the optimiser finds what is there, a run can be repeated and continued."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest

from branchline.cli import run as branchline
from branchline.lab.errors import LabError
from branchline.lab.requests import tuning
from branchline.lab.stats import Estimate
from branchline.lab.tune.evolution import Evolution
from branchline.lab.tune.ranges import RANGES, place_of, weights_at, whole
from branchline.lab.tune.trial import achieved
from branchline.lab.tune.tuning import Generation, Tuned, Tuning, run
from branchline.lab.tune.weights_file import with_table

pytest.importorskip("numpy")

SURE = Estimate(0.6, 0.55, 0.65)
UNSURE = Estimate(0.52, 0.49, 0.55)


def small(generations: int = 2, seed: str = "t") -> Tuning:
    against = "planner-1,planner,paths"
    return tuning("new_york", [], 2, against, "", (generations, 4, 1, 4), seed, 1.0)


# --- the optimiser ------------------------------------------------------------------------------


def test_the_optimiser_finds_a_top_under_noise() -> None:
    top = [2.0, -1.0, 0.5, 0.0, 1.0]
    rng = random.Random(1)
    search = Evolution(5, 40, "seed")
    for _ in range(25):
        tried = search.ask()
        far = [sum((x - t) ** 2 for x, t in zip(at, top, strict=True)) for at in tried]
        search.tell(tried, [-d + rng.gauss(0.0, 2.0) for d in far])
    assert sum((x - t) ** 2 for x, t in zip(search.mean, top, strict=True)) < 0.6


def test_the_optimiser_depends_on_seed_and_scores_alone() -> None:
    one, two, other = (Evolution(3, 8, seed) for seed in ("a", "a", "b"))
    for _ in range(3):
        assert one.ask() == two.ask() != other.ask()
        for search in (one, two, other):
            search.tell(search.ask(), [float(k % 3) for k in range(8)])


def test_weights_stay_in_their_ranges() -> None:
    start, names = whole({}), list(RANGES)
    for far in (-100.0, 100.0):
        found = weights_at([far] * len(names), names, start)
        assert all(RANGES[name].low <= found[name] <= RANGES[name].high for name in names)
    assert weights_at(place_of(start, names, start), names, start) == start
    assert weights_at([5.0], ["patience"], start) == {**start, "patience": 0.6}


def test_a_clear_game_tells_more_than_a_close_one() -> None:
    assert achieved([100, 50], 0, 1.0) > achieved([100, 99], 0, 1.0) > achieved([99, 100], 0, 0.0)
    assert achieved([50, 50, 50], 1, 1 / 3) == pytest.approx(0.5 / 3 + 0.25)


# --- a run --------------------------------------------------------------------------------------


def test_a_quick_run_tries_followers_and_confirms_with_planners() -> None:
    against = "planner,planner-1"
    plan = tuning("new_york", [], 2, against, "", (2, 4, 2, 4), "q", 1.0, quick=True)
    assert "block_weight" not in plan.names
    tuned = run(plan, "en", 1)
    assert run(plan, "en", 2) == tuned
    assert tuned.weights != whole({})
    assert tuned.weights["block_weight"] == plan.start["block_weight"]


def test_only_planners_can_be_replaced_by_followers() -> None:
    with pytest.raises(LabError, match="not_a_planner"):
        run(tuning("new_york", [], 2, "paths", "", (1, 4, 1, 2), "q", 1.0, quick=True), "en", 1)
    with pytest.raises(LabError, match="unknown_weight"):
        tuning("new_york", [], 2, "planner", "block_weight", (1, 4, 1, 2), "q", 1.0, quick=True)


def test_a_run_is_the_same_with_any_number_of_processes_and_when_continued(tmp_path: Path) -> None:
    plan, folder = small(), str(tmp_path / "run")
    first = run(plan, "en", 1)
    assert first.weights != whole({})
    assert run(plan, "en", 2, folder=folder) == first
    scores = tmp_path / "run" / "scores.jsonl"
    kept = scores.read_bytes()
    scores.write_bytes(kept[: len(kept) - 3])  # ended in the middle of a line
    seen: list[Generation] = []
    assert run(plan, "en", 1, folder=folder, watch=seen.append) == first
    assert scores.read_bytes() == kept
    assert [g.number for g in seen] == [1, 2]


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    run(small(1), "en", 1, folder=str(tmp_path))
    with pytest.raises(LabError, match="other_settings"):
        run(small(2), "en", 1, folder=str(tmp_path))


def test_a_run_starts_at_the_weights_of_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "new_york.toml").write_text("[planner.2]\npatience = 0.25\n", encoding="utf-8")
    monkeypatch.setenv("BRANCHLINE_BOT_DATA", str(tmp_path))
    plan = small()
    assert plan.start == {**whole({}), "patience": 0.25}
    assert [bot.partition(":")[0] for bot in plan.line_up.bots] == ["planner-1", "planner", "paths"]
    assert "patience=0.25" in plan.line_up.bots[1]


# --- files --------------------------------------------------------------------------------------


def found(seats: int, card_value: float, start: Estimate = SURE) -> Tuned:
    weights = whole({"card_value": card_value})
    return Tuned("usa", seats, weights, start, SURE, 400, "7")


def test_only_a_clear_result_counts_as_better() -> None:
    assert found(2, 0.5).better
    assert not found(2, 0.5, UNSURE).better


def test_a_table_is_replaced_and_others_stay_to_the_letter() -> None:
    value = "# searched\n[value.2]\nbias = 1.50 # as it is\n"
    text = with_table(
        with_table(with_table("", found(3, 0.7)), found(2, 0.5)) + value, found(4, 0.4)
    )
    again = with_table(text, found(3, 0.8))
    assert value.strip() in again
    assert again.startswith("# What the bots have learned")
    data = tomllib.loads(again)
    assert data["planner"] == {
        "3": {"card_value": 0.8}, "2": {"card_value": 0.5}, "4": {"card_value": 0.4},
    }  # fmt: skip
    assert again.count("against planner-1") == 3
    assert again.replace("0.8", "0.7") == text


def test_the_command_writes_nothing_without_proof(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "weights.toml"
    options = "--map new_york --generations 1 --candidates 4 --blocks 1 --confirm 2 --processes 1"
    assert branchline(["tune", *options.split(), "--write", str(path)]) == 0
    said = capsys.readouterr()
    assert "[planner.2]" in said.out
    assert "Generation 1 of 1" in said.err
    assert path.exists() == ("Better" in said.out)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--weights", "wings"], "no weight wings"),
        (["--candidates", "3"], "Choose 4 to"),
        (["--against", "nobody"], "nobody"),
    ],
)
def test_the_command_says_what_is_wrong(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert branchline(["tune", "--map", "new_york", *options]) == 2
    assert said in capsys.readouterr().err
