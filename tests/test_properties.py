"""Whole games at random, on every board: nothing is lost, all is scored right, every game ends."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from golden_games import POLICIES, TABLES, finished, game_of, play, sorts
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_scorer import Ledger, board_data
from positions import Position

from branchline import Game, IllegalAction, State
from branchline.core.catalogue import rule_ids
from branchline.engine.events import Log
from branchline.engine.table import (
    CLOSED,
    HELD,
    IN_DECK,
    LEFT_OVER,
    OFFERED,
    OUT,
    PACK,
    PICKED,
    REJECTED,
)

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")

PLACES = {
    "deck": IN_DECK, "out": OUT, "held": HELD, "offered": OFFERED, "picked": PICKED,
    "pack": PACK, "rejected": REJECTED, "left": LEFT_OVER, "box": IN_DECK,
}  # fmt: skip


def numbers(state: State, name: str) -> list[int]:
    """A field of the state."""
    f = state.t.layout.field(name)
    return [int(state.d[f.offset + k]) for k in range(f.size)]


def by_seat(state: State, name: str) -> list[Counter[int]]:
    """A field with equal parts for the seats, as counts."""
    values, seats = numbers(state, name), state.game.seats
    width = len(values) // seats
    parts = [values[k * width : (k + 1) * width] for k in range(seats)]
    return [Counter({kind: n for kind, n in enumerate(part) if n}) for part in parts]


def counts(values: list[int]) -> Counter[int]:
    return Counter({kind: n for kind, n in enumerate(values) if n})


def agree(ledger: Ledger, state: State) -> None:
    """The state says the same as the ledger of its events."""
    t, names = state.t, {f.name for f in state.t.layout.fields}
    assert min(int(state.d[k]) for k in range(t.layout.size)) >= 0
    assert by_seat(state, "hand") == [+hand for hand in ledger.hands]
    assert numbers(state, "hand_size") == [hand.total() for hand in ledger.hands]
    assert by_seat(state, "known") == [+known for known in ledger.known]
    shown = [t.blank if card is None else card for card in ledger.display]
    assert numbers(state, "display") == shown
    assert counts(numbers(state, "discard")) == +ledger.discards
    assert state.d[t.discard_size] == ledger.discards.total()
    assert numbers(state, "deck")[: state.d[t.deck_len]] == ledger.deck
    assert state.d[t.specials] == sum(card >= t.special for card in ledger.deck)
    assert numbers(state, "trains") == ledger.trains
    owners = [ledger.owner.get(r, -1) + 1 for r in range(t.routes)]
    assert numbers(state, "owner") == [
        CLOSED if r in ledger.closed else owner for r, owner in enumerate(owners)
    ]
    places = [PLACES[what] + seat for what, seat in ledger.place.values()]
    assert numbers(state, "ticket_at") == places
    ring, top = numbers(state, "ticket_deck"), state.d[t.ticket_top]
    n = state.d[t.ticket_len]
    assert [ring[(top + k) % t.tickets] for k in range(n)] == ledger.ticket_deck
    for seat in range(t.seats):
        assert state.d[t.ticket_count + seat] == places.count(HELD + seat)
        assert state.d[t.offer_count + seat] == places.count(OFFERED + seat)
    if "revealed" in names:
        assert counts(numbers(state, "revealed")) == +ledger.revealed
    if "festival_piles" in names:
        assert counts(numbers(state, "festival_piles")) == +ledger.piles
        assert by_seat(state, "festival_cards") == [+held for held in ledger.festival_cards]
    if "mat" in names:
        assert Counter(numbers(state, "mat")) - Counter([0] * 99) == Counter(
            seat + 1 for seat in ledger.mat.values()
        )
        assert [part.total() for part in by_seat(state, "express")] == list(map(len, ledger.express))
    if "stations" in names:
        built = [ledger.stations.get(c, -1) + 1 for c in range(t.cities)]
        assert numbers(state, "stations") == built


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("BASE-1", "BASE-6", "IB-1", "IB-5", "NY-1", "BASE-11", "BASE-12", "RU-3")
def test_after_every_event_nothing_is_lost_and_the_score_is_that_of_the_plain_scorer(
    board: str, seats: int, policy: str
) -> None:
    state = finished(board, seats, 11, policy, log=True)
    game = state.game
    ledger = Ledger(board_data(board), seats)
    again = State(game, game.blank_state[:])
    for event in state.events:
        again.redo(event)
        ledger.feed(event.kind.name, int(event.seat), [int(n) for n in event.numbers])
        ledger.check()
        agree(ledger, again)
    assert again == state
    assert ledger.over
    assert ledger.scores() == (state.outcome.scores, state.outcome.winners)
    for seat, lines in enumerate(state.outcome.lines):
        assert sum(line.points for line in lines) == state.outcome.scores[seat]
        assert {line.rule for line in lines} <= set(rule_ids())


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("BASE-10", "BASE-11", "BASE-12", "BASE-14", "RU-3", "RU-14")
def test_games_end_and_are_scored_like_the_plain_scorer_says(board: str, seats: int) -> None:
    for seed, policy in product(range(100, 103), POLICIES):
        state = finished(board, seats, seed, policy, log=True)
        ledger = Ledger(board_data(board), seats)
        for event in state.events:
            ledger.feed(event.kind.name, int(event.seat), [int(n) for n in event.numbers])
        ledger.check()
        assert ledger.scores() == (state.outcome.scores, state.outcome.winners), (seed, policy)
        names = [event.kind.name for event in state.events]
        assert names[-1] == "GameEnded"
        if "LastRoundBegan" in names:
            last = names[names.index("LastRoundBegan") :]
            assert last.count("TurnBegan") == seats
            assert min(ledger.trains) <= 2
        else:
            assert names.count("Passed") >= seats
        assert 1 <= len(state.outcome.winners) <= seats
        assert 40 < state.d[state.t.turns] + len(state.moves or []) < 3000
