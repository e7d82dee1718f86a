"""The board drawn in characters: tracks in braille dots, cities with names, signs on the routes.

A route that is open has the letter of its colour and its length: `R3` if the reader can claim it
now, `r3` if not. A claimed one has its owner, `#1`, and a thick line. So nothing depends on seeing
colours.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from branchline.core.board import GRAY
from branchline.drawing.drawings import drawing_for
from branchline.drawing.symbols import PAINTS
from branchline.engine.describe import Words
from branchline.engine.layout import CLOSED
from branchline.engine.view import View
from branchline.tui import paint
from branchline.tui.map_layout import ACROSS, DOWN, MapLayout, layout_of

BRAILLE: Final = 0x2800
BITS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column
CITY: Final = "○"
WANTED: Final = "●"  # a city of the reader's tickets


class Spot(NamedTuple):
    """Something on the map that can be pointed at: a city or a route."""

    kind: str  # "city" or "route"
    number: int


class Inks:
    """The colours of a map; without a palette, those of the terminal and no ground."""

    def __init__(self, words: Words, theme: str = "") -> None:
        palettes = drawing_for(words.game.board).palettes if theme else {}
        p = palettes.get(theme)
        self.dark: Final = theme == "dark"
        self.bare: Final = p is None
        self.land: Final = p.land if p else ""
        self.sea: Final = p.sea if p else ""
        self.label: Final = p.label if p else ""
        self.dot: Final = p.dot if p else ""
        self.cursor: Final = "#ffe866" if self.dark else "#b3009e"

    def track(self, name: str) -> str:
        """The line of an open route, visible on land and sea."""
        if self.bare:
            return "dim"
        if self.dark:
            return "#9a9aa6" if name == "black" else PAINTS[name].fill
        return PAINTS[name].edge

    def sign(self, name: str, within_reach: bool) -> str:
        """The letter and length of an open route; upon its colour if it can be claimed."""
        if not within_reach:
            return self.track(name)
        if self.bare:
            return f"bold {paint.STYLES[name]}"
        letters = "#2b2a27" if name == "gray" else PAINTS[name].symbol
        return f"bold {letters} on {PAINTS[name].fill}"

    def seat(self, seat: int) -> str:
        return paint.seat_style(seat) if self.bare else paint.seat_colour(seat, self.dark)


class CharacterMap:
    """A view of a board in `width` by `height` characters, ready to be shown and pointed at."""

    def __init__(
        self,
        view: View,
        words: Words,
        width: int,
        height: int,
        theme: str = "",
        cursor: Spot | None = None,
        shown: Collection[int] = (),
    ) -> None:
        """`cursor` is what the reader points at; `shown` are more cities to be stressed."""
        self.layout: Final[MapLayout] = layout_of(words, width, height)
        self._view: Final = view
        self._words: Final = words
        self._cursor: Final = cursor
        self._inks: Final = Inks(words, theme)
        self._within_reach: Final = {view.action(n).route for n in view.actions}
        self._shown: Final = {c for k in view.tickets for c in ticket_ends(view, k)} | set(shown)
        self._bits: Final = [[0] * self.layout.width for _ in range(self.layout.height)]
        self._cells: Final = [[(" ", "") for _ in row] for row in self._bits]
        self._draw()

    def rows(self) -> list[list[tuple[str, Style]]]:
        """Every character with its style, row by row."""
        land, sea = self._inks.land, self._inks.sea
        rows = []
        for y, row in enumerate(self._cells):
            ground = [land if on_land else sea for on_land in self.layout.land[y]]
            rows.append([(c, _style(s, g)) for (c, s), g in zip(row, ground, strict=True)])
        return rows

    def text(self) -> Text:
        """The map as text, without spaces at the ends of lines where it has no ground."""
        text = Text(no_wrap=True)
        for row in self.rows():
            line = Text.assemble(*row)
            if self._inks.bare:
                line.rstrip()
            text.append_text(line).append("\n")
        return text

    # --- drawing --------------------------------------------------------------------------------

    def _draw(self) -> None:
        owners = self._view["owner"]
        routes = [k for k, owner in enumerate(owners) if owner != CLOSED]
        order = sorted(routes, key=lambda k: (Spot("route", k) == self._cursor, owners[k] > 0))
        for route in order:
            self._draw_track(route, owners[route])
        for route in order:
            self._draw_sign(route, owners[route])
        for city, (x, y) in enumerate(self.layout.cities):
            wanted = city in self._shown
            style = self._at_cursor(Spot("city", city)) or f"bold {self._inks.dot}"
            self._cells[y][x] = (WANTED if wanted else CITY, style)
            label = self.layout.labels[city]
            if label is not None:
                style = f"{'bold underline' if wanted else ''} {self._inks.label}"
                style = self._at_cursor(Spot("city", city)) or style
                self._put(
                    label.x, y=label.y, text=self._words.city(city)[: label.size], style=style
                )

    def _draw_track(self, route: int, owner: int) -> None:
        style = self._inks.seat(owner - 1) if owner else self._inks.track(self._colour(route))
        at_cursor = Spot("route", route) == self._cursor
        if at_cursor:
            style = f"bold {self._inks.cursor}"
        thick = bool(owner) or at_cursor
        for x, y in self.layout.tracks[route]:
            for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)) if thick else ((0, 0),):
                self._dot(x + dx, y + dy, style)

    def _dot(self, x: int, y: int, style: str) -> None:
        column, row = x // ACROSS, y // DOWN
        if column < self.layout.width and row < self.layout.height:
            self._bits[row][column] |= BITS[y % DOWN][x % ACROSS]
            self._cells[row][column] = (chr(BRAILLE + self._bits[row][column]), style)

    def _draw_sign(self, route: int, owner: int) -> None:
        place = self.layout.signs[route]
        if place is None:
            return
        name = self._colour(route)
        length = self._view.game.board.routes[route].length
        if owner:
            text, style = f"#{owner}", f"bold reverse {self._inks.seat(owner - 1)}"
        else:
            letter = self._words.letter(self._view.game.board.routes[route].colour)
            within_reach = route in self._within_reach
            text = f"{letter.upper() if within_reach else letter.lower()}{length}"
            style = self._inks.sign(name, within_reach)
        self._put(place.x, place.y, text, self._at_cursor(Spot("route", route)) or style)

    def _at_cursor(self, spot: Spot) -> str:
        """The style of what the reader points at; empty for everything else."""
        return f"bold reverse {self._inks.cursor}" if spot == self._cursor else ""

    def _put(self, x: int, y: int, text: str, style: str) -> None:
        for k, character in enumerate(text):
            self._cells[y][x + k] = (character, style)

    def _colour(self, route: int) -> str:
        colour = self._view.game.board.routes[route].colour
        return "gray" if colour == GRAY else self._view.game.card_name(colour)


def ticket_ends(view: View, ticket: int) -> tuple[int, int]:
    """The two cities of a ticket."""
    t = view.game.board.tickets[ticket]
    return int(t.a), int(t.b)


def _style(style: str, ground: str) -> Style:
    if ground and " on " not in style:
        style = f"{style} on {ground}"
    return Style.parse(style)
