"""What the groups of commands for authors share."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import typer
from rich.console import Console
from typer.core import TyperCommand, TyperGroup

from branchline.core.catalogue import say
from branchline.tui.helptext import help_classes

HELP: Final = {"help_option_names": ["-h", "--help"]}


def out() -> Console:
    """Where results go."""
    return Console(highlight=False, markup=False, emoji=False)


class Style(NamedTuple):
    """How commands look and speak."""

    lang: str
    group: type[TyperGroup]
    single: type[TyperCommand]
    cities: str = ""
    """The language of city names, if not as printed."""

    def t(self, key: str, **values: object) -> str:
        return say(f"cli.{key}", self.lang, **values)

    @property
    def words(self) -> dict[str, Any]:
        """For every command: its options in the reader's language, `-h` for help."""
        return {"options_metavar": self.t("options"), "context_settings": HELP}

    @property
    def command(self) -> dict[str, Any]:
        return {"cls": self.single, **self.words}

    def group_of(self, app: typer.Typer, name: str) -> typer.Typer:
        """A new group of commands below `app`."""
        metavar = self.t("subcommand")
        help = self.t(f"{name}.help")
        group = typer.Typer(cls=self.group, help=help, subcommand_metavar=metavar, **self.words)
        app.add_typer(group, name=name)
        return group

    def option(self, key: str, *names: str, **more: Any) -> Any:
        return typer.Option(*names, help=self.t(f"option.{key}"), show_default=False, **more)

    def argument(self, key: str, metavar: str, **more: Any) -> Any:
        help = self.t(f"option.{key}")
        return typer.Argument(help=help, metavar=metavar, show_default=False, **more)


def style_of(lang: str, cities: str = "") -> Style:
    return Style(lang, *help_classes(lang), cities)
