"""Who may read the data: their owner alone, since they hold the secrets of all games."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700
OTHERS: Final = 0o077


def make_private(database: Path) -> None:
    """Have an SQLite file that only its owner can read; SQLite makes its companions alike.

    What can't be changed stays: opening the file says what is wrong with it.
    """
    with suppress(OSError):
        os.close(os.open(database, os.O_RDWR | os.O_CREAT, PRIVATE))
    for suffix in ("", "-wal", "-shm"):
        _close(database.with_name(database.name + suffix), PRIVATE)


def make_private_folder(folder: Path) -> None:
    """Have a folder that only its owner can enter; raises `OSError` if it can't be made."""
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    _close(folder, PRIVATE_FOLDER)


def _close(path: Path, mode: int) -> None:
    with suppress(OSError):
        if path.stat().st_mode & OTHERS:
            path.chmod(mode)
