"""A finished table as its row in the store has it, so that lists need not read its log."""

from __future__ import annotations

from typing import Final

import msgspec

from branchline.engine.verify import commitment_of
from branchline.service.answers import TableBrief
from branchline.service.broadcast.readers import seat_info, seat_name
from branchline.service.messages import SeriesInfo, TableInfo
from branchline.service.tables.log_entries import Created
from branchline.service.tables.table import Table
from branchline.service.tables.table_state import SeatState


class TableSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lists show of a finished table, in no language."""

    id: str
    created: Created
    seats: list[SeatState]
    host: str
    commitment: str
    told: int
    chat: bool
    rematch: str
    scores: list[int]
    winners: list[int]
    series: SeriesInfo | None = None


_decode: Final = msgspec.json.Decoder(TableSummary).decode


def summary_of(table: Table) -> bytes:
    """The summary of a table whose game is over."""
    f = table.table_state
    assert table.state is not None
    outcome = table.state.outcome
    return msgspec.json.encode(
        TableSummary(
            id=f.id,
            created=f.created,
            seats=f.seats,
            host=f.host,
            commitment=commitment_of(f.seed),
            told=f.told,
            chat=f.chat,
            rematch=f.rematch,
            scores=outcome.scores,
            winners=outcome.winners,
            series=table.series() if f.created.series is not None else None,
        )
    )


def read_summary(body: bytes) -> TableSummary:
    """The summary of a finished table, as it was stored."""
    return _decode(body)


def brief_of(body: bytes, key: str | None, lang: str) -> TableBrief:
    """A finished table in a list of the holder of a key."""
    s = _decode(body)
    held = [k for k, seat in enumerate(s.seats) if key and seat.key == key]
    hosts = [k for k, seat in enumerate(s.seats) if s.host and seat.key == s.host]
    info = TableInfo(
        id=s.id,
        board=s.created.board,
        digest=s.created.digest,
        status="over",
        seats=[seat_info(x, seat_name(x, k, lang), False) for k, x in enumerate(s.seats)],
        host=hosts[0] if hosts else -1,
        public=s.created.public,
        chat=s.chat,
        clock=s.created.clock,
        commitment=s.commitment,
        spectators=0,
        wish=None,
        rematch=s.rematch,
        result=None,
        series=s.series,
        first=s.created.first,
    )
    return TableBrief(
        table=info,
        seat=held[0] if held else -1,
        held=held,
        your_turn=False,
        updated=s.told,
        scores=s.scores,
        winners=s.winners,
    )
