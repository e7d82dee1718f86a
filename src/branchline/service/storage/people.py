"""What is kept of visitors in addition to their seats, as functions of a connection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
from sqlalchemy import Connection, bindparam, delete, exists, select, update

from branchline.service.storage.removal import GONE
from branchline.service.storage.rows import PersonRow
from branchline.service.storage.schema import (
    LISTED_PEOPLE,
    entries,
    notices,
    people,
    rated,
    sits,
    snapshots,
    tables,
)
from branchline.service.storage.upsert import insert_if_new

PERSON = [people.c[name] for name in PersonRow.__struct_fields__]
Update = Callable[[Sequence[PersonRow]], Sequence[PersonRow]]


def read_person(connection: Connection, key: str) -> PersonRow | None:
    row = connection.execute(select(*PERSON).where(people.c.key == key)).one_or_none()
    return None if row is None else PersonRow(*row)


def read_ranking(connection: Connection, games: int, limit: int) -> list[PersonRow]:
    found = connection.execute(
        select(*PERSON)
        .where(LISTED_PEOPLE, people.c.games >= games)
        .order_by(people.c.mean.desc())
        .limit(limit)
    )
    return [PersonRow(*row) for row in found]


def read_seats_of(connection: Connection, key: str) -> list[str]:
    found = connection.scalars(
        select(sits.c.table_id)
        .join(tables, tables.c.id == sits.c.table_id)
        .where(sits.c.key == key, tables.c.status != GONE)
        .distinct()
        .order_by(sits.c.table_id)
    )
    return list(found)


def read_unrated(connection: Connection, since: int, limit: int) -> list[str]:
    found = connection.scalars(
        select(tables.c.id)
        .where(tables.c.status == "over", tables.c.updated >= since)
        .where(~exists().where(rated.c.table_id == tables.c.id))
        .order_by(tables.c.updated)
        .limit(limit)
    )
    return list(found)


def write_person(connection: Connection, person: PersonRow) -> None:
    """Keep a name and whether it is shown; a rating that is there stays."""
    values = msgspec.structs.asdict(person)
    connection.execute(insert_if_new(connection.dialect.name, people), values)
    connection.execute(
        update(people)
        .where(people.c.key == person.key)
        .values(name=person.name, listed=person.listed)
    )


def write_ratings(
    connection: Connection, table: str, newcomers: Sequence[PersonRow], after: Update
) -> bool:
    """Change the ratings of those who took part in a game, once for each game.

    `newcomers` are all of them, as they are if they have no rating yet; `after` says what becomes
    of the ratings that they have. False: this game has counted already.
    """
    dialect = connection.dialect.name
    counted = insert_if_new(dialect, rated).returning(rated.c.table_id)
    if connection.execute(counted, {"table_id": table}).one_or_none() is None:
        return False
    if not newcomers:
        return True
    # Always in the same order, or two processes could each wait for the other.
    for person in sorted(newcomers, key=lambda p: p.key):
        values = msgspec.structs.asdict(person)
        connection.execute(insert_if_new(dialect, people), values)
    keys = [person.key for person in newcomers]
    locked = select(*PERSON).where(people.c.key.in_(keys)).order_by(people.c.key).with_for_update()
    found = {row.key: PersonRow(*row) for row in connection.execute(locked)}
    changed = [
        {"who": p.key, "now_mean": p.mean, "now_spread": p.spread, "now_games": p.games}
        for p in after([found[key] for key in keys])
    ]
    statement = (
        update(people)
        .where(people.c.key == bindparam("who"))
        .values(
            mean=bindparam("now_mean"), spread=bindparam("now_spread"), games=bindparam("now_games")
        )
    )
    connection.execute(statement, changed)
    return True


def remove_person(connection: Connection, key: str) -> None:
    connection.execute(delete(people).where(people.c.key == key))


def rewrite_entries(
    connection: Connection, table: str, bodies: Mapping[int, bytes], key: str, seats: Sequence[int]
) -> None:
    """Replace entries of a log, and forget whose the seats were."""
    if bodies:
        statement = (
            update(entries)
            .where(entries.c.table_id == table, entries.c.number == bindparam("which"))
            .values(body=bindparam("now_body"))
        )
        rows = [{"which": number, "now_body": body} for number, body in bodies.items()]
        connection.execute(statement, rows)
    connection.execute(delete(sits).where(sits.c.table_id == table, sits.c.key == key))
    connection.execute(delete(snapshots).where(snapshots.c.table_id == table))
    connection.execute(update(tables).where(tables.c.id == table).values(summary=None))
    mine = (notices.c.table_id == table, notices.c.seat.in_(list(seats)))
    connection.execute(delete(notices).where(*mine))
