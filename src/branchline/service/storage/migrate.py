"""Brings a database to the schema of this version."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from branchline.service.storage.database import Database
from branchline.service.storage.errors import LOCKED, StoreError, store_error

SCRIPTS: Final = Path(__file__).parent / "migrations"
VERSION_TABLE: Final = "branchline_version"
LOCK: Final = 0x6272_616E_6368
"""The number of the advisory lock that processes take one after the other at their start."""
SERVING: Final = LOCK + 1
"""The advisory lock that every serving process shares, so that none finds another schema."""
REVISION: Final = f"SELECT version_num FROM {VERSION_TABLE}"
PATIENCE: Final = 10.0
"""Seconds for which a start waits for another process that is starting."""


def migrate(database: Database) -> str:
    """Make or renew the schema; returns its revision. Processes may do this at the same time."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with database.writes.connect() as connection, connection.begin():
                return _migrate(connection)
        except DBAPIError as error:
            fault = store_error(error)
            # SQLite doesn't wait by itself while another process switches the file to WAL.
            if fault.code != LOCKED or time.monotonic() > deadline:
                raise fault from error
            time.sleep(0.05)


def keep_schema(connection: Connection, revision: str) -> None:
    """On PostgreSQL nobody changes the schema from now on, as long as the connection lasts.

    Raises `StoreError` if somebody has: the database may have been away, and every lock with it.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_lock_shared({SERVING})"))
        found = connection.scalar(text(REVISION))
        connection.commit()
        check_revision(found, revision)


def check_revision(found: object, revision: str) -> None:
    """Raises `StoreError` if the database has another revision than the one it should have."""
    if found != revision:
        raise StoreError("storage_newer", {"revision": str(found)})


def _migrate(connection: Connection) -> str:
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE:.0f}s'"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    options: dict[str, Any] = {"version_table": VERSION_TABLE}
    found = MigrationContext.configure(connection, opts=options).get_current_heads()
    if not known.issuperset(found):
        raise StoreError("storage_newer", {"revision": ", ".join(found)})
    (head,) = scripts.get_heads()
    if found == (head,):
        return head
    if found and _is_served(connection):
        raise StoreError("storage_older_runs")

    def upgrade(revision: Any, context: MigrationContext) -> Any:
        return scripts._upgrade_revs("head", revision)

    with EnvironmentContext(config, scripts, fn=upgrade, destination_rev="head") as environment:
        environment.configure(connection=connection, **options)
        environment.run_migrations()
    return head


def _is_served(connection: Connection) -> bool:
    """Whether another process serves this database; if not, none can begin before the commit."""
    if connection.dialect.name != "postgresql":
        return False  # one server for one file: see `file_lock`
    free = connection.scalar(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": SERVING})
    return not free
