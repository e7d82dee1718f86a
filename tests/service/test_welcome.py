"""A welcome carries every entry up to the number that it names, whoever writes meanwhile.

The store of the process that welcomes is one in which others write right after each of its reads,
so the worst moment comes every time and not once in a hundred.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count

import pytest

from branchline.service.messages import Done, Say, Takeback, Update, Welcome
from branchline.service.storage import Store
from branchline.service.storage.rows import EntryRow
from service.processes import ANN, BEN, CAT, Client, Process, until

pytestmark = pytest.mark.anyio

Write = Callable[[], Awaitable[None]]
Start = Callable[[], Awaitable[Process]]


class Crowded:
    """A store in which others write after each read of a log, as often as they are told to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.writes: list[Write] = []

    async def entries(self, table: str, after: int = 0) -> list[EntryRow]:
        rows = await self._store.entries(table, after)
        if self.writes:
            await self.writes.pop(0)()
        return rows

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


@pytest.fixture
async def start(database_url: str) -> AsyncIterator[Start]:
    """Starts processes over one database."""
    opened: list[tuple[Store, Process]] = []

    async def start_one() -> Process:
        store = await Store.open(database_url)
        process = Process(Crowded(store))  # type: ignore[arg-type]
        opened.append((store, process))
        return process

    yield start_one
    for store, process in opened:
        await process.autoplay.stop()
        await process.rooms.stop()
        await store.close()


def crowd(process: Process, *writes: Write) -> None:
    store = process.store
    assert isinstance(store, Crowded)
    store.writes = list(writes)


ids = count()


def saying(client: Client) -> Write:
    async def write() -> None:
        answer = await client.session.answer(Say(f"say {next(ids)}", "Hello"))
        assert isinstance(answer, Done), answer

    return write


def moving(client: Client) -> Write:
    async def write() -> None:
        assert isinstance(await client.act(), Done)

    return write


def taking_back(client: Client) -> Write:
    async def write() -> None:
        table = client.live.table
        step = next(s for s in reversed(table.table_state.steps) if s.seat == 0)
        move = table.number_for(0, step.number)
        answer = await client.session.answer(Takeback(f"back {next(ids)}", move))
        assert isinstance(answer, Done), answer

    return write


async def settled(process: Process, client: Client) -> list[int]:
    """The numbers that a newcomer was told, from the first on."""
    await process.rooms._catch_up(client.live)  # with SQLite nothing wakes a process
    rows = await process.store.entries(client.live.table.id)
    await until(lambda: client.live.table.number >= rows[-1].number)
    told: list[int] = []
    for message in client.heard():
        if isinstance(message, Welcome):
            assert message.number == len(told) + len(message.entries)
            told += [entry.number for entry in message.entries]
        elif isinstance(message, Update):
            told.append(message.number)
    return told


@pytest.mark.parametrize("others", [1, 2])
@pytest.mark.parametrize("reads", [1, 2, 3, 4])
async def test_a_welcome_names_no_number_beyond_what_it_carries(
    start: Start, others: int, reads: int
) -> None:
    here = await start()
    live = await here.lobby.create(ANN, "nordic", 2, "Ann", ["easy"], first=0)
    table = live.table.id
    here.autoplay.rooms.followers.clear()
    writers = [await (await start()).join(table, ANN) for _ in range(others)]
    for seed in range(4):
        crowd(here, *(saying(writers[(k + seed) % others]) for k in range(reads)))
        client = await here.join(table, (BEN, ANN, CAT)[seed % 3])
        told = await settled(here, client)
        assert told == list(range(1, len(told) + 1))
        assert len(told) == live.table.number_for(client.connection.seat, live.table.number)


async def test_a_welcome_is_whole_though_others_move_and_take_back_meanwhile(start: Start) -> None:
    here, there = await start(), await start()
    live = await here.lobby.create(ANN, "nordic", 2, "Ann", ["easy"], first=0)
    for process in (here, there):
        process.die()
    writer = await there.join(live.table.id, ANN)
    await moving(writer)()
    crowd(here, saying(writer), taking_back(writer), moving(writer), saying(writer))
    client = await here.join(live.table.id, ANN)
    (welcome,) = [m for m in client.heard() if isinstance(m, Welcome)]
    numbers = [entry.number for entry in welcome.entries]
    assert numbers == list(range(1, welcome.number + 1))


async def test_a_welcome_is_whole_though_a_writer_dies_between_its_entries(start: Start) -> None:
    here, there, third = await start(), await start(), await start()
    live = await here.lobby.create(ANN, "nordic", 2, "Ann", ["easy"], first=0)
    table = live.table.id
    for process in (here, there, third):
        process.die()
    dying, living = await there.join(table, ANN), await third.join(table, ANN)

    async def dies() -> None:
        await saying(dying)()
        await there.store.close()

    crowd(here, dies, saying(living), saying(living))
    client = await here.join(table, BEN)
    told = await settled(here, client)
    assert told == list(range(1, len(told) + 1))
    assert len(told) == (await here.store.entries(table))[-1].number
