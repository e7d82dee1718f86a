"""The table on the screen: what a view shows, laid out with rich."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from branchline.core.catalogue import has_message
from branchline.engine.describe import Words
from branchline.engine.facts import Figure
from branchline.engine.view import View
from branchline.tui import paint
from branchline.tui.charts import items
from branchline.tui.network import joined

MARK_DONE: Final = "✓"
MARK_OPEN: Final = "○"
WIDE: Final = 60  # columns in which everything has its full name
SHORT: Final = 3  # letters of a heading that has no short form of its own


class Screen:
    """Shows views of one game to one reader."""

    def __init__(self, words: Words) -> None:
        self.words: Final = words
        self.lang: Final = words.lang
        self.known = False  # whether the cards that rivals are known to hold are shown

    def say(self, key: str, **values: object) -> str:
        return self.words.say(f"play.{key}", **values)

    def table(self, view: View, title: str = "") -> RenderableType:
        """All that lies open: the players, the display, and what the rules of the board add."""
        name = view.game.board.named(self.lang)
        words = [name, *self.progress(view), title] if title else [name, *self.progress(view)]
        parts: list[RenderableType] = [Rule(" · ".join(words), style="dim"), self.players(view)]
        parts.append(self._labelled("display", self._display(view)))
        parts += self.rows(view, own=False)
        if any(view["laid"]):
            parts.append(self._labelled("laid", paint.hand(self.words, view["laid"])))
        return Group(*parts)

    def own(self, view: View, label: bool = False) -> RenderableType:
        """What only the view's seat sees: its hand and its tickets."""
        size = sum(view["hand"])
        lines: list[RenderableType] = []
        if label:
            lines.append(Text(self.words.name(view.seat), style="bold"))
        lines.append(self._labelled("hand", paint.hand(self.words, view["hand"]), n=size))
        tickets = [self.ticket(view, k) for k in view.tickets]
        if tickets:
            lines.append(self._labelled("tickets", Columns(tickets, padding=(0, 3))))
        if view.picked:
            names = [Text(self.words.ticket(k)) for k in view.picked]
            lines.append(self._labelled("picked", Columns(names, padding=(0, 3))))
        lines += self.rows(view, own=True)
        return Group(*lines)

    # --- parts --------------------------------------------------------------------------------

    def progress(self, view: View) -> list[str]:
        """How far the game has come."""
        words = []
        if view.one("turns"):
            words.append(self.say("turn", n=view.one("turns")))
        if view.one("last"):
            words.append(self.say("turns_left", n=view.one("last")))
        return words

    def _labelled(self, key: str, content: RenderableType, **values: object) -> RenderableType:
        grid = Table.grid(padding=(0, 1))
        grid.add_column(style="dim", width=self._label_width(), no_wrap=True)
        grid.add_column(ratio=1)
        known = has_message(f"play.label.{key}", self.lang)
        grid.add_row(self.say(f"label.{key}", **values) if known else key, content)
        return grid

    def _label_width(self) -> int:
        return int(self.say("label_width"))

    def players(self, view: View, width: int = 0) -> RenderableType:
        """A line for each player; in a small width with short headings and names."""
        narrow = 0 < width < WIDE
        columns: list[tuple[str, Callable[[int], str | Text]]] = [
            ("cards", lambda seat: str(view["hand_size"][seat])),
            ("trains", lambda seat: str(view["trains"][seat])),
            ("tickets", lambda seat: str(view["ticket_count"][seat])),
            ("points", lambda seat: str(view["points"][seat])),
        ]
        figures = [self._figures(view, seat) for seat in range(view.game.seats)]
        for k, figure in enumerate(figures[0]):
            columns.append((figure.heading, lambda seat, k=k: figures[seat][k].text))  # type: ignore[misc]
        if self.known:
            columns.append(("known", lambda seat: self._known(view, seat)))
        headings = [
            self._short_heading(key) if narrow and key != "known" else self._heading(key)
            for key, _ in columns
        ]
        room = width - sum(len(heading) + 1 for heading in headings) if narrow else WIDE
        gap = 1 if narrow else 2
        table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="dim")
        table.add_column("", no_wrap=True)
        for (key, _), heading in zip(columns, headings, strict=True):
            table.add_column(heading, justify="left" if key == "known" else "right")
        for seat in range(view.game.seats):
            mark = "▶" if seat in view.to_act else " "
            name = Text(f"{seat + 1} {self._name(seat)}", style=paint.seat_style(seat))
            name.truncate(max(room - 2, SHORT), overflow="ellipsis")
            space = "" if narrow else "  "
            table.add_row(Text(mark + space) + name, *(value(seat) for _, value in columns))
        return table

    def _name(self, seat: int) -> str:
        return paint.person(self.words, seat)

    def _heading(self, key: str) -> str:
        known = has_message(f"play.column.{key}", self.lang)
        return self.say(f"column.{key}") if known else key

    def _short_heading(self, key: str) -> str:
        known = has_message(f"play.short.{key}", self.lang)
        return self.say(f"short.{key}") if known else self._heading(key)[:SHORT]

    def _figures(self, view: View, seat: int) -> list[Figure]:
        """What the rules of the board add to a player's line."""
        return [figure for rule in view.game.rules for figure in rule.figures(view, seat)]

    def _known(self, view: View, seat: int) -> Text:
        if seat == view.seat:
            return Text("")
        return paint.short_hand(self.words, view.of_seat("known", seat))

    def _display(self, view: View) -> RenderableType:
        blank = int(view.game.layout.blank)
        cards = [
            Text("[ ]", style="dim") if k == blank else paint.named(self.words, k)
            for k in view["display"]
        ]
        return Group(Columns(cards, padding=(0, 3)), Text(self.decks(view), style="dim"))

    def decks(self, view: View) -> str:
        """How many cards and tickets there are left to draw."""
        return self.say(
            "decks",
            deck=view.one("deck_len"),
            discards=view.one("discard_size"),
            tickets=view.one("ticket_len"),
        )

    def ticket(self, view: View, ticket: int) -> Text:
        done = joined(view, view.seat, ticket)
        mark = (MARK_DONE, "bold green") if done else (MARK_OPEN, "dim")
        return Text.assemble(mark, f" {self.words.ticket(ticket)}")

    def rows(self, view: View, own: bool) -> list[RenderableType]:
        """What lies on the table, or in the reader's own area, because of the board's rules."""
        rows = [row for rule in view.game.rules for row in rule.rows(view) if row.own == own]
        return [self._labelled(row.label, items(self.words, row.items)) for row in rows]
