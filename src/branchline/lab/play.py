"""One game by bots, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from branchline.bots import BotFault, CheckedBot
from branchline.bots.session import play
from branchline.core.mapfile import board_from_data
from branchline.core.rng import POLICY, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.playout import playout
from branchline.engine.state import State
from branchline.lab.errors import GameFailed
from branchline.lab.lineup import Table


class SeatResult(msgspec.Struct, frozen=True, array_like=True):
    """What a seat got: its points by the kind of score line, its tickets."""

    bot: str
    score: int
    points: dict[str, int]
    done: int
    failed: int


class GameResult(msgspec.Struct, frozen=True, array_like=True):
    """A finished game; `winners` is a mask of seats."""

    seed: str
    first: int
    winners: int
    turns: int
    actions: int
    seats: list[SeatResult]

    def share(self, seat: int) -> float:
        """What the seat has of the victory; a shared one counts in equal parts."""
        return (self.winners >> seat & 1) / self.winners.bit_count()

    def ahead(self, seat: int, other: int) -> float:
        """1 if the seat ended before the other, 0 if behind it, a half if level."""
        mine = (self.winners >> seat & 1, self.seats[seat].score)
        theirs = (self.winners >> other & 1, self.seats[other].score)
        return 0.5 if mine == theirs else float(mine > theirs)

    def order(self, seat: int) -> int:
        """How many seats had their first turn before this one."""
        return (seat - self.first) % len(self.seats)


class Room:
    """A game and the bots of a line-up, ready to play again and again."""

    def __init__(self, table: Table, seconds: float) -> None:
        self.table: Final = table
        self.seconds: Final = seconds
        self.game: Final = Game(board_from_data(table.source, table.board), table.seats)
        self.bots: Final = [CheckedBot(name) for name in table.bots]

    def play(
        self, seed: str, seating: Sequence[int], bot_seeds: Sequence[str], log: bool = False
    ) -> State:
        """A whole game; `seating` says which bot of the line-up sits at each seat."""
        names = [self.table.bots[k] for k in seating]
        try:
            state = self.game.start(seed, log=log)
            bots = [self.bots[k] for k in seating]
            play(state, bots, bot_seeds, self.seconds)
        except Exception as error:
            raise self.failed(seed, names, error) from error
        return state

    def play_at_random(self, seed: str, keep: bool = False) -> tuple[State, int]:
        """The game that `engine.playout.play_many` plays from this seed; and its actions.

        Much faster than bots that choose at random, since nobody looks at views. With `keep`, the
        state has its moves.
        """
        try:
            state = self.game.start(seed)
            rng = stream(seed_words(seed), 0, POLICY, 0)
            if not keep:
                return state, int(playout(state, rng))
            while not state.over:
                seat = state.to_act[0]
                actions = state.legal(seat)
                state.apply(seat, actions[rng.below(len(actions))])
            return state, len(state.moves or ())
        except Exception as error:
            raise self.failed(seed, self.table.bots, error) from error

    def failed(self, seed: str, bots: Sequence[str], error: Exception) -> GameFailed:
        fault = error if isinstance(error, BotFault) else None
        what = f"{type(error).__name__}: {error}"
        if fault is not None:
            what = f"{fault.bot}: {fault.at} → {fault.detail}"
        return GameFailed(self.table.board, self.table.seats, seed, ",".join(bots), what, fault)


def result_of(state: State, bots: Sequence[str], seed: str, actions: int) -> GameResult:
    """What is kept of a finished game."""
    outcome = state.outcome
    seats = []
    for seat, bot in enumerate(bots):
        points: dict[str, int] = {}
        failed = 0
        for line in outcome.lines[seat]:
            if line.what != "station":  # it only tells which route a station borrows
                points[line.what] = points.get(line.what, 0) + int(line.points)
            failed += line.what == "ticket_failed"
        done = int(outcome.tickets[seat])
        seats.append(SeatResult(bot, int(outcome.scores[seat]), points, done, failed))
    view = state.view()
    return GameResult(
        seed=seed,
        first=int(view.one("first")),
        winners=sum(1 << int(seat) for seat in outcome.winners),
        turns=int(view.one("turns")),
        actions=actions,
        seats=seats,
    )
