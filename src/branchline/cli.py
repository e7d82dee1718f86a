"""The one command, `branchline`: play, serve, simulate, arena, ladder, study, replay and others.

Every word that it says comes from the message catalogues. What a user can get wrong ends with one
line on the error stream and exit code 2. A bot that fails ends with the traceback through its code
below that line, and exit code 1.
"""

import os
import platform
import secrets
import sys
from importlib.util import find_spec
from io import TextIOWrapper
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from branchline import __version__
from branchline._plain import compiled
from branchline.bots import BotFault, CheckedBot, make_bot
from branchline.bots.registry import split_bots
from branchline.core.board import Board
from branchline.core.catalogue import LANGUAGES, pick_city_names, pick_language, rule_ids, say
from branchline.core.mapfile import MapError, builtin_boards, load_board
from branchline.core.vocabulary import Vocabulary
from branchline.engine.describe import Words, describe_error
from branchline.engine.errors import BranchlineError
from branchline.engine.events import NOBODY
from branchline.engine.game import Game
from branchline.engine.playback import Playback
from branchline.engine.state import State
from branchline.lab.commands import add_commands as add_lab
from branchline.lab.commands import reporting_errors
from branchline.lab.errors import GameFailed
from branchline.rules.governing import rules_of
from branchline.service.commands import add_commands as add_service
from branchline.tui import problems, shell_completion
from branchline.tui.boards import seats_text
from branchline.tui.bot_commands import add_bot_commands
from branchline.tui.commands import out, style_of
from branchline.tui.helptext import Misuse, misuse
from branchline.tui.line_mode import LineMode
from branchline.tui.map_commands import add_map_commands
from branchline.tui.match import PERSON, Match, Quit
from branchline.tui.problems import UserError
from branchline.tui.reader import Reader
from branchline.tui.replayer import Replayer
from branchline.tui.rulebook import rule_page

FAILED: Final = 1
MISTAKE: Final = 2
INTERRUPTED: Final = 130


def main() -> None:
    """Run the command with the arguments that it was called with."""
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run the command and return its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # where a letter can't be read or shown: "?"
    try:
        wanted, args = split_option(args, "--lang")
        lang = pick_language(wanted)
    except ValueError:
        return complain(say("errors.bad_language", "en", known=", ".join(LANGUAGES)))
    debug, args = split_debug(args)
    try:
        names, args = split_option(args, "--city-names")
        cities = pick_city_names(names, lang)
    except ValueError:
        return complain(say("errors.bad_city_names", lang))
    try:
        command = typer.main.get_command(make_app(lang, cities, debug))
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
    except BotFault as fault:
        return blame(fault, describe_fault(fault, lang), debug)
    except GameFailed as error:
        return blame(error.fault, error.text(lang), debug)
    except BranchlineError as error:
        return complain(describe_error(error, lang))
    if code == INTERRUPTED:
        complain(say("cli.interrupted", lang))
    return code if isinstance(code, int) else 0


def complain(text: str) -> int:
    """Say on the error stream, in one line, what is wrong, and return the exit code."""
    print(" ".join(text.split("\n")), file=sys.stderr)
    return MISTAKE


def describe_fault(fault: BotFault, lang: str) -> str:
    """What a bot did wrong. A failure of one of ours is a bug of ours."""
    if fault.own:
        return say("errors.own_bot_failed", lang, **fault.values)
    return describe_error(fault, lang)


def blame(fault: BotFault | None, text: str, debug: bool) -> int:
    """Say that a game failed and where in the bot's code, and return the exit code."""
    complain(text)
    if fault is not None and fault.trace and (debug or not fault.own):
        print(fault.debug if debug else fault.trace, file=sys.stderr)
    return FAILED


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


def split_debug(args: list[str]) -> tuple[bool, list[str]]:
    """Whether the arguments ask for `--debug`, wherever they do, and the other arguments."""
    end = args.index("--") if "--" in args else len(args)
    others = [word for word in args[:end] if word != "--debug"]
    return len(others) < end, others + args[end:]


def make_app(lang: str, cities: str = "", debug: bool = False) -> typer.Typer:
    """The command with its help in `lang`.

    `cities` is the language of city names, if not as printed; with `debug`, the command says more
    about a bot that fails.
    """
    style = style_of(lang, cities)
    t, option, argument = style.t, style.option, style.argument
    app = typer.Typer(
        cls=style.group,
        help=t("about"),
        subcommand_metavar=t("subcommand"),
        rich_markup_mode="rich",
        **style.words,
    )

    def show_version(wanted: bool) -> None:
        if wanted:
            kind = t("compiled") if compiled() else t("plain")
            print(f"branchline {__version__} ({kind}), Python {platform.python_version()}")
            raise typer.Exit

    boards = {"metavar": t("metavar.board"), "autocompletion": shell_completion.board_names}
    rivals = {"metavar": t("metavar.bots"), "autocompletion": shell_completion.bot_choices}
    map_option = option("map", "--map", **boards)
    overlay_option = option("overlay", "--overlay", metavar=t("metavar.file"))
    file_argument = argument("file", t("metavar.file"))

    @app.callback(invoke_without_command=True)
    def start(
        context: typer.Context,
        language: Annotated[str, option("lang", "--lang", metavar="|".join(LANGUAGES))] = lang,
        more: Annotated[bool, option("debug", "--debug")] = False,
        version: Annotated[
            bool, option("version", "--version", callback=show_version, is_eager=True)
        ] = False,
        city_names: Annotated[
            str, option("city_names", "--city-names", metavar="printed|local")
        ] = "",
    ) -> None:
        if context.invoked_subcommand is None:
            print(context.get_help(), end="")

    @app.command(help=t("play.help"), **style.command)
    def play(
        board: Annotated[str | None, map_option] = None,
        seats: Annotated[int | None, option("seats", "--seats", metavar="N")] = None,
        against: Annotated[str, option("against", "--against", **rivals)] = "",
        seed: Annotated[str, option("seed", "--seed", metavar=t("metavar.seed"))] = "",
        first: Annotated[int | None, option("first", "--first", metavar=t("metavar.seat"))] = None,
        overlay: Annotated[list[str] | None, overlay_option] = None,
        save: Annotated[str, option("save", "--save", metavar=t("metavar.file"))] = "",
        resume: Annotated[str, option("resume", "--resume", metavar=t("metavar.file"))] = "",
        plain: Annotated[bool, option("plain", "--plain")] = False,
    ) -> None:
        console = out()
        reader = Reader(console)
        bots = bot_names(against)
        if resume:
            state = problems.load_state(resume, board, overlay or ())
        else:
            name = board or choose_board(console, reader, lang)
            state = new_game(name, seats, bots, seed, first, overlay or [])
        app = not plain and app_fits(console, reader, lang)
        play_match(state, bots, console, reader, lang, save, cities, app)

    add_lab(app, lang, **style.command)
    add_service(app, lang, **style.command)
    add_map_commands(app, style)
    add_bot_commands(app, style, debug)

    @app.command(help=t("replay.help"), **style.command)
    def replay(
        file: Annotated[str, file_argument],
        game: Annotated[int | None, option("game", "--game", metavar="N")] = None,
        at: Annotated[int | None, option("at", "--at", metavar="N")] = None,
        seat: Annotated[int, option("seat", "--seat", metavar=t("metavar.seat"))] = NOBODY,
        all_open: Annotated[bool, option("all_open", "--all-open")] = False,
        step: Annotated[bool, option("step", "--step")] = False,
        board: Annotated[str | None, map_option] = None,
        overlay: Annotated[list[str] | None, overlay_option] = None,
    ) -> None:
        console = out()
        reader = Reader(console)
        playback = find_playback(file, game, board, overlay or [], lang)
        shown = Replayer(playback, lang, console, seat, all_open, cities)
        if step or (at is None and reader.interactive and console.is_terminal):
            shown.step(reader, at or 0)
        else:
            shown.show(shown.last if at is None else at)

    @app.command(help=t("rules.help"), **style.command)
    def rules(
        id: Annotated[
            str | None, argument("rule", t("metavar.rule"), autocompletion=shell_completion.rules)
        ] = None,
        board: Annotated[str | None, option("board", "--board", **boards)] = None,
    ) -> None:
        played = problems.open_board(board) if board is not None else None
        words = Vocabulary(played, lang).of_rules() if played is not None else None
        if id is not None:
            out().print(rule_page(id, lang, words))
            return
        for one in rules_of(played) if played is not None else rule_ids():
            out().print(rule_page(one, lang, words), end="\n\n")

    @app.command(help=t("version.help"), **style.command)
    def version() -> None:
        show_version(True)

    return app


# --- replay -----------------------------------------------------------------------------------


def find_playback(
    file: str, game: int | None, board: str | None, overlays: list[str], lang: str
) -> Playback:
    """The game to look at: a file of its own, or one of the games of a Parquet file."""
    if file.lower().endswith(".parquet"):
        from branchline.lab.records import playback_from

        with reporting_errors(lang):
            return playback_from(file, game)
    if game is not None:
        raise UserError("single_game", {"path": file})
    return problems.load_playback(file, board, overlays)


# --- play -------------------------------------------------------------------------------------


def bot_names(text: str) -> list[str]:
    """The bots that a list with commas names."""
    names = split_bots(text)
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


def app_fits(console: Console, reader: Reader, lang: str) -> bool:
    """Whether the table can be a full-screen app here; if only a package is missing, say so."""
    plain = os.environ.get("BRANCHLINE_PLAIN", "") not in ("", "0") or console.is_dumb_terminal
    shown = console.is_terminal and sys.stderr.isatty()  # the app draws on the latter
    if plain or not reader.interactive or not shown:
        return False
    if find_spec("textual") is None:
        print(say("cli.app_missing", lang))
        return False
    return True


def play_match(
    state: State,
    bots: list[str],
    console: Console,
    reader: Reader,
    lang: str,
    save: str,
    cities: str = "",
    app: bool = False,
) -> None:
    """A person at seat 0 against bots, to the end or as long as there is input."""
    seats = state.game.seats
    names = bots or ["normal"] * (seats - 1)
    if len(names) != seats - 1:
        raise seats_differ(len(names), seats, seats - 1)
    seed = state.seed or ""
    words = Words(state.game, lang, viewer=PERSON, cities=cities)
    match = Match(state, [CheckedBot(name) for name in names], words)
    try:
        if app:
            from branchline.tui.app.table_app import play_app  # slow to import

            play_app(match, words)
        else:
            print(say("cli.begin", lang, board=state.game.board.named(lang), seed=seed))
            LineMode(match, words, console, reader).play()
        ending = "cli.finished"
    except Quit:
        ending = "cli.left"
    except EOFError:
        ending = "cli.left" if reader.interactive else "cli.input_ended"
    except BotFault:
        if save:
            match.save(save)
            print(say("play.saved", lang, path=save))
        raise
    finally:
        match.end()
    if save and ending != "cli.input_ended":
        match.save(save)
        print(say("play.saved", lang, path=save))
    print(say(ending, lang, seed=seed))


if __name__ == "__main__":
    main()
