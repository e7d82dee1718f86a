"""The generator, the shuffle and the graph, each against a plain second version."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import networkx as nx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from branchline.core.graph import Trails, find, join
from branchline.core.mapfile import builtin_boards
from branchline.core.rng import CARDS, POLICY, RESAMPLE, TICKETS, Rng, seed_words, shuffle, stream
from branchline.core.trail_sweep import TrailSweep
from branchline.engine.game import Game
from branchline.engine.layout import column
from plain_scorer import trail_of

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")

WORDS = st.tuples(*[st.integers(0, 2**32 - 1)] * 4)


def sfc32(a: int, b: int, c: int, d: int) -> Iterator[int]:
    """Small fast counting, 32 bits, as published; the first sixteen words are thrown away."""
    number = 0
    while True:
        word = (a + b + d) % 2**32
        d = (d + 1) % 2**32
        a = b ^ b >> 9
        b = (c + c * 8) % 2**32
        c = (c * 2**21 % 2**32 + (c >> 11) + word) % 2**32
        if number >= 16:
            yield word
        number += 1


def below(words: Iterator[int], n: int) -> int:
    """Lemire's method, with the rejection written out: 2^32 words, of which 2^32 mod n are bad."""
    while True:
        product = next(words) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


@given(WORDS)
def test_the_generator_is_sfc32(seed: tuple[int, int, int, int]) -> None:
    rng, plain = Rng(*seed), sfc32(*seed)
    for _ in range(40):
        assert rng.word() == next(plain)


BOUNDS = st.integers(1, 2**31 - 1) | st.integers(1, 120) | st.sampled_from([3 << 29, 11 << 27])


@given(WORDS, st.lists(BOUNDS, max_size=30))
@example((1, 2, 3, 4), [3 << 29] * 40)
def test_numbers_below_a_bound_are_those_of_exact_rejection(
    seed: tuple[int, int, int, int], bounds: list[int]
) -> None:
    rng, plain = Rng(*seed), sfc32(*seed)
    for n in bounds:
        found = rng.below(n)
        assert found == below(plain, n)
        assert 0 <= found < n


@pytest.mark.parametrize("n", [2, 3, 5, 7, 54, 110])
def test_every_number_below_a_bound_is_as_likely(n: int) -> None:
    rng = stream(seed_words("even"), 0, CARDS, n)
    seen = Counter(rng.below(n) for _ in range(200 * n))
    chi = sum((seen[k] - 200) ** 2 / 200 for k in range(n))
    assert chi < n - 1 + 5 * (2 * (n - 1)) ** 0.5


@given(WORDS, st.lists(st.integers(0, 50), max_size=60), st.integers(0, 5))
def test_a_shuffle_keeps_its_contract(
    seed: tuple[int, int, int, int], items: list[int], start: int
) -> None:
    """From the last place down, each swaps with a place drawn from those up to it."""
    before = [-1] * start
    cards = column([*before, *items, -2])
    shuffle(Rng(*seed), cards, start, len(items))
    plain, words = list(items), sfc32(*seed)
    for k in range(len(plain) - 1, 0, -1):
        j = below(words, k + 1)
        plain[k], plain[j] = plain[j], plain[k]
    assert [int(cards[k]) for k in range(len(items) + start + 1)] == [*before, *plain, -2]


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    words = seed_words("orders")
    for number in range(4800):
        cards = column([0, 1, 2, 3])
        shuffle(stream(words, 0, TICKETS, number), cards, 0, 4)
        seen[tuple(int(cards[k]) for k in range(4))] += 1
    assert set(seen) == set(permutations(range(4)))
    assert sum((n - 200) ** 2 / 200 for n in seen.values()) < 23 + 5 * 46**0.5


def test_streams_for_other_purposes_or_uses_are_other_streams() -> None:
    words = seed_words(7)
    firsts = [
        tuple(int(rng.word()) for _ in range(3))
        for purpose in (CARDS, TICKETS, RESAMPLE, POLICY)
        for number in range(200)
        for rng in [stream(words, 0, purpose, number)]
    ]
    assert len(set(firsts)) == len(firsts)


@pytest.mark.parametrize("seed", [0, 7, -1, 2**80, "spring", "été", ""])
def test_the_words_of_a_seed_are_a_hash_of_its_text(seed: int | str) -> None:
    digest = hashlib.sha256(b"branchline seed " + str(seed).encode()).digest()
    plain = [int.from_bytes(digest[k : k + 4], "big") for k in (0, 4, 8, 12)]
    assert [int(seed_words(seed)[k]) for k in range(4)] == plain


def test_the_numbers_of_old_records_never_change() -> None:
    rng = stream(seed_words(7), 0, CARDS, 0)
    assert [int(rng.below(110)) for _ in range(8)] == [55, 74, 23, 57, 11, 40, 89, 89]
    assert [CARDS, TICKETS, RESAMPLE, POLICY] == [1, 2, 4, 5]


# --- graphs ---------------------------------------------------------------------------------------

EDGES = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 6)).filter(
        lambda edge: edge[0] != edge[1]
    ),
    max_size=13,
)


@given(EDGES, st.data())
@settings(max_examples=200)
def test_the_longest_trail_is_the_one_found_by_trying_all(
    edges: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    owned = data.draw(st.lists(st.sampled_from(range(len(edges))), unique=True)) if edges else []
    a, b, length = ([edge[k] for edge in edges] for k in range(3))
    trails = Trails(9, column(a), column(b), column(length))
    for mine in (owned, list(range(len(edges))), owned[::-1]):
        best = trail_of([edges[k] for k in mine])
        assert trails.longest(column([*mine, 0]), len(mine)) == best


@given(EDGES, st.integers(0, 2))
@settings(max_examples=200)
def test_sweeping_a_network_finds_the_longest_trail(
    edges: list[tuple[int, int, int]], known: int
) -> None:
    graph = nx.MultiGraph()
    for a, b, length in edges:
        graph.add_edge(a, b, length=length)
    for part in nx.connected_components(graph):
        roads = [edge for edge in edges if edge[0] in part]
        best = trail_of(roads)
        sweep = TrailSweep(roads)
        assert sweep.longest(best if known == 2 else known) == best
        assert sweep.exact


@pytest.mark.parametrize("board", builtin_boards())
def test_the_longest_trail_over_a_whole_board_is_exact(board: str) -> None:
    t = Game(board, seats=2).layout
    trails = Trails(t.cities, t.a, t.b, t.length)
    longest = trails.longest(column(list(range(t.routes))), t.routes)
    assert trails.exact
    assert 0 < longest <= sum(t.length)


def test_no_network_keeps_the_search_busy() -> None:
    """Walking through a network like this would take longer than anybody can wait."""
    rng = stream(seed_words("dense"), 0, POLICY, 0)
    routes = [(int(rng.below(100)), int(rng.below(100))) for _ in range(160)]
    a, b = ([ends[k] for ends in routes if ends[0] != ends[1]] for k in (0, 1))
    trails = Trails(100, column(a), column(b), column([1] * len(a)))
    longest = trails.longest(column(list(range(len(a)))), len(a))
    assert not trails.exact
    assert len(a) // 2 < longest < len(a)


@given(EDGES)
def test_joined_cities_are_those_of_one_component(edges: list[tuple[int, int, int]]) -> None:
    parent = column(list(range(9)))
    graph = nx.empty_graph(9)
    for a, b, _ in edges:
        join(parent, a, b)
        graph.add_edge(a, b)
        parts = {city: k for k, part in enumerate(nx.connected_components(graph)) for city in part}
        for one in range(9):
            for other in range(9):
                assert (find(parent, one) == find(parent, other)) == (parts[one] == parts[other])
