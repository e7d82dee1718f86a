"""The boards that a server offers, and the rules that its page shows for each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from branchline.service.answers import BoardFacts
from branchline.service.tables.boards import Boards, board_facts, rules_in
from service.server import Party

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
        found = [rule.id for rule in rules_in(boards, "fr", board)]
        assert found == boards.rules[board]
        assert "BASE-7" in found


def test_a_board_of_ones_own_has_the_rules_that_it_cites(tmp_path: Path) -> None:
    boards = Boards([str(own_board(tmp_path))])
    found = {rule.id: rule.boards for rule in rules_in(boards, "en", "lakes")}
    assert {"BASE-1", "BASE-7", "BASE-8", "BASE-10"} <= set(found)
    assert all("lakes" in names for names in found.values())
    assert "NY-1" not in found


def test_cities_are_named_as_printed_or_in_the_readers_language() -> None:
    board = Boards().named("nordic")
    printed, local = board_facts(board, "fr"), board_facts(board, "fr", "fr")

    def names(facts: BoardFacts) -> set[str]:
        return {city.name for city in facts.city_list}

    assert "København" in names(printed)
    assert "Copenhague" not in names(printed)
    assert "Copenhague" in names(local)
    assert any("København" in ticket.name for ticket in printed.ticket_list)
    assert any("Copenhague" in ticket.name for ticket in local.ticket_list)
    assert not any("København" in route.track for route in local.route_list)
    assert printed.name == local.name == "Scandinavie"


@pytest.mark.anyio
async def test_each_reader_of_a_table_has_city_names_as_wished(party: Party) -> None:
    ann = await party.client("Ann")
    table = await ann.create("europe", bots=["easy"])
    europe = Boards().named("europe").cities
    for wish, shown in (("fr", ""), ("fr&cities=local", "fr"), ("en&cities=local", "en")):
        facts = await ann.ask("GET", f"/api/boards/europe?lang={wish}")
        assert [city["name"] for city in facts["city_list"]] == [c.named(shown) for c in europe]
        wrong = {c.named(other) for c in europe for other in ("", "en", "fr")}
        wrong -= {c.named(shown) for c in europe}
        async with ann.connected(table, lang=wish) as socket:
            assert socket.decision is not None
            offers = " ".join(offer["text"] for offer in socket.decision["offers"])
            named = {
                end for pair in re.findall(r"[^ ,]+–[^ ,]+", offers) for end in pair.split("–")
            }
            assert named
            assert not named & wrong
