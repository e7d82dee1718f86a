"""Moves that the storage accepts in a second, each of them durable before it is answered.

    python bench/storage.py games.db
    python bench/storage.py postgresql://user@host/database

Leaves a hundred tables in the database that it is given.
"""

from __future__ import annotations

import asyncio
import sys
import time
import uuid

from branchline.service.storage import Store, TableChange, TableRow

SECONDS = 3.0
CHANGE = TableChange(status="playing", open_seats=0, wakes=1)


async def play(store: Store, table: str, number: int, end: float) -> int:
    """Add one entry after the other until the time is over; returns the number of the last."""
    while time.perf_counter() < end:
        number += 1
        if not await store.append(table, number, number, b"x" * 120, CHANGE):
            raise RuntimeError("somebody else writes to this table")
    return number


async def main(url: str) -> None:
    store = await Store.open(url)
    last = {uuid.uuid4().hex: 1 for _ in range(100)}
    for table in last:
        row = TableRow(
            id=table,
            created=1,
            updated=1,
            board="usa",
            digest="bench",
            seats=2,
            public=True,
            status="playing",
            open_seats=0,
            wakes=None,
        )
        await store.create(row, b"board", [b"first"], 1, [(0, "key")])
    for writers in (1, 10, 100):
        tables = list(last)[:writers]
        before = sum(last.values())
        start = time.perf_counter()
        ends = await asyncio.gather(*(play(store, t, last[t], start + SECONDS) for t in tables))
        took = time.perf_counter() - start
        last.update(zip(tables, ends, strict=True))
        print(f"{writers:4} at once: {(sum(last.values()) - before) / took:8.0f} a second")
    start = time.perf_counter()
    longest = max(last, key=lambda table: last[table])
    log = await store.entries(longest)
    print(f"reading a log of {len(log)} entries: {1000 * (time.perf_counter() - start):.1f} ms")
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
