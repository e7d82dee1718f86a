"""The commands of the laboratory: `simulate`, `arena`, `ladder`, `study`, `tune`, `train-value`.

`add_commands` adds them to the `branchline` command. What they need is imported when they run, so
that the command starts as fast as without them.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from branchline.core.catalogue import say

MISTAKE: Final = 2
MOST_GAMES: Final = 100_000_000
MOST_BLOCKS: Final = 1_000_000
MOST_PROCESSES: Final = 4096


@contextmanager
def reporting_errors(lang: str) -> Iterator[None]:
    """Print what went wrong in one line on the error stream, and exit with the right code."""
    from branchline.lab.errors import GameFailed, LabError

    try:
        yield
    except GameFailed:  # the command shows it with the traceback of the bot that failed
        raise
    except LabError as error:
        print(" ".join(error.text(lang).split("\n")), file=sys.stderr)
        raise typer.Exit(MISTAKE) from None


def checked(value: int, option: str, most: int, least: int = 1) -> int:
    """Return the number if it makes sense; otherwise raise an error that names its option."""
    from branchline.lab.errors import LabError

    if not least <= value <= most:
        raise LabError("bad_count", {"option": option, "least": least, "most": most})
    return value


def workers(processes: int | None) -> int:
    """How many processes to use: all processors that this one may use, unless told otherwise."""
    if processes is not None:
        return checked(processes, "--processes", MOST_PROCESSES)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def add_commands(app: typer.Typer, lang: str, **style: Any) -> None:
    """Add the commands, with their help in `lang`. `style` goes to `app.command`."""

    def t(key: str, **values: object) -> str:
        return say(f"lab.{key}", lang, **values)

    def option(key: str, *names: str, metavar: str = "", **values: object) -> Any:
        shown = t(f"metavar.{metavar}") if metavar in METAVARS else metavar or None
        help = t(f"option.{key}", **values)
        return typer.Option(*names, help=help, show_default=False, metavar=shown)

    def argument(key: str, metavar: str) -> Any:
        help = t(f"option.{key}")
        return typer.Argument(help=help, metavar=t(f"metavar.{metavar}"), show_default=False)

    map_option = option("map", "--map", metavar="board")
    overlay_option = option("overlay", "--overlay", metavar="file")
    seats_option = option("seats", "--seats", metavar="N")
    seed_option = option("seed", "--seed", metavar="seed")
    processes_option = option("processes", "--processes", metavar="N")
    ray_option = option("ray", "--ray", metavar="address")
    seconds_option = option("seconds", "--seconds", metavar="seconds")
    html_option = option("html", "--html", metavar="file")
    json_option = option("json_file", "--json", metavar="file")

    @app.command("simulate", help=t("simulate.help"), **style)
    def simulate(
        board: Annotated[str | None, map_option] = None,
        seats: Annotated[int | None, seats_option] = None,
        games: Annotated[int, option("games", "--games", metavar="N", n=100)] = 100,
        seed: Annotated[str, seed_option] = "1",
        bots: Annotated[str, option("bots", "--bots", metavar="bots", bot="random")] = "",
        all_boards: Annotated[bool, option("all", "--all")] = False,
        as_json: Annotated[bool, option("json", "--json")] = False,
        overlay: Annotated[list[str] | None, overlay_option] = None,
        processes: Annotated[int | None, processes_option] = None,
        out: Annotated[str | None, option("out", "--out", metavar="folder")] = None,
        keep_records: Annotated[bool, option("keep_records", "--keep-records")] = False,
        decisions: Annotated[bool, option("decisions", "--decisions")] = False,
        ray: Annotated[str | None, ray_option] = None,
        seconds: Annotated[float, seconds_option] = 1.0,
    ) -> None:
        with reporting_errors(lang):
            from branchline.lab.errors import LabError
            from branchline.lab.requests import simulation

            checked(games, "--games", MOST_GAMES)
            for name, wanted in (("--keep-records", keep_records), ("--decisions", decisions)):
                if wanted and out is None:
                    raise LabError("needs_out", {"option": name})
            plan = simulation(
                board,
                overlay or [],
                seats,
                bots,
                games,
                seed,
                seconds,
                keep_records,
                all_boards,
                decisions,
            )
            run_simulation(plan, lang, workers(processes), out, ray, as_json)

    @app.command("arena", help=t("arena.help"), **style)
    def arena(
        bots: Annotated[list[str], argument("line_up", "bot")],
        board: Annotated[str | None, map_option] = None,
        overlay: Annotated[list[str] | None, overlay_option] = None,
        seats: Annotated[int | None, seats_option] = None,
        blocks: Annotated[int, option("blocks", "--blocks", metavar="N")] = 100,
        seed: Annotated[str, seed_option] = "1",
        sprt: Annotated[str, option("sprt", "--sprt", metavar="pair")] = "",
        elo0: Annotated[float, option("elo0", "--elo0", metavar="ELO")] = 0.0,
        elo1: Annotated[float, option("elo1", "--elo1", metavar="ELO")] = 30.0,
        share0: Annotated[float | None, option("share0", "--share0", metavar="share")] = None,
        share1: Annotated[float | None, option("share1", "--share1", metavar="share")] = None,
        versus: Annotated[str, option("versus", "--versus", metavar="bots")] = "",
        all_boards: Annotated[bool, option("all_boards", "--all-boards")] = False,
        html: Annotated[str | None, html_option] = None,
        json_file: Annotated[str | None, json_option] = None,
        processes: Annotated[int | None, processes_option] = None,
        ray: Annotated[str | None, ray_option] = None,
        seconds: Annotated[float, seconds_option] = 1.0,
    ) -> None:
        with reporting_errors(lang):
            from branchline.lab import requests

            checked(blocks, "--blocks", MOST_BLOCKS)
            if versus:
                league = requests.league(
                    bots, versus, board, overlay or [], all_boards, blocks, seed, seconds
                )
                run_league(league, lang, workers(processes), ray, json_file)
                return
            requests.refuse("--all-boards", all_boards, "--versus")
            contest = requests.contest(bots, board, overlay or [], seats, blocks, seed, seconds)
            test = requests.sequential_test(contest, sprt, (elo0, elo1), (share0, share1))
            run_contest(contest, test, lang, workers(processes), ray, html, json_file)

    @app.command("ladder", help=t("ladder.help"), **style)
    def ladder(
        bots: Annotated[list[str] | None, argument("ladder_bots", "bot")] = None,
        boards: Annotated[str, option("ladder_boards", "--boards", metavar="boards")] = "",
        seats: Annotated[str, option("ladder_seats", "--seats", metavar="N,…")] = "",
        blocks: Annotated[int, option("ladder_blocks", "--blocks", metavar="N")] = 20,
        seed: Annotated[str, seed_option] = "1",
        seconds: Annotated[float, seconds_option] = 1.0,
        out: Annotated[str | None, option("ladder_out", "--out", metavar="folder")] = None,
        markdown: Annotated[str | None, option("markdown", "--markdown", metavar="file")] = None,
        html: Annotated[str | None, html_option] = None,
        json_file: Annotated[str | None, json_option] = None,
        processes: Annotated[int | None, processes_option] = None,
        ray: Annotated[str | None, ray_option] = None,
    ) -> None:
        with reporting_errors(lang):
            from branchline.lab import requests

            checked(blocks, "--blocks", MOST_BLOCKS)
            plan = requests.ladder(bots or [], boards, seats, blocks, seed, seconds)
            run_ladder(plan, lang, workers(processes), out, ray, markdown, html, json_file)

    @app.command("study", help=t("study.help"), **style)
    def study(
        board: Annotated[str, argument("map", "board")],
        bots: Annotated[str, option("bots", "--bots", metavar="bots", bot="planner")] = "",
        seats: Annotated[int | None, seats_option] = None,
        games: Annotated[int, option("games", "--games", metavar="N", n=200)] = 200,
        seed: Annotated[str, seed_option] = "1",
        overlay: Annotated[list[str] | None, overlay_option] = None,
        html: Annotated[str | None, html_option] = None,
        json_file: Annotated[str | None, json_option] = None,
        processes: Annotated[int | None, processes_option] = None,
        ray: Annotated[str | None, ray_option] = None,
        seconds: Annotated[float, seconds_option] = 1.0,
    ) -> None:
        with reporting_errors(lang):
            from branchline.lab.requests import survey

            checked(games, "--games", MOST_GAMES)
            plan = survey(board, overlay or [], seats, bots, games, seed, seconds)
            run_survey(plan, lang, workers(processes), ray, html, json_file)

    rivals = "planner-1,planner,planner-1,paths"
    quick_rivals = "planner,planner-1"

    @app.command("tune", help=t("tune.help"), **style)
    def tune(
        board: Annotated[str | None, map_option] = None,
        overlay: Annotated[list[str] | None, overlay_option] = None,
        seats: Annotated[int | None, seats_option] = None,
        generations: Annotated[int, option("generations", "--generations", metavar="N")] = 20,
        candidates: Annotated[int, option("candidates", "--candidates", metavar="N")] = 40,
        blocks: Annotated[int, option("tune_blocks", "--blocks", metavar="N")] = 4,
        against: Annotated[
            str,
            option("against", "--against", metavar="bots", bots=rivals, quick=quick_rivals),
        ] = "",
        weights: Annotated[str, option("weights", "--weights", metavar="weights")] = "",
        quick: Annotated[bool, option("quick", "--quick")] = False,
        confirm: Annotated[int, option("confirm", "--confirm", metavar="N")] = 500,
        seed: Annotated[str, seed_option] = "1",
        out: Annotated[str | None, option("tune_out", "--out", metavar="folder")] = None,
        write: Annotated[str | None, option("write", "--write", metavar="file")] = None,
        json_file: Annotated[str | None, json_option] = None,
        processes: Annotated[int | None, processes_option] = None,
        ray: Annotated[str | None, ray_option] = None,
        seconds: Annotated[float, seconds_option] = 1.0,
    ) -> None:
        with reporting_errors(lang):
            from branchline.lab.requests import tuning

            checked(generations, "--generations", MOST_BLOCKS)
            checked(candidates, "--candidates", MOST_BLOCKS, least=4)
            checked(blocks, "--blocks", MOST_BLOCKS)
            checked(confirm, "--confirm", MOST_BLOCKS, least=2)
            counts = (generations, candidates, blocks, confirm)
            whom = against or (quick_rivals if quick else rivals)
            plan = tuning(board, overlay or [], seats, whom, weights, counts, seed, seconds, quick)
            run_tuning(plan, lang, workers(processes), ray, out, write, json_file)

    @app.command("train-value", help=t("train_value.help"), **style)
    def train_value(
        board: Annotated[str | None, map_option] = None,
        overlay: Annotated[list[str] | None, overlay_option] = None,
        seats: Annotated[int | None, seats_option] = None,
        games: Annotated[int, option("lessons", "--games", metavar="N")] = 6000,
        searched: Annotated[int, option("searched", "--searched", metavar="N")] = 20,
        seed: Annotated[str, seed_option] = "1",
        write: Annotated[str | None, option("write", "--write", metavar="file")] = None,
        processes: Annotated[int | None, processes_option] = None,
        ray: Annotated[str | None, ray_option] = None,
    ) -> None:
        with reporting_errors(lang):
            from branchline.lab.requests import lessons

            checked(games, "--games", MOST_GAMES)
            checked(searched, "--searched", MOST_GAMES, least=0)
            wanted = lessons(board, overlay or [], seats, games, seed, searched)
            run_training(wanted, lang, workers(processes), ray, write)


METAVARS: Final = frozenset(
    {
        "weights",
        "board",
        "boards",
        "file",
        "folder",
        "bot",
        "bots",
        "pair",
        "seed",
        "address",
        "seconds",
        "share",
    }
)


# --- running ----------------------------------------------------------------------------------


def run_simulation(
    plan: Any, lang: str, processes: int, out: str | None, ray: str | None, as_json: bool
) -> None:
    """Play, then print the summary."""
    import msgspec

    from branchline.lab.simulate.play import run
    from branchline.lab.simulate.summary import summary_table

    began = time.perf_counter()
    try:
        summaries = run(plan, lang, processes, out, ray)
    except KeyboardInterrupt:
        if out is not None:
            print(say("lab.simulate.interrupted", lang), file=sys.stderr)
        raise
    if as_json:
        data = msgspec.json.encode([summary.to_dict() for summary in summaries])
        print(msgspec.json.format(data, indent=1).decode())
        return
    seconds = time.perf_counter() - began
    console().print(summary_table(summaries, seconds, lang))
    if out is not None:
        files = ", ".join(sorted(path.name for path in Path(out).glob("*.parquet")))
        print(say("lab.simulate.kept", lang, folder=out, files=files))


def run_contest(
    contest: Any,
    test: Any,
    lang: str,
    processes: int,
    ray: str | None,
    html: str | None,
    json_file: str | None,
) -> None:
    """Play, then print the standings and write what was asked for."""
    from branchline.lab import requests
    from branchline.lab.arena import contest as arena
    from branchline.lab.arena.standings import analyse, labels
    from branchline.lab.report.arena_page import arena_page
    from branchline.lab.report.terminal import arena_tables

    requests.require_packages(html)
    blocks = arena.run(contest, lang, processes, ray, test)
    verdict = None
    if test is not None:
        names = labels(contest.line_up.bots)
        verdict = test[0].verdict(names[test[1]], names[test[2]])
    result = analyse(contest, blocks, verdict)
    if html is not None:
        requests.write(html, arena_page(result, lang, requests.command_line()))
    show(result, json_file, lambda: arena_tables(result, lang))
    if html is not None:
        print(say("lab.arena.written", lang, path=html), file=sys.stderr)


def run_league(
    league: Any, lang: str, processes: int, ray: str | None, json_file: str | None
) -> None:
    """Play one bot against many, then print the table."""
    from branchline.lab import requests
    from branchline.lab.arena import league as arena

    requests.require_packages(None)
    cells = arena.run(league, lang, processes, ray)
    if json_file != "-":
        print(arena.markdown(cells, lang))
    if json_file is not None:
        requests.write(json_file, requests.as_json(cells))


def run_ladder(
    plan: Any,
    lang: str,
    processes: int,
    out: str | None,
    ray: str | None,
    markdown: str | None,
    html: str | None,
    json_file: str | None,
) -> None:
    """Play what is missing, then print the tables and write what was asked for."""
    from branchline.lab import requests
    from branchline.lab.arena import ladder
    from branchline.lab.report import ladder_page
    from branchline.lab.report.terminal import ladder_tables

    requests.require_packages(html)
    try:
        blocks = ladder.run(plan, lang, processes, out, ray)
    except KeyboardInterrupt:
        if out is not None:
            print(say("lab.simulate.interrupted", lang), file=sys.stderr)
        raise
    result = ladder.analyse(plan, blocks, requests.commit(), requests.command_line())
    if markdown is not None:
        requests.write(markdown, ladder_page.markdown(result, lang))
    if html is not None:
        requests.write(html, ladder_page.ladder_page(result, lang))
    if markdown == "-" and json_file != "-":
        if json_file is not None:
            requests.write(json_file, requests.as_json(result))
    else:
        show(result, json_file, lambda: ladder_tables(result, lang))
    if html is not None:
        print(say("lab.arena.written", lang, path=html), file=sys.stderr)


def run_survey(
    survey: Any,
    lang: str,
    processes: int,
    ray: str | None,
    html: str | None,
    json_file: str | None,
) -> None:
    """Play, then print the tables and write what was asked for."""
    from branchline.core.mapfile import board_from_data
    from branchline.lab import requests
    from branchline.lab.report.study_page import study_page
    from branchline.lab.report.terminal import study_tables
    from branchline.lab.study.analysis import analyse
    from branchline.lab.study.survey import run

    requests.require_packages(html)
    games = run(survey, lang, processes, ray)
    board = board_from_data(survey.line_up.source, survey.line_up.board)
    result = analyse(survey, board, games)
    if html is not None:
        requests.write(html, study_page(result, board, lang, requests.command_line()))
    show(result, json_file, lambda: study_tables(result, board, lang))
    if html is not None:
        print(say("lab.arena.written", lang, path=html), file=sys.stderr)


def run_tuning(
    plan: Any,
    lang: str,
    processes: int,
    ray: str | None,
    out: str | None,
    write: str | None,
    json_file: str | None,
) -> None:
    """Tune, then print the weights; write them if they are better beyond doubt."""
    from branchline.lab import requests
    from branchline.lab.numbers import number, value_with_interval
    from branchline.lab.tune.tuning import Generation, run
    from branchline.lab.tune.weights_file import table_text, write_weights

    def watch(g: Generation) -> None:
        scores = {"best": number(g.best, 3, lang), "mean": number(g.mean, 3, lang)}
        line = say("lab.tune.generation", lang, n=g.number, of=plan.generations, **scores)
        print(line, file=sys.stderr, flush=True)

    requests.require_packages(None)
    try:
        tuned = run(plan, lang, processes, ray, out, watch)
    except KeyboardInterrupt:
        if out is not None:
            print(say("lab.simulate.interrupted", lang), file=sys.stderr)
        raise
    if json_file != "-":
        print(table_text(tuned))
        shares = {
            "start": value_with_interval(tuned.against_start, 1, lang),
            "yardstick": value_with_interval(tuned.against_yardstick, 1, lang),
        }
        print(say("lab.tune.better" if tuned.better else "lab.tune.no_better", lang, **shares))
    if json_file is not None:
        requests.write(json_file, requests.as_json(tuned))
    if write is not None and tuned.better:
        write_weights(write, tuned)
        print(say("lab.tune.written", lang, path=write), file=sys.stderr)


def run_training(
    lessons: Any, lang: str, processes: int, ray: str | None, write: str | None
) -> None:
    """Find the weights of the value, and print or write them."""
    from branchline.lab import requests
    from branchline.lab.tune.value_training import train, value_table, write_value

    requests.require_packages(None)
    trained = train(lessons, processes, ray)
    print("\n".join(value_table(trained)))
    if write is not None:
        write_value(write, trained)
        print(say("lab.tune.written", lang, path=write), file=sys.stderr)


def show(result: Any, json_file: str | None, tables: Any) -> None:
    """Print the tables, unless JSON replaces them; write JSON to a file."""
    from branchline.lab import requests

    if json_file != "-":
        console().print(tables())
    if json_file is not None:
        requests.write(json_file, requests.as_json(result))


def console() -> Console:
    """Where results go."""
    return Console(highlight=False)
