"""Weights in the files that bots read: a table for each number of seats.

Tables of other kinds in the same file stay as they are, to the letter.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from branchline.bots.style import VERSION_1
from branchline.lab.errors import LabError
from branchline.lab.stats import Estimate
from branchline.lab.tune.tuning import YARDSTICK, Tuned

HEAD: Final = "# What the bots have learned of this board by play; `branchline tune` writes it.\n"
HEADER: Final = re.compile(r"\[[A-Za-z_]")  # a line of numbers may begin with a bracket, too


def table_text(tuned: Tuned) -> str:
    """The table, with a note of how the weights did.

    >>> half = Estimate(0.6, 0.55, 0.65)
    >>> print(table_text(Tuned("usa", 2, {"time_share": 0.85}, half, half, 400, "7")))
    # 400 blocks, seed 7: 60.0 % (55.0–65.0) against planner-1; 50 % is even.
    [planner.2]
    time_share = 0.85
    """
    shown = f"{percent(tuned.against_yardstick)} against {YARDSTICK}"
    lines = [
        f"# {tuned.blocks} blocks, seed {tuned.seed}: {shown}; {100 / tuned.seats:.0f} % is even.",
        f"[planner.{tuned.seats}]",
        *(f"{k} = {v!r}" for k, v in tuned.weights.items() if v != VERSION_1[k]),
    ]
    return "\n".join(lines)


def percent(e: Estimate) -> str:
    return f"{100 * e.value:.1f} % ({100 * e.low:.1f}–{100 * e.high:.1f})"


def with_table(text: str, tuned: Tuned) -> str:
    """A file's text with this table in the place of the old one, or after all others."""
    head, *tables = parts_of(text or HEAD)
    name = f"[planner.{tuned.seats}]"
    place = next((k for k, table in enumerate(tables) if name in table), len(tables))
    tables[place : place + 1] = [table_text(tuned).splitlines()]
    return "\n\n".join("\n".join(part) for part in (head, *tables) if part) + "\n"


def parts_of(text: str) -> list[list[str]]:
    """The lines before the first table, then those of each table, with the comments above it."""
    parts: list[list[str]] = [[]]
    for line in text.splitlines():
        if HEADER.match(line):
            before = parts[-1]
            at = len(before)
            while at > 0 and before[at - 1].startswith("#"):
                at -= 1
            parts.append([*before[at:], line])
            del before[at:]
        else:
            parts[-1].append(line)
    return [without_blank_ends(part) for part in parts]


def without_blank_ends(lines: list[str]) -> list[str]:
    filled = [k for k, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def write_weights(path: str, tuned: Tuned) -> None:
    """Put the weights into a file, which need not exist."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(with_table(text, tuned), encoding="utf-8")
    except OSError as error:
        values: dict[str, object] = {"path": path, "reason": error.strerror or str(error)}
        raise LabError("file_unwritable", values) from None
