"""Bots at tables: started once, their state kept or rebuilt, finished once."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from branchline import Game
from branchline.bots import seat_bot
from branchline.engine.state import State
from branchline.engine.view import view_from
from branchline.service.bots import sessions as bot_sessions
from branchline.service.bots import worker_pool as pool
from branchline.service.bots.history import shown, shown_to_bot
from branchline.service.bots.sessions import (
    DONE,
    UNKNOWN,
    Background,
    BotSessions,
    Question,
    Shown,
)
from branchline.service.bots.worker_pool import LoadBackground, WorkerPool
from branchline.service.broadcast.live_table import LiveTable
from branchline.service.rooms.autoplay import Autoplay
from branchline.service.rooms.lobby import Lobby
from branchline.service.tables import log_entries as log
from branchline.service.tables.boards import source_of
from branchline.service.tables.log_entries import Moved
from service.worlds import World, key_of, new_world

pytestmark = pytest.mark.anyio

BOARD = "new_york"
NOTING = "service.noting_bots:Noting"
RAISING = "service.noting_bots:Raising"
DYING = "service.noting_bots:Dying"

CHOICE = 5  # a deal in which the person’s move is followed by others
Call = tuple[str, str, int]  # what was called, of which object, for which seat


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bot may sit at a table, and the same chance deals all games."""
    monkeypatch.setattr(Lobby, "_check_level", lambda self, level: level)
    numbers = itertools.count(1)
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")
    monkeypatch.setattr(secrets, "choice", lambda options: options[CHOICE])  # of a table's name


def calls(path: Path) -> list[Call]:
    lines = [line.split() for line in path.read_text().splitlines()]
    return [(what, name, int(seat)) for what, name, seat in lines]


class Bots:
    """A pool and whoever asks it, which can be replaced."""

    def __init__(self, world: World, workers: int = 1) -> None:
        self.world = world
        self.workers = workers
        self.pool: WorkerPool
        self.autoplay: Autoplay
        self.open()

    def open(self) -> None:
        self.pool = WorkerPool(self.workers)
        self.autoplay = Autoplay(self.world.rooms, self.pool, 2.0)

    async def close(self) -> None:
        self.world.rooms.followers.clear()
        await self.autoplay.stop()
        await asyncio.to_thread(self.pool.close)

    def kill(self) -> None:
        """End the worker, as the system might when it is short of memory."""
        for slot in self.pool._slots:
            if slot._worker is not None:
                slot._worker._process.kill()
                slot._worker._process.join()

    async def idle(self) -> None:
        """Wait until there is nothing to do."""
        await self.world.until(lambda: not self.autoplay._work, 60)


@asynccontextmanager
async def world_of_bots(folder: Path, workers: int = 1) -> AsyncIterator[tuple[World, Bots]]:
    folder.mkdir()
    async with new_world(folder) as world:
        bots = Bots(world, workers)
        try:
            yield world, bots
        finally:
            await bots.close()


async def moves_of(world: World) -> list[tuple[int, str]]:
    rows = await world.store.entries(world.table.id)
    entries = [log.decode(row.body) for row in rows]
    return [(e.seat, e.action) for e in entries if isinstance(e, Moved)]


async def whole_game(
    folder: Path, spec: str, disturb: Callable[[Bots, int], None] | None = None, workers: int = 1
) -> list[tuple[int, str]]:
    """A game of two bots of the same kind; something may be done after each move."""
    async with world_of_bots(folder, workers) as (world, bots):
        await world.begin(BOARD, 2, bots=[spec])
        await bots.idle()  # or it would depend on their speed who chooses first
        if disturb is not None:
            disturbed = disturb
            count = itertools.count(1)

            def after(live: LiveTable, entry: log.AnyEntry) -> None:
                if isinstance(entry, Moved):
                    disturbed(bots, next(count))

            world.rooms.followers.insert(0, after)
        await world.lobby.seat_bot(world.live, key_of(0), 0, spec)
        await world.until(lambda: world.table.status == "over", 120)
        await bots.idle()
        return await moves_of(world)


# --- the contract -------------------------------------------------------------------------------


async def test_a_bot_at_a_table_is_started_once_and_finished_once(tmp_path: Path) -> None:
    path = tmp_path / "calls"
    moves = await whole_game(tmp_path / "world", f"{NOTING}:path={path}")
    seen = calls(path)
    assert len({name for _, name, _ in seen}) == 2, "one object for each seat"
    for seat in (0, 1):
        own = [what for what, _, who in seen if who == seat]
        assert own[0] == "start"
        assert own[-1] == "finish"
        assert own[1:-1] == ["decide"] * sum(mover == seat for mover, _ in moves)


def kill_often(bots: Bots, move: int) -> None:
    if move % 25 == 7:
        bots.kill()


def forget_often(bots: Bots, move: int) -> None:
    """BotSessions go to another worker, where nothing is known of them."""
    if move % 5 == 0:
        bots.pool._homes.clear()


@pytest.mark.parametrize("spec", [NOTING, "random", "easy"])
@pytest.mark.parametrize("disturb", [kill_often, forget_often])
async def test_a_bot_answers_the_same_whether_its_session_was_kept_or_rebuilt(
    spec: str, disturb: Callable[[Bots, int], None], tmp_path: Path
) -> None:
    games = []
    for name, how in (("kept", None), ("rebuilt", disturb)):
        with pytest.MonkeyPatch.context() as patch:
            numbers = itertools.count(1)
            patch.setattr(secrets, "token_hex", lambda size, n=numbers: f"{next(n):0{2 * size}x}")
            games.append(await whole_game(tmp_path / name, spec, how, workers=2))
    assert len(games[0]) > 30
    assert games[0] == games[1]


async def test_a_killed_worker_means_a_new_object_that_is_shown_all_again(tmp_path: Path) -> None:
    path = tmp_path / "calls"

    def kill_once(bots: Bots, move: int) -> None:
        if move == 20:
            bots.kill()

    moves = await whole_game(tmp_path / "world", f"{NOTING}:path={path}", kill_once)
    seen = calls(path)
    for seat in (0, 1):
        before = sum(mover == seat for mover, _ in moves[:20])
        after = sum(mover == seat for mover, _ in moves[20:])
        counts = Counter(what for what, _, who in seen if who == seat)
        assert counts["start"] == 2
        assert counts["finish"] == 1
        again = counts["decide"] - before - after
        assert before <= again <= before + 1, "the answer that was lost with the worker, too"


async def test_another_process_takes_a_table_over_where_the_first_left_it(tmp_path: Path) -> None:
    """As after a restart of the server: nothing but the store is left."""
    path = tmp_path / "calls"
    async with world_of_bots(tmp_path / "world") as (world, bots):
        await world.begin(BOARD, 2, bots=[f"{NOTING}:path={path}"])
        person = await world.listen(0)
        for turn in range(24):
            await bots.idle()
            if turn % 5 == 4:
                await bots.close()
                world.rooms.live_tables.clear()
                bots.open()
                world.live = await world.rooms.live_table(world.table.id)
                before, person = person, await world.listen(0)
                person._acts = before._acts  # the same message twice would be one move
                bots.autoplay.check(world.live)
                await bots.idle()
            await person.act(world.state.view(0).actions[0])
        await bots.idle()
        rows = await world.store.entries(world.table.id)
        entries = [(row.number, log.decode(row.body)) for row in rows]
        views = shown_to_bot(world.table, entries, 1)
        alone = seat_bot(NOTING, world.table.game, 1, world.table.seats[1].bot_seed)
        answers = [
            alone.decide(view_from(world.table.game, 1, s.view, s.actions), 2.0) for s in views
        ]
        texts = [world.table.game.action_text(a) for a in answers]
        assert texts == [action for seat, action in await moves_of(world) if seat == 1]
        assert len(texts) > 5
        assert Counter(what for what, _, _ in calls(path))["start"] > 2


async def test_after_a_takeback_a_bot_knows_nothing_of_what_was_taken_back(tmp_path: Path) -> None:
    async with world_of_bots(tmp_path / "world") as (world, bots):
        await world.begin(BOARD, 2, bots=[NOTING])
        person = await world.listen(0)
        for _ in range(6):
            await bots.idle()
            await person.act(world.state.view(0).actions[0])
        await bots.idle()
        own = [step for step in world.table.table_state.steps if step.seat == 0][-3]
        action = next(
            a
            for number, a in enumerate(await moves_of(world))
            if world.table.table_state.steps[number].number == own.number
        )[1]
        before = await moves_of(world)
        position = [step.number for step in world.table.table_state.steps].index(own.number)
        answer = await person.send(
            type="takeback", id="back", move=world.table.number_for(0, own.number)
        )
        assert answer["type"] == "done"
        await bots.idle()
        numbers = [
            a for a in world.state.view(0).actions if world.table.game.action_text(a) == action
        ]
        await person.act(numbers[0])
        await bots.idle()
        standing = len(world.table.table_state.steps)
        after = (await moves_of(world))[len(before) :]
        assert standing > position + 1
        assert after == before[position : position + len(after)]
        assert any(seat == 1 for seat, _ in after)


async def test_a_bot_that_leaves_its_seat_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "calls"
    async with world_of_bots(tmp_path / "world") as (world, bots):
        await world.begin(BOARD, 2)
        for _ in range(2):
            await world.lobby.seat_bot(world.live, key_of(0), 0, f"{NOTING}:path={path}")
            await bots.idle()
            await world.lobby.unseat_bot(world.live, key_of(0), 0)
            await bots.idle()
            other = await world.listen(1)
            for _ in range(4):
                if 0 not in world.state.to_act:
                    await other.act(world.state.view(1).actions[0])
        whats = [what for what, _, _ in calls(path)]
        assert [what for what, group in itertools.groupby(whats)] == [
            "start",
            "decide",
            "finish",
        ] * 2


# --- what is shown again ------------------------------------------------------------------------


class Slow:
    """In the place of the pool: bots that answer when they are told to."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.answer = asyncio.Event()

    async def decide(self, question: Question, load_background: LoadBackground) -> int:
        self.asked.append(question)
        await self.answer.wait()
        return question.actions[-1]

    async def finish(
        self, question: Question, load_background: LoadBackground | None = None
    ) -> None:
        """Nothing was kept."""


async def test_what_is_shown_again_is_what_was_shown_also_if_others_chose_meanwhile(
    tmp_path: Path,
) -> None:
    async with new_world(tmp_path) as world:
        bots = Slow()
        autoplay = Autoplay(world.rooms, bots, 1.0)  # type: ignore[arg-type]
        await world.begin(BOARD, 3, bots=["easy", "hard"])
        people = await world.listen(0)
        await world.until(lambda: len(bots.asked) == 2)
        await people.act(world.state.view(0).actions[0])
        bots.answer.set()
        for _ in range(12):
            await world.until(lambda: 0 in world.state.to_act)
            await people.act(world.state.view(0).actions[-1])
        await world.until(lambda: not autoplay._work)
        rows = await world.store.entries(world.table.id)
        entries = [(row.number, log.decode(row.body)) for row in rows]
        late = [e for _, e in entries if isinstance(e, Moved) and e.shown]
        assert late, "someone chose while a bot was thinking"
        for seat in (1, 2):
            asked = [q for q in bots.asked if q.seat == seat]
            then = [Shown(q.at, q.view, q.actions) for q in asked]
            assert shown_to_bot(world.table, entries, seat) == then
            lasts = [0, *(s.at for s in then)]
            assert [q.last for q in asked] == lasts[:-1]
            assert world.table.last_shown(seat) == lasts[-1]
        await autoplay.stop()


# --- what goes wrong ----------------------------------------------------------------------------


async def test_a_bot_that_fails_is_asked_again_and_its_failures_harm_no_table(
    tmp_path: Path,
) -> None:
    path = tmp_path / "calls"
    failures: list[int] = []

    def note(bots: Bots, move: int) -> None:
        failures.append(bots.pool.failures)

    moves = await whole_game(tmp_path / "world", f"{RAISING}:path={path}", note)
    assert failures[-1] == 2, "once for each seat"
    counts = Counter(what for what, _, _ in calls(path))
    assert counts == {"start": 2, "decide": len(moves), "finish": 2}


class Play:
    """BotSessions of seat 0 in a game, without a server."""

    def __init__(self, spec: str, table: str = "t") -> None:
        self.game = Game(BOARD, 2)
        self.state: State = self.game.start("sessions")
        self.spec = spec
        self.table = table
        self.shown: list[Shown] = []
        self.number = 1

    def question(self, final: bool = False) -> Question:
        """The next of the seat's decisions; the first offer is taken at the others."""
        while not self.state.over and self.state.to_act[0] != 0:
            self.apply(self.state.legal(self.state.to_act[0])[0])
        last = self.shown[-1].at if self.shown else 0
        now = shown(self.state, 0, self.number)
        return Question(self.table, 0, "seed", last, *now, seconds=1.0, final=final)

    def apply(self, action: int) -> None:
        self.state.apply(self.state.to_act[0], action)
        self.number += 1

    def background(self) -> Background:
        board = self.game.board
        return Background(self.spec, source_of(board), board.digest, 2, list(self.shown))

    async def load_background(self) -> Background:
        return self.background()

    def taken(self, question: Question, action: int) -> None:
        self.shown.append(Shown(question.at, question.view, question.actions))
        self.apply(action)

    def ask(self, sessions: BotSessions) -> bool:
        """Take a decision; gives whether the session was there."""
        question = self.question()
        answer = sessions.answer(question)
        kept = answer != UNKNOWN
        if not kept:
            answer = sessions.answer(question._replace(background=self.background()))
        self.taken(question, answer)
        return kept


def undisturbed(decisions: int) -> list[Shown]:
    """What the bot is shown if its session is kept."""
    play, sessions = Play(NOTING), BotSessions()
    assert [play.ask(sessions) for _ in range(decisions)] == [False, *[True] * (decisions - 1)]
    return play.shown


def test_the_sessions_that_were_not_used_for_longest_are_dropped_and_rebuilt() -> None:
    sessions = BotSessions(most=2)
    plays = [Play(NOTING, name) for name in "abc"]
    kept = [plays[k].ask(sessions) for k in (0, 1, 0, 2, 0, 1, 2)]
    assert kept == [False, False, True, False, True, False, False]
    assert len(sessions) == 2
    assert not any(plays[k].ask(sessions) for k in (0, 1, 2) * 6)
    for play in plays:
        assert play.shown == undisturbed(len(play.shown))


def test_a_worker_that_needs_too_much_memory_keeps_no_session() -> None:
    sessions = BotSessions(memory=0)
    play = Play(NOTING)
    assert not any(play.ask(sessions) for _ in range(8))
    assert len(sessions) == 0
    assert play.shown == undisturbed(8)


def test_a_session_that_takes_too_long_to_rebuild_begins_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "calls"
    play = Play(f"{NOTING}:path={path}")
    sessions = BotSessions()
    for _ in range(3):
        play.ask(sessions)
    monkeypatch.setattr(bot_sessions, "REBUILD", -1.0)
    path.unlink()
    question = play.question()._replace(background=play.background())
    play.taken(question, BotSessions().answer(question))
    assert [what for what, _, _ in calls(path)] == ["start", "start", "decide"]


def test_a_session_that_is_over_is_finished_once_and_gone() -> None:
    play = Play(NOTING)
    sessions = BotSessions()
    play.ask(sessions)
    assert sessions.answer(play.question(final=True)) == DONE
    assert len(sessions) == 0
    assert sessions.answer(play.question(final=True)) == UNKNOWN


async def test_a_bot_that_can_not_be_shown_again_what_killed_it_begins_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So that a decision never costs more than two tries, however long the game has been."""
    monkeypatch.setattr(pool, "GRACE", 5.0)
    path = tmp_path / "calls"
    play = Play(f"{DYING}:path={path}")
    bots = WorkerPool(1)
    try:
        tries = []
        for _ in range(6):
            question = play.question()
            failed, made = bots.failures, len(calls(path)) if path.exists() else 0
            play.taken(question, await bots.decide(question, play.load_background))
            new = [what for what, _, _ in calls(path)][made:]
            tries.append((bots.failures - failed, new.count("start"), new.count("decide")))
    finally:
        bots.close()
    # The third decision kills it twice, the second time when two were shown to it again.
    assert tries[:2] == [(0, 1, 1), (0, 0, 1)]
    assert tries[2] == (2, 1, 4)
    # It begins anew, and has its third decision again three decisions later.
    assert tries[3:] == [(0, 1, 1), (0, 0, 1), (2, 1, 4)]
