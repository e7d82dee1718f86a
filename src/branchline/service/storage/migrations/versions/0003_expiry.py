"""Tables are found by their status and age, so that those whose time is over can be removed."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the index."""
    op.create_index("tables_age", "tables", ["status", "updated"])
