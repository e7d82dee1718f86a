"""What the storage keeps, as plain values. Times are milliseconds since 1970."""

from __future__ import annotations

from msgspec import Struct


class EntryRow(Struct, frozen=True):
    """One entry of a table's log. Entries are numbered from 1 without a gap and never change."""

    number: int
    at: int
    body: bytes


class TableRow(Struct, frozen=True):
    """What is known of a table without reading its log."""

    id: str
    created: int
    updated: int
    board: str
    digest: str
    seats: int
    public: bool
    status: str
    """`waiting`, `playing` or `over`."""
    open_seats: int
    wakes: int | None
    """When a clock or a bot needs a look; None: never."""
    summary: bytes | None = None
    """What lists show of it, once its game is over."""


class PersonRow(Struct, frozen=True):
    """What is kept of a visitor, by the hash of the browser's key."""

    key: str
    name: str
    listed: bool
    """Whether name and rating are shown to everyone."""
    mean: float
    spread: float
    games: int
    """Games that the rating counts."""


class TableChange(Struct, frozen=True):
    """What an entry changes in the row of its table."""

    status: str
    open_seats: int
    wakes: int | None
    sits: list[tuple[int, str | None]] = []
    """Seats that change hands, with the hash of the new holder's key (None: nobody)."""
    summary: bytes | None = None
    """What lists show of a finished table from now on; None: what they did."""
