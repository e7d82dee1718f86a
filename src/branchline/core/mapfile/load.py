"""Boards by name or file, with overlays."""

from __future__ import annotations

import os
from collections.abc import Sequence

from branchline.core.board import Board
from branchline.core.mapfile.build import board_from_data
from branchline.core.mapfile.files import read_toml
from branchline.core.mapfile.overlays import overlaid, read_overlay
from branchline.core.mapfile.problems import map_error, phrase
from branchline.maps import BOARDS


def builtin_boards() -> list[str]:
    """The ids of the boards that come with the program."""
    return list(BOARDS)


def load_board(name_or_path: str, overlays: Sequence[str] = ()) -> Board:
    """The board of that id, or of that `.toml` file, with overlays (names or files) applied.

    Overlays named by the environment come first; those for other boards are passed over there.
    Raises `MapError` with every problem of the first file that can't be used.
    """
    board = board_from_data(read_toml(name_or_path), name_or_path)
    if name_or_path not in BOARDS and _hides_builtin(board):
        raise map_error(name_or_path, "id", phrase("built_in", board=board.id), phrase("own_id"))
    for path in filter(None, os.environ.get("BRANCHLINE_OVERLAYS", "").split(os.pathsep)):
        overlay = read_overlay(path)
        if overlay.board == board.id:
            board = overlaid(board, overlay)
    for path in overlays:
        board = overlaid(board, read_overlay(path))
    return board


def _hides_builtin(board: Board) -> bool:
    """Whether a board has the id of a built-in one, by which records and overlays know that one."""
    ours = board.id in BOARDS
    return ours and board.digest != board_from_data(read_toml(board.id), board.id).digest


def overlay_target(path: str) -> str | None:
    """The id of the board that a file is an overlay for; None if it is not an overlay."""
    if path in BOARDS or not path.endswith(".toml"):
        return None
    target = read_toml(path).get("overlay_for")
    return target if isinstance(target, str) else None
