"""A finished game step by step, from its record: all cards open, or as one seat saw it."""

from __future__ import annotations

from typing import Any, Final

from branchline.engine.describe import Words
from branchline.engine.errors import RecordError
from branchline.engine.events import NOBODY, Event
from branchline.engine.notation import read_game
from branchline.engine.outcome import Outcome
from branchline.engine.playback import playback
from branchline.engine.record import Record, text_of
from branchline.engine.state import State
from branchline.engine.table import HELD
from branchline.engine.view import View
from branchline.service.broadcast.readers import Fields, changed, fields_of, lines_of

MOST_MOVES: Final = 5_000  # far more than any game has; what a reader can be made to wait for


def replay_steps(data: bytes, seat: int | None, lang: str, cities: str = "") -> dict[str, Any]:
    """The game in a record; raises `BranchlineError` if it is not one of ours."""
    record = record_in(data)
    shown = playback(record)
    game = shown.game
    if seat is not None and not 0 <= seat < game.seats:
        seat = NOBODY
    names = (record.names or [])[: game.seats]
    words = Words(game, lang, names, NOBODY if seat is None else seat, cities)
    fields: Fields = {}
    steps: list[dict[str, Any]] = []
    before: View | None = None
    for number, state in enumerate(shown.positions()):
        move = None
        if before is not None:
            mover, action = shown.moves[number - 1]
            known = seat in (None, mover)
            move = {
                "seat": mover,
                "notation": game.action_text(action) if known else "",
                "text": words.action(before, action) if known else "",
            }
        last, fields = fields, open_fields(state) if seat is None else fields_of(state.view(seat))
        steps.append(
            {
                "move": move,
                "events": told(shown.events[number], words, seat),
                "changes": changed(last, fields),
                "turn": state.turn,
                "phase": state.phase if seat is None else state.view(seat).phase,
            }
        )
        if number < shown.last:
            before = state.view(shown.moves[number][0])
    return {
        "board": game.board.id,
        "digest": game.board.digest,
        "data": record.board.data is not None,
        "seats": game.seats,
        "names": words.names,
        "steps": steps,
        "result": result_of(shown.outcome(state), words) if state.over else None,
    }


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
    layout = game.table.layout.field("ticket_at")
    at = [int(state.d[layout.offset + k]) for k in range(layout.size)]
    fields["held"] = [where - HELD + 1 if HELD <= where < HELD + game.seats else 0 for where in at]
    acting = state.to_act[0] if state.to_act and not state.over else NOBODY
    if acting != NOBODY:
        for name in ("phase", "registers", "laid"):
            fields[name] = views[acting][name]
    return fields


def told(events: list[Event], words: Words, seat: int | None) -> list[dict[str, Any]]:
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
        found.append({"event": event.kind.name, "seat": event.seat, "text": text, "values": values})
    return found


def result_of(outcome: Outcome, words: Words) -> dict[str, Any]:
    return {
        "scores": outcome.scores,
        "winners": outcome.winners,
        "tickets": outcome.tickets,
        "lines": lines_of(outcome, words),
        "tie_break": outcome.tie_break,
        "tie_text": words.tie_break(outcome),
    }
