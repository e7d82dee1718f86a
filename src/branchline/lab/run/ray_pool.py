"""The same batches on a Ray cluster. Branchline must be installed on its machines."""

from __future__ import annotations

import contextlib
import os
import socket
from concurrent.futures import Future
from typing import Any, Final

from branchline.lab.errors import LabError, require
from branchline.lab.run.worker_pool import BATCH_SECONDS, Work, do_batch

LOCAL: Final = "local"
"""In place of an address: a new cluster on this machine."""

WAIT: Final = 10.0  # seconds
OTHER_MACHINES: Final = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Set to 0 before Ray is imported, it listens at the loopback address only, whatever the system."""
STORE_BYTES: Final = 80 * 2**20  # results go straight to who asked; this is near Ray's least


class RayPool:
    """One worker for each processor of a cluster."""

    def __init__(self, work: Work[Any], address: str) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        if address == LOCAL:
            os.environ.setdefault(OTHER_MACHINES, "0")
        ray = require("ray")
        check_reachable(address)
        try:
            ray.init(**_settings(address))
        except Exception as error:
            reason = str(error).partition("\n")[0]
            raise LabError("no_cluster", {"address": address, "reason": reason}) from None
        self.ray: Final = ray
        self.size: Final = max(1, int(ray.cluster_resources().get("CPU", 1)))
        actor = ray.remote(num_cpus=1)(_Worker)
        self.workers: Final = [actor.remote(work) for _ in range(self.size)]
        self.loads: Final = [0] * self.size

    def submit(self, items: range) -> Future[Any]:
        """Submit to the worker with the least work."""
        k = min(range(self.size), key=self.loads.__getitem__)
        self.loads[k] += 1
        future: Future[Any] = self.workers[k].do.remote(items).future()
        future.add_done_callback(lambda _: self._relieve(k))
        return future

    def _relieve(self, k: int) -> None:
        self.loads[k] -= 1

    def stop(self) -> None:
        """Batches are short; those under way are awaited."""

    def close(self) -> None:
        with contextlib.suppress(Exception):
            for worker in self.workers:
                self.ray.kill(worker)
        self.ray.shutdown()


def _settings(address: str) -> dict[str, Any]:
    """Settings for a quiet start; a cluster of our own is small and for this machine alone."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address != LOCAL:
        return {"address": address, **quiet}
    alone = {"address": LOCAL, "include_dashboard": False}
    return {**alone, "num_cpus": _processors(), "object_store_memory": STORE_BYTES, **quiet}


def _processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_reachable(address: str) -> None:
    """Find out at once whether anyone listens at `host:port`. Ray would need minutes."""
    host, colon, port = address.rpartition("//")[2].rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), timeout=WAIT).close()
    except (OSError, OverflowError) as error:
        raise LabError("no_cluster", {"address": address, "reason": str(error)}) from None


class _Worker:
    """Does batches on a machine of the cluster."""

    def __init__(self, work: Work[Any]) -> None:
        self.do_item: Final = work.begin()

    def do(self, items: range) -> Any:
        return do_batch(self.do_item, items, BATCH_SECONDS, lambda: False)
