"""Games that an older version has left in the database can be played on and shown."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from branchline.core.mapfile import builtin_boards
from branchline.service.broadcast.replays import record_of, replay_of
from branchline.service.messages import Done, Welcome
from branchline.service.storage import Store
from branchline.service.tables import log_entries as log
from service.old.make import facts
from service.processes import ANN, BEN, Process

pytestmark = pytest.mark.anyio

OLD = sorted((Path(__file__).parent / "old").glob("*.sql.gz"))
FOUND: list[tuple[Path, dict[str, Any]]] = [
    (path, game)
    for path in OLD
    for game in json.loads(path.with_name(path.name.replace(".sql.gz", ".json")).read_text())
]
NAMES = [f"{path.name.removesuffix('.sql.gz')}-{game['board']}" for path, game in FOUND]


@pytest.fixture
async def process(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Process]:
    """A server of this version over a copy of an old database, whose snapshots it doesn't know."""
    database = tmp_path / "games.db"
    with closing(sqlite3.connect(database)) as copy:
        copy.executescript(gzip.decompress(request.param.read_bytes()).decode())
        assert copy.execute("SELECT count(*) FROM snapshots").fetchone()[0] > 0
        copy.execute("UPDATE snapshots SET version = 'of another version'")
        copy.commit()
    running = Process(await Store.open(str(database)))
    yield running
    await running.autoplay.stop()
    await running.rooms.stop()
    await running.store.close()


def test_there_is_an_old_game_on_every_board() -> None:
    assert OLD
    assert {game["board"] for _, game in FOUND} >= set(builtin_boards())


@pytest.mark.parametrize(("process", "game"), FOUND, indirect=["process"], ids=NAMES)
async def test_an_old_game_is_found_as_it_was_and_played_to_its_end_and_shown(
    process: Process, game: dict[str, Any]
) -> None:
    table = game["table"]
    people = [await process.join(table, key) for key in (ANN, BEN)]
    live = people[0].live
    assert live.table.number == game["number"]
    assert [facts(client) for client in people] == game["views"]
    for client in people:
        (welcome,) = (m for m in client.heard() if isinstance(m, Welcome))
        assert [e.number for e in welcome.entries] == list(range(1, welcome.number + 1))
        assert all(event["text"] for entry in welcome.entries for event in entry.events)

    rng = random.Random(1)
    process.autoplay.check(live)
    while live.table.status == "playing":
        await asyncio.sleep(0)
        for client in people:
            if live.table.status == "playing" and live.table.seats[client.connection.seat].decision:
                assert isinstance(await client.act_at_random(rng), Done)
    rows = await process.rooms.store.entries(table)
    record = record_of(live.table, [(row.number, log.decode(row.body)) for row in rows], "en")
    shown = replay_of(record, None, "fr")
    assert live.table.state is not None
    assert shown.result is not None
    assert shown.result.scores == list(live.table.state.outcome.scores)
    assert len(shown.steps) == len(record.actions) + 1
