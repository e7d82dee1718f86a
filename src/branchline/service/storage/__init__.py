"""The storage of the table server, in SQLite or PostgreSQL: append-only logs and their tables."""

from branchline.service.storage.errors import StoreError
from branchline.service.storage.rows import EntryRow, PersonRow, TableChange, TableRow
from branchline.service.storage.store import Store

__all__ = ["EntryRow", "PersonRow", "Store", "StoreError", "TableChange", "TableRow"]
