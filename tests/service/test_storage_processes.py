"""Several processes share a database: schema, races for a number, waking each other."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from branchline.service.storage import Store, StoreError, TableChange
from branchline.service.storage import migrate as migrations
from branchline.service.storage.database import open_database
from branchline.service.storage.schema import SCHEMA
from service.postgres import Cluster
from service.storing import PLAYING, a_row, make, numbers, opened

pytestmark = pytest.mark.anyio

OPEN_AND_WRITE = """
import asyncio, sys
from branchline.service.storage import Store

async def main():
    store = await Store.open(sys.argv[1])
    print(await store.set_setting_once("key", sys.argv[2]))
    await store.close()

asyncio.run(main())
"""


class Heard:
    """What a store's callback was told."""

    def __init__(self, store: Store) -> None:
        self.calls: list[tuple[str, int]] = []
        store.on_wake(lambda table, number: self.calls.append((table, number)))

    async def wait_for(self, call: tuple[str, int], seconds: float = 10) -> None:
        async with asyncio.timeout(seconds):
            while call not in self.calls:
                await asyncio.sleep(0.005)


# The schema


async def test_migrations_make_the_schema_that_the_code_expects(database_url: str) -> None:
    async with opened(database_url):
        pass
    database = open_database(database_url)
    try:
        with database.reads.connect() as connection:
            options = {"version_table": migrations.VERSION_TABLE, "compare_type": True}
            context = MigrationContext.configure(connection, opts=options)
            assert compare_metadata(context, SCHEMA) == []
    finally:
        database.close()


async def test_opening_again_changes_nothing(database_url: str) -> None:
    async with opened(database_url) as store:
        await make(store, a_row("a"))
    for _ in range(2):
        async with opened(database_url) as store:
            assert await store.table("a") == a_row("a")


async def test_processes_that_start_at_the_same_time_do_not_disturb_each_other(
    database_url: str,
) -> None:
    command = [sys.executable, "-c", OPEN_AND_WRITE, database_url]
    started = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in range(4)
    ]
    said = [process.communicate(timeout=60)[0] for process in started]
    assert [process.returncode for process in started] == [0] * 4
    assert len(set(said)) == 1, "all agree on the value that won"


async def test_opening_at_the_same_time_in_one_process_works_too(database_url: str) -> None:
    stores = await asyncio.gather(*(Store.open(database_url) for _ in range(5)))
    values = await asyncio.gather(
        *(store.set_setting_once("key", str(n)) for n, store in enumerate(stores))
    )
    assert len(set(values)) == 1
    for store in stores:
        await store.close()


async def test_a_database_of_a_newer_version_is_refused_and_left_alone(database_url: str) -> None:
    async with opened(database_url) as store:
        await make(store, a_row("a"))
    statement = f"UPDATE {migrations.VERSION_TABLE} SET version_num = '9999'"
    if database_url.startswith("postgresql"):
        with psycopg.connect(database_url) as remote:
            remote.execute(statement.encode())
    else:
        with sqlite3.connect(database_url) as local:
            local.execute(statement)
        local.close()
    with pytest.raises(StoreError) as refused:
        await Store.open(database_url)
    assert refused.value.code == "storage_newer"
    assert "9999" in refused.value.text("fr")


async def forgotten(postgres_url: str) -> None:
    """Wait until PostgreSQL has noticed that no process serves: connections end one by one."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for change in ("lock", "unlock"):
            done = f"SELECT pg_advisory_{change}({migrations.SERVING})"
            await asyncio.to_thread(connection.execute, done)


async def test_a_newer_version_with_another_schema_waits_until_no_older_one_serves(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    newer = tmp_path / "scripts"
    shutil.copytree(migrations.SCRIPTS, newer)
    (newer / "versions" / "9999_more.py").write_text(
        "from alembic import op\n"
        f'revision = "9999"\ndown_revision = "{head()}"\n'
        "def upgrade():\n    op.execute('CREATE TABLE more (id int)')\n"
    )
    async with opened(postgres_url, listen=False):
        pass
    older = [await Store.open(postgres_url) for _ in range(2)]
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "SCRIPTS", newer)
        for store in older:
            with pytest.raises(StoreError) as refused:
                await Store.open(postgres_url)
            assert refused.value.code == "storage_older_runs"
            await make(store, a_row(f"{id(store)}"))  # they serve on
            await store.close()
        await forgotten(postgres_url)
        async with opened(postgres_url), opened(postgres_url):
            pass
    with pytest.raises(StoreError) as refused:
        await Store.open(postgres_url)
    assert refused.value.code == "storage_newer"


async def test_a_process_that_comes_back_to_another_schema_neither_writes_nor_reads(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    async with opened(postgres_url) as store:
        await make(store, a_row("a"))
        with psycopg.connect(postgres_url, autocommit=True) as newer:
            lock = f"SELECT pg_try_advisory_lock({migrations.SERVING})"
            while newer.execute(lock.encode()).fetchone() != (True,):  # as after a restart
                newer.execute(f"{others} AND datname = current_database()".encode())
                await asyncio.sleep(0)
            newer.execute(f"UPDATE {migrations.VERSION_TABLE} SET version_num = '9999'".encode())
        with pytest.raises(StoreError) as refused:
            await make(store, a_row("b"))
        assert refused.value.code == "storage_newer"
        with pytest.raises(StoreError) as refused:
            await read_on(store)
        assert refused.value.code == "storage_newer"
        assert caplog.text.count("9999") == 1, "said once, with what to do"
        with psycopg.connect(postgres_url) as newer:
            assert newer.execute("SELECT count(*) FROM tables").fetchone() == (1,)


async def read_on(store: Store) -> None:
    """Read until that is refused."""
    async with asyncio.timeout(30):
        while True:
            await store.table("a")
            await asyncio.sleep(0.01)


def head() -> str:
    """The newest revision."""
    names = (migrations.SCRIPTS / "versions").glob("[0-9]*.py")
    return max(path.name for path in names)[:4]


async def test_a_migration_that_fails_leaves_nothing_behind(
    database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scripts = tmp_path / "scripts"
    (scripts / "versions").mkdir(parents=True)
    good = (migrations.SCRIPTS / "versions" / "0001_tables.py").read_text()
    (scripts / "versions" / "0001_tables.py").write_text(good + "    raise RuntimeError('power')\n")
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "SCRIPTS", scripts)
        with pytest.raises(RuntimeError, match="power"):
            await Store.open(database_url)
    async with opened(database_url) as store:
        assert await store.alive(10, 0) == 0


# Races


async def test_of_two_writers_of_the_same_number_exactly_one_wins(database_url: str) -> None:
    async with opened(database_url) as one, opened(database_url) as two:
        await make(one, a_row("a"))
        await make(one, a_row("b"))
        for number in range(2, 80):
            for table in ("a", "b"):
                won = await asyncio.gather(
                    one.append(table, number, number, b"one", TableChange("playing", 1, None)),
                    two.append(table, number, number, b"two", TableChange("playing", 2, None)),
                )
                assert sorted(won) == [False, True]
                winner = b"one" if won[0] else b"two"
                assert (await two.entries(table, number - 1))[0].body == winner
                row = await one.table(table)
                assert row is not None
                assert row.open_seats == 1 + won.index(True)


async def test_writers_that_meet_at_many_tables_do_not_block_each_other(
    postgres: Cluster, postgres_url: str
) -> None:
    tables = [f"t{n}" for n in range(9)]
    told = len(postgres.log)
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        for table in tables:
            await make(one, a_row(table))
        with psycopg.connect(postgres_url) as third:
            # Both writers have to wait here, in the middle of their work.
            third.execute("INSERT INTO entries VALUES ('t4', 2, 2, 'third')")
            by_one = [one.append(table, 2, 2, b"one", PLAYING) for table in tables]
            by_two = [two.append(table, 2, 2, b"two", PLAYING) for table in tables[::-1]]
            asked = asyncio.gather(*by_one, *by_two)
            await asyncio.sleep(0.3)
            third.rollback()
        won = await asyncio.wait_for(asked, 10)
        assert sum(won) == len(tables)
        for table in tables:
            assert await numbers(two, table) == [1, 2]
    assert "deadlock" not in postgres.log[told:]


async def test_a_link_is_given_to_one_of_many(database_url: str) -> None:
    async with opened(database_url) as one, opened(database_url) as two:
        await make(one, a_row("a"))
        for n in range(20):
            await one.put_link(f"hash{n}", "a", 1, 100)
            stores = (one, two, one, two, one, two)
            taken = await asyncio.gather(*(store.take_link(f"hash{n}", 1) for store in stores))
            assert taken.count(("a", 1)) == 1
            assert taken.count(None) == 5


# Waking


async def test_an_entry_wakes_the_other_processes_and_not_its_own(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        heard_by_one, heard_by_two = Heard(one), Heard(two)
        await make(one, a_row("a"))
        assert await one.append("a", 2, 2, b"two")
        await heard_by_two.wait_for(("a", 2))
        assert await two.append("a", 3, 3, b"three")
        await heard_by_one.wait_for(("a", 3))
        assert heard_by_one.calls == [("a", 3)]
        assert heard_by_two.calls == [("a", 2)]


async def test_whoever_is_woken_can_read_the_entry(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        await make(one, a_row("a"))
        heard = Heard(two)
        for number in range(2, 30):
            assert await one.append("a", number, 2, b"x")
            await heard.wait_for(("a", number))
            assert (await numbers(two, "a"))[-1] == number


async def test_a_loser_wakes_nobody(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        await make(one, a_row("a"))
        await make(one, a_row("b"))
        heard = Heard(two)
        won = await asyncio.gather(one.append("a", 7, 2, b"x"), one.append("b", 2, 2, b"x"))
        assert list(won) == [False, True]
        await heard.wait_for(("b", 2))
        assert heard.calls == [("b", 2)]


async def test_a_callback_that_fails_and_a_strange_notification_end_nothing(
    postgres_url: str,
) -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, what: reported.append(what))
    async with opened(postgres_url) as one, opened(postgres_url) as two:
        await make(one, a_row("a"))

        def fail(table: str, number: int) -> None:
            raise ValueError(table)

        two.on_wake(fail)
        with psycopg.connect(postgres_url) as other:
            other.execute("NOTIFY branchline, 'good morning'")
        assert await one.append("a", 2, 2, b"x")
        async with asyncio.timeout(10):
            while not reported:
                await asyncio.sleep(0.01)
            assert await one.append("a", 3, 2, b"x")
            while len(reported) < 2:
                await asyncio.sleep(0.01)


async def test_a_store_that_does_not_listen_still_wakes_others(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url, listen=False) as tool:
        await make(one, a_row("a"))
        heard, silent = Heard(one), Heard(tool)
        assert await one.append("a", 2, 2, b"two")
        assert await tool.append("a", 3, 3, b"three")
        await heard.wait_for(("a", 3))
        assert silent.calls == []
