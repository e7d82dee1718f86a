"""What the keys do and what the signs on the map mean, for the help page."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from branchline.engine.describe import Words

KEYS: Final = (
    "arrows",
    "enter",
    "tab",
    "numbers",
    "back",
    "deck",
    "type",
    "zoom",
    "pane",
    "undo",
    "known",
    "pages",
    "theme",
    "help",
    "quit",
)


def keys_help(words: Words) -> RenderableType:
    """A line for each key, and the signs of the map."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for key in KEYS:
        name = Text(words.say(f"play.app.key.{key}"), style="bold")
        table.add_row(name, words.say(f"play.app.does.{key}"))
    return Group(
        _heading(words, "keys"),
        table,
        _heading(words, "map"),
        Text(words.say("play.map_key")),
        _heading(words, "commands"),
    )


def _heading(words: Words, key: str) -> Text:
    return Text(f"\n{words.say(f'play.app.{key}')}", style="bold underline")
