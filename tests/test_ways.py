"""How a route can be paid for: what the engine would offer, in turn and out of turn."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from branchline import State, builtin_boards, parse_action
from branchline.rules.joined import joined
from branchline.rules.ways import Way, Ways, ways_to_pay
from golden_games import choose, game_of
from positions import Position, payments

BOARDS = list(builtin_boards())


def positions(board: str, seats: int, seed: int, every: int = 9) -> Iterator[State]:
    """Positions of a game with large hands and rare actions."""
    rng = random.Random(f"ways {board} {seed}")
    state = game_of(board, seats).start(seed)
    for number in range(400):
        if state.over:
            return
        if number % every == 0:
            yield state
        seat = rng.choice(state.to_act)
        state.apply(seat, choose(state, seat, "saver", rng))


def dump(found: Ways) -> list[object]:
    """All that is told of the ways, to be compared."""
    ways = [
        [way.actions, way.card, way.cards, way.sets, way.set_size, way.extra, way.room]
        + [way.substitutes, way.reveals]
        + ([way.then.phase, way.then.legal(way.then.turn)] if way.then else [])
        for way in found.ways
    ]
    return [ways, found.refusal, found.missing, found.kinds]


def shown(state: State, seat: int) -> dict[str, object]:
    """What texts about a claim may use: all of a view but the memory of a draft under way."""
    view = state.view(seat).to_dict()
    return {name: value for name, value in view.items() if not name.endswith("_seen")}


def offered(state: State, route: int) -> set[tuple[str, str]]:
    """The claims of a route that are legal now, each with every payment, by the notation."""
    game, seat, found = state.game, state.turn, set()
    for claim in state.legal(seat):
        text = game.action_text(claim)
        if not text.startswith(f"claim {game.route_text(route)} "):
            continue
        after = state.clone()
        after.apply(seat, claim)
        if after.phase == "pay":
            found |= {(text, game.action_text(pay)) for pay in after.legal(seat)}
        else:
            found.add((text, ""))  # the engine has paid by itself
    return found


def told(state: State, ways: list[Way]) -> set[tuple[str, str]]:
    text = state.game.action_text
    alone = {w.claim for w in ways if sum(way.claim == w.claim for way in ways) == 1}
    return {(text(w.claim), "" if w.claim in alone else text(w.pay)) for w in ways}


@pytest.mark.parametrize("board", BOARDS)
def test_the_ways_to_pay_are_what_the_engine_offers(board: str) -> None:
    count = 0
    for state in positions(board, 2, 1):
        if state.phase != "turn":
            continue
        for route in range(state.t.routes):
            found = ways_to_pay(state, state.turn, route)
            assert told(state, found.ways) == offered(state, route)
            assert (found.refusal is None) == bool(found.ways)
            count += len(found.ways)
    assert count > 100


@pytest.mark.parametrize("board", BOARDS)
def test_what_a_seat_is_told_out_of_turn_is_what_it_finds_at_its_turn(board: str) -> None:
    compared = 0
    for state in positions(board, 2, 2, every=3):
        if state.phase != "turn" or compared > 8:
            continue
        mover, other = state.turn, 1 - state.turn
        before = [dump(ways_to_pay(state, other, route)) for route in range(state.t.routes)]
        after = state.clone()
        draw = parse_action(state.game, "draw")
        while not after.over and after.turn == mover and after.allows(mover, draw):
            after.apply(mover, draw)  # which changes nothing for a claim of the other
        if after.over or after.phase != "turn" or after.turn != other:
            continue
        views = [s.view(other) for s in (state, after)]
        if (
            "festival_piles" in state.game.view_fields
            and len({str(v["festival_piles"]) for v in views}) > 1
        ):
            continue  # what follows a claim is another thing now
        compared += 1
        now = [dump(ways_to_pay(after, other, route)) for route in range(after.t.routes)]
        assert now == before
    assert compared > 2


@pytest.mark.parametrize("board", BOARDS)
def test_ways_depend_on_nothing_that_the_seat_may_not_know(board: str) -> None:
    rng = random.Random(board)
    for state in positions(board, 3 if board != "iberia" else 2, 3, every=31):
        for seat in range(state.t.seats):
            twin = state.resample(seat, rng.randrange(10**6))
            for route in rng.sample(range(state.t.routes), 12):
                here, there = (ways_to_pay(s, seat, route) for s in (state, twin))
                assert dump(here) == dump(there)
                for a, b in zip(here.ways, there.ways, strict=True):
                    assert shown(a.paying, seat) == shown(b.paying, seat)
                    if a.then is not None and b.then is not None:
                        assert shown(a.then, seat) == shown(b.then, seat)
            assert joined(state, seat) == joined(twin, seat)


@pytest.mark.parametrize("board", BOARDS)
def test_what_is_missing_is_the_smallest_number_of_cards_that_helps(board: str) -> None:
    seen = 0
    for state in positions(board, 2, 4, every=37):
        seat, t = 0, state.t
        for route in range(0, t.routes, 3):
            found = ways_to_pay(state, seat, route)
            if not found.missing:
                continue
            seen += 1
            for kind in range(t.kinds):
                richer = state.clone()
                for n in range(1, found.missing + 1):
                    richer.d[t.hand + seat * t.kinds + kind] += 1
                    richer.d[t.hand_size + seat] += 1
                    enough = bool(ways_to_pay(richer, seat, route).ways)
                    assert enough == (n == found.missing and kind in found.kinds)
    assert seen > 5


def test_the_thriftiest_way_comes_first() -> None:
    p = Position("usa", seats=2)
    p.hand(0, red=5, blue=3, locomotive=2)
    gray = next(r.index for r in p.game.board.routes if r.colour < 0 and r.length == 3)
    ways = ways_to_pay(p.s, 0, gray).ways
    red, blue, loco = p.kind("red"), p.kind("blue"), p.kind("locomotive")
    cards = [[w.cards[red], w.cards[blue], w.cards[loco]] for w in ways]
    assert cards == [[3, 0, 0], [0, 3, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [0, 1, 2]]


def test_a_route_beyond_reach_says_what_is_missing() -> None:
    p = Position("usa", seats=2)
    p.hand(0, red=2, locomotive=1)
    red = p.kind("red")
    long = next(r.index for r in p.game.board.routes if r.colour == red and r.length == 5)
    found = ways_to_pay(p.s, 0, long)
    assert found.refusal is not None
    assert (found.refusal.rule, found.refusal.reason) == ("BASE-7", "too_few_cards")
    assert (found.missing, found.kinds) == (2, [red, p.kind("locomotive")])
    p.trains(0, 4)
    found = ways_to_pay(p.s, 0, long)
    assert found.refusal is not None
    assert (found.refusal.reason, found.missing) == ("too_few_trains", 0)


def test_sets_of_any_cards_say_how_many_of_each_kind_may_go_into_them() -> None:
    p = Position("nordic", seats=2)
    p.hand(0, red=2, blue=2, green=2, locomotive=1)
    hand = p.s.view(0).hand
    route = next(r.index for r in p.game.board.routes if r.any_cards or r.locomotives)
    for way in ways_to_pay(p.s, 0, route).ways:
        assert bool(way.sets) == bool(way.room) == bool(way.substitutes)
        if way.sets:
            assert sum(way.room) >= way.sets * way.set_size
            assert all(w + c <= h for w, c, h in zip(way.room, way.cards, hand, strict=True))


def test_after_the_payment_the_decision_that_follows_is_known() -> None:
    p = Position("south_korea", seats=2)
    p.hand(0, **dict.fromkeys(p.game.board.colours, 4))
    found = [ways_to_pay(p.s, 0, route) for route in range(p.t.routes)]
    ways = [way for each in found for way in each.ways]
    assert ways
    for way in ways:
        after = p.s.clone()
        for action in way.actions:
            if after.allows(0, action):
                after.apply(0, action)
        assert way.then is not None
        assert (after.phase, after.legal(0)) == (way.then.phase, way.then.legal(0))


def test_a_tunnel_reveals_and_nothing_is_told_of_what_follows() -> None:
    p = Position("europe", seats=2)
    p.hand(0, **dict.fromkeys(p.game.board.colours, 4))
    for r in p.game.board.routes:
        for way in ways_to_pay(p.s, 0, r.index).ways:
            assert way.reveals == r.tunnel
            assert way.then is None


def test_all_payments_of_a_route_with_sets_can_be_reached() -> None:
    p = Position("nordic", seats=2)
    p.hand(0, red=3, blue=3, locomotive=2)
    for r in p.game.board.routes:
        if r.tunnel or not ways_to_pay(p.s, 0, r.index).ways:
            continue
        text = p.game.route_text(r.index)
        whole = {sum(n for _, n in cards) for cards in payments(p, text)}
        ways = ways_to_pay(p.s, 0, r.index).ways
        assert {sum(w.cards) + w.sets * w.set_size for w in ways} == whole


def test_when_the_game_is_over_nothing_can_be_paid() -> None:
    state = list(positions("usa", 2, 5, every=1))[-1]
    rng = random.Random(1)
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, rng.choice(state.legal(seat)))
    found = ways_to_pay(state, 0, 0)
    assert found.refusal is not None
    assert (found.refusal.rule, found.refusal.reason) == ("BASE-10", "game_over")


@pytest.mark.parametrize("board", BOARDS)
def test_completed_tickets_are_those_that_would_score_now(board: str) -> None:
    done = used = 0
    for seed in range(8):
        rng = random.Random(f"joined {board} {seed}")
        p = Position(board, seats=2, seed=seed)
        for route in p.game.board.routes:
            if rng.random() < 0.6:
                p.own(rng.randrange(2), p.game.route_text(route.index), count_trains=False)
        if "stations" in p.game.view_fields:
            for k, city in enumerate(rng.sample(range(p.t.cities), 6)):
                p.s.d[p.field("stations") + city] = 1 + k % 2
        lines = p.s.outcome.lines
        for seat in range(2):
            tickets, borrowed = joined(p.s, seat)
            assert tickets == [x.ref for x in lines[seat] if x.what == "ticket_done"]
            lent = [x.values["route"] for x in lines[seat] if x.what == "station" and x.values]
            assert borrowed == sorted(lent)
            done += len(tickets)
            used += len(borrowed)
    assert done > 2
    assert bool(used) == (board == "europe")


def test_stations_lend_the_route_that_completes_a_ticket() -> None:
    p = Position("europe", seats=2)
    ticket = p.game.board.tickets[0]
    cities = [c.id for c in p.game.board.cities]
    route = next(r for r in p.game.board.routes if r.twin < 0)
    near = next(t for t in p.game.board.tickets)
    assert near is ticket
    # A ticket of its own between the ends of one route: the shortest that a test can have.
    p.t.ticket_a[0], p.t.ticket_b[0] = route.a, route.b
    try:
        p.tickets(0, f"{cities[ticket.a]}-{cities[ticket.b]}")
        p.own(1, p.game.route_text(route.index))
        assert joined(p.s, 0) == ([], [])
        p.s.d[p.field("stations") + route.a] = 1
        assert joined(p.s, 0) == ([0], [route.index])
        assert joined(p.s, 1) == ([], [])
    finally:
        p.t.ticket_a[0], p.t.ticket_b[0] = ticket.a, ticket.b
