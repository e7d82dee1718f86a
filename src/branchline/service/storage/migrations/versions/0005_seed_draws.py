"""Logs have entries of the draw of a seed, which older versions can't read."""

from __future__ import annotations

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Nothing changes but what a log may hold."""
