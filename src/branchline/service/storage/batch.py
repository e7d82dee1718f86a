"""Writes that are done together, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    Connection,
    LargeBinary,
    Text,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError

from branchline.service.storage.errors import is_fault
from branchline.service.storage.jobs import (
    Append,
    Job,
    Task,
    all_done,
    forget_results,
    plain_values,
)
from branchline.service.storage.removal import GONE
from branchline.service.storage.schema import entries, sits, tables
from branchline.service.storage.writes import SnapshotWrite

CHANNEL: Final = "branchline"
"""Where processes on PostgreSQL tell each other of new entries: `writer table number`."""
MOST_ROWS: Final = 200  # that one statement inserts


class CommitLost(Exception):
    """The connection broke during the commit: nobody knows yet whether it was done."""

    def __init__(self, error: DBAPIError) -> None:
        super().__init__(str(error))
        self.error: Final = error


@lru_cache(maxsize=256)
def _append_statement(mark: str, count: int) -> str:
    """Inserts entries that are the next ones of tables that exist.

    One statement for all of them: with a statement for each, a busy interpreter is asked for each.
    """
    rows = ", ".join([f"({mark}, {mark}, {mark}, {mark})"] * count)
    return f"""
        INSERT INTO entries (table_id, number, at, body)
        SELECT column1, column2, column3, column4 FROM (VALUES {rows}) AS new
        WHERE EXISTS (SELECT 1 FROM tables WHERE id = column1 AND status <> '{GONE}')
        AND (column2 = 1 OR EXISTS (
            SELECT 1 FROM entries AS before
            WHERE before.table_id = column1 AND before.number = column2 - 1
        ))
        ON CONFLICT DO NOTHING
    """


def append_all(connection: Connection, appends: Sequence[Append]) -> int:
    """Insert entries; returns how many were inserted.

    Entries that follow another of the same job need a later statement, which sees that one.
    """
    mark = "%s" if connection.dialect.name == "postgresql" else "?"
    done = 0
    k, jobs = 0, appends
    while jobs:
        for at in range(0, len(jobs), MOST_ROWS):
            some = jobs[at : at + MOST_ROWS]
            values = tuple([value for job in some for value in job.row(k)])
            done += connection.exec_driver_sql(_append_statement(mark, len(some)), values).rowcount
        k += 1
        jobs = [job for job in jobs if job.count > k]
    return done


CHANGE: Final = (
    update(tables)
    .where(tables.c.id == bindparam("table"))
    .values(
        updated=bindparam("now"),
        status=bindparam("now_status"),
        open_seats=bindparam("now_open_seats"),
        wakes=bindparam("now_wakes"),
        summary=func.coalesce(bindparam("now_summary", type_=LargeBinary), tables.c.summary),
    )
)
GET_UP: Final = delete(sits).where(
    sits.c.table_id == bindparam("table"), sits.c.seat == bindparam("in_seat")
)
SAME: Final = exists().where(
    entries.c.table_id == bindparam("table"),
    entries.c.number == bindparam("number"),
    entries.c.at == bindparam("at"),
    entries.c.body == bindparam("body"),
)
NOTIFY: Final = select(
    func.pg_notify(
        CHANNEL, func.unnest(bindparam("payloads", type_=ARRAY(Text))).column_valued("payload")
    )
)


def write(connection: Connection, writer: str, jobs: Sequence[Job]) -> None:
    """Do all jobs in one transaction, so that each has its result or its own error.

    If this raises, nothing was written (with `CommitLost`: perhaps).
    """
    forget_results(jobs)
    if connection.dialect.name == "sqlite" and len(jobs) <= MOST_ROWS:
        plain = plain_values(jobs)
        if plain is not None and _append_alone(connection, plain, jobs):
            return
        if plain is None and _are_simple(jobs) and _write_past_sqlalchemy(connection, jobs):
            return
    # Always in the same order, or two processes could each wait for the other.
    appends = sorted(
        (job for job in jobs if isinstance(job, Append)), key=lambda job: (job.table, job.number)
    )
    tasks = [job for job in jobs if isinstance(job, Task)]
    if not _together(connection, writer, appends, tasks):
        with connection.begin() as transaction:
            for append in appends:
                _apart(connection, append)
            _change(connection, writer, [job for job in appends if job.result])
            for task in tasks:
                _apart(connection, task)
            _commit(transaction.commit)


def settle(connection: Connection, appends: Sequence[Append]) -> list[Append]:
    """After a lost commit, complete those that were written; returns the rest."""
    rest = []
    with connection.begin():
        for job in appends:
            table, number, at, body = job.row(job.count - 1)
            values = {"table": table, "number": number, "at": at, "body": body}
            job.result = bool(connection.scalar(select(SAME), values))
            if not job.result:
                rest.append(job)
    return rest


def _together(
    connection: Connection, writer: str, appends: Sequence[Append], tasks: Sequence[Task]
) -> bool:
    """Do all jobs as one, or, if one of them can't be done, none."""
    with connection.begin() as transaction:
        try:
            if appends:
                if append_all(connection, appends) != sum(job.count for job in appends):
                    transaction.rollback()
                    return False
                _change(connection, writer, appends)
            for task in tasks:
                task.result = task.work(connection)
        except Exception as error:
            if is_fault(error):
                raise
            transaction.rollback()
            return False
        _commit(transaction.commit)
    for append in appends:
        append.result = True
    return True


def _append_alone(connection: Connection, values: list[object], jobs: Sequence[Job]) -> bool:
    """As `_together`, in a statement without a transaction around it, past SQLAlchemy.

    For each statement the thread has to wait until the event loop lets go of the interpreter.
    """
    driver: Any = connection.connection.driver_connection
    try:
        done = driver.execute(_append_statement("?", len(jobs)), values).rowcount
    except Exception as error:
        if is_fault(error):
            raise
        return False
    if done == len(jobs):
        all_done(jobs)
    else:
        settle(connection, [job for job in jobs if isinstance(job, Append)])
    return True


CHANGE_IN_SQLITE: Final = """
    UPDATE tables SET updated = ?, status = ?, open_seats = ?, wakes = ?,
    summary = coalesce(?, summary) WHERE id = ?
"""


def _are_simple(jobs: Sequence[Job]) -> bool:
    """Whether all are snapshots and single entries of different tables, where nobody moves."""
    places: set[str] = set()
    for job in jobs:
        if isinstance(job, Append):
            if job.more or job.table in places or (job.change is not None and job.change.sits):
                return False
            places.add(job.table)
        elif not (isinstance(job, Task) and isinstance(job.work, SnapshotWrite)):
            return False
    return True


def _write_past_sqlalchemy(connection: Connection, jobs: Sequence[Job]) -> bool:
    """As `_together`, for jobs that are simple, in SQLite, which takes less time than SQLAlchemy.

    False, and nothing is written, if one of them can't be done.
    """
    driver: Any = connection.connection.driver_connection
    appends = [job for job in jobs if isinstance(job, Append)]
    changed = [
        (job.at, row.status, row.open_seats, row.wakes, row.summary, job.table)
        for job in appends
        if (row := job.change) is not None
    ]
    done = 0
    try:
        driver.execute("BEGIN IMMEDIATE")
        if appends:
            values = [value for job in appends for value in job.row(0)]
            done = driver.execute(_append_statement("?", len(appends)), values).rowcount
        if done == len(appends):
            driver.executemany(CHANGE_IN_SQLITE, changed)
            for job in jobs:
                if isinstance(job, Task) and isinstance(job.work, SnapshotWrite):
                    for statement, row_values in job.work.statements("?"):
                        driver.execute(statement, row_values)
            driver.execute("COMMIT")
            for append in appends:
                append.result = True
            return True
    except Exception as error:
        if is_fault(error):
            raise  # the connection is closed, and with it what was begun
    if driver.in_transaction:
        driver.execute("ROLLBACK")
    return False


def _do(connection: Connection, job: Job) -> Any:
    """Write it; returns the result."""
    if isinstance(job, Append):
        return append_all(connection, [job]) == job.count
    assert isinstance(job, Task)
    return job.work(connection)


def _apart(connection: Connection, job: Job) -> None:
    """Do one job so that its failure is its own."""
    try:
        with connection.begin_nested() as part:
            job.result = _do(connection, job)
            if isinstance(job, Append) and not job.result:
                part.rollback()  # of several entries perhaps some were written
    except Exception as error:
        if is_fault(error):
            raise
        job.error = error


def _change(connection: Connection, writer: str, appends: Sequence[Append]) -> None:
    """What new entries change in addition to the log; `appends` is in order."""
    changed: dict[str, dict[str, object]] = {}
    for job in appends:
        if job.change is not None:
            changed[job.table] = {
                "table": job.table,
                "now": job.at,
                "now_status": job.change.status,
                "now_open_seats": job.change.open_seats,
                "now_wakes": job.change.wakes,
                "now_summary": job.change.summary,
            }
            for seat, key in job.change.sits:
                connection.execute(GET_UP, {"table": job.table, "in_seat": seat})
                if key is not None:
                    row = {"table_id": job.table, "seat": seat, "key": key, "at": job.at}
                    connection.execute(insert(sits), row)
    if changed:
        connection.execute(CHANGE, list(changed.values()))
    if appends and connection.dialect.name == "postgresql":
        last = {job.table: job.last for job in appends}
        payloads = [f"{writer} {table} {number}" for table, number in last.items()]
        connection.execute(NOTIFY, {"payloads": payloads})


def _commit(commit: Callable[[], None]) -> None:
    try:
        commit()
    except DBAPIError as error:
        if error.connection_invalidated:
            raise CommitLost(error) from error
        raise
