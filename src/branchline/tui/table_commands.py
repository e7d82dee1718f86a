"""What a person can type at the table: numbers, commands, cities, and actions in the notation.

The line mode and the app understand the same lines and look things up in the same words.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from branchline.core.catalogue import rule_text
from branchline.engine.describe import Words
from branchline.engine.errors import NotationError
from branchline.engine.notation import parse_action
from branchline.rules.governing import rules_of
from branchline.tui.character_map import CharacterMap
from branchline.tui.charts import charts
from branchline.tui.lookups import (
    claim_actions,
    find_city,
    find_routes,
    listed_routes,
    plain,
    route_table,
    why_not,
)
from branchline.tui.match import Match
from branchline.tui.problems import UserError
from branchline.tui.rulebook import rule_list, rule_page

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
LOOKUPS: Final = ("routes", "map", "why", "rules", "charts", "log", "help")
"""The commands that only show something."""

MAP_LINES: Final = 40


class Typed(NamedTuple):
    """What a line means: numbers, a command and what it is about, an action, or a city."""

    numbers: tuple[int, ...] = ()
    command: str = ""
    about: str = ""
    action: int = -1
    city: int = -1


class TableCommands:
    """The commands of one person at one match."""

    def __init__(self, match: Match, words: Words) -> None:
        self.match: Final = match
        self.words: Final = words
        self.named: Final = {plain(self.say(f"command.{name}")): name for name in COMMANDS}
        self.named.update({name: name for name in COMMANDS})

    def say(self, key: str, **values: object) -> str:
        return self.words.say(f"play.{key}", **values)

    def understand(self, line: str) -> Typed | None:
        """What a line means; None if nothing does."""
        parts = line.replace(",", " ").split()
        if not parts:
            return Typed()
        if all(part.isdecimal() and len(part) < 9 for part in parts):
            return Typed(numbers=tuple(int(part) for part in parts))
        name, _, about = line.strip().partition(" ")
        if command := self.named.get(plain(name)):
            return Typed(command=command, about=about.strip())
        try:
            return Typed(action=parse_action(self.match.game, line))
        except NotationError:
            pass
        try:
            return Typed(city=find_city(self.words, line))
        except UserError:
            return None

    def completions(self, line: str) -> list[str]:
        """The whole lines that a person may be about to type."""
        name, space, about = line.lstrip().partition(" ")
        command = self.named.get(plain(name)) if space else None
        if command is not None:
            words = self._subjects(command, about)
            return [f"{name} {word}" for word in words if plain(word).startswith(plain(about))]
        view = self.match.view
        lines = [self.say(f"command.{name}") for name in COMMANDS]
        lines += [view.game.action_text(number) for number in view.actions]
        lines += sorted(self.words.city(city) for city in range(len(view.game.board.cities)))
        return [text for text in lines if plain(text).startswith(plain(line))]

    def _subjects(self, command: str, about: str) -> list[str]:
        """What a command may be about."""
        board = self.match.game.board
        match command:
            case "routes":
                cities = sorted(self.words.city(city) for city in range(len(board.cities)))
                return [self.say("word.all"), *cities]
            case "why":
                return sorted({self.words.route(route) for route in range(len(board.routes))})
            case "rules":
                return list(rules_of(board))
            case "save":
                folder = Path(about).parent
                found = folder.glob("*") if folder.is_dir() else ()
                return sorted(str(path) for path in found if path.suffix in (".json", ".txt"))
        return []

    # --- looking up ---------------------------------------------------------------------------

    def look_up(self, command: str, about: str, width: int) -> RenderableType:
        """What a command shows; raises `UserError` if it can't."""
        match command:
            case "routes":
                view = self.match.view
                return route_table(view, self.words, listed_routes(view, self.words, about))
            case "map":
                drawn = CharacterMap(self.match.view, self.words, width, MAP_LINES)
                return Group(drawn.text(), Text(self.say("map_key"), style="dim"))
            case "why":
                return self.why(find_routes(self.words, about))
            case "rules":
                return self._rules(about)
            case "charts":
                found = [content for _, content in charts(self.words, self.match.view)]
                return Group(*found) if found else Text(self.words.say("board.chart.none"))
            case "log":
                return Group(*(told_line(line) for line in self.match.log()))
        return self._help()

    def why(self, routes: list[int]) -> RenderableType:
        """For each route whether it can be claimed, and if not, by which rule."""
        lines: list[RenderableType] = []
        for route, refusal in why_not(self.words, routes, self.match.view, self.match.why_not):
            facts = f"{self.words.route(route)} ({self.words.route_facts(route)})"
            if refusal is None:
                lines.append(Text(self.say("why_can", route=facts)))
            else:
                rule = rule_text(refusal.rule, self.words.lang, self.words.vocabulary.of_rules())
                lines.append(Text(self.words.refusal(refusal)))
                lines.append(Text(f"  {facts} · {rule.id}, {rule.title}", style="dim"))
        return Group(*lines)

    def _rules(self, about: str) -> RenderableType:
        words = self.words.vocabulary.of_rules()
        if about:
            return rule_page(about, self.words.lang, words)
        return rule_list(rules_of(self.match.game.board), self.words.lang, words)

    def _help(self) -> RenderableType:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
        for name in COMMANDS:
            usage = self.say(f"usage.{name}")
            table.add_row(Text(usage, style="bold"), self.say(f"help.{name}"))
        return Group(Text(self.say("help.intro")), table, Text(self.say("help.notation")))

    # --- doing --------------------------------------------------------------------------------

    def save(self, path: str) -> str:
        """Save the game; returns what is to be said of it."""
        if not path:
            raise UserError("save_where")
        self.match.save(path)
        return self.say("saved", path=path)

    def claims(self, route: int) -> list[int]:
        """The claims of a route, the most hopeful first."""
        return claim_actions(self.words, route, self.match.view)

    def refused(self, action: int) -> str:
        """Why an action may not be taken now, with the rule; empty if it may."""
        refusal = self.match.why_not(action)
        return f"{self.words.refusal(refusal)} ({refusal.rule})" if refusal is not None else ""


def told_line(line: str) -> RenderableType:
    """A line of news or of the log."""
    return Padding(Text(line, style="italic"), (0, 0, 0, 2))
