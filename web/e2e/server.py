"""The table server for tests in the browser: `branchline serve`, but a test can choose the deal.

A table whose maker's name ends in `#17` is dealt with the seed 17; every other one as always.
"""

from __future__ import annotations

import re

import msgspec

from branchline._version import VERSION
from branchline.cli import main
from branchline.service.broadcast.live_table import LiveTable
from branchline.service.rooms.rooms import Rooms
from branchline.service.tables import seed_drawing
from branchline.service.tables.log_entries import AnyEntry, Began, Created, Seated
from branchline.service.tables.table import Table, stored_events

by_chance = seed_drawing.deal
create_fairly = Rooms.create


def wanted(name: str) -> str | None:
    found = re.search(r"#(\w+)$", name)
    return found and found[1]


def deal(table: Table) -> Began:
    seed = wanted(table.seats[0].name)
    if seed is None:
        return by_chance(table)
    state = table.game.start(seed, table.created.first, log=True)
    return Began(VERSION, seed, stored_events(state.events))


async def create(rooms: Rooms, created: Created, seats: list[AnyEntry]) -> LiveTable:
    """A seed that is chosen was not drawn, and the table does not claim that it was."""
    if any(isinstance(entry, Seated) and wanted(entry.name) for entry in seats):
        created = msgspec.structs.replace(created, part="")
    return await create_fairly(rooms, created, seats)


if __name__ == "__main__":  # bots think in processes that import this file, too
    seed_drawing.deal = deal
    Rooms.create = create  # type: ignore[method-assign]
    main()
