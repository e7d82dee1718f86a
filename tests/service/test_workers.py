"""Bots in their worker processes: whatever a worker does, its table goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from branchline import Game, builtin_boards
from branchline.bots import seat_bot
from branchline.service.bots import worker_pool as pools
from branchline.service.bots.history import shown
from branchline.service.bots.sessions import Background, BotSessions, Question
from branchline.service.bots.worker_pool import WorkerPool
from branchline.service.tables.boards import source_of
from service.server import Client, Server

pytestmark = pytest.mark.anyio

LEGAL = [3, 5, 8]


def question(path: Path, seconds: float = 0.5) -> Question:
    """A question for one of the bots below, which may leave a mark in a file."""
    return Question(str(path), 0, "", 0, 1, [], LEGAL, seconds)


async def nothing() -> Background:
    raise AssertionError("these bots keep nothing")


def honest(question: Question) -> int:
    return 5


def illegal(question: Question) -> int:
    return 4


def faulty(question: Question) -> int:
    raise RuntimeError("a bot's own fault")


def first_time(question: Question) -> bool:
    """Whether the bot is asked for the first time; its process is noted."""
    with Path(question.table).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return len(asked(question)) == 1


def asked(question: Question) -> list[int]:
    """The processes that were asked so far."""
    path = Path(question.table)
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def dies_once(question: Question) -> int:
    if first_time(question):
        os.kill(os.getpid(), signal.SIGKILL)
    return 5


def dies(question: Question) -> int:
    first_time(question)
    os.kill(os.getpid(), signal.SIGKILL)
    return 5


def hangs_once(question: Question) -> int:
    if first_time(question):
        time.sleep(1000)
    return 5


def hangs(question: Question) -> int:
    first_time(question)
    time.sleep(1000)
    return 5


@contextmanager
def pool_of(bot: Callable[[Question], int]) -> Iterator[WorkerPool]:
    pool = WorkerPool(1, bot)
    try:
        yield pool
    finally:
        pool.close()


@pytest.fixture(autouse=True)
def _little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "GRACE", 1.0)


async def test_a_bot_is_asked_in_another_process(tmp_path: Path) -> None:
    with pool_of(dies_once) as pool:
        asking = question(tmp_path / "asked")
        assert await pool.decide(asking, nothing) == 5
        assert os.getpid() not in asked(asking)


@pytest.mark.parametrize("board", builtin_boards())
async def test_a_bot_decides_in_a_worker_as_it_would_anywhere(board: str) -> None:
    game = Game(board, 2)
    state = game.start(f"workers {board}")
    alone = [seat_bot("hard", game, seat, f"seed {seat}") for seat in range(2)]
    last = [0, 0]

    async def load_background() -> Background:
        return Background("hard", source_of(game.board), game.board.digest, 2, [])

    with pool_of(BotSessions().answer) as pool:
        for number in range(1, 13):
            seat = state.to_act[0]
            now = shown(state, seat, number)
            asked = Question(board, seat, f"seed {seat}", last[seat], *now, seconds=5.0)
            action = alone[seat].decide(state.view(seat), 5.0)
            assert await pool.decide(asked, load_background) == action
            state.apply(seat, action)
            last[seat] = number
        assert pool.failures == 0


@pytest.mark.parametrize("bot", [dies_once, hangs_once])
async def test_a_worker_that_dies_or_hangs_is_replaced_and_asked_again(
    bot: Callable[[Question], int], tmp_path: Path
) -> None:
    with pool_of(bot) as pool:
        asking = question(tmp_path / "asked")
        assert await pool.decide(asking, nothing) == 5
        assert pool.failures == 1
        first, second = asked(asking)
        assert first != second
        assert not Path(f"/proc/{first}").exists(), "the one that hung is not left behind"


def end_workers(pid: int) -> list[int]:
    """Kill the workers of a process, and what they were made from."""
    found = []
    for child in children_of(pid):
        with suppress(OSError):
            if "forkserver" in Path(f"/proc/{child}/cmdline").read_text():
                os.kill(child, signal.SIGKILL)
                found.append(child)
    return found


async def test_workers_that_die_between_two_questions_are_replaced(tmp_path: Path) -> None:
    with pool_of(honest) as pool:
        asking = question(tmp_path / "asked")
        for pause in (0.0, 0.5):
            assert await pool.decide(asking, nothing) == 5
            assert end_workers(os.getpid())
            await asyncio.sleep(pause)
            assert await pool.decide(asking, nothing) == 5


@pytest.mark.parametrize("bot", [dies, hangs])
async def test_after_two_failures_the_first_legal_action_is_taken(
    bot: Callable[[Question], int], tmp_path: Path
) -> None:
    with pool_of(bot) as pool:
        asking = question(tmp_path / "asked")
        begun = time.monotonic()
        assert await pool.decide(asking, nothing) == LEGAL[0]
        assert time.monotonic() - begun < 100  # it hangs for 1000
        assert len(set(asked(asking))) == 2


@pytest.mark.parametrize("bot", [illegal, faulty])
async def test_a_bot_that_answers_nonsense_takes_the_first_legal_action(
    bot: Callable[[Question], int], tmp_path: Path
) -> None:
    with pool_of(bot) as pool:
        assert await pool.decide(question(tmp_path / "asked"), nothing) == LEGAL[0]
        assert pool.failures == 1


async def test_a_pool_goes_on_after_any_of_these(tmp_path: Path) -> None:
    with pool_of(hangs_once) as pool:
        path = tmp_path / "asked"
        answers = await asyncio.gather(*(pool.decide(question(path), nothing) for _ in range(4)))
        assert answers == [5, 5, 5, 5]


async def test_nobody_waits_for_a_bot_when_the_server_stops(tmp_path: Path) -> None:
    with pool_of(hangs) as pool:
        asking = question(tmp_path / "asked", 60)
        task = asyncio.create_task(pool.decide(asking, nothing))
        while not asked(asking):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        begun = time.monotonic()
        await asyncio.to_thread(pool.close)
        assert time.monotonic() - begun < 30  # it may think for 60
        assert not Path(f"/proc/{asked(asking)[0]}").exists()


# In a server


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


async def test_a_game_goes_on_though_its_bots_processes_are_killed(tmp_path: Path) -> None:
    with Server(tmp_path, "--bot-seconds", "0.3") as server:
        async with Client(server.url) as ann:
            table = await ann.create("nordic", 2, bots=["hard"])
            killed: set[int] = set()
            async with ann.connected(table) as socket:
                for _ in range(6):
                    await socket.until(lambda: socket.decision is not None)
                    while socket.decision is not None:
                        offers = socket.decision["offers"]
                        done = await socket.act(offers[0]["action"])
                        assert done["type"] == "done"
                    await asyncio.sleep(0.05)
                    killed.update(end_workers(server.pid))
                await socket.until(lambda: socket.decision is not None)
            assert killed
            moves = [e for e in socket.entries if e["kind"] == "moved" and e["seat"] == 1]
            assert {e["by"] for e in moves} == {"bot"}
