"""Helpers of the storage's tests, and a process that does nothing but write.

    python storing.py ADDRESS TABLE...

adds entries to all these tables at once, some of them in chains, and prints `table number` after
each entry or chain that was accepted.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from branchline.service.storage import Store, TableChange, TableRow

PLAYING = TableChange(status="playing", open_seats=0, wakes=None)


def a_row(
    id: str,
    *,
    updated: int = 1,
    public: bool = True,
    status: str = "playing",
    wakes: int | None = None,
) -> TableRow:
    return TableRow(
        id=id,
        created=1,
        updated=updated,
        board="nordic",
        digest="d1",
        seats=3,
        public=public,
        status=status,
        open_seats=0,
        wakes=wakes,
    )


async def make(store: Store, row: TableRow, sits: list[tuple[int, str]] | None = None) -> None:
    """A table with one entry."""
    await store.create(row, b"the board", [b"first"], 1, sits or [])


@asynccontextmanager
async def opened(url: str, *, listen: bool = True) -> AsyncIterator[Store]:
    store = await Store.open(url, listen=listen)
    try:
        yield store
    finally:
        await store.close()


async def numbers(store: Store, table: str) -> list[int]:
    return [entry.number for entry in await store.entries(table)]


def body_of(table: str, number: int) -> bytes:
    return f"{table} {number} ".encode() * 10


async def write_for_ever(store: Store, table: str) -> None:
    number = len(await store.entries(table))
    while True:
        first, number = number + 1, number + chain_length(number)
        body, *more = [body_of(table, k) for k in range(first, number + 1)]
        assert await store.append(table, first, number, body, PLAYING, more)
        os.write(1, f"{table} {number}\n".encode())


def chain_length(number: int) -> int:
    """How many entries are written together after so many."""
    return 1 + number % 3


async def main(url: str, tables: list[str]) -> None:
    async with opened(url) as store:
        await asyncio.gather(*(write_for_ever(store, table) for table in tables))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
