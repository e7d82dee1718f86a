"""Events: the facts of a game, each with its audience.

An event is a kind, the seat that it concerns (-1: none) and numbers. The kind says which of the
numbers everyone may see, which only that seat, and which nobody. A log of full events rebuilds the
state; `seen` returns the part that a seat, or a spectator, is allowed to know.
"""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64

NOBODY: Final = -1

# To whom an event is worth telling as soon as it has happened.
ALL: Final = 0
OWN: Final = 1  # to the seat that it is about; the others see it in the log
LOG: Final = 2  # to nobody: the table shows it anyway, or it only fills the log


class EventKind:
    """What an event of this kind carries.

    `fields` names the numbers in order. A leading `?` marks one that only the event's seat sees, a
    leading `!` one that nobody sees, a trailing `*` a list that takes all the rest. A kind that is
    `silent` is for the engine alone.

    A kind that `reveals` shows something that was hidden, so that what led to it can't be taken
    back. `news` says to whom it is told at once. Its sentence is `events.<name>`; if the field
    `variant` is set, its number chooses among several. `subject` names the field with the seat
    that the event is about, if that is not the event's own.
    """

    def __init__(
        self,
        code: i64,
        name: str,
        owner: i64,
        local: i64,
        fields: str,
        silent: bool = False,
        reveals: bool = True,
        news: i64 = ALL,
        variant: str = "",
        subject: str = "",
    ) -> None:
        self.code: Final = code
        self.name: Final = name
        self.owner: Final = owner  # position of the rule that made it; -1: the engine
        self.local: Final = local  # the owner's own number for it
        self.silent: Final = silent
        self.reveals: Final = reveals
        self.news: Final = news
        self.variant: Final = variant
        self.subject: Final = subject
        self.names: Final = [f.strip("?!*") for f in fields.split()]
        self.marks: Final = [f[0] if f[0] in "?!" else "" for f in fields.split()]
        self.rest: Final = fields.endswith("*")
        self.private: Final = "?" in self.marks

    def reveals_to(self, seat: int, about: int) -> bool:
        """Whether an event of this kind about a seat shows `seat` something that was hidden.

        Another seat's secret choice does, even if only its size becomes known.
        """
        return self.reveals or (self.private and about != seat)

    def fits(self, count: int) -> bool:
        """Whether an event of this kind can have this many numbers."""
        return count >= len(self.names) - 1 if self.rest else count == len(self.names)

    def values(self, numbers: list[int]) -> list[int | list[int]]:
        """The numbers, grouped by field."""
        count = len(self.names)
        if not self.rest:
            return list(numbers)
        grouped: list[int | list[int]] = list(numbers[: count - 1])
        grouped.append(list(numbers[count - 1 :]))
        return grouped


class Event:
    """One fact. `numbers` are all that it carries, secrets included."""

    def __init__(self, kind: EventKind, seat: int, numbers: list[int]) -> None:
        self.kind: Final = kind
        self.seat: Final = seat
        self.numbers: Final = numbers

    def full(self) -> dict[str, int | list[int]]:
        """Every field by name."""
        return dict(zip(self.kind.names, self.kind.values(self.numbers), strict=True))

    def seen(self, seat: int) -> dict[str, int | list[int]] | None:
        """The fields that `seat` may know (-1: a spectator); None if it never hears of it."""
        if self.kind.silent:
            return None
        known: dict[str, int | list[int]] = {}
        for name, mark, value in zip(
            self.kind.names, self.kind.marks, self.kind.values(self.numbers), strict=True
        ):
            if mark == "" or (mark == "?" and seat == self.seat):
                known[name] = value
        return known

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return (
            self.kind.name == other.kind.name
            and self.seat == other.seat
            and self.numbers == other.numbers
        )

    def __hash__(self) -> int:
        return hash((self.kind.name, self.seat, tuple(self.numbers)))

    def __repr__(self) -> str:
        return f"Event({self.kind.name}, seat={self.seat}, {self.full()})"


class Log:
    """Keeps the events of a game in order."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(self, kind: EventKind, seat: i64, numbers: list[int]) -> None:
        self.events.append(Event(kind, seat, numbers))
