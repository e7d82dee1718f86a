"""Several people at one device: one browser holds their seats and speaks for one at a time."""

from __future__ import annotations

import random

import pytest

from service.server import Client, Json, Party, Socket

pytestmark = pytest.mark.anyio

PRIVATE = ("hand", "tickets")


async def pair(party: Party, board: str = "usa", **more: object) -> tuple[str, Client]:
    """A table in play between Ann and Ben, who share a device."""
    ann = await party.client("Ann")
    return await ann.create(board, 2, here=["Ben"], first=0, **more), ann


async def private(client: Client, table: str, seat: int | None = None) -> tuple[int, Json]:
    """The seat that a fresh connection speaks for, and the private part of its view."""
    async with client.connected(table, seat=seat) as socket:
        assert socket.view is not None
        return socket.seat, {name: socket.view.get(name) for name in PRIVATE}


async def keep_all(socket: Socket) -> None:
    """Keep every ticket on offer."""
    assert socket.decision is not None
    most = max(socket.decision["offers"], key=lambda offer: len(offer["tickets"]))
    await socket.act(most["action"])


async def test_a_table_is_made_with_people_at_the_same_device_and_begins(party: Party) -> None:
    table, ann = await pair(party)
    info = await ann.table(table)
    assert [(s["name"], s["kind"]) for s in info["seats"]] == [("Ann", "person"), ("Ben", "person")]
    assert info["status"] == "playing"


async def test_a_seat_has_either_a_bot_or_a_person(party: Party) -> None:
    ann = await party.client("Ann")
    body = {"board": "usa", "seats": 3, "name": "Ann", "bots": ["easy"], "here": ["Ben"]}
    assert await ann.refused("POST", "/api/tables", body) == (422, "bad_table")
    body = {"board": "usa", "seats": 2, "name": "Ann", "here": ["Ben", "Cat"]}
    assert await ann.refused("POST", "/api/tables", body) == (422, "bad_table")
    body = {"board": "usa", "seats": 2, "name": "Ann", "here": [" "]}
    assert await ann.refused("POST", "/api/tables", body) == (422, "bad_name")


async def test_nothing_private_is_sent_before_a_seat_is_named(party: Party) -> None:
    table, ann = await pair(party)
    watcher = await party.client("Eve")
    async with watcher.connected(table) as eve, ann.connected(table) as nobody:
        assert nobody.seat == -1
        assert nobody.welcome["held"] == [0, 1]
        assert nobody.decision is None
        assert nobody.view == eve.view
        assert nobody.entries == eve.entries
        assert eve.welcome["held"] == []


async def test_a_connection_gets_the_view_of_the_seat_that_it_names_alone(party: Party) -> None:
    table, ann = await pair(party)
    as_ann, as_ben = await private(ann, table, 0), await private(ann, table, 1)
    assert (as_ann[0], as_ben[0]) == (0, 1)
    assert as_ann[1] != as_ben[1]
    async with ann.connected(table, seat=1) as ben:
        assert ben.decision is not None
        await keep_all(ben)
        assert all(entry["seat"] != 0 for entry in ben.entries if entry["kind"] == "moved")


async def test_a_seat_of_somebody_else_can_not_be_named(party: Party) -> None:
    table, ann = await pair(party)
    eve = await party.client("Eve")
    assert (await private(eve, table, 1))[0] == -1
    assert (await private(ann, table, 7))[0] == -1
    other = await eve.create("usa", 2, bots=["easy"])
    async with eve.connected(other, seat=1) as socket:  # her only seat is the first
        assert socket.seat == 0


async def test_whoever_names_no_seat_can_not_act_and_each_seat_acts_for_itself(
    party: Party,
) -> None:
    table, ann = await pair(party)
    async with ann.connected(table, seat=0) as first:
        assert first.decision is not None
        number, action = first.decision["number"], first.decision["offers"][0]["action"]
        async with ann.connected(table) as nobody:
            refused = await nobody.ask("act", decision=number, action=action)
            assert refused["code"] == "spectator"
        await keep_all(first)
    async with ann.connected(table, seat=1) as second:
        await keep_all(second)
    async with ann.connected(table, seat=0) as first:
        assert first.decision is not None
        assert first.decision["phase"] == "turn"


async def test_behind_the_curtain_both_are_there_and_nobody_watches(party: Party) -> None:
    table, ann = await pair(party)
    eve = await party.client("Eve")
    async with ann.connected(table), eve.connected(table) as watcher:
        await watcher.until(lambda: bool(watcher.presence))
        await watcher.until(lambda: watcher.presence["seats"] == [True, True])
        assert watcher.presence["spectators"] == 1


@pytest.mark.parametrize("board", ["usa", "new_york"])
async def test_a_whole_game_is_played_at_one_device(party: Party, board: str) -> None:
    table, ann = await pair(party, board)
    rng = random.Random(4)
    socket = await ann.connect(table)
    while not socket.over:
        assert socket.view is not None
        waiting = socket.view["waiting"]
        bits = waiting[0] if isinstance(waiting, list) else waiting
        turn = 0 if bits & 1 else 1
        await socket.close()
        socket = await ann.connect(table, seat=turn)
        while socket.decision is not None and not socket.over:
            await socket.act(socket.choose(rng)["action"])
        await socket.close()
        socket = await ann.connect(table)
    assert len(socket.table["result"]["scores"]) == 2
    assert socket.seat == 0  # nothing is hidden any more, and nobody is sent to watch
    await socket.close()


async def test_at_one_device_a_move_is_taken_back_without_asking(party: Party) -> None:
    table, ann = await pair(party)
    for seat in (0, 1):
        async with ann.connected(table, seat=seat) as socket:
            await keep_all(socket)
    async with ann.connected(table, seat=0) as first:
        assert first.decision is not None
        draw = next(o for o in first.decision["offers"] if o["do"] == "draw")
        drawn = await first.act(draw["action"])
        done = await first.takeback(drawn["number"])
        assert done["type"] == "done"
        await first.until(lambda: first.entries[-1]["kind"] == "taken_back")


async def test_those_who_share_a_device_agree_to_a_takeback_once(party: Party) -> None:
    ann, cat = await party.client("Ann"), await party.client("Cat")
    table = await ann.create("usa", 3, here=["Ben"], first=2)
    assert await cat.join(table) == 2
    for seat in (0, 1):
        async with ann.connected(table, seat=seat) as socket:
            await keep_all(socket)
    async with cat.connected(table) as third, ann.connected(table, seat=1) as ben:
        await keep_all(third)
        await third.until(lambda: third.decision is not None)
        assert third.decision is not None
        draw = next(o for o in third.decision["offers"] if o["do"] == "draw")
        drawn = await third.act(draw["action"])
        await third.takeback(drawn["number"])
        await ben.until(lambda: "wish" in ben.table)
        await ben.agree(ben.table["wish"]["request"])
        await third.until(lambda: third.entries[-1]["kind"] == "taken_back")


async def test_a_table_is_listed_once_and_waits_for_either_seat(party: Party) -> None:
    table, ann = await pair(party)
    async with ann.connected(table, seat=0) as socket:
        await keep_all(socket)
    (brief,) = [b for b in await ann.ask("GET", "/api/tables/mine") if b["table"]["id"] == table]
    assert (brief["held"], brief["your_turn"]) == ([0, 1], True)
    assert brief["scores"] == []


async def test_the_next_game_has_everyone_at_the_same_device_again(party: Party) -> None:
    table, ann = await pair(party, "new_york")
    for seat in (0, 1):
        path = f"/api/tables/{table}/seats/{seat}/bot"
        await ann.ask("PUT", path, {"level": "easy"}, 204)
    async with ann.connected(table) as socket:
        await socket.until(lambda: socket.over)
    (brief,) = [b for b in await ann.ask("GET", "/api/tables/mine") if b["table"]["id"] == table]
    assert len(brief["scores"]) == 2
    assert brief["winners"]
    following = (await ann.ask("POST", f"/api/tables/{table}/rematch"))["table"]
    async with ann.connected(following) as socket:
        assert socket.welcome["held"] == [0, 1]
        assert socket.seat == -1
