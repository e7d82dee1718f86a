"""The lock of a table goes to whoever has waited for longest, and is never lost."""

from __future__ import annotations

import asyncio

import pytest

from branchline.service.broadcast.turn_lock import TurnLock

pytestmark = pytest.mark.anyio


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_those_who_wait_get_it_in_order_before_anyone_who_does_not() -> None:
    lock, had = TurnLock(), []

    async def hold(name: str) -> None:
        async with lock:
            had.append(name)
            await asyncio.sleep(0)

    assert lock.take()
    waiting = [asyncio.create_task(hold(name)) for name in "abc"]
    await settled()
    assert not had
    lock.release()
    assert lock.locked()  # it is the first one's, who has not run yet
    assert not lock.take()
    await asyncio.wait_for(asyncio.gather(*waiting), 5)
    assert had == ["a", "b", "c"]
    assert lock.take()


async def test_who_gives_up_waiting_does_not_get_it() -> None:
    lock = TurnLock()
    assert lock.take()
    first, second = (asyncio.create_task(lock.acquire()) for _ in range(2))
    await settled()
    first.cancel()
    await settled()
    lock.release()
    assert await asyncio.wait_for(second, 5)
    lock.release()
    assert not lock.locked()


async def test_who_gives_up_in_the_moment_of_getting_it_passes_it_on() -> None:
    lock = TurnLock()
    assert lock.take()
    first, second = (asyncio.create_task(lock.acquire()) for _ in range(2))
    await settled()
    lock.release()
    first.cancel()
    assert await asyncio.wait_for(second, 5)
    assert first.cancelled()
    lock.release()
    assert not lock.locked()


async def test_what_fails_with_the_lock_releases_it() -> None:
    lock = TurnLock()
    with pytest.raises(ValueError, match="wrong"):
        async with lock:
            raise ValueError("wrong")
    assert not lock.locked()
    with pytest.raises(RuntimeError):
        lock.release()
