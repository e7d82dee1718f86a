"""Pages above the table: something to read, and the question whether to leave."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Label, Static


class Page(ModalScreen[None]):
    """Something to read, which scrolls; Escape, Enter or q closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,space", "dismiss", show=False)]

    def __init__(self, title: str, content: RenderableType, hint: str) -> None:
        super().__init__()
        self._heading: Final = title
        self._content: Final = content
        self._hint: Final = hint

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = self._heading
            box.border_subtitle = self._hint
            yield Static(self._content)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


class Question(ModalScreen[bool]):
    """A question that is answered by y (or the key of the language) or n."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,n", "answer(False)", show=False)]

    def __init__(self, text: str, yes: str) -> None:
        super().__init__()
        self._text: Final = text
        self._bindings.bind(f"{yes},enter", "answer(True)", show=False)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(self._text)

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
