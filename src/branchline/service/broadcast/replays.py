"""The record of a finished table, and any record step by step: all open, or as one seat saw it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from branchline.core.mapfile import builtin_boards, load_board
from branchline.engine.describe import Words
from branchline.engine.errors import RecordError
from branchline.engine.events import NOBODY, Event
from branchline.engine.layout import HELD
from branchline.engine.notation import read_game
from branchline.engine.playback import playback
from branchline.engine.record import SCHEMA, BoardRef, Record, Result, text_of
from branchline.engine.state import State
from branchline.engine.verify import commitment_of
from branchline.engine.view import View
from branchline.service.answers import Replay, ReplayEvent, ReplayMove, ReplayStep
from branchline.service.broadcast.readers import Fields, changed, fields_of, result_of, seat_name
from branchline.service.errors import ServiceError
from branchline.service.messages import DrawnParts
from branchline.service.tables.log_entries import AnyEntry, Began, Moved, StoredEvent
from branchline.service.tables.seed_drawing import drawn
from branchline.service.tables.table import Table

MOST_MOVES: Final = 5_000  # far more than any game has; what a reader can be made to wait for


def replay_of(record: Record, seat: int | None, lang: str, cities: str = "") -> Replay:
    """The game in a record; raises `BranchlineError` if it can't have been played."""
    shown = playback(record)
    game = shown.game
    if seat is not None and not 0 <= seat < game.seats:
        seat = NOBODY
    names = (record.names or [])[: game.seats]
    words = Words(game, lang, names, NOBODY if seat is None else seat, cities)
    fields: Fields = {}
    steps: list[ReplayStep] = []
    before: View | None = None
    for number, state in enumerate(shown.positions()):
        move = None
        if before is not None:
            mover, action = shown.moves[number - 1]
            known = seat in (None, mover)
            move = ReplayMove(
                seat=mover,
                notation=game.action_text(action) if known else "",
                text=words.action(before, action) if known else "",
            )
        last, fields = fields, open_fields(state) if seat is None else fields_of(state.view(seat))
        steps.append(
            ReplayStep(
                move=move,
                events=told(shown.events[number], words, seat),
                changes=changed(last, fields),
                turn=state.turn,
                phase=state.phase if seat is None else state.view(seat).phase,
            )
        )
        if number < shown.last:
            before = state.view(shown.moves[number][0])
    return Replay(
        board=game.board.id,
        digest=game.board.digest,
        data=record.board.data is not None,
        seats=game.seats,
        names=list(words.names),
        steps=steps,
        result=(
            result_of(state, shown.outcome(state), words, record.seed, parts_in(record))
            if state.over
            else None
        ),
    )


def parts_in(record: Record) -> DrawnParts | None:
    """What the seed of a record was drawn from, as the table told it."""
    if record.draw is None:
        return None
    return DrawnParts(record.draw.part, [nonce or "" for nonce in record.draw.nonces])


def record_of(table: Table, entries: Iterable[tuple[int, AnyEntry]], lang: str) -> Record:
    """The record of a finished table, with every secret of its game; bots are named in a language.

    `entries` is the table's log.
    """
    if table.status != "over" or table.state is None:
        raise ServiceError("not_over")
    standing = {step.number for step in table.table_state.steps}
    actions: list[tuple[int, str]] = []
    facts: list[StoredEvent] = []
    engine = ""
    for number, entry in entries:
        if isinstance(entry, Began):
            engine = entry.engine
            facts += entry.events
        elif isinstance(entry, Moved) and number in standing:
            actions.append((entry.seat, entry.action))
            facts += entry.events
    board, outcome = table.game.board, table.state.outcome
    own = board.id in builtin_boards() and load_board(board.id).digest == board.digest
    return Record(
        schema=SCHEMA,
        engine=engine,
        board=BoardRef(
            board.id,
            board.digest,
            [entry.name for entry in board.rules],
            None if own else dict(board.source),
        ),
        seats=table.game.seats,
        seed=table.table_state.seed,
        actions=actions,
        events=[(name, seat, list(numbers)) for name, seat, numbers in facts],
        hash=table.state.hash(),
        first=table.created.first,
        result=Result(outcome.scores, outcome.winners),
        commitment=commitment_of(table.table_state.seed),
        names=[seat_name(s, k, lang) for k, s in enumerate(table.seats)],
        draw=drawn(table),
    )


def record_in(data: bytes) -> Record:
    """A record as JSON or in the text notation."""
    text = text_of(data)
    if text.lstrip().startswith("{"):
        record = Record.from_json(text)
        limit(len(record.actions))
        return record
    if not text.lstrip().startswith(("branchline ", ";")):
        raise RecordError("not_a_record")
    limit(text.count("\n"))
    return read_game(text).record()


def limit(lines: int) -> None:
    """A record may not have more lines than this."""
    if lines > MOST_MOVES:
        raise RecordError("record_too_long", {"lines": lines, "most": MOST_MOVES})


def open_fields(state: State) -> Fields:
    """The public fields, and every seat's cards and tickets."""
    game = state.game
    fields = fields_of(state.view(NOBODY))
    views: list[View] = [state.view(seat) for seat in range(game.seats)]
    hands: list[int] = []
    for view in views:
        hands += view["hand"]
    fields["hands"] = hands
    layout = game.layout.fields.field("ticket_at")
    at = [int(state.d[layout.offset + k]) for k in range(layout.size)]
    fields["held"] = [where - HELD + 1 if HELD <= where < HELD + game.seats else 0 for where in at]
    acting = state.to_act[0] if state.to_act and not state.over else NOBODY
    if acting != NOBODY:
        for name in ("phase", "registers", "laid"):
            fields[name] = views[acting][name]
    return fields


def told(events: list[Event], words: Words, seat: int | None) -> list[ReplayEvent]:
    """The events of a step, as far as the reader may know them."""
    found = []
    for event in events:
        known = event.full() if seat is None else event.seen(seat)
        if known is None or event.kind.silent:
            continue
        text = words.event(event, open=seat is None)
        values = {
            name: value
            for name, value, mark in zip(
                event.kind.names, event.kind.values(event.numbers), event.kind.marks, strict=True
            )
            if name in known and mark != "!"
        }
        found.append(ReplayEvent(event.kind.name, event.seat, text, values))
    return found
