"""The rows that learners see: bounded, seen from the seat's own place, and without secrets."""

from __future__ import annotations

import random
from functools import cache

import pytest

from branchline import Game
from branchline.engine.encoding import HIGH, Encoding
from branchline.engine.layout import CLOSED
from branchline.engine.view import MY_PICK
from golden_games import TABLES, game_of, play
from test_views import stir
from toy_rule import board_with_picnics, forget, register


@cache
def encoding_of(board: str, seats: int) -> Encoding:
    return Encoding(game_of(board, seats))


def part(encoding: Encoding, row: list[int], name: str) -> list[int]:
    f = encoding.field(name)
    return row[f.offset : f.offset + f.size]


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_fields_lie_side_by_side_and_have_bounds(board: str, seats: int) -> None:
    encoding = encoding_of(board, seats)
    at = 0
    for f in encoding.fields:
        assert f.offset == at
        assert 0 < f.most < 2**15
        at += f.size
    assert at == encoding.size == len(encoding.high)
    assert len({f.name for f in encoding.fields}) == len(encoding.fields)
    assert {f.name for f in encoding.fields} == {*encoding.game.view_fields, "ticket_places"}


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12", "RU-15")
def test_states_that_a_seat_cannot_tell_apart_have_equal_rows(board: str, seats: int) -> None:
    rng = random.Random(f"rows {board} {seats}")
    encoding = encoding_of(board, seats)
    state = encoding.game.start(rng.randrange(1000))
    for move, _ in enumerate(play(state, "rare", rng)):
        if rng.random() < 0.9:
            continue
        for seat in range(seats):
            row = encoding.row(state, seat)
            assert encoding.row(state.resample(seat, move), seat) == row
            twin = state.clone()
            stir(twin, seat, rng)
            assert encoding.row(twin, seat) == row


@pytest.mark.parametrize("policy", ["uniform", "rare", "saver"])
@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_numbers_stay_within_their_bounds(board: str, seats: int, policy: str) -> None:
    rng = random.Random(f"bounds {board} {seats} {policy}")
    encoding = encoding_of(board, seats)
    state = encoding.game.start(rng.randrange(1000))
    points = encoding.field("points")
    for _ in play(state, policy, rng):
        row = encoding.row(state, rng.randrange(seats))
        assert all(0 <= x <= most for x, most in zip(row, encoding.high, strict=True))
        assert max(row[points.offset : points.offset + seats]) < HIGH


def turned(view_part: list[int], seat: int, seats: int) -> list[int]:
    """What belongs to seats, in their order from this seat on."""
    width = len(view_part) // seats
    whole = view_part[seat * width :] + view_part[: seat * width]
    return [int(x) for x in whole]


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_a_row_says_what_the_view_says_from_the_own_place(board: str, seats: int) -> None:
    rng = random.Random(f"own place {board} {seats}")
    encoding = encoding_of(board, seats)
    state = encoding.game.start(rng.randrange(1000))
    for _ in play(state, "rare", rng):
        if rng.random() < 0.8:
            continue
        for seat in range(seats):
            row, view = encoding.row(state, seat), state.view(seat)
            assert encoding.view_row(view) == row
            for name in ("hand", "laid", "phase", "choice", "discard", "deck_len", "ticket_len"):
                assert part(encoding, row, name) == view[name], name
            for name in ("trains", "points", "hand_size", "known", "ticket_count", "offer_count"):
                assert part(encoding, row, name) == turned(view[name], seat, seats), name
            assert part(encoding, row, "turn") == [(view.turn - seat) % seats]
            waits = [int((seat + k) % seats in view.to_act) for k in range(seats)]
            assert part(encoding, row, "waiting") == waits
            assert part(encoding, row, "owner") == [
                seats + 1 if code == CLOSED else code and (code - 1 - seat) % seats + 1
                for code in view["owner"]
            ]
            kinds = range(len(view.hand))
            assert part(encoding, row, "display") == [view.display.count(k) for k in kinds]
            held = [k for k, code in enumerate(part(encoding, row, "tickets")) if code == 1]
            assert held == view.tickets


@pytest.mark.parametrize("board", ["iberia", "south_korea"])
@pytest.mark.rule("IB-2", "KR-1")
def test_what_a_seat_has_seen_in_the_draft_counts_packs_from_its_own(board: str) -> None:
    seats = 3
    encoding = encoding_of(board, seats)
    state = encoding.game.start(5)
    for seat in range(seats):  # before the first pick every seat sees its own pack alone
        seen = part(encoding, encoding.row(state, seat), "draft_seen")
        assert {code for code in seen if code} == {1}
    for _ in range(seats):
        state.apply(state.to_act[0], state.legal(state.to_act[0])[0])
    for seat in range(seats):
        seen = part(encoding, encoding.row(state, seat), "draft_seen")
        assert {code for code in seen if code} > {1 + MY_PICK}


def test_a_row_shows_a_private_decision_to_nobody_else() -> None:
    encoding = encoding_of("usa", 2)
    rng = random.Random(3)
    met = 0
    state = encoding.game.start(3)
    for _ in play(state, "rare", rng):
        if state.phase == "pay":
            met += 1
            other = 1 - state.turn
            assert part(encoding, encoding.row(state, other), "phase") == [0]
            assert encoding.view_row(state.view(other)) == encoding.row(state, other)
            assert not any(part(encoding, encoding.row(state, other), "registers"))
            assert part(encoding, encoding.row(state, state.turn), "phase") != [0]
    assert met


def test_a_rule_that_nothing_knows_has_its_fields_in_the_row() -> None:
    register()
    try:
        game = Game(board_with_picnics(), 2)
        encoding = Encoding(game)
        state = game.start(1)
        for _ in play(state, "uniform", random.Random(1)):
            row = encoding.row(state, 1)
            assert part(encoding, row, "picnics") == state.view(1)["picnics"]
        assert max(state.view(1)["picnics"]) > 0
    finally:
        forget()


def test_only_seats_have_rows() -> None:
    encoding = encoding_of("usa", 2)
    for seat in (-1, 2):
        with pytest.raises(IndexError, match="no seat"):
            encoding.row(encoding.game.start(1), seat)
    with pytest.raises(KeyError):
        encoding.field("secrets")
