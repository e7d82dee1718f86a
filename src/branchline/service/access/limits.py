"""Limits on rates and counts, for each address and each connection, in bounded memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from typing import Final

from branchline.service.operations.settings import Limits

Clock = Callable[[], float]
MOST_KEYS: Final = 65_536
HOUR: Final = 3600
BURST: Final = 3  # seconds' worth of an address's messages that may come at once
ENTRIES: Final = 200  # of a log, which cost the server about as much as a request


def address_key(address: str) -> str:
    """What an address counts as: itself, or the /64 of an IPv6 address, which one host can fill.

    >>> address_key("2001:db8:1:2:3:4:5:6"), address_key("::ffff:192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    if ":" not in address:
        return address
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


class Bucket:
    """A token bucket: `burst` at once, `rate` a second in the long run."""

    __slots__ = ("_burst", "_clock", "_rate", "_time", "_tokens")

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = burst
        self._time = clock()

    def take(self, cost: float = 1.0) -> float:
        """Take `cost` tokens: 0 if they were there, else the seconds to wait, and none are taken.

        >>> bucket = Bucket(rate=2, burst=1, clock=lambda: 0.0)
        >>> bucket.take(), bucket.take()
        (0.0, 0.5)
        """
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._time) * self._rate)
        self._time = now
        if self._tokens >= cost:
            self._tokens -= cost
            return 0.0
        return (cost - self._tokens) / self._rate

    @property
    def full(self) -> bool:
        """Whether nothing is missing, so that a new bucket would be the same."""
        return self._tokens + (self._clock() - self._time) * self._rate >= self._burst


class Buckets:
    """A bucket for each key, at most `most` of them.

    A bucket that is full again is forgotten, since a new one is the same. If there are still too
    many, the least recently used one goes: whoever commands that many addresses is not stopped by
    limits of this kind.
    """

    def __init__(
        self, rate: float, burst: float, most: int = MOST_KEYS, clock: Clock = time.monotonic
    ) -> None:
        self._rate: Final = rate
        self._burst: Final = burst
        self._most: Final = most
        self._clock: Final = clock
        self._buckets: Final[dict[str, Bucket]] = {}  # in the order of their last use

    def take(self, key: str, cost: float = 1.0) -> float:
        """Take from the bucket of `key`, as `Bucket.take`."""
        bucket = self._buckets.pop(key, None)
        if bucket is None:
            bucket = Bucket(self._rate, self._burst, self._clock)
            self._forget()
        self._buckets[key] = bucket
        return bucket.take(cost)

    def _forget(self) -> None:
        # Two looks for each new key empty the table faster than it can fill.
        for _ in range(2):
            oldest = next(iter(self._buckets), None)
            if oldest is None:
                return
            if self._buckets[oldest].full or len(self._buckets) >= self._most:
                del self._buckets[oldest]

    def __len__(self) -> int:
        return len(self._buckets)


class Counters:
    """How many things are open at the same time: for each key, and in all."""

    def __init__(self, each: int, total: int) -> None:
        self._each: Final = each
        self._total: int = total
        self._counts: Final[dict[str, int]] = {}
        self.open = 0

    def fit(self, total: int) -> None:
        """Allow so many in all, if that is fewer than before."""
        self._total = min(self._total, total)

    def enter(self, key: str) -> bool:
        """Count one more for `key`; False, and nothing is counted, if that is one too many."""
        count = self._counts.get(key, 0)
        if count >= self._each or self.open >= self._total:
            return False
        self._counts[key] = count + 1
        self.open += 1
        return True

    def leave(self, key: str) -> None:
        """Count one less for a key that has entered."""
        left = self._counts[key] - 1
        if left:
            self._counts[key] = left
        else:
            del self._counts[key]
        self.open -= 1

    @contextmanager
    def hold(self, key: str) -> Iterator[bool]:
        """Enter for as long as the block lasts; yields whether that was possible."""
        entered = self.enter(key)
        try:
            yield entered
        finally:
            if entered:
                self.leave(key)

    def __len__(self) -> int:
        return len(self._counts)


class Limiters:
    """The limiters of one server, built from its settings. Keys are those of `address_key`."""

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self.limits: Final = limits
        self._clock: Final = clock
        self.requests: Final = Buckets(
            limits.requests_per_second, limits.requests_burst, clock=clock
        )
        per_hour = limits.tables_per_address
        self.tables: Final = Buckets(per_hour / HOUR, per_hour, clock=clock)
        self.names: Final = Buckets(per_hour / HOUR, per_hour, clock=clock)
        """For names that visitors want to be known by; each is a row that stays."""
        talk = limits.messages_per_address
        self.talk: Final = Buckets(talk, BURST * talk, clock=clock)
        """For the messages of all sockets of an address."""
        made = limits.replays_per_minute
        self.replays: Final = Buckets(made / 60, made, clock=clock)
        self.sockets: Final = Counters(limits.sockets_per_address, limits.sockets)
        each = max(limits.connections_per_address, limits.sockets_per_address)
        self.connections: Final = Counters(each, limits.sockets)
        """Of any kind; `fit` makes them fewer where the system can't have so many."""
        said = limits.chat_per_minute
        self.chat: Final = Buckets(said / 60, said, clock=clock)
        """For what is said; the keys are a table and a seat."""

    def weigh(self, address: str, entries: int) -> float:
        """Take what it costs to read so many entries of a log, counted in requests."""
        cost = min(entries / ENTRIES, self.limits.requests_burst)
        return self.requests.take(address, cost)

    def messages(self) -> Bucket:
        """For the messages of one socket."""
        limits = self.limits
        return Bucket(limits.messages_per_second, limits.messages_burst, self._clock)
