"""Visitors: past games, series, ratings that count each game once, and being forgotten."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from branchline.service.people.people import People, players_of
from branchline.service.people.ratings import MEAN, SPREAD, Rating, after_game, places_of
from branchline.service.storage import Store
from branchline.service.tables.table import Table
from service.processes import ANN, BEN, CAT, Client, Process, until
from service.server import SECONDS, Party, Server, play_some
from service.storing import opened

pytestmark = pytest.mark.anyio


# Ratings


def test_ratings_are_those_of_weng_and_lin() -> None:
    """The numbers are those that openskill's PlackettLuce prints for the same games."""
    one, two = after_game([Rating(), Rating()], [1, 2])
    assert (one.mean, one.spread) == pytest.approx((27.63523138347365, 8.065506316323548))
    assert (two.mean, two.spread) == pytest.approx((22.36476861652635, 8.065506316323548))
    level = after_game([Rating(), Rating()], [1, 1])
    assert [r.mean for r in level] == pytest.approx([MEAN, MEAN])
    many = after_game([Rating()] * 4, [1, 2, 3, 4])
    assert [r.mean for r in many] == sorted((r.mean for r in many), reverse=True)
    assert sum(r.mean for r in many) == pytest.approx(4 * MEAN)
    assert all(r.spread < SPREAD and r.games == 1 for r in many)


def test_ratings_find_out_who_is_better() -> None:
    rng = random.Random(1)
    strengths = [0.0, 2.0, 4.0]
    found = [Rating()] * 3
    for _ in range(400):
        played = [rng.gauss(s, 3.0) for s in strengths]
        found = after_game(found, places_of([round(100 * x) for x in played], []))
    assert found[0].mean + 1 < found[1].mean < found[2].mean - 1
    assert all(r.margin < 250 for r in found)


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with opened(database_url) as found:
        yield found


async def played(process: Process, *keys: str) -> Table:
    """A game that these people have played to its end."""
    live = await process.lobby.create(keys[0], "new_york", len(keys), keys[0].title())
    for key in keys[1:]:
        await process.lobby.sit(live, key, key.title(), None)
    return await play_on(process, live.table.id, *keys)


async def play_on(process: Process, id: str, *keys: str) -> Table:
    rng = random.Random(3)
    clients: list[Client] = [await process.join(id, key) for key in keys]
    live = clients[0].live
    while live.table.status != "over":
        for client in clients:
            if live.table.seats[client.connection.seat].decision:
                await client.act_at_random(rng)
    for client in clients:
        process.rooms.leave(live, client.connection)
    return live.table


async def test_a_game_counts_once_whoever_rates_it(store: Store) -> None:
    process = Process(store)
    people = People(process.rooms, process.lobby, ratings=True)
    table = await played(process, ANN, BEN)
    await until(lambda: not process.rooms._tasks)
    first = await store.person(ANN), await store.person(BEN)
    assert first[0] is not None
    assert first[0].games == 1
    assert first[0].spread < SPREAD  # the mean stays where it was if they tie
    assert not await people.rate(table)
    again = People(Process(store).rooms, process.lobby, ratings=True)
    await again.start()
    assert (await store.person(ANN), await store.person(BEN)) == first


async def test_a_game_whose_server_died_at_its_end_is_rated_at_the_next_start(store: Store) -> None:
    process = Process(store)
    people = People(process.rooms, process.lobby, ratings=True)
    await people.start()
    process.die()
    await played(process, ANN, BEN)
    assert await store.person(ANN) is None
    await People(process.rooms, process.lobby, ratings=True).start()
    assert (await store.person(ANN)).games == 1  # type: ignore[union-attr]


async def test_without_ratings_nobody_has_one(store: Store) -> None:
    process = Process(store)
    people = People(process.rooms, process.lobby, ratings=False)
    await people.start()
    await played(process, ANN, BEN)
    assert await store.person(ANN) is None
    assert (await people.history(ANN, "en")).rating is None


async def test_who_leaves_is_last_and_who_shares_a_device_does_not_count(store: Store) -> None:
    process = Process(store)
    process.die()
    live = await process.lobby.create(ANN, "new_york", 4, "Ann", ["easy"], here=[None, "Amy"])
    await process.lobby.sit(live, BEN, "Ben", None)
    assert players_of(await over(process, live.table.id)) == []  # Ann and Amy are one browser
    live = await process.lobby.create(ANN, "new_york", 3, "Ann")
    await process.lobby.sit(live, BEN, "Ben", None)
    await process.lobby.sit(live, CAT, "Cat", None)
    await process.lobby.leave(live, CAT, 2)
    places = dict(players_of(await over(process, live.table.id)))
    assert set(places) == {ANN, BEN, CAT}
    assert places[CAT] > max(places[ANN], places[BEN])


async def over(process: Process, id: str) -> Table:
    """A table whose game ends as soon as everybody has made any moves."""
    live = await process.rooms.live_table(id)
    while live.table.status != "over":
        state = live.table.state
        assert state is not None
        for seat, s in enumerate(live.table.seats):
            if s.decision:
                action = random.Random(live.table.number).choice(list(state.legal(seat)))
                by = "bot" if s.bot else "person"
                await process.rooms.act(live, seat, s.decision, [action], by)
                break
    return live.table


# A series of games


async def test_a_rematch_goes_on_with_the_score(store: Store) -> None:
    process = Process(store)
    table = await played(process, ANN, BEN)
    assert table.series() is not None
    wins, points = [0, 0], [0, 0]
    for games in (1, 2, 3):
        assert table.state is not None
        outcome = table.state.outcome
        wins = [n + (k in outcome.winners) for k, n in enumerate(wins)]
        points = [n + outcome.scores[k] for k, n in enumerate(points)]
        series = table.series()
        assert series is not None
        assert (series.games, series.wins, series.points) == (games, wins, points)
        live = await process.rooms.live_table(table.id)
        following = await process.lobby.rematch(live, BEN)
        table = (await process.rooms.live_table(following)).table
        assert table.created.series == series
        process.rooms.live_tables.clear()  # as after a restart
        table = await play_on(process, following, ANN, BEN)


# Over the network


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("people"), "--ratings", "on") as running:
        yield running
        assert running.metric("branchline_errors_total") == 0, running.log


async def a_match(party: Party) -> tuple[Any, Any, str]:
    """A game of two that is over, with something said."""
    ann, ben = await party.client("Ann"), await party.client("Ben")
    table = await ann.create("new_york", 2)
    await ben.join(table)
    rng = random.Random(5)
    async with ann.connected(table) as a, ben.connected(table) as b:
        await b.say("my address is 1 Elm Street")
        await play_some([a, b], rng, 10_000)
        assert a.over
    return ann, ben, table


async def rated(client: Any) -> Any:
    """A visitor's page once its last game has counted; that happens after the end is told."""
    async with asyncio.timeout(SECONDS):
        while (page := await client.ask("GET", "/api/me"))["rating"] is None:
            await asyncio.sleep(0.01)
    return page


async def test_a_visitors_page_counts_its_games(party: Party) -> None:
    ann, ben, table = await a_match(party)
    scores = (await ann.table(table))["result"]["scores"]
    me = await rated(ann)
    (game,) = me["games"]
    assert (game["table"], game["seat"], game["scores"]) == (table, 0, scores)
    assert game["names"] == ["Ann", "Ben"]
    (board,) = me["boards"]
    assert (board["board"], board["games"], board["points"]) == ("new_york", 1, scores[0])
    (other,) = me["opponents"]
    assert (other["name"], other["kind"]) == ("Ben", "person")
    assert other["ahead"] + other["behind"] == 2 - len(game["winners"])  # a victory may be shared
    assert (game["place"] == 1) == bool(board["won"]) == (0 in game["winners"])
    assert other["ahead"] == int(game["winners"] == [0])
    theirs = await ben.ask("GET", "/api/me")
    assert theirs["opponents"][0]["ahead"] == other["behind"]
    assert me["rating"]["games"] == 1
    assert me["rating"]["points"] + theirs["rating"]["points"] == 3000
    export = await ann.http.get("/api/me/export")
    assert export.json() == me
    assert "attachment" in export.headers["content-disposition"]
    assert (await (await party.client("New")).ask("GET", "/api/me"))["games"] == []


async def test_a_name_is_remembered_and_shown_only_if_wanted(party: Party) -> None:
    ann = await party.client("Ann")
    await ann.ask("PUT", "/api/me", {"name": "  Ann\u202e of  Elm "}, 204)
    assert (await ann.ask("GET", "/api/me"))["name"] == "Ann of Elm"
    assert await ann.ask("GET", "/api/ratings") == []
    assert await ann.refused("PUT", "/api/me", {"name": "", "listed": True}) == (422, "bad_name")
    await ann.ask("PUT", "/api/me", {"name": ""}, 204)
    assert (await ann.ask("GET", "/api/me"))["name"] == ""


async def test_who_is_forgotten_is_nowhere_and_the_others_keep_their_game(
    party: Party, server: Server
) -> None:
    ann, ben, table = await a_match(party)
    running = await ben.create("nordic", 2)
    await ann.join(running)
    waiting = await ben.create("nordic", 3)
    before = ben.cookie
    record = (await ann.http.get(f"/api/tables/{table}/record")).json()
    await ben.ask("DELETE", "/api/me", None, 204)
    assert ben.cookie not in ("", before)
    old = httpx.Client(base_url=server.url, headers={"cookie": before}, timeout=30)
    with old:
        assert old.get("/api/tables/mine").json() == []
        assert old.get("/api/me").json()["games"] == []
        assert old.get("/api/me").json()["rating"] is None
    seats = (await ann.table(table))["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "Player 2"]
    after = (await ann.http.get(f"/api/tables/{table}/record")).json()
    assert after["names"] == ["Ann", "Player 2"]
    assert {**after, "names": 0} == {**record, "names": 0}
    assert (await ann.ask("GET", "/api/me"))["opponents"][0]["name"] == "Player 2"
    assert "Ben" not in str(await ann.ask("GET", "/api/tables/mine"))
    async with ann.connected(table) as socket:
        assert "Elm" not in "".join(socket.received)
        assert "Ben" not in "".join(socket.received)
    left = (await ann.table(running))["seats"][0]
    assert (left["kind"], left.get("free", False)) == ("bot", False)
    assert (await ann.table(waiting))["seats"][0]["kind"] == "open"
