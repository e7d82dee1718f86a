"""`branchline maps`: boards listed, shown, checked, drawn, watched and begun."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.text import Text

from branchline.core.board import Board
from branchline.core.catalogue import say
from branchline.core.mapfile import MapProblem, builtin_boards, load_board
from branchline.engine.describe import describe_error
from branchline.engine.errors import BranchlineError
from branchline.rules.parameters import full_schema
from branchline.tui import problems
from branchline.tui.boards import board_page, board_table
from branchline.tui.commands import Style, out
from branchline.tui.shell_completion import board_names
from branchline.tui.templates import new_board

PAUSE: Final = 0.3  # seconds between two looks at a file


def add_map_commands(app: typer.Typer, style: Style) -> None:
    """Add the group `maps`."""
    lang, t, option, argument = style.lang, style.t, style.option, style.argument
    maps = style.group_of(app, "maps")
    file, id = t("metavar.file"), t("metavar.board")
    overlay_option = option("overlay", "--overlay", metavar=file)
    board_argument = argument("board", id, autocompletion=board_names)
    dark_option = option("dark", "--dark")

    @maps.callback(invoke_without_command=True)
    def list_maps(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            out().print(board_table([load_board(id) for id in builtin_boards()], lang))

    @maps.command("show", help=t("maps.show"), **style.command)
    def show_map(
        board: Annotated[str, board_argument],
        overlay: Annotated[list[str] | None, overlay_option] = None,
    ) -> None:
        out().print(board_page(problems.open_board(board, overlay or []), lang, style.cities))

    @maps.command("check", help=t("maps.check"), **style.command)
    def check_map(
        file: Annotated[str, argument("board_file", file, autocompletion=board_names)],
        overlay: Annotated[list[str] | None, overlay_option] = None,
    ) -> None:
        found = problems.check_files(file, overlay or [])
        for path, problem in found:
            out().print(Text(problem_line(path, problem, style)), soft_wrap=True)
        if found:
            raise typer.Exit(1)
        print(t("ok"))

    @maps.command("draw", help=t("maps.draw"), **style.command)
    def draw_map(
        board: Annotated[str, board_argument],
        picture: Annotated[str, option("picture", "--out", metavar=file)],
        dark: Annotated[bool, dark_option] = False,
    ) -> None:
        problems.write_text(picture, drawn(problems.open_board(board), style, dark))
        print(t("drawn", path=picture))

    @maps.command("watch", help=t("maps.watch"), **style.command)
    def watch_map(
        file: Annotated[str, argument("watched", file)],
        picture: Annotated[str, option("watched_picture", "--out", metavar=file)] = "",
        dark: Annotated[bool, dark_option] = False,
    ) -> None:
        if not file.endswith(".toml"):
            raise problems.UserError("not_a_board_file", {"path": file})
        target = picture or str(Path(file).with_suffix(".svg"))
        print(t("said.watching", path=file))
        watch(Path(file), lambda: redraw(file, target, dark, style))

    @maps.command("new", help=t("maps.new"), **style.command)
    def begin_map(name: Annotated[str, argument("new_board", t("metavar.name"))]) -> None:
        path = new_board(name, lang)
        print(t("said.new_board", path=path, command=f"branchline maps check {path}"))

    @maps.command("schema", help=t("maps.schema"), **style.command)
    def map_schema() -> None:
        print(json.dumps(full_schema(), indent=1, ensure_ascii=False))


def problem_line(path: str, problem: MapProblem, style: Style) -> str:
    """A problem of a board file in one line, which begins with the file that is wrong."""
    return say("maps.of_file", style.lang, path=path, problem=problem.told(style.lang))


def drawn(board: Board, style: Style, dark: bool) -> str:
    """A board as an SVG picture."""
    from branchline.drawing.drawings import drawing_for
    from branchline.drawing.svg import draw_svg

    theme = "dark" if dark else "light"
    return draw_svg(board, drawing_for(board), style.lang, theme, style.cities)


def redraw(file: str, target: str, dark: bool, style: Style) -> None:
    """Draw a board file anew, or say what is wrong with it."""
    try:
        found = problems.check_files(file)
        for path, problem in found:
            out().print(Text(problem_line(path, problem, style)), soft_wrap=True)
        if not found:
            problems.write_text(target, drawn(load_board(file), style, dark))
            print(style.t("drawn", path=target), flush=True)
    except BranchlineError as error:
        print(describe_error(error, style.lang), flush=True)


def watch(path: Path, act: Callable[[], None], pause: Callable[[float], None] = time.sleep) -> None:
    """Act now, and again whenever the file has changed, until interrupted with Ctrl+C."""
    try:
        seen = _stamp(path)
        act()
        while True:
            pause(PAUSE)
            now = _stamp(path)
            if now != seen and now is not None:  # editors may remove a file before they write it
                seen = now
                act()
    except KeyboardInterrupt:
        print()


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
