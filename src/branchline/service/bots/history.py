"""What the bot of a seat was shown at its earlier decisions, from the log of its table."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.engine.state import State
from branchline.service.bots.sessions import Shown
from branchline.service.tables.log_entries import AnyEntry, Began, BotSeated, Left, Moved, events_of
from branchline.service.tables.table import Table


def shown_to_bot(table: Table, log: Sequence[tuple[int, AnyEntry]], seat: int) -> list[Shown]:
    """The seat's views at the decisions that its present bot has taken and that stand."""
    seated = 0
    for number, entry in log:
        if isinstance(entry, BotSeated | Left) and entry.seat == seat:
            seated = number
    steps = table.table_state.steps
    standing = {step.number for step in steps}
    own = [step for step in steps if step.seat == seat and step.by == "bot"]
    wanted = {step.shown for step in own if step.number > seated}
    found: list[Shown] = []
    state: State | None = None
    for number, entry in log:
        if isinstance(entry, Began):
            state = State(table.game, table.game.blank_state[:])
            redo(state, entry)
        elif isinstance(entry, Moved) and state is not None and number in standing:
            redo(state, entry)
        if number in wanted and state is not None:
            found.append(shown(state, seat, number))
    return found


def redo(state: State, entry: Began | Moved) -> None:
    for event in events_of(state.game, list(entry.events)):
        state.redo(event)


def shown(state: State, seat: int, at: int) -> Shown:
    """What the seat's bot is shown of a state: its own view."""
    view = state.view(seat)
    return Shown(at, [int(x) for x in view.data], [int(x) for x in view.actions])
