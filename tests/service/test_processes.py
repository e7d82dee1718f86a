"""Several processes over one database: who wins, who hears of it, who goes on after a death.

A process here is all of a server but the network: a store of its own, rooms, autoplay.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from msgspec.structs import replace

from branchline.service.errors import ServiceError
from branchline.service.messages import (
    ClockRule,
    Done,
    Refused,
    Say,
    Takeback,
    Update,
    Welcome,
)
from branchline.service.rooms.lobby import NO_CLOCK
from branchline.service.storage import Store, StoreError
from branchline.service.tables import log_entries as log
from branchline.service.tables.log_entries import Moved, Seated
from service.processes import ANN, BEN, CAT, Client, Process, until

pytestmark = pytest.mark.anyio

Start = Callable[[], Awaitable[Process]]


@pytest.fixture
async def start(database_url: str) -> AsyncIterator[Start]:
    """Starts processes over one database."""
    processes: list[Process] = []

    async def start_one() -> Process:
        processes.append(Process(await Store.open(database_url)))
        return processes[-1]

    yield start_one
    for process in processes:
        await process.autoplay.stop()
        await process.rooms.stop()
        await process.store.close()


@pytest.fixture
async def here(start: Start) -> Process:
    return await start()


@pytest.fixture
async def there(start: Start) -> Process:
    return await start()


async def a_table(process: Process, bots: int = 0, clock: ClockRule = NO_CLOCK) -> str:
    """A game of two: Ann, and Ben or a bot; Ann has the first turn."""
    lobby = process.lobby
    levels = ["easy"] * bots
    live = await lobby.create(ANN, "nordic", 2, "Ann", levels, clock=clock, first=0)
    if not bots:
        await lobby.sit(live, BEN, "Ben", None)
    return live.table.id


async def hear(client: Client, number: int) -> None:
    """Wait until a process knows the table up to this entry. With SQLite it has to look."""
    if not client.session.rooms.store._database.postgres:
        await client.session.rooms._catch_up(client.live)
    await until(lambda: client.live.table.number >= number)


# Who wins


async def test_of_two_answers_to_one_decision_in_two_processes_one_wins(
    here: Process, there: Process
) -> None:
    table = await a_table(here)
    one, two = await here.join(table, ANN), await there.join(table, ANN)
    for _ in range(20):
        if not one.live.table.seats[0].decision:
            break
        first, second = one.next_act(), replace(two.next_act(), id=f"other {two.acts}")
        answers = await asyncio.gather(one.session.answer(first), two.session.answer(second))
        assert sorted(type(a).__name__ for a in answers) == ["Done", "Refused"], answers
        assert [a.code for a in answers if isinstance(a, Refused)] == ["late"]
        assert one.live.table.number == two.live.table.number
    assert one.state.hash() == two.state.hash()
    rows = await here.store.entries(table)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))


async def test_the_same_message_through_two_processes_is_done_once(
    here: Process, there: Process
) -> None:
    table = await a_table(here)
    one, two = await here.join(table, ANN), await there.join(table, ANN)
    act = one.next_act()
    answers = await asyncio.gather(one.session.answer(act), two.session.answer(act))
    assert answers[0] == answers[1]
    assert isinstance(answers[0], Done)
    moves = [log.decode(row.body) for row in await here.store.entries(table)]
    assert sum(isinstance(entry, Moved) for entry in moves) == 1


async def test_a_seat_moves_by_its_link_although_another_process_has_written(
    here: Process, there: Process
) -> None:
    table = await a_table(here)
    one, two = await here.join(table, ANN), await there.join(table, BEN)
    token = await here.lobby.link(one.live, ANN, 0)
    assert isinstance(await two.act(), Done)
    written = two.live.table.number
    assert await here.lobby.move(one.live, CAT, token) == 0
    assert one.live.table.seat_of(CAT) == 0
    assert one.live.table.number == written + 1
    with pytest.raises(ServiceError, match="link_used"):
        await here.lobby.move(one.live, ANN, token)


async def test_a_link_is_void_if_its_seat_has_moved_in_another_process(
    here: Process, there: Process
) -> None:
    table = await a_table(here)
    one, two = await here.join(table, ANN), await there.join(table, ANN)
    first, second = [await here.lobby.link(one.live, ANN, 0) for _ in range(2)]
    assert await there.lobby.move(two.live, CAT, first) == 0
    with pytest.raises(ServiceError, match="link_used"):
        await here.lobby.move(one.live, "dan", second)
    assert one.live.table.seat_of(CAT) == 0


async def test_a_game_in_which_each_plays_in_another_process_is_the_same_in_both(
    here: Process, there: Process
) -> None:
    table = await a_table(here)
    clients = [await here.join(table, ANN), await there.join(table, BEN)]
    for _ in range(120):
        for client in clients:
            if client.live.table.seats[client.connection.seat].decision:
                answer = await client.act()
                assert isinstance(answer, Done), answer
        for client in clients:
            await hear(client, max(c.live.table.number for c in clients))
    assert clients[0].state.hash() == clients[1].state.hash()
    fresh = await (Process(here.store)).rooms.load(table)
    assert fresh.state is not None
    assert fresh.state.hash() == clients[0].state.hash()
    assert fresh.table_state == clients[0].live.table.table_state


# Who hears of it


async def test_a_takeback_is_taken_back_in_the_other_process_too(
    here: Process, there: Process
) -> None:
    table = await a_table(here)
    ann, ben = await here.join(table, ANN), await there.join(table, BEN)
    before = ann.state.hash()
    ann.heard(), ben.heard()
    done = await ann.act()
    assert isinstance(done, Done)
    back = await ann.session.answer(Takeback("back", done.number))
    assert isinstance(back, Done), back
    await hear(ben, ann.live.table.number)
    assert ann.state.hash() == ben.state.hash() == before
    assert ann.live.table.table_state == ben.live.table.table_state
    assert [m.entry.kind for m in ann.heard() if isinstance(m, Update)][-1] == "taken_back"
    again = await ann.act()
    assert isinstance(again, Done), again


async def test_a_process_that_has_missed_a_takeback_and_more_sends_everyone_for_the_whole(
    here: Process, there: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await a_table(here)
    ann, ben = await here.join(table, ANN), await there.join(table, BEN)
    monkeypatch.setattr(there.rooms, "_woken", lambda table, number: None)
    there.store._callbacks.clear()
    done = await ann.act()
    assert isinstance(done, Done)
    assert isinstance(await ann.session.answer(Takeback("back", done.number)), Done)
    assert isinstance(await ann.act(), Done)
    await there.rooms._catch_up(ben.live)
    assert ben.connection.gone
    assert ben.state.hash() == ann.state.hash()


async def test_whoever_loses_a_seat_in_another_process_is_sent_away(
    here: Process, there: Process
) -> None:
    table = await a_table(here)
    old = await there.join(table, BEN)
    watcher = await there.join(table, CAT)
    live = await here.rooms.live_table(table)
    token = await here.lobby.link(live, BEN, 1)
    assert await here.lobby.move(live, CAT, token) == 1
    await hear(old, live.table.number)
    assert old.connection.gone, "the old device must not see the hand any longer"
    assert watcher.connection.gone, "the new one comes back with the seat"
    refused = await old.act()
    assert isinstance(refused, Refused)
    assert refused.code == "not_your_seat"


async def test_whoever_comes_sees_what_another_process_wrote_unnoticed(
    here: Process, there: Process
) -> None:
    table = await a_table(here)
    ann = await here.join(table, ANN)
    await there.join(table, BEN)
    there.store._callbacks.clear()  # deaf
    assert isinstance(await ann.act(), Done)
    ben = await there.join(table, BEN)
    (welcome,) = (m for m in ben.heard() if isinstance(m, Welcome))
    assert len(welcome.entries) == welcome.number
    assert ben.live.table.number == ann.live.table.number
    assert ben.state.hash() == ann.state.hash()


async def test_news_that_come_while_the_store_fails_are_read_when_it_is_back(
    here: Process, there: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await a_table(here)
    ann, ben = await here.join(table, ANN), await there.join(table, BEN)
    monkeypatch.setattr("branchline.service.rooms.rooms.AGAIN", 0.01)
    reading = there.store.entries
    failures = 3

    async def failing(id: str, after: int = 0) -> Any:
        nonlocal failures
        if failures:
            failures -= 1
            raise StoreError("storage_unreachable", {"reason": "test"})
        return await reading(id, after)

    monkeypatch.setattr(there.store, "entries", failing)
    assert isinstance(await ann.act(), Done)
    there.rooms._woken(table, ann.live.table.number)
    await until(lambda: ben.live.table.number == ann.live.table.number)
    assert not failures


async def test_a_move_that_was_stored_though_the_store_said_no_counts(
    here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await a_table(here)
    ann, ben = await here.join(table, ANN), await here.join(table, BEN)
    writing = here.store.append

    async def in_doubt(*entry: Any) -> bool:
        monkeypatch.undo()
        assert await writing(*entry)
        raise StoreError("storage_unreachable", {"reason": "test"})

    monkeypatch.setattr(here.store, "append", in_doubt)
    ben.heard()
    act = ann.next_act()
    refused = await ann.session.answer(act)
    assert isinstance(refused, Refused)
    assert refused.code == "storage_unreachable"
    await until(lambda: ann.live.table.done(0, act.id))
    assert isinstance(await ann.session.answer(act), Done)
    moves = [log.decode(row.body) for row in await here.store.entries(table)]
    assert sum(isinstance(entry, Moved) for entry in moves) == 1


async def test_a_takeback_that_can_not_be_stored_has_not_happened(
    here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await a_table(here)
    ann = await here.join(table, ANN)
    done = await ann.act()
    assert isinstance(done, Done)
    before = ann.state.hash()

    async def full(*entry: Any) -> bool:
        raise StoreError("storage_full", {"reason": "test"})

    monkeypatch.setattr(here.store, "append", full)
    refused = await ann.session.answer(Takeback("back", done.number))
    assert isinstance(refused, Refused)
    assert refused.code == "storage_full"
    assert ann.state.hash() == before
    monkeypatch.undo()

    async def no_more(*what: Any) -> None:
        raise StoreError("storage_full", {"reason": "test"})

    monkeypatch.setattr(here.store, "drop_snapshots", no_more)
    back = await ann.session.answer(Takeback("back", done.number))
    assert isinstance(back, Done), "it is stored, whatever comes after"


async def test_whoever_was_seated_in_another_process_unnoticed_is_welcomed_there(
    here: Process, there: Process
) -> None:
    table = (await here.lobby.create(ANN, "nordic", 2, "Ann", [])).table.id
    await there.join(table, ANN)
    there.store._callbacks.clear()  # deaf
    await here.lobby.sit(await here.rooms.live_table(table), BEN, "Ben", None)
    ben = await there.join(table, BEN)
    (welcome,) = (m for m in ben.heard() if isinstance(m, Welcome))
    assert welcome.seat == ben.session.seat == 1


# Who goes on


async def test_a_full_table_whose_process_died_before_the_deal_begins_when_someone_comes(
    here: Process, there: Process
) -> None:
    live = await here.lobby.create(ANN, "nordic", 2, "Ann", [])
    async with live.lock:
        await here.rooms.append(live, Seated(1, "Ben", BEN))
    table = live.table.id
    ben = await there.join(table, BEN)
    assert ben.live.table.status == "playing"
    (welcome,) = (m for m in ben.heard() if isinstance(m, Welcome))
    assert welcome.decision is not None or welcome.table.status == "playing"


async def test_a_table_that_could_not_begin_for_want_of_space_begins_at_the_next_try(
    here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await here.lobby.create(ANN, "nordic", 2, "Ann", [])
    writing = here.store.append
    count = 0

    async def once(*entry: Any) -> bool:
        nonlocal count
        count += 1
        if count == 2:
            raise StoreError("storage_full", {"reason": "test"})
        return await writing(*entry)

    monkeypatch.setattr(here.store, "append", once)
    with pytest.raises(StoreError):
        await here.lobby.sit(live, BEN, "Ben", None)
    assert live.table.status == "waiting"
    assert await here.lobby.sit(live, BEN, "Ben", None) == 1
    assert live.table.status == "playing"


async def test_a_game_against_bots_is_made_and_dealt_in_one_transaction(
    here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*entry: Any) -> bool:
        raise AssertionError("there must be no second write")

    monkeypatch.setattr(here.store, "append", never)
    table = await a_table(here, bots=1)
    row = await here.store.table(table)
    assert row is not None
    assert row.status == "playing"
    assert row.wakes is not None


def turn_of(client: Client) -> int:
    return next(iter(client.state.to_act))


async def test_the_bots_of_a_dead_process_are_taken_up_by_another(
    here: Process, there: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("branchline.service.rooms.autoplay.SWEEP", 0.05)
    here.die()
    table = await a_table(here, bots=1)
    ann = await here.join(table, ANN)
    while ann.live.table.seats[0].decision:
        assert isinstance(await ann.act(), Done)
    stood = ann.live.table.number
    there.time += 60_000
    there.autoplay.start()
    await caught_up_later(here, ann, stood)
    assert ann.live.table.seats[0].decision


async def caught_up_later(process: Process, client: Client, stood: int) -> None:
    """Wait for more entries, by whomever."""
    async with asyncio.timeout(10):
        while not client.live.table.seats[0].decision or client.live.table.number <= stood:
            await asyncio.sleep(0.05)
            await process.rooms._catch_up(client.live)


async def test_the_clocks_of_a_dead_process_are_taken_up_by_another(
    here: Process, there: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("branchline.service.rooms.autoplay.SWEEP", 0.05)
    here.die()
    table = await a_table(here, clock=ClockRule("move", 5, "seat"))
    there.time += 60_000
    there.autoplay.start()
    async with asyncio.timeout(10):
        while not any(s.bot for s in (await there.rooms.live_table(table)).table.seats):
            await asyncio.sleep(0.02)


async def test_a_clock_that_runs_out_is_told_to_whoever_came_after_the_table_was_forgotten(
    here: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("branchline.service.rooms.autoplay.GRACE", 0)
    waits: list[asyncio.Future[None]] = []

    async def wait(until: int) -> None:
        waits.append(asyncio.get_running_loop().create_future())
        await waits[-1]

    monkeypatch.setattr(here.autoplay, "_wait", wait)
    table = await a_table(here, clock=ClockRule("move", 5, "seat"))
    clocks = sum(s.decision > 0 for s in here.rooms.live_tables[table].table.seats)
    await until(lambda: len(waits) == clocks)
    here.rooms.forget(-1)
    assert not here.rooms.live_tables
    ann = await here.join(table, ANN)
    ann.heard()
    waits[0].set_result(None)
    await until(lambda: any(s.bot for s in ann.live.table.seats))
    assert next(m.entry.kind for m in ann.heard() if isinstance(m, Update)) == "bot"


async def test_a_bot_that_takes_over_does_not_wait_for_the_clock(here: Process) -> None:
    table = await a_table(here, clock=ClockRule("move", 3600, "move"))
    ann = await here.join(table, ANN)
    seat = turn_of(ann)
    stood = ann.live.table.number
    await here.lobby.seat_bot(ann.live, [ANN, BEN][seat], seat, "easy")
    await until(lambda: ann.live.table.number > stood + 1)


async def test_a_table_that_can_not_be_loaded_does_not_keep_the_others_from_their_bots(
    here: Process, there: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("branchline.service.rooms.autoplay.SWEEP", 0.05)
    here.die()
    broken, good = await a_table(here, bots=1), await a_table(here, bots=1)
    loading = there.rooms.load

    async def load(id: str, *more: Any) -> Any:
        if id == broken:
            raise ValueError("damaged")
        return await loading(id, *more)

    monkeypatch.setattr(there.rooms, "load", load)
    there.time += 60_000
    there.autoplay.start()
    await until(lambda: good in there.rooms.live_tables)
    await asyncio.sleep(0.2)
    assert there.autoplay._sweeper is not None
    assert not there.autoplay._sweeper.done()


async def test_something_said_in_another_process_does_not_stop_a_bot(
    here: Process, there: Process
) -> None:
    table = await a_table(here, bots=1)
    ann = await here.join(table, ANN)
    other = await there.join(table, ANN)
    while ann.live.table.seats[0].decision:
        answers = await asyncio.gather(
            ann.act(), other.session.answer(Say(f"s{ann.acts}", "hello"))
        )
        assert all(isinstance(a, Done) for a in answers), answers
    async with asyncio.timeout(10):
        while not ann.live.table.seats[0].decision:
            await asyncio.sleep(0.02)
            await here.rooms._catch_up(ann.live)
