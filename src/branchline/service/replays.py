"""A finished game step by step, from its record: all cards open, or as one seat saw it."""

from __future__ import annotations

from typing import Any, Final

from branchline.engine.describe import Words
from branchline.engine.errors import RecordError
from branchline.engine.events import NOBODY, Log
from branchline.engine.notation import parse_action, read_game
from branchline.engine.record import Record, text_of
from branchline.engine.state import State
from branchline.engine.table import HELD
from branchline.engine.view import View
from branchline.service.audience import Fields, changed, fields_of
from branchline.service.messages import Line

MOST_MOVES: Final = 5_000  # far more than any game has; what a reader can be made to wait for


def replay_steps(data: bytes, seat: int | None, lang: str, cities: str = "") -> dict[str, Any]:
    """The game that a record tells; raises `BranchlineError` if it is none of ours."""
    record = record_in(data)
    game = record.game()
    if seat is not None and not 0 <= seat < game.seats:
        seat = NOBODY
    names = (record.names or [])[: game.seats]
    words = Words(game, lang, names, NOBODY if seat is None else seat, cities)
    state = game.start(record.seed, record.first, log=True)
    shown: Fields = {}
    steps: list[dict[str, Any]] = []

    def add(move: dict[str, Any] | None) -> None:
        nonlocal shown
        fields = open_fields(state) if seat is None else fields_of(state.view(seat))
        steps.append(
            {
                "move": move,
                "events": told(state, words, seat),
                "changes": changed(shown, fields),
                "turn": state.turn,
                "phase": state.phase if seat is None else state.view(seat).phase,
            }
        )
        shown = fields
        state.log = Log()

    add(None)
    for number, (mover, text) in enumerate(record.actions):
        try:
            action = parse_action(game, text)
            context = state.view(mover)
            said = words.action(context, action) if seat in (None, mover) else ""
            state.apply(mover, action)
        except Exception as error:
            raise RecordError("bad_action", {"number": number + 1, "text": text[:80]}) from error
        known = seat in (None, mover)
        add({"seat": mover, "notation": text if known else "", "text": said})
    record.check(state)
    return {
        "board": game.board.id,
        "digest": game.board.digest,
        "data": record.board.data is not None,
        "seats": game.seats,
        "names": words.names,
        "steps": steps,
        "result": result_of(state, words) if state.over else None,
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


def told(state: State, words: Words, seat: int | None) -> list[dict[str, Any]]:
    """The events of a step, as far as the reader may know them."""
    found = []
    for event in state.events:
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


def result_of(state: State, words: Words) -> dict[str, Any]:
    outcome = state.outcome
    return {
        "scores": outcome.scores,
        "winners": outcome.winners,
        "tickets": outcome.tickets,
        "lines": [
            [
                Line(line.rule, line.what, line.points, line.ref, words.score_line(line))
                for line in lines
            ]
            for lines in outcome.lines
        ],
    }
