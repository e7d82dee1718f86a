"""SQLite keeps entries in the order in which they come, not by table.

Many tables that play at the same time then fill the same pages, where each had one of its own to
be written at every move.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Copy the entries into a table with row ids."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.rename_table("entries", "entries_by_table")
    op.create_table(
        "entries",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.execute(
        "INSERT INTO entries (table_id, number, at, body)"
        " SELECT table_id, number, at, body FROM entries_by_table"
    )
    op.drop_table("entries_by_table")
