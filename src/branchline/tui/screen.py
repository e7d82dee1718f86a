"""The table on the screen: what a view shows, laid out with rich."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from branchline.engine.describe import Words
from branchline.engine.view import PICKED_BY_ME, View
from branchline.tui import paint
from branchline.tui.network import joined
from branchline.tui.worth import points_for, standings

MARK_DONE: Final = "✓"
MARK_OPEN: Final = "○"


class Screen:
    """Shows views of one game to one reader."""

    def __init__(self, words: Words) -> None:
        self.words: Final = words
        self.lang: Final = words.lang
        self.known = False  # whether the cards that rivals are known to hold are shown

    def say(self, key: str, **values: object) -> str:
        return self.words.say(f"play.{key}", **values)

    def table(self, view: View, title: str = "") -> RenderableType:
        """All that lies open: the players, the display, and what the board has besides."""
        parts: list[RenderableType] = [self._title(view, title), self._players(view)]
        parts.append(self._labelled("display", self._display(view)))
        parts += [self._labelled(name, text) for name, text in self._extras(view)]
        return Group(*parts)

    def own(self, view: View, label: bool = False) -> RenderableType:
        """What only the view's seat sees: its hand and its tickets."""
        size = sum(view["hand"])
        lines: list[RenderableType] = []
        if label:
            lines.append(Text(self.words.name(view.seat), style="bold"))
        lines.append(self._labelled("hand", paint.hand(self.words, view["hand"]), n=size))
        tickets = [self._ticket(view, k) for k in view.tickets]
        if tickets:
            lines.append(self._labelled("tickets", Columns(tickets, padding=(0, 3))))
        picked = [k for k, what in enumerate(view["tickets"]) if what == PICKED_BY_ME]
        if picked:
            names = [Text(self.words.ticket(k)) for k in picked]
            lines.append(self._labelled("picked", Columns(names, padding=(0, 3))))
        if "festival_cards" in view.game.view_fields:
            lines += self._own_festivals(view)
        return Group(*lines)

    # --- parts --------------------------------------------------------------------------------

    def _title(self, view: View, title: str) -> RenderableType:
        words = [view.game.board.named(self.lang)]
        if view.one("turns"):
            words.append(self.say("turn", n=view.one("turns")))
        if view.one("last"):
            words.append(self.say("turns_left", n=view.one("last")))
        return Rule(" · ".join([*words, title] if title else words), style="dim")

    def _labelled(self, key: str, content: RenderableType, **values: object) -> RenderableType:
        grid = Table.grid(padding=(0, 1))
        grid.add_column(style="dim", width=self._label_width(), no_wrap=True)
        grid.add_column(ratio=1)
        grid.add_row(self.say(f"label.{key}", **values), content)
        return grid

    def _label_width(self) -> int:
        return int(self.say("label_width"))

    def _players(self, view: View) -> RenderableType:
        columns: list[tuple[str, Callable[[int], str | Text]]] = [
            ("cards", lambda seat: str(view["hand_size"][seat])),
            ("trains", lambda seat: str(view["trains"][seat])),
            ("tickets", lambda seat: str(view["ticket_count"][seat])),
            ("points", lambda seat: str(view["points"][seat])),
        ]
        if "stations_left" in view.game.view_fields:
            columns.append(("stations", lambda seat: str(view["stations_left"][seat])))
        if "express" in view.game.view_fields:
            columns.append(("express", lambda seat: self._express(view, seat)))
        if "festival_cards" in view.game.view_fields:
            columns.append(
                ("festivals", lambda seat: str(sum(view.of_seat("festival_cards", seat))))
            )
        if self.known:
            columns.append(("known", lambda seat: self._known(view, seat)))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        table.add_column("")
        table.add_column("")
        for key, _ in columns:
            table.add_column(
                self.say(f"column.{key}"), justify="left" if key == "known" else "right"
            )
        for seat in range(view.game.seats):
            mark = "▶" if seat in view.to_act else " "
            name = Text(f"{seat + 1} {self._name(seat)}", style=paint.seat_style(seat))
            table.add_row(mark, name, *(value(seat) for _, value in columns))
        return table

    def _name(self, seat: int) -> str:
        return paint.person(self.words, seat)

    def _express(self, view: View, seat: int) -> str:
        values = self.words.params("express_cards")["values"]
        left = view.of_seat("express", seat)
        return " ".join(f"+{v}" for v, unspent in zip(values, left, strict=True) if unspent) or "–"

    def _known(self, view: View, seat: int) -> Text:
        if seat == view.seat:
            return Text("")
        return paint.short_hand(self.words, view.of_seat("known", seat))

    def _display(self, view: View) -> RenderableType:
        blank = int(view.game.table.blank)
        cards = [
            Text("[ ]", style="dim") if k == blank else paint.named(self.words, k)
            for k in view["display"]
        ]
        counts = self.say(
            "decks",
            deck=view.one("deck_len"),
            discards=view.one("discard_size"),
            tickets=view.one("ticket_len"),
        )
        return Group(Columns(cards, padding=(0, 3)), Text(counts, style="dim"))

    def _ticket(self, view: View, ticket: int) -> Text:
        done = joined(view, view.seat, ticket)
        mark = Text(MARK_DONE, style="bold green") if done else Text(MARK_OPEN, style="dim")
        return mark + Text(f" {self.words.ticket(ticket)}", style="default")

    def _extras(self, view: View) -> list[tuple[str, RenderableType]]:
        """What lies on the table of some boards only."""
        found: list[tuple[str, RenderableType]] = []
        fields = view.game.view_fields
        if "festival_piles" in fields and any(view["festival_piles"]):
            piles = [(k, n) for k, n in enumerate(view["festival_piles"]) if n]
            names = [f"{self.words.festival(k)} {n}{self._gain(view, k, n)}" for k, n in piles]
            found.append(("festival_piles", Text(", ".join(names))))
        if "mat" in fields and any(view["mat"]):
            found.append(("mat", Columns(self._mat_lines(view), padding=(0, 3))))
        if "stations" in fields and any(view["stations"]):
            built = [(c, owner - 1) for c, owner in enumerate(view["stations"]) if owner]
            names = [f"{self.words.city(c)} ({self._name(seat)})" for c, seat in built]
            found.append(("stations", Text(", ".join(names))))
        if "revealed" in fields and any(view["revealed"]):
            found.append(("revealed", paint.hand(self.words, view["revealed"])))
        if any(view["laid"]):
            found.append(("laid", paint.hand(self.words, view["laid"])))
        return found

    def _gain(self, view: View, festival: int, pile: int) -> str:
        """What a pile would add to the seat's own cards: " (+4)"."""
        if view.seat < 0:
            return ""
        mine = view.of_seat("festival_cards", view.seat)[festival]
        now, then = (points_for(self.words, festival, n) for n in (mine, mine + pile))
        return f" (+{then - now})"

    def _mat_lines(self, view: View) -> list[Text]:
        """The lines with trains, who stands there, with which sum, and what that scores now."""
        shown = []
        for k, line in enumerate(self.words.params("province_mat")["lines"]):
            found = standings(self.words, view, k)
            if found:
                colour = view.game.board.colours.index(line["colour"])
                shown.append(paint.chip(self.words, colour) + Text(" ") + Text(" ").join(found))
        return shown

    def _own_festivals(self, view: View) -> list[RenderableType]:
        sizes = [len(one["scores"]) for one in self.words.params("festivals")["sets"]]
        held = [(k, n) for k, n in enumerate(view.of_seat("festival_cards", view.seat)) if n]
        if not held:
            return []
        names = [
            self.say(
                "festival_set",
                name=self.words.festival(k),
                cards=n,
                size=sizes[k],
                points=points_for(self.words, k, n),
            )
            for k, n in held
        ]
        return [self._labelled("festivals", Text(", ".join(names)))]
