"""Copies of an SQLite database that is in use."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from branchline.service.storage.errors import StoreError, store_error

PRIVATE: Final = 0o600  # a database holds the secrets of all games


def back_up(source: Path, target: Path, force: bool = False) -> None:
    """Copy the database as it is at one moment; `target` appears when all is in it.

    A file that is there already is replaced with `force` only. Nobody else may read the copy.
    """
    part = target.with_name(target.name + ".part")
    try:
        _refuse(target, force)
        part.unlink(missing_ok=True)
        # The system explains a folder that can't be written better than SQLite does.
        part.touch(PRIVATE, exist_ok=False)
        with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(part)) as there:
            here.backup(there)
            there.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
        with part.open("rb") as file:
            os.fsync(file.fileno())
        _refuse(target, force)  # it may have appeared meanwhile
        part.replace(target)
    except sqlite3.Error as error:
        part.unlink(missing_ok=True)
        raise store_error(error) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError("file_unwritable", {"path": str(target), "reason": reason}) from error


def _refuse(target: Path, force: bool) -> None:
    if target.exists() and not force:
        target.with_name(target.name + ".part").unlink(missing_ok=True)
        raise StoreError("backup_exists", {"path": str(target)})
