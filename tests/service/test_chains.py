"""Several actions in one message: done as a whole or refused as a whole, and no other way seen."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from branchline import State, builtin_boards
from branchline.service.storage import StoreError
from branchline.service.tables.chains import apply_chain
from branchline.service.tables.log_entries import Moved, decode
from golden_games import choose, game_of
from service.test_takeback import Scene, new_id, scene
from service.worlds import Ear, Json, World, new_world

pytestmark = pytest.mark.anyio

BOARDS = list(builtin_boards())


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with new_world(tmp_path) as found:
        yield found


def decision_of(s: Scene) -> int:
    table = s.world.table
    return table.number_for(s.seat, table.seats[s.seat].decision)


async def at_once(s: Scene, *actions: int, **more: Any) -> Json:
    message = {"type": "act", "id": new_id(), "decision": decision_of(s), "actions": actions}
    return await s.me.send(**{**message, **more})


async def ways(ear: Ear, route: int) -> Json:
    return await ear.send(type="how", id=new_id(), route=route)


async def a_way(s: Scene, route: int = -1, **wanted: Any) -> Json:
    """A way to pay for some route that has what is wanted, as the seat to act is told."""
    routes = range(s.world.state.t.routes) if route < 0 else [route]
    for each in routes:
        for way in (await ways(s.me, each)).get("ways", []):
            if all(way.get(name) == value for name, value in wanted.items()):
                return {"route": each, **way}
    raise AssertionError(wanted)


def whole(way: Json) -> list[int]:
    """A chain with the cards of the sets, if there are any, and the first of what follows."""
    chain, due = list(way["actions"]), way.get("sets", 0) * way.get("set_size", 0)
    for action, room in zip(way.get("substitutes", []), way.get("room", []), strict=True):
        taken = min(room, due)
        chain += [action] * taken
        due -= taken
    return chain + [offer["action"] for offer in way.get("offers", [])[:1]]


# --- done as a whole --------------------------------------------------------------------------


async def test_a_claim_is_one_message_and_as_many_moves_as_it_has_choices(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    way = await a_way(s)
    before, number = world.state.clone(), world.table.number
    reply = await at_once(s, *whole(way))
    assert reply["type"] == "done"
    assert reply["number"] == world.table.number_for(s.seat, world.table.number)
    assert world.state.view(s.seat).owner(way["route"]) == s.seat
    assert world.table.number == number + 2
    step_by_step = before
    for action in way["actions"]:
        step_by_step.apply(s.seat, action)
    assert step_by_step == world.state
    assert await s.loaded() == world.state
    bodies = [decode(row.body) for row in await world.store.entries(world.table.id, number)]
    assert [type(body) for body in bodies] == [Moved, Moved]
    assert [bool(body.id) for body in bodies if isinstance(body, Moved)] == [False, True]


async def test_others_get_one_update_for_a_claim_with_several_steps(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    way = await a_way(s)
    heard = len(s.others[0].told("update"))
    await at_once(s, *whole(way))
    new = s.others[0].told("update")[heard:]
    assert [entry["entry"]["kind"] for entry in new] == ["moved"]
    assert new[0]["number"] == s.others[0].told("update")[heard - 1]["number"] + 1


async def test_a_chain_with_an_id_that_was_done_changes_nothing(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    way, decision = await a_way(s), decision_of(s)
    first = await at_once(s, *whole(way), id="once")
    number = world.table.number
    again = await at_once(s, *whole(way), id="once", decision=decision)
    assert again == first
    assert world.table.number == number


async def test_a_claim_that_was_one_message_is_taken_back_as_a_whole(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    before = world.state.clone()
    await at_once(s, *whole(await a_way(s)))
    first = world.table.table_state.steps[-2].number
    assert await s.back(world.table.number_for(s.seat, first)) == "done"
    assert world.state == before
    assert await s.loaded() == before


async def test_the_cards_of_sets_and_the_decision_that_follows_are_in_the_chain(
    world: World,
) -> None:
    colours = dict.fromkeys(("red", "blue", "green", "yellow"), 4)
    s = await scene(world, "south_korea", **colours)
    way = await a_way(s, phase="mat")
    assert {offer["do"] for offer in way["offers"]} == {"mat", "mat_none"}
    place = next(offer for offer in way["offers"] if offer["do"] == "mat")
    trains = world.state.view(s.seat).trains(s.seat)
    reply = await at_once(s, *way["actions"], place["action"])
    assert reply["type"] == "done"
    length = world.state.game.board.routes[way["route"]].length
    assert world.state.view(s.seat).trains(s.seat) == trains - length - 1


@pytest.mark.parametrize("board", BOARDS)
async def test_every_way_that_is_told_can_be_sent(tmp_path: Path, board: str) -> None:
    """All ways of some positions, with random cards in the sets, applied to a copy."""
    rng = random.Random(f"chains {board}")
    sent = with_sets = 0
    async with new_world(tmp_path) as world:
        await world.begin(board, 2)
        ears = [await world.listen(seat) for seat in range(2)]
        for _ in range(160):
            state = world.state
            if state.over or sent > 400:
                break
            seat = rng.choice(state.to_act)
            if state.phase == "turn" and rng.random() < 0.1:
                for route in rng.sample(range(state.t.routes), 20):
                    for way in (await ways(ears[seat], route)).get("ways", []):
                        sent += 1
                        with_sets += "sets" in way
                        check(state, seat, route, way, rng)
            await ears[seat].act(choose(state, seat, "saver", rng))
    assert sent > 20
    assert with_sets or game_of(board, 2).rule_named("substitutes") is None


def check(state: State, seat: int, route: int, way: Json, rng: random.Random) -> None:
    """Apply a way; the cards of its sets are any for which there is room."""
    pool = [k for k, room in enumerate(way.get("room", [])) for _ in range(room)]
    chosen = sorted(rng.sample(pool, way.get("sets", 0) * way.get("set_size", 0)))
    chain = [*way["actions"], *(way["substitutes"][kind] for kind in chosen)]
    offers = [offer["action"] for offer in way.get("offers", [])]
    chain += [rng.choice(offers)] if offers else []
    steps = apply_chain(state, seat, chain)
    after = steps[-1].state
    names = [name for step in steps for name, _, _ in step.events]
    if way.get("reveals"):
        assert "TunnelTried" in names
        return
    paid = [n + chosen.count(kind) for kind, n in enumerate(way["cards"])]
    assert after.view(seat).owner(route) == seat
    played = next(numbers for s in steps for name, _, numbers in s.events if name == "CardsPlayed")
    assert list(played) == paid


# --- refused as a whole -----------------------------------------------------------------------


async def test_a_chain_with_a_bad_step_is_refused_and_nothing_has_changed(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    way = await a_way(s)
    before, number = world.state.clone(), world.table.number
    heard = [len(ear.told("update")) for ear in s.ears]
    claim, pay = way["actions"]
    for chain in ([claim, claim], [pay], [claim, 10**6], [10**6, claim]):
        reply = await at_once(s, *chain)
        assert reply["type"] == "refused"
        assert reply["rule"]
        assert reply["text"]
    assert world.state == before
    assert world.table.number == number
    assert heard == [len(ear.told("update")) for ear in s.ears]


async def test_a_chain_ends_with_the_turn(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    before = world.state.clone()
    chain = whole(await a_way(s))
    for more in (s.action("draw"), 10**6):
        reply = await at_once(s, *chain, more)
        assert (reply["type"], reply["code"]) == ("refused", "chain_ends")
    assert world.state == before


async def test_a_chain_ends_where_a_card_is_drawn(world: World) -> None:
    s = await scene(world)
    draw = s.action("draw")
    for more in (draw, 10**6):
        assert (await at_once(s, draw, more))["code"] == "chain_ends"
    assert (await at_once(s, draw))["type"] == "done"


async def test_a_chain_ends_where_others_decide_at_the_same_time(world: World) -> None:
    await world.begin("usa", 2)
    ears = [await world.listen(seat) for seat in range(2)]
    s = Scene(world, ears)
    keep = world.state.legal(s.seat)[0]
    for more in (keep, 10**6):
        assert (await at_once(s, keep, more))["code"] == "chain_ends"


@pytest.mark.parametrize("due", [0, 1, 3])
async def test_a_chain_ends_at_a_tunnel_whatever_it_turns_up(world: World, due: int) -> None:
    s = await scene(world, "europe", red=6, blue=6, green=6, locomotive=3)
    way = await a_way(s, reveals=True)
    state = world.state.clone()
    d, t = state.d, state.t
    other = next(k for k in range(t.colours) if k != way["card"])
    for k in range(3):  # so many of the cards on top of the deck are of the colour
        d[t.deck + d[t.deck_len] - 1 - k] = way["card"] if k < due else other
    await world.become(state)
    tunnel = [a for a in range(len(state.game.action_rules)) if is_tunnel(state, a)]
    replies = [await at_once(s, *way["actions"], more) for more in (*tunnel, s.action("draw"))]
    assert {(reply["type"], reply["code"]) for reply in replies} == {("refused", "chain_ends")}
    assert world.state == state
    assert (await at_once(s, *way["actions"]))["type"] == "done"
    assert (world.state.phase == "tunnel") == (due > 0)


def is_tunnel(state: State, action: int) -> bool:
    return state.game.action_text(action).startswith(("tunnel ", "back-off"))


async def test_a_chain_is_an_action_or_several_but_not_both_and_not_too_many(world: World) -> None:
    s = await scene(world)
    draw, decision = s.action("draw"), decision_of(s)
    none = f'{{"type": "act", "id": "x", "decision": {decision}}}'
    both = f'{none[:-1]}, "action": {draw}, "actions": [{draw}]}}'
    chains = [f'{none[:-1]}, "actions": {actions}}}' for actions in ([], [draw] * 41)]
    for number, text in enumerate((none, both, *chains), 1):
        await s.me.session.receive(text)
        assert [m["code"] for m in s.me.told("trouble")] == ["bad_message"] * number


async def test_a_late_chain_and_one_out_of_turn_are_refused(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    chain = whole(await a_way(s))
    assert (await at_once(s, *chain, decision=1))["code"] == "late"
    other = s.others[0]
    reply = await other.send(type="act", id=new_id(), decision=0, actions=chain)
    assert reply["type"] == "refused"


async def test_a_chain_that_can_not_be_stored_has_not_happened(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    s = await scene(world, red=6, locomotive=3)
    chain = whole(await a_way(s))
    before, number = world.state.clone(), world.table.number

    async def broken(*_: object) -> bool:
        raise StoreError("storage_closed")

    with monkeypatch.context() as patch:
        patch.setattr(world.store, "append", broken)
        assert (await at_once(s, *chain, id="later"))["type"] == "refused"
    assert world.state == before
    assert len(await world.store.entries(world.table.id)) == number
    assert (await at_once(s, *chain, id="later"))["type"] == "done"


# --- how a route can be paid for --------------------------------------------------------------


async def test_how_is_answered_out_of_turn_and_in_the_reader_s_language(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    route = (await a_way(s))["route"]
    there = await ways(s.others[0], route)
    assert there["type"] == "ways"
    assert bool(there.get("ways")) != bool(there.get("rule"))
    french = await world.listen(s.seat, "fr")
    texts = [[way["text"] for way in (await ways(ear, route))["ways"]] for ear in (s.me, french)]
    assert texts[0]
    assert all(one != two for one, two in zip(*texts, strict=True))


async def test_a_route_beyond_reach_is_answered_with_the_rule_and_what_is_missing(
    world: World,
) -> None:
    s = await scene(world)
    answers = [await ways(s.me, route) for route in range(world.state.t.routes)]
    beyond = [answer for answer in answers if "missing" in answer]
    assert beyond
    for answer in beyond:
        assert answer["rule"]
        assert answer["title"]
        assert answer["text"]
        assert answer["missing"]["cards"] > 0
        assert answer["missing"]["kinds"]


async def test_a_spectator_is_told_no_way_and_no_route_has_none(world: World) -> None:
    s = await scene(world, red=6)
    watcher = await world.listen(-1)
    assert set(await ways(watcher, 0)) == {"type", "id", "route", "text"}
    assert set(await ways(s.me, 10**6)) == {"type", "id", "route", "text"}


# --- completed tickets ------------------------------------------------------------------------


async def test_completed_tickets_are_told_to_their_holder_when_they_change(world: World) -> None:
    s = await scene(world, red=6, blue=6, green=6, yellow=6, white=6, black=6, locomotive=9)
    state = world.state.clone()
    mine = state.view(s.seat).tickets[0]
    ticket = state.game.board.tickets[mine]
    # All routes but one between the ends of the ticket are the seat's already.
    path = path_between(state, ticket.a, ticket.b)
    for route in path[1:]:
        state.d[state.t.owner + route] = s.seat + 1
    await world.become(state)
    watcher = await world.listen(-1)
    way = await a_way(s, path[0])
    assert s.me.told("welcome")[-1]["joined"] == []
    await at_once(s, *whole(way))
    assert s.me.told("update")[-1]["joined"] == [mine]
    assert s.me.told("update")[-1]["borrowed"] == []
    assert (await world.listen(s.seat)).told("welcome")[-1]["joined"] == [mine]
    for ear in (*s.others, watcher):
        assert not any("joined" in update for update in ear.told("update"))
    assert (await world.listen(-1)).told("welcome")[-1]["joined"] == []
    await s.others[0].act(world.state.legal(s.others[0].connection.seat)[0])
    assert "joined" not in s.me.told("update")[-1]


@pytest.mark.parametrize("owner", [0, 1])
async def test_nobody_is_told_of_another_s_completed_tickets(world: World, owner: int) -> None:
    await scene(world)
    state = world.state.clone()
    for route in range(state.t.routes):
        state.d[state.t.owner + route] = owner + 1
    await world.become(state)
    told = [(await world.listen(seat)).told("welcome")[-1]["joined"] for seat in (0, 1, -1)]
    assert told[owner] == state.view(owner).tickets != []
    assert told[1 - owner] == told[-1] == []


def path_between(state: State, a: int, b: int) -> list[int]:
    """Routes that join two cities."""
    found: dict[int, list[int]] = {a: []}
    todo = [a]
    while b not in found:
        city = todo.pop(0)
        for r in state.game.board.routes:
            for here, there in ((r.a, r.b), (r.b, r.a)):
                if here == city and there not in found:
                    found[there] = [*found[city], int(r.index)]
                    todo.append(there)
    return found[b]
