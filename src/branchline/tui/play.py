"""Playing in a terminal: the person chooses from numbered lists, or looks something up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from branchline.core.catalogue import rule_text
from branchline.engine.describe import Words
from branchline.engine.errors import BranchlineError, NotationError
from branchline.engine.notation import parse_action
from branchline.rules.governing import rules_of
from branchline.tui.charts import charts
from branchline.tui.lookups import (
    find_city,
    find_routes,
    listed_routes,
    plain,
    route_table,
    why_not,
)
from branchline.tui.match import Match
from branchline.tui.menus import Choice, TicketChoice, menu, of_city
from branchline.tui.problems import UserError
from branchline.tui.reader import Reader
from branchline.tui.rulebook import rule_list, rule_page
from branchline.tui.scores import scoreboard
from branchline.tui.screen import Screen
from branchline.tui.text_map import text_map

COMMANDS: Final = (
    "routes",
    "map",
    "why",
    "rules",
    "charts",
    "log",
    "known",
    "undo",
    "save",
    "help",
    "quit",
)
NEWS_LINES: Final = 12
MAP_LINES: Final = 40
PAGE: Final = 20  # choices shown at a time
ALL: Final = 1000


class Quit(Exception):
    """The person wants to leave."""


class TerminalGame:
    """One person playing one match."""

    def __init__(self, match: Match, words: Words, console: Console, reader: Reader) -> None:
        self.match: Final = match
        self.words: Final = words
        self.console: Final = console
        self.reader: Final = reader
        self.screen: Final = Screen(words)
        self.waiting: list[str] = []  # numbers typed ahead
        self.looked_up = False  # whether the last answer was a command
        self.page = PAGE
        self.commands: Final[dict[str, Callable[[str], bool]]] = {
            "routes": self.routes,
            "map": self.map,
            "why": self.why,
            "rules": self.rules,
            "charts": self.charts,
            "log": self.log,
            "known": self.known,
            "undo": self.undo,
            "save": self.save,
            "help": self.help,
            "quit": self.quit,
        }
        self.spoken: Final = {plain(self.say(f"command.{name}")): name for name in COMMANDS}
        self.spoken.update({name: name for name in COMMANDS})

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
            self.console.print(Padding(Text(line, style="italic"), (0, 0, 0, 2)))
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
            line = self.waiting.pop(0) if self.waiting else self.reader.line("> ")
            if line.replace(" ", "").isdecimal():
                number, *self.waiting = line.split()
                if number == "0" and len(path) > 1:
                    path.pop()
                elif 1 <= int(number[:9]) <= len(path[-1]):
                    choice = path[-1][int(number) - 1]
                    if not choice.more:
                        return choice.action
                    path.append(choice.more)
                else:
                    self.complain(self.say("no_number", n=len(path[-1])))
                    continue
                self.print_menu(path)
            else:
                found = self.search(path[0], line)
                if found:
                    path.append(found)
                if found or line == "+":
                    self.print_menu(path)
                    continue
                done, action = self.other(line)
                if done:
                    return action
                if self.looked_up:
                    self.print_menu(path)

    def choose_tickets(self, choice: TicketChoice) -> int | None:
        """The numbers of the tickets to keep, all in one line."""
        self.print_tickets(choice)
        self.waiting = []
        while True:
            line = self.reader.line("> ")
            numbers = line.replace(",", " ").split()
            if numbers and all(n.isdecimal() and len(n) < 4 for n in numbers):
                places = tuple(sorted({int(n) - 1 for n in numbers}))
                action = self.allowed(choice.actions.get(places))
                if action is not None:
                    return action
            else:
                done, action = self.other(line)
                if done:
                    return action
                if self.looked_up:
                    self.print_tickets(choice)

    def print_tickets(self, choice: TicketChoice) -> None:
        for number, ticket in enumerate(choice.tickets, 1):
            self.console.print(Text(f"{number:>3}  ", style="bold") + self.words.ticket(ticket))
        key = "keep_exactly" if choice.least == choice.most else "keep_at_least"
        self.console.print(Text(self.say(key, n=choice.least)))

    def search(self, choices: list[Choice], line: str) -> list[Choice]:
        """The choices about a city that the person names; all of a long list for `+`."""
        if line == "+":
            self.page = ALL
            return []
        if plain(line.split(" ")[0]) in self.spoken or not plain(line):
            return []
        try:
            return of_city(choices, find_city(self.words, line))
        except UserError:
            return []

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
        refusal = self.match.why_not(action)
        if refusal is None:
            return action
        self.complain(f"{self.words.refusal(refusal)} ({refusal.rule})")
        return None

    def other(self, line: str) -> tuple[bool, int | None]:
        """A command, or an action in the notation: whether the choice is over, and the action."""
        self.waiting = []
        name, _, rest = line.partition(" ")
        command = self.spoken.get(plain(name))
        self.looked_up = command is not None
        if command is not None:
            try:
                return self.commands[command](rest.strip()), None
            except BranchlineError as error:
                self.looked_up = False
                self.complain(self.words.error(error))
                return False, None
        if not line:
            return False, None
        try:
            written = parse_action(self.match.game, line)
        except NotationError:
            return self.name_of_city(line), None
        action = self.allowed(written)
        return action is not None, action

    def name_of_city(self, line: str) -> bool:
        """Show the routes of a city that the person names."""
        try:
            find_city(self.words, line)
        except UserError:
            self.complain(self.say("not_understood"))
            return False
        self.looked_up = True
        return self.routes(line)

    def complain(self, text: str) -> None:
        self.console.print(Text(text, style="yellow"))

    # --- looking up ---------------------------------------------------------------------------
    # Each says whether the choice must be shown anew.

    def routes(self, about: str) -> bool:
        view = self.match.view
        chosen = listed_routes(view, self.words, about)
        self.console.print(route_table(view, self.words, chosen))
        return False

    def map(self, about: str) -> bool:
        width = self.console.width - 1
        self.console.print(text_map(self.match.view, self.words, width, MAP_LINES), end="")
        self.console.print(Text(self.say("map_key"), style="dim"))
        return False

    def why(self, about: str) -> bool:
        view = self.match.view
        routes = find_routes(self.words, about)
        for route, refusal in why_not(self.words, routes, view, self.match.why_not):
            facts = f"{self.words.route(route)} ({self.words.route_facts(route)})"
            if refusal is None:
                self.console.print(Text(self.say("why_can", route=facts)))
            else:
                rule = rule_text(refusal.rule, self.words.lang, self.words.vocabulary.nouns)
                source = f"  {facts} · {rule.id}, {rule.title}"
                self.console.print(Text(self.words.refusal(refusal)))
                self.console.print(Text(source, style="dim"))
        return False

    def rules(self, about: str) -> bool:
        if about:
            self.console.print(rule_page(about, self.words.lang, self.words.vocabulary.nouns))
        else:
            ids, nouns = rules_of(self.match.game.board), self.words.vocabulary.nouns
            self.console.print(rule_list(ids, self.words.lang, nouns))
        return False

    def charts(self, about: str) -> bool:
        found = charts(self.words, self.match.view)
        for _, content in found:
            self.console.print(content)
        if not found:
            self.console.print(Text(self.words.say("board.chart.none")))
        return False

    def log(self, about: str) -> bool:
        for line in self.match.log():
            self.console.print(Padding(Text(line, style="italic"), (0, 0, 0, 2)))
        return False

    def known(self, about: str) -> bool:
        self.screen.known = not self.screen.known
        return True

    def help(self, about: str) -> bool:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
        for name in COMMANDS:
            usage = self.say(f"usage.{name}")
            table.add_row(Text(usage, style="bold"), self.say(f"help.{name}"))
        self.console.print(Text(self.say("help.intro")))
        self.console.print(table)
        self.console.print(Text(self.say("help.notation")))
        return False

    def undo(self, about: str) -> bool:
        self.match.undo()
        return True

    def save(self, about: str) -> bool:
        if not about:
            raise UserError("save_where")
        self.match.save(about)
        self.console.print(Text(self.say("saved", path=about)))
        return False

    def quit(self, about: str) -> bool:
        raise Quit
