"""Copies of an SQLite database that is in use."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from branchline.service.storage.errors import StoreError, store_error


def back_up(source: Path, target: Path) -> None:
    """Copy the database as it is at one moment; `target` appears when all is in it."""
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        part.touch()  # a folder that can't be written is told better by the system than by SQLite
        with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(part)) as there:
            here.backup(there)
            there.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(target)
    except sqlite3.Error as error:
        part.unlink(missing_ok=True)
        raise store_error(error) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError("file_unwritable", {"path": str(target), "reason": reason}) from error
