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
from typing import Annotated, Any, Final, TypeVar

import msgspec

from branchline.bots.style import checked_weights
from branchline.bots.value import FEATURES
from branchline.engine.errors import BranchlineError

DEFAULT: Final = "_default"  # no board's id: those begin with a letter
FOLDERS: Final = "BRANCHLINE_BOT_DATA"
LARGEST: Final = 1e12

Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Positive = Annotated[float, msgspec.Meta(gt=0, le=LARGEST)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Weight = Annotated[float, msgspec.Meta(ge=-LARGEST, le=LARGEST)]


class BotDataError(BranchlineError):
    """Numbers of a board that no bot can use; `detail` names their file and what is wrong."""

    def __init__(self, detail: str) -> None:
        super().__init__("bot_data", {"detail": detail})
        self.detail: Final = detail

    def __reduce__(self) -> tuple[type[BotDataError], tuple[str]]:
        return BotDataError, (self.detail,)


class ValueTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the expert values where its rollouts end, `[value.2]`.

    `turns` is how many turns a rollout has; 0, or no `weights`: it goes to the end. `scale` is the
    margin that counts as a clear win; `win_share` is how much winning counts next to the margin.
    """

    turns: Count = 0
    scale: Positive = 25.0
    win_share: Share = 0.5
    weights: list[Weight] = []


class SearchTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the expert searches, `[search.2]`.

    `work_per_second` is what a usual processor does in a second (see `Rollout.work`). It turns
    seconds into a number of worlds that depends on nothing but the view, so that the same views
    lead to the same answers. `racing` is the share of rivals that race for long routes, as far as
    is known before the first claim; see `Belief.racing`.
    """

    work_per_second: Positive = 70_000.0
    racing: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.0


T = TypeVar("T")


def planner_weights(board: str, seats: int) -> dict[str, float]:
    """The tuned weights of the planner, `[planner.2]`; what they don't name is as in version 1."""
    file, table = board_table("planner", board, seats)
    try:
        return checked_weights(table)
    except ValueError as error:
        raise BotDataError(f"{file}, [planner.{seats}]: {error}") from None


def value_table(board: str, seats: int) -> ValueTable:
    """How the expert values positions of a board."""
    file, table = board_table("value", board, seats)
    found = converted(table, ValueTable, f"{file}, [value.{seats}]")
    if found.weights and len(found.weights) != 2 * len(FEATURES):
        wanted = f"{2 * len(FEATURES)} weights, not {len(found.weights)}"
        raise BotDataError(f"{file}, [value.{seats}]: {wanted}")
    return found


def search_table(board: str, seats: int) -> SearchTable:
    """How the expert searches on a board, and how fast."""
    file, table = board_table("search", board, seats)
    return converted(table, SearchTable, f"{file}, [search.{seats}]")


def converted(table: Mapping[str, Any], kind: type[T], where: str) -> T:
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise BotDataError(f"{where}: {error}") from None


def board_table(kind: str, board: str, seats: int) -> tuple[str, Mapping[str, Any]]:
    """The numbers of a kind for a board and a number of seats, else the default ones.

    With the name of their file.

    >>> board_table("planner", "a_board_that_nobody_knows", 2)[0]
    '_default.toml'
    """
    for name in (board, DEFAULT):
        for folder in folders():
            file = str(Path(folder) / f"{name}.toml")
            found = tables(folder, name).get(kind, {})
            if not isinstance(found, dict) or not isinstance(found.get(str(seats), {}), dict):
                raise BotDataError(f"{file}: [{kind}.{seats}]")
            if str(seats) in found:
                return file, found[str(seats)]
    return f"{DEFAULT}.toml", {}


def folders() -> list[str]:
    """Where the numbers may be, the first first; an empty name stands for the package."""
    return [*filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)), ""]


@cache
def tables(folder: str, name: str) -> Mapping[str, Any]:
    """All tables of a file; none if there is no such file."""
    root: Traversable = Path(folder) if folder else resources.files("branchline.maps") / "bots"
    try:
        return tomllib.loads((root / f"{name}.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # not TOML, or not text
        raise BotDataError(f"{Path(folder) / name}.toml: {error}") from None
