"""Copies of an SQLite database that is in use, checked before they count."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from branchline.service.storage.errors import DAMAGED, StoreError, store_error
from branchline.service.storage.file_modes import PRIVATE

NAMES: Final = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
OURS: Final = frozenset({"tables", "entries"})

Counts = dict[str, int]
"""How many rows each table of a database has."""


def back_up(source: Path, target: Path, force: bool = False) -> Counts:
    """Copy the database as it is at one moment; `target` appears when all is in it and is whole.

    A file that is there already is replaced with `force` only. Nobody else may read the copy.
    """
    part = target.with_name(target.name + ".part")
    if not source.is_file():  # else SQLite would make one, and the copy would be of nothing
        raise StoreError("backup_nothing", {"path": str(source)})
    try:
        _refuse(target, force)
        part.unlink(missing_ok=True)
        # The system explains a folder that can't be written better than SQLite does.
        part.touch(PRIVATE, exist_ok=False)
        with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(part)) as there:
            here.isolation_level = there.isolation_level = None
            here.execute("BEGIN")  # what is counted is what is copied, whoever writes meanwhile
            counts = count_rows(here)
            if not OURS.issubset(counts):
                raise StoreError(DAMAGED, {"reason": str(source)})
            copy_pages(here, there)
            here.execute("ROLLBACK")
            there.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
        with part.open("rb") as file:
            os.fsync(file.fileno())
        check(part, counts)
        _refuse(target, force)  # it may have appeared meanwhile
        part.replace(target)
    except sqlite3.Error as error:
        part.unlink(missing_ok=True)
        raise store_error(error) from error
    except StoreError:
        part.unlink(missing_ok=True)
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError("file_unwritable", {"path": str(target), "reason": reason}) from error
    return counts


def copy_pages(here: sqlite3.Connection, there: sqlite3.Connection) -> None:
    here.backup(there)


def count_rows(database: sqlite3.Connection) -> Counts:
    """The rows of every table."""
    names = [name for (name,) in database.execute(NAMES).fetchall()]
    return {
        name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names
    }


def check(copy: Path, counts: Counts) -> None:
    """Raises `StoreError` unless a copy, read from the disk again, is whole and complete."""
    with closing(sqlite3.connect(f"{copy.resolve().as_uri()}?mode=ro", uri=True)) as database:
        reason = str(database.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if reason == "ok" and count_rows(database) == counts:
            return
    raise StoreError("backup_damaged", {"reason": reason})


def _refuse(target: Path, force: bool) -> None:
    if target.exists() and not force:
        raise StoreError("backup_exists", {"path": str(target)})
