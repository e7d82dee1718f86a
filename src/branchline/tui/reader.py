"""Where a person's answers come from: a terminal with line editing, or a file or pipe."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Final, TextIO

from rich.console import Console


class Reader:
    """Reads lines. Raises `EOFError` when there are no more."""

    def __init__(self, console: Console, stream: TextIO | None = None) -> None:
        self.console: Final = console
        self.stream: Final = stream if stream is not None else sys.stdin
        self.interactive: Final = self.stream is not None and self.stream.isatty()
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 (line editing and history)

    def complete_with(self, completions: Callable[[str], list[str]]) -> None:
        """Let the tab key complete a line, where there is a terminal with line editing."""
        if not self.interactive:
            return
        with contextlib.suppress(ImportError):
            import readline

            def found(line: str, k: int) -> str | None:
                lines = completions(line)
                return lines[k] if k < len(lines) else None

            readline.set_completer_delims("")  # whole lines, not words
            readline.set_completer(found)
            readline.parse_and_bind("tab: complete")

    def line(self, prompt: str) -> str:
        """The next line, without spaces around it; what comes from a file is shown as if typed."""
        if self.interactive:
            try:
                return self.console.input(prompt, markup=False).strip()
            except (EOFError, KeyboardInterrupt):
                self.console.print()  # leave the line of the prompt
                raise
        self.console.print(prompt, end="", markup=False)
        line = self.stream.readline() if self.stream is not None else ""
        if not line:
            self.console.print()
            raise EOFError
        self.console.print(line.strip(), markup=False, highlight=False)
        return line.strip()
