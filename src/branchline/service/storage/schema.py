"""The tables of the database as they are now. `migrations` makes them, step by step."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

SCHEMA: Final = MetaData()

# A number that the database assigns. In SQLite only the type INTEGER does that.
Counter: Final = BigInteger().with_variant(Integer, "sqlite")

LISTED: Final = text("public AND status NOT IN ('over', 'gone')")
CLOCKED: Final = text("wakes IS NOT NULL AND status NOT IN ('waiting', 'over', 'gone')")
LISTED_PEOPLE: Final = text("listed")
"""The conditions of partial indexes; queries have to say them in the same words. They say what the
status is not: by what it is, SQLite would choose the index for ages, and sort."""

boards: Final = Table(
    "boards",
    SCHEMA,
    Column("digest", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)
tables: Final = Table(
    "tables",
    SCHEMA,
    Column("id", Text, primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("board", Text, nullable=False),
    Column("digest", Text, ForeignKey("boards.digest"), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("open_seats", Integer, nullable=False),
    Column("wakes", BigInteger),
    Column("summary", LargeBinary),
    Index("tables_listed", "updated", sqlite_where=LISTED, postgresql_where=LISTED),
    Index("tables_age", "status", "updated"),
    Index("tables_clocked", "wakes", sqlite_where=CLOCKED, postgresql_where=CLOCKED),
)
# With row ids SQLite writes what comes at the same time side by side, whichever tables it is of.
entries: Final = Table(
    "entries",
    SCHEMA,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
sits: Final = Table(
    "sits",
    SCHEMA,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),
    Column("at", BigInteger, nullable=False, server_default="0"),
    Index("sits_key", "key", "at"),
    sqlite_with_rowid=False,
)
snapshots: Final = Table(
    "snapshots",
    SCHEMA,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("version", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)
links: Final = Table(
    "links",
    SCHEMA,
    Column("hash", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Index("links_expires", "expires"),
)
notices: Final = Table(
    "notices",
    SCHEMA,
    Column("id", Counter, primary_key=True, autoincrement=True),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("notices_seat", "table_id", "seat"),
)
settings: Final = Table(
    "settings",
    SCHEMA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
people: Final = Table(
    "people",
    SCHEMA,
    Column("key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("mean", Double, nullable=False),
    Column("spread", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Index("people_listed", "mean", sqlite_where=LISTED_PEOPLE, postgresql_where=LISTED_PEOPLE),
)
rated: Final = Table(
    "rated",
    SCHEMA,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
)
