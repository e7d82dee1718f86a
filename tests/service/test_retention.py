"""Tables are removed when the host's settings say so, in small portions, and never sooner."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from branchline.service.broadcast.live_table import Connection
from branchline.service.context import Service
from branchline.service.errors import ServiceError
from branchline.service.operations.settings import Limits, Settings
from branchline.service.rooms import retention as module
from branchline.service.rooms.retention import DAY, Retention
from branchline.service.storage import Store
from service.processes import ANN, BEN, Process
from service.storing import PLAYING, a_row, make, numbers, opened

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with opened(database_url) as found:
        yield found


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BREATH", 0.0)


def keeper(process: Process, keep_playing: float = 0.0) -> Retention:
    return Retention(process.rooms, Settings(keep_playing=keep_playing))


async def a_game(process: Process, seats: int = 2) -> str:
    live = await process.lobby.create(ANN, "nordic", seats, "Ann")
    return live.table.id


async def test_a_waiting_table_expires_and_a_game_does_not(store: Store) -> None:
    process = Process(store)
    waiting, playing = await a_game(process), await a_game(process)
    await process.lobby.sit(await process.rooms.live_table(playing), BEN, "Ben", None)
    process.time += 13 * DAY
    assert await keeper(process).look() == 0
    process.time += 2 * DAY
    assert await keeper(process).look() == 1
    assert await store.table(waiting) is None
    assert await store.entries(waiting) == []
    assert [row.id for row, _ in await store.tables_of(ANN, 10)] == [playing]
    process.time += 3650 * DAY
    assert await keeper(process).look() == 0
    with pytest.raises(ServiceError, match="no_such_table"):
        await process.rooms.live_table(waiting)
    assert await keeper(process, keep_playing=30).look() == 1
    assert await store.table(playing) is None


async def test_whoever_looks_at_a_table_keeps_it(store: Store) -> None:
    process = Process(store)
    waiting = await a_game(process)
    live = await process.rooms.live_table(waiting)
    connection = Connection(0, "en", ANN)
    await process.rooms.welcome(live, connection, 0)
    process.time += 20 * DAY
    assert await keeper(process).look() == 0
    process.rooms.leave(live, connection)
    assert await keeper(process).look() == 1


async def test_a_table_that_another_process_has_removed_is_told_of_as_missing(
    store: Store, database_url: str
) -> None:
    process = Process(store)
    waiting = await a_game(process)
    live = await process.rooms.live_table(waiting)
    async with opened(database_url) as other:
        assert await other.mark_expired("waiting", process.time + 1, 10) == [waiting]
        assert not await store.append(waiting, live.table.number + 1, 1, b"x")
        with pytest.raises(ServiceError, match="no_such_table"):
            await process.lobby.sit(live, BEN, "Ben", None)
    assert waiting not in process.rooms.live_tables


async def test_what_a_dead_process_has_left_half_removed_is_removed(store: Store) -> None:
    for id in ("a", "b"):
        await make(store, a_row(id, status="over"), [(0, ANN)])
        for number in range(2, 31):
            assert await store.append(id, number, 1, b"x", None)
        await store.put_snapshot(id, 3, "v", b"s")
        await store.put_notice(id, 0, b"n")
        await store.put_link(f"link {id}", id, 0, 99)
    assert await store.mark_expired("over", 2, 10, ["b"]) == ["a"]
    assert await store.remove_some(10) == 10
    assert await store.table("a") is None  # half of it is still there
    process = Process(store)
    assert await keeper(process).look() == 0
    assert (await numbers(store, "a"), len(await numbers(store, "b"))) == ([], 30)
    assert await store.snapshot("a", "v") is None
    assert await store.snapshot("b", "v") is not None
    assert await store.notices("a", 0) == []
    assert await store.take_link("link a", 1) is None
    assert await store.take_link("link b", 1) == ("b", 0)


async def test_a_game_that_goes_on_at_the_last_moment_is_kept(store: Store) -> None:
    await make(store, a_row("t", updated=5))
    moved, marked = await asyncio.gather(
        store.append("t", 2, 100, b"x", PLAYING), store.mark_expired("playing", 50, 10)
    )
    assert moved
    assert marked == []
    assert await numbers(store, "t") == [1, 2]


async def test_removing_much_holds_up_no_move(store: Store) -> None:
    """Each portion is a few rows, whatever is to be removed; moves go in between."""
    await make(store, a_row("mine"))
    for k in range(20):
        await make(store, a_row(f"old{k}", status="over"))
        more = [b"x" * 300] * 399
        assert await store.append(f"old{k}", 2, 1, b"x", None, more)
    assert len(await store.mark_expired("over", 2, 100)) == 20

    async def remove() -> list[int]:
        portions = []
        while done := await store.remove_some(module.PORTION):
            portions.append(done)
        return portions

    removal = asyncio.create_task(remove())
    number, began = 1, time.process_time()
    while not removal.done():
        number += 1
        assert await store.append("mine", number, 1, b"x", None)
    portions = await removal
    assert sum(portions) == 20 * 402
    assert max(portions) <= module.PORTION + 1
    assert number > len(portions) // 2, (number, len(portions), time.process_time() - began)


async def test_limits_count_what_is_alive(store: Store) -> None:
    old, new = 5, 500
    for id, status, updated in (
        ("w1", "waiting", old), ("w2", "waiting", new), ("p1", "playing", old),
        ("p2", "playing", new), ("o1", "over", new), ("o2", "over", old),
    ):  # fmt: skip
        await make(store, a_row(id, status=status, updated=updated))
    assert await store.alive(100, 0) == 4
    assert await store.alive(100, 100) == 3  # a game that nobody goes on with is not counted
    assert await store.alive(2, 100) == 2
    await store.mark_expired("waiting", 100, 10)
    assert await store.alive(100, 100) == 2


async def test_a_server_full_of_games_that_nobody_goes_on_with_takes_new_ones(
    tmp_path: Path,
) -> None:
    now = 1_000_000_000_000
    settings = Settings(data=tmp_path, limits=Limits(tables=2))
    service = Service(settings, lambda: now)
    async with opened(settings.database_url) as found:
        service.store = found
        for id, updated in (("a", now - 8 * DAY), ("b", now - 8 * DAY), ("c", now)):
            await make(found, a_row(id, updated=updated))
        await service.may_create("192.0.2.1")
        await make(found, a_row("d", updated=now))
        with pytest.raises(ServiceError, match="too_many_tables"):
            await service.may_create("192.0.2.1")
