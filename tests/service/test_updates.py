"""What is sent of a move, written straight into JSON, is what the schema's types would send."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from branchline.core.mapfile import builtin_boards
from branchline.service.broadcast.updates import any_update, moved_update, view_change
from branchline.service.tables.log_entries import Moved, decode
from service.worlds import new_world

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("board", builtin_boards())
async def test_a_move_is_told_in_the_same_words_by_either_way(board: str, tmp_path: Path) -> None:
    rng = random.Random(board)
    seen: set[str] = set()
    async with new_world(tmp_path) as world:
        await world.begin(board, 3)
        live = world.live
        for _ in range(120):
            if world.state.over:
                break
            seat = rng.choice(world.state.to_act)
            action = rng.choice(world.state.legal(seat))
            decision = world.table.seats[seat].decision
            by = rng.choice(["person", "bot"])
            number = await world.rooms.act(live, seat, decision, [action], by)
            (row,) = await world.store.entries(world.table.id, after=number - 1)
            move = decode(row.body)
            assert isinstance(move, Moved)
            for reading in range(-1, 3):
                if not world.table.hears(reading, number) or rng.random() < 0.2:
                    continue  # then it hears of more the next time
                reader = live.reader(reading, rng.choice(["en", "fr"]))
                change = view_change(live, reader, {})
                told = moved_update(reader, change, number, row.at, move)
                assert told == any_update(reader, change, number, row.at, move, None)
                parts = (b'"events":', b'"free":', b'"changes":', b'"decision":{', b":null")
                seen.update(part.decode() for part in (*parts, b'"joined":') if part in told)
    assert {'"events":', '"changes":', '"decision":{', ":null"} <= seen
