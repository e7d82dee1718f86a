"""Removing tables whose time is over, a little at a time, as functions of a connection.

A table is marked first, and from then on it does not exist for anybody. Its rows go afterwards, in
portions that hold up no move; if the process dies in between, the next one goes on.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, delete, select, tuple_, update

from branchline.service.storage.schema import (
    entries,
    links,
    notices,
    rated,
    sits,
    snapshots,
    tables,
)

GONE: Final = "gone"
"""The status of a table that is being removed."""


def mark_expired(
    connection: Connection, status: str, before: int, limit: int, kept: Collection[str]
) -> list[str]:
    """Mark tables with this status that have not changed since; returns which."""
    # A move that is on its way has the row locked; its table is looked at again next time.
    found = connection.scalars(
        select(tables.c.id)
        .where(tables.c.status == status, tables.c.updated < before)
        .where(tables.c.id.not_in(list(kept)))
        .order_by(tables.c.updated)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    ids = list(found)
    if ids:
        connection.execute(update(tables).where(tables.c.id.in_(ids)).values(status=GONE))
    return ids


def remove_some(connection: Connection, rows: int) -> int:
    """Remove up to so many entries of one marked table, at last the rest of it; returns how many.

    0: there is nothing left to remove.
    """
    id = connection.scalar(
        select(tables.c.id)
        .where(tables.c.status == GONE)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    if id is None:
        return 0
    portion = (
        select(entries.c.table_id, entries.c.number).where(entries.c.table_id == id).limit(rows)
    )
    done = connection.execute(
        delete(entries).where(tuple_(entries.c.table_id, entries.c.number).in_(portion))
    ).rowcount
    if done < rows:
        for other in (sits, snapshots, links, notices, rated):
            connection.execute(delete(other).where(other.c.table_id == id))
        connection.execute(delete(tables).where(tables.c.id == id))
        done += 1
    return done
