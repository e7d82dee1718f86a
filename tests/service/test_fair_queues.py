"""Bots of one table, or of one address, do not keep others waiting."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from branchline.service.bots.sessions import Background, Question, Turn
from branchline.service.bots.worker_pool import WorkerPool
from branchline.service.workers.fair_queue import FairQueue
from service.server import Client, Server

pytestmark = pytest.mark.anyio


def patient(question: Question) -> int:
    """A bot that notes that it is asked; one that thinks waits for a file."""
    path = Path(question.seed)
    with path.open("a") as file:
        file.write(f"{question.table} {question.seconds}\n")
    if question.spec == "thinks" or question.table == "first":
        while not path.with_suffix(".go").exists():
            time.sleep(0.002)
    return 5


def asked(path: Path) -> list[str]:
    """The tables whose bots were asked, in order."""
    return [line.split()[0] for line in path.read_text().split("\n") if line]


async def nothing() -> Background:
    raise AssertionError("these bots keep nothing")


@contextmanager
def pool() -> Iterator[WorkerPool]:
    found = WorkerPool(1, patient)
    try:
        yield found
    finally:
        found.close()


def question(path: Path, table: str, spec: str = "easy", turn: Turn | None = None) -> Question:
    return Question(table, 0, str(path), 0, 1, [], [3, 5], 8.0, spec=spec, turn=turn or Turn(table))


async def until(path: Path, count: int) -> None:
    async with asyncio.timeout(30):
        while not path.exists() or len(asked(path)) < count:
            await asyncio.sleep(0.01)


def test_a_fair_queue_takes_turns_on_every_level() -> None:
    queue = FairQueue[int]()
    for k, names in enumerate(["aa", "aa", "ab", "ba", "aa", "bb"]):
        queue.put(list(names), k)
    assert [queue.pop() for _ in range(6)] == [0, 3, 2, 5, 1, 4]
    with pytest.raises(IndexError):
        queue.pop()


async def test_addresses_take_turns_and_so_do_their_tables(tmp_path: Path) -> None:
    path = tmp_path / "asked"
    with pool() as bots:
        tables = [("first", "x"), *((f"a{k}", "a") for k in range(5)), ("b", "b"), ("c", "c")]
        tasks = []
        for table, address in tables:
            turn = Turn(address)
            tasks.append(
                asyncio.create_task(bots.decide(question(path, table, turn=turn), nothing))
            )
            await asyncio.sleep(0)
        await until(path, 1)
        path.with_suffix(".go").touch()
        assert await asyncio.gather(*tasks) == [5] * len(tables)
    assert asked(path) == ["first", "a0", "b", "c", "a1", "a2", "a3", "a4"]


async def test_a_quick_bot_does_not_wait_for_one_that_thinks(tmp_path: Path) -> None:
    path = tmp_path / "asked"
    with pool() as bots:
        thinking = [
            asyncio.create_task(bots.decide(question(path, f"t{k}", "thinks"), nothing))
            for k in range(4)
        ]
        await until(path, 1)
        assert await bots.decide(question(path, "quick"), nothing) == 5
        assert not any(task.done() for task in thinking)
        path.with_suffix(".go").touch()
        await asyncio.gather(*thinking)


async def test_bots_that_think_share_the_time(tmp_path: Path) -> None:
    path = tmp_path / "asked"
    with pool() as bots:
        thinking = [
            asyncio.create_task(bots.decide(question(path, f"t{k}", "thinks"), nothing))
            for k in range(4)
        ]
        await until(path, 1)
        path.with_suffix(".go").touch()
        await asyncio.gather(*thinking)
    seconds = [float(line.split()[1]) for line in path.read_text().splitlines()]
    assert sum(seconds[1:]) < 3 * 8.0, "the time of each is shorter while others wait"
    assert seconds[-1] == 8.0, "who is alone has all of it"


async def test_tables_without_people_come_last(tmp_path: Path) -> None:
    path = tmp_path / "asked"
    with pool() as bots:
        alone = [
            asyncio.create_task(
                bots.decide(question(path, f"x{k}", "thinks", Turn(alone=True)), nothing)
            )
            for k in range(20)
        ]
        await until(path, 1)  # of those, one is being asked, and the others wait
        assert await bots.decide(question(path, "person"), nothing) == 5
        assert len(asked(path)) == 2
        assert asked(path)[1] == "person"
        path.with_suffix(".go").touch()
        await asyncio.gather(*alone)


async def test_many_tables_without_people_take_no_more_than_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = most = 0

    async def stand_back() -> None:
        nonlocal standing, most
        standing += 1
        most = max(most, standing)
        await asyncio.sleep(0.01)
        standing -= 1

    with pool() as bots:
        monkeypatch.setattr(bots._spare_time, "come", stand_back)
        turns = [question(tmp_path / "asked", f"x{k}", turn=Turn(alone=True)) for k in range(5)]
        await asyncio.gather(*(bots.decide(turn, nothing) for turn in turns))
    assert most == 1


async def test_a_table_that_its_people_have_left_to_bots_is_played_to_its_end(
    tmp_path: Path,
) -> None:
    with Server(tmp_path) as server:
        async with Client(server.url) as ann:
            table = await ann.create("new_york", 2, bots=["easy"])
            await ann.ask("PUT", f"/api/tables/{table}/seats/0/bot", {"level": "easy"}, 204)
            async with asyncio.timeout(300):
                while (await ann.table(table))["status"] != "over":
                    await asyncio.sleep(0.1)


def nice_of(pid: int) -> int:
    """How far a process stands back."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[16])
    except OSError:
        return 0


def children_of(pid: int) -> list[int]:
    """All processes below one."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, todo = [], [pid]
    while todo:
        below = parents.get(todo.pop(), [])
        found += below
        todo += below
    return found
