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
PATIENCE: Final = 10.0
"""Seconds for which a start waits for another process that is starting."""


def migrate(database: Database) -> None:
    """Make or renew the schema. Any number of processes may do this at the same time."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with database.writes.connect() as connection, connection.begin():
                _migrate(connection)
            return
        except DBAPIError as error:
            fault = store_error(error)
            # SQLite doesn't wait by itself while another process switches the file to WAL.
            if fault.code != LOCKED or time.monotonic() > deadline:
                raise fault from error
            time.sleep(0.05)


def _migrate(connection: Connection) -> None:
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
    if set(found) == set(scripts.get_heads()):
        return

    def upgrade(revision: Any, context: MigrationContext) -> Any:
        return scripts._upgrade_revs("head", revision)

    with EnvironmentContext(config, scripts, fn=upgrade, destination_rev="head") as environment:
        environment.configure(connection=connection, **options)
        environment.run_migrations()
