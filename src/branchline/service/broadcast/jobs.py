"""What worker processes do for requests: records, replays and drawings, as bodies of answers."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from branchline.core.mapfile import board_from_data
from branchline.drawing.drawings import drawing_for
from branchline.engine.game import Game
from branchline.engine.record import Record
from branchline.service.broadcast.replays import record_in, record_of, replay_of
from branchline.service.tables import log_entries as log
from branchline.service.tables.log_entries import Created
from branchline.service.tables.table import apply_all, new_table

_encode: Final = msgspec.json.Encoder().encode


class StoredTable(NamedTuple):
    """A table as the store has it: its board, and the entries of its log."""

    id: str
    board: str
    source: bytes
    entries: list[tuple[int, int, bytes]]


def uploaded_replay(data: bytes, seat: int | None, lang: str, cities: str) -> bytes:
    """The game in a record that somebody has sent, step by step."""
    return _encode(replay_of(record_in(data), seat, lang, cities))


def table_replay(stored: StoredTable, seat: int | None, lang: str, cities: str) -> bytes:
    """The game of a finished table, step by step."""
    return _encode(replay_of(record_from(stored, lang), seat, lang, cities))


def table_record(stored: StoredTable, lang: str) -> bytes:
    """The record of a finished table."""
    return record_from(stored, lang).to_json().encode()


def record_from(stored: StoredTable, lang: str) -> Record:
    entries = [(number, at, log.decode(body)) for number, at, body in stored.entries]
    created = entries[0][2]
    assert isinstance(created, Created)
    game = game_of(stored.source, stored.board, created.seats)
    table = apply_all(new_table(stored.id, created, game), entries)
    return record_of(table, [(number, entry) for number, _, entry in entries], lang)


@lru_cache(maxsize=16)
def game_of(source: bytes, board: str, seats: int) -> Game:
    return Game(board_from_data(msgspec.json.decode(source), board), seats)


def drawing(source: bytes, board: str) -> bytes:
    """The picture of a board, as data."""
    return _encode(drawing_for(board_from_data(msgspec.json.decode(source), board)))
