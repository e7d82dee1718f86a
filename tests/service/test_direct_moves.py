"""A move that nothing is in the way of happens as any other; all others are left to the session."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from branchline.service.messages import Act
from branchline.service.storage import StoreError
from branchline.service.tables.log_entries import Said, encode
from service.worlds import Ear, World, key_of, new_world

pytestmark = pytest.mark.anyio


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with new_world(tmp_path) as world:
        await world.begin("usa", 2)
        yield world


class Ended:
    """What was told of the end of moves."""

    def __init__(self) -> None:
        self.told: list[tuple[bool, Exception | None]] = []

    def __call__(self, done: bool, error: Exception | None) -> None:
        self.told.append((done, error))


def act_of(world: World, seat: int, id: str = "m") -> Act:
    """The first action that a seat may take."""
    owed = world.table.number_for(seat, world.table.seats[seat].decision)
    return Act(id=id, decision=owed, action=world.state.legal(seat)[0])


async def both(world: World) -> tuple[int, Ear, Ear]:
    """The seat that is asked first, its player, and the other."""
    ears = [await world.listen(seat) for seat in range(2)]
    seat = world.state.to_act[0]
    return seat, ears[seat], ears[1 - seat]


async def test_a_move_is_stored_told_and_answered_as_by_the_session(world: World) -> None:
    seat, ear, _ = await both(world)
    metrics = world.rooms.metrics
    before = world.table.number
    ended = Ended()
    act = act_of(world, seat)
    assert world.rooms.direct_moves.begin(world.live, ear.connection, act, ended)
    assert world.table.number == before  # not before it is stored
    assert not ear.told("done")
    await world.until(lambda: bool(ended.told))
    assert ended.told == [(True, None)]
    assert world.table.number == before + 1
    number = world.table.number_for(seat, before + 1)
    assert ear.told("done") == [{"type": "done", "id": "m", "number": number}]
    assert [m["number"] for m in ear.told("update")][-1] == number
    assert not world.live.lock.locked()
    assert (await world.load_again()).table_state == world.table.table_state
    assert metrics.value("moves_total", by="person") == 1
    assert metrics.value("messages_out_total", type="done") == 1
    assert metrics.value("append_seconds_count") >= 1
    assert world.rooms.spare_time.also(0.5)._people._person > 0  # tables of bots stand back


async def test_what_is_in_the_way_of_a_move_is_left_to_the_session(world: World) -> None:
    seat, ear, other = await both(world)
    direct, live, ended = world.rooms.direct_moves, world.live, Ended()
    act = act_of(world, seat)

    def begun(message: Act, player: Ear = ear) -> bool:
        return direct.begin(live, player.connection, message, ended)

    before = world.table.number
    async with live.lock:
        assert not begun(act)  # it has to wait
    late = Act(id="m", decision=act.decision + 1, action=act.action)
    illegal = Act(id="m", decision=act.decision, action=10**6)
    watcher = await world.listen(-1)
    world.table.seats[seat].bot = "easy"
    assert not begun(act)
    world.table.seats[seat].bot = ""
    world.table.seats[seat].key = key_of(7)
    assert not begun(act)
    world.table.seats[seat].key = key_of(seat)
    assert not any((begun(late), begun(illegal), begun(act, watcher)))
    assert not live.lock.locked()
    assert begun(act)
    await world.until(lambda: bool(ended.told))
    assert not begun(act)  # it was made before
    assert not live.lock.locked()
    assert world.table.number == before + 1
    assert ended.told == [(True, None)]
    assert not other.told("done")


async def test_a_move_that_another_process_has_overtaken_has_not_happened(world: World) -> None:
    seat, ear, _ = await both(world)
    before, ended = world.table.number, Ended()
    said = encode(Said(-1, "", "first"))
    assert await world.store.append(world.table.id, before + 1, world.time, said)
    act = act_of(world, seat)
    assert world.rooms.direct_moves.begin(world.live, ear.connection, act, ended)
    await world.until(lambda: bool(ended.told))
    assert ended.told == [(False, None)]
    assert world.table.number == before
    assert not ear.told("done")
    await ear.session.respond(act)  # as the inbox has it done
    assert [m["number"] for m in ear.told("done")] == [world.table.number_for(seat, before + 2)]
    assert (await world.load_again()).table_state == world.table.table_state


async def test_a_move_that_can_not_be_stored_has_not_happened(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, ear, _ = await both(world)
    before, ended = world.table.number, Ended()
    act = act_of(world, seat)
    monkeypatch.setattr(world.store._writer, "_try", broken)
    assert world.rooms.direct_moves.begin(world.live, ear.connection, act, ended)
    await world.until(lambda: bool(ended.told))
    ((done, error),) = ended.told
    assert not done
    assert isinstance(error, StoreError)
    assert world.table.number == before
    assert not world.live.lock.locked()
    assert not ear.told("done")
    ear.session.not_stored(act, error)
    assert ear.told("refused")[0]["code"] == error.code
    await world.rooms.stop()


def broken(jobs: object) -> None:
    raise StoreError("storage_full")
