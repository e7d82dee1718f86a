"""Time tells nothing: when others hear of a move depends on nothing that they may not know.

Twins differ in what one seat can't know. A bot, a clock or a person makes moves there that look the
same to that seat but take another number of hidden steps, and every decision of a bot takes time.
The seat and a spectator must hear the same bytes at the same moments.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from branchline.service.bots.sessions import Question
from branchline.service.bots.worker_pool import LoadBackground
from branchline.service.rooms.autoplay import Autoplay, next_beat
from service.test_leaks import Path_, Twins, same_chances, same_ways, twins
from service.worlds import World, attended, key_of

__all__ = ["same_chances"]

pytestmark = pytest.mark.anyio

THINKING = 10  # milliseconds that a bot needs for a decision; all of a payment is within a beat
BEAT = 200
STEP = 10
LEVELS = ("easy", "normal", "hard")
Heard = list[tuple[int, list[bytes]]]
"""What someone was sent, and when."""


class Script:
    """In place of the pool: a bot that needs its time and does what it is told, then nothing."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.actions: list[int] = []

    async def decide(self, question: Question, load_background: LoadBackground) -> int:
        await self.world.sleep(THINKING / 1000 if self.actions else 10**9)
        return self.actions.pop(0)

    async def finish(
        self, question: Question, load_background: LoadBackground | None = None
    ) -> None:
        """Nothing was kept."""


class Half:
    """One of the twins, in which time passes until a move is made."""

    def __init__(self, pair: Twins, which: int) -> None:
        self.world = pair.worlds[which]
        self.ears = pair.ears[which]
        self.movers = pair.movers[which]

    async def pass_time(self, autoplay: Autoplay, milliseconds: int) -> Heard:
        """Let time pass step by step; what was heard at each."""
        heard: Heard = []
        for step in range(0, milliseconds + 1, STEP):
            if step:
                await self.world.advance(STEP)
            await self.world.until(
                lambda: (
                    self.world.sleepers == len(autoplay._work) and not self.world.live.lock.locked()
                )
            )
            heard += [(step, ear.take()) for ear in self.ears]
        return heard

    async def move(
        self, mode: str, mover: int, path: Path_, level: str, patch: pytest.MonkeyPatch
    ) -> Heard:
        """Make a move of possibly several steps; what was heard of it, and when."""
        world = self.world
        script = Script(world)
        async with attended(world, patch, script, BEAT) as autoplay:
            if mode == "person":
                for action in path[:-1]:
                    await self.movers[mover].act(action)
                heard = await self.pass_time(autoplay, 3 * STEP)
                await self.movers[mover].act(path[-1])
                return heard + await self.pass_time(autoplay, STEP)
            script.actions = list(path)
            if mode == "clock":
                world.time += world.table.left(mover, world.time) - STEP
                autoplay.check(world.live)
                return await self.pass_time(autoplay, 2 * BEAT)
            await world.lobby.seat_bot(world.live, key_of(mover), mover, level)
            heard = await self.pass_time(autoplay, 2 * BEAT)
            await world.lobby.unseat_bot(world.live, key_of(mover), mover)
            return heard + await self.pass_time(autoplay, 0)


async def play(pair: Twins, rng: random.Random, patch: pytest.MonkeyPatch) -> Counter[str]:
    """Moves that look the same, made by people, bots and at last by the clock."""
    met: Counter[str] = Counter()
    halves = Half(pair, 0), Half(pair, 1)
    modes = ["bot", "person", "bot", "bot", "clock"]
    for turn in range(40):
        state = pair.worlds[0].state
        mover = rng.choice(state.to_act)
        found = same_ways(pair, mover, rng)
        if not found or state.over:
            break
        odd = [paths for paths in found if len(paths[0]) != len(paths[1])]
        if mover == pair.seat or not odd:
            mode, paths = "person", rng.choice(found)
        else:
            mode, paths = modes.pop(0), rng.choice(odd)
            met[mode] += 1
        told = [
            await half.move(mode, mover, path, LEVELS[turn % 3], patch)
            for half, path in zip(halves, paths, strict=True)
        ]
        assert any(messages for _, messages in told[0])
        for one, two in zip(*told, strict=True):
            assert one[0] == two[0]
            assert [len(m) for m in one[1]] == [len(m) for m in two[1]], (mode, one[0])
            assert one[1] == two[1], (mode, one[0])
        if not modes:
            break
    return met


@pytest.mark.parametrize("board", ["usa", "nordic", "south_korea"])
@pytest.mark.usefixtures("same_chances")
async def test_hidden_steps_of_bots_clocks_and_people_leave_no_trace_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    met: Counter[str] = Counter()
    for seed in range(20):
        rng = random.Random(f"timing {board} {seed}")
        folder = tmp_path / str(seed)
        folder.mkdir()
        async with twins(folder, board, 2, rng.randrange(2), rng, rng.randrange(30, 60)) as pair:
            met += await play(pair, rng, monkeypatch)
        if min(met[mode] for mode in ("bot", "person", "clock")) >= 2:
            break
    assert all(met[mode] for mode in ("bot", "person", "clock")), met


def test_beats_are_counted_from_what_everyone_saw() -> None:
    assert [next_beat(1000, 400, now) for now in (0, 999, 1000, 1001, 1399, 1400, 1401)] == [
        *[1000] * 3,
        *[1400] * 3,
        1800,
    ]
    assert next_beat(1000, 0, 1234) == 1234
