"""Writes that are done together, in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Connection,
    Integer,
    LargeBinary,
    Text,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError

from branchline.service.storage.errors import is_fault
from branchline.service.storage.rows import TableChange
from branchline.service.storage.schema import entries, sits, tables
from branchline.service.storage.upsert import insert_if_new

CHANNEL: Final = "branchline"
"""Where processes on PostgreSQL tell each other of new entries: `writer table number`."""


@dataclass(slots=True)
class Job:
    """Something to write. After the batch it has a result or an error."""

    future: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None

    def do(self, connection: Connection) -> Any:
        """Write it; gives the result."""
        raise NotImplementedError


@dataclass(slots=True)
class Task(Job):
    """Any work; its result is what the work returns."""

    work: Callable[[Connection], Any] = field(kw_only=True)

    def do(self, connection: Connection) -> Any:
        return self.work(connection)


@dataclass(slots=True)
class Append(Job):
    """An entry; its result is whether it became the next one of its table."""

    table: str = field(kw_only=True)
    number: int = field(kw_only=True)
    at: int = field(kw_only=True)
    body: bytes = field(kw_only=True)
    change: TableChange | None = field(kw_only=True)

    @property
    def values(self) -> dict[str, object]:
        return {"table": self.table, "number": self.number, "at": self.at, "body": self.body}

    def do(self, connection: Connection) -> bool:
        return connection.execute(APPEND[connection.dialect.name], self.values).rowcount == 1


class CommitLost(Exception):
    """The connection broke during the commit: nobody knows yet whether it was done."""

    def __init__(self, error: DBAPIError) -> None:
        super().__init__(str(error))
        self.error: Final = error


def _append_statement(dialect: str) -> Any:
    """Inserts an entry if it is the next one of a table that exists."""
    table = bindparam("table", type_=Text)
    number = bindparam("number", type_=Integer)
    before = exists().where(entries.c.table_id == table, entries.c.number == number - 1)
    values = select(
        table, number, bindparam("at", type_=BigInteger), bindparam("body", type_=LargeBinary)
    ).where(exists().where(tables.c.id == table), or_(number == 1, before))
    columns = ["table_id", "number", "at", "body"]
    statement = insert_if_new(dialect, entries).from_select(columns, values)
    return statement.execution_options(preserve_rowcount=True)


APPEND: Final = {dialect: _append_statement(dialect) for dialect in ("sqlite", "postgresql")}
TOUCH: Final = (
    update(tables).where(tables.c.id == bindparam("table")).values(updated=bindparam("at"))
)
CHANGE: Final = TOUCH.values(
    status=bindparam("now_status"),
    open_seats=bindparam("now_open_seats"),
    wakes=bindparam("now_wakes"),
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
    for job in jobs:
        job.result = job.error = None  # of an earlier attempt
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
    """After a lost commit, give those that were written their result; the rest is returned."""
    rest = []
    with connection.begin():
        for job in appends:
            job.result = bool(connection.scalar(select(SAME), job.values))
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
                values = [job.values for job in appends]
                done = connection.execute(APPEND[connection.dialect.name], values)
                if done.rowcount != len(appends):
                    transaction.rollback()
                    return False
                _change(connection, writer, appends)
            for task in tasks:
                task.result = task.do(connection)
        except Exception as error:
            if is_fault(error):
                raise
            transaction.rollback()
            return False
        _commit(transaction.commit)
    for append in appends:
        append.result = True
    return True


def _apart(connection: Connection, job: Job) -> None:
    """Do one job so that its failure is its own."""
    try:
        with connection.begin_nested():
            job.result = job.do(connection)
    except Exception as error:
        if is_fault(error):
            raise
        job.error = error


def _change(connection: Connection, writer: str, appends: Sequence[Append]) -> None:
    """What new entries change beside the log; `appends` is in order."""
    touched: dict[str, dict[str, object]] = {}
    changed: dict[str, dict[str, object]] = {}
    for job in appends:
        touched[job.table] = job.values
        if job.change is not None:
            changed[job.table] = {
                "now_status": job.change.status,
                "now_open_seats": job.change.open_seats,
                "now_wakes": job.change.wakes,
            }
            for seat, key in job.change.sits:
                connection.execute(GET_UP, {"table": job.table, "in_seat": seat})
                if key is not None:
                    row = {"table_id": job.table, "seat": seat, "key": key}
                    connection.execute(insert(sits), row)
    for statement, chosen in ((TOUCH, False), (CHANGE, True)):
        rows = [
            {"table": table, "at": values["at"], **changed.get(table, {})}
            for table, values in touched.items()
            if (table in changed) is chosen
        ]
        if rows:
            connection.execute(statement, rows)
    if touched and connection.dialect.name == "postgresql":
        payloads = [f"{writer} {table} {values['number']}" for table, values in touched.items()]
        connection.execute(NOTIFY, {"payloads": payloads})


def _commit(commit: Callable[[], None]) -> None:
    try:
        commit()
    except DBAPIError as error:
        if error.connection_invalidated:
            raise CommitLost(error) from error
        raise
