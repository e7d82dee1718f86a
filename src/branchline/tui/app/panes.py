"""The panes next to the map: players, display and decks, hand, tickets, log."""

from __future__ import annotations

from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from branchline.engine.view import View
from branchline.tui import paint
from branchline.tui.match import Match
from branchline.tui.screen import Screen

ACTION: Final = "action"  # the number of the action that a click on a text takes
LOG_LINES: Final = 100
NARROW: Final = 44  # columns below which headings and names of colours are left out


class Players(Static):
    """A line for each player."""

    def show(self, screen: Screen, view: View) -> None:
        self.update(screen.players(view, self.size.width))


class Market(Static):
    """The display and the decks. A click takes a card, or draws from the deck."""

    class Taken(Message):
        """A card is taken by a click."""

        def __init__(self, action: int) -> None:
            super().__init__()
            self.action: Final = action

    def show(self, screen: Screen, view: View) -> None:
        words, blank = screen.words, int(view.game.layout.blank)
        wide = self.size.width >= NARROW
        acts = {}
        for number in view.actions:
            action = view.action(number)
            if action.group == "draw_cards" and action.kind in ("take", "draw"):
                acts[action.card if action.kind == "take" else -1] = number
        cards = [
            Text("[ ]", style="dim")
            if kind == blank
            else paint.named(words, kind)
            if wide
            else paint.chip(words, kind)
            for kind in view["display"]
        ]
        shown = [
            _clickable(card, acts.get(k)) for card, k in zip(cards, view["display"], strict=True)
        ]
        decks = Text(screen.decks(view) if wide else screen.say("app.decks", **_decks(view)))
        line: RenderableType = Columns(shown, padding=(0, 2)) if wide else Text(" ").join(shown)
        self.update(Group(line, _clickable(decks, acts.get(-1))))
        self.border_title = screen.say("label.display")

    def on_click(self, event: events.Click) -> None:
        action = event.style.meta.get(ACTION)
        if isinstance(action, int):
            self.post_message(self.Taken(action))


class Hand(Static):
    """The cards of the person's hand."""

    def show(self, screen: Screen, view: View) -> None:
        hand = view["hand"]
        wide = self.size.width >= NARROW
        words = screen.words
        self.update(paint.hand(words, hand) if wide else paint.short_hand(words, hand))
        self.border_title = screen.say("label.hand", n=sum(hand))


class Tickets(VerticalScroll):
    """The person's tickets, and what the rules of the board have put on the table."""

    def compose(self) -> ComposeResult:
        yield Static()

    def show(self, screen: Screen, view: View) -> None:
        lines: list[RenderableType] = [screen.ticket(view, ticket) for ticket in view.tickets]
        if view.picked:
            lines.append(Text(screen.say("label.picked"), style="dim"))
            lines += [Text(f"  {screen.words.ticket(ticket)}") for ticket in view.picked]
        lines += screen.rows(view, own=True) + screen.rows(view, own=False)
        self.query_one(Static).update(Group(*lines))
        self.border_title = screen.say("label.tickets")


class Log(VerticalScroll):
    """What has happened, the newest at the end."""

    def compose(self) -> ComposeResult:
        yield Static()

    def show(self, screen: Screen, match: Match) -> None:
        lines = [Text(line) for line in match.log(everything=False)[-LOG_LINES:]]
        self.query_one(Static).update(Group(*lines))
        self.border_title = screen.say("app.log")
        self.scroll_end(animate=False)


def _clickable(text: Text, action: int | None) -> Text:
    """The text; a click on it takes an action, if there is one."""
    if action is None:
        return text
    linked = text.copy()
    linked.stylize(Style(meta={ACTION: action}))
    return linked


def _decks(view: View) -> dict[str, int]:
    return {"deck": view.deck_size, "tickets": view.ticket_deck_size}
