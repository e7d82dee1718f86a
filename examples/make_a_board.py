"""Writes a board file by program, a ring of cities with spokes; checks, draws and plays it.

`python examples/make_a_board.py [FOLDER]`: without a folder, everything goes into a temporary one.
"""

import math
import sys
import tempfile
from itertools import combinations
from pathlib import Path

import branchline
from branchline.drawing.drawings import drawing_for
from branchline.rules.parameters import check_rules

CITIES = ["north", "north_east", "south_east", "south", "south_west", "north_west"]
COLOURS = ["red", "blue", "green", "yellow"]
RULES = """\
rules = [
  { rule = "deck", per_colour = 8, locomotives = 8, hand = 3, display = 5 },
  { rule = "opening_tickets", deal = 2, keep = 1, rejected = "bottom" },
  { rule = "draw_cards", cards = 2, face_up_locomotive = "ends_draw" },
  { rule = "locomotive_reset", at = 3 },
  { rule = "claim_routes", points = [1, 2, 4] },
  { rule = "doubles", open_from = 3 },
  { rule = "draw_tickets", draw = 2, keep = 1, rejected = "bottom" },
  { rule = "ending", trains = 2 },
  { rule = "tie_breaks", order = ["tickets"] },
]
"""


def ring() -> str:
    """The text of the file: six cities on a circle, and one in the middle."""
    lines = ["format = 1", 'id = "ring"', 'name.en = "Ring"', "seats = [2, 3]", "trains = 12"]
    lines.append(f"colours = [{', '.join(repr(colour) for colour in COLOURS)}]")
    lines.append('cities.centre = { name = "Centre", lat = 47.0, lon = 8.0 }')
    for number, city in enumerate(CITIES):
        angle = number * math.tau / len(CITIES)
        lat, lon = 47 + math.cos(angle), 8 + 1.4 * math.sin(angle)
        name = city.replace("_", " ").title()
        lines.append(f'cities.{city} = {{ name = "{name}", lat = {lat:.2f}, lon = {lon:.2f} }}')
    lines.append("routes = [")
    for number, city in enumerate(CITIES):
        following, colour = CITIES[(number + 1) % len(CITIES)], COLOURS[number % len(COLOURS)]
        lines.append(route(city, following, 3, colour))
        lines.append(route("centre", city, 2, "gray"))
    lines += ["]", "tickets = ["]
    for a, b in combinations(CITIES, 2):
        lines.append(f'  {{ between = ["{a}", "{b}"], points = 4 }},')
    return "\n".join([*lines, "]", RULES])


def route(a: str, b: str, length: int, colour: str) -> str:
    return f'  {{ between = ["{a}", "{b}"], length = {length}, colour = "{colour}" }},'


def main(folder: str = "") -> None:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(folder or temporary) / "ring.toml"
        path.write_text(ring(), encoding="utf-8")
        board = branchline.load_board(str(path))
        print(f"{len(board.cities)} cities, {len(board.routes)} routes")
        print(f"problems: {check_rules(board)}")
        picture = drawing_for(board)
        print(f"the picture is {picture.width:.0f} by {picture.height:.0f}")
        state = branchline.Game(board, seats=2).start(seed=1)
        while not state.over:
            seat = state.to_act[0]
            state.apply(seat, state.legal(seat)[-1])
        print(f"a game on it ends {state.outcome.scores}")


if __name__ == "__main__":
    main(*sys.argv[1:])
