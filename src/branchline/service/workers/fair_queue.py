"""A queue in which everyone gets a turn, however much others have put in."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Takes turns among the first names of what is queued, within these among the second, …

    >>> queue = FairQueue[str]()
    >>> for who, what in ("ann", "a"), ("ann", "b"), ("ann", "c"), ("ben", "d"):
    ...     queue.put([who], what)
    >>> [queue.pop() for _ in range(len(queue))]
    ['a', 'd', 'b', 'c']
    """

    def __init__(self) -> None:
        self._own: deque[T] = deque()
        self._parts: OrderedDict[str, FairQueue[T]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, names: Sequence[str], item: T) -> None:
        """Queue an item for whoever is named: an address, say, and one of its tables."""
        self._count += 1
        if not names:
            self._own.append(item)
            return
        part = self._parts.get(names[0])
        if part is None:
            part = self._parts[names[0]] = FairQueue()
        part.put(names[1:], item)

    def pop(self) -> T:
        """The next item; raises `IndexError` if there is none."""
        if not self._count:
            raise IndexError
        self._count -= 1
        if self._own:
            return self._own.popleft()
        name, part = self._parts.popitem(last=False)
        item = part.pop()
        if len(part):
            self._parts[name] = part
        return item
