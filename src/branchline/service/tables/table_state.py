"""The state of a table as its log describes it, kept in memory and in snapshots."""

from __future__ import annotations

from copy import deepcopy
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from branchline.service.tables.log_entries import FREE, Created


class SeatState(Struct):
    """A seat: who holds it, and which bot plays it, if one does."""

    name: str = ""
    key: str = FREE
    bot: str = ""
    bot_seed: str = ""
    takes_part: bool = False
    """The holder's client puts in a part of the seed."""
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


class Gone(Struct, frozen=True):
    """A person who has left the game: at which entry, and the key that would bring them back."""

    number: int
    key: str


class Withheld(Struct, frozen=True):
    """A round in which some seats did not open their promise."""

    round: int
    server: str
    """The server's promise of that round."""
    promises: dict[int, str]
    seats: list[int]
    """Those who did not open theirs."""


class Draw(Struct):
    """How the seed of the game comes about. A table of an older version has no part."""

    part: str = ""
    round: int = 1
    since: int = 0
    """When the table was full, or the promises were sealed; 0: a seat is open."""
    promises: dict[int, str] = {}
    sealed: list[int] = []
    nonces: dict[int, str] = {}
    withheld: list[Withheld] = []


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
    gone: list[Gone] = []
    chat: bool = True
    rematch: str = ""
    draw: Draw = field(default_factory=Draw)


def copied(state: TableState) -> TableState:
    """A copy that can change by itself. Steps never change, so they are shared, however many."""
    return replace(deepcopy(replace(state, steps=[])), steps=state.steps[:])


class Snapshot(Struct, frozen=True):
    """A table as bytes, so that it loads quickly. Stored under the names that `field` gives."""

    table_state: TableState = field(name="folded")
    state: bytes | None


# Made beforehand: msgspec crashes when threads are the first to decode a type at the same time.
SNAPSHOTS: Final = msgspec.msgpack.Decoder(Snapshot)
