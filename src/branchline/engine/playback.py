"""Playback: a recorded game, position by position.

A record of this version is played again, action by action. One of another version was played by
rules that may have changed since, so it is shown by its events alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchline._version import VERSION
from branchline.engine.errors import BranchlineError, RecordError
from branchline.engine.events import Event, Log
from branchline.engine.flow import TURN, act
from branchline.engine.game import Game
from branchline.engine.notation import parse_action
from branchline.engine.outcome import Outcome
from branchline.engine.record import IMPOSSIBLE, Record, Result, events_of, replay, rewind
from branchline.engine.rule import ALWAYS_ASK
from branchline.engine.state import State


class Playback:
    """A game as its moves, each a seat and an action, and the events that followed from each.

    `events[0]` are those of the deal, `events[n]` those of move n, counted from 1.
    """

    def __init__(
        self,
        game: Game,
        moves: list[tuple[int, int]],
        events: list[list[Event]],
        result: Result | None = None,
    ) -> None:
        self.game: Final = game
        self.moves: Final = moves
        self.events: Final = events
        self.result: Final = result

    @property
    def last(self) -> int:
        """The number of the last position; position 0 is before the first move."""
        return len(self.moves)

    def positions(self) -> Iterator[State]:
        """All positions in order. It is one state, which goes on from one to the next."""
        state = State(self.game, self.game.blank_state[:])
        for events in self.events:
            redo(state, events)
            yield state

    def position(self, number: int) -> State:
        """One position."""
        state = State(self.game, self.game.blank_state[:])
        for events in self.events[: number + 1]:
            redo(state, events)
        return state

    def outcome(self, state: State) -> Outcome:
        """The outcome of a position; at the end, the winners are those that the record names."""
        found = state.outcome
        if self.result is None or not state.over or self.result.winners == found.winners:
            return found
        return Outcome(found.scores, found.lines, self.result.winners, found.tickets)


def redo(state: State, events: list[Event]) -> None:
    """Repeat events of a record; raises `RecordError` if they can't have happened."""
    try:
        for event in events:
            state.redo(event)
    except IMPOSSIBLE as error:
        raise RecordError("damaged_record", {"detail": str(error)}) from None


def playback_of(state: State) -> Playback:
    """The playback of a game that was played here."""
    game = state.game
    again = rewind(state, 0, log=True)
    events, known = [again.events[:]], len(again.events)
    moves = [(move & 7, move >> 3) for move in state.moves or ()]
    for seat, action in moves:
        again.apply(seat, action)
        events.append(again.events[known:])
        known = len(again.events)
    return Playback(game, moves, events)


def playback(record: Record) -> Playback:
    """The playback of a record.

    >>> import branchline
    >>> playback(branchline.Game("usa", seats=2).start(seed=7).record()).last
    0
    """
    if record.engine == VERSION:
        return playback_of(replay(record))
    game = record.game()
    moves: list[tuple[int, int]] = []
    for number, (seat, text) in enumerate(record.actions, 1):
        try:
            moves.append((seat, parse_action(game, text)))
        except BranchlineError as error:
            raise RecordError("bad_action", {"number": number, "text": text[:80]}) from error
    shown = Playback(game, moves, _by_moves(game, moves, events_of(record, game)), record.result)
    record.check(shown.position(shown.last))
    return shown


def _by_moves(game: Game, moves: list[tuple[int, int]], events: list[Event]) -> list[list[Event]]:
    """The events of the deal, and those that followed from each move.

    A decision with several answers was answered by a move. One with a single answer was taken by
    the engine, unless the rules of that time had other answers to it: then the moves that follow
    would not fit, and it is given the next move after all.
    """
    decisions = _decisions(game, events)
    starts: list[int] = []  # of each move, the number of its first event
    forced: list[tuple[int, int]] = []  # decisions without a move that could have had the next one
    k = 0
    while k < len(decisions) or len(starts) < len(moves):
        fits = False
        if k < len(decisions) and len(starts) < len(moves):
            fits = _answers(decisions[k], moves[len(starts)], events)
        if k < len(decisions) and decisions[k].forced:
            if fits:
                forced.append((k, len(starts)))
        elif fits:
            starts.append(decisions[k].end)
        elif forced:
            k, n = forced.pop()
            del starts[n:]
            starts.append(decisions[k].end)
        else:
            raise RecordError("damaged_record", {"detail": f"action {len(starts) + 1}"})
        k += 1
    ends = [*starts, len(events)]
    return [events[start:end] for start, end in zip([0, *starts], ends, strict=True)]


class _Decision:
    """A decision that was open after the first `end` events."""

    def __init__(self, state: State, end: int) -> None:
        self.state: Final = State(state.game, state.d[:])
        self.end: Final = end
        asked = state.game.phase_flags[state.d[state.t.phase]] & ALWAYS_ASK != 0
        self.forced: Final = not asked and any(len(state.legal(k)) < 2 for k in state.to_act)


def _decisions(game: Game, events: list[Event]) -> list[_Decision]:
    state = State(game, game.blank_state[:])
    found: list[_Decision] = []
    for number, event in enumerate(events, 1):
        redo(state, [event])
        opens = event.kind.name in ("DecisionAsked", "TurnBegan", "ChoiceMade")
        if opens and state.to_act and number < len(events):  # at the very end nobody has moved yet
            found.append(_Decision(state, number))
    return found


def _answers(decision: _Decision, move: tuple[int, int], events: list[Event]) -> bool:
    """Whether a move, taken at a decision, leads to the event that followed."""
    seat, action = move
    ahead = State(decision.state.game, decision.state.d[:])
    ahead.log = Log()
    ahead.buf = ahead.game.action_buffer[:]
    game, phase = ahead.game, ahead.d[ahead.t.phase]
    rules = game.turn_rules if phase == TURN else [game.phase_rules[phase]]
    if seat not in ahead.to_act or not any(rule is game.action_rules[action] for rule in rules):
        return False
    try:
        act(ahead, seat, action)
    except (BranchlineError, *IMPOSSIBLE):
        return False
    return ahead.events[:1] == events[decision.end : decision.end + 1]
