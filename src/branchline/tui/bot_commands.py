"""`branchline bots`: bots listed, checked and begun."""

import sys
from typing import Annotated

import typer
from rich.text import Text

from branchline.bots import bot_names
from branchline.bots.registry import LEVELS, OWN
from branchline.core.catalogue import say
from branchline.core.mapfile import load_board
from branchline.tui.commands import Style, out
from branchline.tui.shell_completion import bot_choices
from branchline.tui.templates import new_bot


def add_bot_commands(app: typer.Typer, style: Style, debug: bool) -> None:
    """Add the group `bots`."""
    lang, t, option, argument = style.lang, style.t, style.option, style.argument
    bots = style.group_of(app, "bots")

    @bots.callback(invoke_without_command=True)
    def list_bots(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            for name in bot_names():
                about = name if name in OWN or name in LEVELS else "installed"
                line = Text(f"{name:<9} ", "bold") + Text(say(f"bots.{about}", lang))
                out().print(line, soft_wrap=True)

    @bots.command("check", help=t("bots.check"), **style.command)
    def check(
        spec: Annotated[str, argument("bot", t("metavar.bot"), autocompletion=bot_choices)],
        games: Annotated[int, option("check_games", "--games", metavar="N", min=1)] = 2,
        seconds: Annotated[
            float, option("check_seconds", "--seconds", metavar="S", min=0.001)
        ] = 1.0,
    ) -> None:
        if not check_bot(spec, games, seconds, lang, debug):
            raise typer.Exit(1)

    @bots.command("new", help=t("bots.new"), **style.command)
    def begin(name: Annotated[str, argument("new_bot", t("metavar.name"))]) -> None:
        path, spec = new_bot(name, lang)
        print(t("said.new_bot", path=path, command=f"branchline bots check {spec}"))


def check_bot(spec: str, games: int, seconds: float, lang: str, debug: bool) -> bool:
    """Check a bot and say what was found; True if there is nothing to complain about."""
    from branchline.bots.conformance import examine

    def number(text: str) -> str:
        return text.replace(".", say("cli.decimal", lang))

    def progress(table: str) -> None:
        if sys.stderr.isatty():
            print(table, file=sys.stderr)

    report = examine(spec, games, seconds, progress)
    shown: set[str] = set()
    for one in report.complaints:
        board = load_board(one.board).named(lang)
        detail = number(one.detail) if one.what == "slow" else one.detail
        key = f"bots.complaint.{one.what}"
        line = say(key, lang, bot=spec, board=board, seats=one.seats, detail=detail)
        out().print(Text(line), soft_wrap=True)
        if one.fault is not None and one.fault.trace not in (*shown, ""):  # each traceback once
            shown.add(one.fault.trace)
            print(one.fault.debug if debug else one.fault.trace)
    if report.complaints:
        return False
    print(say("cli.ok", lang))
    slowest = number(f"{report.slowest * 1000:.1f}")
    line = say("bots.summary", lang, n=report.decisions, kinds=len(report.met), slowest=slowest)
    out().print(Text(line), soft_wrap=True)
    return True
