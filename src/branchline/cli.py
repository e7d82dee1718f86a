"""The one command, `branchline`: play, serve, simulate, arena, study, replay, maps, bots, rules.

Every word that it says comes from the message catalogues. What a user can get wrong ends with one
line on the error stream and exit code 2.
"""

import json
import os
import platform
import secrets
import sys
from io import TextIOWrapper
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.text import Text

from branchline import __version__
from branchline._plain import compiled
from branchline.bots import bot_names as known_bots
from branchline.bots import make_bot, seat_bot
from branchline.bots.registry import LEVELS, OWN
from branchline.core.board import Board
from branchline.core.catalogue import pick_city_names, pick_language, rule_ids, say
from branchline.core.mapfile import MapError, builtin_boards, load_board
from branchline.engine.describe import Words, describe_error
from branchline.engine.errors import BranchlineError
from branchline.engine.events import NOBODY
from branchline.engine.game import Game
from branchline.engine.state import State
from branchline.lab.commands import add_commands as add_lab
from branchline.rules.governing import rules_of
from branchline.rules.params import full_schema
from branchline.service.commands import add_commands as add_service
from branchline.tui import problems
from branchline.tui.boards import board_page, board_table, seats_text
from branchline.tui.helptext import Misuse, help_classes, misuse
from branchline.tui.match import PERSON, Match
from branchline.tui.play import Quit, Sitting
from branchline.tui.problems import UserError
from branchline.tui.reader import Reader
from branchline.tui.replayer import Replayer
from branchline.tui.rulebook import rule_page

MISTAKE: Final = 2
INTERRUPTED: Final = 130
SERVER_PACKAGES: Final = frozenset(
    {"alembic", "fastapi", "httpx", "prometheus_client", "pywebpush", "sqlalchemy"}
    | {"starlette", "uvicorn"}
)


def main() -> None:
    """Run the command with the arguments that it was called with."""
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run the command; gives its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # where a letter can't be read or shown: "?"
    try:
        wanted, args = split_option(args, "--lang")
        lang = pick_language(wanted)
    except ValueError:
        return complain(say("errors.bad_language", "en"))
    try:
        names, args = split_option(args, "--city-names")
        cities = pick_city_names(names, lang)
    except ValueError:
        return complain(say("errors.bad_city_names", lang))
    try:
        command = typer.main.get_command(make_app(lang, cities))
        code = command.main(args=args, prog_name="branchline", standalone_mode=False)
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 (nothing reads any more)
        return 1
    except Misuse as error:
        return complain(describe_error(misuse(error), lang))
    except MapError as error:
        return complain(describe_error(problems.board_problem(error), lang))
    except BranchlineError as error:
        return complain(describe_error(error, lang))
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] in SERVER_PACKAGES:
            return complain(say("errors.needs_serve", lang))
        raise
    if code == INTERRUPTED:
        complain(say("cli.interrupted", lang))
    return code if isinstance(code, int) else 0


def complain(text: str) -> int:
    """Say on the error stream, in one line, what is wrong; gives the exit code."""
    print(" ".join(text.split("\n")), file=sys.stderr)
    return MISTAKE


def split_option(args: list[str], name: str) -> tuple[str | None, list[str]]:
    """The value of an option that may stand anywhere, and the other arguments."""
    for k, word in enumerate(args):
        if word == "--":
            break
        if word == name:
            return (args[k + 1] if k + 1 < len(args) else "?"), args[:k] + args[k + 2 :]
        if word.startswith(f"{name}="):
            return word.removeprefix(f"{name}=") or "?", args[:k] + args[k + 1 :]
    return None, args


def out() -> Console:
    """Where results go."""
    return Console(highlight=False, markup=False, emoji=False)


def make_app(lang: str, cities: str = "") -> typer.Typer:
    """The command with its help in `lang`; `cities` is the language of city names, if any."""

    def t(key: str, **values: object) -> str:
        return say(f"cli.{key}", lang, **values)

    group, single = help_classes(lang)
    style: dict[str, Any] = {"add_completion": False, "rich_markup_mode": "rich"}
    words: dict[str, Any] = {"options_metavar": t("options")}
    app = typer.Typer(
        cls=group, help=t("about"), subcommand_metavar=t("subcommand"), **style, **words
    )
    maps = typer.Typer(cls=group, help=t("maps.help"), subcommand_metavar=t("subcommand"), **words)
    app.add_typer(maps, name="maps")
    bots_help = t("bots.help")
    robots = typer.Typer(cls=group, help=bots_help, subcommand_metavar=t("subcommand"), **words)
    app.add_typer(robots, name="bots")

    def option(key: str, *names: str, **more: Any) -> Any:
        return typer.Option(*names, help=t(f"option.{key}"), show_default=False, **more)

    def argument(key: str, metavar: str) -> Any:
        return typer.Argument(help=t(f"option.{key}"), metavar=metavar, show_default=False)

    map_option = option("map", "--map", metavar=t("metavar.board"))
    overlay_option = option("overlay", "--overlay", metavar=t("metavar.file"))
    file_argument = argument("file", t("metavar.file"))

    @app.callback(invoke_without_command=True)
    def start(
        context: typer.Context,
        language: Annotated[str, option("lang", "--lang", metavar="en|fr")] = lang,
        city_names: Annotated[
            str, option("city_names", "--city-names", metavar="printed|local")
        ] = "",
    ) -> None:
        if context.invoked_subcommand is None:
            print(context.get_help(), end="")

    @app.command(cls=single, help=t("play.help"), **words)
    def play(
        board: Annotated[str | None, map_option] = None,
        seats: Annotated[int | None, option("seats", "--seats", metavar="N")] = None,
        against: Annotated[str, option("against", "--against", metavar=t("metavar.bots"))] = "",
        seed: Annotated[str, option("seed", "--seed", metavar=t("metavar.seed"))] = "",
        first: Annotated[int | None, option("first", "--first", metavar=t("metavar.seat"))] = None,
        overlay: Annotated[list[str] | None, overlay_option] = None,
        save: Annotated[str, option("save", "--save", metavar=t("metavar.file"))] = "",
        resume: Annotated[str, option("resume", "--resume", metavar=t("metavar.file"))] = "",
    ) -> None:
        console = out()
        reader = Reader(console)
        bots = bot_names(against)
        if resume:
            state = problems.load_state(resume, board, overlay or ())
        else:
            name = board or choose_board(console, reader, lang)
            state = new_game(name, seats, bots, seed, first, overlay or [])
        play_match(state, bots, console, reader, lang, save, cities)

    add_lab(app, lang, cls=single, **words)
    add_service(app, lang, cls=single, **words)

    @app.command(cls=single, help=t("replay.help"), **words)
    def replay(
        file: Annotated[str, file_argument],
        at: Annotated[int | None, option("at", "--at", metavar="N")] = None,
        seat: Annotated[int, option("seat", "--seat", metavar=t("metavar.seat"))] = NOBODY,
        all_open: Annotated[bool, option("all_open", "--all-open")] = False,
        step: Annotated[bool, option("step", "--step")] = False,
        board: Annotated[str | None, map_option] = None,
        overlay: Annotated[list[str] | None, overlay_option] = None,
    ) -> None:
        console = out()
        reader = Reader(console)
        state = problems.load_state(file, board, overlay or ())
        shown = Replayer(state, lang, console, seat, all_open, cities)
        if step or (at is None and reader.interactive and console.is_terminal):
            shown.step(reader, at or 0)
        else:
            shown.show(shown.last if at is None else at)

    @maps.callback(invoke_without_command=True)
    def list_maps(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            out().print(board_table([load_board(id) for id in builtin_boards()], lang))

    @maps.command("show", cls=single, help=t("maps.show"), **words)
    def show_map(
        board: Annotated[str, argument("board", t("metavar.board"))],
        overlay: Annotated[list[str] | None, overlay_option] = None,
    ) -> None:
        out().print(board_page(problems.open_board(board, overlay or []), lang, cities))

    @maps.command("check", cls=single, help=t("maps.check"), **words)
    def check_map(file: Annotated[str, argument("board_file", t("metavar.file"))]) -> None:
        found = problems.check_board(file)[1]
        for problem in found:
            out().print(Text(problem.told(lang)), soft_wrap=True)
        if found:
            raise typer.Exit(1)
        print(t("ok"))

    @maps.command("draw", cls=single, help=t("maps.draw"), **words)
    def draw_map(
        board: Annotated[str, argument("board", t("metavar.board"))],
        file: Annotated[str, argument("picture", t("metavar.file"))],
        dark: Annotated[bool, option("dark", "--dark")] = False,
    ) -> None:
        from branchline.drawing.store import drawing_for
        from branchline.drawing.svg import draw_svg

        found = problems.open_board(board)
        theme = "dark" if dark else "light"
        problems.write_text(file, draw_svg(found, drawing_for(found), lang, theme, cities))
        print(t("drawn", path=file))

    @maps.command("schema", cls=single, help=t("maps.schema"), **words)
    def map_schema() -> None:
        print(json.dumps(full_schema(), indent=1, ensure_ascii=False))

    @robots.callback(invoke_without_command=True)
    def list_bots(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            for name in known_bots():
                about = name if name in OWN or name in LEVELS else "installed"
                line = Text(f"{name:<8} ", "bold") + Text(say(f"bots.{about}", lang))
                out().print(line, soft_wrap=True)

    @robots.command("check", cls=single, help=t("bots.check"), **words)
    def check_robot(
        spec: Annotated[str, argument("bot", t("metavar.bot"))],
        games: Annotated[int, option("check_games", "--games", metavar="N", min=1)] = 2,
        seconds: Annotated[
            float, option("check_seconds", "--seconds", metavar="S", min=0.001)
        ] = 1.0,
    ) -> None:
        if not check_bot(spec, games, seconds, lang):
            raise typer.Exit(1)

    @app.command(cls=single, help=t("rules.help"), **words)
    def rules(
        id: Annotated[str | None, argument("rule", t("metavar.rule"))] = None,
        board: Annotated[str | None, option("board", "--board", metavar=t("metavar.board"))] = None,
    ) -> None:
        if id is not None:
            out().print(rule_page(id, lang))
            return
        ids = rules_of(problems.open_board(board)) if board is not None else rule_ids()
        for one in ids:
            out().print(rule_page(one, lang), end="\n\n")

    @app.command(cls=single, help=t("version.help"), **words)
    def version() -> None:
        kind = t("compiled") if compiled() else t("plain")
        print(f"branchline {__version__} ({kind}), Python {platform.python_version()}")

    return app


# --- bots -------------------------------------------------------------------------------------


def check_bot(spec: str, games: int, seconds: float, lang: str) -> bool:
    """Check a bot and say what was found; True if there is nothing to complain about."""
    from branchline.bots.conformance import examine

    def number(text: str) -> str:
        return text.replace(".", say("cli.decimal", lang))

    def progress(table: str) -> None:
        if sys.stderr.isatty():
            print(table, file=sys.stderr)

    report = examine(spec, games, seconds, progress)
    for one in report.complaints:
        board = load_board(one.board).named(lang)
        detail = number(one.detail) if one.what == "slow" else one.detail
        key = f"bots.complaint.{one.what}"
        line = say(key, lang, board=board, seats=one.seats, detail=detail)
        out().print(Text(line), soft_wrap=True)
    if report.complaints:
        return False
    print(say("cli.ok", lang))
    slowest = number(f"{report.slowest * 1000:.1f}")
    line = say("bots.summary", lang, n=report.decisions, kinds=len(report.met), slowest=slowest)
    out().print(Text(line), soft_wrap=True)
    return True


# --- play -------------------------------------------------------------------------------------


def bot_names(text: str) -> list[str]:
    """The bots that a list with commas names."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        make_bot(name)
    return names


def seats_differ(bots: int, seats: int, needed: int) -> UserError:
    return UserError("bots_and_seats", {"bots": bots, "seats": seats, "n": needed})


def default_seats(board: Board) -> int:
    return min(max(2, board.seats_min), board.seats_max)


def new_game(
    name: str,
    seats: int | None,
    bots: list[str],
    seed: str,
    first: int | None,
    overlays: list[str],
) -> State:
    """A new game for a person and bots."""
    board = problems.open_board(name, overlays)
    wanted = seats if seats is not None else len(bots) + 1 if bots else default_seats(board)
    if bots and len(bots) != wanted - 1:
        raise seats_differ(len(bots), wanted, wanted - 1)
    game = Game(board, wanted)
    return game.start(seed or str(secrets.randbelow(10**9)), first, log=True)


def choose_board(console: Console, reader: Reader, lang: str) -> str:
    """The board that a person picks from a list; the first one if nobody can be asked."""
    ids = builtin_boards()
    if not reader.interactive:
        return ids[0]
    for number, id in enumerate(ids, 1):
        board = load_board(id)
        line = say("cli.board_line", lang, name=board.named(lang), seats=seats_text(board))
        console.print(Text(f"{number:>3}  ", style="bold") + Text(line))
    while True:
        try:
            answer = reader.line(say("cli.which_board", lang, n=len(ids)))
        except EOFError:
            raise KeyboardInterrupt from None
        if answer in ids or answer == "":
            return answer or ids[0]
        if answer.isdecimal() and 1 <= int(answer[:9]) <= len(ids):
            return ids[int(answer) - 1]


def play_match(
    state: State,
    bots: list[str],
    console: Console,
    reader: Reader,
    lang: str,
    save: str,
    cities: str = "",
) -> None:
    """A person at seat 0 against bots, to the end or as long as there is input."""
    seats = state.game.seats
    names = bots or ["normal"] * (seats - 1)
    if len(names) != seats - 1:
        raise seats_differ(len(names), seats, seats - 1)
    seed = state.seed or ""
    rivals = [
        seat_bot(name, state.game, seat, f"{seed}/rival") for seat, name in enumerate(names, 1)
    ]
    words = Words(state.game, lang, viewer=PERSON, cities=cities)
    match = Match(state, rivals, words)
    print(say("cli.begin", lang, board=state.game.board.named(lang), seed=seed))
    try:
        Sitting(match, words, console, reader).play()
        ending = "cli.finished"
    except Quit:
        ending = "cli.left"
    except EOFError:
        ending = "cli.left" if reader.interactive else "cli.input_ended"
    if save and ending != "cli.input_ended":
        match.save(save)
        print(say("play.saved", lang, path=save))
    print(say(ending, lang, seed=seed))


if __name__ == "__main__":
    main()
