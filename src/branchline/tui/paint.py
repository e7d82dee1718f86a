"""Colours on the terminal. A colour never stands alone: its letter or its name is next to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.columns import Columns
from rich.console import RenderableType
from rich.text import Text

from branchline.core.board import GRAY
from branchline.engine.describe import Words

STYLES: Final = {
    "pink": "black on plum2",
    "blue": "white on blue3",
    "orange": "black on dark_orange",
    "white": "black on grey93",
    "green": "black on green3",
    "yellow": "black on yellow1",
    "black": "white on grey19",
    "red": "white on red3",
    "gray": "black on grey62",
    "locomotive": "bold white on purple4",
}
SEATS: Final = ("cyan", "magenta", "green", "yellow", "blue", "red", "white", "bright_black")
ON_DARK: Final = (
    "#4dd9ff",
    "#ff7ad9",
    "#7be07b",
    "#ffd24d",
    "#9db4ff",
    "#ff8a7a",
    "#ffffff",
    "#b0b0b0",
)
ON_LIGHT: Final = (
    "#005f87",
    "#8a0f6b",
    "#1c6b1c",
    "#7a5200",
    "#1f3fbf",
    "#a3180c",
    "#303030",
    "#5a5a5a",
)


def chip(words: Words, colour: int) -> Text:
    """The letter of a colour, on that colour."""
    name = "gray" if colour == GRAY else words.game.card_name(colour)
    # A span, not the text's own style: what is added to it keeps the terminal's colours.
    return Text.assemble((f"[{words.letter(colour)}]", STYLES[name]))


def named(words: Words, colour: int) -> Text:
    """A colour by its letter and its name."""
    return chip(words, colour) + Text(f" {words.colour(colour)}")


def counted(words: Words, kind: int, n: int) -> Text:
    """Cards of a kind and their number."""
    return named(words, kind) + Text(f" {n}", style="bold")


def hand(words: Words, counts: Sequence[int]) -> RenderableType:
    """The cards of a hand, each kind with its number."""
    parts = [counted(words, k, n) for k, n in enumerate(counts) if n > 0]
    if not parts:
        return Text(words.say("actions.no_cards"), style="dim")
    return Columns(parts, padding=(0, 3))


def short_hand(words: Words, counts: Sequence[int]) -> Text:
    """The cards of a hand by letter and number alone."""
    parts = [chip(words, k) + Text(str(n), style="bold") for k, n in enumerate(counts) if n > 0]
    return Text(" ").join(parts)


def track(words: Words, route: int) -> Text:
    """Colour, length and marks of a route: "[O] orange 3, tunnel"."""
    r = words.game.board.routes[route]
    text = named(words, r.colour) + Text(f" {r.length}", style="bold")
    marks = words.route_marks(route)
    return text + Text(", " + ", ".join(marks)) if marks else text


def short_track(words: Words, route: int) -> Text:
    """Colour and length of a route: "[O]3"."""
    r = words.game.board.routes[route]
    return chip(words, r.colour) + Text(str(r.length), style="bold")


def person(words: Words, seat: int) -> str:
    """A player's name at the head of a line; the reader is "You"."""
    return words.say("play.you") if seat == words.viewer else words.name(seat)


def seat_style(seat: int) -> str:
    return SEATS[seat % len(SEATS)]


def seat_colour(seat: int, dark: bool) -> str:
    """A seat's colour on a dark or a light ground that is known."""
    colours = ON_DARK if dark else ON_LIGHT
    return colours[seat % len(colours)]
