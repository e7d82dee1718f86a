"""Errors at a table."""

from __future__ import annotations

from typing import Final

from branchline.engine.errors import BranchlineError


class ServiceError(BranchlineError):
    """Something that a client asked for can't be done; the table is as it was."""

    def __init__(self, code: str, values: dict[str, object] | None = None, status: int = 409):
        super().__init__(code, values)
        self.status: Final = status


def no_such_table() -> ServiceError:
    return ServiceError("no_such_table", status=404)


class Stale(Exception):
    """Another process has written an entry first; the table has moved on."""
