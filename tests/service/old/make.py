"""Makes a database as this version leaves it: on each board a game that is not over.

    PYTHONPATH=src:tests python tests/service/old/make.py

writes VERSION.sql.gz beside this file, and what must be found in it as VERSION.json. To be run
once before a release whose entries, snapshots or schema differ from those of the release before;
what older versions have left here stays.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from branchline._version import VERSION
from branchline.core.mapfile import builtin_boards
from branchline.service.messages import ClockRule, Done, Say, Takeback
from branchline.service.storage import Store
from service.processes import ANN, BEN, Client, Process

HERE = Path(__file__).parent
ENTRIES = 80
FIELDS = ("turn", "hand", "hand_size", "trains", "points", "owner", "display", "tickets", "last")


def facts(client: Client) -> dict[str, list[int]]:
    """What a seat sees of a game, in fields that every version has."""
    view = client.state.view(client.connection.seat)
    return {name: [int(x) for x in view[name]] for name in FIELDS}


async def play(process: Process, board: str, rng: random.Random) -> dict[str, Any]:
    """A game of two persons and a bot, with talk and moves taken back."""
    lobby = process.lobby
    clock = ClockRule("game", 86_400, "seat")
    live = await lobby.create(ANN, board, 3, "Ann", [None, "easy"], clock=clock, first=0)
    await lobby.sit(live, BEN, "Ben", None)
    table = live.table.id
    people = [await process.join(table, key) for key in (ANN, BEN)]
    while live.table.number < ENTRIES:
        await asyncio.sleep(0.001)
        process.time += 500
        for client in people:
            if live.table.seats[client.connection.seat].decision:
                await move(client, rng)
    # The bot has nothing to do when the database is copied.
    async with asyncio.timeout(10):
        while any(s.bot and s.decision for s in live.table.seats):
            await asyncio.sleep(0.01)
    return {
        "table": table,
        "board": board,
        "number": live.table.number,
        "views": [facts(client) for client in people],
    }


async def move(client: Client, rng: random.Random) -> None:
    done = await client.act_at_random(rng)
    assert isinstance(done, Done), done
    if rng.random() < 0.1:
        await client.session.answer(Say(f"say {done.id}", "hello"))
    if rng.random() < 0.1:  # a wish, if others have seen it
        await client.session.answer(Takeback(f"back {done.id}", done.number))


async def make(path: Path) -> list[dict[str, Any]]:
    store = await Store.open(str(path))
    process = Process(store)
    rng = random.Random(VERSION)
    found = [await play(process, board, rng) for board in builtin_boards()]
    await asyncio.sleep(0.2)  # snapshots are written by the way
    await process.autoplay.stop()
    await process.rooms.stop()
    await store.close()
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        found = asyncio.run(make(path))
        with closing(sqlite3.connect(path)) as database:
            text = "\n".join(database.iterdump())
    data = gzip.compress(text.encode(), mtime=0)
    (HERE / f"{VERSION}.sql.gz").write_bytes(data)
    (HERE / f"{VERSION}.json").write_text(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
