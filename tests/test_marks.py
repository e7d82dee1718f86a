"""Marks: every event sets those of the fields that it changes, so that nobody shows old ones."""

from __future__ import annotations

import random

import pytest

from branchline import Game
from branchline.engine.layout import (
    ALWAYS,
    FREE_MARK,
    IN_USE,
    LAST_MARK,
    TICKETS,
    TOUCHED,
    TOUCHES,
    Fields,
)
from branchline.engine.state import State
from golden_games import TABLES, game_of, play

OF_TICKETS = ("ticket_at", "ticket_top", "ticket_deck", "ticket_by")


def marks_of(game: Game) -> dict[str, int]:
    """The marks of fields, and of those that a view shows in another form."""
    marks = {f.name: f.mark for f in game.layout.fields.fields if f.mark not in (ALWAYS, IN_USE)}
    marks |= dict.fromkeys(OF_TICKETS, TICKETS)
    for name in ("draft", "second_draft"):
        if game.rule_named(name) is not None:
            marks[f"{name}_memory"] = game.view_fields[f"{name}_seen"].mark
    return marks


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_every_event_sets_the_marks_of_what_it_changes(board: str, seats: int) -> None:
    game = game_of(board, seats)
    rng = random.Random(f"marks {board} {seats}")
    state = game.start(rng.randrange(1000), log=True)
    for _ in play(state, "rare", rng):
        pass
    marks, met = marks_of(game), set()
    places = {}
    for name in marks:
        f = game.layout.fields.field(name)
        places[name] = range(f.offset, f.offset + f.size)
    again = State(game, game.blank_state[:])
    assert again.changed & (TOUCHED | TICKETS) == TOUCHED | TICKETS, "all are set at the start"
    again.watch()
    for event in state.events:
        before = {name: [again.d[k] for k in at] for name, at in places.items()}
        again.changed, again.touches = ALWAYS, 0
        again.redo(event)
        assert again.touches <= TOUCHES
        told = {again.touched[k] for k in range(again.touches)}
        for name, at in places.items():
            now = [again.d[k] for k in at]
            if now != before[name]:
                met.add(name)
                if marks[name] == TOUCHED:
                    changed = {k for k, x, y in zip(at, before[name], now, strict=True) if x != y}
                    assert changed <= told, (event.kind.name, name)
                else:
                    assert again.changed & marks[name], (event.kind.name, name)
    assert again == state
    assert {"owner", "known", "discard", "ticket_at"} <= met


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_what_is_in_use_is_empty_otherwise(board: str, seats: int) -> None:
    game = game_of(board, seats)
    t, rng = game.layout, random.Random(f"in use {board} {seats}")
    state = game.start(rng.randrange(1000))
    met = 0
    for _ in play(state, "rare", rng):
        in_use = [state.d[k] for k in range(t.reg + 1, t.control_size)]
        assert state.d[t.used] == 1 or not any(in_use)
        met += any(in_use)
    assert met


def test_a_rule_gets_a_mark_of_its_own_while_there_are_some() -> None:
    fields = Fields(2)
    marks = [fields.new_mark() for _ in range(100)]
    own = [mark for mark in marks if mark != ALWAYS]
    assert own[0] == FREE_MARK
    assert own[-1] == LAST_MARK >> 1
    assert len(set(own)) == len(own) == 56
    assert marks[56:] == [ALWAYS] * 44
