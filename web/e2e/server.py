"""The table server for tests in the browser: `branchline serve`, but a test can choose the deal.

A table whose maker's name ends in `#17` is dealt with the seed 17; every other one as always.
"""

from __future__ import annotations

import re

from branchline._version import VERSION
from branchline.cli import main
from branchline.service.rooms import rooms
from branchline.service.tables.log_entries import Began, stored_events
from branchline.service.tables.table import Table

by_chance = rooms.deal


def deal(table: Table) -> Began:
    wanted = re.search(r"#(\w+)$", table.seats[0].name)
    if wanted is None:
        return by_chance(table)
    state = table.game.start(wanted[1], table.created.first, log=True)
    return Began(VERSION, wanted[1], stored_events(state.events))


if __name__ == "__main__":  # bots think in processes that import this file, too
    rooms.deal = deal
    main()
