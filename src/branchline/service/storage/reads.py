"""What is asked of the database, as functions of a connection."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, and_, func, or_, select

from branchline.service.storage.removal import GONE
from branchline.service.storage.rows import EntryRow, TableRow
from branchline.service.storage.schema import (
    CLOCKED,
    LISTED,
    boards,
    entries,
    notices,
    settings,
    sits,
    snapshots,
    tables,
)

LATEST_SITS: Final = 300
"""Seats among which the tables of a key are looked for: whoever has taken thousands waits no longer
than others."""
TABLE = [tables.c[name] for name in TableRow.__struct_fields__]


def read_entries(connection: Connection, table: str, after: int) -> list[EntryRow]:
    """The log after a number, in order."""
    found = connection.execute(
        select(entries.c.number, entries.c.at, entries.c.body)
        .where(entries.c.table_id == table, entries.c.number > after)
        .order_by(entries.c.number)
    )
    return [EntryRow(number, at, body) for number, at, body in found]


def read_table(connection: Connection, id: str) -> TableRow | None:
    wanted = select(*TABLE).where(tables.c.id == id, tables.c.status != GONE)
    row = connection.execute(wanted).one_or_none()
    return None if row is None else TableRow(*row)


def read_board(connection: Connection, digest: str) -> bytes | None:
    return connection.scalar(select(boards.c.body).where(boards.c.digest == digest))


def read_public(connection: Connection, since: int, limit: int) -> list[TableRow]:
    found = connection.execute(
        select(*TABLE)
        .where(LISTED, tables.c.updated >= since)
        .order_by(tables.c.updated.desc())
        .limit(limit)
    )
    return [TableRow(*row) for row in found]


def read_tables_of(connection: Connection, key: str, limit: int) -> list[tuple[TableRow, int]]:
    latest = (
        select(sits.c.table_id, sits.c.seat)
        .where(sits.c.key == key)
        .order_by(sits.c.at.desc())
        .limit(LATEST_SITS)
        .subquery()
    )
    found = connection.execute(
        select(func.min(latest.c.seat), *TABLE)
        .join(tables, tables.c.id == latest.c.table_id)
        .where(tables.c.status != GONE)
        .group_by(tables.c.id)
        .order_by(tables.c.updated.desc(), tables.c.id)
        .limit(limit)
    )
    return [(TableRow(*row), seat) for seat, *row in found]


def read_due(connection: Connection, before: int, limit: int) -> list[str]:
    wanted = select(tables.c.id).where(CLOCKED, tables.c.wakes <= before)
    return list(connection.scalars(wanted.order_by(tables.c.wakes).limit(limit)))


def read_alive(connection: Connection, most: int, since: int) -> int:
    goes_on = and_(tables.c.status == "playing", tables.c.updated >= since)
    alive = (
        select(tables.c.status)
        .where(or_(tables.c.status == "waiting", goes_on))
        .limit(most)
        .subquery()
    )
    return connection.scalar(select(func.count()).select_from(alive)) or 0


def read_count(connection: Connection) -> dict[str, int]:
    found = connection.execute(select(tables.c.status, func.count()).group_by(tables.c.status))
    return {"waiting": 0, "playing": 0, "over": 0} | {row[0]: row[1] for row in found}


def read_snapshot(connection: Connection, table: str, version: str) -> tuple[int, bytes] | None:
    row = connection.execute(
        select(snapshots.c.number, snapshots.c.body)
        .where(snapshots.c.table_id == table, snapshots.c.version == version)
        .order_by(snapshots.c.number.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else (row.number, row.body)


def read_notices(connection: Connection, table: str, seat: int) -> list[bytes]:
    wanted = select(notices.c.body).where(notices.c.table_id == table, notices.c.seat == seat)
    return list(connection.scalars(wanted.order_by(notices.c.id)))


def read_setting(connection: Connection, name: str) -> str | None:
    return connection.scalar(select(settings.c.value).where(settings.c.name == name))
