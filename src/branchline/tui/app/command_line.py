"""The line in which commands, cities and actions are typed, with completion by the tab key."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.suggester import Suggester
from textual.widgets import Input

from branchline.tui.table_commands import TableCommands


class CommandLine(Input):
    """Suggests how a line may go on; Tab takes the suggestion, Tab again the next one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete(1)", show=False),
        Binding("shift+tab", "complete(-1)", show=False),
        Binding("up", "recall(-1)", show=False),
        Binding("down", "recall(1)", show=False),
    ]

    def __init__(self, commands: TableCommands, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, suggester=_Suggestions(commands), compact=True)
        self._commands: Final = commands
        self._offered: list[str] = []
        self._past: list[str] = []
        self._recalled = 0

    def action_complete(self, step: int) -> None:
        if self.value in self._offered:
            at = (self._offered.index(self.value) + step) % len(self._offered)
        else:
            self._offered, at = self._commands.completions(self.value), 0
        if self._offered:
            self._write(self._offered[at])

    def action_recall(self, step: int) -> None:
        """A line that was typed before."""
        at = self._recalled + step
        if 0 <= at <= len(self._past):
            self._recalled = at
            self._write(self._past[at] if at < len(self._past) else "")

    def take(self) -> str:
        """The line that is typed; the next one begins empty."""
        line = self.value.strip()
        if line and self._past[-1:] != [line]:
            self._past.append(line)
        self._recalled = len(self._past)
        self._offered = []
        self.value = ""
        return line

    def _write(self, text: str) -> None:
        self.value = text
        self.cursor_position = len(text)


class _Suggestions(Suggester):
    def __init__(self, commands: TableCommands) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._commands: Final = commands

    async def get_suggestion(self, value: str) -> str | None:
        found = self._commands.completions(value)
        return next((line for line in found if line.startswith(value)), None)
