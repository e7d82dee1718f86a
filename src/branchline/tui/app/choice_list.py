"""The open decision as a list: menus within menus, or tickets to be marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from branchline.engine.describe import Words
from branchline.engine.view import View
from branchline.tui.character_map import ticket_ends
from branchline.tui.menus import Choice, TicketChoice, menu


class ChoiceList(OptionList):
    """What the person may choose now, by arrows and Enter, by number, or by a click."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "select", show=False)]

    class Decided(Message):
        """An action is chosen; None: the marked tickets are no choice that there is."""

        def __init__(self, action: int | None) -> None:
            super().__init__()
            self.action: Final = action

    class Considered(Message):
        """A line is highlighted that is about a route or about cities."""

        def __init__(self, route: int, cities: tuple[int, ...]) -> None:
            super().__init__()
            self.route: Final = route
            self.cities: Final = cities

    def __init__(self, words: Words) -> None:
        super().__init__(markup=False)
        self._words: Final = words
        self._view: View | None = None
        self._path: list[list[Choice]] = []
        self.tickets: TicketChoice | None = None
        """The tickets to choose from, if that is the decision."""
        self._marked: set[int] = set()

    def say(self, key: str, **values: object) -> str:
        return self._words.say(f"play.app.{key}", **values)

    def offer(self, view: View | None) -> None:
        """Show the decision of a view; None: there is nothing to decide."""
        self._view, self._path, self.tickets, self._marked = view, [], None, set()
        if view is not None:
            choices = menu(view, self._words, narrow=True)
            if isinstance(choices, TicketChoice):
                self.tickets = choices
            else:
                self._path = [choices]
        self._fill()

    @property
    def top(self) -> list[Choice]:
        """The choices of the whole decision, unless it is about tickets."""
        return self._path[0] if self._path else []

    @property
    def depth(self) -> int:
        """How many menus lie behind the one that is shown."""
        return max(len(self._path) - 1, 0)

    @property
    def question(self) -> str:
        """What is to be decided."""
        if self.tickets is not None:
            exactly = self.tickets.least == self.tickets.most
            key = "keep_exactly" if exactly else "keep_at_least"
            return self.say(key, n=self.tickets.least)
        return self._words.question(self._view) if self._view is not None else ""

    def open(self, choices: list[Choice]) -> None:
        """Show a menu above the others."""
        self._path = [*self._path[:1], choices]
        self._fill()

    def back(self) -> bool:
        """Close the menu that is shown; returns whether there was another behind it."""
        if self.depth == 0:
            return False
        self._path.pop()
        self._fill()
        return True

    def choose(self, number: int) -> bool:
        """Choose a line by its number; returns whether there is one."""
        if number == 0:
            return self.back()
        if not 1 <= number <= self.option_count:
            return False
        self.highlighted = number - 1
        self._take(number - 1)
        return True

    def keep(self, numbers: Sequence[int]) -> bool:
        """Keep the tickets of these numbers; returns whether there is such a decision."""
        if self.tickets is None:
            return False
        places = tuple(sorted({number - 1 for number in numbers}))
        self.post_message(self.Decided(self.tickets.actions.get(places)))
        return True

    # --- lines ----------------------------------------------------------------------------------

    def _fill(self, highlighted: int = 0) -> None:
        self.set_options(
            Option(_numbered(k, line)) for k, line in enumerate(self._choice_lines(), 1)
        )
        self.highlighted = highlighted if self.option_count else None

    def _choice_lines(self) -> list[Text]:
        if self.tickets is None:
            return [choice.label for choice in self._path[-1]] if self._path else []
        lines = []
        for place, ticket in enumerate(self.tickets.tickets):
            mark = "[x]" if place in self._marked else "[ ]"
            lines.append(Text(f"{mark} {self._words.ticket(ticket)}"))
        lines.append(Text(self.say("keep_these", n=len(self._marked)), style="bold"))
        return lines

    def _take(self, index: int) -> None:
        if self.tickets is not None:
            if index == len(self.tickets.tickets):
                self.keep([place + 1 for place in self._marked])
                return
            self._marked ^= {index}
            self._fill(index)
            return
        choice = self._path[-1][index]
        if choice.more:
            self._path.append(choice.more)
            self._fill()
        else:
            self.post_message(self.Decided(choice.action))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._take(event.option_index)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        index = event.option_index
        if self.tickets is not None and self._view is not None:
            tickets = self.tickets.tickets[index : index + 1]
            ends = tuple(city for ticket in tickets for city in ticket_ends(self._view, ticket))
            self.post_message(self.Considered(-1, ends))
        elif self._path and index < len(self._path[-1]):
            choice = self._path[-1][index]
            self.post_message(self.Considered(choice.route, choice.cities))


def _numbered(number: int, line: Text) -> Text:
    return Text.assemble((f"{number} ", "bold"), line)
