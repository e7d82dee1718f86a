"""What has changed in a view, as it is sent."""

from __future__ import annotations

import json
import random

import pytest

from branchline import Game
from branchline.core.mapfile import builtin_boards
from branchline.engine.layout import PUBLIC
from branchline.service.broadcast.readers import changed, fields_of
from branchline.service.broadcast.sent_fields import SentField, changes_of, sent_fields


@pytest.mark.parametrize("board", builtin_boards())
def test_exactly_the_fields_that_have_changed_are_sent(board: str) -> None:
    game, rng = Game(board, 3), random.Random(board)
    fields = sent_fields(game)
    state = game.start(seed=1)
    before = {seat: state.view(seat) for seat in range(-1, 3)}
    for seat, view in before.items():
        text = b",".join(changes_of(some, view, None).text for some in (fields.shared, fields.own))
        assert json.loads(b"{" + text + b"}") == fields_of(view), seat
    while not state.over:
        actor = state.to_act[0]
        state.apply(actor, rng.choice(state.legal(actor)))
        shared: set[bytes] = set()
        for seat in rng.sample(range(-1, 3), 3):  # one of them does not hear of it
            view = state.view(seat)
            expected = changed(fields_of(before[seat]), fields_of(view))
            some = [changes_of(part, view, before[seat]) for part in (fields.shared, fields.own)]
            text = b",".join(change.text for change in some if change.text)
            assert json.loads(b"{" + text + b"}") == expected
            joining = any(change.joining for change in some)
            assert joining == any(name in expected for name in game.joining)
            before[seat] = view
            shared.add(changes_of(fields.shared, view, None).text)
        assert len(shared) == 1


def test_nothing_that_depends_on_the_reader_is_shared() -> None:
    for board in builtin_boards():
        game = Game(board, 2)

        def names(fields: list[SentField]) -> set[str]:
            return {f.head.decode().split('"')[1] for f in fields}

        fields = sent_fields(game)
        shared, own = names(fields.shared), names(fields.own)
        assert shared | own == set(game.view_fields)
        assert not shared & own
        assert all(game.view_fields[name].visibility == PUBLIC for name in shared)
        assert {"hand", "tickets", "phase"} <= own
