"""Games, states and views can be pickled, copied and printed, compiled or not."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from branchline import Game, State, builtin_boards, load_board


def played(board: str, moves: int) -> State:
    """A game some moves in, with its log."""
    state = Game(board, seats=2).start(seed=5, log=True)
    rng = random.Random(board)
    for _ in range(moves):
        seat = state.to_act[0]
        state.apply(seat, rng.choice(state.legal(seat)))
    return state


@pytest.mark.parametrize("board", builtin_boards())
@pytest.mark.parametrize(
    "again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]
)
def test_a_copy_is_equal_and_plays_on_in_the_same_way(board: str, again: object) -> None:
    assert callable(again)
    state = played(board, 40)
    twin = again(state)
    assert isinstance(twin, State)
    assert twin == state
    assert twin is not state
    assert twin.events == state.events
    assert twin.record() == state.record()
    while not state.over:
        seat = state.to_act[0]
        action = state.legal(seat)[-1]
        state.apply(seat, action)
        assert twin != state
        twin.apply(seat, action)
        assert twin == state
    assert twin.outcome.scores == state.outcome.scores


@pytest.mark.parametrize("board", builtin_boards())
def test_views_games_and_boards_survive_pickling(board: str) -> None:
    state = played(board, 30)
    view = state.view(1)
    twin = pickle.loads(pickle.dumps(view))
    assert twin == view
    assert twin.actions == view.actions
    assert pickle.loads(pickle.dumps(state.game)) == state.game
    assert pickle.loads(pickle.dumps(state.game.board)).digest == load_board(board).digest
    assert state.game != Game(board, seats=load_board(board).seats_max)


@pytest.mark.parametrize("board", builtin_boards())
def test_a_view_reads_like_the_game(board: str) -> None:
    state = played(board, 40)
    view = state.view(0)
    assert view.hand == view["hand"]
    assert sum(view.hand) == view.hand_size(0)
    assert [view.trains(k) for k in (0, 1)] == view["trains"]
    assert [view.points(k) for k in (0, 1)] == view["points"]
    assert [view.ticket_count(k) for k in (0, 1)] == view["ticket_count"]
    assert view.deck_size == view.one("deck_len")
    assert view.ticket_deck_size == view.one("ticket_len")
    assert view.turn == state.turn
    assert all(kind < state.game.layout.kinds for kind in view.display)
    for route, owner in enumerate(view["owner"]):
        assert view.owner(route) == (owner - 1 if owner in (1, 2) else None)
        assert view.closed(route) == (owner == 15)
    with pytest.raises(IndexError):
        view.trains(2)
