"""Whatever fails while games are played, no acknowledged move is lost and none is made twice."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from branchline.engine.record import Record
from service.postgres import Cluster
from service.server import Server
from service.stubborn import Club, Game, SeatLost

pytestmark = pytest.mark.anyio

DATABASE = "branchline.db"


async def later(work: object) -> None:
    """Something that blocks, beside the clients."""
    assert callable(work)
    await asyncio.to_thread(work)


# The process


async def test_nothing_is_lost_by_a_server_that_is_killed_again_and_again(tmp_path: Path) -> None:
    rng = random.Random(7)
    with Server(tmp_path) as server:
        async with Club([server]) as club:
            await club.open_some()
            async with club.playing() as games:
                for _ in range(5):
                    await club.moved(rng.randrange(1, 50), games)
                    await asyncio.sleep(rng.random() * 0.05)
                    await later(server.restart)
                assert not games.done()
            assert club.moves > 200
            assert all(player.returns > 2 for player in club.players)
            assert server.metric("branchline_errors_total") == 0, server.log


async def test_the_other_process_serves_all_tables_when_one_is_killed(
    tmp_path: Path, postgres_url: str
) -> None:
    rng = random.Random(8)
    options = ("--database", postgres_url)
    with (
        Server(tmp_path / "one", *options) as one,
        Server(tmp_path / "two", *options) as two,
    ):
        async with Club([one, two]) as club:
            await club.open_some()
            async with club.playing() as games:
                for _ in range(4):
                    await club.moved(rng.randrange(1, 30), games)
                    victim = rng.choice([one, two])
                    await later(victim.kill)
                    await club.moved(rng.randrange(10, 30), games)  # by the other alone
                    async with club.at_rest():
                        await later(victim.start)
                assert not games.done()
            assert club.moves > 200


async def test_nothing_is_lost_when_the_database_server_restarts(
    tmp_path: Path, postgres: Cluster, postgres_url: str
) -> None:
    with (
        Server(tmp_path / "one", "--database", postgres_url) as one,
        Server(tmp_path / "two", "--database", postgres_url) as two,
    ):
        async with Club([one, two]) as club:
            await club.open_some()
            async with club.playing() as games:
                for how in (signal.SIGINT, signal.SIGQUIT):
                    await club.moved(40, games)
                    await later(lambda how=how: postgres.stop(how))
                    await asyncio.sleep(0.3)
                    await later(postgres.start)
                assert not games.done()
            assert club.refusals <= {"storage_unreachable"}


# The draw of a seed


async def drawn(game: Game, falls: Iterator[Callable[[], object]]) -> None:
    """One step of a draw after the other, while something falls during each of them."""
    for k in itertools.count():
        player = game.players[k % len(game.players)]
        begun, _ = await asyncio.gather(player.draw_on(), later(next(falls)))
        if begun:
            return


async def test_a_seed_is_drawn_by_all_though_the_server_is_killed_at_every_step(
    tmp_path: Path,
) -> None:
    with Server(tmp_path) as server:
        async with Club([server]) as club:
            game = await club.open("nordic", 2, [], 9, fair=True)
            await drawn(game, itertools.repeat(server.restart))
            record = await finished(club, game)
            assert record.draw is not None
            assert record.draw.round == 1
            assert None not in record.draw.nonces


async def test_a_seed_is_drawn_by_all_though_processes_and_the_database_server_are_killed(
    tmp_path: Path, postgres: Cluster, postgres_url: str
) -> None:
    def database(how: signal.Signals) -> None:
        postgres.stop(how)
        postgres.start()

    options = ("--database", postgres_url)
    with (
        Server(tmp_path / "one", *options) as one,
        Server(tmp_path / "two", *options) as two,
    ):
        falls: list[Callable[[], object]] = [one.restart, partial(database, signal.SIGKILL)]
        falls += [two.restart, partial(database, signal.SIGQUIT)]
        async with Club([one, two]) as club:
            game = await club.open("nordic", 2, [], 10, fair=True)
            await drawn(game, itertools.cycle(falls))
            record = await finished(club, game)
            assert record.draw is not None
            assert record.draw.round == 1
            assert None not in record.draw.nonces


async def test_whoever_leaves_a_draw_after_a_kill_loses_the_seat_and_all_is_drawn_anew(
    tmp_path: Path,
) -> None:
    with Server(tmp_path) as server:
        async with Club([server]) as club:
            game = await club.open("nordic", 3, [], 11, fair=True)
            for player in (*game.players, game.players[0]):
                assert not await player.draw_on()  # all promise, one reveals
            first = game.players[0].promised
            await later(server.restart)
            gone = game.players.pop()
            answer = await gone.ask("DELETE", f"/api/tables/{gone.table}/seats/2")
            assert answer.status_code == 204
            await later(server.restart)
            with pytest.raises(SeatLost):
                await gone.draw_on()
            record = await finished(club, game)
            assert record.draw is not None
            assert record.draw.round == 2
            (lost,) = record.draw.withheld
            assert (lost.seats, lost.server) == ([2], first["server"])
            assert [promise or "" for promise in lost.promises] == first["promises"]


async def finished(club: Club, game: Game) -> Record:
    """The record of a game that is played to its end, checked."""
    async with club.playing():
        pass
    answer = await game.players[0].ask("GET", f"/api/tables/{game.table}/record")
    return Record.from_json(answer.content)


# The disk


async def test_a_locked_database_is_told_and_the_game_goes_on_when_it_is_free(
    tmp_path: Path,
) -> None:
    with Server(tmp_path) as server:
        async with Club([server]) as club:
            game = await club.open("nordic", 2, [], 5)
            async with club.playing() as games:
                await club.moved(30, games)
                with closing(sqlite3.connect(tmp_path / DATABASE)) as other:
                    other.execute("BEGIN EXCLUSIVE")
                    stood = game.moves
                    await club.refused()
                    assert game.moves <= stood + 1  # one may have been on its way
                    other.rollback()
            assert club.refusals == {"storage_locked"}


async def test_a_full_disk_is_told_and_the_game_goes_on_when_there_is_room(
    small_disk: Path,
) -> None:
    if not os.path.ismount(small_disk):
        pytest.skip("only a user who may mount a small disk can fill one")
    ballast = small_disk / "ballast"
    with Server(small_disk) as server:
        async with Club([server]) as club:
            game = await club.open("nordic", 2, [], 6)
            async with club.playing() as games:
                await club.moved(20, games)
                with ballast.open("wb", buffering=0) as file:
                    try:
                        while True:
                            file.write(bytes(4096))
                    except OSError:
                        pass
                await club.refused()
                stood = game.moves
                await asyncio.sleep(0.5)
                assert game.moves == stood
                ballast.unlink()
            assert club.refusals == {"storage_full"}


# The end in good order


def processes_of(session: int) -> list[int]:
    """The processes that a server has left behind, itself included."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def gone(session: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while processes_of(session) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not processes_of(session)


async def test_a_server_that_is_told_to_stop_sends_its_clients_to_come_back_and_loses_nothing(
    tmp_path: Path,
) -> None:
    with Server(tmp_path) as server:
        async with Club([server]) as club:
            await club.open_some()
            watcher = club.players[0].clients[0]
            async with club.playing() as games:
                for _ in range(2):
                    await club.moved(25, games)
                    socket = await watcher.connect(club.games[0].table)
                    session, begun = server.pid, time.monotonic()
                    assert await asyncio.to_thread(server.stop) in (0, -signal.SIGTERM)
                    assert time.monotonic() - begun < 6
                    assert await socket.ended() in (1012, 4000)
                    await socket.close()
                    assert gone(session, 1), "no worker may stay"
                    await later(server.start)


async def test_a_killed_server_leaves_no_workers(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        async with Club([server]) as club:
            await club.open("nordic", 1, ["hard"], 1)
            session = server.pid
            assert len(processes_of(session)) > 1
            server.kill()
            assert await asyncio.to_thread(gone, session, 5)
