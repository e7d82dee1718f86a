"""What the size of the database costs: a table, a reconnection, a list, a move.

    make store-size                               up to 200,000 tables and 5,000 full games
    bench/store_size.py --tables 20000 --games 500

A database is filled step by step: with one full game that is copied under other names and keys, and
with tables of which nothing but the row and the first entries matter. After each step everything is
measured in a server's own objects, without a network, in milliseconds of processor time, as the
median of several runs. A last table grows by what is said at it, to measure a reconnection.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from branchline.service.access.keys import new_table_id
from branchline.service.app import wall_clock
from branchline.service.broadcast.live_table import Connection, LiveTable
from branchline.service.context import Service
from branchline.service.errors import ServiceError
from branchline.service.operations.settings import Settings
from branchline.service.tables.log_entries import Said

RUNS = 15
SMALL = 2_000  # tables in the first step
KEY, OTHER = "k" * 64, "o" * 64


async def play(service: Service) -> str:
    """A full game of two on the board `usa`; returns the id of its table."""
    live = await service.lobby.create(KEY, "usa", 2, "Ann")
    await service.lobby.sit(live, OTHER, "Ben", 1)
    rng = random.Random(1)
    while live.table.status == "playing":
        state = live.table.state
        assert state is not None
        seat = next(k for k, s in enumerate(live.table.seats) if s.decision)
        actions = list(state.view(seat).actions)
        claims = [a for a in actions if state.game.action_text(a).startswith("claim")]
        async with live.lock:
            decision = live.table.seats[seat].decision
            await service.rooms.act(live, seat, decision, [rng.choice(claims or actions)], "person")
    await asyncio.sleep(0.2)  # for what is stored in the background
    return live.table.id


def fill(path: Path, pattern: str, tables: int, games: int) -> None:
    """Add copies of the game, of which every tenth is Ann's, and tables that wait or are over."""
    with closing(sqlite3.connect(path, timeout=60)) as database:
        database.execute("PRAGMA synchronous = OFF")
        names = [row[1] for row in database.execute("PRAGMA table_info(tables)")]
        have = {name: k for k, name in enumerate(names)}
        fields = [found[1] for found in database.execute("PRAGMA table_info(sits)")]
        (row,) = database.execute("SELECT * FROM tables WHERE id = ?", (pattern,))
        log = list(
            database.execute("SELECT number, at, body FROM entries WHERE table_id = ?", (pattern,))
        )
        now = row[have["created"]]
        marks = ", ".join("?" * len(names))
        for k in range(tables):
            full = k < games
            id = new_table_id()
            new = list(row)
            new[have["id"]] = id
            new[have["created"]] = new[have["updated"]] = now - 1000 * k
            if not full:
                new[have["status"]] = "over" if k % 100 else "waiting"
            if "summary" in have and (not full or new[have["status"]] != "over"):
                new[have["summary"]] = None
            database.execute(f"INSERT INTO tables VALUES ({marks})", new)
            rows = [(id, *entry) for entry in (log if full else log[:3])]
            database.executemany(
                "INSERT INTO entries (table_id, number, at, body) VALUES (?, ?, ?, ?)", rows
            )
            key = KEY if full and k % 10 == 0 else secrets.token_hex(32)
            sits = {"table_id": id, "seat": 0, "key": key, "at": now - 1000 * k}
            database.execute(
                f"INSERT INTO sits ({', '.join(fields)}) VALUES ({', '.join('?' * len(fields))})",
                [sits[name] for name in fields],
            )
        database.commit()
        database.execute("ANALYZE")


async def median(work: Callable[[], Awaitable[object]]) -> float:
    """The milliseconds that a piece of work takes."""
    took = []
    for _ in range(RUNS):
        start = time.process_time()
        await work()
        took.append(time.process_time() - start)
    return statistics.median(took) * 1000


async def grow(service: Service, live: LiveTable, entries: int) -> None:
    """Let a table's log have so many entries."""
    while live.table.number < entries:
        number = live.table.number + 1
        bodies = [Said(0, "Ann", f"{number + k}") for k in range(500)]
        await service.rooms._write(live, number, live.table.table_state.at, bodies, None)
        for k, body in enumerate(bodies):
            live.table.apply(number + k, live.table.table_state.at, body)


async def report(tables: int, games: int, longest: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        path = Path(folder) / "branchline.db"
        service = Service(settings, wall_clock)
        await service.start()
        pattern = await play(service)
        await service.stop()
        print(f"{'tables':>9}{'games':>8}{'create':>9}{'mine':>9}{'mine again':>12}{'public':>9}")
        done, had = 1, 1
        for size in (1, SMALL, tables // 10, tables):
            share = games * size // tables
            fill(path, pattern, size - done, share - had if share > had else 0)
            done, had = max(done, size), max(had, share)
            service = Service(settings, wall_clock)
            await service.start()
            print(f"{done:9}{had:8}{await lists(service)}", flush=True)
            await service.stop()
        await reconnect(settings, longest)


async def lists(service: Service) -> str:
    """A line of the report."""

    async def create() -> None:
        await service.may_create(secrets.token_hex(8))
        await service.lobby.create(secrets.token_hex(32), "usa", 2, "Zoé")

    start = time.process_time()
    await service.tables_of(KEY, "en")
    first = (time.process_time() - start) * 1000
    made = await median(create)
    mine = await median(lambda: service.tables_of(KEY, "en"))
    listed = await median(lambda: service.public_tables("en"))
    return f"{made:9.1f}{first:9.1f}{mine:12.1f}{listed:9.1f}"


async def reconnect(settings: Settings, longest: int) -> None:
    """How long it takes to come back to a table with a long log, having had all but ten entries."""
    service = Service(settings, wall_clock)
    await service.start()
    live = await service.lobby.create(KEY, "usa", 2, "Ann")
    print(f"\n{'entries':>9}{'since':>9}{'say':>9}")
    connection = Connection(0, "en", KEY)

    async def come_back() -> None:
        await service.rooms.welcome(live, connection, live.table.number - 10)
        live.connections.discard(connection)

    async def say() -> None:
        async with live.lock:
            await service.rooms.append(live, Said(0, "Ann", "hello"))

    for entries in (10, longest // 100, longest // 10, longest):
        await grow(service, live, entries)
        back = await median(come_back)
        try:
            said = f"{await median(say):9.1f}"
        except ServiceError as error:  # the log is full
            said = f"   {error}"
        print(f"{live.table.number:9}{back:9.1f}{said}", flush=True)
    await service.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=5_000)
    parser.add_argument("--longest", type=int, default=20_000, help="entries of one table")
    given = parser.parse_args()
    asyncio.run(report(given.tables, given.games, given.longest))


if __name__ == "__main__":
    main()
