"""Looking at a recorded game: any position, as any seat saw it or with all cards on the table."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.text import Text

from branchline.core.catalogue import say
from branchline.engine.describe import Words
from branchline.engine.errors import SeatsError
from branchline.engine.events import NOBODY
from branchline.engine.playback import Playback
from branchline.engine.state import State
from branchline.tui.news import told
from branchline.tui.problems import UserError
from branchline.tui.reader import Reader
from branchline.tui.scores import scoreboard
from branchline.tui.screen import Screen


class Replayer:
    """Shows the positions of one game; position 0 is before the first action."""

    def __init__(
        self,
        playback: Playback,
        lang: str,
        console: Console,
        seat: int,
        open: bool,
        cities: str = "",
    ) -> None:
        game = playback.game
        if not NOBODY <= seat < game.seats:
            raise SeatsError("no_such_seat", {"seat": seat, "seats": game.seats})
        self.playback: Final = playback
        self.lang: Final = lang
        self.console: Final = console
        self.open: Final = open
        self.words: Final = Words(game, lang, viewer=NOBODY if open else seat, cities=cities)
        self.screen: Final = Screen(self.words)
        self.seat: Final = seat

    @property
    def last(self) -> int:
        """The number of the last position."""
        return self.playback.last

    def show(self, number: int) -> None:
        """A position, and the events that led to it from the one before."""
        if not 0 <= number <= self.last:
            raise UserError("no_such_position", {"number": number, "last": self.last})
        position = self.playback.position(number)
        self.console.print(self._table(position, number))
        events = self.playback.events[number]
        for line in told(self.words, events, everything=True, open=self.open):
            self.console.print(Text(f"  {line}", style="italic"))
        if position.over:
            self.console.print()
            self.console.print(scoreboard(self.playback.outcome(position), self.words))

    def _table(self, position: State, number: int) -> Text:
        title = say("play.position", self.lang, number=number, last=self.last)
        self.console.print(self.screen.table(position.view(self.seat), title))
        seats = range(position.game.seats) if self.open else [self.seat] if self.seat >= 0 else []
        for seat in seats:
            self.console.print(self.screen.own(position.view(seat), label=self.open))
        if not number or not self.open:
            return Text("")
        seat, action = self.playback.moves[number - 1]
        return Text(f"\n{seat} {position.game.action_text(action)}", style="bold")

    def step(self, reader: Reader, start: int) -> None:
        """Step to and fro until the person has seen enough."""
        number = min(max(start, 0), self.last)
        while True:
            if reader.interactive and self.console.is_terminal:
                self.console.clear()
            self.show(number)
            while True:
                try:
                    line = reader.line(say("play.step", self.lang, number=number, last=self.last))
                except EOFError:
                    return
                target = self._target(line.casefold(), number)
                if target is None:
                    return
                if 0 <= target <= self.last:
                    break
                self.console.print(say("play.step_range", self.lang, last=self.last))
            number = target

    def _target(self, line: str, number: int) -> int | None:
        """The position that an answer asks for; None to stop, -1 if it makes no sense."""
        if line in ("q", "quit"):
            return None
        if line in ("", "n", "next"):
            return number + 1
        if line in ("b", "back"):
            return number - 1
        return int(line) if line.isdecimal() and len(line) < 9 else -1
