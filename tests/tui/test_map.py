"""The board in characters: everything is on it, nothing covers anything, and it tells the state."""

from __future__ import annotations

import pytest

from branchline import Game, builtin_boards
from branchline.engine.describe import Words
from branchline.tui.character_map import CharacterMap
from branchline.tui.map_layout import MapLayout, layout_of
from positions import Position
from tui.sitting import after_opening

BOARDS = builtin_boards()
SMALL, MIDDLE, LARGE = (50, 20), (75, 36), (140, 56)  # on screens of 80×24, 120×40, 200×60


def layout(board: str, size: tuple[int, int], lang: str = "en") -> MapLayout:
    return layout_of(Words(Game(board, 2), lang, cities=lang), *size)


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE])
@pytest.mark.parametrize("board", BOARDS)
def test_names_signs_and_cities_do_not_cover_each_other(board: str, size: tuple[int, int]) -> None:
    found = layout(board, size)
    cells = list(found.cities)
    for sign in [*found.labels, *found.signs]:
        cells += sign.cells() if sign is not None else []
    assert len(cells) == len(set(cells))
    assert all(0 <= x < size[0] and 0 <= y < size[1] for x, y in cells)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("board", BOARDS)
def test_every_city_is_named_even_on_the_smallest_screen(board: str, lang: str) -> None:
    names = [city.named(lang) for city in Game(board, 2).board.cities]
    for size in (SMALL, MIDDLE):
        labels = layout(board, size, lang).labels
        assert all(label is not None and label.size >= 3 for label in labels)
    labels = layout(board, LARGE, lang).labels
    cut = [n for n, label in zip(names, labels, strict=True) if label and label.size < len(n)]
    assert cut == [], "on a large screen all names are whole"


@pytest.mark.parametrize("board", BOARDS)
def test_routes_have_their_signs_nearly_everywhere(board: str) -> None:
    missing = [layout(board, size).signs.count(None) for size in (SMALL, MIDDLE, LARGE)]
    assert missing[0] <= 6
    assert missing[1:] == [0, 0]


@pytest.mark.parametrize("board", BOARDS)
def test_every_track_is_drawn(board: str) -> None:
    assert all(layout(board, SMALL).tracks)


def drawn(p: Position) -> str:
    words = Words(p.game, "en", viewer=0)
    return CharacterMap(p.s.view(0), words, *LARGE).text().plain


def test_signs_tell_colour_length_reach_and_owner_without_colours() -> None:
    p = Position("usa", seats=2, log=True)
    p.hand(0, blue=5)
    text = drawn(p)
    assert "B5" in text, "Atlanta–Miami can be claimed with what is in the hand"
    assert "r6" in text
    assert "R6" not in text
    p.own(1, "atlanta-miami")
    text = drawn(p)
    assert "B5" not in text
    assert "#2" in text


def test_the_twin_of_a_claimed_route_is_left_out_when_it_is_closed() -> None:
    p = Position("usa", seats=2, log=True)
    p.hand(0)
    before = drawn(p).count("r4")
    p.hand(0, red=4)
    p.act("claim denver-oklahoma_city red")
    assert p.s.view(0).owner(p.route("denver-oklahoma_city")) == 0
    assert drawn(p).count("r4") == before - 1


def test_the_cities_of_ones_tickets_are_filled() -> None:
    state = after_opening("nordic")
    view = state.view(0)
    text = CharacterMap(view, Words(state.game, "en", viewer=0), *LARGE).text().plain
    ends = {c for k in view.tickets for t in [view.game.board.tickets[k]] for c in (t.a, t.b)}
    assert text.count("●") == len(ends)
    assert text.count("○") == len(view.game.board.cities) - len(ends)


def test_a_map_keeps_about_the_proportions_of_the_board() -> None:
    found = layout("nordic", (200, 40))
    assert max(x for x, _ in found.cities) - min(x for x, _ in found.cities) < 190
