"""A bot that is another program, in any language, over its standard input and output.

Messages are JSON, one in a line; `docs/program_bots.md` describes them. The program is started when
its first game begins, plays one game after the other, and is ended with the bot that speaks for it.
Whoever may name such a bot may run programs: a server takes it from its host alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import shutil
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final

from branchline._version import VERSION
from branchline.bots.fault import BotFault
from branchline.engine.errors import BranchlineError
from branchline.engine.game import Game
from branchline.engine.view import View

PREFIX: Final = "program:"
PROTOCOL: Final = 1
START_SECONDS: Final = 10.0  # to begin a game: some languages take a while to start
GRACE: Final = 0.5  # for the way there and back, in addition to the seconds of a decision
LONGEST: Final = 1_000_000  # characters of a line
SHOWN: Final = 160  # characters of what it wrote, in an error


class NoProgram(BranchlineError):
    """There is no such program."""


def words_of(command: str) -> list[str]:
    """The words of a command whose program exists."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quotation mark is missing
        words = []
    if not words or shutil.which(words[0]) is None:
        raise NoProgram("no_program", {"program": (words or [command])[0][:80]})
    return words


class Faults:
    """Makes the faults of a bot; `at` is the decision that it is asked about."""

    def __init__(self, bot: str) -> None:
        self.bot: Final = bot
        self.at = "start"

    def fault(self, code: str, detail: str) -> BotFault:
        return BotFault(code, self.bot, False, self.at, detail)


class ProgramBot:
    """Speaks for a program: `ProgramBot("./my_bot --depth 3")`."""

    def __init__(self, command: str) -> None:
        self.command: Final = command
        self.words: Final = words_of(command)
        self.faults: Final = Faults(PREFIX + command)
        self.program: Program | None = None
        self.spent = 0.0  # processor seconds of programs that have ended
        self.game: Game | None = None
        self.seat = 0
        self.seed: int | str = 0

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.game, self.seat, self.seed = game, seat, seed
        self.faults.at = "start"
        self.begin()

    def begin(self) -> Program:
        """Begin the game with a program that runs, or with a new one if it has ended."""
        assert self.game is not None
        program = self.program
        if program is None or not program.running:
            self.close()
            program = self.program = Program(self.words, self.faults)
        told = {"type": "start", "protocol": PROTOCOL, "branchline": VERSION}
        told |= {"seat": self.seat, "seats": self.game.seats, "seed": str(self.seed)}
        program.ask(told | {"board": board_facts(self.game)}, START_SECONDS)
        return program

    def decide(self, view: View, seconds: float) -> int:
        self.faults.at = view.phase
        program = self.program
        if program is None or not program.running:
            program = self.begin()  # it takes its seat in the middle of the game
        asked = {"type": "decide", "seconds": seconds, "phase": view.phase}
        asked |= {"view": view.to_dict(), "actions": [action_facts(view, a) for a in view.actions]}
        answer = program.ask(asked, seconds + GRACE)
        number = answer.get("action")
        if not isinstance(number, int) or isinstance(number, bool):
            raise self.faults.fault("program_rubbish", json.dumps(answer)[:SHOWN])
        return number

    def finish(self, view: View) -> None:
        self.faults.at = "finish"
        if self.program is not None and self.program.running:
            self.program.tell({"type": "finish", "view": view.to_dict()})

    def processor_seconds(self) -> float:
        """The processor time of the program so far, where the system tells it."""
        return self.spent + (self.program.processor_seconds() if self.program is not None else 0.0)

    def close(self) -> None:
        """End the program."""
        if self.program is not None:
            self.spent += self.program.processor_seconds()
            self.program.close()
            self.program = None


class Program:
    """A running program: questions with numbers go in, answers with the same numbers come out."""

    def __init__(self, words: list[str], faults: Faults) -> None:
        self.fault: Final = faults.fault
        try:
            self.process: Final = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise self.fault("program_died", error.strerror or str(error)) from None
        self.lines: Final[queue.Queue[str | None]] = queue.Queue()
        self.said: Final[deque[str]] = deque(maxlen=5)  # on its error stream
        self.number = 0
        for read, stream, where in (
            (read_lines, self.process.stdout, self.lines),
            (read_errors, self.process.stderr, self.said),
        ):
            threading.Thread(target=read, args=(stream, where), daemon=True).start()
        self.close: Final = weakref.finalize(self, end, self.process)

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def tell(self, message: Mapping[str, object]) -> None:
        """Send a message."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message, separators=(",", ":")) + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self.died() from None

    def ask(self, message: Mapping[str, object], seconds: float) -> dict[str, Any]:
        """Send a message and wait for its answer; answers to earlier ones came too late."""
        self.number += 1
        end = time.monotonic() + seconds
        self.tell({"id": self.number, **message})
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise self.fault("program_late", f"{seconds:g}") from None
            if line is None:
                raise self.died()
            if not line.strip():
                continue
            try:
                answer = json.loads(line)
            except ValueError:
                answer = None
            if not isinstance(answer, dict) or "id" not in answer:
                raise self.fault("program_rubbish", line.strip()[:SHOWN])
            if answer["id"] == self.number:
                return answer

    def died(self) -> BotFault:
        """The program has ended, or closed its output."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=1.0)
        last = next((line for line in reversed(self.said) if line), "")
        code = self.process.poll()
        self.close()
        told = "" if code is None else f"exit code {code}"
        return self.fault("program_died", ": ".join(part for part in (told, last) if part))

    def processor_seconds(self) -> float:
        """Where the system has no /proc, its processor time is not known."""
        try:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8")
        except OSError:
            return 0.0
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_lines(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    """Pass the program's lines on, and None when there are no more."""
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST):
            lines.put(line)
    lines.put(None)


def read_errors(stream: IO[str], said: deque[str]) -> None:
    """Keep the last lines of the error stream."""
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST):
            said.append(line.strip()[:SHOWN])


def end(process: subprocess.Popen[str]) -> None:
    """Close the program's input; end it if it does not end itself."""
    with contextlib.suppress(OSError, ValueError):
        if process.stdin is not None:
            process.stdin.close()
    try:
        process.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdout, process.stderr):
        with contextlib.suppress(OSError, ValueError):
            if stream is not None:
                stream.close()


# --- what is told -------------------------------------------------------------------------------


def board_facts(game: Game) -> dict[str, object]:
    """All of a board that a player sees: cities, routes, tickets, rules with their parameters."""
    board = game.board
    return {
        "id": board.id,
        "name": board.named("en"),
        "trains": int(board.trains),
        "colours": list(board.colours),
        "cities": [{"id": city.id, "name": city.name} for city in board.cities],
        "routes": [
            {
                "a": int(route.a),
                "b": int(route.b),
                "length": int(route.length),
                "colour": int(route.colour),
                "locomotives": int(route.locomotives),
                "tunnel": bool(route.tunnel),
                "any_cards": int(route.any_cards),
                "twin": int(route.twin),
                **game.route_facts(int(route.index)),
            }
            for route in board.routes
        ],
        "tickets": [
            {"a": int(t.a), "b": int(t.b), "points": int(t.points), "long": bool(t.long)}
            for t in board.tickets
        ],
        "rules": [{"rule": rule.name, **rule.params} for rule in board.rules],
    }


def action_facts(view: View, number: int) -> dict[str, object]:
    """An action with what it means in the open decision."""
    action = view.action(number)
    told: dict[str, object] = {"number": int(number), "kind": action.kind, "text": action.notation}
    return told | dict(action.values)
