"""Limits: a burst, then the rate; separate for each key; bounded memory."""

from __future__ import annotations

import pytest

from branchline.service.access.limits import Bucket, Buckets, Counters, Limiters, address_key
from branchline.service.operations.settings import Limits


class Time:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


def granted(bucket: Bucket, tries: int) -> int:
    return sum(bucket.take() == 0 for _ in range(tries))


def test_a_bucket_gives_its_burst_and_then_its_rate(time: Time) -> None:
    bucket = Bucket(20, 60, time)
    assert granted(bucket, 100) == 60
    time.now += 1
    assert granted(bucket, 100) == 20
    time.now += 1000
    assert granted(bucket, 100) == 60


def test_a_refusal_says_how_long_to_wait_and_takes_nothing(time: Time) -> None:
    bucket = Bucket(2, 1, time)
    assert bucket.take() == 0
    wait = bucket.take()
    assert wait == pytest.approx(0.5)
    assert bucket.take() == pytest.approx(wait)
    time.now += wait
    assert bucket.take() == 0


def test_a_large_cost_takes_more(time: Time) -> None:
    bucket = Bucket(1, 10, time)
    assert bucket.take(8) == 0
    assert bucket.take(4) == pytest.approx(2)


def test_each_key_has_a_bucket_of_its_own(time: Time) -> None:
    buckets = Buckets(1, 2, clock=time)
    assert [buckets.take("a") for _ in range(2)] == [0, 0]
    assert buckets.take("a") > 0
    assert buckets.take("b") == 0


def test_many_addresses_cannot_fill_the_memory(time: Time) -> None:
    buckets = Buckets(0.001, 5, most=100, clock=time)
    for k in range(10_000):
        buckets.take(f"address {k}")
        assert len(buckets) <= 100


def test_whoever_is_slowed_down_stays_so_while_others_come(time: Time) -> None:
    buckets = Buckets(1, 5, most=100, clock=time)
    got = 0
    for k in range(5_000):
        time.now += 0.01
        buckets.take(f"address {k}")
        got += buckets.take("greedy") == 0
    assert got <= 5 + 50


def test_full_buckets_are_forgotten(time: Time) -> None:
    buckets = Buckets(1, 5, clock=time)
    for k in range(1000):
        buckets.take(f"address {k}")
    time.now += 10
    for k in range(1000):
        buckets.take(f"other {k}")
    assert len(buckets) <= 1000


def test_counters_hold_each_and_all() -> None:
    counters = Counters(each=2, total=3)
    assert [counters.enter("a") for _ in range(3)] == [True, True, False]
    assert [counters.enter("b") for _ in range(2)] == [True, False]
    counters.leave("a")
    assert counters.enter("b")
    assert (counters.open, len(counters)) == (3, 2)


def test_counters_forget_who_has_left() -> None:
    counters = Counters(each=2, total=3)
    for k in range(100):
        with counters.hold(str(k)) as entered:
            assert entered
    assert (counters.open, len(counters)) == (0, 0)


def test_who_was_not_let_in_does_not_leave() -> None:
    counters = Counters(each=1, total=1)
    with counters.hold("a"):
        with counters.hold("a") as entered:
            assert not entered
        assert counters.open == 1


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:0:0:9", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("a:b", "a:b"),
    ],
)
def test_an_ipv6_host_counts_once_whatever_address_it_takes(address: str, key: str) -> None:
    assert address_key(address) == key


def test_the_gates_have_the_limits_of_the_settings(time: Time) -> None:
    limiters = Limiters(Limits(tables_per_address=3, messages_burst=4, chat_per_minute=2), time)
    assert [limiters.tables.take("a") == 0 for _ in range(4)] == [True, True, True, False]
    assert granted(limiters.messages(), 10) == 4
    chat = limiters.chat
    assert [chat.take("0") == 0 for _ in range(3)] == [True, True, False]
    time.now += 30
    assert chat.take("0") == 0
    time.now += 20 * 60
    assert limiters.tables.take("a") == 0
