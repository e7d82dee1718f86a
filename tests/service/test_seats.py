"""Seats: taking, leaving, lending to bots, moving to another device, playing again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from branchline.service.access.keys import hash_key
from branchline.service.errors import ServiceError
from branchline.service.rooms.lobby import LINK_LIFE
from service.server import Client, Party, Server, Socket, open_game, play_some
from service.worlds import Ear, World, key_of, new_world

pytestmark = pytest.mark.anyio

AGAIN = 4000  # the close code that means: connect again


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with new_world(tmp_path) as found:
        yield found


def seats_of(table: str, seat: int = -1, more: str = "") -> str:
    path = f"/api/tables/{table}/seats"
    return f"{path}/{seat}{more}" if seat >= 0 else path


async def pair(party: Party, **more: object) -> tuple[str, Client, Client]:
    """A table in play between two persons."""
    ann, bob = await party.client("Ann"), await party.client("Bob")
    table = await ann.create("nordic", 2, **more)
    assert await bob.join(table) == 1
    return table, ann, bob


# --- taking and leaving -------------------------------------------------------------------------


async def test_whoever_has_the_link_takes_a_seat_and_the_last_begins_the_game(party: Party) -> None:
    ann, bob, eve = [await party.client(name) for name in ("Ann", "Bob", "Eve")]
    table = await ann.create("usa", 3)
    info = await eve.table(table)
    assert [s["kind"] for s in info["seats"]] == ["person", "open", "open"]
    assert (info["status"], info["host"]) == ("waiting", 0)
    assert "commitment" not in info
    assert await bob.join(table, 2) == 2
    assert await eve.join(table) == 1
    info = await eve.table(table)
    assert [s["name"] for s in info["seats"]] == ["Ann", "Eve", "Bob"]
    assert info["status"] == "playing"
    assert len(info["commitment"]) == 64


async def test_a_taken_seat_and_a_seat_that_is_not_there_are_refused(party: Party) -> None:
    table, _, bob = await pair(party)
    eve = await party.client("Eve")
    path = seats_of(table)
    assert await eve.refused("POST", path, {"name": "Eve"}) == (409, "seat_taken")
    assert await eve.refused("POST", path, {"name": "Eve", "seat": 1}) == (409, "seat_taken")
    waiting = await eve.create("usa", 3)
    assert await bob.refused("POST", seats_of(waiting), {"name": "B", "seat": 5}) == (
        422,
        "no_such_seat",
    )
    assert await bob.refused("POST", seats_of(waiting), {"name": "B", "seat": 0}) == (
        409,
        "seat_taken",
    )


async def test_two_who_want_the_same_seat_do_not_both_get_it(party: Party) -> None:
    ann = await party.client("Ann")
    table = await ann.create("usa", 5)
    others = [await party.client(f"P{k}") for k in range(6)]
    await asyncio.gather(*(other.http.get("/api/about") for other in others))
    answers = await asyncio.gather(
        *(o.http.post(seats_of(table), json={"name": o.name, "seat": None}) for o in others)
    )
    got = sorted(a.json()["seat"] for a in answers if a.status_code == 200)
    assert got == [1, 2, 3, 4]
    assert sorted(a.status_code for a in answers) == [200] * 4 + [409] * 2


async def test_joining_twice_keeps_the_seat_and_changes_the_name(party: Party) -> None:
    ann, bob = await party.client("Ann"), await party.client("Bob")
    table = await ann.create("usa", 3)
    assert await bob.join(table) == 1
    again = await bob.ask("POST", seats_of(table), {"name": "Robert"})
    assert again["seat"] == 1
    assert [s["name"] for s in (await ann.table(table))["seats"]] == ["Ann", "Robert", ""]


async def test_leaving_before_the_game_opens_the_seat(party: Party) -> None:
    ann, bob = await party.client("Ann"), await party.client("Bob")
    table = await ann.create("usa", 3)
    await bob.join(table)
    watch = await party.socket(ann, table)
    await bob.ask("DELETE", seats_of(table, 1), status=204)
    await watch.until(lambda: watch.table["seats"][1]["kind"] == "open")
    assert "Bob" in watch.entries[-1]["text"]
    assert await (await party.client("Eve")).join(table, 1) == 1


async def test_when_the_host_leaves_another_person_is_host(party: Party) -> None:
    ann, bob = await party.client("Ann"), await party.client("Bob")
    table = await ann.create("usa", 3)
    await bob.join(table)
    await ann.ask("DELETE", seats_of(table, 0), status=204)
    assert (await bob.table(table))["host"] == 1
    await bob.ask("PUT", seats_of(table, 2, "/bot"), {"level": "easy"}, 204)
    await bob.ask("DELETE", seats_of(table, 1), status=204)
    assert await ann.join(table) == 0
    assert (await bob.table(table))["host"] == 0


async def test_leaving_during_the_game_lets_a_bot_play_and_another_may_take_over(
    party: Party,
) -> None:
    table, ann, bob = await pair(party)
    a, b = [await party.socket(person, table) for person in (ann, bob)]
    await play_some([a, b], random.Random(1), 6)
    hand = b.view and b.view["hand"]
    await bob.ask("DELETE", seats_of(table, 1), status=204)
    assert await b.ended() == AGAIN
    await a.until(lambda: a.table["seats"][1]["kind"] == "bot")
    assert a.table["seats"][1]["free"]
    assert a.table["seats"][1]["name"] == "Bob"
    for _ in range(3):
        await a.step(random.Random(1))
    await a.until(lambda: any(e.get("by") == "bot" for e in a.entries))
    former = await party.socket(bob, table)
    assert former.seat == -1
    eve = await party.client("Eve")
    assert await eve.join(table) == 1
    e = await party.socket(eve, table)
    assert e.seat == 1
    assert e.view is not None
    assert hand is not None
    await a.until(lambda: a.table["seats"][1]["name"] == "Eve")
    assert a.table["seats"][1]["kind"] == "person"
    await asyncio.gather(a.play(random.Random(2)), e.play(random.Random(3)))


async def test_whoever_takes_a_seat_over_may_use_any_ids(party: Party) -> None:
    table, ann, bob = await pair(party)
    a, b = [await party.socket(person, table) for person in (ann, bob)]
    await b.until(lambda: b.decision is not None)
    assert b.decision is not None
    assert (await b.act(b.decision["offers"][0]["action"], id="1"))["type"] == "done"
    await bob.ask("DELETE", seats_of(table, 1), status=204)
    eve = await party.client("Eve")
    await eve.join(table)
    e = await party.socket(eve, table)
    await a.step(random.Random(1))
    active = await open_game(a, e)
    while active[0] is not e:
        await active[0].step(random.Random(1))
        active = await open_game(a, e)
    number = e.number
    reply = await e.act(e.offer("draw")["action"], id="1")
    assert reply["number"] > number
    await e.until(lambda: e.number > number)


async def test_a_game_that_everyone_has_left_is_played_to_its_end_by_bots(party: Party) -> None:
    ann = await party.client("Ann")
    table = await ann.create("new_york", 2, bots=["easy"])
    watch = await party.socket(await party.client("Will"), table)
    await ann.ask("DELETE", seats_of(table, 0), status=204)
    await watch.until(lambda: watch.over, 60)


async def test_nobody_leaves_a_game_that_is_over(party: Party) -> None:
    ann = await party.client("Ann")
    table = await ann.create("new_york", 2, bots=["easy"])
    a = await party.socket(ann, table)
    await a.play(random.Random(1))
    assert await ann.refused("DELETE", seats_of(table, 0)) == (409, "game_over")
    eve = await party.client("Eve")
    assert await eve.refused("POST", seats_of(table), {"name": "Eve"}) == (409, "game_over")


async def test_what_is_another_s_can_not_be_touched(party: Party) -> None:
    table, ann, bob = await pair(party)
    eve = await party.client("Eve")
    for stranger in (eve, bob):
        for method, more, body in (
            ("DELETE", "", None),
            ("PATCH", "", {"name": "Mallory"}),
            ("PUT", "/bot", {"level": "easy"}),
            ("DELETE", "/bot", None),
            ("POST", "/link", None),
        ):
            refused = await stranger.refused(method, seats_of(table, 0, more), body)
            assert refused == (403, "not_your_seat"), (method, more)
    assert await eve.refused("POST", f"/api/tables/{table}/rematch") == (403, "not_your_seat")
    assert await eve.refused("PUT", f"/api/tables/{table}/notices", {}) == (403, "not_your_seat")
    for path in ("record", "replay", "replay?seat=0", "replay?seat=1"):
        assert await ann.refused("GET", f"/api/tables/{table}/{path}") == (409, "not_over")
    for method, more, body in (("DELETE", "", None), ("PUT", "/bot", {"level": "easy"})):
        assert (await ann.refused(method, seats_of(table, 5, more), body))[1] == "no_such_seat"


# --- bots ---------------------------------------------------------------------------------------


async def test_the_host_fills_open_seats_with_bots_and_opens_them_again(party: Party) -> None:
    ann, bob = await party.client("Ann"), await party.client("Bob")
    table = await ann.create("usa", 4)
    await bob.join(table)
    assert await bob.refused("PUT", seats_of(table, 2, "/bot"), {"level": "easy"}) == (
        403,
        "not_your_seat",
    )
    await ann.ask("PUT", seats_of(table, 2, "/bot"), {"level": "hard"}, 204)
    seat = (await ann.table(table))["seats"][2]
    assert (seat["kind"], seat["bot"]) == ("bot", "hard")
    await ann.ask("DELETE", seats_of(table, 2, "/bot"), status=204)
    assert (await ann.table(table))["seats"][2]["kind"] == "open"
    assert await ann.refused("PUT", seats_of(table, 2, "/bot"), {"level": "genius"}) == (
        422,
        "no_such_level",
    )
    for seat_number in (2, 3):
        await ann.ask("PUT", seats_of(table, seat_number, "/bot"), {"level": "easy"}, 204)
    assert (await ann.table(table))["status"] == "playing"
    eve = await party.client("Eve")
    assert await eve.refused("POST", seats_of(table), {"name": "Eve"}) == (409, "seat_taken")


async def test_one_lends_the_own_seat_to_a_bot_and_takes_it_back(party: Party) -> None:
    table, ann, bob = await pair(party)
    a, b = await open_game(*[await party.socket(person, table) for person in (ann, bob)])
    owner = (ann, bob)[a.seat]
    await owner.ask("PUT", seats_of(table, a.seat, "/bot"), {"level": "easy"}, 204)
    await b.until(lambda: b.decision is not None)
    assert b.table["seats"][a.seat]["stand_in"]
    assert "free" not in b.table["seats"][a.seat]
    reply = await a.ask("act", decision=1, action=1)
    assert reply["code"] == "bot_plays"
    eve = await party.client("Eve")
    assert await eve.refused("POST", seats_of(table), {"name": "Eve"}) == (409, "seat_taken")
    await owner.ask("DELETE", seats_of(table, a.seat, "/bot"), status=204)
    await b.step(random.Random(1))
    await asyncio.gather(a.play(random.Random(2)), b.play(random.Random(3)))
    assert a.close_code is None


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ann \t B. ", "Ann B."),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("李雷 🚂", "李雷 🚂"),
        ("a\u202eb\u0000c\u200bd", "a b c d"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("x" * 40, "x" * 40),
    ],
)
async def test_names_are_kept_without_what_can_not_be_seen(
    party: Party, given: str, kept: str
) -> None:
    ann = await party.client(given)
    table = await ann.create("usa", 3)
    assert (await ann.table(table))["seats"][0]["name"] == kept
    await ann.ask("PATCH", seats_of(table, 0), {"name": "Other"}, 204)
    await ann.ask("PATCH", seats_of(table, 0), {"name": given}, 204)
    assert (await ann.table(table))["seats"][0]["name"] == kept


@pytest.mark.parametrize("name", ["", " ", "\u200b\u202e", "x" * 41, "x" * 10_000, None, 5])
async def test_names_that_are_none_are_refused(party: Party, name: object) -> None:
    ann = await party.client()
    body = {"board": "usa", "seats": 2, "name": name}
    assert (await ann.refused("POST", "/api/tables", body))[0] == 422
    table = await ann.create("usa", 3)
    assert (await ann.refused("PATCH", seats_of(table, 0), {"name": name}))[0] == 422
    assert (await ann.table(table))["seats"][0]["name"] == "Ann"


async def test_a_name_with_half_a_sign_is_refused(party: Party) -> None:
    ann = await party.client()
    body = b'{"board": "usa", "seats": 2, "name": "\\ud800"}'
    answer = await ann.http.post("/api/tables", content=body)
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"board": "atlantis"}, 404, "no_such_board"),
        ({"board": "../usa"}, 404, "no_such_board"),
        ({"seats": 1}, 422, "wrong_seats"),
        ({"seats": 6}, 422, "wrong_seats"),
        ({"seats": 99}, 422, "bad_request"),
        ({"bots": ["easy", "easy"]}, 422, "bad_table"),
        ({"bots": ["genius"]}, 422, "no_such_level"),
        ({"first": 2}, 422, "no_such_seat"),
        ({"pace": 10_001}, 422, "bad_request"),
        ({"colour": "red"}, 422, "bad_request"),
    ],
)
async def test_tables_that_can_not_be_are_refused(
    party: Party, more: dict[str, object], status: int, code: str
) -> None:
    ann = await party.client()
    body = {"board": "usa", "seats": 2, "name": "Ann", **more}
    assert await ann.refused("POST", "/api/tables", body) == (status, code)


async def test_tables_that_are_not_there_are_not_found(party: Party) -> None:
    ann = await party.client()
    nowhere = "/api/tables/23456789abc"
    assert await ann.refused("GET", nowhere) == (404, "no_such_table")
    assert await ann.refused("POST", f"{nowhere}/seats", {"name": "A"}) == (404, "no_such_table")
    assert (await ann.refused("GET", "/api/tables/x"))[0] == 422
    assert (await ann.refused("GET", "/api/nowhere"))[0] == 404


async def test_only_public_tables_are_listed(party: Party) -> None:
    ann = await party.client("Ann")
    hidden = await ann.create("usa", 3)
    shown = await ann.create("usa", 3, public=True)
    listed = await (await party.client("Eve")).ask("GET", "/api/tables")
    ids = [row["table"]["id"] for row in listed]
    assert shown in ids
    assert hidden not in ids


# --- another device -----------------------------------------------------------------------------


async def new_link(owner: Client, table: str, seat: int) -> str:
    answer = await owner.ask("POST", seats_of(table, seat, "/link"))
    assert answer["link"].endswith(f"/t/{table}#move={answer['token']}")
    return str(answer["token"])


async def test_another_device_takes_the_seat_over_once(party: Party, server: Server) -> None:
    table, ann, bob = await pair(party)
    old = await party.socket(ann, table)
    token = await new_link(ann, table, 0)
    assert token not in server.log
    phone, thief = await party.client("Phone"), await party.client("Thief")
    moved = await phone.ask("POST", f"/api/tables/{table}/move", {"token": token})
    assert moved == {"table": table, "seat": 0}
    assert await old.ended() == AGAIN
    assert (await party.socket(ann, table)).seat == -1
    new = await party.socket(phone, table)
    assert new.seat == 0
    assert new.table["seats"][0]["name"] == "Ann"
    assert new.view is not None
    assert new.view == old.view
    refused = await thief.refused("POST", f"/api/tables/{table}/move", {"token": token})
    assert refused == (410, "link_used")
    refused = await ann.refused("DELETE", seats_of(table, 0))
    assert refused == (403, "not_your_seat")
    b = await party.socket(bob, table)
    await asyncio.gather(new.play(random.Random(1)), b.play(random.Random(2)))


async def test_of_two_who_use_a_link_at_once_one_gets_the_seat(party: Party) -> None:
    table, ann, _ = await pair(party)
    token = await new_link(ann, table, 0)
    devices = [await party.client(f"D{k}") for k in range(5)]
    answers = await asyncio.gather(
        *(d.http.post(f"/api/tables/{table}/move", json={"token": token}) for d in devices)
    )
    assert sorted(a.status_code for a in answers) == [200, 410, 410, 410, 410]


async def test_a_link_is_for_its_table_and_its_seat_only(party: Party) -> None:
    table, ann, bob = await pair(party)
    other = await ann.create("usa", 3)
    token = await new_link(ann, table, 0)
    phone = await party.client("Phone")
    wrong = await phone.refused("POST", f"/api/tables/{other}/move", {"token": token})
    assert wrong == (410, "link_used")
    token = await new_link(ann, table, 0)
    refused = await bob.refused("POST", f"/api/tables/{table}/move", {"token": token})
    assert refused == (409, "seated_already")
    for guess in ("a" * 43, "a" * 20):
        status, _ = await phone.refused("POST", f"/api/tables/{table}/move", {"token": guess})
        assert status == 410


async def test_a_link_ends_after_a_while(world: World) -> None:
    await world.begin("nordic", 2, bots=[None])
    tokens = [await world.lobby.link(world.live, key_of(0), 0) for _ in range(2)]
    world.time += LINK_LIFE - 1
    assert await world.lobby.move(world.live, hash_key("phone"), tokens[0]) == 0
    fresh = await world.lobby.link(world.live, hash_key("phone"), 0)
    world.time += LINK_LIFE
    with pytest.raises(ServiceError, match="link_used"):
        await world.lobby.move(world.live, hash_key("tablet"), fresh)


async def test_a_link_ends_when_its_maker_no_longer_has_the_seat(world: World) -> None:
    await world.begin("nordic", 2, bots=[None])
    left, moved, used = [await world.lobby.link(world.live, key_of(k), k) for k in (1, 0, 0)]
    await world.lobby.leave(world.live, key_of(1), 1)
    await world.lobby.sit(world.live, hash_key("eve"), "Eve", 1)
    await world.lobby.move(world.live, hash_key("phone"), used)
    for token in (left, moved):
        with pytest.raises(ServiceError, match="link_used"):
            await world.lobby.move(world.live, hash_key("old friend"), token)
    assert world.table.seat_of(hash_key("eve")) == 1
    assert world.table.seat_of(hash_key("phone")) == 0


async def test_a_seat_that_is_lost_while_a_connection_begins_is_not_shown_to_it(
    world: World,
) -> None:
    await world.begin("nordic", 2, bots=[None])
    late = Ear(world, 1, "en")
    await world.lobby.leave(world.live, key_of(1), 1)
    await world.lobby.sit(world.live, hash_key("eve"), "Eve", 1)
    await world.rooms.welcome(world.live, late.connection, 0)
    (welcome,) = late.told("welcome")
    assert welcome["seat"] == -1
    assert not any(welcome["view"]["hand"])
    reply = await late.send(type="act", id="1", decision=1, action=1)
    assert reply["code"] == "spectator"


async def test_a_seat_that_a_bot_plays_is_taken_over_with_its_bot(world: World) -> None:
    await world.begin("nordic", 2, bots=[None])
    await world.lobby.seat_bot(world.live, key_of(0), 0, "easy")
    token = await world.lobby.link(world.live, key_of(0), 0)
    await world.lobby.move(world.live, hash_key("phone"), token)
    assert world.table.seats[0].bot == "easy"
    await world.lobby.unseat_bot(world.live, hash_key("phone"), 0)
    assert world.table.seats[0].person


# --- again ----------------------------------------------------------------------------------------


async def test_a_rematch_has_the_same_seats_and_is_made_once(party: Party) -> None:
    ann, bob = await party.client("Ann"), await party.client("Bob")
    table = await ann.create("new_york", 3, bots=[None, "easy"], public=True)
    await bob.join(table)
    assert await ann.refused("POST", f"/api/tables/{table}/rematch") == (409, "not_over")
    sockets: list[Socket] = [await party.socket(person, table) for person in (ann, bob)]
    await asyncio.gather(*(s.play(random.Random(k)) for k, s in enumerate(sockets)))
    answers = await asyncio.gather(
        *(p.ask("POST", f"/api/tables/{table}/rematch") for p in (ann, bob, ann))
    )
    (new,) = {answer["table"] for answer in answers}
    await sockets[1].until(lambda: sockets[1].table.get("rematch") == new)
    info = await bob.table(new)
    assert [s["name"] for s in info["seats"]][:2] == ["Ann", "Bob"]
    assert (info["status"], info["host"], info["public"]) == ("playing", 0, True)
    again = [await party.socket(person, new) for person in (ann, bob)]
    assert [s.seat for s in again] == [0, 1]
    assert again[0].table["commitment"] != sockets[0].table["commitment"]
