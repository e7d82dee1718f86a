"""The follower plays worlds for the expert: legal, quick, blind for what its seat can't know."""

from __future__ import annotations

import pytest

from branchline import Game, builtin_boards, load_board
from branchline._plain import compiled
from branchline.bots.follower import Follower, PlanNotes
from branchline.bots.observation import Observation
from branchline.bots.plan import Plan
from branchline.bots.planner import Planner
from branchline.bots.quick_plan import EXACT, QuickPlan
from branchline.bots.rollout import Rollout
from branchline.bots.scripted import LongRoutes
from branchline.bots.self_play import play_samples
from branchline.bots.style import VERSION_1, Style
from branchline.bots.value import FEATURES, PositionValue
from branchline.engine.state import State

STYLE = Style({})
# As plain Python the other boards take long; the compiled run does all of them.
BOARDS = builtin_boards() if compiled() else ["new_york"]


def tables() -> list[tuple[str, int]]:
    boards = [load_board(name) for name in BOARDS]
    return [(b.id, n) for b in boards for n in range(b.seats_min, b.seats_max + 1)]


def played(board: str, seats: int, turns: int, seed: str = "follower") -> tuple[State, Rollout]:
    """A world after some turns of followers."""
    game = Game(board, seats)
    state = game.start(seed)
    rollout = Rollout(game, STYLE)
    rollout.forget()
    rollout.play(state, turns)
    return state, rollout


@pytest.mark.parametrize(("board", "seats"), tables())
def test_followers_play_legal_games_to_the_end(board: str, seats: int) -> None:
    game = Game(board, seats)
    state = game.start("legal")
    followers = [Follower(game, seat, STYLE) for seat in range(seats)]
    for follower in followers:
        follower.forget()
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, followers[seat].choose(state))  # raises if it is not legal
    assert max(state.outcome.scores) > 0


@pytest.mark.parametrize("board", BOARDS)
def test_a_follower_decides_by_what_its_seat_knows(board: str) -> None:
    game = Game(board, 2)
    state = game.start("blind")
    others = [Follower(game, seat, STYLE) for seat in range(2)]
    followers = [Follower(game, seat, STYLE) for seat in range(2)]
    for follower in others + followers:
        follower.forget()
    decisions = 0
    while not state.over:
        seat = state.to_act[0]
        answer = followers[seat].choose(state)
        others[seat].forget()
        followers[seat].forget()
        here = followers[seat].choose(state)
        assert others[seat].choose(state.resample(seat, decisions)) == here
        state.apply(seat, answer)
        decisions += 1
    assert decisions > 20


def test_a_rollout_stops_at_the_start_of_a_turn_and_else_plays_to_the_end() -> None:
    state, _ = played("new_york", 2, 6)
    assert state.phase == "turn"
    assert not state.over
    assert state.view(0).one("turns") == 6
    state, _ = played("new_york", 2, 0)
    assert state.over


@pytest.mark.parametrize("board", BOARDS)
def test_a_seat_that_races_plays_as_the_bot_for_long_routes(board: str) -> None:
    game = Game(board, 2)
    state = game.start("race")
    rollout = Rollout(game, STYLE)
    rollout.forget()
    rollout.let_race(0b10)
    bot = LongRoutes()
    bot.start(game, 1, "race")
    compared = 0
    while not state.over and state.view(0).one("turns") < 30:
        seat = state.to_act[0]
        action = rollout.choose(state, seat)
        if seat == 1 and state.phase in ("turn", "draw"):
            assert bot.decide(state.view(seat), 1.0) == action
            compared += 1
        state.apply(seat, action)
    assert compared > 10
    rollout.let_race(0)
    assert rollout.racing == 0


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("turns", [4, 12, 24])
def test_a_recalled_plan_is_followed_whatever_was_played_before(board: str, turns: int) -> None:
    state, used = played(board, 2, turns)
    notes = [PlanNotes(state.game) for _ in range(2)]
    for follower, note in zip(used.followers, notes, strict=True):
        follower.forget()
        follower.make_plan(state)
        follower.note(note)
    assert all(note.planned for note in notes)
    planned = state.clone()
    used.play(planned, 0)  # as it goes on with the plans that were noted
    used.play(state.clone(), 6)  # and somewhere else
    for rollout in (used, Rollout(state.game, STYLE)):
        for follower, note in zip(rollout.followers, notes, strict=True):
            follower.recall(note)
        world = state.clone()
        rollout.play(world, 0)
        assert world.hash() == planned.hash()


def test_quick_plans_are_nearly_as_good_as_exact_ones() -> None:
    """On a board with many tickets, so that they are plans of their own and not the exact ones."""
    exact_total = quick_total = 0.0
    many = 0
    game = Game("iberia", 2)
    seeds = 8 if compiled() else 2
    for seed in range(seeds):
        state = game.start(seed)
        rollout = Rollout(game, STYLE)
        rollout.forget()
        while state.phase != "turn":
            seat = state.to_act[0]
            state.apply(seat, rollout.followers[seat].choose(state))
        observation = Observation(game, state.turn)
        observation.read(state.view(state.turn))
        plan = Plan(observation, STYLE)
        plan.estimate_time()
        observation.claim_bonuses(plan.bonus)
        plan.price_routes()
        exact_total += plan.make(observation.held)
        quick = QuickPlan(plan)
        many += quick.groups(observation.held) > EXACT
        quick.make(observation.held)
        quick_total += plan.value
    assert many == seeds
    assert quick_total > exact_total - 4.0 * seeds  # points


@pytest.mark.parametrize("board", BOARDS)
def test_no_claim_is_worth_more_than_its_bound(board: str) -> None:
    state, rollout = played(board, 2, 24)
    follower = rollout.followers[state.turn]
    follower.forget()
    follower.glance(state)
    follower.make_plan(state)
    claims = [
        action
        for action in state.legal(state.turn)
        if follower.claims <= action < follower.claims_end
    ]
    assert claims
    route_of = follower.observation.claims.route_of
    follower.turn_value.find_bounds()
    for action in claims:
        bound = follower.turn_value.at_most(route_of[action - follower.claims])
        assert follower.turn_value.claim(action) <= bound


@pytest.mark.parametrize("board", BOARDS)
def test_with_a_fresh_plan_a_follower_decides_as_the_planner_would(board: str) -> None:
    """Whatever the board's rules offer. The planner looks at rivals' needs; here it does not."""
    game = Game(board, 2)
    state = game.start("alike")
    planners = [Planner(**{**VERSION_1, "block_weight": 0.0}) for _ in range(2)]
    followers = [Follower(game, seat, STYLE) for seat in range(2)]
    for seat, planner in enumerate(planners):
        planner.start(game, seat, seat)
    lost = {"turn": 0.0, "tickets": 0.0}
    decisions = {"turn": 0, "tickets": 0}
    while not state.over:
        seat = state.to_act[0]
        view = state.view(seat)
        answer = planners[seat].decide(view, 60.0)
        kind = "tickets" if view.in_question else "turn"
        if len(view.actions) > 1:
            followers[seat].exact = True
            followers[seat].forget()
            values = dict(zip(view.actions, planners[seat].values, strict=True))
            lost[kind] += min(20.0, values[answer] - values[followers[seat].choose(state)])
            decisions[kind] += 1
        state.apply(seat, answer)
    assert lost["turn"] < 0.1 * decisions["turn"]  # points
    assert lost["tickets"] < 3.0 * decisions["tickets"]


def test_samples_are_the_same_however_they_are_split() -> None:
    game = Game("new_york", 2)
    whole = play_samples(game, STYLE, "split", 0, 4)
    parts = [play_samples(game, STYLE, "split", first, 2) for first in (0, 2)]
    assert list(whole.features) == [x for part in parts for x in part.features]
    assert list(whole.scores) == [x for part in parts for x in part.scores]
    assert len(whole.features) == len(whole.left) * 2 * len(FEATURES)
    assert len(whole.left) > 4


def test_the_value_of_a_position_is_the_weighted_sum_of_its_features() -> None:
    state, rollout = played("new_york", 3, 9)
    weights = [0.0] * (2 * len(FEATURES))
    weights[0], weights[len(FEATURES) + 11] = 2.0, 1.0  # the score now; trains, early
    value = PositionValue(state.game, weights)
    value.estimate(state, rollout)
    for seat in range(3):
        now, trains = state.outcome.scores[seat], state.view().trains(seat)
        assert value.scores[seat] == pytest.approx(2.0 * now + value.left * trains)


def test_a_value_with_the_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="30 weights, not 3"):
        PositionValue(Game("new_york", 2), [1.0, 2.0, 3.0])
