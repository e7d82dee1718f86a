"""Taking back: freely where nothing was revealed, else with the others' consent."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from branchline import State
from branchline.service.tables.log_entries import BotSeated
from branchline.service.tables.table_state import Step
from service.server import Party, Server, open_game
from service.worlds import Ear, World, key_of, new_world

pytestmark = pytest.mark.anyio

ids = count()


def new_id() -> str:
    return f"id {next(ids)}"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with new_world(tmp_path) as found:
        yield found


class Scene:
    """A table in play after the opening: the seat whose turn it is, and the others."""

    def __init__(self, world: World, ears: list[Ear]) -> None:
        self.world = world
        self.ears = ears
        turn = world.state.turn
        self.me = ears[turn]
        self.others = [ear for ear in ears if ear is not self.me]
        self.seat = turn

    def action(self, word: str) -> int:
        """A legal action whose notation begins so."""
        game = self.world.state.game
        legal = self.world.state.legal(self.seat)
        return next(a for a in legal if game.action_text(a).startswith(word))

    async def back(self, move: int) -> str:
        """Take back; gives the answer's type, or why it was refused."""
        reply = await self.me.send(type="takeback", id=new_id(), move=move)
        return str(reply.get("code", reply["type"]))

    def last(self, ear: Ear) -> str:
        """The kind of the last entry that someone heard of."""
        return str(ear.told("update")[-1]["entry"]["kind"])

    async def loaded(self) -> State:
        """The state as another process would find it."""
        table = await self.world.load_again()
        assert table.state is not None
        assert table.table_state == self.world.table.table_state
        return table.state


async def scene(world: World, board: str = "usa", seats: int = 2, **cards: int) -> Scene:
    """The opening is over; the seat to act has so many cards of each kind more, for claims."""
    await world.begin(board, seats, bots=[None] * (seats - 1))
    ears = [await world.listen(seat) for seat in range(seats)]
    rng = random.Random(5)
    while world.state.phase != "turn":
        seat = world.state.to_act[0]
        await ears[seat].act(rng.choice(world.state.legal(seat)))
    if cards:
        state = world.state.clone()
        d, t = state.d, state.t
        for colour, count in cards.items():
            kind = t.loco if colour == "locomotive" else state.game.board.colours.index(colour)
            d[t.hand + state.turn * t.kinds + kind] += count
            d[t.hand_size + state.turn] += count
        await world.become(state)
    return Scene(world, ears)


# --- freely -----------------------------------------------------------------------------------


async def test_a_claim_is_given_up_before_it_is_paid_and_others_hear_nothing(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    before = world.state.clone()
    for other in s.others:
        other.take()
    step = await s.me.act(claim(s))
    assert world.state.phase == "pay"
    assert await s.back(step["number"]) == "done"
    assert world.state == before
    assert await s.loaded() == before
    assert all(other.take() == [] for other in s.others)
    assert s.last(s.me) == "taken_back"
    assert s.me.told("update")[-1]["entry"]["text"] == "You have taken back a move."
    decision = s.me.told("update")[-1]["decision"]
    assert decision["phase"] == "turn"


def has_wish(world: World) -> bool:
    return world.table.table_state.wish is not None


def claim(s: Scene) -> int:
    """A claim in red that leaves a choice of payments."""
    game = s.world.state.game
    for action in s.world.state.legal(s.seat):
        text = game.action_text(action).split()
        if text[0] == "claim" and text[-1] == "red":
            after = s.world.state.clone()
            after.apply(s.seat, action)
            if after.phase == "pay":
                return action
    raise AssertionError("no such claim")


async def test_a_claimed_route_is_taken_back_freely_while_nobody_else_has_moved(
    world: World,
) -> None:
    s = await scene(world, seats=3, red=6, locomotive=3)
    before = world.state.clone()
    first = await s.me.act(claim(s))
    paid = await s.me.act(world.state.legal(s.seat)[0])
    assert s.others[0].told("update")[-1]["entry"]["free"]
    assert await s.back(first["number"]) == "done"
    assert world.state == before
    assert await s.loaded() == before
    for other in s.others:
        told = other.told("update")
        assert [u["entry"]["kind"] for u in told[-2:]] == ["moved", "taken_back"]
        assert told[-1]["entry"]["to"] == told[-2]["number"]
        assert told[-1]["changes"]["owner"] == [int(x) for x in before.view(-1)["owner"]]
    assert await s.back(paid["number"]) == "no_such_move"


async def test_only_the_payment_is_taken_back_and_the_claim_stands(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    await s.me.act(claim(s))
    choosing = world.state.clone()
    paid = await s.me.act(world.state.legal(s.seat)[0])
    assert await s.back(paid["number"]) == "done"
    assert world.state == choosing
    assert await s.loaded() == choosing
    await s.me.act(world.state.legal(s.seat)[-1])
    assert world.state.turn != s.seat
    assert await s.loaded() == world.state


async def test_chosen_tickets_are_taken_back_while_others_still_choose(world: World) -> None:
    await world.begin("nordic", 3, bots=[None, None])
    ears = [await world.listen(seat) for seat in range(3)]
    before = world.state.clone()
    done = await ears[0].act(world.state.legal(0)[0])
    reply = await ears[0].send(type="takeback", id="b", move=done["number"])
    assert reply["type"] == "done"
    assert world.state == before
    assert [s.decision for s in world.table.seats] == [world.table.number] * 3
    for seat in (2, 1, 0):
        await ears[seat].act(world.state.legal(seat)[-1])
    assert world.state.phase == "turn"


async def test_several_takebacks_in_a_row_lead_back_step_by_step(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    states = [world.state.clone()]
    numbers: list[int] = []
    for _ in range(2):
        step = await s.me.act(claim(s) if not numbers else world.state.legal(s.seat)[0])
        numbers.append(step["number"])
        states.append(world.state.clone())
    for number, state in zip(reversed(numbers), reversed(states[:-1]), strict=True):
        assert await s.back(number) == "done"
        assert world.state == state
        assert await s.loaded() == state
    again = await s.me.act(claim(s))
    assert again["number"] > numbers[-1]
    assert await s.loaded() == world.state


async def test_a_message_whose_move_was_taken_back_is_not_obeyed_again(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    before = world.state.clone()
    decision = world.table.number_for(s.seat, world.table.seats[s.seat].decision)
    message = {"type": "act", "id": "lost", "decision": decision, "action": claim(s)}
    done = await s.me.send(**message)
    assert await s.back(done["number"]) == "done"
    number = world.table.number
    now = world.table.number_for(s.seat, world.table.seats[s.seat].decision)
    for again in (message, {**message, "decision": now}):
        assert await s.me.send(**again) == done
    assert world.table.number == number
    assert world.state == before


# --- with consent ------------------------------------------------------------------------------


async def drawn(world: World, seats: int = 3) -> tuple[Scene, State, int]:
    """A table where a seat has drawn a card and wishes it had not."""
    s = await scene(world, seats=seats)
    before = world.state.clone()
    move = int((await s.me.act(s.action("draw")))["number"])
    assert "free" not in s.me.told("update")[-1]["entry"]
    assert await s.back(move) == "done"
    assert s.last(s.others[0]) == "wish"
    assert world.state != before
    return s, before, move


async def answer(ear: Ear, yes: bool) -> str:
    wish = ear.told("update")[-1]["table"]["wish"]
    reply = await ear.send(type="agree", id=new_id(), request=wish["request"], yes=yes)
    return str(reply.get("code", reply["type"]))


async def test_a_draw_is_taken_back_when_all_others_agree(world: World) -> None:
    s, before, move = await drawn(world)
    wish = s.others[0].told("update")[-1]["table"]["wish"]
    assert (wish["seat"], wish["move"], wish["agreed"]) == (s.seat, move, [])
    assert await answer(s.others[0], yes=True) == "done"
    assert world.state != before
    assert await s.loaded() == world.state
    assert await answer(s.others[1], yes=True) == "done"
    assert world.state == before
    assert await s.loaded() == before
    assert s.last(s.me) == "taken_back"
    assert "wish" not in s.me.told("update")[-1]["table"]


async def test_one_no_is_enough_to_refuse(world: World) -> None:
    s, before, move = await drawn(world)
    assert await answer(s.others[0], yes=True) == "done"
    assert await answer(s.others[1], yes=False) == "done"
    assert world.state != before
    assert not has_wish(world)
    for ear in s.ears:
        reply = await ear.send(type="agree", id="late", request=move + 1, yes=True)
        assert reply["code"] == "no_such_wish"
    assert await s.loaded() == world.state


async def test_nobody_agrees_twice_or_with_a_wish_of_their_own(world: World) -> None:
    s, before, _ = await drawn(world)
    assert await answer(s.me, yes=True) == "no_such_wish"
    assert await answer(s.others[0], yes=True) == "done"
    wish = s.others[0].told("update")[-1]["table"]["wish"]
    again = await s.others[0].send(type="agree", id="2", request=wish["request"], yes=True)
    assert again["code"] == "no_such_wish"
    assert world.state != before


async def test_a_wish_is_withdrawn_by_its_maker_or_by_the_next_move(world: World) -> None:
    s, _, move = await drawn(world)
    assert await answer(s.me, yes=False) == "done"
    assert not has_wish(world)
    assert await s.back(move) == "done"
    assert has_wish(world)
    await s.me.act(s.action("draw"))
    assert not has_wish(world)
    assert await s.loaded() == world.state


async def test_a_claim_after_which_another_has_moved_needs_consent(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    first = await s.me.act(claim(s))
    await s.me.act(world.state.legal(s.seat)[0])
    other = s.others[0]
    await other.act(s.world.state.legal(other.connection.seat)[0])
    assert await s.back(first["number"]) == "done"
    assert s.last(other) == "wish"
    told = other.told("update")
    to = told[-1]["entry"]["to"]
    entry = next(u["entry"] for u in told if u["number"] == to)
    assert (entry["kind"], entry["seat"]) == ("moved", s.seat)


# --- while a bot stands in -----------------------------------------------------------------------


async def stood_in(world: World, how: str) -> tuple[Scene, int]:
    """Both have moved; then a bot plays for the other, who holds the seat or has left it."""
    s = await scene(world, red=6, locomotive=3)
    first = await s.me.act(claim(s))
    await s.me.act(world.state.legal(s.seat)[0])
    other, seat = s.others[0], s.others[0].connection.seat
    for _ in range(2):
        await other.act(next(a for a in world.state.legal(seat) if text_of(world, a) == "draw"))
    key = other.connection.key
    assert key is not None
    if how == "leave":
        await world.lobby.leave(world.live, key, seat)
    elif how == "request":
        await world.lobby.seat_bot(world.live, key, seat, "easy")
    else:
        async with world.live.lock:
            await world.rooms.append(world.live, BotSeated(seat, "easy", "5eed", "clock"))
    assert not world.table.seats[seat].person
    return s, first["number"]


def text_of(world: World, action: int) -> str:
    return world.state.game.action_text(action)


@pytest.mark.parametrize("how", ["clock", "request"])
async def test_a_lone_opponent_does_not_rewind_while_a_bot_stands_in(
    world: World, how: str
) -> None:
    s, first = await stood_in(world, how)
    before = world.state.clone()
    assert await s.back(first) == "done"
    assert world.state == before
    assert s.last(s.me) == "wish"
    assert await s.loaded() == before


@pytest.mark.parametrize(("yes", "kind"), [(True, "taken_back"), (False, "answer")])
async def test_whoever_a_bot_stands_in_for_still_has_the_word(
    world: World, yes: bool, kind: str
) -> None:
    s, first = await stood_in(world, "clock")
    before = world.state.clone()
    assert await s.back(first) == "done"
    assert await answer(s.others[0], yes) == "done"
    assert s.last(s.me) == kind
    assert (world.state == before) is not yes


async def test_a_stand_in_whose_move_was_harmless_still_moved_for_a_person(world: World) -> None:
    s = await scene(world, red=6, locomotive=3)
    first = await s.me.act(claim(s))
    await s.me.act(world.state.legal(s.seat)[0])
    seat = s.others[0].connection.seat
    async with world.live.lock:
        await world.rooms.append(world.live, BotSeated(seat, "easy", "5eed", "clock"))
    steps = world.table.table_state.steps
    steps.append(Step(world.table.number, seat, "bot", harmless=True))
    assert not world.table.may_undo(s.seat, first["number"])
    assert world.table.must_agree(s.seat) == [seat]


async def test_nobody_goes_back_behind_the_moment_when_a_person_left(world: World) -> None:
    s, first = await stood_in(world, "leave")
    before = world.state.clone()
    assert await s.back(first) == "gone_since"
    assert world.state == before
    mine = await s.me.act(s.action("draw"))
    assert await s.back(mine["number"]) == "done"  # only bots are left to mind
    assert world.state == before
    assert await s.loaded() == before


async def test_whoever_takes_the_seat_of_someone_who_left_speaks_only_for_what_followed(
    world: World,
) -> None:
    s, first = await stood_in(world, "leave")
    seat = s.others[0].connection.seat
    await world.lobby.sit(world.live, key_of(7), "Guest", seat)
    assert await s.back(first) == "gone_since"
    guest = await world.listen(7)
    own = [step.number for step in world.table.table_state.steps if step.seat == seat]
    move = world.table.number_for(seat, own[-1])
    reply = await guest.send(type="takeback", id="not mine", move=move)
    assert reply["code"] == "gone_since"


async def test_whoever_comes_back_has_the_word_again(world: World) -> None:
    s, first = await stood_in(world, "leave")
    ear = s.others[0]
    seat, key = ear.connection.seat, ear.connection.key
    assert key is not None
    await world.lobby.sit(world.live, key, "Back again", seat)
    assert await s.back(first) == "done"
    assert s.last(s.me) == "wish"
    again = await world.listen(seat)
    request = again.told("welcome")[-1]["table"]["wish"]["request"]
    reply = await again.send(type="agree", id="yes", request=request, yes=True)
    assert reply["type"] == "done"
    assert s.last(s.me) == "taken_back"


async def test_a_wish_is_over_when_someone_leaves_and_cannot_be_made_again(world: World) -> None:
    s, before, move = await drawn(world)
    key = s.others[0].connection.key
    assert key is not None
    await world.lobby.leave(world.live, key, s.others[0].connection.seat)
    assert not has_wish(world)
    assert await s.back(move) == "gone_since"
    assert world.state != before


async def test_nobody_takes_back_what_is_not_theirs(world: World) -> None:
    s, _, move = await drawn(world)
    for ear in s.others:
        reply = await ear.send(type="takeback", id="x", move=move)
        assert reply["code"] == "no_such_move"
    for number in (0, 1, move + 50, 2**31 - 1):
        assert await s.back(number) == "no_such_move"


# --- alone against bots ------------------------------------------------------------------------


async def test_alone_against_bots_all_may_be_taken_back(party: Party, server: Server) -> None:
    ann = await party.client("Ann")
    table = await ann.create("new_york", 3, bots=["easy", "easy"])
    me = await party.socket(ann, table)
    (me,) = await open_game(me)
    assert me.decision is not None
    view = me.view
    first = await me.act(me.offer("draw")["action"])
    await me.act(me.offer("draw")["action"])
    for _ in range(3):
        await me.step(random.Random(2))
    await me.until(lambda: me.decision is not None)
    assert (await me.takeback(first["number"]))["type"] == "done"
    assert me.entries[-1]["kind"] == "taken_back"
    assert me.entries[-1]["to"] == first["number"]
    assert me.view == view
    server.restart()
    again = await party.socket(ann, table)
    assert again.view == view
    assert again.decision is not None
    assert [o["action"] for o in again.decision["offers"]] == [
        o["action"] for o in (me.decision or {})["offers"]
    ]
    await again.play(random.Random(3))


async def test_the_record_holds_only_the_moves_that_stand(party: Party) -> None:
    ann = await party.client("Ann")
    table = await ann.create("new_york", 2, bots=["easy"])
    me = await party.socket(ann, table)
    rng = random.Random(4)
    taken = 0
    while await me.step(rng):
        own = [e for e in me.entries if e["kind"] == "moved" and e["seat"] == 0]
        if taken < 4 and rng.random() < 0.3 and not me.over:
            reply = await me.takeback(own[-1]["number"])
            taken += reply["type"] == "done"
    assert taken == 4
    answer = await ann.http.get(f"/api/tables/{table}/record")
    replayed = await ann.http.post("/api/replays", content=answer.content)
    assert replayed.status_code == 200, replayed.text
    assert replayed.json()["result"]["scores"] == me.table["result"]["scores"]
