"""The ticket sets of expansions, as overlays of the classic boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from branchline import Game
from branchline.core.board import Board
from branchline.core.mapfile import MapError, load_board
from branchline.rules.parameters import check_rules


def pairs(board: Board) -> dict[frozenset[str], int]:
    ids = [city.id for city in board.cities]
    return {frozenset((ids[t.a], ids[t.b])): t.points for t in board.tickets}


@pytest.mark.rule("US-2")
def test_usa_1910_has_its_35_tickets_and_none_of_the_first_30() -> None:
    board = load_board("usa", ["usa_1910"])
    new, old = pairs(board), pairs(load_board("usa"))
    assert len(new) == len(board.tickets) == 35
    assert not new.keys() & old.keys()
    assert new[frozenset(("las_vegas", "miami"))] == 21
    assert sum(new.values()) == 391
    assert check_rules(board) == []


@pytest.mark.rule("US-2")
def test_in_usa_1910_the_most_tickets_score_15_and_the_longest_path_nothing() -> None:
    game = Game("usa", 2, ["usa_1910"])
    assert game.rule_named("longest_path") is None
    state = game.start(seed=3)
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[-1])
    outcome = state.outcome
    most = max(outcome.tickets)
    for seat, lines in enumerate(outcome.lines):
        bonus = [(x.rule, x.points) for x in lines if x.what == "globetrotter"]
        assert bonus == ([("US-2", 15)] if outcome.tickets[seat] == most else [])
        assert not [x for x in lines if x.what == "longest_path"]


@pytest.mark.rule("EU-1")
def test_europe_1912_adds_19_short_tickets_and_keeps_the_rules() -> None:
    plain, board = load_board("europe"), load_board("europe", ["europe_1912"])
    old, new = pairs(plain), pairs(board)
    assert old.items() <= new.items()
    assert len(new) == 46 + 19
    assert sum(t.long for t in board.tickets) == 6
    assert sum(new.values()) - sum(old.values()) == 163
    assert [rule.params for rule in board.rules] == [rule.params for rule in plain.rules]
    assert check_rules(board) == []


@pytest.mark.parametrize("overlay", ["usa_1910", "europe_1912"])
def test_an_expansion_says_where_its_tickets_come_from(overlay: str) -> None:
    board = load_board(overlay.split("_")[0], [overlay])
    found = {p.part: p for p in board.provenance}
    assert found["tickets"].status == "exact"
    assert "transcriptions" in found["tickets"].source("en")
    assert board.digest != load_board(board.id).digest


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('without = ["ferries"]', "no rule ferries"),
        ("rules = [{ points = 3 }]", "an entry without its rule"),
    ],
)
def test_an_overlay_that_changes_rules_wrongly_is_refused(
    content: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'format = 1\noverlay_for = "usa"\n{content}\n', encoding="utf-8")
    with pytest.raises(MapError, match=said):
        load_board("usa", [str(file)])
