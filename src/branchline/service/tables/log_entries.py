"""The entries of a table's log, as they are stored: everything that has ever happened there.

A log only grows. What a table is now follows from its entries alone (`Table.apply`), so whoever has
written the entry with the next number has decided what happens next. Old entries must stay readable
for ever: fields may be added with a default, never renamed or removed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

from branchline.engine.events import Event, EventKind
from branchline.engine.game import Game
from branchline.service.messages import ClockRule, SeriesInfo

FREE: Final = ""  # the key of a seat that nobody holds

StoredEvent = tuple[str, int, tuple[int, ...]]
"""An event of the engine, secrets included: its kind's name, its seat, its numbers."""


class Entry(Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """One thing that has happened at a table."""


class Created(Entry, tag="created", frozen=True):
    """The table was made."""

    board: str
    digest: str
    seats: int
    public: bool
    clock: ClockRule
    first: int | None = None
    pace: int = 0
    chat: bool = True
    before: str = ""
    """The table of which this is the rematch."""
    series: SeriesInfo | None = None
    """The score of the games before it."""
    part: str = ""
    """The server's part of the seed, secret until the game is over."""


class Seated(Entry, tag="seated", frozen=True):
    """Someone took a seat, came back to it, moved it to another device, or changed the name."""

    seat: int
    name: str
    key: str
    takes_part: bool = False
    """Their client puts in a part of the seed."""


class Left(Entry, tag="left", frozen=True):
    """Someone left a seat for good; in a game, a bot of this level plays on."""

    seat: int
    level: str = ""
    seed: str = ""
    name: str = ""


class BotSeated(Entry, tag="bot", frozen=True):
    """A bot plays a seat from now on; whoever holds the seat may take it back."""

    seat: int
    level: str
    seed: str
    by: str = "person"
    """`person`, or `clock` if the seat was out of time."""


class BotGone(Entry, tag="back", frozen=True):
    """The bot has left the seat: to its holder, or open again."""

    seat: int


class Promised(Entry, tag="promised", frozen=True):
    """Whoever holds these seats has published the hash of a nonce."""

    seats: list[int]
    promise: str


class Sealed(Entry, tag="sealed", frozen=True):
    """The promises of these seats are what the seed is drawn from; now they are opened."""

    seats: list[int]


class Opened(Entry, tag="opened", frozen=True):
    """Whoever holds these seats has revealed the nonce, to the server alone."""

    seats: list[int]
    nonce: str


class Missed(Entry, tag="missed", frozen=True):
    """These seats did not open their promise: bots of this level have them, and a new round begins.

    `part` is the server's for the new round.
    """

    seats: list[int]
    level: str
    seed: str
    part: str


class Began(Entry, tag="began", frozen=True):
    """The cards were dealt."""

    engine: str
    seed: str
    events: list[StoredEvent]


class Moved(Entry, tag="moved", frozen=True):
    """A seat took an action, in the notation; what followed from it."""

    seat: int
    action: str
    by: str
    events: list[StoredEvent]
    id: str = ""
    shown: int = 0
    """The last entry when a bot was shown the position; 0: the one before this."""


class Wished(Entry, tag="wish", frozen=True):
    """A seat wishes to take back its move with this number."""

    seat: int
    move: int
    id: str = ""


class Answered(Entry, tag="answer", frozen=True):
    """Another seat agrees, or does not."""

    seat: int
    request: int
    yes: bool
    id: str = ""


class TakenBack(Entry, tag="taken_back", frozen=True):
    """The moves from this number on are void."""

    seat: int
    move: int
    id: str = ""
    quiet: bool = False
    """Nobody else had seen anything of them."""


class Said(Entry, tag="said", frozen=True):
    """Someone said something; seat -1: a spectator."""

    seat: int
    name: str
    text: str
    id: str = ""


class ChatSet(Entry, tag="chat", frozen=True):
    """The chat was switched on or off."""

    on: bool


class Rematched(Entry, tag="rematch", frozen=True):
    """The next game is played at this table."""

    table: str


AnyEntry = (
    Created
    | Seated
    | Left
    | BotSeated
    | BotGone
    | Promised
    | Sealed
    | Opened
    | Missed
    | Began
    | Moved
    | Wished
    | Answered
    | TakenBack
    | Said
    | ChatSet
    | Rematched
)

_decoder: Final = msgspec.json.Decoder(AnyEntry)
_encoder: Final = msgspec.json.Encoder()
encode: Final[Callable[[Entry], bytes]] = _encoder.encode


def decode(body: bytes) -> AnyEntry:
    entry: AnyEntry = _decoder.decode(body)
    return entry


@lru_cache(maxsize=64)
def kinds_by_name(game: Game) -> dict[str, EventKind]:
    """The kinds of events that a game knows, by name."""
    return {kind.name: kind for kind in game.event_kinds}


@lru_cache(maxsize=64)
def announced_kinds(game: Game) -> frozenset[str]:
    """The names of the kinds of events that are announced to anyone."""
    return frozenset(kind.name for kind in game.event_kinds if not kind.silent)


def events_of(game: Game, facts: list[StoredEvent]) -> list[Event]:
    """Stored events as the engine knows them; a kind that it no longer knows is left out."""
    kinds = kinds_by_name(game)
    return [
        Event(kinds[name], seat, list(numbers)) for name, seat, numbers in facts if name in kinds
    ]
