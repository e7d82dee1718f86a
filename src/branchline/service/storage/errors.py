"""What can go wrong with the database, in words that an operator can act upon."""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError

from branchline.core.catalogue import say
from branchline.engine.errors import BranchlineError

FULL: Final = "storage_full"
LOCKED: Final = "storage_locked"
DAMAGED: Final = "storage_damaged"
UNREACHABLE: Final = "storage_unreachable"
READ_ONLY: Final = "storage_readonly"

SQLITE: Final = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_ERROR: DAMAGED,  # a table or a column is missing
    sqlite3.SQLITE_SCHEMA: DAMAGED,
}
POSTGRES: Final = {
    "53100": FULL,
    "25006": READ_ONLY,  # a replica, or a database that an operator has closed for writing
    "55P03": LOCKED,  # lock_timeout
    "40P01": LOCKED,  # a deadlock
    "40001": LOCKED,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
    "42P01": DAMAGED,  # a table is missing
    "42703": DAMAGED,  # a column is missing
}
ABOUT_ONE_ROW: Final = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError)
ABOUT_VALUES: Final = frozenset({"22", "23"})
"""Classes of SQLSTATE that are about the values of one statement, not about the database."""


class StoreError(BranchlineError):
    """The database can't do this now, and nothing was done; the catalogue key is `errors.<code>`.

    Only for `storage_unreachable` on PostgreSQL may a write have been done all the same, if the
    connection broke while the database was confirming it and did not come back.
    """

    def visitor_text(self, lang: str) -> str:
        """What visitors are told: nothing of where the database is, nor what it says."""
        return say("errors.storage_trouble" if "reason" in self.values else self._key, lang)

    def text(self, lang: str) -> str:
        """What went wrong, and what to do about it."""
        return say(self._key, lang, **self.values)

    @property
    def _key(self) -> str:
        return f"errors.{self.code}"


def is_fault(error: BaseException) -> bool:
    """Whether the database failed, and not only the values of one statement."""
    if isinstance(error, sqlite3.Error):
        return not isinstance(error, ABOUT_ONE_ROW)
    if not isinstance(error, DBAPIError):
        return isinstance(error, StoreError)
    if isinstance(error, IntegrityError | DataError):
        return False
    sqlstate = getattr(error.orig, "sqlstate", None)
    if sqlstate is not None:
        return sqlstate[:2] not in ABOUT_VALUES
    # A driver that can't pass on a value says so without asking the database.
    return not isinstance(error, ProgrammingError)


def may_pass(error: BaseException) -> bool:
    """Whether the same thing may succeed when it is done again at once, on a new connection."""
    if not isinstance(error, DBAPIError):
        return False
    deadlock = getattr(error.orig, "sqlstate", None) in ("40P01", "40001")
    return error.connection_invalidated or deadlock


def store_error(error: BaseException) -> StoreError:
    """The same fault in the storage's terms."""
    if isinstance(error, StoreError):
        return StoreError(error.code, error.values)
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        number = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_IOERR)
        code = SQLITE.get(number & 0xFF, UNREACHABLE)
        if number == sqlite3.SQLITE_IOERR_SHMSIZE:
            code = FULL
    else:
        code = POSTGRES.get(getattr(cause, "sqlstate", None) or "", UNREACHABLE)
    lines = str(cause).strip().splitlines()
    return StoreError(code, {"reason": lines[0] if lines else type(cause).__name__})
