"""Worlds: full states that fit a view, and are made from nothing else."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

import toy_rule
from branchline import Game, State, View
from branchline.bots.registry import make_bot
from branchline.core.rng import RESAMPLE, seed_words, stream
from branchline.engine.errors import StateError
from branchline.engine.layout import HELD
from branchline.engine.view import view_from
from branchline.engine.worlds import Worlds
from branchline.rules.drafts.hidden_picks import DraftSecret
from golden_games import TABLES, choose, cut, game_of, play
from test_properties import conserved, numbers
from test_views import audience, stir


def played_by_bots(game: Game, seed: str) -> Iterator[State]:
    """The positions of a planners' game, in which seats that decide together take turns."""
    state, rng = game.start(seed), random.Random(seed)
    bots = [make_bot("planner") for _ in range(game.seats)]
    for seat, bot in enumerate(bots):
        bot.start(game, seat, seed)
    while not state.over:
        yield state
        seat = rng.choice(state.to_act)
        state.apply(seat, bots[seat].decide(state.view(seat), 1.0))
    yield state


def played_at_random(game: Game, seed: str) -> Iterator[State]:
    state, rng = game.start(seed), random.Random(seed)
    yield state
    for _ in play(state, "rare", rng):
        yield state


@pytest.mark.parametrize("games", [played_at_random, played_by_bots], ids=["random", "planner"])
@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12", "RU-13", "RU-15")
def test_at_every_decision_the_world_of_a_view_has_this_view(
    board: str, seats: int, games: Callable[[Game, str], Iterator[State]]
) -> None:
    game = game_of(board, seats)
    rng = random.Random(f"{board} {seats}")
    for move, state in enumerate(games(game, f"worlds {board} {seats}")):
        for seat in {*state.to_act, rng.choice(audience(game))}:
            view = state.view(seat)
            world = view.world(move)
            assert world.view(seat).to_dict() == view.to_dict()
            assert world.view(-1).to_dict() == state.view(-1).to_dict()
            if move % 4 == 0:
                conserved(world)


def test_every_phase_is_met_by_the_one_who_decides_and_by_others() -> None:
    """What the tests above rely on."""
    wanted, met = set(), set()
    for board, seats in TABLES:
        if seats == 3:
            game = game_of(board, seats)
            wanted |= {(board, name) for name in game.phase_names}
            met |= {(board, state.phase) for state in played_at_random(game, "phases")}
    never = {(board, "substitute") for board, _ in TABLES if board != "nordic"}
    assert wanted - met <= never


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_worlds_can_be_played_to_the_end(board: str, seats: int) -> None:
    game = game_of(board, seats)
    rng = random.Random(f"on {board} {seats}")
    for move, state in enumerate(played_at_random(game, f"on {board} {seats}")):
        if rng.random() < 0.02 or (state.phase not in ("turn", "draw") and rng.random() < 0.1):
            world = state.view(rng.choice(audience(game))).world(move)
            for step, _ in enumerate(play(world, "rare", rng)):
                if step % 9 == 0 or world.over:
                    conserved(world)


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12", "RU-15")
def test_a_world_depends_on_nothing_but_the_view_and_the_seed(board: str, seats: int) -> None:
    """Twins with equal views and other secrets lead to the same world."""
    game = game_of(board, seats)
    rng = random.Random(f"alone {board} {seats}")
    for move, state in enumerate(played_at_random(game, f"alone {board} {seats}")):
        if rng.random() < 0.9:
            continue
        seat = rng.choice(audience(game))
        view = state.view(seat)
        twin = state.clone()
        stir(twin, seat, rng)
        imagined = view.world("another")
        assert twin != state
        assert twin.view(seat).world(move) == view.world(move)
        assert imagined.view(seat).world(move) == view.world(move)
        plain = view_from(game, seat, list(view.data), view.actions)
        assert plain.world(move) == view.world(move)


@pytest.mark.parametrize("board", ["usa", "iberia", "europe"])
def test_one_sampler_draws_the_same_worlds_in_any_order(board: str) -> None:
    state = cut(board, 3, 3, 60)
    view = state.view(state.to_act[0])
    worlds = Worlds(view)
    drawn = [worlds.draw(k) for k in range(6)]
    assert [worlds.draw(k) for k in reversed(range(6))] == drawn[::-1]
    assert [view.world(k) for k in range(6)] == drawn
    assert len({world.hash() for world in drawn}) == 6
    place = state.clone()
    place.legal(place.to_act[0])
    assert worlds.draw(4, into=place) is place
    assert place == drawn[4]
    assert place.legal(view.seat) == view.actions
    drawn[4].apply(view.seat, view.actions[0])
    assert place != drawn[4]
    assert worlds.draw(4) == place


def test_a_rule_that_nobody_has_heard_of_is_part_of_worlds() -> None:
    toy_rule.register()
    try:
        game, met = Game(toy_rule.board_with_picnics(), 3), Counter[str]()
        rng = random.Random(5)
        state = game.start(5)
        while not state.over:
            seat = rng.choice(state.to_act)
            view = state.view(seat)
            world = view.world("picnic")
            assert world.view(seat) == view
            met[state.phase] += 1
            if state.phase == "picnic_size":
                for _ in play(world, "uniform", rng):
                    pass
            state.apply(seat, rng.choice(state.legal(seat)))
        assert met["picnic_size"] > 3
    finally:
        toy_rule.forget()


@pytest.mark.rule("IB-6", "KR-5")
@pytest.mark.parametrize(("board", "phase"), [("iberia", "festival"), ("south_korea", "mat")])
def test_after_a_claim_a_world_goes_on_where_the_game_stands(board: str, phase: str) -> None:
    """Nothing that has been done for the claim is done a second time."""
    met = 0
    for state in played_at_random(game_of(board, 2), f"after {board}"):
        if state.phase == phase:
            met += 1
            seat = state.to_act[0]
            world, true = state.view(seat).world(1), state.clone()
            for action in state.legal(seat)[:1]:
                world.apply(seat, action)
                true.apply(seat, action)
            for name in ("points", "trains", "owner", "turns"):
                assert numbers(world, name) == numbers(true, name)
    assert met > 2


# --- weights -------------------------------------------------------------------------------------


def chances(view: View, weights: list[float] | None, rival: int, samples: int) -> list[float]:
    """How often each ticket is the rival's."""
    worlds = Worlds(view)
    worlds.weigh(weights)
    found = [0] * view.game.layout.tickets
    for k in range(samples):
        for ticket, place in enumerate(numbers(worlds.draw(k), "ticket_at")):
            found[ticket] += place == HELD + rival
    return [n / samples for n in found]


@pytest.mark.parametrize("board", ["usa", "nordic", "europe", "iberia", "south_korea"])
def test_a_ticket_with_more_weight_is_oftener_a_rivals(board: str) -> None:
    state = cut(board, 3, 4, 40)
    view = state.view(0)
    tickets = view.game.layout.tickets
    plain = chances(view, None, 1, 200)
    loose = [k for k in range(tickets) if 0.02 < plain[k] < 0.98]
    favourite = loose[0]
    weights = [1.0] * (3 * tickets)
    weights[tickets + favourite] = 50.0
    heavy = chances(view, weights, 1, 200)
    assert heavy[favourite] > max(0.5, plain[favourite] + 0.1)
    assert sum(heavy) == pytest.approx(sum(plain))
    worlds = Worlds(view)
    worlds.weigh(weights)
    for k in range(50):
        world = worlds.draw(k)
        assert world.view(0) == view
        conserved(world)


def test_weights_are_one_for_each_seat_and_ticket() -> None:
    with pytest.raises(ValueError, match="each seat"):
        Worlds(game_of("usa", 2).start(1).view(0)).weigh([1.0])


# --- drafts --------------------------------------------------------------------------------------


@pytest.mark.rule("IB-2", "IB-4")
def test_a_deal_in_which_a_rival_has_too_few_tickets_to_keep_is_mended() -> None:
    """Tickets that come back in the second draft were kept by nobody in the first."""
    game, mended = game_of("iberia", 5), 0
    for seed in range(40):
        state, rng = game.start(seed), random.Random(seed)
        while state.phase != "second_draft_keep":
            state.step(seat := rng.choice(state.to_act), choose(state, seat, "hoarder", rng))
        worlds = Worlds(state.view(0))
        picks = next(part for part in worlds.secrets if isinstance(part, DraftSecret)).first
        for number in range(20):
            world = worlds.draw(number)
            chance = stream(seed_words(number), 0, RESAMPLE, 0)
            picks.deal(world, chance)
            if not picks.enough():
                picks.mend(world)
                mended += 1
                assert picks.enough()
                assert world.view(0)["draft_seen"] == state.view(0)["draft_seen"]
    assert mended > 20


def test_a_view_that_no_position_has_is_refused() -> None:
    view = game_of("usa", 2).start(1).view(0)
    data = [int(x) for x in view.data]
    data[view.game.view_fields["discard"].offset] = 90
    with pytest.raises(StateError, match="impossible_view"):
        view_from(view.game, 0, data, view.actions).world(1)
    data = [int(x) for x in view.data]
    data[view.game.view_fields["ticket_count"].offset + 1] = 99
    with pytest.raises(StateError, match="impossible_view"):
        view_from(view.game, 0, data, view.actions).world(1)


def test_worlds_of_a_copied_view_are_the_same() -> None:
    view = cut("iberia", 3, 3, 50).view(1)
    assert copy.deepcopy(view).world(3) == view.world(3)
