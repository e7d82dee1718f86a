"""Games, states and views from what pickling and copying keep of them.

A game is kept as its board's data and its number of seats, a state as its bytes with its moves and
its log. Whoever unpickles gets an equal game, state or view that plays on in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping

from branchline.core.mapfile import board_from_data
from branchline.engine.events import Event, Log
from branchline.engine.game import Game
from branchline.engine.state import State

Past = list[tuple[int, int, list[int]]]
"""A log: the code of each event's kind, its seat and its numbers."""


def game_from(source: Mapping[str, object], where: str, seats: int) -> Game:
    return Game(board_from_data(source, where), seats)


def state_from(
    game: Game,
    data: bytes,
    moves: list[int] | None,
    seed: str | None,
    first: int | None,
    past: Past | None,
) -> State:
    state = game.unpack(data)
    state.moves = list(moves) if moves is not None else None
    state.seed = seed
    state.first = first
    if past is not None:
        log = Log()
        for code, seat, numbers in past:
            log.events.append(Event(game.event_kinds[code], seat, list(numbers)))
        state.log = log
    return state
