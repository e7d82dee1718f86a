"""Tables without people get what is left of the server's time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from branchline.service.bots.sessions import Question, Turn
from branchline.service.bots.spare_time import LATELY, LONGEST, PART, SpareTime
from branchline.service.bots.worker_pool import LoadBackground, WorkerPool
from branchline.service.errors import Stale
from branchline.service.rooms.archive import Archive
from branchline.service.rooms.autoplay import Autoplay
from branchline.service.rooms.direct_moves import DirectMoves
from branchline.service.workers.jobs import JobRefused
from service.worlds import World, key_of, new_world

pytestmark = pytest.mark.anyio


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def spare(clock: Clock) -> SpareTime:
    return SpareTime(clock)


def test_while_nobody_plays_there_is_no_wait(clock: Clock, spare: SpareTime) -> None:
    spare.spend(0.5)
    assert spare.wait == 0
    spare.person_moved()
    assert spare.wait > 0
    clock.now += LATELY
    spare.spend(0.5)
    assert spare.wait == 0


@pytest.mark.parametrize("step", [0.0005, 0.002, 0.02])
def test_while_people_play_they_keep_the_rest(clock: Clock, spare: SpareTime, step: float) -> None:
    began, steps = clock.now, 0
    while clock.now - began < 60:
        spare.person_moved()
        if spare.wait == 0:
            clock.now += step
            spare.spend(step)
            steps += 1
        else:
            clock.now += 0.0001
    assert steps * step == pytest.approx(60 * PART, rel=0.05)


def test_steps_that_are_made_at_the_same_time_add_up(spare: SpareTime) -> None:
    spare.person_moved()
    spare.spend(0.001)
    spare.spend(0.002)
    assert spare.wait == pytest.approx(0.003 / PART)


def test_no_wait_is_for_ever(clock: Clock, spare: SpareTime) -> None:
    spare.person_moved()
    spare.spend(1000)
    assert 0 < spare.wait <= LONGEST
    clock.now += LONGEST
    spare.person_moved()
    assert spare.wait == 0


def test_another_part_is_counted_by_itself_while_the_same_people_play(
    clock: Clock, spare: SpareTime
) -> None:
    other = spare.also(PART / 2)
    other.spend(0.001)
    assert other.wait == 0
    spare.person_moved()
    assert other.wait == pytest.approx(0.001 / PART * 2)
    assert spare.wait == 0
    spare.spend(0.0005)
    clock.now += 0.001 / PART * 2
    assert other.wait == 0


async def test_what_is_made_on_request_waits_for_its_turn_before_it_is_read(
    clock: Clock, spare: SpareTime, world: World
) -> None:
    archive = Archive(world.store, world.limiters, spare)
    read: list[int] = []

    async def record() -> bytes:
        read.append(1)
        return b"not a record"

    async def ask() -> None:
        with pytest.raises(JobRefused):
            await archive.uploaded(record, "here", None, "en", "")

    try:
        await ask()
        await ask()  # nobody plays
        spare.person_moved()
        assert archive._spare_time.wait > 0
        asked = [asyncio.create_task(ask()) for _ in range(2)]
        await asyncio.sleep(0.01)
        assert len(read) == 2
        for count in (3, 4):
            clock.now += LONGEST
            spare.person_moved()
            while len(read) < count:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            assert len(read) == count, "one at a time"
        await asyncio.gather(*asked)
    finally:
        archive.close()


async def test_what_keeps_the_event_loop_is_measured_and_waits_are_not(
    clock: Clock, spare: SpareTime
) -> None:
    gate = asyncio.Event()

    async def work() -> str:
        clock.now += 0.001
        await gate.wait()
        clock.now += 0.002
        return "done"

    spare.person_moved()
    task = asyncio.create_task(spare.measure(work))
    await asyncio.sleep(0)
    clock.now += 0.5
    assert spare.wait == 0
    gate.set()
    assert await task == "done"
    assert spare.wait == pytest.approx(0.002 / PART)


async def test_work_that_is_measured_can_fail_and_be_cancelled(spare: SpareTime) -> None:
    told: list[str] = []

    async def fail() -> None:
        await asyncio.sleep(0)
        raise Stale

    async def last() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            told.append("cancelled")
            raise

    with pytest.raises(Stale):
        await spare.measure(fail)
    task = asyncio.create_task(spare.measure(last))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told == ["cancelled"]


def five(question: Question) -> int:
    return 5


async def nothing() -> object:
    raise AssertionError("these bots keep nothing")


@pytest.mark.parametrize("spec", ["easy", "thinks"])
async def test_bots_alone_wait_for_it_and_those_of_people_do_not(spec: str) -> None:
    gate, coming = asyncio.Event(), asyncio.Event()

    class Waiting(SpareTime):
        async def come(self) -> None:
            coming.set()
            await gate.wait()

    pool = WorkerPool(1, five, spare_time=Waiting())

    def decide(table: str, alone: bool) -> asyncio.Task[int]:
        question = Question(table, 0, "", 0, 1, [], [3, 5], 8.0, spec=spec, turn=Turn("", alone))
        return asyncio.create_task(pool.decide(question, nothing))  # type: ignore[arg-type]

    try:
        assert await decide("left", alone=False) == 5
        alone = [decide("left", alone=True), decide("other", alone=True)]
        await coming.wait()
        # Nor do they keep the worker that they had while a person was playing.
        assert await asyncio.wait_for(decide("people", alone=False), 60) == 5
        assert not any(task.done() for task in alone)
        gate.set()
        assert await asyncio.gather(*alone) == [5, 5]
    finally:
        pool.close()


class Counting(SpareTime):
    """Counts what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.people = self.steps = 0

    def person_moved(self) -> None:
        self.people += 1

    def spend(self, seconds: float) -> None:
        self.steps += 1


class FirstAction(WorkerPool):
    """Bots that take the first action, without a worker."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked = 0

    async def decide(self, question: Question, load_background: LoadBackground) -> int:
        self.asked += 1
        return question.actions[0]


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with new_world(tmp_path) as world:
        yield world


async def test_steps_of_bots_alone_are_measured_and_moves_of_people_noted(world: World) -> None:
    spare, pool = Counting(), FirstAction()
    world.rooms.spare_time = spare  # type: ignore[misc]
    world.rooms.direct_moves = DirectMoves(world.rooms)  # type: ignore[misc]
    autoplay = Autoplay(world.rooms, pool, 2.0)
    try:
        await world.begin("nordic", 2, bots=["easy"])
        ann = await world.listen(0)
        (seat, *_) = [k for k in world.state.to_act if k == 0]
        await ann.act(world.state.legal(seat)[0])
        await world.until(lambda: pool.asked > 0 and not autoplay._work)
        assert (spare.people, spare.steps) == (1, 0), "a person plays here"
        await world.lobby.seat_bot(world.live, key_of(0), 0, "easy")
        await world.until(lambda: world.table.status == "over", 120)
        assert spare.people == 1
        assert spare.steps > pool.asked > 10
    finally:
        await autoplay.stop()
        pool.close()
