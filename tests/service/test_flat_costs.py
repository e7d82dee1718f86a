"""What a table or a list costs does not grow with what others have done."""

from __future__ import annotations

import copy
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from branchline.service.errors import ServiceError
from branchline.service.messages import ClockRule
from branchline.service.rooms import rooms as rooms_module
from branchline.service.storage import EntryRow
from branchline.service.tables.log_entries import Created
from branchline.service.tables.table_state import SeatState, Step, TableState, Wish, copied
from service.server import Client, Party, Server
from service.worlds import World, key_of, new_world

pytestmark = pytest.mark.anyio


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with new_world(tmp_path) as found:
        yield found


async def finished(party: Party) -> tuple[Client, str]:
    ann = await party.client()
    table = await ann.create("new_york", 2, bots=["easy"])
    await (await party.socket(ann, table)).play(random.Random(1))
    return ann, table


async def test_a_finished_table_is_listed_the_same_from_its_summary(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        async with Party(server.url) as party:
            ann, table = await finished(party)
            for lang in ("en", "fr"):
                await ann.ask("GET", f"/api/tables/mine?lang={lang}")
            live = {
                lang: await ann.ask("GET", f"/api/tables/mine?lang={lang}") for lang in ("en", "fr")
            }
            server.restart()
            for lang, before in live.items():
                after = await ann.ask("GET", f"/api/tables/mine?lang={lang}")
                for brief in (*before, *after):  # who is connected
                    brief["table"]["spectators"] = 0
                    for seat in brief["table"]["seats"]:
                        seat["present"] = False
                assert after == before
                assert after[0]["scores"]
            assert server.metric("branchline_tables_live") == 0, "no log was read for it"
            await ann.table(table)
            assert server.metric("branchline_tables_live") == 1


async def test_a_rename_after_the_game_is_in_the_list(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        async with Party(server.url) as party:
            ann, table = await finished(party)
            await ann.ask("PATCH", f"/api/tables/{table}/seats/0", {"name": "Zoé"}, 204)
            server.restart()
            (brief,) = await ann.ask("GET", "/api/tables/mine")
            assert brief["table"]["seats"][0]["name"] == "Zoé"


@pytest.mark.parametrize("seat", [0, 1, -1])
async def test_who_comes_back_gets_what_is_new_and_nothing_else_is_read(
    world: World, seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begin("usa", 2)
    people = [await world.listen(k) for k in range(2)]
    rng = random.Random(seat)
    for _ in range(40):
        mover = next(k for k, s in enumerate(world.table.seats) if s.decision)
        await people[mover].act(rng.choice(list(world.state.view(mover).actions)))
    (whole,) = (await world.listen(seat)).told("welcome")
    read: list[int] = []
    entries = world.store.entries

    async def noted(id: str, after: int = 0) -> list[EntryRow]:
        rows = await entries(id, after)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(world.store, "entries", noted)
    last = whole["number"]
    for since in (last, last + 50, last - 1, last - 7, 3, 0):
        read.clear()
        (welcome,) = (await world.listen(seat, since=since)).told("welcome")
        assert welcome["entries"] == [e for e in whole["entries"] if e["number"] > since]
        for told in (welcome, whole):
            told["table"]["spectators"] = 0
        assert {**welcome, "entries": []} == {**whole, "entries": []}
        unheard = world.table.number - last
        assert sum(read) <= max(0, last - since) + unheard


async def test_a_log_can_be_grown_by_names_and_chat_only_so_far(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begin("usa", 2)
    monkeypatch.setattr(rooms_module, "MOST_OTHERS", world.table.number + 5)
    number = world.table.number
    await world.lobby.rename(world.live, key_of(0), 0, world.table.seats[0].name)
    assert world.table.number == number, "the same name again is no entry"
    ear = await world.listen(0)
    for k in range(5):
        await world.lobby.rename(world.live, key_of(0), 0, f"Ann {k}")
    with pytest.raises(ServiceError, match="log_full"):
        await world.lobby.rename(world.live, key_of(0), 0, "Zoé")
    said = await ear.send(type="say", id="s1", text="hello")
    assert said["code"] == "log_full"
    mover = next(k for k, s in enumerate(world.table.seats) if s.decision)
    await (await world.listen(mover)).act(world.state.view(mover).actions[0])
    await world.lobby.leave(world.live, key_of(0), 0)
    assert world.table.seats[0].bot


def test_a_copied_state_is_equal_and_shares_nothing_that_changes() -> None:
    state = TableState(
        "a",
        Created("usa", "d", 2, False, ClockRule()),
        [SeatState("Ann", "k"), SeatState("Ben", "l", since=4)],
        steps=[Step(3, 0, "person", True)],
        ids={"0 m1": 3},
        quiet=[[1], [2, 4]],
        wish=Wish(5, 0, 3, [1]),
    )
    kept = copy.deepcopy(state)
    other = copied(state)
    assert other == state
    other.seats[0].name = "Zoé"
    other.steps.append(Step(4, 1, "bot", False))
    other.ids["x"] = 1
    other.quiet[0].append(9)
    assert other.wish is not None
    other.wish.agreed.append(0)
    assert state == kept
    assert copied(kept) == kept
