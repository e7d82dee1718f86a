"""What a person asks for, as work: boards are opened, bots and hypotheses checked."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from branchline.bots.board_data import planner_weights
from branchline.bots.registry import own_bots, split_bots
from branchline.core.board import Board
from branchline.core.mapfile import builtin_boards
from branchline.lab.arena.contest import Contest
from branchline.lab.arena.ladder import Ladder
from branchline.lab.arena.league import League
from branchline.lab.arena.sprt import Sprt, share_of
from branchline.lab.arena.standings import labels
from branchline.lab.errors import LabError, require
from branchline.lab.run.line_up import check_bots, default_seats, make_line_up, open_board
from branchline.lab.simulate.simulation import RANDOM_BOT, Simulation
from branchline.lab.study.survey import Survey
from branchline.lab.tune.ranges import PLANNERS_ONLY, RANGES, spec_of, whole
from branchline.lab.tune.tuning import Tuning
from branchline.lab.tune.value_training import Lessons


def shares(games: int, parts: int) -> list[int]:
    """A number of games split evenly over the parts.

    >>> shares(10, 4)
    [3, 3, 2, 2]
    """
    return [games // parts + (k < games % parts) for k in range(parts)]


def simulation(
    board: str | None,
    overlays: Sequence[str],
    seats: int | None,
    bots: str,
    games: int,
    seed: str,
    seconds: float,
    records: bool,
    all_boards: bool,
    decisions: bool = False,
) -> Simulation:
    """What `simulate` is asked to play."""
    names = split_bots(bots)
    check_bots(names)
    check_seconds(seconds)
    if all_boards:
        refuse("--all", board is not None, "--map")
        refuse("--all", seats is not None, "--seats")
        refuse("--all", bool(overlays), "--overlay")
        found = [open_board(id) for id in builtin_boards()]
        chosen = [(b, n) for b in found for n in range(b.seats_min, b.seats_max + 1)]
    else:
        one = open_board(board or builtin_boards()[0], overlays)
        chosen = [(one, seats or len(names) or default_seats(one))]
    line_ups = tuple(make_line_up(b, n, bots_by_seat(names, n, RANDOM_BOT)) for b, n in chosen)
    counts = tuple(shares(games, len(line_ups)))
    return Simulation(line_ups, counts, seed, seconds, records, decisions)


def bots_by_seat(names: Sequence[str], seats: int, usual: str) -> list[str]:
    """A bot for each seat: those named, or else the usual one at every seat."""
    if names and len(names) != seats:
        raise LabError("bots_and_seats", {"seats": seats, "n": seats, "bots": len(names)})
    return list(names) or [usual] * seats


def contest(
    bots: Sequence[str],
    board: str | None,
    overlays: Sequence[str],
    seats: int | None,
    blocks: int,
    seed: str,
    seconds: float,
) -> Contest:
    """What `arena` is asked to play: at two seats unless told otherwise."""
    names = [name for text in bots for name in split_bots(text)]
    check_bots(names)
    check_seconds(seconds)
    found = open_board(board or builtin_boards()[0], overlays)
    wanted = seats or default_seats(found)
    line_up = make_line_up(found, wanted, names)
    if len(names) < wanted:
        raise LabError("too_few_bots", {"seats": wanted, "bots": len(names)})
    return Contest(line_up, blocks, seed, seconds)


def league(
    bots: Sequence[str],
    versus: str,
    board: str | None,
    overlays: Sequence[str],
    all_boards: bool,
    blocks: int,
    seed: str,
    seconds: float,
) -> League:
    """What `arena --versus` is asked to play: two seats, wherever the board allows them."""
    ones = [name for text in bots for name in split_bots(text)]
    others = split_bots(versus)
    check_bots([*ones, *others])
    check_seconds(seconds)
    refuse("--all-boards", all_boards and board is not None, "--map")
    refuse("--all-boards", all_boards and bool(overlays), "--overlay")
    boards = builtin_boards() if all_boards else [board or builtin_boards()[0]]
    found: list[Board] = [open_board(id, overlays) for id in boards]
    contests = [
        Contest(make_line_up(b, 2, (one, other)), blocks, seed, seconds)
        for b in found
        for one in ones[:1]
        for other in others
    ]
    if len(ones) != 1 or not contests:
        raise LabError("not_together", {"one": ", ".join(ones), "two": "--versus"})
    return League(tuple(contests))


def ladder(
    bots: Sequence[str],
    boards: str,
    seats: str,
    blocks: int,
    seed: str,
    seconds: float,
) -> Ladder:
    """What `ladder` is asked to play: all bots of ours at all tables unless told otherwise."""
    names = list(dict.fromkeys(name for text in bots for name in split_bots(text)))
    names = names or own_bots()
    check_bots(names)
    check_seconds(seconds)
    counts = seat_numbers(seats)
    found = [open_board(name.strip()) for name in filter(None, boards.split(","))]
    found = found or [open_board(id) for id in builtin_boards()]
    tables = [
        make_line_up(board, n, names)
        for board in found
        for n in range(board.seats_min, board.seats_max + 1)
        if n <= len(names) and (not counts or n in counts)
    ]
    if not tables:
        raise LabError("no_tables", {"bots": len(names), "seats": seats or "–"})
    return Ladder(tuple(tables), blocks, seed, seconds)


def seat_numbers(text: str) -> set[int]:
    """The numbers of a list with commas.

    >>> sorted(seat_numbers("2, 4"))
    [2, 4]
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() for part in parts):
        raise LabError("bad_seats", {"seats": text[:80]})
    return {int(part) for part in parts}


def survey(
    board: str,
    overlays: Sequence[str],
    seats: int | None,
    bots: str,
    games: int,
    seed: str,
    seconds: float,
) -> Survey:
    """What `study` is asked to play."""
    names = split_bots(bots)
    check_bots(names)
    check_seconds(seconds)
    found = open_board(board, overlays)
    wanted = seats or len(names) or default_seats(found)
    line_up = make_line_up(found, wanted, bots_by_seat(names, wanted, "planner"))
    return Survey(line_up, games, seed, seconds)


def tuning(
    board: str | None,
    overlays: Sequence[str],
    seats: int | None,
    against: str,
    weights: str,
    counts: tuple[int, int, int, int],
    seed: str,
    seconds: float,
    quick: bool = False,
) -> Tuning:
    """What `tune` is asked to look for; it starts at the weights that the planner has now.

    `counts` are generations, candidates, blocks of a candidate and blocks that confirm.
    """
    known = [name for name in RANGES if not (quick and name in PLANNERS_ONLY)]
    names = tuple(filter(None, (name.strip() for name in weights.split(",")))) or tuple(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise LabError("unknown_weight", {"name": unknown[0][:80], "known": ", ".join(known)})
    check_seconds(seconds)
    found = open_board(board or builtin_boards()[0], overlays)
    wanted = seats or default_seats(found)
    start = whole(planner_weights(found.id, wanted))
    now = spec_of(start)  # other weights that are written meanwhile change nothing
    bots = [now if bot == "planner" else bot for bot in split_bots(against)]
    check_bots(bots)
    generations, candidates, blocks, confirm = counts
    return Tuning(
        make_line_up(found, wanted, bots),
        start,
        names,
        generations=generations,
        candidates=candidates,
        blocks=blocks,
        confirm=confirm,
        seed=seed,
        seconds=seconds,
        quick=quick,
    )


def lessons(
    board: str | None,
    overlays: Sequence[str],
    seats: int | None,
    games: int,
    seed: str,
    searched: int = 0,
) -> Lessons:
    """What `train-value` is asked to learn from."""
    found = open_board(board or builtin_boards()[0], overlays)
    return Lessons(make_line_up(found, seats or default_seats(found), []), games, seed, searched)


def sequential_test(
    contest: Contest,
    pair: str,
    elo: tuple[float, float],
    share: tuple[float | None, float | None],
) -> tuple[Sprt, int, int] | None:
    """The sequential test that was asked for, with the places of its two bots in the line-up."""
    if not pair:
        return None
    names = labels(contest.line_up.bots)
    wanted = split_bots(pair)
    if len(wanted) == 2 and wanted[0] == wanted[1]:
        wanted[1] += " #2"
    if len(wanted) != 2 or any(name not in names for name in wanted):
        raise LabError("bad_pair", {"known": ", ".join(names)})
    lower = share[0] if share[0] is not None else share_of(elo[0])
    higher = share[1] if share[1] is not None else share_of(elo[1])
    if not 0 < lower < higher < 1:
        raise LabError("bad_hypotheses")
    return Sprt(lower, higher), names.index(wanted[0]), names.index(wanted[1])


def check_seconds(seconds: float) -> None:
    if not seconds > 0:
        raise LabError("bad_seconds")


def refuse(one: str, wrong: bool, two: str) -> None:
    """Raise if two options that don't go together were given."""
    if wrong:
        raise LabError("not_together", {"one": one, "two": two})


def require_packages(html: str | None) -> None:
    """Raise before the games begin if packages for their results are missing."""
    for name in ("numpy", *(["jinja2"] if html is not None else [])):
        require(name)


# --- output -------------------------------------------------------------------------------------


def as_json(result: Any) -> str:
    """Results as JSON."""
    return msgspec.json.format(msgspec.json.encode(result), indent=1).decode() + "\n"


def write(path: str, text: str) -> None:
    """Write a file, or print if its name is `-`."""
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise LabError("file_unwritable", {"path": path, "reason": reason}) from None


def commit() -> str:
    """The commit of the sources in the current folder, if it holds Branchline's; else nothing."""
    if not Path("src/branchline/_version.py").is_file():
        return ""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def command_line() -> str:
    """The command as it was called, with folders left out of its own name."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
