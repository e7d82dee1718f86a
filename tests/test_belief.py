"""What tickets rivals seem to hold: better than even chances, and from the view alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import log

import pytest

from branchline import Game, State, builtin_boards
from branchline.bots.belief import Belief, chances
from branchline.bots.registry import make_bot
from branchline.engine.layout import HELD
from branchline.engine.worlds import Worlds
from golden_games import cut, game_of, play
from test_properties import conserved
from test_views import stir

SAMPLES = 60  # worlds of each position


def positions(game: Game, seeds: range) -> Iterator[State]:
    """Three positions of each of some games of planners: early, in the middle, late."""
    for seed in seeds:
        state = game.start(f"truth {seed}")
        bots = [make_bot("planner-1") for _ in range(game.seats)]
        for seat, bot in enumerate(bots):
            bot.start(game, seat, seed)
        found = []
        while not state.over:
            seat = state.to_act[0]
            if state.phase == "turn":
                found.append(state.clone())
            state.apply(seat, bots[seat].decide(state.view(seat), 1.0))
        yield from (found[len(found) * part // 10] for part in (4, 6, 8))


def loss(worlds: Worlds, truth: State, seat: int) -> tuple[float, int]:
    """The log loss of who holds what, and how many rivals and unknown tickets there are."""
    t, found = truth.t, chances(worlds, SAMPLES)
    total, count = 0.0, 0
    for ticket in range(t.tickets):
        holder = truth.d[t.ticket_at + ticket] - HELD
        for rival in range(t.seats):
            if rival != seat and not worlds.knows(ticket):
                p = (found[rival * t.tickets + ticket] * SAMPLES + 0.5) / (SAMPLES + 1)
                total -= log(p if holder == rival else 1 - p)
                count += 1
    return total, count


@pytest.mark.parametrize("board", builtin_boards())
def test_belief_is_nearer_to_the_truth_than_even_chances(board: str) -> None:
    game = game_of(board, 2)
    even = believed = 0.0
    count = 0
    for state in positions(game, range(8)):
        seat = state.to_act[0]
        view = state.view(seat)
        even += loss(Worlds(view), state, seat)[0]
        lost, n = loss(Belief(game, seat).worlds(view), state, seat)
        believed, count = believed + lost, count + n
    # Drafts tell much already, so that less is left to guess.
    share = 0.95 if Belief(game, 0).sightings else 0.8
    assert believed < share * even, (even / count, believed / count)


@pytest.mark.parametrize(("board", "seats"), [("usa", 2), ("iberia", 4), ("europe", 3)])
def test_believed_worlds_fit_the_view_at_any_strength(board: str, seats: int) -> None:
    game, rng = game_of(board, seats), random.Random(board)
    state = game.start(3)
    beliefs = [Belief(game, seat) for seat in range(seats)]
    for move, _ in enumerate(play(state, "rare", rng)):
        if move % 6 == 0 and not state.over:
            seat = state.to_act[0]
            for strength in (0.0, 1.0, 4.0):
                world = beliefs[seat].worlds(state.view(seat), strength).draw(move)
                assert world.view(seat) == state.view(seat)
                conserved(world)


def racing(spec: str, seeds: range) -> list[list[float]]:
    """How likely a bot seems to race: before its first claim, and after each in turn."""
    found = []
    game = game_of("new_york", 2)
    for seed in seeds:
        state = game.start(f"race {seed}")
        bots = [make_bot(spec), make_bot("planner-1")]
        for seat, bot in enumerate(bots):
            bot.start(game, seat, seed)
        belief = Belief(game, 1)
        claims: list[float] = []
        while not state.over:
            seat = state.to_act[0]
            state.apply(seat, bots[seat].decide(state.view(seat), 1.0))
            laid = list(state.d[state.t.owner : state.t.owner + state.t.routes]).count(1)
            if laid >= len(claims):
                claims.append(belief.racing(state.view(1), 0.3)[0])
        found.append(claims)
    return found


def test_a_rival_that_saves_for_long_routes_seems_to_race_and_others_do_not() -> None:
    for claims in racing("long", range(8)):
        assert claims[0] == pytest.approx(0.3)
        assert claims[2] > 0.6
    for spec in ("greedy", "paths"):  # paths keeps two tickets: that is enough
        assert all(claims[2] < 0.1 for claims in racing(spec, range(8)))
    slow = [claims[-1] for claims in racing("planner-1", range(20))]
    assert sum(slow) / len(slow) < 0.5


def test_where_nobody_races_usually_nobody_seems_to() -> None:
    state = cut("usa", 3, 5, 80)
    assert Belief(state.game, 0).racing(state.view(0), 0.0) == [0.0, 0.0, 0.0]


def test_belief_sees_a_view_and_nothing_else() -> None:
    for board in ("usa", "iberia"):
        state = cut(board, 3, 5, 80)
        belief, rng = Belief(state.game, 0), random.Random(1)
        before = belief.worlds(state.view(0)).draw(7)
        belief.read(cut(board, 3, 6, 90).view(0))  # it keeps nothing of another position
        twin = state.clone()
        stir(twin, 0, rng)
        assert belief.worlds(twin.view(0)).draw(7) == before


def test_a_way_that_is_laid_speaks_for_its_ticket() -> None:
    game = game_of("usa", 2)
    state = game.start(1)
    for seat in (0, 1):
        state.apply(seat, state.legal(seat)[-1])
    t = state.t
    belief = Belief(game, 0)
    belief.read(state.view(0))
    assert max(belief.laid) == 0.0
    even = belief.weights()
    ticket = next(k for k in range(t.tickets) if state.view(0)["tickets"][k] == 0)
    a, b = int(t.ticket_a[ticket]), int(t.ticket_b[ticket])
    for route in way(game, a, b):
        state.d[t.owner + route] = 2
    belief.read(state.view(0))
    at = t.tickets + ticket
    assert belief.laid[at] == 1.0
    assert belief.network[at] > 0.9
    weights = belief.weights()
    assert weights[at] > 4 * even[at]
    assert weights[ticket] == 1.0, "the seat's own tickets are not weighed"
    assert belief.weights(0.0) == [1.0] * (2 * t.tickets)


def way(game: Game, a: int, b: int) -> list[int]:
    """A way between two cities, with as few routes as possible."""
    came: dict[int, tuple[int, int] | None] = {a: None}
    queue = [a]
    for city in queue:
        for route in game.board.routes:
            if city in (route.a, route.b):
                other = int(route.a + route.b) - city
                if other not in came:
                    came[other] = (city, int(route.index))
                    queue.append(other)
    found = []
    while (step := came[b]) is not None:
        b, route_number = step
        found.append(route_number)
    return found
