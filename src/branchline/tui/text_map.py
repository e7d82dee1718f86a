"""The board as a drawing in characters: cities where they lie, routes as dotted lines."""

from __future__ import annotations

from math import cos, radians

from rich.text import Text

from branchline.engine.describe import Words
from branchline.engine.layout import CLOSED
from branchline.engine.view import View
from branchline.tui import paint

NARROW = 0.5  # a character is about half as wide as it is high


def text_map(view: View, words: Words, width: int, most_lines: int) -> Text:
    """The map: `·` for open routes, the owner's number for claimed ones, `●` for tickets."""
    spots = places(words, width, most_lines)
    height = max(y for _, y in spots) + 1
    cells = [[(" ", "") for _ in range(width)] for _ in range(height)]
    for route, owner in zip(view.game.board.routes, view["owner"], strict=True):
        if owner != CLOSED:
            mark = (str(owner), paint.seat_style(owner - 1)) if owner else ("·", "dim")
            for x, y in _line(spots[route.a], spots[route.b]):
                if cells[y][x][0] in " ·":
                    cells[y][x] = mark
    wanted = {c for k in view.tickets for c in _ends(view, k)}
    taken = set(spots)
    order = sorted(range(len(spots)), key=lambda c: (c not in wanted, c))
    for city in order:
        dot, style = ("●", "bold reverse") if city in wanted else ("o", "bold")
        x, y = spots[city]
        cells[y][x] = (dot, style)
        _label(cells, spots[city], words.city(city), style, taken)
    text = Text(no_wrap=True)
    for row in cells:
        for character, style in row:
            text.append(character, style=style)
        text.rstrip()
        text.append("\n")
    return text


def places(words: Words, width: int, most_lines: int) -> list[tuple[int, int]]:
    """Column and row of each city, in the proportions of the land as far as there is room."""
    cities = words.game.board.cities
    south, north = min(c.lat for c in cities), max(c.lat for c in cities)
    west, east = min(c.lon for c in cities), max(c.lon for c in cities)
    across = max((east - west) * cos(radians((south + north) / 2)), 1e-6)
    down = max(north - south, 1e-6)
    room = max(width - 12, 20)  # names stand to the right of their place
    lines = min(most_lines, max(int(room * NARROW * down / across), 12))
    found = []
    for city in cities:
        x = round((city.lon - west) / max(east - west, 1e-6) * room)
        y = round((north - city.lat) / down * (lines - 1))
        found.append((min(x, width - 1), y))
    return found


def _ends(view: View, ticket: int) -> tuple[int, int]:
    t = view.game.board.tickets[ticket]
    return int(t.a), int(t.b)


def _line(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """The cells between two places, every other one across, so that lines look dotted."""
    (x, y), (u, v) = start, end
    steps = max(abs(u - x) // 2, abs(v - y), 1)
    shares = [k / steps for k in range(1, steps)]
    return [(round(x + (u - x) * part), round(y + (v - y) * part)) for part in shares]


def _label(
    cells: list[list[tuple[str, str]]],
    place: tuple[int, int],
    name: str,
    style: str,
    taken: set[tuple[int, int]],
) -> None:
    """Write a city's name right of its place, or left of it, shortened where it would not fit."""
    x, y = place
    width = len(cells[y])
    right = _room(taken, x + 1, y, 1, width)
    left = _room(taken, x - 1, y, -1, width)
    if right >= len(name) or right >= left:
        start, shown = x + 1, name[:right]
    else:
        shown = name[:left]
        start = x - len(shown)
    for k, character in enumerate(shown):
        cells[y][start + k] = (character, style)
        taken.add((start + k, y))


def _room(taken: set[tuple[int, int]], x: int, y: int, step: int, width: int) -> int:
    """How many cells are free from x on."""
    n = 0
    while 0 <= x < width and (x, y) not in taken:
        n += 1
        x += step
    return n
