"""What goes wrong with databases: nothing accepted is lost, nothing is written by half."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from branchline.service.storage import Store, StoreError, TableChange, batch, database, migrate
from service import storing
from service.postgres import Cluster
from service.storing import PLAYING, a_row, body_of, chain_length, make, numbers, opened

pytestmark = pytest.mark.anyio


async def code_of(action: object) -> str:
    with pytest.raises(StoreError) as refused:
        await action  # type: ignore[misc]
    assert refused.value.text("en") != refused.value.text("fr")
    return refused.value.code


async def is_whole(store: Store, table: str) -> int:
    """Check that a log has no gap, no changed entry and a row that fits; gives its length."""
    log = await store.entries(table)
    assert [entry.number for entry in log] == list(range(1, len(log) + 1))
    assert all(entry.body == body_of(table, entry.number) for entry in log[1:])
    row = await store.table(table)
    assert row is not None
    assert row.updated == len(log)
    return len(log)


# Killed processes


async def test_a_writer_that_is_killed_loses_nothing_that_it_has_accepted(
    database_url: str,
) -> None:
    tables = [f"t{n}" for n in range(8)]
    async with opened(database_url) as store:
        for table in tables:
            await make(store, a_row(table))
    accepted = dict.fromkeys(tables, 1)
    for _ in range(4):
        command = [sys.executable, storing.__file__, database_url, *tables]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            said = b"".join(writer.stdout.readline() for _ in range(random.randint(1, 200)))
            writer.kill()
            said += writer.stdout.read()
        if database_url.startswith("postgresql"):
            await others_are_gone(database_url)
        for line in said.decode().splitlines():
            table, number = line.split()
            accepted[table] = int(number)
        async with opened(database_url) as store:
            for table in tables:
                length = await is_whole(store, table)
                # At most the chain that was on its way is there without having been told, and it is
                # there as a whole.
                before = accepted[table]
                assert length in (before, before + chain_length(before))
                accepted[table] = length


async def others_are_gone(url: str) -> None:
    """Wait until the database has done the last thing that a dead process asked for."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    with psycopg.connect(url, autocommit=True) as connection:
        async with asyncio.timeout(20):
            while connection.execute(query).fetchone() != (1,):
                await asyncio.sleep(0.01)


async def test_a_database_server_that_is_killed_loses_nothing_that_it_has_accepted(
    postgres: Cluster, postgres_url: str
) -> None:
    tables = [f"t{n}" for n in range(8)]
    accepted = dict.fromkeys(tables, 1)

    async def play(store: Store, table: str) -> None:
        while True:
            number = accepted[table] + 1
            assert await store.append(table, number, number, body_of(table, number), PLAYING)
            accepted[table] = number

    async with opened(postgres_url) as store:
        for table in tables:
            await make(store, a_row(table))
        for how in (signal.SIGKILL, signal.SIGQUIT, signal.SIGINT):
            players = [asyncio.create_task(play(store, table)) for table in tables]
            goal = sum(accepted.values()) + random.randint(1, 300)
            while sum(accepted.values()) < goal:
                await asyncio.sleep(0.001)
            await asyncio.to_thread(postgres.stop, how)
            errors = await asyncio.gather(*players, return_exceptions=True)
            assert {type(error) for error in errors} == {StoreError}
            assert await code_of(store.ready()) == "storage_unreachable"
            assert await code_of(store.entries("t0")) == "storage_unreachable"
            await asyncio.to_thread(postgres.start)
            for table in tables:
                length = await is_whole(store, table)
                assert accepted[table] <= length <= accepted[table] + 1
                accepted[table] = length


# Connections that are lost


async def test_a_connection_that_was_cut_while_idle_is_not_noticed(postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        await make(store, a_row("a"))
        await store.entries("a")
        cut_all(postgres_url)
        won = await asyncio.gather(
            store.append("a", 2, 2, b"x"), store.set_setting_once("key", "value")
        )
        assert list(won) == [True, "value"]
        assert await numbers(store, "a") == [1, 2]


async def test_after_an_interruption_everything_must_be_looked_at(
    postgres: Cluster, postgres_url: str
) -> None:
    calls: list[tuple[str, int]] = []
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        await make(one, a_row("a"))
        two.on_wake(lambda table, number: calls.append((table, number)))
        await asyncio.to_thread(postgres.stop)
        await asyncio.sleep(0.3)
        assert calls == []
        await asyncio.to_thread(postgres.start)
        async with asyncio.timeout(20):
            while ("", 0) not in calls:
                await asyncio.sleep(0.01)
            assert await one.append("a", 2, 2, b"x")
            while ("a", 2) not in calls:
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("done", [True, False])
async def test_a_commit_whose_answer_is_lost_is_looked_up(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    commits: list[Callable[[], None]] = []

    def lose(commit: Callable[[], None]) -> None:
        commits.append(commit)
        if len(commits) == 1:
            if done:
                commit()
            cause = OperationalError("COMMIT", {}, psycopg.OperationalError("cut"))
            raise batch.CommitLost(cause)
        commit()

    async with opened(postgres_url) as store, opened(postgres_url) as other:
        await make(store, a_row("a"))
        await make(store, a_row("b"))
        await other.append("b", 2, 2, b"other")
        monkeypatch.setattr(batch, "_commit", lose)
        won = await asyncio.gather(
            store.append("a", 2, 2, b"mine", TableChange("over", 0, None)),
            store.append("b", 2, 2, b"mine"),
            store.set_setting_once("key", "value"),
            return_exceptions=True,
        )
        assert list(won[:2]) == [True, False]
        assert isinstance(won[2], StoreError)
        assert [entry.body for entry in await store.entries("a")] == [b"first", b"mine"]
        assert [entry.body for entry in await store.entries("b")] == [b"first", b"other"]
        row = await store.table("a")
        assert row is not None
        assert row.status == "over"


async def test_a_server_that_does_not_exist_is_unreachable(tmp_path: Path) -> None:
    url = f"postgresql://nobody@/games?host={tmp_path}"
    assert await code_of(Store.open(url)) == "storage_unreachable"
    assert await code_of(Store.open(str(tmp_path / "no" / "games.db"))) == "storage_readonly"


def cut_all(url: str) -> None:
    """End all other connections to this database."""
    with psycopg.connect(url) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


# Locks


async def test_a_locked_file_is_told_and_the_next_write_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    path = tmp_path / "games.db"
    async with opened(str(path)) as store:
        await make(store, a_row("a"))
        locker = sqlite3.connect(path, isolation_level=None)
        locker.execute("BEGIN EXCLUSIVE")
        assert await code_of(store.append("a", 2, 2, b"x")) == "storage_locked"
        assert await code_of(store.ready()) == "storage_locked"
        assert await numbers(store, "a") == [1]  # reading goes on
        locker.execute("ROLLBACK")
        locker.close()
        assert await store.append("a", 2, 2, b"x")
        await store.ready()


async def test_opening_waits_for_a_lock_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    path = tmp_path / "games.db"
    async with opened(str(path)):
        pass
    locker = sqlite3.connect(path, isolation_level=None)
    locker.execute("BEGIN EXCLUSIVE")
    opening = asyncio.create_task(Store.open(str(path)))
    await asyncio.sleep(0.6)
    locker.close()
    store = await opening
    await store.ready()
    await store.close()


async def test_a_file_that_stays_locked_can_not_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    monkeypatch.setattr(migrate, "PATIENCE", 0.3)
    path = tmp_path / "games.db"
    async with opened(str(path)):
        pass
    locker = sqlite3.connect(path, isolation_level=None)
    locker.execute("BEGIN EXCLUSIVE")
    assert await code_of(Store.open(str(path))) == "storage_locked"
    locker.close()


async def test_a_locked_row_is_told_and_the_next_write_works(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = database.POSTGRES_OPTIONS | {"options": "-c lock_timeout=200"}
    monkeypatch.setattr(database, "POSTGRES_OPTIONS", options)
    async with opened(postgres_url) as store:
        await make(store, a_row("a"))
        with psycopg.connect(postgres_url) as locker:
            locker.execute("LOCK TABLE entries IN EXCLUSIVE MODE")
            assert await code_of(store.append("a", 2, 2, b"x")) == "storage_locked"
            assert await numbers(store, "a") == [1]
        assert await store.append("a", 2, 2, b"x")


# Full disks


async def fill(store: Store) -> int:
    """Write several tables at once until there is no room; gives how often that worked."""
    accepted = 0

    async def play(table: str) -> None:
        nonlocal accepted
        number = len(await store.entries(table))
        while True:
            number += 1
            body = body_of(table, number)
            assert await store.append(table, number, number, body, PLAYING)
            accepted += 1

    results = await asyncio.gather(*(play(t) for t in ("a", "b", "c")), return_exceptions=True)
    assert [getattr(error, "code", error) for error in results] == ["storage_full"] * 3
    return accepted


async def test_a_full_disk_is_told_and_room_makes_it_work_again(small_disk: Path) -> None:
    real = os.path.ismount(small_disk)
    path = small_disk / "games.db"
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(700_000))
    async with opened(str(path)) as store:
        pages = [100]
        if not real:  # a limit of SQLite's own gives the same error

            def limit(connection: sqlite3.Connection, record: object) -> None:
                connection.execute(f"PRAGMA max_page_count = {pages[0]}")

            event.listen(store._database.writes, "connect", limit)
            store._writer._disconnect()
        for table in ("a", "b", "c"):
            await make(store, a_row(table))
        accepted = 3 + await fill(store)
        assert accepted > 100
        accepted += await fill(store)  # one alone may still fit where three did not
        lengths = [await is_whole(store, table) for table in ("a", "b", "c")]
        assert sum(lengths) == accepted
        ballast.unlink()
        pages[0] = 100_000
        await store.ready()
        for table, length in zip(("a", "b", "c"), lengths, strict=True):
            number = length + 1
            assert await store.append(table, number, number, body_of(table, number), PLAYING)
    async with opened(str(path)) as again:
        for table, length in zip(("a", "b", "c"), lengths, strict=True):
            assert await is_whole(again, table) == length + 1


# Damage


async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"Dear diary, today I laid six trains to Murmansk. " * 100)
    before = path.read_bytes()
    assert await code_of(Store.open(str(path))) == "storage_damaged"
    assert path.read_bytes() == before


async def test_a_missing_table_is_damage(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.ready()
        if database_url.startswith("postgresql"):
            with psycopg.connect(database_url) as remote:
                remote.execute("DROP TABLE notices")
        else:
            with sqlite3.connect(database_url) as local:
                local.execute("DROP TABLE notices")
            local.close()
        assert await code_of(store.notices("a", 0)) == "storage_damaged"
        assert await code_of(store.put_notice("a", 0, None)) == "storage_damaged"


async def test_sqlite_is_asked_for_the_promises_that_are_made(tmp_path: Path) -> None:
    async with opened(str(tmp_path / "games.db")) as store:
        pragmas = await store._writer.do(
            lambda c: [
                c.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
        )
        assert pragmas == ["wal", 2, 1, 2000]


# What the operator reads


async def test_a_fault_is_logged_once_with_what_to_do_and_once_more_when_it_is_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    file = tmp_path / "games.db"
    async with opened(str(file)) as store:
        await make(store, a_row("t"))
        for again in range(2):
            caplog.clear()
            with closing(sqlite3.connect(file)) as other:
                other.execute("BEGIN EXCLUSIVE")
                for _ in range(5):
                    assert await code_of(store.append("t", 2, 2, b"x")) == "storage_locked"
                    assert await store.table("t") is not None  # reading goes on
                other.rollback()
            (line,) = caplog.records
            assert line.levelname == "ERROR"
            assert "close that program" in line.getMessage()
            assert await store.append("t", 2 + again, 2, b"x")
            assert await store.append("t", 4, 2, b"x") is bool(again)
            _, line = caplog.records
            assert line.levelname == "WARNING"
            assert line.__dict__["refused"] == 5


async def test_a_database_that_is_gone_is_one_line_for_reading_and_writing(
    postgres: Cluster, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(postgres_url) as store:
        await asyncio.to_thread(postgres.stop)
        for _ in range(3):
            assert await code_of(store.table("t")) == "storage_unreachable"
            assert await code_of(store.append("t", 2, 2, b"x")) == "storage_unreachable"
        (line,) = [record for record in caplog.records if record.name == "branchline.storage"]
        assert "check that it runs" in line.getMessage()
        await asyncio.to_thread(postgres.start)
        await store.ready()
        said = [r.getMessage() for r in caplog.records if r.name == "branchline.storage"]
        assert said[1:] == ["the database works again"]
