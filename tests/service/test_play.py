"""Whole games over the network: real clients at a real server."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from branchline import builtin_boards, load_board
from branchline.engine.notation import write_game
from branchline.engine.record import Record, replay
from branchline.engine.verify import verify
from service.server import Client, Party, Server, Socket, level, open_game, play_some

pytestmark = pytest.mark.anyio

BOARDS = list(builtin_boards())
GAMES = [(board, 2, 2) for board in BOARDS]
GAMES += [(board, min(4, load_board(board).seats_max), 1) for board in BOARDS]
GAMES += [("new_york", 4, 2)]
"""Boards, seats and persons; bots have the other seats, and take their time next to two persons."""


async def seated(party: Party, board: str, seats: int, persons: int) -> tuple[str, list[Client]]:
    """A table in play with so many persons; bots have the other seats."""
    people = [await party.client(f"P{k}", ["en", "fr"][k % 2]) for k in range(persons)]
    bots = [None] * (persons - 1) + ["easy"] * (seats - persons)
    table = await people[0].create(board, seats, bots=bots)
    for k, person in enumerate(people[1:], start=1):
        assert await person.join(table) == k
    return table, people


async def begun(
    party: Party, board: str = "nordic", seats: int = 2, persons: int = 2
) -> tuple[str, list[Client], list[Socket]]:
    """As `seated`, with everyone connected."""
    table, people = await seated(party, board, seats, persons)
    return table, people, [await party.socket(person, table) for person in people]


async def same_as_new(party: Party, client: Client, table: str, old: Socket) -> None:
    """What a connection was told bit by bit is what a new one is told at once."""
    new = await party.socket(client, table)

    def equal() -> bool:
        if new.number != old.number:
            return False
        assert new.view == old.view
        assert new.decision == old.decision
        assert new.entries == old.entries
        assert strip(new.table) == strip(old.table)
        return True

    for _ in range(100):
        await new.until(lambda: new.number >= old.number)
        await old.until(lambda: old.number >= new.number)
        if equal():
            break
    else:
        raise AssertionError("never at the same number")
    await new.close()


def strip(table: dict[str, Any]) -> dict[str, Any]:
    """A table without who is connected, which has a message of its own."""
    seats = [{k: v for k, v in seat.items() if k != "present"} for seat in table["seats"]]
    return {**table, "seats": seats, "spectators": 0}


async def record_of(client: Client, table: str) -> bytes:
    answer = await client.http.get(f"/api/tables/{table}/record")
    assert answer.status_code == 200
    return answer.content


# --- whole games --------------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "seats", "persons"), GAMES)
async def test_a_whole_game_and_its_record(
    party: Party, board: str, seats: int, persons: int
) -> None:
    table, people, sockets = await begun(party, board, seats, persons)
    watcher = await party.client("Will")
    watch = await party.socket(watcher, table)
    rng = random.Random(f"{board} {seats}")
    hands = [random.Random(rng.random()) for _ in sockets]
    await play_some(sockets, rng, 25)
    for person, socket in zip(people, sockets, strict=True):
        await same_as_new(party, person, table, socket)
    await same_as_new(party, watcher, table, watch)
    await asyncio.gather(*(s.play(r) for s, r in zip(sockets, hands, strict=True)))
    await watch.until(lambda: watch.over)

    result = watch.table["result"]
    assert all(s.table["result"]["scores"] == result["scores"] for s in sockets)
    assert all(s.decision is None for s in [*sockets, watch])
    assert result["seed"]
    for person, socket in zip(people, sockets, strict=True):
        await same_as_new(party, person, table, socket)

    assert (await watch.say("bravo"))["type"] == "done"
    await watch.until(lambda: watch.entries[-1]["kind"] == "said")
    assert watch.entries[-1]["name"] == "A spectator"

    data = await record_of(watcher, table)
    record = Record.from_json(data)
    assert verify(record).ok, verify(record).checks
    assert record.commitment == watch.table["commitment"]
    assert replay(record).outcome.scores == result["scores"]
    assert record.result is not None
    assert record.result.winners == result["winners"]
    written = write_game(replay(record)).encode()
    for query, content in (("", data), ("?seat=0&lang=fr", data), ("", written)):
        answer = await watcher.http.post(f"/api/replays{query}", content=content)
        assert answer.status_code == 200, answer.text
        assert len(answer.json()["steps"]) == len(record.actions) + 1
        assert answer.json()["result"]["scores"] == result["scores"]
    for query in ("", "?seat=0", f"?seat={seats - 1}&cities=local"):
        by_id = await watcher.http.get(f"/api/tables/{table}/replay{query}")
        uploaded = await watcher.http.post(f"/api/replays{query}", content=data)
        assert by_id.status_code == 200, by_id.text
        assert by_id.content == uploaded.content
        if not query:
            assert by_id.json()["result"] == result


async def test_several_tables_at_once_do_not_meet(party: Party) -> None:
    tables = [await begun(party, board, 2, 2) for board in BOARDS]
    rng = random.Random(7)
    seeds = [random.Random(rng.random()) for _ in tables]
    await asyncio.gather(
        *(play_some(pair, seed, 20) for (_, _, pair), seed in zip(tables, seeds, strict=True))
    )
    ids = {table for table, _, _ in tables}
    for table, _, pair in tables:
        for text in (text for socket in pair for text in socket.received):
            assert not any(other in text for other in ids - {table})


async def test_one_browser_plays_at_several_tables(party: Party) -> None:
    ann = await party.client("Ann")
    tables = [await ann.create("nordic", 2, bots=["easy"]) for _ in range(2)]
    sockets = [await party.socket(ann, table) for table in tables]
    await asyncio.gather(*(play_some([s], random.Random(1), 5) for s in sockets))
    mine = await ann.ask("GET", "/api/tables/mine")
    assert {row["table"]["id"] for row in mine} == set(tables)
    assert all(row["seat"] == 0 for row in mine)


async def test_everyone_reads_their_own_language(party: Party) -> None:
    _, _, (ann, bob) = await begun(party)
    await play_some([ann, bob], random.Random(3), 12)
    english = [e["text"] for entry in ann.entries for e in entry.get("events", [])]
    french = [e["text"] for entry in bob.entries for e in entry.get("events", [])]
    assert any("deals" in text or "turn" in text for text in english)
    assert any("carte" in text for text in french)
    assert not set(english) & set(french) - {""}


# --- decisions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
async def test_what_is_decided_together_is_asked_of_all_at_once(party: Party, board: str) -> None:
    seats = load_board(board).seats_max
    _, _, sockets = await begun(party, board, seats, seats)
    for socket in sockets:
        await socket.until(lambda s=socket: s.decision is not None)  # type: ignore[misc]
    first = {s.decision["number"] for s in sockets if s.decision}
    assert len(first) == 1
    replies = await asyncio.gather(
        *(s.act(s.decision["offers"][-1]["action"]) for s in sockets if s.decision)
    )
    assert [r["type"] for r in replies] == ["done"] * seats
    assert len({r["number"] for r in replies}) == seats
    await level(*sockets)
    for socket in sockets:
        assert socket.decision is None or socket.decision["number"] > max(first)


async def test_an_answer_to_an_older_decision_is_late(party: Party) -> None:
    _, _, (ann, bob) = await begun(party)
    await ann.until(lambda: ann.decision is not None)
    assert ann.decision is not None
    old, action = ann.decision["number"], ann.decision["offers"][0]["action"]
    assert (await ann.act(action))["type"] == "done"
    await bob.step(random.Random(1))
    await level(ann, bob)
    late = await ann.ask("act", decision=old, action=action)
    assert (late["type"], late["code"]) == ("refused", "late")
    assert late["text"]


async def test_who_is_not_asked_can_not_move(party: Party) -> None:
    _, _, sockets = await begun(party)
    active, idle = await open_game(*sockets)
    assert idle.decision is None
    assert active.decision is not None
    reasons = {0: "not_your_turn", 1: "late", active.decision["number"]: "late"}
    for number, reason in reasons.items():
        action = active.decision["offers"][0]["action"]
        reply = await idle.ask("act", decision=number, action=action)
        assert (reply["type"], reply["code"]) == ("refused", reason)


async def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing(
    party: Party,
) -> None:
    _, _, sockets = await begun(party)
    active, _ = await open_game(*sockets)
    assert active.decision is not None
    offered = {o["action"] for o in active.decision["offers"]}
    wrong = next(a for a in range(1000) if a not in offered)
    before = active.number
    reply = await active.act(wrong)
    assert reply["type"] == "refused"
    assert reply["rule"]
    beyond = await active.act(2**31 - 1)
    assert beyond["type"] == "refused"
    why = await active.ask("why", action=wrong)
    assert (why["rule"], why["text"]) == (reply["rule"], reply["text"])
    assert active.number == before


async def test_why_tells_what_is_in_the_way_of_a_route(party: Party) -> None:
    _, _, sockets = await begun(party)
    active, _ = await open_game(*sockets)
    assert active.decision is not None
    claims = {o["route"] for o in active.decision["offers"] if o["do"] == "claim"}
    blocked = next(r for r in range(40) if r not in claims)
    why = await active.ask("why", route=blocked)
    assert why["type"] == "because"
    assert all(why[part] for part in ("rule", "title", "text"))
    for route in claims:
        assert "rule" not in await active.ask("why", route=route)
    assert "rule" not in await active.ask("why", route=99_999)


# --- the same again -----------------------------------------------------------------------------


async def test_the_same_message_again_does_nothing_twice(party: Party, server: Server) -> None:
    table, (ann, _), (a, b) = await begun(party)
    await a.until(lambda: a.decision is not None)
    assert a.decision is not None
    message = {
        "id": "my move",
        "decision": a.decision["number"],
        "action": a.decision["offers"][0]["action"],
    }
    first = await a.ask("act", **message)
    assert first["type"] == "done"
    assert await a.ask("act", **message) == first
    other = await a.ask("act", **{**message, "action": message["action"] + 1})
    assert other == first
    await b.step(random.Random(1))
    await level(a, b)
    count = a.number
    again = await party.socket(ann, table)
    assert await again.ask("act", **message) == first
    server.restart()
    anew = await party.socket(ann, table)
    assert await anew.ask("act", **message) == first
    assert anew.number == count
    assert anew.entries == a.entries


async def test_ids_of_one_seat_are_not_those_of_another(party: Party) -> None:
    _, _, sockets = await begun(party)
    replies = []
    for s in sockets:
        await s.until(lambda s=s: s.decision is not None)  # type: ignore[misc]
        assert s.decision is not None
        replies.append(await s.act(s.decision["offers"][0]["action"], id="1"))
    assert [r["type"] for r in replies] == ["done", "done"]
    assert replies[0]["number"] != replies[1]["number"]


async def test_resuming_gives_exactly_what_was_missed(party: Party) -> None:
    table, people, sockets = await begun(party, "europe", 3, 3)
    rng = random.Random(11)
    await play_some(sockets, rng, 25)
    watcher = await party.client("Will")
    watch = await party.socket(watcher, table)
    await play_some([*sockets, watch], rng, 15)
    readers = [*zip(people, sockets, strict=True), (watcher, watch)]
    for person, socket in readers:
        for since in (0, 1, socket.number - 3, socket.number, socket.number + 5):
            again = await party.socket(person, table, since)
            assert again.welcome["number"] == socket.number
            assert again.entries == socket.entries[since:]
            await again.close()


async def test_a_lost_connection_loses_nothing(party: Party) -> None:
    table, (ann, _), (a, b) = await begun(party, "usa", 2, 2)
    rng_a, rng_b = random.Random(1), random.Random(2)
    playing = asyncio.create_task(b.play(rng_b))
    heard: list[Any] = []
    socket = a
    for _ in range(6):
        for _ in range(4):
            await socket.step(rng_a)
        heard += socket.entries
        socket.connection.transport.abort()
        since = socket.number
        await socket.ended()
        socket = await party.socket(ann, table, since)
    await socket.play(rng_a)
    await playing
    heard += socket.entries
    fresh = await party.socket(ann, table)
    assert heard == fresh.entries
    assert [e["number"] for e in heard] == list(range(1, len(heard) + 1))


async def test_a_move_sent_before_the_connection_was_lost_counts_once(party: Party) -> None:
    table, people, sockets = await begun(party)
    active, _ = await open_game(*sockets)
    assert active.decision is not None
    message = {"decision": active.decision["number"], "action": active.offer("draw")["action"]}
    sent = await active.send("act", **message)
    active.connection.transport.abort()
    await active.ended()
    again = await party.socket(people[active.seat], table)
    reply = await again.ask("act", **message, id=sent)
    assert reply["type"] == "done"
    drawn = [e for e in again.entries if e["number"] > message["decision"]]
    assert [(e["kind"], e["seat"]) for e in drawn] == [("moved", active.seat)]


# --- spectators ---------------------------------------------------------------------------------


async def test_a_spectator_sees_only_public_things_and_can_do_nothing(party: Party) -> None:
    table, _, sockets = await begun(party)
    active, _ = await open_game(*sockets)
    watch = await party.socket(await party.client("Will"), table)
    assert watch.seat == -1
    assert watch.view is not None
    assert not any(watch.view["hand"])
    assert not any(watch.view["tickets"])
    assert watch.decision is None
    assert active.decision is not None
    number, action = active.decision["number"], active.decision["offers"][0]["action"]
    for kind, fields in (
        ("act", {"decision": number, "action": action}),
        ("takeback", {"move": active.number}),
        ("agree", {"request": 1, "yes": True}),
        ("say", {"text": "she has all the reds"}),
    ):
        reply = await watch.ask(kind, **fields)
        assert (reply["type"], reply["code"]) == ("refused", "spectator")
    assert "rule" not in await watch.ask("why", action=action)
    assert active.decision["number"] == number
    assert watch.number == active.number


async def test_presence_tells_who_is_connected(party: Party) -> None:
    table, people, (a, b) = await begun(party)
    await a.until(lambda: a.presence.get("seats") == [True, True])
    await b.close()
    await a.until(lambda: a.presence["seats"] == [True, False])
    watch = await party.socket(await party.client("Will"), table)
    await a.until(lambda: a.presence["spectators"] == 1)
    assert watch.table["seats"][0]["present"]
    assert "present" not in watch.table["seats"][1]
    assert watch.table["spectators"] == 1
    second = await party.socket(people[0], table)
    await second.close()
    await watch.close()
    await a.until(lambda: a.presence["spectators"] == 0)
    assert a.presence["seats"] == [True, False]


# --- talk ---------------------------------------------------------------------------------------


async def test_what_is_said_reaches_everyone_and_the_host_can_switch_it_off(party: Party) -> None:
    table, (ann, bob), (a, b) = await begun(party)
    watch = await party.socket(await party.client("Will"), table)
    reply = await b.ask("say", text="  bonne\n chance <b>🚂</b> ", id="hello")
    assert reply["type"] == "done"
    assert await b.ask("say", text="again", id="hello") == reply
    for socket in (a, b, watch):
        await socket.until(lambda s=socket: s.entries[-1]["kind"] == "said")  # type: ignore[misc]
        last = socket.entries[-1]
        assert (last["seat"], last["name"]) == (1, "P1")
        assert last["text"] == "bonne chance <b>🚂</b>"
    assert await bob.refused("PUT", f"/api/tables/{table}/chat", {"on": False}) == (
        403,
        "host_only",
    )
    await ann.ask("PUT", f"/api/tables/{table}/chat", {"on": False}, 204)
    assert (await b.say("hello?"))["code"] == "chat_is_off"
    assert a.table["chat"] is False
    await ann.ask("PUT", f"/api/tables/{table}/chat", {"on": True}, 204)
    assert (await b.say("hello!"))["type"] == "done"
    assert (await b.say("   "))["code"] == "bad_message"
    assert (await b.ask("ping"))["type"] == "pong"


async def test_what_can_not_be_seen_is_not_said(party: Party) -> None:
    _, _, (a, b) = await begun(party)
    kept = "\U0001f468\u200d\U0001f469 \u0646\u0645\u06cc\u200c\u062f\u0627\u0646\u0645"
    assert (await b.say(f"a\x1b[2J\u202eb\u0000c\u2028d {kept}"))["type"] == "done"
    await a.until(lambda: a.entries[-1]["kind"] == "said")
    assert a.entries[-1]["text"] == f"a [2J b c d {kept}"
    for nothing in ("\x00\x07", "\u200d", "\u202e\u2066 \u200c"):
        assert (await b.say(nothing))["code"] == "bad_message"


UNSEEN = [
    *map(chr, range(0x20)),  # controls, among them line breaks and the escape of terminals
    *map(chr, range(0x7F, 0xA0)),
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",  # direction
    *"\u00ad\u200b\u2060\ufeff\u180e\u2028\u2029\U000e0041",  # no width, or another line
]


async def test_nobody_is_sent_a_control_character_in_a_name_or_in_what_is_said(
    party: Party,
) -> None:
    """Whatever is put in, by whichever way, comes out as a space; to all, and ever after."""
    ann, ben = await party.client("Ann"), await party.client("B\u202e\x1bn\n")
    table = await ann.create("usa", 2)
    await ben.join(table)
    b = await party.socket(ben, table)
    assert [seat["name"] for seat in b.table["seats"]] == ["Ann", "B n"]
    for k in range(0, len(UNSEEN), 15):
        some = UNSEEN[k : k + 15]
        given, kept = f"a{'a'.join(some)}a", " ".join("a" * (len(some) + 1))
        await ann.ask("PATCH", f"/api/tables/{table}/seats/0", {"name": given}, 204)
        assert (await ann.table(table))["seats"][0]["name"] == kept
    said = f"a{'a'.join(UNSEEN)}a"
    assert (await b.say(said))["type"] == "done"
    later = await party.socket(ann, table)
    await level(b, later)
    for socket in (b, later):
        assert socket.entries[-1]["text"] == " ".join("a" * (len(UNSEEN) + 1))
        told = json.dumps([socket.entries, socket.table], ensure_ascii=False)
        assert not set(told) & set(UNSEEN)
        assert "\\u" not in told
