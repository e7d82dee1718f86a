"""Processes that search with an expert, each in worlds of its own.

A helper runs `main` of this module. It gets the board once and then, over its standard input,
decisions and how far to go on with them; it answers with sums. It ends when its input does.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import IO, Any, Final, NamedTuple

from branchline.bots.seat_search import SeatSearch, Sums
from branchline.core.mapfile import board_from_data
from branchline.engine.game import Game
from branchline.engine.view import View, view_from

PROGRAM: Final = f"from {__name__} import main; main()"


class Seat(NamedTuple):
    """Where a helper searches."""

    source: Mapping[str, Any]
    board: str
    seats: int
    seat: int
    number: int
    processes: int


class Decision(NamedTuple):
    """What to search for: a view, the candidates, and how much work it is worth."""

    numbers: list[int]
    actions: list[int]
    candidates: list[int]
    name: str
    seconds: float
    worlds: int


class Stretch(NamedTuple):
    """Go on with these candidates up to a share of the work, for at most so many seconds."""

    live: list[bool]
    share: float
    seconds: float


class Helper:
    """A process that searches. It is started with the game, and ends with it."""

    def __init__(self, game: Game, seat: int, number: int, processes: int) -> None:
        board = game.board
        self.processor_seconds = 0.0  # that it has used so far
        self.process: Final = subprocess.Popen(
            [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.send(Seat(board.source, board.id, game.seats, seat, number, processes))

    def send(self, message: object) -> None:
        assert self.process.stdin is not None
        pickle.dump(message, self.process.stdin)
        self.process.stdin.flush()

    def begin(
        self, view: View, candidates: list[int], name: str, seconds: float, worlds: int
    ) -> None:
        """Start with a decision."""
        numbers = [int(number) for number in view.data]
        self.send(Decision(numbers, view.actions, candidates, name, seconds, worlds))

    def go_on(self, live: list[bool], share: float, end: float) -> None:
        """Let it try worlds; `found` waits for what comes of it."""
        self.send(Stretch(live, share, end - time.perf_counter()))

    def found(self) -> Sums:
        """What came of the last stretch; nothing, at first, when it is ready."""
        assert self.process.stdout is not None
        sums: Sums
        sums, self.processor_seconds = pickle.load(self.process.stdout)
        return sums

    def close(self) -> None:
        """End the process."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()


def serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Search until the input ends."""
    seat: Seat = pickle.load(asked)
    game = Game(board_from_data(seat.source, seat.board), seat.seats)
    search = SeatSearch(game, seat.seat, seat.number, seat.processes)
    answer(answers, [])
    while True:
        try:
            message: Decision | Stretch = pickle.load(asked)
        except EOFError:
            return
        if isinstance(message, Decision):
            view = view_from(game, seat.seat, message.numbers, message.actions)
            search.begin(view, message.candidates, message.name, message.seconds, message.worlds)
            continue
        search.drop_others(message.live)
        search.go_on(message.share, time.perf_counter() + message.seconds)
        answer(answers, search.hand_over())


def answer(answers: IO[bytes], sums: Sums) -> None:
    pickle.dump((sums, time.process_time()), answers)
    answers.flush()


def main() -> None:
    serve(sys.stdin.buffer, sys.stdout.buffer)
