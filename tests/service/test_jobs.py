"""Jobs for strangers: whatever they ask for, the server goes on."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from branchline import Game, State
from branchline.core.mapfile import board_from_data, load_board
from branchline.engine.errors import BranchlineError, RecordError
from branchline.service.broadcast.jobs import uploaded_replay
from branchline.service.errors import ServiceError
from branchline.service.rooms.archive import REPLAYING
from branchline.service.workers.jobs import MEGABYTE, Answers, JobPool, JobRefused
from branchline.service.workers.process import Bounds
from service.server import Party, Server
from service.test_fair_queues import children_of, nice_of

pytestmark = pytest.mark.anyio

BOUNDS = Bounds(growth=256 * MEGABYTE, cpu=1, resident=200 * MEGABYTE)


def echo(text: str) -> bytes:
    return text.encode()


def never_ends() -> bytes:
    while True:
        pass


def grows() -> bytes:
    return b"x" * (400 * MEGABYTE)


def answers_too_much() -> bytes:
    return b"x" * (20 * MEGABYTE)


def nests() -> bytes:
    return nests()


def is_killed(times: int, notes: Path) -> bytes:
    """Killed from outside so often, as by an operator or by a system short of memory."""
    with notes.open("a+") as file:
        file.write("x")
        file.seek(0)
        if len(file.read()) <= times:
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    return b"done"


def damaged() -> bytes:
    raise RecordError("not_a_record")


def broken() -> bytes:
    raise ZeroDivisionError


@contextmanager
def pool(seconds: float = 60, places: int = 3, each: int = 2) -> Iterator[JobPool]:
    found = JobPool(BOUNDS, seconds, places=places, each=each)
    try:
        yield found
    finally:
        found.close()


@pytest.mark.parametrize("job", [grows, answers_too_much, nests])
async def test_a_job_that_takes_too_much_is_ended_and_the_next_is_done(
    job: Callable[[], bytes],
) -> None:
    with pool() as jobs:
        with pytest.raises(BranchlineError) as error:
            await jobs.do("a", "en", job)
        assert error.value.code == "too_heavy"
        assert await jobs.do("a", "en", echo, "yes") == b"yes"


@pytest.mark.parametrize("seconds", [0.2, 1000])
async def test_a_job_that_never_ends_is_ended_by_the_clock_or_the_processor(seconds: float) -> None:
    with pool(seconds) as jobs:
        with pytest.raises(ServiceError) as error:
            await jobs.do("a", "en", never_ends)
        assert error.value.code == "too_heavy"
    with pool() as jobs:
        assert await jobs.do("a", "en", echo, "yes") == b"yes"


async def test_a_job_whose_worker_is_killed_from_outside_is_done_once_more(tmp_path: Path) -> None:
    with pool() as jobs:
        assert await jobs.do("a", "en", is_killed, 1, tmp_path / "once") == b"done"
        with pytest.raises(ServiceError, match="too_heavy"):
            await jobs.do("a", "en", is_killed, 9, tmp_path / "always")
        assert (tmp_path / "always").read_text() == "xx"


async def test_what_a_job_refuses_is_told_in_the_readers_language() -> None:
    with pool() as jobs:
        for lang, word in (("en", "record"), ("fr", "enregistrement")):
            with pytest.raises(JobRefused) as error:
                await jobs.do("a", lang, damaged)
            assert error.value.code == "not_a_record"
            assert word in error.value.text.lower()


async def test_a_fault_of_ours_is_not_the_strangers() -> None:
    with pool() as jobs:
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            await jobs.do("a", "en", broken)
        assert await jobs.do("a", "en", echo, "yes") == b"yes"


async def test_places_are_few_and_an_address_has_a_part_of_them() -> None:
    with pool() as jobs:
        async with jobs.place("a"), jobs.place("a"):
            with pytest.raises(ServiceError, match="too_many_requests"):
                async with jobs.place("a"):
                    pass
            async with jobs.place("b"):
                with pytest.raises(ServiceError, match="too_busy"):
                    async with jobs.place("c"):
                        pass
        async with jobs.place("c"), jobs.place("a"):
            pass


async def test_an_answer_is_made_once_and_the_oldest_go() -> None:
    answers, made = Answers(30), []

    async def make() -> bytes:
        made.append(1)
        await asyncio.sleep(0)
        return b"x" * 10

    async def fail() -> bytes:
        raise ServiceError("too_busy")

    assert await asyncio.gather(*(answers.get("a", make) for _ in range(3))) == [b"x" * 10] * 3
    assert len(made) == 1
    for key in "bcd":
        await answers.get(key, make)
    await answers.get("d", make)
    assert len(made) == 4
    await answers.get("a", make)
    assert len(made) == 5
    for _ in range(2):
        with pytest.raises(ServiceError):
            await answers.get("e", fail)


# In a server


async def finished(party: Party, seats: int = 2) -> str:
    ann = await party.client()
    table = await ann.create("new_york", seats, bots=["easy"] * (seats - 1))
    await (await party.socket(ann, table)).play(random.Random(1))
    return table


async def test_records_and_replays_are_made_in_a_process_that_stands_back(
    party: Party, server: Server
) -> None:
    ann = await party.client()
    table = await finished(party)
    record = (await ann.http.get(f"/api/tables/{table}/record")).content
    shown = (await ann.http.get(f"/api/tables/{table}/replay")).json()
    assert (await ann.http.post("/api/replays", content=record)).json()["steps"] == shown["steps"]
    usual = nice_of(server.pid)
    assert min(19, usual + REPLAYING.nice) in {nice_of(pid) for pid in children_of(server.pid)}


def vast_game() -> State:
    """A game on a board of a stranger's. The first seat claims the part in which every city has
    three routes of one space, the second the line of cities next to it.
    """
    usa, rng = load_board("usa"), random.Random(1)
    pairs: set[tuple[str, ...]] = set()
    while len(pairs) < 120:
        ends = [f"a{k}" for k in range(80) for _ in range(3)]
        rng.shuffle(ends)
        pairs = {tuple(sorted(ends[k : k + 2])) for k in range(0, 240, 2)}
        pairs = {pair for pair in pairs if pair[0] != pair[1]}
    pairs |= {("a0", "b0"), *((f"b{k}", f"b{k + 1}") for k in range(119))}
    names = sorted({city for pair in pairs for city in pair})
    data = {
        **usa.source,
        "id": "vast",
        "name": {"en": "Vast"},
        "trains": 118,
        "cities": {n: {"name": n, "lat": k % 14, "lon": k // 14} for k, n in enumerate(names)},
        "routes": [{"between": [*pair], "length": 1, "colour": "gray"} for pair in sorted(pairs)],
        "tickets": [{"between": ["a0", f"b{k}"], "points": 5} for k in range(10, 40)],
        "provenance": [],
    }
    state = Game(board_from_data(data, "vast"), 2).start(seed=1)
    while not state.over:
        seat = state.to_act[0]
        legal = state.legal(seat)
        own = [a for a in legal if state.game.action_text(a).startswith(f"claim {'ab'[seat]}")]
        draws = [a for a in legal if not state.game.action_text(a).startswith("claim")]
        state.apply(seat, rng.choice(own or draws or legal))
    return state


async def test_a_strangers_vast_network_is_scored_in_bounded_time_and_says_so() -> None:
    data = vast_game().record().to_json().encode()
    jobs = JobPool(Bounds(growth=REPLAYING.growth, cpu=60), 1000)
    try:
        answer = json.loads(await jobs.do("a", "en", uploaded_replay, data, None, "en", ""))
    finally:
        jobs.close()
    lines = [line for seat in answer["result"]["lines"] for line in seat]
    (longest, *_) = [line for line in lines if line["what"] == "longest_path"]
    assert longest["values"]["unproven"] == 1
    assert "too large to prove" in longest["text"]
