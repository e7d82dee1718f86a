"""The seed of a table's game is drawn from parts of the server and of the players.

While a table is full and not dealt: promises are collected for a short while, sealed, and opened.
Whoever is not there does not promise, and the others go on without. Whoever has promised and does
not open loses the seat to a bot, and a new round begins with fresh parts of everyone.
"""

from __future__ import annotations

import secrets
from typing import Final

from branchline._version import VERSION
from branchline.engine.record import SeedDraw, WithheldRound
from branchline.engine.seed_draw import drawn_seed, server_promise
from branchline.service.tables.log_entries import Began, Missed, Sealed
from branchline.service.tables.table import Table, stored_events

PROMISE_TIME: Final = 10_000  # milliseconds for which a full table waits for promises
OPEN_TIME: Final = 30_000  # milliseconds that everyone has to open a promise
STAND_IN: Final = "normal"
"""The level that plays for someone who is out of time, has left or has lost the seat."""


def new_part() -> str:
    """A part of a seed."""
    return secrets.token_hex(32)


def due_at(table: Table, started: int = 0) -> int | None:
    """When the next step towards the deal is due, at the latest; 0: now.

    None: a seat is open, or the game has begun. `started` is when the server was started: time
    during which it was away is nobody's fault.
    """
    if table.state is not None or any(s.open for s in table.seats):
        return None
    draw = table.table_state.draw
    since = max(draw.since, started)
    if draw.sealed:
        return 0 if all(k in draw.nonces for k in draw.sealed) else since + OPEN_TIME
    awaited = any(
        s.person and s.takes_part and k not in draw.promises for k, s in enumerate(table.seats)
    )
    return since + PROMISE_TIME if draw.part and awaited else 0


def next_step(table: Table, now: int, started: int = 0) -> Sealed | Missed | Began | int | None:
    """The step towards the deal that is due, or the time until which to wait for others."""
    due = due_at(table, started)
    if due is None or now < due:
        return due
    draw = table.table_state.draw
    missing = [k for k in draw.sealed if k not in draw.nonces]
    if missing:
        return missed(missing)
    return Sealed(sorted(draw.promises)) if draw.promises and not draw.sealed else deal(table)


def missed(seats: list[int]) -> Missed:
    """These seats did not open."""
    return Missed(seats, STAND_IN, secrets.token_hex(16), new_part())


def deal(table: Table) -> Began:
    """Begin a game."""
    created, draw = table.created, table.table_state.draw
    if draw.part:
        seats = len(table.seats)
        seed = drawn_seed(
            *(table.id, created.digest, seats, created.first),
            *(draw.round, draw.part, draw.nonces),
        )
    else:
        seed = secrets.token_hex(32)
    state = table.game.start(seed, created.first, log=True)
    return Began(VERSION, seed, stored_events(state.events))


def drawn(table: Table) -> SeedDraw | None:
    """How the seed of a finished game came about; None: an older version drew it alone."""
    draw = table.table_state.draw
    if not draw.part:
        return None
    seats = range(len(table.seats))
    return SeedDraw(
        table=table.id,
        round=draw.round,
        server=server_promise(table.id, draw.round, draw.part),
        promises=[draw.promises.get(k) if k in draw.sealed else None for k in seats],
        part=draw.part,
        nonces=[draw.nonces.get(k) for k in seats],
        withheld=[
            WithheldRound(w.round, w.server, [w.promises.get(k) for k in seats], w.seats)
            for w in draw.withheld
        ],
    )
