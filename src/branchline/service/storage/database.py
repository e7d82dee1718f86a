"""One database: its address, and how connections to it are made."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from branchline.service.storage.errors import StoreError

BUSY_SECONDS: Final = 2.0
"""How long SQLite waits for a lock that another process holds."""
READERS: Final = 4
"""Connections that read at the same time."""

POSTGRES_OPTIONS: Final[dict[str, object]] = {
    "application_name": "branchline",
    "client_encoding": "utf8",
    # A database that has gone silent is given up after seconds, not minutes.
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    # A process that hangs in the middle of a write must not hold up the others for ever.
    "options": "-c lock_timeout=5000 -c idle_in_transaction_session_timeout=15000",
}


class Database(NamedTuple):
    """Engines for one database: `writes` begins transactions that write, `reads` has none."""

    url: URL
    options: dict[str, object]
    writes: Engine
    reads: Engine

    @property
    def postgres(self) -> bool:
        return self.url.get_backend_name() == "postgresql"

    @property
    def path(self) -> Path:
        """The file of an SQLite database."""
        return Path(self.url.database or "")

    def close(self) -> None:
        """Close all connections that aren't in use."""
        self.reads.dispose()
        self.writes.dispose()


def parse_url(text: str) -> URL:
    """The address of a database: a URL, or the path of an SQLite file.

    >>> str(parse_url("games.db"))
    'sqlite+pysqlite:///games.db'
    >>> str(parse_url("postgresql://host/games"))
    'postgresql+psycopg://host/games'
    """
    try:
        url = make_url(text if "://" in text else URL.create("sqlite", database=text))
    except (ArgumentError, ValueError):
        raise StoreError("storage_url") from None
    driver = {
        "sqlite": "sqlite+pysqlite",
        "sqlite+pysqlite": "sqlite+pysqlite",
        "postgres": "postgresql+psycopg",
        "postgresql": "postgresql+psycopg",
        "postgresql+psycopg": "postgresql+psycopg",
    }.get(url.drivername)
    if driver is None:
        raise StoreError("storage_url")
    url = url.set(drivername=driver)
    # A database in memory would be a different one for each connection.
    if driver == "sqlite+pysqlite" and (
        not url.database or ":memory:" in url.database or url.query
    ):
        raise StoreError("storage_url")
    return url


def open_database(text: str) -> Database:
    """The engines for an address. Connects to nothing yet."""
    url = parse_url(text)
    if url.get_backend_name() == "postgresql":
        mine = {name: value for name, value in POSTGRES_OPTIONS.items() if name not in url.query}
        writes = create_engine(url, poolclass=NullPool, connect_args=mine)
        return Database(url, mine, writes, _read_engine(url, mine))
    wait: dict[str, object] = {"timeout": BUSY_SECONDS}
    writes = create_engine(url, poolclass=NullPool, connect_args=wait)
    event.listen(writes, "connect", _set_up_sqlite)
    event.listen(writes, "begin", _begin_immediate)
    return Database(url, wait, writes, _read_engine(url, wait))


def _read_engine(url: URL, connect_args: dict[str, object]) -> Engine:
    return create_engine(
        url,
        pool_size=READERS,
        max_overflow=0,
        isolation_level="AUTOCOMMIT",
        connect_args=connect_args,
    )


def _set_up_sqlite(connection: sqlite3.Connection, record: Any) -> None:
    connection.isolation_level = None  # else sqlite3 begins its own transactions
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # a commit is on the disk when it returns
    connection.execute("PRAGMA foreign_keys = ON")
    # Pages that many moves change in turn are copied into the database once for all of them.
    connection.execute("PRAGMA wal_autocheckpoint = 4000")


def _begin_immediate(connection: Connection) -> None:
    # With the lock from the start a transaction can't fail for want of it half-way.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
