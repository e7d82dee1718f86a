"""Games that are played to learn about their board: who claims what, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from branchline.engine.state import State
from branchline.lab.results import GameResult, result_of
from branchline.lab.run.game_runner import GameRunner
from branchline.lab.run.line_up import LineUp
from branchline.lab.run.progress import progress_bar
from branchline.lab.run.worker_pool import batches


class ObservedGame(msgspec.Struct, frozen=True, array_like=True):
    """A game; `claims` are (route, seat, turn), `tickets` are (ticket, seat, points got)."""

    result: GameResult
    claims: list[tuple[int, int, int]]
    tickets: list[tuple[int, int, int]]


class Survey(msgspec.Struct, frozen=True):
    """A number of games on one board, numbered and seeded as in a simulation."""

    line_up: LineUp
    games: int
    seed: str
    seconds: float = 1.0

    def begin(self) -> Callable[[int], ObservedGame]:
        return SurveyPlayer(self).play


class SurveyPlayer:
    """Plays games of a survey."""

    def __init__(self, survey: Survey) -> None:
        self.survey: Final = survey
        self.runner: Final = GameRunner(survey.line_up, survey.seconds)

    def play(self, number: int) -> ObservedGame:
        seed = f"{self.survey.seed}/{number}"
        bots = self.survey.line_up.bots
        seats = range(len(bots))
        state = self.runner.play(seed, seats, [f"{seed}/{seat}" for seat in seats], log=True)
        result = result_of(state, bots, seed, len(state.moves or ()))
        return ObservedGame(result, claims_of(state), tickets_of(state))


def claims_of(state: State) -> list[tuple[int, int, int]]:
    """Every claim of a game that has kept its log."""
    claims, turn = [], 0
    for event in state.events:
        if event.kind.name == "TurnBegan":
            turn += 1
        elif event.kind.name == "RouteClaimed":
            claims.append((int(event.numbers[0]), int(event.seat), turn))
    return claims


def tickets_of(state: State) -> list[tuple[int, int, int]]:
    """Every ticket that a seat held at the end, and its points."""
    return [
        (int(line.ref), seat, int(line.points))
        for seat, lines in enumerate(state.outcome.lines)
        for line in lines
        if line.what in ("ticket_done", "ticket_failed")
    ]


def run(survey: Survey, lang: str, processes: int, ray: str | None = None) -> list[ObservedGame]:
    """Play all games and return them in the order of their numbers."""
    found: dict[int, ObservedGame] = {}
    with progress_bar(survey.games, lang) as bar:
        for batch in batches(survey, [range(survey.games)], processes, ray):
            found.update(enumerate(batch.results, batch.first))
            bar.advance(len(batch), survey.line_up.board)
    return [found[number] for number in range(survey.games)]
