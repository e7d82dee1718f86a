"""The map as a widget: a cursor that moves between cities and routes, by keys and by mouse."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from typing import ClassVar, Final

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from branchline.engine.describe import Words
from branchline.engine.view import View
from branchline.tui.character_map import CharacterMap, Spot
from branchline.tui.map_layout import ACROSS, DOWN, Cell, MapLayout, layout_of

ZOOMS: Final = (1.0, 1.5, 2.0, 3.0)
NEAR: Final = 2  # characters around a track in which a click still means it
STEPS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class BoardMap(Widget, can_focus=True):
    """Shows a view's board in the room that it has, and what the cursor is on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(way, f"move('{way}')", show=False) for way in STEPS),
        Binding("enter", "choose", show=False),
        Binding("plus,equals_sign", "zoom(1)", show=False),
        Binding("minus", "zoom(-1)", show=False),
    ]

    class Pointed(Message):
        """The person points at a city or a route."""

        def __init__(self, spot: Spot) -> None:
            super().__init__()
            self.spot: Final = spot

    class Chosen(Message):
        """The person wants to do something about a city or a route."""

        def __init__(self, spot: Spot) -> None:
            super().__init__()
            self.spot: Final = spot

    def __init__(self, view: View, words: Words) -> None:
        super().__init__()
        self._view = view
        self._words: Final = words
        self._shown: Collection[int] = ()
        self._zoom = 0
        self._map_size: tuple[int, int, str] | None = None  # of the map that is drawn
        self._strips: list[Strip] = []
        self.cursor: Spot | None = None

    def show(self, view: View) -> None:
        """Show another view."""
        self._view = view
        self._redraw()

    def point(self, spot: Spot | None, shown: Collection[int] = ()) -> None:
        """Move the cursor; `shown` are cities to be stressed along with it."""
        if (spot, shown) != (self.cursor, self._shown):
            self.cursor, self._shown = spot, shown
            self._redraw()

    def _redraw(self) -> None:
        self._map_size = None
        self.refresh()

    # --- showing --------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        if self._map_size != self._wanted_size:
            self._draw()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    @property
    def _wanted_size(self) -> tuple[int, int, str]:
        zoom = ZOOMS[self._zoom]
        theme = "dark" if self.app.current_theme.dark else "light"
        return int(self.size.width * zoom), int(self.size.height * zoom), theme

    @property
    def _layout(self) -> MapLayout:
        width, height, _ = self._wanted_size
        return layout_of(self._words, width, height)

    def _draw(self) -> None:
        self._map_size = self._wanted_size
        drawn = CharacterMap(
            self._view, self._words, *self._map_size, cursor=self.cursor, shown=self._shown
        )
        left, top = self._corner(drawn.layout)
        width, height = self.size
        self._strips = []
        for row in drawn.rows()[top : top + height]:
            pieces = groupby(row[left : left + width], key=lambda cell: cell[1])
            segments = [Segment("".join(c for c, _ in cells), style) for style, cells in pieces]
            self._strips.append(Strip(segments))

    def _corner(self, layout: MapLayout) -> Cell:
        """The part of an enlarged map that is shown: the cursor is in its middle if possible."""
        x, y = self._place(layout, self.cursor) if self.cursor else (layout.width // 2, 0)
        left = min(max(x - self.size.width // 2, 0), max(layout.width - self.size.width, 0))
        top = min(max(y - self.size.height // 2, 0), max(layout.height - self.size.height, 0))
        return left, top

    @staticmethod
    def _place(layout: MapLayout, spot: Spot) -> Cell:
        if spot.kind == "city":
            return layout.cities[spot.number]
        sign = layout.signs[spot.number]
        if sign is not None:
            return sign.x, sign.y
        track = layout.tracks[spot.number]
        x, y = track[len(track) // 2]
        return x // ACROSS, y // DOWN

    # --- keys and mouse -------------------------------------------------------------------------

    @property
    def spots(self) -> list[Spot]:
        """Everything that can be pointed at."""
        board = self._view.game.board
        spots = [Spot("city", k) for k in range(len(board.cities))]
        open_routes = [k for k in range(len(board.routes)) if not self._view.closed(k)]
        return spots + [Spot("route", k) for k in open_routes]

    def next_spot(self, way: str) -> Spot | None:
        """The nearest thing in a direction from the cursor, or from the middle without one."""
        layout = self._layout
        middle = layout.width // 2, layout.height // 2
        x, y = self._place(layout, self.cursor) if self.cursor else middle
        dx, dy = STEPS[way]
        best, least = None, float("inf")
        for spot in self.spots:
            u, v = self._place(layout, spot)
            across, down = u - x, 2 * (v - y)  # a character is about twice as high as it is wide
            ahead = across * dx + down * dy
            aside = abs(across * dy) + abs(down * dx)
            if spot != self.cursor and ahead > 0 and ahead + 2 * aside < least:
                best, least = spot, ahead + 2 * aside
        return best

    def action_move(self, way: str) -> None:
        spot = self.next_spot(way)
        if spot is not None:
            self.post_message(self.Pointed(spot))

    def action_choose(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Chosen(self.cursor))

    def action_zoom(self, step: int) -> None:
        self._zoom = min(max(self._zoom + step, 0), len(ZOOMS) - 1)
        self._redraw()

    def on_click(self, event: events.Click) -> None:
        """Point at what is clicked; a second click means the same as Enter."""
        spot = self.spot_at(Offset(event.x, event.y))
        if spot is None:
            return
        chosen = spot == self.cursor
        self.post_message(self.Chosen(spot) if chosen else self.Pointed(spot))

    def where(self, spot: Spot) -> Offset:
        """The place of the widget at which a city or a route is shown."""
        (x, y), (left, top) = self._place(self._layout, spot), self._corner(self._layout)
        return Offset(x - left, y - top)

    def spot_at(self, offset: Offset) -> Spot | None:
        """The city or route at a place of the widget."""
        layout = self._layout
        left, top = self._corner(layout)
        here = offset.x + left, offset.y + top
        for spot in self.spots:
            signs = layout.labels if spot.kind == "city" else layout.signs
            sign = signs[spot.number]
            if sign is not None and here in sign.cells():
                return spot
            if spot.kind == "city" and here == layout.cities[spot.number]:
                return spot
        return self._track_at(layout, here)

    def _track_at(self, layout: MapLayout, here: Cell) -> Spot | None:
        best, least = None, NEAR + 0.5
        for spot in self.spots:
            for x, y in layout.tracks[spot.number] if spot.kind == "route" else ():
                far = abs(x / ACROSS - here[0] - 0.5) + 2 * abs(y / DOWN - here[1] - 0.5)
                if far < least:
                    best, least = spot, far
        return best
