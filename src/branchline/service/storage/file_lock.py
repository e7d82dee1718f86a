"""One server for one SQLite file: a lock that ends with its process, however that ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from branchline.service.storage.database import parse_url
from branchline.service.storage.errors import READ_ONLY, StoreError

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        # Of the process, not of the open file: workers that outlive it for a moment don't hold it.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


SUFFIX: Final = ".lock"
LONGEST_PID: Final = 20


@contextmanager
def only_server(url: str) -> Iterator[None]:
    """Be the only server on an SQLite database as long as the block lasts; else nothing.

    Raises `StoreError` if another process is that already, or if the folder can't be written.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "postgresql":
        yield
        return
    database = Path(parsed.database or "")
    path = database.with_name(database.name + SUFFIX)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(READ_ONLY, {"reason": f"{path.parent}: {reason}"}) from None
    try:
        try:
            _lock(file)
        except OSError:
            pid = os.read(file, LONGEST_PID).decode("ascii", "replace").strip() or "?"
            raise StoreError("storage_served", {"path": str(database), "pid": pid}) from None
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode())
        yield
        # Who waits for nothing but the lock must not find a file that is about to go.
        with suppress(OSError):
            os.ftruncate(file, 0)
    finally:
        os.close(file)
