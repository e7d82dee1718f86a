"""What is written in addition to new entries, as functions of a connection in a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from branchline.service.storage.rows import TableRow
from branchline.service.storage.schema import (
    boards,
    entries,
    links,
    notices,
    settings,
    sits,
    snapshots,
    tables,
)
from branchline.service.storage.upsert import insert_if_new

SNAPSHOTS_KEPT: Final = 4
"""Snapshots of one table, of all versions together."""
LINKS_KEPT: Final = 5
"""Links of one seat, however often somebody asks for another."""
NOTICES_KEPT: Final = 8
"""Ways to be told, of one seat: a person has a few devices."""
PROBE: Final = "probe"


def write_table(
    connection: Connection,
    row: TableRow,
    board: bytes,
    bodies: Sequence[bytes],
    at: int,
    holders: Sequence[tuple[int, str]],
) -> None:
    """A new table with all that belongs to it."""
    new_board = insert_if_new(connection.dialect.name, boards)
    connection.execute(new_board, {"digest": row.digest, "body": board})
    connection.execute(insert(tables), msgspec.structs.asdict(row))
    if bodies:
        log = [
            {"table_id": row.id, "number": number, "at": at, "body": body}
            for number, body in enumerate(bodies, 1)
        ]
        connection.execute(insert(entries), log)
    if holders:
        taken = [{"table_id": row.id, "seat": seat, "key": key, "at": at} for seat, key in holders]
        connection.execute(insert(sits), taken)


def write_summary(connection: Connection, table: str, body: bytes) -> None:
    connection.execute(update(tables).where(tables.c.id == table).values(summary=body))


@dataclass(frozen=True, slots=True)
class SnapshotWrite:
    """Keeps a snapshot, and removes old ones; see `Store.put_snapshot`."""

    table: str
    number: int
    version: str
    body: bytes

    def __call__(self, connection: Connection) -> None:
        mark = "%s" if connection.dialect.name == "postgresql" else "?"
        for statement, values in self.statements(mark):
            connection.exec_driver_sql(statement, values)

    def statements(self, mark: str) -> list[tuple[str, tuple[object, ...]]]:
        """As text: SQLAlchemy takes longer than SQLite."""
        new, old = snapshot_statements(mark)
        row = (self.table, self.number, self.version, self.body)
        return [(new, row), (old, (self.table, self.table))]


@lru_cache(maxsize=2)
def snapshot_statements(mark: str) -> tuple[str, str]:
    """To keep a snapshot, and to remove old ones."""
    new = f"""
        INSERT INTO snapshots (table_id, number, version, body)
        VALUES ({mark}, {mark}, {mark}, {mark}) ON CONFLICT DO NOTHING
    """
    old = f"""
        DELETE FROM snapshots WHERE table_id = {mark} AND number < (
            SELECT number FROM snapshots WHERE table_id = {mark}
            ORDER BY number DESC LIMIT 1 OFFSET {SNAPSHOTS_KEPT - 1}
        )
    """
    return new, old


def remove_snapshots(connection: Connection, table: str, after: int) -> None:
    connection.execute(
        delete(snapshots).where(snapshots.c.table_id == table, snapshots.c.number > after)
    )


def write_link(connection: Connection, hash: str, table: str, seat: int, expires: int) -> None:
    values = {"hash": hash, "table_id": table, "seat": seat, "expires": expires}
    connection.execute(insert(links), values)
    mine = (links.c.table_id == table, links.c.seat == seat)
    newest = select(links.c.hash).where(*mine).order_by(links.c.expires.desc()).limit(LINKS_KEPT)
    connection.execute(delete(links).where(*mine, links.c.hash.not_in(newest)))


def remove_link(connection: Connection, hash: str, now: int) -> tuple[str, int] | None:
    """The link's seat if it is still good. It is gone afterwards, as are all that have expired."""
    taken = connection.execute(
        delete(links)
        .where(links.c.hash == hash)
        .returning(links.c.table_id, links.c.seat, links.c.expires)
    ).one_or_none()
    connection.execute(delete(links).where(links.c.expires <= now))
    return None if taken is None or taken.expires <= now else (taken.table_id, taken.seat)


def write_notice(connection: Connection, table: str, seat: int, body: bytes | None) -> None:
    """Add a way to be told, as the newest; None removes all of the seat's."""
    mine = (notices.c.table_id == table, notices.c.seat == seat)
    if body is None:
        connection.execute(delete(notices).where(*mine))
        return
    connection.execute(delete(notices).where(*mine, notices.c.body == body))
    connection.execute(insert(notices), {"table_id": table, "seat": seat, "body": body})
    oldest_kept = (
        select(notices.c.id)
        .where(*mine)
        .order_by(notices.c.id.desc())
        .limit(1)
        .offset(NOTICES_KEPT - 1)
        .scalar_subquery()
    )
    connection.execute(delete(notices).where(*mine, notices.c.id < oldest_kept))


def write_setting_once(connection: Connection, name: str, value: str) -> str:
    """The setting's first value, which is this one if there was none."""
    new = insert_if_new(connection.dialect.name, settings)
    connection.execute(new, {"name": name, "value": value})
    winner: str = connection.scalars(select(settings.c.value).where(settings.c.name == name)).one()
    return winner


def write_probe(connection: Connection, value: str) -> None:
    """Something small, to see whether writing works."""
    done = connection.execute(update(settings).where(settings.c.name == PROBE).values(value=value))
    if done.rowcount == 0:
        write_setting_once(connection, PROBE, value)
