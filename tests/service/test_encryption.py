"""With a key, whoever gets at the database learns nothing of a game; without, files are private."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from branchline.service.operations.settings import Settings, read_settings
from branchline.service.run import _check_store, _make_folder
from branchline.service.storage import Store, StoreError, TableChange
from branchline.service.storage.encryption import MARK, Encryption
from branchline.service.tables.table import layout_version
from service.server import Party, Server
from service.worlds import World, key_of

pytestmark = pytest.mark.anyio

KEY, OTHER = "1f" * 32, "2e" * 32


def bodies(file: Path, table: str = "entries") -> list[bytes]:
    with closing(sqlite3.connect(file)) as database:
        return [body for (body,) in database.execute(f"SELECT body FROM {table}")]


async def a_game(store: Store) -> World:
    world = World(store)
    await world.begin("nordic", 2, bots=[None])
    ears = [await world.listen(seat) for seat in range(2)]
    for seat in (0, 1):
        await ears[seat].act(world.state.legal(seat)[0])
    version, body = layout_version(world.table.game), world.table.snapshot()
    await store.put_snapshot(world.table.id, world.table.number, version, body)
    return world


async def test_no_secret_of_a_game_is_in_an_encrypted_database(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    store = await Store.open(str(file), key=KEY)
    world = await a_game(store)
    assert (await world.load_again()).state == world.state
    await store.close()
    stored = [*bodies(file), *bodies(file, "snapshots")]
    assert len(stored) >= 6
    assert all(body.startswith(MARK) for body in stored)
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    f = world.table.table_state
    for secret in (f.seed, f.draw.part, "TicketsKept", "CardDrawn", "Player 1"):
        assert secret.encode() not in content
    again = await Store.open(str(file), key=KEY)
    other = World(again)
    other.live = await other.rooms.live_table(world.table.id)
    assert other.state == world.state
    assert other.table.table_state == world.table.table_state
    await again.close()


async def test_what_lists_show_of_finished_games_is_encrypted_too(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    store = await Store.open(str(file), key=KEY)
    world = World(store)
    await world.begin("nordic", 2, bots=["easy"])
    summary = b'{"seats":[{"name":"Player 0"}]}'
    id, change = world.table.id, TableChange("over", 0, None, summary=summary)
    assert await store.append(id, world.table.number + 1, world.time, b"{}", change)
    assert [row.summary for row, _ in await store.tables_of(key_of(0), 9)] == [summary]
    await store.put_summary(id, summary + b" ")
    row = await store.table(id)
    assert row is not None
    assert row.summary == summary + b" "
    await store.close()
    with closing(sqlite3.connect(file)) as database:
        ((kept,),) = database.execute("SELECT summary FROM tables")
    assert kept.startswith(MARK)
    assert b"Player 0" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize(("key", "code"), [(None, "key_missing"), (OTHER, "key_wrong")])
async def test_a_start_without_the_right_key_says_so(
    tmp_path: Path, key: str | None, code: str
) -> None:
    settings = Settings(data=tmp_path, key=KEY)
    await _check_store(settings)
    with pytest.raises(StoreError) as error:
        await _check_store(Settings(data=tmp_path, key=key))
    assert error.value.code == code
    assert "BRANCHLINE_KEY" in error.value.text("en")
    assert "BRANCHLINE_KEY" in error.value.text("fr")
    await _check_store(settings)


async def test_a_key_that_comes_later_leaves_what_was_there_readable(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    store = await Store.open(str(file))
    world = await a_game(store)
    await store.close()
    store = await Store.open(str(file), key=KEY)
    again = World(store)
    again.live = await again.rooms.live_table(world.table.id)
    assert again.state == world.state
    ear = await again.listen(0)
    assert (await ear.send(type="say", id="new", text="Hello"))["type"] == "done"
    assert (await again.load_again()).state == again.state
    await store.close()
    assert {body.startswith(MARK) for body in bodies(file)} == {False, True}


def test_an_encrypted_body_belongs_to_its_place() -> None:
    encryption = Encryption(KEY)
    sealed = encryption.seal(b"{}", "entry abc 3")
    assert encryption.open(sealed, "entry abc 3") == b"{}"
    assert sealed != encryption.seal(b"{}", "entry abc 3")
    for place in ("entry abc 4", "entry abd 3", "snapshot abc 3"):
        with pytest.raises(StoreError, match="key_wrong"):
            encryption.open(sealed, place)


def test_a_key_is_64_digits_and_never_printed() -> None:
    assert read_settings({}, {"BRANCHLINE_KEY": KEY}).key == KEY
    for bad in ("secret", KEY[:-1], KEY + "0"):
        with pytest.raises(Exception, match="bad_setting") as error:
            read_settings({}, {"BRANCHLINE_KEY": bad})
        assert bad not in str(error.value)
        assert bad not in repr(getattr(error.value, "values", ""))


async def test_data_can_be_read_by_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(0o755)
    file = folder / "branchline.db"
    file.touch(0o644)
    settings = Settings(data=folder)
    _make_folder(settings)
    store = await Store.open(settings.database_url)
    await store.ready()
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert "branchline.db-wal" in modes
    assert set(modes.values()) == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
    await store.close()


async def test_a_server_with_a_key_goes_on_after_a_kill(tmp_path: Path) -> None:
    with Server(tmp_path, environ={"BRANCHLINE_KEY": KEY}) as server:
        async with Party(server.url) as party:
            ann = await party.client("Ann")
            table = await ann.create("new_york", 2, bots=["easy"])
            socket = await party.socket(ann, table)
            await socket.until(lambda: socket.decision is not None)
            number = socket.number
            server.restart()
            again = await party.socket(ann, table)
            assert again.number >= number
            assert KEY not in server.log
    assert all(body.startswith(MARK) for body in bodies(tmp_path / "branchline.db"))


async def test_entries_that_are_rewritten_for_a_visitor_are_encrypted_too(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    store = await Store.open(str(file), key=KEY)
    world = await a_game(store)
    table = world.table.id
    row = (await store.entries(table))[1]
    await store.rewrite(table, {row.number: row.body + b" "}, "nobody", [])
    assert (await store.entries(table))[1].body == row.body + b" "
    await store.close()
    assert all(body.startswith(MARK) for body in bodies(file))
