"""The event loop's time for what can wait: tables of bots alone, and what is made on request.

While people play, each of the two gets a small part of it: after a step the next has to wait, by
what it took. While nobody does, they need not wait.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any, Final, Generic, TypeVar

PART: Final = 0.02
"""Of the event loop's time; the threads that write and that talk to workers take as much again."""
LATELY: Final = 2.0  # seconds after the move of a person in which others are expected
LONGEST: Final = 1.0  # seconds that a step waits, whatever the last one took

T = TypeVar("T")


class SpareTime:
    """How long the next step has to wait, if all of them get a part of the event loop's time.

    `people` is one that is told when people move, if this one isn't.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        part: float = PART,
        people: SpareTime | None = None,
    ) -> None:
        self._clock: Final = clock
        self._part: Final = part
        self._people: Final = people or self
        self._person: float = -math.inf  # when a person has moved last
        self._next: float = -math.inf  # when the next step may be made while people play

    def also(self, part: float) -> SpareTime:
        """Another part of the event loop's time, for something else while the same people play."""
        return SpareTime(self._clock, part, self._people)

    def person_moved(self) -> None:
        self._person = self._clock()

    def spend(self, seconds: float) -> None:
        """A step has taken so long, or will."""
        now = self._clock()
        self._next = min(max(self._next, now) + seconds / self._part, now + LONGEST)

    @property
    def wait(self) -> float:
        """The seconds until the next step may be made; 0: it may be made now."""
        now = self._clock()
        return max(0.0, self._next - now) if now - self._people._person < LATELY else 0.0

    async def come(self) -> None:
        """Wait until the next step may be made."""
        while (seconds := self.wait) > 0:
            await asyncio.sleep(seconds)

    async def measure(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do the work of a step, and count how long it keeps the event loop."""
        return await _Measured(work(), self)


class _Measured(Generic[T]):
    """Work of which each part, from one wait to the next, is measured."""

    def __init__(self, work: Coroutine[Any, Any, T], spare_time: SpareTime) -> None:
        self._work: Final = work
        self._spare_time: Final = spare_time

    def __await__(self) -> Generator[Any, None, T]:
        clock, spend = self._spare_time._clock, self._spare_time.spend
        go_on = partial(self._work.send, None)
        while True:
            began = clock()
            try:
                future = go_on()
            except StopIteration as end:
                found: T = end.value
                return found
            finally:
                spend(clock() - began)
            try:
                yield future
                go_on = partial(self._work.send, None)
            except BaseException as error:  # the work is cancelled, for one
                go_on = partial(self._work.throw, error)
