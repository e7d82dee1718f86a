"""Inserting a row unless it is there already."""

from __future__ import annotations

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_new(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that does nothing if a row with the same key exists."""
    if dialect == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()
