"""What bots have learned of a board: numbers kept with the boards, by the board's id.

A file in `branchline/maps/bots` holds a table for each kind of numbers and number of seats, such
as `[planner.2]`. `_default.toml` is for boards and numbers of seats that nobody has tuned. Folders
named by the environment variable `BRANCHLINE_BOT_DATA` come first, so that authors can add numbers
for boards of their own.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

DEFAULT: Final = "_default"  # no board's id: those begin with a letter
FOLDERS: Final = "BRANCHLINE_BOT_DATA"


def board_table(kind: str, board: str, seats: int) -> Mapping[str, Any]:
    """The numbers of a kind for a board and a number of seats, else the default ones.

    >>> board_table("planner", "a_board_that_nobody_knows", 2) == board_table("planner", DEFAULT, 2)
    True
    """
    for name in (board, DEFAULT):
        for folder in folders():
            found = tables(folder, name).get(kind, {}).get(str(seats))
            if found is not None:
                return dict(found)
    return {}


def folders() -> list[str]:
    """Where the numbers may be, the first first; an empty name stands for the package."""
    return [*filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)), ""]


@cache
def tables(folder: str, name: str) -> Mapping[str, Mapping[str, Any]]:
    """All tables of a file; none if there is no such file."""
    root: Traversable = Path(folder) if folder else resources.files("branchline.maps") / "bots"
    try:
        return tomllib.loads((root / f"{name}.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
