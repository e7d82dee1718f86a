"""Playing line by line: numbered lists, answers that are typed. For pipes and screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from branchline.engine.describe import Words
from branchline.engine.errors import BranchlineError
from branchline.tui.match import Match, Quit
from branchline.tui.menus import Choice, TicketChoice, menu, of_city
from branchline.tui.reader import Reader
from branchline.tui.scores import scoreboard
from branchline.tui.screen import Screen
from branchline.tui.table_commands import LOOKUPS, TableCommands, Typed, told_line

NEWS_LINES: Final = 12
PAGE: Final = 20  # choices shown at a time
ALL: Final = 1000


class LineMode:
    """One person playing one match."""

    def __init__(self, match: Match, words: Words, console: Console, reader: Reader) -> None:
        self.match: Final = match
        self.words: Final = words
        self.console: Final = console
        self.reader: Final = reader
        self.screen: Final = Screen(words)
        self.commands: Final = TableCommands(match, words)
        self.waiting: list[int] = []  # numbers typed ahead
        self.looked_up = False  # whether the last answer was a command
        self.page = PAGE
        reader.complete_with(self.commands.completions)

    def say(self, key: str, **values: object) -> str:
        return self.words.say(f"play.{key}", **values)

    def play(self) -> None:
        """Play to the end. Raises `Quit`, or `EOFError` when there is no more input."""
        while True:
            self.match.rivals_play()
            if self.match.over:
                break
            self.show()
            action = self.choose()
            if action is not None:
                self.match.act(action)
        self.show()
        self.console.print(scoreboard(self.match.outcome, self.words))

    def show(self) -> None:
        """The whole table, and what has happened since it was last shown."""
        view = self.match.view
        if self.reader.interactive and self.console.is_terminal:
            self.console.clear()
        else:
            self.console.print()
        self.console.print(self.screen.table(view))
        self.console.print(self.screen.own(view))
        news = self.match.news()
        if news:
            self.console.print()
        if len(news) > NEWS_LINES:
            self.console.print(Text(self.say("more_news", n=len(news) - NEWS_LINES), style="dim"))
        for line in news[-NEWS_LINES:]:
            self.console.print(told_line(line))
        self.console.print()

    # --- choosing -----------------------------------------------------------------------------

    def choose(self) -> int | None:
        """The action that the person takes; None if the table has changed otherwise."""
        choices = menu(self.match.view, self.words)
        if isinstance(choices, TicketChoice):
            return self.choose_tickets(choices)
        path: list[list[Choice]] = [choices]
        self.page = PAGE
        asked = self.words.question(self.match.view)
        if asked:
            self.console.print(Text(asked))
        self.print_menu(path)
        while True:
            line = str(self.waiting.pop(0)) if self.waiting else self.reader.line("> ")
            typed = self.commands.understand(line)
            if line == "+":
                self.page = ALL
                self.print_menu(path)
            elif typed is not None and typed.numbers:
                number, *ahead = typed.numbers
                self.waiting = [*ahead, *self.waiting]
                if number == 0 and len(path) > 1:
                    path.pop()
                elif 1 <= number <= len(path[-1]):
                    choice = path[-1][number - 1]
                    if not choice.more:
                        return choice.action
                    path.append(choice.more)
                else:
                    self.waiting = []
                    self.complain(self.say("no_number", n=len(path[-1])))
                    continue
                self.print_menu(path)
            elif typed is not None and (found := of_city(path[0], typed.city)):
                path.append(found)
                self.print_menu(path)
            else:
                done, action = self.other(typed)
                if done:
                    return action
                if self.looked_up:
                    self.print_menu(path)

    def choose_tickets(self, choice: TicketChoice) -> int | None:
        """The numbers of the tickets to keep, all in one line."""
        self.print_tickets(choice)
        self.waiting = []
        while True:
            typed = self.commands.understand(self.reader.line("> "))
            if typed is not None and typed.numbers:
                places = tuple(sorted({number - 1 for number in typed.numbers}))
                action = self.allowed(choice.actions.get(places))
                if action is not None:
                    return action
            else:
                done, action = self.other(typed)
                if done:
                    return action
                if self.looked_up:
                    self.print_tickets(choice)

    def print_tickets(self, choice: TicketChoice) -> None:
        for number, ticket in enumerate(choice.tickets, 1):
            self.console.print(Text(f"{number:>3}  ", style="bold") + self.words.ticket(ticket))
        key = "keep_exactly" if choice.least == choice.most else "keep_at_least"
        self.console.print(Text(self.say(key, n=choice.least)))

    def print_menu(self, path: Sequence[Sequence[Choice]]) -> None:
        shown = path[-1][: self.page]
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(justify="right", width=3)
        table.add_column()
        for number, choice in enumerate(shown, 1):
            table.add_row(Text(str(number), style="bold"), choice.label)
        if len(shown) < len(path[-1]):
            text = self.say("more_choices", n=len(path[-1]) - len(shown))
            table.add_row("…", Text(text, style="dim"))
        if len(path) > 1:
            table.add_row("0", Text(self.say("back"), style="dim"))
        self.console.print(table)

    def allowed(self, action: int | None) -> int | None:
        """An action if it may be taken now; else the reason is shown."""
        if action is None:
            self.complain(self.say("not_understood"))
            return None
        refused = self.commands.refused(action)
        if refused:
            self.complain(refused)
            return None
        return action

    def other(self, typed: Typed | None) -> tuple[bool, int | None]:
        """An answer that is not a number: whether the choice is over, and the action."""
        self.waiting = []
        self.looked_up = False
        if typed is None:
            self.complain(self.say("not_understood"))
        elif typed.command:
            try:
                done = self.do(typed.command, typed.about)
                self.looked_up = True
                return done, None
            except BranchlineError as error:
                self.complain(self.words.error(error))
        elif typed.city >= 0:
            self.looked_up = True
            self.do("routes", self.words.city(typed.city))
        elif typed.action >= 0:
            action = self.allowed(typed.action)
            return action is not None, action
        return False, None

    def do(self, command: str, about: str) -> bool:
        """Obey a command; returns whether the table must be shown anew."""
        if command in LOOKUPS:
            width = self.console.width - 1
            self.console.print(self.commands.look_up(command, about, width))
            return False
        match command:
            case "known":
                self.screen.known = not self.screen.known
            case "undo":
                self.match.undo()
            case "save":
                self.console.print(Text(self.commands.save(about)))
                return False
            case "quit":
                raise Quit
        return True

    def complain(self, text: str) -> None:
        self.console.print(Text(text, style="yellow"))
