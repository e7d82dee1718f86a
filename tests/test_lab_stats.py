"""Intervals, ratings and sequential tests, against cases whose answers are known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import log

import pytest

from branchline.lab.arena.contest import Contest, block_share, run, seatings
from branchline.lab.arena.ratings import ELO, fit, fit_counts, rankings_of, ratings
from branchline.lab.arena.sprt import HIGHER, LOWER, OPEN, Sprt, likelihood_ratio, share_of
from branchline.lab.arena.standings import analyse
from branchline.lab.requests import contest
from branchline.lab.stats import Bootstrap, certain

np = pytest.importorskip("numpy")


def match(*bots: str, board: str = "new_york", seats: int = 2, blocks: int = 20) -> Contest:
    return contest(bots, board, [], seats, blocks, "t", 1.0)


# Intervals


def test_an_interval_holds_its_value_and_shrinks_with_more_blocks() -> None:
    rng = random.Random(1)
    lengths = []
    for blocks in (20, 200, 5000):
        values = [rng.choice((0.0, 0.5, 1.0)) for _ in range(blocks)]
        estimate = Bootstrap(blocks).share(values)
        assert estimate.low <= estimate.value <= estimate.high
        assert estimate.value == pytest.approx(sum(values) / blocks)
        lengths.append(estimate.high - estimate.low)
    assert lengths[0] > 2 * lengths[1] > 4 * lengths[2]


def test_an_interval_is_that_of_the_normal_law_for_many_blocks() -> None:
    rng = random.Random(2)
    values = [rng.gauss(10, 3) for _ in range(1000)]
    estimate = Bootstrap(1000).mean(values)
    half = 1.96 * float(np.std(values)) / 1000**0.5
    assert estimate.low == pytest.approx(estimate.value - half, abs=0.03)
    assert estimate.high == pytest.approx(estimate.value + half, abs=0.03)


@pytest.mark.parametrize("true", [0.5, 0.8])
def test_nineteen_of_twenty_intervals_hold_the_true_share(true: float) -> None:
    rng = random.Random(3)
    draws = Bootstrap(60, 500)
    held = 0
    for _ in range(200):
        values = [(rng.random() < true) / 2 + (rng.random() < true) / 2 for _ in range(60)]
        estimate = draws.share(values)
        held += estimate.low <= true <= estimate.high
    assert held >= 180


def test_equal_blocks_are_not_taken_for_certainty() -> None:
    won = Bootstrap(50).share([1.0] * 50)
    assert (won.value, won.high) == (1.0, 1.0)
    assert won.low == pytest.approx(0.025 ** (1 / 50))
    assert certain(0.0, 50).high == pytest.approx(1 - won.low)
    assert not Bootstrap(1).share([1.0]).known


def test_rates_are_of_the_cases_that_occurred() -> None:
    wholes = [[1, 0], [0, 0], [3, 0]] * 20
    parts = [[1, 0], [0, 0], [1, 0]] * 20
    rate, never = Bootstrap(60).shares(parts, wholes)
    assert rate.value == pytest.approx(0.5)
    assert rate.low < 0.5 < rate.high
    assert never.value == 0
    assert not never.known


# Ratings


def test_two_bots_are_apart_by_the_logarithm_of_their_odds() -> None:
    games = [(0, 1)] * 300 + [(1, 0)] * 100
    one, two = fit(2, games * 2)
    assert one - two == pytest.approx(ELO * log(300.5 / 100.5), abs=1e-4)
    assert one + two == pytest.approx(0)


def test_bradley_terry_finds_the_known_answer_for_three() -> None:
    # Odds 2 between neighbours, so 4 between the ends: the model fits exactly.
    games = [(0, 1)] * 2000 + [(1, 0)] * 1000 + [(1, 2)] * 2000 + [(2, 1)] * 1000
    games += [(0, 2)] * 2400 + [(2, 0)] * 600
    found = fit(3, games * 2)
    assert found == pytest.approx([ELO * log(2), 0, -ELO * log(2)], abs=0.2)


def test_plackett_luce_finds_the_known_answer_for_three() -> None:
    # All orders as often as strengths 3, 2, 1 make them: p = a/6 · b/(6 - a).
    strength = (3, 2, 1)
    rankings = []
    for order in permutations(range(3)):
        a, b, _ = (strength[k] for k in order)
        rankings += [order] * round(60000 * a / 6 * b / (6 - a))
    one, two, three = fit(3, rankings)
    assert one - two == pytest.approx(ELO * log(3 / 2), abs=0.1)
    assert two - three == pytest.approx(ELO * log(2), abs=0.1)


def climbed(players: int, rankings: Sequence[tuple[int, ...]]) -> list[float]:
    """The same maximum by another way: the MM iteration of Hunter (2004)."""
    every = Counter([*rankings, *permutations(range(players), 2)])
    won = [sum(n for order, n in every.items() if k in order[:-1]) for k in range(players)]
    strength = [1.0] * players
    for _ in range(2000):
        share = [0.0] * players
        for order, n in every.items():
            for k in range(len(order) - 1):
                part = n / sum(strength[player] for player in order[k:])
                for player in order[k:]:
                    share[player] += part
        strength = [w / s for w, s in zip(won, share, strict=True)]
    mean = sum(map(log, strength)) / players
    return [ELO * (log(s) - mean) for s in strength]


PAIRS = [
    *[(0, 1)] * 9, *[(1, 0)] * 4, *[(1, 2)] * 7, *[(2, 1)] * 5, *[(0, 2)] * 11, *[(2, 0)] * 1,
    *[(3, 0)] * 2, *[(0, 3)] * 8, *[(1, 3)] * 6,
]  # fmt: skip
RANKINGS = [
    *[(0, 1, 2, 3)] * 12, *[(1, 0, 3, 2)] * 7, *[(2, 0, 1, 3)] * 5, *[(3, 1, 0, 2)] * 2,
    *[(0, 2, 3, 1)] * 4,
]  # fmt: skip
NEVER_FIRST = [(0, 1, 2)] * 50 + [(1, 0, 2)] * 30


@pytest.mark.parametrize(
    ("rankings", "known"),  # known: what choix 0.4.1 finds in the same rankings
    [
        (PAIRS, [157.140388, 40.075353, -69.930662, -127.285078]),
        (RANKINGS, [193.695359, 51.193643, -75.080753, -169.808249]),
        (NEVER_FIRST, [283.137484, 198.827726, -481.965210]),
    ],
)
def test_the_ratings_are_those_that_others_find(
    rankings: list[tuple[int, ...]], known: list[float]
) -> None:
    found = fit(len(known), rankings)
    assert found == pytest.approx(known, abs=1e-4)
    assert found == pytest.approx(climbed(len(known), rankings), abs=1e-4)


def test_a_ranking_of_some_of_the_players_counts_only_between_them() -> None:
    rng = random.Random(4)
    orders = [*permutations(range(4), 3)]
    rankings = rng.choices(orders, weights=range(1, len(orders) + 1), k=500)
    known = [-75.676803, -33.239874, 18.978896, 89.937781]  # choix 0.4.1
    assert fit(4, rankings) == pytest.approx(known, abs=1e-4)
    assert fit(4, rankings) == pytest.approx(climbed(4, rankings), abs=1e-4)


def test_the_fit_arrives_from_everywhere() -> None:
    # As lopsided as a long contest can be, from starts that are far off on either side.
    rankings = [(0, 1), (1, 2), (0, 2)]
    counts = np.array([[1_000_000, 1_000_000, 1_000_000], [1, 0, 0]])
    goals = [list(found) for found in fit_counts([0.0] * 3, rankings, counts)]
    for start in ([3000.0, 0.0, -3000.0], [-3000.0, 0.0, 3000.0], [0.0, 5000.0, 0.0]):
        found = [list(one) for one in fit_counts(start, rankings, counts)]
        for one, goal in zip(found, goals, strict=True):
            assert one == pytest.approx(goal, abs=1e-4)


def test_level_seats_are_ranked_both_ways() -> None:
    assert rankings_of([0, 1], [(1, 5), (1, 5)]) == [(0, 1), (1, 0)]
    assert fit(2, rankings_of([0, 1], [(1, 5), (1, 5)])) == pytest.approx([0, 0])


def test_a_bot_that_never_won_has_a_rating_without_an_interval() -> None:
    blocks = [[(0, 1), (0, 1), (0, 1), (0, 1)]] * 20
    best, worst = ratings(2, blocks, Bootstrap(20))
    assert best.value > 300 > -300 > worst.value
    assert not best.known
    assert not worst.known


# Sequential tests


def shares(true: float, seed: int) -> list[float]:
    rng = random.Random(seed)
    return [((rng.random() < true) + (rng.random() < true)) / 2 for _ in range(3000)]


@pytest.mark.parametrize(("true", "accepted"), [(0.5, LOWER), (0.4, LOWER), (0.65, HIGHER)])
def test_a_sequential_test_accepts_what_is_true(true: float, accepted: str) -> None:
    ends = []
    for seed in range(12):
        test = Sprt(0.5, share_of(60))
        for share in shares(true, seed):
            if test.add(share) != OPEN:
                break
        ends.append(test.accepted)
    assert ends.count(accepted) >= 10


def test_a_sequential_test_stops_for_good() -> None:
    test = Sprt(0.5, 0.6)
    while test.add(1.0) == OPEN:
        pass
    blocks = test.blocks
    assert blocks < 40
    assert test.add(0.0) == HIGHER
    assert test.blocks == blocks
    verdict = test.verdict("a", "b")
    assert (verdict.accepted, verdict.share, verdict.blocks) == (HIGHER, 1.0, blocks)


def test_the_likelihood_ratio_is_near_that_of_the_normal_law() -> None:
    test = Sprt(0.5, 0.52)
    values = shares(0.51, 7)
    for share in values:
        test.seen[share] += 1
    n, mean, variance = len(values), float(np.mean(values)), float(np.var(values))
    normal = n * (0.52 - 0.5) * (2 * mean - 0.5 - 0.52) / (2 * variance)
    assert likelihood_ratio(test.seen, 0.5, 0.52) == pytest.approx(normal, abs=0.1)


# Contests


@pytest.mark.parametrize(("bots", "seats", "games"), [(2, 2, 2), (3, 3, 3), (4, 2, 12), (5, 3, 30)])
def test_every_group_sits_in_every_rotation(bots: int, seats: int, games: int) -> None:
    found = seatings(bots, seats)
    assert len(found) == len(set(found)) == games
    for seat in range(seats):
        at = [seating[seat] for seating in found]
        assert {at.count(bot) for bot in range(bots)} == {games // bots}


def test_the_games_of_a_block_share_their_deal() -> None:
    block = match("paths", "greedy", "hungry", seats=3).begin()(0)
    assert {game.result.seed for game in block} == {"t/0"}
    assert len({game.result.first for game in block}) == 1
    orders = {(game.seating.index(0) - game.result.first) % 3 for game in block}
    assert orders == {0, 1, 2}


def test_random_against_random_is_even() -> None:
    result = analyse(whole := match("random", "random", blocks=300), run(whole, "en", 1))
    for standing in result.standings:
        assert standing.wins.low < 0.5 < standing.wins.high
        assert standing.rating.low < 0 < standing.rating.high
        assert 0.03 < standing.wins.high - standing.wins.low < 0.15


def test_a_better_bot_is_seen_to_be_better() -> None:
    result = analyse(whole := match("greedy", "paths"), run(whole, "en", 1))
    assert [standing.bot for standing in result.standings] == ["paths", "greedy"]
    assert result.standings[0].wins.low > 0.5
    assert result.standings[0].margin.low > 0
    assert result.model == "bradley_terry"


def test_more_seats_are_rated_by_whole_rankings() -> None:
    whole = match("paths", "greedy", "random", seats=3, blocks=8)
    result = analyse(whole, run(whole, "en", 1))
    assert result.model == "plackett_luce"
    assert result.games == 24
    assert sum(s.wins.value for s in result.standings) == pytest.approx(1)
    assert sum(share.value for share in result.order) == pytest.approx(1)
    assert sum(s.rating.value for s in result.standings) == pytest.approx(0, abs=1e-6)


def test_a_contest_is_the_same_on_any_number_of_processes_and_stops_at_the_same_block() -> None:
    whole = match("paths", "hungry", blocks=120)
    ends = []
    for processes in (1, 2):
        test = Sprt(0.5, 0.7)
        blocks = run(whole, "en", processes, None, (test, 0, 1))
        ends.append((blocks, test.accepted, test.blocks, test.ratio))
    assert ends[0] == ends[1]
    assert ends[0][2] == len(ends[0][0])
    again = Sprt(0.5, 0.7)
    for block in ends[0][0]:
        again.add(block_share(block, 0, 1))
    assert again.ratio == ends[0][3]
