"""The last touch to a picture: pieces cover nothing, and piles leave the tracks."""

from __future__ import annotations

from math import cos, radians, sin

import pytest

from branchline.drawing.drawings import tuned_drawing
from branchline.drawing.file_format import Drawing
from branchline.drawing.geometry import flat_bar, line_bar, overlap
from branchline.drawing.layout_check import check_drawing
from test_drawing import board_of, changed, drawing_of


@pytest.mark.parametrize(
    "ends", [("empire_state_building", "united_nations"), ("chelsea", "greenwich_village")]
)
def test_a_route_bends_where_its_pieces_would_cover_others(ends: tuple[str, str]) -> None:
    board, drawing = board_of("new_york"), drawing_of("new_york")
    k = next(k for k, route in enumerate(drawing.routes) if route.between == ends)
    a, b = (drawing.cities[name] for name in ends)
    thirds = [[a.x + t * (b.x - a.x) / 3, a.y + t * (b.y - a.y) / 3] for t in (1, 2)]
    straight = changed(drawing, "routes", k, "bend", to=thirds)
    tuned = tuned_drawing(board, straight, still=True)
    assert check_drawing(board, tuned) == []
    for name, city in drawing.cities.items():
        assert (tuned.cities[name].x, tuned.cities[name].y) == pytest.approx(
            (city.x, city.y), abs=0.2
        )


def test_what_a_rule_keeps_on_the_map_leaves_the_track_unless_it_is_fixed() -> None:
    board, drawing = board_of("iberia"), drawing_of("iberia")
    k = next(k for k, place in enumerate(drawing.places) if place.id == "leon")
    city = drawing.cities["leon"]
    x, y, angle = next(r for r in drawing.routes if r.between == ("gijon", "leon")).spaces[-1]
    last = x + 16 * cos(radians(angle)), y + 16 * sin(radians(angle))
    track = line_bar(last, (city.x, city.y), 8.4)

    def hidden(drawing: Drawing) -> float:
        place = drawing.places[k]
        size = place.width, place.height
        return overlap(track, flat_bar((place.x - size[0] / 2, place.y - size[1] / 2, *size)))

    upon = changed(drawing, "places", k, "x", to=city.x)
    upon = changed(upon, "places", k, "y", to=city.y - 20)
    assert hidden(upon) > 8
    assert hidden(tuned_drawing(board, upon, still=True)) <= 0
    fixed = changed(upon, "places", k, "fixed", to=True)
    assert hidden(tuned_drawing(board, fixed, still=True)) > 8
