"""Nothing leaks: what a reader is sent depends on nothing that the reader may not know.

Twins are two tables that differ only in what one seat can't know. Whatever others do there, as long
as it looks the same to that seat, the seat and a spectator must be sent the same bytes.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
import pytest

from branchline import Game, State, builtin_boards, load_board
from branchline.engine.events import Log
from branchline.engine.layout import HELD
from branchline.engine.view import MINE
from branchline.rules.claims.ways import take_step
from branchline.service.messages import ClockRule, schema
from branchline.service.rooms import rooms as rooms_module
from branchline.service.tables.log_entries import AnyEntry, Began, BotSeated, Created, decode
from branchline.service.tables.table import Table, new_table
from golden_games import choose, game_of
from service.server import Party, Server, Socket
from service.worlds import Ear, World, key_of, new_world

pytestmark = pytest.mark.anyio

BOARDS = list(builtin_boards())
WITH_A_BOT = ("iberia", "nordic")  # which takes its time next to two persons
CLOCK = ClockRule("game", 30 * 60, "move")
SPECTATOR = -1
MANY, FEW = 16, 4  # actions that are tried, at a decision and at a step inside a claim
WANTED = ("hidden choices", "quiet takebacks", "takebacks", "chains")

Path_ = tuple[int, ...]


# --- twins --------------------------------------------------------------------------------------


class Twins:
    """Two worlds, and the ears of one seat and of spectators in each."""

    def __init__(self, a: World, b: World, seat: int) -> None:
        self.worlds = (a, b)
        self.seat = seat
        self.ears: tuple[list[Ear], list[Ear]] = ([], [])
        self.movers: tuple[dict[int, Ear], dict[int, Ear]] = ({}, {})
        self.met: Counter[str] = Counter()

    async def listen(self) -> None:
        for world, ears, movers in zip(self.worlds, self.ears, self.movers, strict=True):
            ears += [await world.listen(self.seat, lang) for lang in ("en", "fr")]
            ears += [await world.listen(SPECTATOR, lang) for lang in ("en", "fr")]
            movers[self.seat] = ears[0]
            for other in range(len(world.table.seats)):
                if other != self.seat:
                    movers[other] = await world.listen(other)

    def equal(self, what: str) -> None:
        """Everything that was sent to the seat and to spectators must be the same."""
        for one, two in zip(*self.ears, strict=True):
            sent = [ear.take() for ear in (one, two)]
            assert sent[0] == sent[1], difference(what, *sent)
            self.met["messages"] += len(sent[0])

    def wait(self, milliseconds: int) -> None:
        for world in self.worlds:
            world.time += milliseconds

    async def probe(self, rng: random.Random) -> None:
        """Ask whatever a seat or a spectator may ask, in both worlds."""
        state = self.worlds[0].state
        actions = [rng.randrange(len(state.game.action_rules)) for _ in range(3)]
        decision = rng.randrange(self.worlds[0].table.number + 2)
        for ears in self.ears:
            for ear in ears[::2]:
                for action in actions:
                    await ear.send(type="why", id="why", action=action)
                await ear.send(type="why", id="why", route=actions[0] % state.t.routes)
                await ear.send(type="how", id="how", route=actions[1] % state.t.routes)
                for number in (0, decision):
                    await ear.send(type="act", id="no", decision=number, action=10**6)
                    await ear.send(type="act", id="no", decision=number, actions=actions)
                await ear.send(type="agree", id="no", request=decision, yes=True)
                await ear.send(type="takeback", id="no", move=10**6)
                await ear.send(type="ping", id="ping")
        self.equal("answers")
        lists = [await listed(world, self.seat) for world in self.worlds]
        assert lists[0] == lists[1]
        since = rng.choice([0, 0, decision])
        for world, ears in zip(self.worlds, self.ears, strict=True):
            for seat in (self.seat, SPECTATOR):
                newcomer = await world.listen(seat, "en", since)
                ears.append(newcomer)
        self.equal("a new connection")
        for world, ears in zip(self.worlds, self.ears, strict=True):
            for _ in range(2):
                world.rooms.leave(world.live, ears.pop().connection)
        self.equal("a connection gone")


async def listed(world: World, seat: int) -> list[bytes]:
    """What the lists of tables say, to everyone and to the seat."""
    service = world.service
    found = [await service.public_tables("en"), await service.tables_of(key_of(seat), "en")]
    return [msgspec.json.encode(rows) for rows in found]


def difference(what: str, one: list[bytes], two: list[bytes]) -> str:
    """Where two lists of messages differ first."""
    for x, y in zip_longest(one, two, fillvalue=b""):
        if x != y:
            at = next((k for k, (a, b) in enumerate(zip(x, y, strict=False)) if a != b), 0)
            parts = [m[max(0, at - 120) : at + 120] for m in (x, y)]
            return f"{what}: {parts[0]!r}\n{parts[1]!r}"
    return what


@asynccontextmanager
async def twins(
    folder: Path, board: str, seats: int, seat: int, rng: random.Random, moves: int
) -> AsyncIterator[Twins]:
    """Two tables that go the same way for so many moves; then the second has other secrets."""
    async with AsyncExitStack() as stack:
        found = []
        for name in ("a", "b"):
            (folder / name).mkdir()
            found.append(await stack.enter_async_context(new_world(folder / name)))
        pair = Twins(found[0], found[1], seat)
        for world in pair.worlds:
            await world.begin(board, seats, CLOCK)
        await pair.listen()
        pair.equal("the same beginning")
        for _ in range(moves):
            state = pair.worlds[0].state
            mover = rng.choice(state.to_act)
            action = choose(state, mover, "saver", rng)
            pair.wait(rng.randrange(5000))
            for movers in pair.movers:
                await movers[mover].act(action)
            pair.equal("the same way")
        a, b = pair.worlds
        assert a.state == b.state
        other = a.state.resample(seat, rng.randrange(10**6))
        align(other, a.state)
        assert other != a.state
        assert other.view(seat) == a.state.view(seat)
        await b.become(other)
        yield pair


def align(twin: State, state: State) -> None:
    """Let the deck of the twin begin as that of the other, so that chance shows them the same."""
    d, t = twin.d, twin.t
    for k in reversed(range(d[t.deck_len])):
        card = state.d[t.deck + k]
        at = next((j for j in range(k, -1, -1) if d[t.deck + j] == card), None)
        if at is None or card >= t.special or d[t.deck + k] >= t.special:
            if d[t.deck + k] == card:
                continue
            return
        d[t.deck + at], d[t.deck + k] = d[t.deck + k], d[t.deck + at]


def ways(state: State, mover: int, reader: int, first: list[int]) -> dict[str, Path_]:
    """What a seat can do until others hear of it: what the reader learns, and by which actions.

    `first` are the actions with which it may begin; of a step's actions only some are tried.
    """
    found: dict[str, Path_] = {}

    def follow(now: State, path: Path_, actions: list[int]) -> None:
        for action in actions:
            after = now.clone()
            after.log = Log()
            after.apply(mover, action)
            events = [e for e in after.events if not e.kind.silent]
            if not events:
                follow(after, (*path, action), after.legal(mover)[: 1 if path else FEW])
                continue
            if after.over:
                continue  # now everything is open
            heard = [(e.kind.name, int(e.seat), e.seen(reader)) for e in events]
            views = [after.view(r).to_dict() for r in (reader, SPECTATOR)]
            found.setdefault(json.dumps([heard, views]), (*path, action))

    follow(state, (), first)
    return found


def same_ways(pair: Twins, mover: int, rng: random.Random) -> list[tuple[Path_, Path_]]:
    """Ways to go on in both worlds between which the reader can't tell."""
    one, two = (world.state for world in pair.worlds)
    both = sorted(set(one.legal(mover)) & set(two.legal(mover)))
    first = rng.sample(both, min(MANY, len(both)))
    in_one, in_two = (ways(state, mover, pair.seat, first) for state in (one, two))
    return [(in_one[seen], in_two[seen]) for seen in in_one if seen in in_two]


async def go(pair: Twins, mover: int, paths: tuple[Path_, Path_], rng: random.Random) -> None:
    """Go a way in both worlds; hidden steps are made before the time of the last one."""
    if mover != pair.seat and len(paths[0]) + len(paths[1]) > 2 and rng.random() < 0.4:
        await go_at_once(pair, mover, paths, rng)
        return
    hesitates = mover != pair.seat and rng.random() < 0.5
    pair.wait(rng.randrange(5000))
    for movers, path in zip(pair.movers, paths, strict=True):
        me = movers[mover]
        if len(path) > 1 and hesitates:
            pair.met["quiet takebacks"] += 1
            before = me.world.state.clone()
            step = (await me.act(path[0]))["number"]
            reply = await me.send(type="takeback", id=f"quiet {step}", move=step)
            assert reply["type"] == "done"
            assert me.world.state == before
        for action in path[:-1]:
            await me.act(action)
    pair.equal("hidden steps")
    if len(paths[0]) != len(paths[1]):
        pair.met["hidden choices"] += 1
        await pair.probe(rng)
    pair.wait(rng.randrange(5000))
    for movers, path in zip(pair.movers, paths, strict=True):
        await movers[mover].act(path[-1])
    pair.equal("a move")


async def go_at_once(
    pair: Twins, mover: int, paths: tuple[Path_, Path_], rng: random.Random
) -> None:
    """Go a way in one message in one world, and step by step or in one message in the other."""
    pair.met["chains"] += 1
    pair.wait(rng.randrange(5000))
    steps = rng.randrange(3)
    for k, (movers, path) in enumerate(zip(pair.movers, paths, strict=True)):
        if steps == k:
            for action in path:
                await movers[mover].act(action)
        else:
            await movers[mover].act_at_once(whole_chain(movers[mover].world.state, mover, path))
    pair.equal("a chain")


def whole_chain(state: State, seat: int, path: Path_) -> list[int]:
    """A way with those of its steps that have only one answer, except after the last choice."""
    probe, chain = state.clone(), []
    for k, action in enumerate(path):
        while not probe.allows(seat, action):
            chain.append(probe.legal(seat)[0])
            take_step(probe, seat, chain[-1])
        chain.append(action)
        if k < len(path) - 1:
            take_step(probe, seat, action)
    return chain


async def take_back(
    pair: Twins, mover: int, paths: tuple[Path_, Path_], rng: random.Random
) -> None:
    """Take back what was just done, and do it again; in both worlds it looks the same."""
    whole = rng.random() < 0.5
    pair.met["takebacks"] += 1
    pair.wait(1000)
    for world, movers, path in zip(pair.worlds, pair.movers, paths, strict=True):
        own = [step.number for step in world.table.table_state.steps if step.seat == mover]
        move = world.table.number_for(mover, own[-len(path)] if whole else own[-1])
        reply = await movers[mover].send(type="takeback", id=f"back {move}", move=move)
        assert reply["type"] == "done"
    pair.equal("a takeback")
    pair.wait(1000)
    for movers, path in zip(pair.movers, paths, strict=True):
        for action in path if whole else path[-1:]:
            await movers[mover].act(action)
    pair.equal("the same again")


@pytest.fixture
def same_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table has the same id, and every game the same seed; snapshots are those of twins."""
    monkeypatch.setattr(rooms_module, "SNAPSHOT_EVERY", 10**9)
    monkeypatch.setattr(rooms_module, "new_table_id", lambda: "twntwntwntw")
    monkeypatch.setattr(secrets, "token_hex", lambda n: "5eed" * (n // 2))


async def play_twins(pair: Twins, rng: random.Random, moves: int) -> None:
    """Let all play what looks the same in both worlds, as long as there is something."""
    for _ in range(moves):
        state = pair.worlds[0].state
        if state.over:
            return
        mover = rng.choice(state.to_act)
        found = same_ways(pair, mover, rng)
        if not found:
            pair.met["parted"] += 1
            return
        odd = [paths for paths in found if len(paths[0]) != len(paths[1])]
        paths = rng.choice(odd if odd and rng.random() < 0.7 else found)
        await go(pair, mover, paths, rng)
        free = all(w.table.table_state.steps[-1].harmless for w in pair.worlds)
        if free and mover != pair.seat and rng.random() < 0.4:
            await take_back(pair, mover, paths, rng)
        if rng.random() < 0.1:
            await pair.probe(rng)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.usefixtures("same_chances")
async def test_twin_games_send_a_seat_and_spectators_the_same_bytes(
    tmp_path: Path, board: str
) -> None:
    met: Counter[str] = Counter()
    for seed in range(12):
        rng = random.Random(f"twins {board} {seed}")
        seats = rng.choice([2, min(3, load_board(board).seats_max)])
        folder = tmp_path / str(seed)
        folder.mkdir()
        moves = rng.randrange(20, 70) if seed else 0
        async with twins(folder, board, seats, rng.randrange(seats), rng, moves) as pair:
            await play_twins(pair, rng, 15)
        met += pair.met
        if seed > 1 and min(met[wanted] for wanted in WANTED) >= 2:
            break
    assert all(met[wanted] >= 2 for wanted in WANTED), met


# --- every byte of whole games --------------------------------------------------------------------

SECRET_VALUES = {"card", "tickets", "ticket", "mask", "action", "order", "seed", "control"}
OPEN = {
    "CardTaken": {"card"},
    "DisplayFilled": {"card"},
    "TunnelCardTurnedUp": {"card"},
    "TicketsShuffled": {"tickets"},  # how many
}
"""Events in which such a value lies open; in all others only their seat may know it."""
BLIND = ("CardDrawn", "TicketsOffered", "PackDealt", "TicketPicked", "PackPassed")


def stored(server: Server, table: str) -> list[tuple[int, int, AnyEntry]]:
    """A table's log, as the server has it on its disk."""
    with closing(sqlite3.connect(server.data / "branchline.db")) as database:
        rows = database.execute(
            "SELECT number, at, body FROM entries WHERE table_id = ? ORDER BY number", (table,)
        ).fetchall()
    return [(number, at, decode(body)) for number, at, body in rows]


def truths(log: list[tuple[int, int, AnyEntry]]) -> Iterator[Table]:
    """The table after each entry of its log, with every secret. It is changed on the way."""
    created = log[0][2]
    assert isinstance(created, Created)
    table = new_table("", created, game_of(created.board, created.seats))
    for number, at, entry in log:
        table.apply(number, at, entry)
        yield table


def keys_in(data: object) -> set[str]:
    """The names of all fields, however deep."""
    if isinstance(data, dict):
        return set(data).union(*map(keys_in, data.values()))
    return set().union(*map(keys_in, data)) if isinstance(data, list) else set()


FACTS = {"places", "locomotives", "size", "left", "count", "line", "spot", "express", "festival"}
FACTS |= {"rank", "gain"}
"""What rules tell of the reader's own actions, in addition to the published facts."""


@lru_cache
def allowed_keys(game: Game) -> set[str]:
    """Every name that a message may have: the protocol's, fields of a view, values of events."""
    protocol = set().union(
        *(part.get("properties", {}) for part in schema()["$defs"].values()), {"type"}
    )
    events = {name for kind in game.event_kinds for name in kind.names}
    return protocol | FACTS | set(game.view_fields) | (events - {"order", "seed", "control"})


@lru_cache
def secret_words(game: Game) -> re.Pattern[str]:
    """What a sentence about another's hidden cards or tickets must not name."""
    names = {city.named(lang) for city in game.board.cities for lang in ("", "en", "fr")}
    words = sorted(names | {*game.board.colours, "locomotive", "Locomotive"})
    return re.compile(rf"\b({'|'.join(map(re.escape, words))})\b")


def check_events(told: list[dict[str, Any]], reader: int, game: Game) -> int:
    """Others' hidden values are absent from events; gives how many could have had one."""
    count = 0
    for event in told:
        if event["seat"] == reader and reader >= 0:
            continue
        values = set(event.get("values", {}))
        assert not values & (SECRET_VALUES - OPEN.get(event["event"], set())), event
        if event["event"].removeprefix("Second") in BLIND:
            count += 1
            assert not secret_words(game).search(event["text"]), event
    return count


def check_view(shown: dict[str, Any], truth: State, reader: int) -> None:
    """A view as folded by the client shows the reader's own part of the truth, and no other."""
    d, t = truth.d, truth.t
    assert set(shown) == set(truth.game.view_fields)
    hand = [int(d[t.hand + reader * t.kinds + k]) if reader >= 0 else 0 for k in range(t.kinds)]
    assert shown["hand"] == hand
    for ticket in range(t.tickets):
        at = int(d[t.ticket_at + ticket])
        if shown["tickets"][ticket] == MINE:
            assert at == HELD + reader
        elif reader < 0 or at in [HELD + k for k in range(t.seats) if k != reader]:
            assert shown["tickets"][ticket] == 0
    assert shown == {name: truth.view(reader)[name] for name in truth.game.view_fields}


@pytest.mark.parametrize("board", BOARDS)
async def test_no_byte_of_a_whole_game_tells_a_reader_too_much(
    server: Server, party: Party, board: str
) -> None:
    langs = ("en", "fr") if board in WITH_A_BOT else ("en", "fr", "en")
    people = [await party.client(f"P{k}", lang) for k, lang in enumerate(langs)]
    bot = "easy" if board in WITH_A_BOT else None
    table = await people[0].create(board, 3, bots=[None, bot], public=True)
    for person in people[1:]:
        await person.join(table)
    players = [await party.socket(person, table) for person in people]
    watch = await party.socket(await party.client("Will"), table)
    rng = random.Random(board)
    await asyncio.gather(*(s.play(random.Random(rng.random())) for s in players))
    await watch.until(lambda: watch.over)
    log = stored(server, table)
    for socket in (*players, watch):
        scan(socket, log)


def scan(socket: Socket, log: list[tuple[int, int, AnyEntry]]) -> None:
    """Compare all that a connection has received with the truth at that moment."""
    began = next(entry for _, _, entry in log if isinstance(entry, Began))
    secrets = [began.seed, *(getattr(entry, "key", "") for _, _, entry in log)]
    secrets += [entry.seed for _, _, entry in log if isinstance(entry, BotSeated)]
    reader, hidden = socket.seat, 0
    received = [m for m in map(json.loads, socket.received) if m["type"] in ("welcome", "update")]
    shown: dict[str, Any] = {}
    at = 0
    for truth in truths(log):
        assert truth.state is not None or not shown
        if truth.number_for(reader, truth.number) < received[at]["number"]:
            continue
        if not truth.hears(reader, truth.number):
            assert truth.state is not None
            check_view(shown, truth.state, reader)  # a hidden step changes nothing for others
            continue
        message = received[at]
        at += 1
        if not truth.state or truth.state.over:
            continue
        text = json.dumps(message)
        assert not any(secret and secret in text for secret in secrets)
        assert keys_in(message) <= allowed_keys(truth.game)
        assert "result" not in message.get("table", {})
        shown |= message.get("view") or message.get("changes", {})
        check_view(shown, truth.state, reader)
        for entry in message.get("entries", [message.get("entry", {})]):
            hidden += check_events(entry.get("events", []), reader, truth.game)
        if message.get("decision"):
            assert reader in truth.state.to_act
            offered = [offer["action"] for offer in message["decision"]["offers"]]
            assert offered == truth.state.legal(reader)
    assert at == len(received)
    assert hidden
