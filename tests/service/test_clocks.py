"""Clocks: what happens when someone's time is over."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from branchline.service.bots.sessions import Question
from branchline.service.bots.worker_pool import LoadBackground
from branchline.service.messages import ClockRule
from branchline.service.rooms.autoplay import GRACE
from service.server import Party, open_game
from service.worlds import Ear, FirstAction, World, attended, key_of, new_world

pytestmark = pytest.mark.anyio

MOVE = ClockRule("move", 10, "move")
SEAT = ClockRule("move", 10, "seat")
GAME = ClockRule("game", 60, "move")


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A world whose clocks and bots are looked after."""
    async with new_world(tmp_path) as found, attended(found, monkeypatch):
        yield found


async def opened(
    world: World, clock: ClockRule, seats: int = 2, board: str = "nordic"
) -> list[Ear]:
    """A table whose first turn begins now."""
    await world.begin(board, seats, clock, bots=[None] * (seats - 1))
    ears = [await world.listen(seat) for seat in range(seats)]
    while world.state.phase != "turn":
        seat = world.state.to_act[0]
        await ears[seat].act(world.state.legal(seat)[0])
    return ears


async def draw_two(world: World, ear: Ear) -> None:
    """A whole turn that takes no time."""
    for _ in range(2):
        draw = next(
            a
            for a in world.state.legal(ear.connection.seat)
            if world.state.game.action_text(a) == "draw"
        )
        await ear.act(draw)


async def test_the_store_knows_within_seconds_when_a_table_was_used(world: World) -> None:
    ears = await opened(world, ClockRule())
    id = world.table.id

    async def used() -> int:
        row = await world.store.table(id)
        assert row is not None
        return row.updated

    begun = await used()
    mover = ears[world.state.to_act[0]]
    world.time += 5_000
    await draw_two(world, mover)
    assert await used() == begun
    world.time += 5_000
    await draw_two(world, ears[world.state.to_act[0]])
    assert await used() == world.time


async def test_out_of_time_a_bot_makes_the_move(world: World) -> None:
    ears = await opened(world, MOVE)
    turn, number = world.state.turn, world.table.number
    await world.advance(9_999)
    await world.settle()
    assert world.table.number == number
    await world.advance(1)
    await world.until(lambda: world.table.number > number)
    await world.settle()
    for ear in ears:
        update = next(u for u in ear.told("update") if u["number"] == number + 1)
        assert (update["entry"]["kind"], update["entry"]["by"]) == ("moved", "clock")
        who = "You are" if ear is ears[turn] else "Player"
        assert update["entry"]["text"].startswith(who)
    assert world.table.seats[turn].person


async def test_a_turn_of_several_steps_is_finished_by_the_clock(world: World) -> None:
    await opened(world, MOVE)
    turn = world.state.turn
    for _ in range(4):
        await world.advance(10_000)
        await world.settle()
        if world.state.turn != turn:
            break
    assert world.state.turn != turn
    assert {step.by for step in world.table.table_state.steps if step.seat == turn} == {
        "person",
        "clock",
    }


async def test_whoever_moves_in_time_is_left_alone(world: World) -> None:
    ears = await opened(world, MOVE)
    for _ in range(4):
        await world.advance(9_000)
        await draw_two(world, ears[world.state.turn])
    await world.settle()
    assert all(step.by == "person" for step in world.table.table_state.steps)


async def test_the_clock_of_each_move_is_told(world: World) -> None:
    ears = await opened(world, MOVE)
    turn = world.state.turn
    other = 1 - turn
    assert ears[turn].told("update")[-1]["clock"] == {
        "left": [10_000, 10_000],
        "running": [turn == 0, turn == 1],
    }
    await world.advance(4_000)
    fresh = await world.listen(-1)
    clock = fresh.told("welcome")[0]["clock"]
    assert clock["left"][turn] == 6_000
    await draw_two(world, ears[turn])
    clock = ears[turn].told("update")[-1]["clock"]
    assert clock["left"] == [10_000, 10_000]
    assert clock["running"][other]


async def test_the_clock_of_a_game_adds_up(world: World) -> None:
    ears = await opened(world, GAME)
    first = world.state.turn
    for _ in range(2):
        for seat, used in ((first, 20_000), (1 - first, 5_000)):
            await world.advance(used)
            await draw_two(world, ears[seat])
    await world.advance(15_000)
    fresh = await world.listen(-1)
    left = fresh.told("welcome")[0]["clock"]["left"]
    assert (left[first], left[1 - first]) == (5_000, 50_000)
    assert all(step.by == "person" for step in world.table.table_state.steps)
    await world.advance(5_000)
    await world.until(lambda: world.table.table_state.steps[-1].by == "clock")
    await world.until(lambda: world.state.turn != first)
    loaded = await world.load_again()
    assert loaded.table_state == world.table.table_state
    assert loaded.left(first, world.time) == 0


async def test_out_of_time_a_bot_takes_the_seat_and_plays_at_once(world: World) -> None:
    ears = await opened(world, SEAT)
    turn = world.state.turn
    await world.advance(10_000)
    await world.until(lambda: world.table.seats[turn].bot != "")
    await world.until(lambda: world.state.turn != turn)
    kinds = [u["entry"]["kind"] for u in ears[turn].told("update")]
    assert "bot" in kinds
    seat = ears[1 - turn].told("update")[-1]
    info = next(u["table"] for u in reversed(ears[turn].told("update")) if "table" in u)
    assert info["seats"][turn]["stand_in"]
    assert seat["entry"]["by"] == "bot"
    await world.lobby.unseat_bot(world.live, key_of(turn), turn)
    assert world.table.seats[turn].person
    await draw_two(world, ears[1 - turn])
    await draw_two(world, ears[turn])
    assert world.table.table_state.steps[-1].by == "person"


async def test_a_seat_given_to_a_bot_is_played_at_once_though_a_clock_runs(world: World) -> None:
    await opened(world, MOVE)
    turn = world.state.turn
    await world.lobby.seat_bot(world.live, key_of(turn), turn, "easy")
    await world.until(lambda: world.state.turn != turn)
    assert world.table.table_state.steps[-1].by == "bot"


async def test_a_seat_taken_back_before_the_bot_has_moved_has_its_clock_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinking = asyncio.Event()

    async def think(self: FirstAction, question: Question, load_background: LoadBackground) -> int:
        await thinking.wait()
        return question.actions[0]

    await opened(world, MOVE)
    turn = world.state.turn
    with monkeypatch.context() as slow:
        slow.setattr(FirstAction, "decide", think)
        await world.lobby.seat_bot(world.live, key_of(turn), turn, "easy")
        await world.lobby.unseat_bot(world.live, key_of(turn), turn)
        thinking.set()
        await world.settle()
    number = world.table.number
    await world.advance(10_000)
    await world.until(lambda: world.table.number > number)
    assert world.table.table_state.steps[-1].by == "clock"


async def test_the_time_of_a_bot_is_not_the_time_of_its_person(world: World) -> None:
    ears = await opened(world, GAME)
    first = world.state.turn
    other = 1 - first
    await world.lobby.seat_bot(world.live, key_of(other), other, "easy")
    await draw_two(world, ears[first])
    await world.until(lambda: world.state.turn == first)
    await world.lobby.unseat_bot(world.live, key_of(other), other)
    assert world.table.left(other, world.time) == 60_000
    await world.advance(30_000)
    await draw_two(world, ears[first])
    await world.advance(7_000)
    await world.lobby.seat_bot(world.live, key_of(other), other, "easy")
    await world.until(lambda: world.state.turn == first)
    assert world.table.left(other, world.time) == 53_000
    assert world.table.left(first, world.time) == 30_000


async def test_a_takeback_gives_no_time_back(world: World) -> None:
    ears = await opened(world, GAME)
    turn = world.state.turn
    claim = next(
        a
        for a in world.state.legal(turn)
        if world.state.game.action_text(a).startswith(("take", "claim"))
    )
    await world.advance(20_000)
    done = await ears[turn].act(claim)
    await ears[turn].send(type="takeback", id="b", move=done["number"])
    wish = world.table.table_state.wish
    if wish is not None:
        request = world.table.number_for(1 - turn, wish.request)
        await ears[1 - turn].send(type="agree", id="y", request=request, yes=True)
    assert world.state.turn == turn
    assert world.table.left(turn, world.time) == 40_000
    await world.advance(1_000)
    assert world.table.left(turn, world.time) == 39_000
    assert (await world.load_again()).left(turn, world.time) == 39_000


async def test_who_takes_back_freely_goes_on_with_the_time_that_was_left(world: World) -> None:
    ears = await opened(world, MOVE, board="usa")

    def claims() -> list[int]:
        legal = world.state.legal(world.state.turn)
        return [a for a in legal if world.state.game.action_text(a).startswith("claim")]

    while not claims():
        await draw_two(world, ears[world.state.turn])
    turn, left = world.state.turn, 10_000
    for _ in range(3):
        await world.advance(2_000)
        left -= 2_000
        first = await ears[turn].act(claims()[0])
        if world.state.turn == turn:  # there are several ways to pay
            await world.advance(1_000)
            left -= 1_000
        while world.state.turn == turn:
            await ears[turn].act(world.state.legal(turn)[0])
        await world.advance(5_000)  # the other's time
        back = await ears[turn].send(type="takeback", id=f"back {left}", move=first["number"])
        assert world.state.turn == turn, back
        assert world.table.left(turn, world.time) == left
        assert (await world.load_again()).left(turn, world.time) == left
    number = world.table.number
    await world.advance(left)
    await world.until(lambda: world.table.number > number)
    assert world.table.table_state.steps[-1].by == "clock"


async def test_a_server_that_was_away_gives_everyone_time_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with new_world(tmp_path) as world:
        await opened(world, MOVE)
        world.time += 3_600_000  # the server is away
        number = world.table.number
        async with attended(world, monkeypatch) as autoplay:
            autoplay.check(world.live)
            await world.advance(GRACE - 1)
            await world.settle()
            assert world.table.number == number
            await world.advance(1)
            await world.until(lambda: world.table.number > number)
    assert world.table.table_state.steps[-1].by == "clock"


async def test_a_real_clock_runs_out_on_a_real_server(party: Party) -> None:
    people = [await party.client(name) for name in ("Ann", "Bob")]
    clock = {"kind": "move", "seconds": 5, "timeout": "move"}
    table = await people[0].create("nordic", 2, clock=clock)
    await people[1].join(table)
    sockets = [await party.socket(person, table) for person in people]
    active, other = await open_game(*sockets)
    began = other.entries[-1]["at"]
    assert active.clock is not None
    assert 4_000 < active.clock["left"][active.seat] <= 5_000
    await other.until(lambda: other.entries[-1].get("by") == "clock")
    ended = next(entry["at"] for entry in other.entries if entry.get("by") == "clock")
    assert ended - began >= 5_000  # a busy machine may be late, but never early
    await active.until(lambda: active.number >= other.number)
    await other.step(random.Random(1)) if other.decision else await active.step(random.Random(1))


@pytest.mark.parametrize(
    "clock",
    [
        {"kind": "move", "seconds": 4},
        {"kind": "game", "seconds": 29},
        {"kind": "none", "seconds": 1},
        {"kind": "move", "seconds": 8 * 86_400},
        {"kind": "blitz", "seconds": 60},
        {"kind": "move", "seconds": 60, "timeout": "lose"},
        {"kind": "move", "seconds": 10**12},
    ],
)
async def test_clocks_that_make_no_sense_are_refused(party: Party, clock: object) -> None:
    ann = await party.client()
    body = {"board": "nordic", "seats": 2, "name": "Ann", "clock": clock}
    status, code = await ann.refused("POST", "/api/tables", body)
    assert status == 422
    assert code in ("bad_clock", "bad_request")
