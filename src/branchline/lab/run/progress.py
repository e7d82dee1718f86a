"""A progress bar on the error stream: how much is done, the speed, the time that remains."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from branchline.core.catalogue import say
from branchline.lab.numbers import number


class Rate(ProgressColumn):
    """Items per second."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang: Final = lang

    def render(self, task: Task) -> Text:
        speed = task.speed or 0.0
        shown = number(speed, 0 if speed >= 10 else 1, self.lang)
        return Text(say("lab.progress.rate", self.lang, rate=shown), style="progress.data.speed")


class Bar:
    """What is done so far."""

    def __init__(self, progress: Progress, total: int, done: int) -> None:
        self.progress: Final = progress
        self.task: Final = progress.add_task("", total=total, completed=done)

    def advance(self, n: int, what: str = "") -> None:
        self.progress.update(self.task, advance=n, description=what)


@contextmanager
def progress_bar(total: int, lang: str, done: int = 0) -> Iterator[Bar]:
    """A bar for as long as the block runs; nothing if the error stream is not a terminal."""
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(lang),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with progress:
        yield Bar(progress, total, done)
