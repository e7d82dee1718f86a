"""Line-ups: who plays whom on which board, ready to be sent to workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from branchline.bots.registry import make_bot
from branchline.core.board import Board
from branchline.core.mapfile import MapError, board_from_data, builtin_boards, load_board
from branchline.engine.game import Game
from branchline.lab.errors import LabError
from branchline.rules.parameters import check_rules


class LineUp(msgspec.Struct, frozen=True):
    """A board, with everything that is on it, and the bots of a line-up.

    A worker on another machine needs nothing else to make its game.
    """

    board: str
    digest: str
    source: Mapping[str, Any]
    seats: int
    bots: tuple[str, ...]

    def game(self) -> Game:
        """The game that the line-up plays."""
        return Game(board_from_data(self.source, self.board), self.seats)


def check_bots(names: Sequence[str]) -> None:
    """Make every bot once, so that a wrong name is found before the games begin."""
    for name in sorted(set(names)):
        make_bot(name)


def open_board(name: str, overlays: Sequence[str] = ()) -> Board:
    """A board that can be played. Raises `MapError` with everything that is wrong with it."""
    if name not in builtin_boards() and not name.endswith(".toml"):
        known = ", ".join(builtin_boards())
        raise LabError("unknown_board", {"name": name[:80], "known": known})
    board = load_board(name, overlays)
    problems = check_rules(board)
    if problems:
        raise MapError(name, problems)
    return board


def default_seats(board: Board) -> int:
    """Two, or the nearest number that the board allows."""
    return min(max(2, board.seats_min), board.seats_max)


def make_line_up(board: Board, seats: int, bots: Sequence[str]) -> LineUp:
    """Make a line-up. Raises if the board can't be played with this number of seats."""
    Game(board, seats)
    return LineUp(board.id, board.digest, board.source, seats, tuple(bots))
