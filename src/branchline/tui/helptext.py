"""The command's own help in the reader's language: usage, panels, the help option, misuse."""

from __future__ import annotations

from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from branchline.core.catalogue import say
from branchline.tui.problems import UserError

Misuse: Final[type[Exception]] = typer.BadParameter.__mro__[1]
"""What typer raises for options and arguments that it can't make sense of."""


COMPLETION: Final = ("install_completion", "show_completion")
"""Options that typer adds by itself."""


def help_classes(lang: str) -> tuple[type[TyperGroup], type[TyperCommand]]:
    """The classes of groups and commands that speak `lang`."""

    class Command(TyperCommand):
        def get_help_option(self, ctx: Any) -> Any:
            return _translated(super().get_help_option(ctx), lang)

        def get_usage(self, ctx: Any) -> str:
            return _usage(super().get_usage(ctx), lang)

        def format_help(self, ctx: Any, formatter: Any) -> None:
            name_panels(lang)
            super().format_help(ctx, formatter)

    class Group(TyperGroup):
        def get_help_option(self, ctx: Any) -> Any:
            return _translated(super().get_help_option(ctx), lang)

        def get_usage(self, ctx: Any) -> str:
            return _usage(super().get_usage(ctx), lang)

        def format_help(self, ctx: Any, formatter: Any) -> None:
            name_panels(lang)
            super().format_help(ctx, formatter)

        def get_params(self, ctx: Any) -> Any:
            found: list[Any] = super().get_params(ctx)
            for parameter in found:
                if parameter.name in COMPLETION:
                    parameter.help = say(f"cli.option.{parameter.name}", lang)
            return found

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if args and self.get_command(ctx, args[0]) is None:
                known = ", ".join(self.list_commands(ctx))
                raise UserError("unknown_command", {"name": args[0][:40], "known": known})
            return super().resolve_command(ctx, args)

    return Group, Command


def _translated(option: Any, lang: str) -> Any:
    if option is not None:
        option.help = say("cli.option.help", lang)
    return option


def _usage(text: str, lang: str) -> str:
    return text.replace("Usage:", say("cli.usage", lang), 1)


def name_panels(lang: str) -> None:
    """Let typer head its panels in the reader's language."""
    from typer import rich_utils

    rich_utils.ARGUMENTS_PANEL_TITLE = say("cli.panel.arguments", lang)
    rich_utils.OPTIONS_PANEL_TITLE = say("cli.panel.options", lang)
    rich_utils.COMMANDS_PANEL_TITLE = say("cli.panel.commands", lang)
    rich_utils.REQUIRED_LONG_STRING = say("cli.panel.required", lang)


def misuse(error: Any) -> UserError:
    """A misuse of options or arguments, as an error that the catalogue knows."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "branchline"
    name = getattr(error, "option_name", None) or _parameter(error)
    kinds = {"NoSuchOption": "no_such_option", "MissingParameter": "missing_argument"}
    code = kinds.get(type(error).__name__, "bad_argument" if name else "bad_usage")
    return UserError(code, {"name": name, "command": command})


def _parameter(error: Any) -> str:
    parameter = getattr(error, "param", None)
    if parameter is None:
        return ""
    if parameter.param_type_name == "option":
        return str(parameter.opts[0])
    return str(parameter.metavar or parameter.name)
