"""Records: a game as data, with everything that is needed to show or play it again.

A record carries its schema, the engine's version, the board's digest (and the board itself if it is
not one of ours), the rules, the seed, the actions and all events. Replaying the actions and
replaying the events lead to the same state.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from branchline._version import VERSION
from branchline.core.board import Board
from branchline.core.mapfile import MapError, board_from_data, builtin_boards, load_board
from branchline.engine.errors import BranchlineError, RecordError, StateError
from branchline.engine.events import NOBODY, Event
from branchline.engine.game import Game
from branchline.engine.layout import MAX_SEATS
from branchline.engine.notation import parse_action
from branchline.engine.state import State

SCHEMA: Final = 1
MAX_BYTES: Final = 16 * 1024 * 1024
IMPOSSIBLE: Final = (IndexError, ValueError, OverflowError, AssertionError, NotImplementedError)
"""What an event that can't have happened runs into."""


Seat = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
SeatOrNone = Annotated[int, Meta(ge=NOBODY, lt=MAX_SEATS)]
Word = Annotated[int, Meta(ge=0, lt=2**32)]
Name = Annotated[str, Meta(max_length=200)]


class BoardRef(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which board was played; `data` is the whole of it if it is not a built-in one."""

    id: Name
    digest: Name
    rules: list[Name]
    data: dict[str, Any] | None = None

    def open(self) -> Board:
        """The board; raises `RecordError` if it is damaged or not the one of today."""
        try:
            if self.data is not None:
                board = board_from_data(self.data, self.id)
            elif self.id in builtin_boards():
                board = load_board(self.id)
            else:
                raise RecordError("foreign_board", {"board": self.id})
        except MapError as error:
            raise RecordError("damaged_board", {"detail": error}) from None
        except RecursionError as error:
            raise RecordError("damaged_board", {"detail": str(error)}) from None
        same = self.digest in (board.digest, *board.earlier)
        if not same or [entry.name for entry in board.rules] != self.rules:
            raise RecordError("foreign_board", {"board": self.id})
        return board


def board_ref(board: Board) -> BoardRef:
    """Which board this is, with the whole of it if it is not a built-in one."""
    own = board.id in builtin_boards() and load_board(board.id).digest == board.digest
    rules = [entry.name for entry in board.rules]
    return BoardRef(board.id, board.digest, rules, None if own else dict(board.source))


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scores by seat and the winners."""

    scores: list[int]
    winners: list[int]


class WithheldRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round of a draw that led to no seed, since some seats did not open their promise."""

    round: int
    server: Name
    promises: list[Name | None]
    seats: list[Seat]


class SeedDraw(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a server and its players have drawn the seed: `engine/seed_draw.py`.

    `server` and `promises` were published before anyone revealed a nonce. Lists are by seat; None
    for those of which the server had no promise.
    """

    table: Name
    round: int
    server: Name
    promises: list[Name | None]
    part: Name
    nonces: list[Name | None]
    withheld: list[WithheldRound] = []


class Record(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A game, finished or under way. It holds every secret."""

    schema: int
    engine: str
    board: BoardRef
    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS)]
    seed: Name
    actions: list[tuple[Seat, Name]]
    events: list[tuple[Name, SeatOrNone, list[Word]]]
    hash: Name
    first: Seat | None = None
    result: Result | None = None
    commitment: Name | None = None
    """The SHA-256 of the seed, in hexadecimal, if it was published before the game."""
    names: list[Name] | None = None
    draw: SeedDraw | None = None
    """How the seed came about, if a server drew it with its players."""

    def __repr__(self) -> str:
        """The record in brief, without the secrets that it holds."""
        scores = f", scores={self.result.scores}" if self.result is not None else ""
        counts = f"{len(self.actions)} actions, {len(self.events)} events"
        return f"Record({self.board.id!r}, seats={self.seats}, {counts}{scores})"

    def to_json(self) -> str:
        """The record as JSON, one action or event a line."""
        head = msgspec.to_builtins(self)
        rows = {key: head.pop(key) for key in ("actions", "events")}
        body = msgspec.json.format(msgspec.json.encode(head), indent=1).decode()[:-2]
        for key, items in rows.items():
            listed = ",\n  ".join(msgspec.json.encode(item).decode() for item in items)
            body += f',\n "{key}": [\n  {listed}\n ]' if items else f',\n "{key}": []'
        return body + "\n}\n"

    @staticmethod
    def from_json(data: bytes | str) -> Record:
        """A record from JSON; raises `RecordError` if it is damaged or not one of ours."""
        if len(data) > MAX_BYTES:
            raise RecordError("record_too_long", {"lines": len(data), "most": MAX_BYTES})
        try:
            record = _RECORD.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise RecordError("damaged_record", {"detail": str(error)}) from None
        if record.schema != SCHEMA:
            raise RecordError("record_version", {"schema": record.schema, "known": SCHEMA})
        return record

    def game(self) -> Game:
        """The game that was played."""
        board = self.board.open()
        try:
            return Game(board, self.seats)
        except MapError as error:
            raise RecordError("damaged_board", {"detail": error}) from None

    def check(self, state: State) -> None:
        """The state must be the one that the record names.

        The hash covers the engine's own layout, so it is compared within one version only; between
        versions the scores are.
        """
        wrong = self.engine == VERSION and state.hash() != self.hash
        if wrong or (self.result is not None and state.outcome.scores != self.result.scores):
            raise RecordError("diverged", {"hash": state.hash()})


# Made beforehand: msgspec crashes when threads are the first to decode a type at the same time.
_RECORD: Final = msgspec.json.Decoder(Record)


def text_of(content: bytes) -> str:
    """The text of a file with a record in either form; raises `RecordError` if it is not text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError("not_a_record") from None


def make_record(state: State) -> Record:
    """The record of a game, made by playing it again with a log."""
    if state.moves is None or state.seed is None:
        raise StateError("no_moves")
    game = state.game
    shadow = rewind(state, len(state.moves), log=True)
    outcome = shadow.outcome
    return Record(
        schema=SCHEMA,
        engine=VERSION,
        board=board_ref(game.board),
        seats=game.seats,
        seed=state.seed,
        actions=[(move & 7, game.action_text(move >> 3)) for move in state.moves],
        events=rows(shadow.events),
        hash=shadow.hash(),
        first=state.first,
        result=Result(outcome.scores, outcome.winners) if shadow.over else None,
    )


def rows(events: list[Event]) -> list[tuple[Name, SeatOrNone, list[Word]]]:
    """Events as a record has them."""
    return [(e.kind.name, int(e.seat), [int(x) for x in e.numbers]) for e in events]


def rewind(state: State, moves: int, log: bool = False) -> State:
    """The game as it was after some of its moves (undo is replay)."""
    if state.moves is None or state.seed is None:
        raise StateError("no_moves")
    again = state.game.start(state.seed, state.first, log=log)
    for move in state.moves[:moves]:
        again.apply(move & 7, move >> 3)
    return again


def replay(record: Record, moves: int | None = None, log: bool = False) -> State:
    """Play the actions of a record again: all of them, or the first `moves`.

    Played to the end, the state must be the one that the record names. A record of another version
    raises `other_rules` if it can't be played by the rules of today; `replay_events` and `playback`
    show it all the same.
    """
    try:
        return _play(record, moves, log)
    except RecordError as error:
        if record.engine == VERSION or error.code not in ("bad_action", "diverged"):
            raise
        raise RecordError("other_rules", {"engine": record.engine[:20]}) from error


def _play(record: Record, moves: int | None, log: bool) -> State:
    game = record.game()
    state = game.start(record.seed, record.first, log=log)
    for number, (seat, text) in enumerate(record.actions[:moves]):
        try:
            state.apply(seat, parse_action(game, text))
        except BranchlineError as error:
            raise RecordError("bad_action", {"number": number + 1, "text": text[:80]}) from error
    if moves is None or moves >= len(record.actions):
        record.check(state)
    return state


def events_of(record: Record, game: Game) -> list[Event]:
    """The events of a record, with their kinds."""
    kinds = {kind.name: kind for kind in game.event_kinds}
    events = []
    for name, seat, numbers in record.events:
        if name not in kinds:
            raise RecordError("unknown_event", {"event": name[:40]})
        if not kinds[name].fits(len(numbers)):
            raise RecordError("damaged_record", {"detail": name})
        events.append(Event(kinds[name], seat, numbers))
    return events


def replay_events(record: Record) -> State:
    """Rebuild the state from the events alone, without asking any rule or any chance.

    The state must be the one that the record names.
    """
    state = rebuild(record, record.game())
    try:
        record.check(state)
    except IMPOSSIBLE as error:
        raise RecordError("damaged_record", {"detail": str(error)}) from None
    return state


def rebuild(record: Record, game: Game) -> State:
    """The state that the events lead to, whether or not it is the one that the record names."""
    state = State(game, game.blank_state[:])
    try:
        for event in events_of(record, game):
            state.redo(event)
    except IMPOSSIBLE as error:
        raise RecordError("damaged_record", {"detail": str(error)}) from None
    return state
