"""The state of a table as its log describes it, kept in memory and in snapshots."""

from __future__ import annotations

from msgspec import Struct, field

from branchline.service.tables.log_entries import FREE, Created


class SeatState(Struct):
    """A seat: who holds it, and which bot plays it, if one does."""

    name: str = ""
    key: str = FREE
    bot: str = ""
    bot_seed: str = ""
    decision: int = 0
    """The number of the decision that it owes; 0: none."""
    since: int = 0
    """When that was asked."""
    spent: int = 0
    """Time used in earlier decisions, in milliseconds."""

    @property
    def person(self) -> bool:
        """Whether a person decides here."""
        return self.key != FREE and not self.bot

    @property
    def open(self) -> bool:
        return self.key == FREE and not self.bot


class Step(Struct, frozen=True):
    """A move that stands: its entry, who made it, and whether it revealed anything."""

    number: int
    seat: int
    by: str
    harmless: bool
    late: int = 0
    """How many entries came between the position that a bot was shown and this one."""

    @property
    def shown(self) -> int:
        """The last entry of the position in which the move was chosen."""
        return self.number - 1 - self.late


class Wish(Struct):
    """A wish to take back that waits for answers."""

    request: int
    seat: int
    move: int
    agreed: list[int]


class TableState(Struct):
    """Everything that follows from a table's log, except the state of its game."""

    id: str
    created: Created
    seats: list[SeatState]
    number: int = 0
    at: int = 0
    asked: int = 0
    """When the last move was made of which everyone heard."""
    told: int = 0
    """When anything last happened of which everyone heard."""
    host: str = FREE
    seed: str = ""
    steps: list[Step] = []
    ids: dict[str, int] = {}
    quiet: list[list[int]] = []
    """For each seat, the entries of which only this seat ever hears."""
    wish: Wish | None = None
    chat: bool = True
    rematch: str = ""


class Snapshot(Struct, frozen=True):
    """A table as bytes, so that it loads quickly. Stored under the names that `field` gives."""

    table_state: TableState = field(name="folded")
    state: bytes | None
