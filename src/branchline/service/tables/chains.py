"""Several actions of a seat one after the other, done as a whole or not at all.

A chain names every step, also one that has only one answer and that the engine takes by itself. It
ends at the latest where something hidden is revealed, where the turn ends, or where others decide
at the same time. That depends on nothing that the seat doesn't know, and what comes after such a
step is not looked at: so a refused chain reveals nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchline.engine.errors import IllegalAction
from branchline.engine.events import Log
from branchline.engine.state import State
from branchline.rules.claims.ways import goes_on, has_choice, take_step
from branchline.service.errors import ServiceError
from branchline.service.tables.log_entries import StoredEvent
from branchline.service.tables.table import reveals, stored_events


class ChainStep:
    """An action that the seat chose, what followed from it, and the state that it leads to."""

    def __init__(self, action: int, events: list[StoredEvent], state: State) -> None:
        self.action: Final = action
        self.events: Final = events
        self.state: Final = state


def apply_chain(state: State, seat: int, actions: Sequence[int]) -> list[ChainStep]:
    """The steps of a chain; raises `IllegalAction` or `ServiceError` if it can't be done."""
    steps: list[ChainStep] = []
    for action in choices_in(state, seat, actions):
        after = state.clone()
        after.log = Log()
        after.apply(seat, action)
        events = stored_events(after.events)
        after.log = None
        steps.append(ChainStep(action, events, after))
        state = after
    return steps


def choices_in(state: State, seat: int, actions: Sequence[int]) -> Sequence[int]:
    """The steps of a chain at which the seat has a choice; the engine takes the others."""
    if len(actions) == 1:
        return actions
    probe = state.clone()
    turn = int(probe.d[probe.t.turns])
    found: list[int] = []
    for k, action in enumerate(actions):
        if k and not goes_on(probe, seat, turn):
            raise ServiceError("chain_ends")
        refusal = probe.why_not(seat, action)
        if refusal is not None:
            raise IllegalAction(refusal)
        if k == 0 or has_choice(probe, seat):
            found.append(action)
        if k < len(actions) - 1:
            probe.log = Log()
            take_step(probe, seat, action)
            if reveals(probe.game, seat, stored_events(probe.events)):
                raise ServiceError("chain_ends")
    return found
