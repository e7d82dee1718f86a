"""What a move comes to, before and after it is stored. Nothing here waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchline.service.broadcast.live_table import LiveTable
from branchline.service.broadcast.updates import broadcast_entry
from branchline.service.errors import ServiceError
from branchline.service.storage import TableChange
from branchline.service.tables.chains import ChainStep, apply_chain
from branchline.service.tables.log_entries import Moved


class Moves:
    """One move or several that are possible at a table: their entries, and what follows."""

    def __init__(
        self,
        first: int,
        at: int,
        entries: list[Moved],
        steps: list[ChainStep],
        change: TableChange | None,
    ) -> None:
        self.first: Final = first
        """The number of the first entry."""
        self.at: Final = at
        self.entries: Final = entries
        self.steps: Final = steps
        self.change: Final = change

    def happen(self, live: LiveTable, now: int) -> int:
        """They are stored: take them in and tell everyone; returns how many messages that took."""
        table, number, told = live.table, self.first, 0
        for move, step in zip(self.entries, self.steps, strict=True):
            table.apply_move(number, self.at, move, step.state)
            told += broadcast_entry(live, number, self.at, move, now)
            number += 1
        return told


def moves_of(
    live: LiveTable,
    seat: int,
    decision: int,
    actions: Sequence[int],
    by: str,
    id: str,
    shown: int,
    now: int,
) -> Moves:
    """The moves that a seat makes by these actions; see `Rooms.act`."""
    table = live.table
    state = table.state
    if state is None:
        raise ServiceError("not_begun")
    if state.over:
        raise ServiceError("game_over")
    if table.seats[seat].decision != decision:
        raise ServiceError("late")
    steps = apply_chain(state, seat, actions)
    shown = shown if shown != table.number else 0
    entries: list[Moved] = []
    hidden = True
    for step in steps:
        text = table.game.action_text(step.action)
        last = id if len(entries) == len(steps) - 1 else ""
        move = Moved(seat, text, by, step.events, last, shown)
        hidden = hidden and table.is_quiet(move)
        entries.append(move)
    heard = table.table_state.asked if hidden else now
    change = live.change(steps[-1].state, table.seats, now, since=heard)
    return Moves(table.number + 1, now, entries, steps, change)
