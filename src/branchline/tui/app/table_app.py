"""The app that `branchline play` starts in a terminal."""

from __future__ import annotations

import os
from typing import ClassVar, Final

from textual.app import App

from branchline.engine.describe import Words
from branchline.tui.app.table_screen import TableScreen
from branchline.tui.match import Match, Quit

DARK: Final = "textual-dark"
LIGHT: Final = "textual-light"


class TableApp(App[None]):
    """One match, from the first decision to the last."""

    CSS_PATH = "table_app.tcss"
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False

    def __init__(self, match: Match, words: Words) -> None:
        super().__init__()
        self.table: Final = TableScreen(match, words)

    def on_mount(self) -> None:
        self.theme = LIGHT if light_terminal(os.environ.get("COLORFGBG", "")) else DARK
        self.push_screen(self.table)

    def action_switch_theme(self) -> None:
        self.theme = LIGHT if self.theme == DARK else DARK
        self.table.show()


def play_app(match: Match, words: Words) -> None:
    """Play a match to the end; raises `Quit` if the person leaves, `BotFault` if a bot fails."""
    app = TableApp(match, words)
    app.run()
    if app.table.fault is not None:
        raise app.table.fault
    if app.return_code:  # Textual has shown what went wrong
        raise SystemExit(app.return_code)
    if not match.over:
        raise Quit


def light_terminal(colours: str) -> bool:
    """Whether a terminal that says its colours (`COLORFGBG`) has a light ground.

    >>> light_terminal("0;15"), light_terminal("15;0"), light_terminal("")
    (True, False, False)
    """
    ground = colours.rpartition(";")[2]
    return ground.isdecimal() and int(ground) in (7, *range(9, 16))
