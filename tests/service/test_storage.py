"""The storage does what it promises, in the same way on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, event

from branchline.core.catalogue import LANGUAGES
from branchline.service.storage import (
    EntryRow,
    Store,
    StoreError,
    TableChange,
    backup,
    batch,
    writer,
)
from branchline.service.storage.database import parse_url
from branchline.service.storage.jobs import Append, Job
from branchline.service.storage.writes import LINKS_KEPT, NOTICES_KEPT, SNAPSHOTS_KEPT
from service.storing import PLAYING, a_row, make, numbers, opened

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with opened(database_url) as store:
        yield store


# Tables and logs


async def test_a_new_table_has_its_row_its_board_its_entries_and_its_holders(store: Store) -> None:
    row = a_row("a", wakes=5_000_000_000_000)
    await store.create(row, b"the board", [b"one", b"two"], 7, [(0, "anna"), (2, "bea")])
    assert await store.table("a") == row
    assert await store.board("d1") == b"the board"
    assert await store.entries("a") == [EntryRow(1, 7, b"one"), EntryRow(2, 7, b"two")]
    assert await store.tables_of("anna", 10) == [(row, 0)]
    assert await store.tables_of("bea", 10) == [(row, 2)]


async def test_a_board_is_kept_once(store: Store) -> None:
    await store.create(a_row("a"), b"the board", [], 1, [])
    await store.create(a_row("b"), b"something else", [], 1, [])
    assert await store.board("d1") == b"the board"


async def test_what_does_not_exist_is_none_or_empty(store: Store) -> None:
    assert await store.table("a") is None
    assert await store.board("d1") is None
    assert await store.entries("a") == []
    assert await store.snapshot("a", "1") is None
    assert await store.setting("key") is None
    assert await store.take_link("hash", 0) is None
    assert await store.notices("a", 0) == []
    assert await store.alive(10, 0) == 0


async def test_of_a_seats_links_only_the_newest_are_kept(store: Store) -> None:
    await make(store, a_row("a"))
    await store.put_link("another seat's", "a", 1, 1)
    for k in range(20):
        await store.put_link(f"link {k}", "a", 0, 100 + k)
    good = [k for k in range(20) if await store.take_link(f"link {k}", 0) is not None]
    assert good == list(range(20 - LINKS_KEPT, 20))
    assert await store.take_link("another seat's", 0) == ("a", 1)


async def test_an_id_can_be_given_only_once_and_the_loser_leaves_nothing(store: Store) -> None:
    await make(store, a_row("a"))
    with pytest.raises(StoreError) as refused:
        await store.create(
            msgspec.structs.replace(a_row("a"), digest="d2"), b"x", [b"y"], 9, [(0, "eve")]
        )
    assert refused.value.code == "storage_taken"
    assert await store.board("d2") is None
    assert await store.entries("a") == [EntryRow(1, 1, b"first")]
    assert await store.tables_of("eve", 10) == []


async def test_an_entry_is_added_with_what_it_changes(store: Store) -> None:
    await make(store, a_row("a", status="waiting"), [(0, "anna"), (1, "bea")])
    change = TableChange("playing", 2, 99, [(0, None), (1, "carl"), (2, "dora")])
    assert await store.append("a", 2, 50, b"two", change) is True
    assert await store.entries("a", after=1) == [EntryRow(2, 50, b"two")]
    row = await store.table("a")
    assert row == msgspec.structs.replace(
        a_row("a"), updated=50, status="playing", open_seats=2, wakes=99
    )
    held = {key: await store.tables_of(key, 9) for key in ("anna", "bea", "carl", "dora")}
    assert held == {"anna": [], "bea": [], "carl": [(row, 1)], "dora": [(row, 2)]}


async def test_an_entry_without_a_change_touches_only_the_log(store: Store) -> None:
    await make(store, a_row("a", wakes=3), [(0, "anna")])
    assert await store.append("a", 2, 50, b"two")
    assert await store.table("a") == a_row("a", wakes=3)
    assert len(await store.tables_of("anna", 9)) == 1


@pytest.mark.parametrize(("table", "number"), [("a", 1), ("a", 3), ("a", 0), ("b", 1), ("b", 2)])
async def test_only_the_next_number_of_a_table_is_accepted(
    store: Store, table: str, number: int
) -> None:
    await make(store, a_row("a"))
    change = TableChange("over", 3, 1, [(0, "eve")])
    assert await store.append(table, number, 50, b"no", change) is False
    assert await store.entries("a") == [EntryRow(1, 1, b"first")]
    assert await store.table("a") == a_row("a")
    assert await store.tables_of("eve", 9) == []


@pytest.mark.parametrize("change", [None, PLAYING])
async def test_entries_in_a_chain_are_added_in_order(
    store: Store, change: TableChange | None
) -> None:
    await make(store, a_row("a"))
    assert await store.append("a", 2, 7, b"two", change, [b"three", b"four"])
    added = [EntryRow(2, 7, b"two"), EntryRow(3, 7, b"three"), EntryRow(4, 7, b"four")]
    assert await store.entries("a", 1) == added
    row = await store.table("a")
    assert row is not None
    assert row.updated == (7 if change else 1)


@pytest.mark.parametrize("change", [None, PLAYING])
@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(("table", "number"), [("a", 2), ("a", 3), ("a", 5), ("b", 1)])
async def test_of_a_chain_that_comes_too_late_or_too_early_nothing_is_written(
    store: Store, table: str, number: int, alone: bool, change: TableChange | None
) -> None:
    await make(store, a_row("a"))
    await make(store, a_row("c"))
    assert await store.append("a", 2, 2, b"two", None, [b"three"])
    chain = store.append(table, number, 9, b"no", change, [b"nor this", b"nor this"])
    others = [] if alone else [store.append("c", 2, 2, b"c2", None, [b"c3"])]
    assert await asyncio.gather(chain, *others) == [False, *(True for _ in others)]
    assert [entry.body for entry in await store.entries("a")] == [b"first", b"two", b"three"]
    assert await numbers(store, "c") == ([1] if alone else [1, 2, 3])


async def test_any_bytes_come_back_as_they_were(store: Store) -> None:
    await make(store, a_row("a"))
    body = bytes(range(256)) * 5000
    assert await store.append("a", 2, 2, body)
    assert await store.append("a", 3, 2, b"")
    assert [entry.body for entry in await store.entries("a", 1)] == [body, b""]


# Group commit


async def test_of_many_that_are_written_together_each_gets_its_own_answer(store: Store) -> None:
    for table in "abc":
        await make(store, a_row(table))
    over = TableChange("over", 0, None, [(0, "winner")])
    lost = TableChange("waiting", 3, 1, [(1, "loser")])
    results = await asyncio.gather(
        store.append("a", 2, 2, b"first a2", over),
        store.append("a", 2, 3, b"second a2", lost),
        store.append("b", 3, 2, b"b3 comes too early", lost),
        store.append("c", 1, 2, b"c1 comes too late", lost),
        store.append("c", 2, 4, b"c2"),
        store.append("c", 3, 5, b"c3", PLAYING),
        store.set_setting_once("key", "value"),
        store.take_link("no such link", 1),
    )
    assert results == [True, False, False, False, True, True, "value", None]
    assert [e.body for e in await store.entries("a")] == [b"first", b"first a2"]
    assert await numbers(store, "b") == [1]
    assert await numbers(store, "c") == [1, 2, 3]
    assert await store.table("a") == a_row("a", updated=2, status="over")
    assert await store.table("b") == a_row("b")
    assert await store.table("c") == a_row("c", updated=5)
    assert len(await store.tables_of("winner", 9)) == 1
    assert await store.tables_of("loser", 9) == []


async def test_one_that_can_not_be_written_does_not_hurt_the_others(store: Store) -> None:
    await make(store, a_row("a"))
    good, taken, orphan, odd = await asyncio.gather(
        store.append("a", 2, 2, b"two"),
        make(store, a_row("a")),
        store.put_link("hash", "no such table", 0, 9),
        store.append("a", 2**80, 2, b"no database has such numbers"),
        return_exceptions=True,
    )
    assert good is True
    assert isinstance(taken, StoreError)
    assert isinstance(orphan, Exception)
    assert isinstance(odd, Exception)
    assert await numbers(store, "a") == [1, 2]


async def test_many_at_once_are_all_written(store: Store) -> None:
    tables = [f"t{n}" for n in range(30)]
    await asyncio.gather(*(make(store, a_row(table)) for table in tables))

    async def play(table: str) -> None:
        for number in range(2, 12):
            assert await store.append(table, number, number, f"{table} {number}".encode())

    await asyncio.gather(*(play(table) for table in tables))
    for table in tables:
        expected = [b"first", *(f"{table} {n}".encode() for n in range(2, 12))]
        assert [entry.body for entry in await store.entries(table)] == expected


async def test_what_is_asked_for_together_is_committed_together(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [f"t{n}" for n in range(50)]
    await asyncio.gather(*(make(store, a_row(table)) for table in tables))
    sizes: list[int] = []

    def write(connection: Connection, name: str, jobs: Sequence[Job]) -> None:
        sizes.append(len(jobs))
        batch.write(connection, name, jobs)

    monkeypatch.setattr(writer, "write", write)
    assert all(await asyncio.gather(*(store.append(table, 2, 2, b"x") for table in tables)))
    assert sum(sizes) == 50
    assert len(sizes) < 5


@pytest.mark.parametrize("change", [None, PLAYING])
async def test_of_entries_that_are_written_together_only_the_late_ones_lose(
    store: Store, change: TableChange | None
) -> None:
    for table in "abcd":
        await make(store, a_row(table))
    future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    jobs = [
        Append(future, table, number, 2, b"x", change)
        for table, number in (("a", 2), ("b", 7), ("c", 1), ("d", 2), ("nowhere", 1))
    ]
    with store._database.writes.connect() as connection:
        batch.write(connection, "test", jobs)
    assert [job.result for job in jobs] == [True, False, False, True, False]
    assert [await numbers(store, table) for table in "abcd"] == [[1, 2], [1], [1], [1, 2]]


async def test_what_entries_change_and_snapshots_are_written_in_the_same_way_by_any_path(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = TableChange("over", 0, None, [], b"summary")
    found: list[list[Any]] = []
    for simple in (True, False):
        if not simple:
            monkeypatch.setattr(batch, "_are_simple", lambda jobs: False)
        ids = [f"{name} {simple}" for name in "abc"]
        for id in ids:
            await make(store, a_row(id))
        await asyncio.gather(
            store.append(ids[0], 2, 20, b"two", PLAYING),
            store.append(ids[1], 2, 21, b"two", over),
            store.append(ids[2], 2, 22, b"two"),
            store.put_snapshot(ids[0], 1, "v", b"snapshot"),
        )
        await store.append(ids[1], 3, 30, b"three", PLAYING)  # its summary stays
        rows = [await store.table(id) for id in ids]
        assert all(row is not None and row.id == id for row, id in zip(rows, ids, strict=True))
        found.append(
            [
                [msgspec.structs.replace(row, id="") for row in rows if row is not None],
                [await store.entries(id) for id in ids],
                [await store.snapshot(id, "v") for id in ids],
            ]
        )
    assert found[0] == found[1]
    (playing, again, same), _, snapshots = found[0]
    assert (playing.updated, playing.status, playing.wakes) == (20, "playing", PLAYING.wakes)
    assert (again.updated, again.status, again.summary) == (30, "playing", b"summary")
    assert same.updated == a_row("c").updated
    assert snapshots == [(1, b"snapshot"), None, None]


async def test_a_snapshot_that_can_not_be_written_does_not_keep_entries_from_being_written(
    store: Store,
) -> None:
    await make(store, a_row("a"))
    written, refused = await asyncio.gather(
        store.append("a", 2, 2, b"two", PLAYING),
        store.put_snapshot("nowhere", 1, "v", b"snapshot"),
        return_exceptions=True,
    )
    assert written is True
    assert isinstance(refused, Exception)
    assert await numbers(store, "a") == [1, 2]
    assert await store.append("a", 3, 3, b"three")


async def test_who_does_not_wait_for_entries_is_told_of_each_whatever_another_does(
    store: Store,
) -> None:
    for table in "abc":
        await make(store, a_row(table))
    told: list[tuple[str, bool]] = []

    def wrong(done: bool, error: Exception | None) -> None:
        told.append(("a", done))
        raise ValueError("of the caller's own")

    def note(table: str) -> Callable[[bool, Exception | None], None]:
        def then(done: bool, error: Exception | None) -> None:
            assert error is None
            told.append((table, done))

        return then

    store.append_then("a", 2, 2, b"x", None, (), wrong)
    store.append_then("b", 2, 2, b"x", PLAYING, (b"y",), note("b"))
    store.append_then("c", 7, 2, b"x", None, (), note("c"))
    assert told == []
    await store.append("b", 4, 2, b"z")  # behind them
    assert sorted(told) == [("a", True), ("b", True), ("c", False)]
    assert [await numbers(store, table) for table in "abc"] == [[1, 2], [1, 2, 3, 4], [1]]


async def test_a_caller_that_goes_away_does_not_disturb_the_others(store: Store) -> None:
    await make(store, a_row("a"))
    await make(store, a_row("b"))
    gone = asyncio.create_task(store.append("a", 2, 2, b"two"))
    stays = asyncio.create_task(store.append("b", 2, 2, b"two"))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays is True
    assert await numbers(store, "a") == [1, 2]


async def test_closing_waits_for_what_was_asked_for(database_url: str) -> None:
    store = await Store.open(database_url)
    await make(store, a_row("a"))
    asked = [asyncio.create_task(store.append("a", n, n, b"x")) for n in range(2, 40)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.wait_for(asyncio.gather(*asked), 10) == [True] * 38
    for action in (store.append("a", 40, 1, b""), store.entries("a"), store.ready()):
        with pytest.raises(StoreError) as refused:
            await action
        assert refused.value.code == "storage_closed"
    async with opened(database_url) as again:
        assert len(await again.entries("a")) == 39


# Lists


async def test_public_tables_are_listed_from_the_latest_on(store: Store) -> None:
    await make(store, a_row("old", updated=10))
    await make(store, a_row("new", updated=30, status="waiting"))
    await make(store, a_row("middle", updated=20))
    await make(store, a_row("private", updated=30, public=False))
    await make(store, a_row("over", updated=30, status="over"))
    assert [row.id for row in await store.public_tables(0, 10)] == ["new", "middle", "old"]
    assert [row.id for row in await store.public_tables(20, 10)] == ["new", "middle"]
    assert [row.id for row in await store.public_tables(0, 1)] == ["new"]


async def test_tables_of_a_key_are_listed_from_the_latest_on(store: Store) -> None:
    await make(store, a_row("old", updated=10), [(1, "anna"), (2, "bea")])
    await make(store, a_row("new", updated=30, status="over", public=False), [(0, "anna")])
    listed = [(row.id, seat) for row, seat in await store.tables_of("anna", 10)]
    assert listed == [("new", 0), ("old", 1)]
    assert len(await store.tables_of("anna", 1)) == 1


async def test_tables_that_want_a_look_are_due(store: Store) -> None:
    await make(store, a_row("later", wakes=50))
    await make(store, a_row("late", wakes=10))
    await make(store, a_row("now", wakes=20))
    await make(store, a_row("never"))
    await make(store, a_row("waiting", status="waiting", wakes=1))
    assert await store.due(20, 10) == ["late", "now"]
    assert await store.due(99, 2) == ["late", "now"]
    await store.append("late", 2, 11, b"two", TableChange("playing", 0, None))
    assert await store.due(20, 10) == ["now"]


async def test_lists_and_sweeps_do_not_read_all_tables(tmp_path: Path) -> None:
    asked: list[tuple[str, Any]] = []
    async with opened(str(tmp_path / "games.db")) as store:

        def note(c: object, cursor: object, statement: str, values: Any, *rest: object) -> None:
            asked.append((statement, values))

        event.listen(store._database.reads, "before_cursor_execute", note)
        await store.public_tables(1, 10)
        await store.due(1, 10)
        await store.tables_of("anna", 10)
        await store.entries("a", 5)
        await store.alive(10, 0)
    raw = sqlite3.connect(tmp_path / "games.db")
    plans = [
        " ".join(str(step[3]) for step in raw.execute(f"EXPLAIN QUERY PLAN {statement}", values))
        for statement, values in asked
    ]
    raw.close()
    indexes = ("listed", "clocked", "sits_key", "autoindex_entries", "tables_age")
    for plan, index in zip(plans, indexes, strict=True):
        assert index in plan
        assert "SCAN" not in plan.replace("SCAN anon", ""), (
            "a few rows that were found are no table"
        )


async def test_tables_that_wait_or_play_are_counted(store: Store) -> None:
    await make(store, a_row("a"))
    await make(store, a_row("b"))
    await make(store, a_row("c", status="over"))
    await make(store, a_row("d", status="waiting"))
    assert await store.alive(10, 0) == 3
    assert await store.alive(2, 0) == 2


# Snapshots, links, notices, settings


async def test_the_newest_snapshot_of_a_version_is_found(store: Store) -> None:
    await make(store, a_row("a"))
    await make(store, a_row("b"))
    await store.put_snapshot("a", 10, "1", b"ten")
    await store.put_snapshot("a", 30, "2", b"thirty")
    await store.put_snapshot("a", 20, "1", b"twenty")
    await store.put_snapshot("a", 20, "1", b"twenty")
    assert await store.snapshot("a", "1") == (20, b"twenty")
    assert await store.snapshot("a", "2") == (30, b"thirty")
    assert await store.snapshot("a", "3") is None
    assert await store.snapshot("b", "1") is None


async def test_snapshots_after_a_number_can_be_dropped(store: Store) -> None:
    await make(store, a_row("a"))
    await make(store, a_row("b"))
    for number in (10, 20, 30):
        await store.put_snapshot("a", number, "1", b"%d" % number)
    await store.put_snapshot("b", 30, "1", b"other")
    await store.drop_snapshots("a", 10)
    assert await store.snapshot("a", "1") == (10, b"10")
    assert await store.snapshot("b", "1") == (30, b"other")
    await store.drop_snapshots("a", 0)
    assert await store.snapshot("a", "1") is None


async def test_only_the_newest_snapshots_of_a_table_are_kept(store: Store) -> None:
    await make(store, a_row("a"))
    await make(store, a_row("b"))
    await store.put_snapshot("b", 1, "1", b"other")
    for number in range(1, 20):
        await store.put_snapshot("a", number, "1", b"%d" % number)
    await store.drop_snapshots("a", 20 - SNAPSHOTS_KEPT)
    assert await store.snapshot("a", "1") == (20 - SNAPSHOTS_KEPT, b"%d" % (20 - SNAPSHOTS_KEPT))
    await store.drop_snapshots("a", 20 - SNAPSHOTS_KEPT - 1)
    assert await store.snapshot("a", "1") is None
    assert await store.snapshot("b", "1") == (1, b"other")


async def test_a_link_is_good_once(store: Store) -> None:
    await make(store, a_row("a"))
    await store.put_link("hash", "a", 2, expires=100)
    assert await store.take_link("other", 50) is None
    assert await store.take_link("hash", 50) == ("a", 2)
    assert await store.take_link("hash", 50) is None


async def test_a_link_is_not_good_after_its_time(store: Store) -> None:
    await make(store, a_row("a"))
    await store.put_link("hash", "a", 2, expires=100)
    await store.put_link("later", "a", 1, expires=101)
    assert await store.take_link("hash", 100) is None
    assert await store.take_link("hash", 50) is None
    assert await store.take_link("later", 100) == ("a", 1)


async def test_notices_are_kept_by_seat_until_they_are_forgotten(store: Store) -> None:
    await make(store, a_row("a"))
    for body in (b"phone", b"laptop", b"phone"):
        await store.put_notice("a", 1, body)
    await store.put_notice("a", 2, b"other")
    assert await store.notices("a", 1) == [b"laptop", b"phone"]
    await store.put_notice("a", 1, None)
    assert await store.notices("a", 1) == []
    assert await store.notices("a", 2) == [b"other"]


async def test_only_the_newest_notices_of_a_seat_are_kept(store: Store) -> None:
    await make(store, a_row("a"))
    bodies = [b"%d" % n for n in range(NOTICES_KEPT + 3)]
    for body in bodies:
        await store.put_notice("a", 1, body)
    assert await store.notices("a", 1) == bodies[3:]


async def test_a_setting_keeps_its_first_value(store: Store) -> None:
    assert await store.set_setting_once("key", "first") == "first"
    assert await store.set_setting_once("key", "second") == "first"
    assert await store.setting("key") == "first"


async def test_a_store_that_works_is_ready_again_and_again(store: Store) -> None:
    await store.ready()
    await store.ready()


# Addresses, backups, texts


@pytest.mark.parametrize(
    "url",
    ["mysql://host/games", "sqlite://", ":memory:", "", "sqlite:///a?mode=ro", "x://", "a:b://"],
)
async def test_an_address_of_something_else_is_refused(url: str) -> None:
    with pytest.raises(StoreError) as refused:
        await Store.open(url)
    assert refused.value.code == "storage_url"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("games.db", "sqlite+pysqlite:///games.db"),
        ("sqlite:////var/games.db", "sqlite+pysqlite:////var/games.db"),
        ("postgres://u@h/d", "postgresql+psycopg://u@h/d"),
        (
            "postgresql+psycopg://u@h/d?sslmode=require",
            "postgresql+psycopg://u@h/d?sslmode=require",
        ),
    ],
)
async def test_addresses_are_understood(text: str, url: str) -> None:
    assert parse_url(text).render_as_string(hide_password=False) == url


async def test_a_backup_while_writing_is_consistent(tmp_path: Path) -> None:
    tables = [f"t{n}" for n in range(20)]
    async with opened(str(tmp_path / "games.db")) as store:
        for table in tables:
            await make(store, a_row(table, updated=0))

        async def play(table: str) -> None:
            number = 1
            while True:
                number += 1
                assert await store.append(table, number, number, b"x" * 500, PLAYING)

        players = [asyncio.create_task(play(table)) for table in tables]
        copies = [tmp_path / f"copy{n}.db" for n in range(3)]
        for copy in copies:
            goal = len(await numbers(store, "t0")) + 5
            while len(await numbers(store, "t0")) < goal:
                await asyncio.sleep(0.01)
            await store.backup(copy)
        last = await numbers(store, "t0")
        assert not any(player.done() for player in players)
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    assert {path.name for path in tmp_path.iterdir()} == {"games.db", *(c.name for c in copies)}
    sizes = []
    for copy in copies:
        with sqlite3.connect(copy) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        raw.close()
        async with opened(str(copy)) as copied:
            for table in tables:
                found = await numbers(copied, table)
                assert found == list(range(1, len(found) + 1))
                row = await copied.table(table)
                assert row is not None
                assert row.updated == (len(found) if len(found) > 1 else 0)
            sizes.append(len(await numbers(copied, "t0")))
    assert 1 < sizes[0] < sizes[1] < sizes[2] <= len(last)


async def test_a_backup_that_can_not_be_written_says_so(tmp_path: Path) -> None:
    async with opened(str(tmp_path / "games.db")) as store:
        with pytest.raises(StoreError) as refused:
            await store.backup(tmp_path / "no such folder" / "copy.db")
    assert refused.value.code == "file_unwritable"


async def test_a_backup_is_counted_and_read_again_before_it_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.db"

    def lose_one(here: sqlite3.Connection, there: sqlite3.Connection) -> None:
        here.backup(there)
        there.execute("DELETE FROM entries WHERE table_id = 't1'")

    def lose_a_page(here: sqlite3.Connection, there: sqlite3.Connection) -> None:
        here.backup(there)
        with (tmp_path / "copy.db.part").open("r+b") as file:
            file.seek(4096)
            file.write(bytes(4096))

    async with opened(str(tmp_path / "games.db")) as store:
        for table in ("t0", "t1"):
            await make(store, a_row(table))
        for fault in (lose_one, lose_a_page):
            with monkeypatch.context() as patch:
                patch.setattr(backup, "copy_pages", fault)
                with pytest.raises(StoreError) as refused:
                    await store.backup(copy)
            assert refused.value.code in ("backup_damaged", "storage_damaged")
            assert {path.name for path in tmp_path.glob("copy*")} == set()
        rows = await store.backup(copy)
        assert (rows["tables"], rows["entries"]) == (2, 2)


def test_a_backup_of_nothing_is_refused_and_makes_nothing(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    sqlite3.connect(other).close()
    other.touch()
    for source, code in ((tmp_path / "none.db", "backup_nothing"), (other, "storage_damaged")):
        with pytest.raises(StoreError) as refused:
            backup.back_up(source, tmp_path / "copy.db")
        assert refused.value.code == code
    assert [path.name for path in tmp_path.iterdir()] == ["other.db"]


async def test_postgresql_has_its_own_tool_for_backups(postgres_url: str, tmp_path: Path) -> None:
    async with opened(postgres_url) as store:
        with pytest.raises(StoreError) as refused:
            await store.backup(tmp_path / "copy")
    assert refused.value.code == "storage_backup"
    assert "pg_dump" in refused.value.text("en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_error_has_a_text(lang: str) -> None:
    for code in ("full", "locked", "unreachable", "damaged", "newer", "url", "closed", "taken"):
        values: dict[str, object] = {"reason": "R", "revision": "R", "id": "R"}
        assert StoreError(f"storage_{code}", values).text(lang).endswith(".")


async def test_a_backup_is_private_and_overwrites_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with opened(str(tmp_path / "games.db")) as store:
        before = os.umask(0)
        try:
            await store.backup(copy)
        finally:
            os.umask(before)
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        copy.write_bytes(b"something else")
        with pytest.raises(StoreError) as refused:
            await store.backup(copy)
        assert refused.value.code == "backup_exists"
        assert "--force" in refused.value.text("en")
        assert copy.read_bytes() == b"something else"
        await store.backup(copy, force=True)
    assert copy.read_bytes().startswith(b"SQLite format 3")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"games.db", "copy.db"}
