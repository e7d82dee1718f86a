"""What lists ask for is found without looking at every table, or at any log.

Seats are found in the order in which they were taken, and a finished table keeps what lists show of
it in its row. The partial indexes speak of the status in words that no other index serves.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns, and make the indexes anew."""
    listed = sa.text("public AND status NOT IN ('over', 'gone')")
    clocked = sa.text("wakes IS NOT NULL AND status NOT IN ('waiting', 'over', 'gone')")
    for name, column, where in (
        ("tables_listed", "updated", listed),
        ("tables_clocked", "wakes", clocked),
    ):
        op.drop_index(name)
        op.create_index(name, "tables", [column], sqlite_where=where, postgresql_where=where)
    op.add_column("tables", sa.Column("summary", sa.LargeBinary))
    op.add_column("sits", sa.Column("at", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(
        'UPDATE sits SET "at" = (SELECT created FROM tables WHERE tables.id = sits.table_id)'
    )
    op.drop_index("sits_key")
    op.create_index("sits_key", "sits", ["key", "at"])
