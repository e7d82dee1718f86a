"""The boards that a server offers, and the rules that its page shows for each."""

from __future__ import annotations

from pathlib import Path

from branchline.service.boards import Boards, rules_in

LAKES = Path(__file__).parents[2] / "docs/maps.md"


def own_board(folder: Path) -> Path:
    """The board of the guide to writing boards."""
    text = LAKES.read_text(encoding="utf-8")
    file = folder / "lakes.toml"
    file.write_text(text.split("```toml\n", 1)[1].split("```", 1)[0], encoding="utf-8")
    return file


def test_each_board_has_its_rules_in_words() -> None:
    boards = Boards()
    for board in boards.by_name:
        found = [rule["id"] for rule in rules_in(boards, "fr", board)]
        assert found == boards.rules[board]
        assert "BASE-7" in found


def test_a_board_of_ones_own_has_the_rules_that_it_cites(tmp_path: Path) -> None:
    boards = Boards([str(own_board(tmp_path))])
    found = {rule["id"]: rule["boards"] for rule in rules_in(boards, "en", "lakes")}
    assert {"BASE-1", "BASE-7", "BASE-8", "BASE-10"} <= set(found)
    assert all("lakes" in names for names in found.values())
    assert "NY-1" not in found
