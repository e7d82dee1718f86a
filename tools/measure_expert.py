"""The strength of the expert, measured in matches that can be interrupted at any time.

python tools/measure_expert.py play aims                 # goes on where it was interrupted
python tools/measure_expert.py report aims               # Markdown, with what there is so far
python tools/measure_expert.py play aims --bot expert:seconds=0.05 --only usa,europe
python tools/measure_expert.py losses aims               # lost games, and what was scored in them

A match is a bot against another at a board with a number of seats. Its blocks are deals that are
played from every seat, with seeds of their own. All matches of a plan grow together, block by
block, so that a plan that is broken off says something about each of them. Every finished block
is a line that is added to `bench/results/expert.jsonl`; nothing is ever rewritten. A match with
another bot, or with another number of seconds, is another match; `report` shows all that belong to
a plan, whoever played them first.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import NamedTuple

import msgspec

from branchline.core.mapfile import builtin_boards, load_board
from branchline.engine.outcome import Outcome
from branchline.lab.run.game_runner import GameRunner
from branchline.lab.run.line_up import make_line_up, open_board
from branchline.lab.run.timed_bot import Thinking
from branchline.lab.stats import Bootstrap

SEED = "expert-4"  # no tuning and no training uses it
FRESH = {("new_york", 2): "expert-6"}  # where the expert was changed after a look at its games
LIMIT = 600.0  # seconds: the bots decide themselves how long they think
CLASSIC = ("usa", "europe", "new_york")
SIMPLE = ("random", "greedy", "long", "paths", "hungry")
TIMES = (0.05, 0.2, 0.8)
ENOUGH = {2: 200, 3: 180, 4: 180, 5: 180}  # games by seats, before an aim counts as reached
RESULTS = Path(__file__).parent.parent / "bench/results/expert.jsonl"


class Match(NamedTuple):
    """A bot at one seat, rivals of one kind at the others."""

    board: str
    seats: int
    bot: str
    rival: str
    blocks: int

    @property
    def name(self) -> str:
        return f"{self.board}/{self.seats}/{self.bot}/{self.rival}"

    @property
    def seed(self) -> str:
        return FRESH.get((self.board, self.seats), SEED)


class Block(msgspec.Struct, frozen=True, array_like=True):
    """A block of a match: the share of its games that the bot won, and how long it thought."""

    match: str
    block: int
    commit: str
    share: float
    ahead: float
    thinking: Thinking
    rival_thinking: Thinking


Found = dict[str, dict[int, Block]]


def plan_of(name: str, bot: str) -> list[Match]:
    """The matches of a plan."""
    boards = builtin_boards()
    tables = [(b, seats) for b in boards for seats in range(2, load_board(b).seats_max + 1)]
    if name == "aims":
        pairs = [*((board, "planner") for board in boards), *((b, "planner-1") for b in CLASSIC)]
        return [Match(board, 2, bot, rival, 100) for board, rival in pairs]
    if name == "simple":
        return [Match(board, 2, bot, rival, 100) for board in boards for rival in SIMPLE]
    if name == "seats":
        return [
            Match(board, seats, bot, "planner", ENOUGH[seats] // seats)
            for board, seats in tables
            if seats > 2
        ]
    if name == "times":
        return [
            Match(board, 2, f"expert:seconds={seconds}", "planner", 50)
            for board in ("usa", "new_york", "nordic")
            for seconds in TIMES
        ]
    if name == "planner":
        return [Match(board, seats, "planner", "planner-1", 500) for board, seats in tables]
    raise SystemExit("plans: aims, simple, seats, times, planner")


def belongs(match: Match, plan: list[Match], plan_name: str) -> bool:
    """Whether a plan asks for this match, with any number of seconds unless it compares them."""
    if plan_name == "times":
        return any(match.name == wanted.name for wanted in plan)
    where = (match.board, match.seats, match.rival)
    return any(where == (wanted.board, wanted.seats, wanted.rival) for wanted in plan)


def runner_of(match: Match) -> GameRunner:
    bots = [match.bot, *[match.rival] * (match.seats - 1)]
    return GameRunner(make_line_up(open_board(match.board), match.seats, bots), LIMIT, timed=True)


def game_of(match: Match, runner: GameRunner, block: int, seat: int) -> Outcome:
    """Play a game of a block: the bot at this seat, the rivals in turn at the others."""
    seating = [*range(1, match.seats)]
    seating.insert(seat, 0)
    seeds = [f"{match.seed}/{match.name}/{block}/{k}" for k in range(match.seats)]
    return runner.play(f"{match.seed}/{match.board}/{match.seats}/{block}", seating, seeds).outcome


def play(match: Match, block: int, commit: str) -> Block:
    """Play a block: the same deal from every seat."""
    runner = runner_of(match)
    share, ahead = 0.0, 0.0
    for seat in range(match.seats):
        outcome = game_of(match, runner, block, seat)
        if seat in outcome.winners:
            share += 1 / len(outcome.winners)
        best = max(score for k, score in enumerate(outcome.scores) if k != seat)
        ahead += outcome.scores[seat] - best
    mine, *others = [timer.take() for timer in runner.timers]
    theirs = reduce(Thinking.and_also, others)
    share, ahead = round(share / match.seats, 4), round(ahead / match.seats, 2)
    return Block(match.name, block, commit, share, ahead, rounded(mine), rounded(theirs))


def rounded(thinking: Thinking) -> Thinking:
    return Thinking(thinking.decisions, round(thinking.seconds, 4), round(thinking.slowest, 4))


def kept(file: Path) -> Iterator[Block]:
    """The blocks of a file; a last line may be torn."""
    if file.exists():
        for line in file.read_bytes().split(b"\n")[:-1]:
            if line.endswith(b"]"):
                yield msgspec.json.decode(line, type=Block)


def play_all(matches: list[Match], found: Found, file: Path) -> None:
    """Play what is missing, the same number of blocks of each match."""
    file.parent.mkdir(parents=True, exist_ok=True)
    git = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    with file.open("ab") as out:
        if out.tell() and not file.read_bytes().endswith(b"\n"):
            out.write(b"\n")
        for number in range(max(match.blocks for match in matches)):
            for match in matches:
                if number < match.blocks and number not in found[match.name]:
                    out.write(msgspec.json.encode(play(match, number, commit)) + b"\n")
                    out.flush()
                    os.fsync(out.fileno())


def aim(match: Match) -> float | None:
    """The win share that the lower end of the interval is to reach, if there is an aim."""
    if match.rival in SIMPLE:
        return 0.9
    if match.seats > 2:
        return 1.4 / match.seats
    classic = match.board in CLASSIC
    if match.rival == "planner-1":
        return 0.75 if classic else None
    return 0.65 if classic else 0.6


def matches_in(found: Found) -> Iterator[Match]:
    """All matches of which there is a block, in the order of boards."""
    boards = builtin_boards()
    names = sorted(found, key=lambda name: (boards.index(name.split("/")[0]), name))
    for name in names:
        board, seats, bot, rival = name.split("/")
        if found[name]:
            yield Match(board, int(seats), bot, rival, len(found[name]))


def report(matches: list[Match], found: Found) -> None:
    """Print a table of matches."""
    head = ("board", "seats", "bot", "against", "games", "win share", "aim", "ahead", "s a move")
    print("| " + " | ".join((*head, "slowest", "commits")) + " |")
    print("|---|--:|---|---|--:|--:|--:|--:|--:|--:|---|")
    for match in matches:
        blocks = [block for _, block in sorted(found[match.name].items())]
        share = Bootstrap(len(blocks)).share([block.share for block in blocks])
        won = f"{100 * share.value:.1f}% ({100 * share.low:.1f}–{100 * share.high:.1f}%)"
        wanted = aim(match) if match.bot.startswith("expert") else None
        verdict = "–"
        if wanted is not None:
            verdict = f"{100 * wanted:.0f}%"
            if len(blocks) * match.seats >= ENOUGH[match.seats]:
                verdict += ", reached" if share.low >= wanted else ", missed"
        ahead = sum(block.ahead for block in blocks) / len(blocks)
        thinking = reduce(Thinking.and_also, [block.thinking for block in blocks])
        cells = (
            match.board,
            match.seats,
            match.bot,
            match.rival,
            len(blocks) * match.seats,
            won if len(blocks) > 1 else f"{100 * share.value:.1f}%",
            verdict,
            f"{ahead:+.1f}",
            f"{thinking.seconds / max(1, thinking.decisions):.4f}",
            f"{thinking.slowest:.3f}",
            ", ".join(sorted({block.commit for block in blocks})),
        )
        print("| " + " | ".join(map(str, cells)) + " |")


def losses(matches: list[Match], found: Found, most: int) -> None:
    """Play games that the bot has lost again, and print what both sides scored by."""
    print("| board | against | block | seat | score | its points | rival | its points |")
    print("|---|---|--:|--:|--:|---|--:|---|")
    lost = [
        (number, match)
        for match in matches
        for number, block in found[match.name].items()
        if block.share < 1
    ]
    shown = 0
    for number, match in sorted(lost, key=lambda pair: pair[0]):
        runner = runner_of(match)
        for seat in range(match.seats):
            outcome = game_of(match, runner, number, seat)
            if shown < most and seat not in outcome.winners:
                shown += 1
                rival = outcome.winners[0]
                cells = (match.board, match.rival, number, seat, *scored(outcome, seat))
                print(f"| {' | '.join(map(str, (*cells, *scored(outcome, rival))))} |", flush=True)
        if shown >= most:
            return


def scored(outcome: Outcome, seat: int) -> tuple[int, str]:
    """The score of a seat, and what it consists of."""
    parts: dict[str, int] = {}
    for line in outcome.lines[seat]:
        parts[line.what] = parts.get(line.what, 0) + line.points
    return outcome.scores[seat], ", ".join(f"{name} {points}" for name, points in parts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["play", "report", "losses"])
    parser.add_argument("plan", help="aims, simple, seats, times or planner")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the file for the results")
    parser.add_argument("--bot", default="expert:seconds=0.2")
    parser.add_argument("--only", help="boards, with commas between them")
    parser.add_argument("--against", help="rivals, with commas between them")
    parser.add_argument("--seats", help="numbers of seats, with commas between them")
    parser.add_argument("--blocks", type=int, help="instead of the plan's")
    options = parser.parse_args()
    matches = plan_of(options.plan, options.bot)
    if options.only:
        matches = [match for match in matches if match.board in options.only.split(",")]
    if options.against:
        matches = [match for match in matches if match.rival in options.against.split(",")]
    if options.seats:
        matches = [match for match in matches if str(match.seats) in options.seats.split(",")]
    if options.blocks:
        matches = [match._replace(blocks=options.blocks) for match in matches]
    found: Found = {match.name: {} for match in matches}
    for block in kept(options.out):
        found.setdefault(block.match, {})[block.block] = block
    if options.what == "play":
        play_all(matches, found, options.out)
        return
    shown = [m for m in matches_in(found) if belongs(m, matches, options.plan)]
    if options.what == "report":
        report(shown, found)
    else:
        losses(shown, found, options.blocks or 10)


if __name__ == "__main__":
    main()
