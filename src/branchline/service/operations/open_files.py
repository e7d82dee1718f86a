"""How many files, and so connections, this process may have open."""

from __future__ import annotations

import logging
import resource
from typing import Final

OTHER_FILES: Final = 200  # the database, workers, pages that are being sent

log: Final = logging.getLogger("branchline.files")


def raise_file_limit(connections: int) -> int:
    """Make room for connections, as far as the system allows; returns for how many there is room.

    The usual limit for a process is 1,024 files, far fewer than what it may be raised to.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHER_FILES
    limit = soft
    if soft < wanted:
        limit = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    room = max(1, min(connections, limit - OTHER_FILES))
    facts = {"files": limit, "connections": room}
    if room < connections:
        facts["wanted"] = wanted
        log.warning("the system's limit on open files is lower than `sockets`", extra=facts)
    else:
        log.info("room for connections", extra=facts)
    return room
