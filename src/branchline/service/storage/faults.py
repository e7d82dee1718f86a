"""Faults of the database in the log: one line at the start, with what to do, one at the end."""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from branchline.service.storage.errors import StoreError

log: Final = logging.getLogger("branchline.storage")


class Fault:
    """A fault that lasts: since when, how much was refused, and what it keeps from working."""

    def __init__(self) -> None:
        self.began: Final = time.monotonic()
        self.refused = 0
        self.work: Final[set[str]] = set()


class Faults:
    """The faults that a store has now. `work` is "read" or "write"; either may go on alone."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._faults: Final[dict[str, Fault]] = {}

    def failed(self, work: str, error: StoreError) -> None:
        """Something could not be done. Of the same fault only the first is logged."""
        with self._lock:
            fault = self._faults.get(error.code)
            if fault is None:
                fault = self._faults[error.code] = Fault()
                log.error("%s", error.text("en"), extra={"code": error.code, "work": work})
            fault.refused += 1
            fault.work.add(work)

    def worked(self, work: str) -> None:
        """Something was done, so no fault keeps this kind of work from being done."""
        if not self._faults:
            return
        with self._lock:
            for code, fault in list(self._faults.items()):
                fault.work.discard(work)
                if not fault.work:
                    del self._faults[code]
                    seconds = round(time.monotonic() - fault.began, 1)
                    facts = {"code": code, "seconds": seconds, "refused": fault.refused}
                    log.warning("the database works again", extra=facts)
