"""The pictures of the boards: nothing covers anything, and what is fixed by hand stays."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import branchline.drawing
from branchline.core.board import Board
from branchline.core.mapfile import board_from_data, builtin_boards, load_board
from branchline.drawing.coast import BEYOND
from branchline.drawing.drawings import (
    FOLDER,
    drawing_for,
    fits,
    make_drawing,
    moods,
    stored_drawing,
    tuned_drawing,
)
from branchline.drawing.file_format import Drawing, read_drawing, write_drawing
from branchline.drawing.geometry import bar, flat_bar, overlap
from branchline.drawing.labels import names_of, text_width
from branchline.drawing.layout_check import check_drawing
from branchline.drawing.svg import draw_svg
from branchline.drawing.symbols import PAINTS, SYMBOLS

BOARDS = builtin_boards()


@cache
def board_of(name: str) -> Board:
    return load_board(name)


def drawing_of(name: str) -> Drawing:
    drawing = stored_drawing(name)
    assert drawing is not None
    return drawing


def changed(drawing: Drawing, *path: str | int, to: Any) -> Drawing:
    """The drawing with one value replaced."""
    data = msgspec.to_builtins(drawing)
    part = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return msgspec.convert(data, Drawing)


def kinds(name: str, drawing: Drawing) -> set[str]:
    return {problem.kind for problem in check_drawing(board_of(name), drawing)}


@pytest.mark.parametrize("name", BOARDS)
def test_on_the_picture_of_a_board_nothing_covers_anything(name: str) -> None:
    assert check_drawing(board_of(name), drawing_of(name)) == []


@pytest.mark.parametrize("name", BOARDS)
def test_a_stored_drawing_is_of_the_board_as_it_is(name: str) -> None:
    board, drawing = board_of(name), drawing_of(name)
    assert drawing.digest == board.digest
    assert fits(drawing, board)
    assert drawing_for(board) is drawing
    assert drawing.palettes == moods().palettes[drawing.mood]


@pytest.mark.parametrize("name", BOARDS)
def test_no_routes_cross_and_the_file_is_small(name: str) -> None:
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert drawing_of(name).crossings == []
    assert len(text) < 72_000
    assert write_drawing(read_drawing(text)) == text


@pytest.mark.parametrize("name", BOARDS)
def test_labels_have_room_for_the_names_in_all_languages(name: str) -> None:
    for city in board_of(name).cities:
        label = drawing_of(name).cities[city.id].label
        assert label.lines.keys() == names_of(city).keys()
        for lang, known in names_of(city).items():
            lines = label.lines[lang]
            assert "".join(lines).replace(" ", "") == known.replace(" ", "")
            assert max(map(text_width, lines)) <= label.box[2] + 0.1
            assert len(lines) * 15 <= label.box[3] + 2


@pytest.mark.parametrize("name", BOARDS)
def test_furniture_stands_for_what_the_rules_keep_on_the_map(name: str) -> None:
    rules = {entry.name: entry.params for entry in board_of(name).rules}
    places = drawing_of(name).places
    expected: list[Any] = []
    if "festivals" in rules:
        sets: Any = rules["festivals"]["sets"]
        expected += [("festivals", item["id"], item["cities"]) for item in sets]
    if "attractions" in rules:
        cities: Any = rules["attractions"]["cities"]
        expected += [("attractions", city, [city]) for city in cities]
    assert [(p.rule, p.id, p.cities) for p in places] == expected


def test_the_check_sees_a_city_that_was_moved() -> None:
    drawing = drawing_of("usa")
    other = drawing.cities["santa_fe"]
    moved = changed(drawing, "cities", "omaha", "x", to=other.x + 3.0)
    moved = changed(moved, "cities", "omaha", "y", to=other.y)
    assert {"dot over dot", "routes cross"} <= kinds("usa", moved)


def test_the_check_sees_a_label_upon_a_space_a_label_and_a_dot() -> None:
    drawing = drawing_of("usa")
    x, y, _ = drawing.routes[0].spaces[0]
    upon_space = changed(drawing, "cities", "boston", "label", "box", to=[x - 30, y - 8, 60, 16])
    assert "space over label" in kinds("usa", upon_space)
    box = list(drawing.cities["miami"].label.box)
    upon_label = changed(drawing, "cities", "boston", "label", "box", to=box)
    assert "label over label" in kinds("usa", upon_label)
    city = drawing.cities["miami"]
    upon_dot = changed(
        drawing, "cities", "boston", "label", "box", to=[city.x - 20, city.y - 5, 40, 10]
    )
    assert "label over dot" in kinds("usa", upon_dot)


def test_the_check_sees_spaces_askew_upon_each_other_and_outside() -> None:
    drawing = drawing_of("usa")
    twin = next(r for r in board_of("usa").routes if r.twin > r.index)
    x, y, angle = drawing.routes[twin.index].spaces[0]
    path = ("routes", int(twin.index), "spaces", 0)
    assert kinds("usa", changed(drawing, *path, to=[x, y, angle + 20])) >= {"double not parallel"}
    assert "space over space" in kinds(
        "usa", changed(drawing, *path, to=list(drawing.routes[twin.twin].spaces[0]))
    )
    assert "space outside" in kinds("usa", changed(drawing, *path, to=[-5.0, y, angle]))


def test_the_check_sees_that_pieces_are_wider_than_their_spaces() -> None:
    drawing = drawing_of("usa")
    twin = next(r for r in board_of("usa").routes if r.twin > r.index)
    x, y, angle = drawing.routes[twin.index].spaces[0]
    u, v, _ = drawing.routes[twin.twin].spaces[0]
    nearer = [x + (u - x) / 6, y + (v - y) / 6, angle]  # 15 from the other, not 18
    near = changed(drawing, "routes", int(twin.index), "spaces", 0, to=nearer)
    assert kinds("usa", near) == {"piece over piece", "double not parallel"}


def test_the_check_sees_a_bend_across_another_route() -> None:
    drawing = drawing_of("usa")
    k = next(
        i for i, place in enumerate(drawing.routes) if place.between == ("calgary", "winnipeg")
    )
    south = drawing.cities["denver"]
    bent = changed(drawing, "routes", k, "bend", to=[[south.x, south.y + 200]] * 2)
    assert "routes cross" in kinds("usa", bent)


def test_what_is_fixed_stays_and_the_rest_gives_way() -> None:
    board, drawing = board_of("new_york"), drawing_of("new_york")
    soho = drawing.cities["soho"]
    moved = changed(drawing, "cities", "soho", "x", to=soho.x - 12.0)
    moved = changed(moved, "cities", "soho", "fixed", to=True)
    k = next(i for i, r in enumerate(drawing.routes) if r.between == ("chelsea", "gramercy_park"))
    moved = changed(moved, "routes", k, "fixed", to=True)
    tuned = tuned_drawing(board, moved)
    assert tuned.cities["soho"].fixed
    assert tuned.routes[k].fixed
    # The frame may move all alike; between fixed things nothing changes.
    for axis in (0, 1):
        before = moved.routes[k].bend[0][axis] - (soho.x - 12.0, soho.y)[axis]
        after = (
            tuned.routes[k].bend[0][axis]
            - (
                tuned.cities["soho"].x,
                tuned.cities["soho"].y,
            )[axis]
        )
        assert after == pytest.approx(before, abs=0.2)
    assert check_drawing(board, tuned) == []


def test_a_label_fixed_by_its_text_keeps_its_place_beside_the_dot() -> None:
    board, drawing = board_of("new_york"), drawing_of("new_york")
    city = drawing.cities["brooklyn"]
    left = changed(drawing, "cities", "brooklyn", "label", "anchor", to="end")
    left = changed(left, "cities", "brooklyn", "label", "x", to=city.x - 11.0)
    left = changed(left, "cities", "brooklyn", "label", "y", to=city.y + 5.0)
    left = changed(left, "cities", "brooklyn", "label", "fixed", to=True)
    tuned = tuned_drawing(board, left).cities["brooklyn"]
    assert tuned.label.anchor == "end"
    assert (tuned.x - tuned.label.x, tuned.label.y - tuned.y) == pytest.approx((11.0, 5.0))
    assert tuned.label.box[0] + tuned.label.box[2] == pytest.approx(tuned.label.x)


def test_one_fixed_route_of_a_double_fixes_both() -> None:
    board, drawing = board_of("new_york"), drawing_of("new_york")
    twin = next(r for r in board.routes if 0 <= r.twin < r.index)
    fixed = changed(drawing, "routes", int(twin.index), "fixed", to=True)
    tuned = tuned_drawing(board, fixed)
    for k in (twin.index, twin.twin):
        (ax, ay), (bx, by) = tuned.routes[k].bend
        (cx, cy), (dx, dy) = drawing.routes[k].bend
        assert (bx - ax, by - ay) == pytest.approx((dx - cx, dy - cy), abs=0.01)


def test_drawing_still_changes_no_place() -> None:
    board, drawing = board_of("new_york"), drawing_of("new_york")
    still = read_drawing(write_drawing(tuned_drawing(board, drawing, still=True)))
    for name, city in drawing.cities.items():
        assert still.cities[name].x == pytest.approx(city.x, abs=0.2)
        assert still.cities[name].label.y == pytest.approx(city.label.y, abs=0.2)
    for old, new in zip(drawing.routes, still.routes, strict=True):
        for one, two in zip(old.spaces, new.spaces, strict=True):
            assert two == pytest.approx(one, abs=0.7)


# --- boards that someone else wrote ----------------------------------------------------------


def odd_board(places: list[tuple[float, float]], id: str = "odd") -> Board:
    """A board with cities at these places, joined in a row and here and there across."""
    names = [f"c{k}" for k in range(len(places))]
    pairs = list(pairwise(names))
    pairs += [(names[k], names[k + 5]) for k in range(0, len(names) - 5, 4)]
    routes: list[dict[str, Any]] = [
        {"between": list(pair), "length": 1 + k % 6, "colour": ("red", "blue", "gray")[k % 3]}
        for k, pair in enumerate(pairs)
    ]
    routes += [routes[k] | {"colour": "gray"} for k in range(0, len(pairs), 7)]
    data = {
        "format": 1,
        "id": id,
        "name": {"en": "Odd"},
        "seats": [2, 3],
        "trains": 20,
        "colours": ["red", "blue"],
        "cities": {
            name: {"name": f"Saint-{name.title()} on the Hill", "lat": lat, "lon": lon}
            for name, (lat, lon) in zip(names, places, strict=True)
        },
        "routes": routes,
        "tickets": [{"between": [names[0], names[-1]], "points": 5}],
        "rules": [{"rule": "deck"}],
    }
    return board_from_data(data, "odd")


ODD = {
    "two cities": [(46.0, 7.0), (47.0, 8.0)],
    "all at one place": [(46.0, 7.0)] * 5,
    "two at one place": [(46.0, 7.0), (46.0, 7.0), (47.0, 9.0), (45.0, 8.0)],
    "in one line": [(46.0, 7.0 + k) for k in range(8)],
    "around the date line": [(-17.0, 178.0), (-18.0, -179.0), (-16.0, 179.5), (-20.0, -178.0)],
    "both poles": [(90.0, 0.0), (-90.0, 0.0), (0.0, 90.0), (0.0, -90.0)],
    "scattered": [(40 + 7.3 * k % 13, 5 + 11.7 * k % 19) for k in range(12)],
}


@pytest.mark.parametrize("places", ODD.values(), ids=ODD)
def test_any_board_gets_a_picture(places: list[tuple[float, float]]) -> None:
    board = odd_board(places)
    drawing = drawing_for(board)
    assert fits(drawing, board)
    assert write_drawing(make_drawing(board)) == write_drawing(drawing)
    for problem in check_drawing(board, drawing):  # it may be crowded, but nothing is lost
        assert not problem.kind.endswith(("outside", "dot over dot", "not parallel")), problem
    picture = ElementTree.fromstring(draw_svg(board, drawing, "fr", "dark"))
    width, height = map(float, picture.attrib["viewBox"].split()[2:])
    assert 0 < width < 6000
    assert 0 < height < 6000


def test_a_board_of_few_cities_is_drawn_without_a_problem() -> None:
    for places in (ODD["two cities"], ODD["in one line"], ODD["two at one place"]):
        board = odd_board(places)
        assert check_drawing(board, drawing_for(board)) == []


@settings(max_examples=6, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.floats(-89.0, 89.0, allow_nan=False), st.floats(-179.0, 179.0, allow_nan=False)
        ),
        min_size=2,
        max_size=12,
    )
)
def test_wherever_the_cities_lie_all_numbers_are_within_the_picture(
    places: list[tuple[float, float]],
) -> None:
    board = odd_board(places, "anywhere")
    drawing = make_drawing(board)
    for city in drawing.cities.values():
        assert 0 <= city.x <= drawing.width
        assert 0 <= city.y <= drawing.height
    for route in drawing.routes:
        for x, y, angle in route.spaces:
            assert 0 <= x <= drawing.width
            assert 0 <= y <= drawing.height
            assert -180 <= angle <= 180
    assert read_drawing(write_drawing(drawing)).board == "anywhere"


def test_other_tickets_keep_the_picture() -> None:
    board = board_of("usa")
    data = dict(board.source)
    data["tickets"] = [{"between": ["boston", "miami"], "points": 12}]
    other = board_from_data(data, "usa")
    assert other.digest != board.digest
    assert drawing_for(other) is drawing_for(board)


def test_other_names_get_another_picture() -> None:
    board = odd_board(ODD["two cities"])
    data: Any = msgspec.to_builtins(board.source)
    data["cities"]["c0"]["name"] = "Elsewhere"
    other = board_from_data(data, "odd")
    assert other.digest == board.digest
    assert not fits(drawing_for(board), other)
    assert drawing_for(other).cities["c0"].label.lines == {"printed": ["Elsewhere"]}
    assert drawing_for(board_from_data(data, "odd")) is drawing_for(other)


def test_no_board_is_named_in_the_code_that_draws() -> None:
    folder = Path(branchline.drawing.__file__).parent
    for path in folder.glob("*.py"):
        words = set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
        assert words.isdisjoint(BOARDS), path.name


# --- colours and symbols ---------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mood", moods().palettes)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_are_readable_on_land_and_sea(mood: str, theme: str) -> None:
    p = moods().palettes[mood][theme]
    for ground in (p.land, p.sea, p.sea_deep, p.shore, p.park, p.halo):
        assert contrast(p.label, ground) >= 4.5
        assert contrast(p.ink, ground) >= 3.0  # large letters
    assert contrast(p.dot, p.dot_edge) >= 3.0


def test_every_colour_has_a_symbol_that_is_seen_upon_it() -> None:
    assert set(SYMBOLS) | {"gray"} == set(PAINTS) | {"locomotive"}
    for name, paint in PAINTS.items():
        if name != "gray":
            assert contrast(paint.symbol, paint.fill) >= 3.0, name


@pytest.mark.parametrize("name", BOARDS)
def test_a_picture_shows_every_space_once_with_its_symbol(name: str) -> None:
    board = board_of(name)
    picture = draw_svg(board, drawing_of(name), "en", "light")
    ElementTree.fromstring(picture)
    spaces = sum(int(route.length) for route in board.routes)
    ferries = sum(int(route.locomotives) for route in board.routes)
    assert picture.count('href="#car"') == spaces
    assert picture.count('href="#symbol-locomotive"') == ferries
    for k, colour in enumerate(board.colours):
        plain = sum(int(r.length - r.locomotives) for r in board.routes if r.colour == k)
        assert len(re.findall(f'href="#symbol-{colour}"', picture)) >= plain


def test_the_words_of_a_picture_are_in_the_language_asked_for() -> None:
    board, drawing = board_of("europe"), drawing_of("europe")
    assert ">Warszawa<" in draw_svg(board, drawing, "fr")
    assert ">Varsovie<" in draw_svg(board, drawing, "fr", cities="fr")
    assert ">Warsaw<" in draw_svg(board, drawing, "fr", cities="en")
    assert ">Riga<" in draw_svg(board, drawing, "fr", cities="fr")


# --- the place that a board is ---------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_every_board_has_scenery_that_covers_nothing(name: str) -> None:
    drawing = drawing_of(name)
    assert len({place.art for place in drawing.scenery}) >= 8
    assert {place.art for place in drawing.scenery} == drawing.art.keys()
    boxes = [flat_bar(city.label.box) for city in drawing.cities.values()]
    for route in drawing.routes:
        boxes += [bar(x, y, turn, drawing.car.length, 18.0) for x, y, turn in route.spaces]
    for place in drawing.scenery:
        half = place.size / 2
        here = flat_bar((place.x - half, place.y - half, place.size, place.size))
        assert all(overlap(here, box) < 0.3 for box in boxes), place


@pytest.mark.parametrize("name", BOARDS)
def test_the_small_drawings_are_painted_with_colours_of_the_palette(name: str) -> None:
    drawing = drawing_of(name)
    for palette in drawing.palettes.values():
        for strokes in drawing.art.values():
            for fill, line, _, _ in strokes:
                assert fill or line
                assert all(hasattr(palette, role) for role in (fill, line) if role)


@pytest.mark.parametrize("name", BOARDS)
def test_land_goes_on_beyond_the_frame(name: str) -> None:
    drawing = drawing_of(name)
    x = y = 0
    far = []
    for command, numbers in re.findall(r"([Ml])([-\d ]+)", "".join(drawing.land)):
        pairs = [int(n) for n in re.findall(r"-?\d+", numbers)]
        for u, v in zip(pairs[::2], pairs[1::2], strict=True):
            x, y = (u, v) if command == "M" else (x + u, y + v)
            far.append(max(-x, -y, x - drawing.width, y - drawing.height))
    assert max(far) == pytest.approx(BEYOND, abs=2.0)
