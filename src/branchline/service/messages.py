"""The messages of the WebSocket, version 1. `docs/protocol.md` tells their order and meaning.

Every message is a JSON object whose `type` names its kind. What a client sends is checked against
these types and their limits before anything else looks at it.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

PROTOCOL: Final = 1

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Number = Annotated[int, Meta(ge=0, lt=2**31)]
SeatNumber = Annotated[int, Meta(ge=0, lt=8)]
Notation = Annotated[str, Meta(min_length=1, max_length=100)]
ChatText = Annotated[str, Meta(min_length=1, max_length=500)]
MOST_STEPS: Final = 40
Chain = Annotated[list[Number], Meta(min_length=1, max_length=MOST_STEPS)]


class Request(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a client sends. `id` is the client's own; the answer names it."""

    id: Id


class Act(Request, tag="act", frozen=True):
    """Take an action, or several one after the other: `action` or `actions`.

    `decision` is the number of the decision that the first one answers. Several are done as a whole
    or refused as a whole. Sent again with the same id it does nothing twice, and is answered as
    before.
    """

    decision: Number
    action: Number | UnsetType = UNSET
    actions: Chain | UnsetType = UNSET
    """Every step up to the last, also those that have only one answer."""

    def __post_init__(self) -> None:
        if (self.action is UNSET) == (self.actions is UNSET):
            raise ValueError("an act has either `action` or `actions`")

    @property
    def steps(self) -> list[int]:
        """The actions, one or several."""
        if self.actions is not UNSET:
            return self.actions
        assert self.action is not UNSET
        return [self.action]


class Takeback(Request, tag="takeback", frozen=True):
    """Take back one's own move with this number and all that followed it."""

    move: Number


class Agree(Request, tag="agree", frozen=True):
    """Answer another's wish to take back: the number of the request, and yes or no."""

    request: Number
    yes: bool


class Why(Request, tag="why", frozen=True):
    """Ask why an action, by number or notation, or any claim of a route, is not allowed now."""

    action: Number | UnsetType = UNSET
    notation: Notation | UnsetType = UNSET
    route: Number | UnsetType = UNSET


class How(Request, tag="how", frozen=True):
    """Ask how a route can be paid for, now or as soon as it is the seat's turn."""

    route: Number


class Say(Request, tag="say", frozen=True):
    """Say something at the table."""

    text: ChatText


class Ping(Request, tag="ping", frozen=True):
    """Is the server there?"""


ClientMessage = Act | Takeback | Agree | Why | How | Say | Ping


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """A seat as everyone sees it: open, a person's or a bot's."""

    name: str
    kind: str
    """`open`, `person` or `bot`."""
    bot: str = ""
    """The level that plays, also while it stands in for a person."""
    stand_in: bool = False
    """A bot plays for a person who may come back."""
    free: bool = False
    """Anyone with the link may take this seat."""
    present: bool = False
    """Someone is connected who holds this seat."""


class ClockInfo(Struct, frozen=True):
    """Time in milliseconds: what each seat has left, and which seats' clocks run."""

    left: list[int]
    running: list[bool]


class ClockRule(Struct, frozen=True):
    """`none`, `move` (seconds for each move) or `game` (seconds for a whole game)."""

    kind: str = "none"
    seconds: int = 0
    timeout: str = "move"
    """Out of time, a bot plays the `move`, or takes over the `seat`."""


class Wish(Struct, frozen=True):
    """Someone wishes to take back; it is done when every other person has agreed."""

    request: int
    seat: int
    move: int
    agreed: list[int]


class Line(Struct, frozen=True):
    """A line of a final score."""

    rule: str
    what: str
    points: int
    ref: int
    text: str
    values: dict[str, Any] = {}
    """What the points rest on, by name; `docs/protocol.md` lists them."""


class ResultInfo(Struct, frozen=True):
    """The end: scores and their lines by seat, winners, completed tickets, and the seed."""

    scores: list[int]
    lines: list[list[Line]]
    winners: list[int]
    tickets: list[int]
    seed: str
    held: list[list[int]]
    """The tickets that each seat held."""
    tie_break: str = ""
    """Which tie-break decided among equal points, as the board names it; empty if none did."""
    tie_text: str = ""
    """The same in the reader's language."""
    draw: DrawnParts | None = None


class DrawInfo(Struct, frozen=True, omit_defaults=True):
    """How the seed is drawn. `docs/protocol.md` tells what a client does."""

    round: int
    server: str
    """The server's promise."""
    full: bool = False
    """No seat is open: promises are taken."""
    promises: list[str] = []
    """By seat; empty for those that have made none."""
    sealed: bool = False
    """The promises stand: nonces are taken."""
    opened: list[bool] = []
    """By seat, whose nonce the server has."""


class DrawnParts(Struct, frozen=True):
    """What a seed was drawn from, open when the game is over."""

    part: str
    nonces: list[str]
    """By seat; empty for those of which the server had no promise."""


class SeriesInfo(Struct, frozen=True):
    """The score of several games of the same people, by seat; a finished game is counted in."""

    games: int
    wins: list[int]
    points: list[int]


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A table as everyone sees it."""

    id: str
    board: str
    digest: str
    status: str
    """`waiting`, `playing` or `over`."""
    seats: list[SeatInfo]
    host: int
    public: bool
    chat: bool
    clock: ClockRule
    commitment: str = ""
    """The SHA-256 of the seed, in hexadecimal, from the first card on."""
    spectators: int = 0
    wish: Wish | None = None
    rematch: str = ""
    """The table of the next game, if there is one."""
    result: ResultInfo | None = None
    series: SeriesInfo | None = None
    """None: this is the first game of these people."""
    first: int | None = None
    """The seat that was to begin; none: it was drawn."""
    draw: DrawInfo | None = None
    """How the seed is drawn; none at tables of older versions."""


class Offer(Struct, frozen=True, omit_defaults=True):
    """A legal action and its facts. Only what applies is there.

    A rule may add further facts, as numbers or lists of numbers by name.
    """

    action: int
    do: str
    """The kind of action: claim, pay, take, draw, tickets, keep, pick, and those of other rules."""
    notation: str
    text: str
    """In the reader's language."""
    route: int | UnsetType = UNSET
    card: int | UnsetType = UNSET
    """The kind of card: a position in the board's colours, or their number for a locomotive."""
    cards: list[int] | UnsetType = UNSET
    """Cards to be paid, by kind."""
    sets: int | UnsetType = UNSET
    """Sets of any cards that stand for one card each, chosen next."""
    extra: int | UnsetType = UNSET
    """Cards paid beyond the route's length."""
    points: int | UnsetType = UNSET
    tickets: list[int] | UnsetType = UNSET
    city: int | UnsetType = UNSET


class Decision(Struct, frozen=True):
    """What the seat has to decide. `offers` are all its legal actions."""

    number: int
    phase: str
    text: str
    offers: list[Any]


class WayInfo(Struct, frozen=True, omit_defaults=True):
    """A way to pay for a route. `actions`, then substitutes, then one of `offers` are a chain."""

    actions: list[int]
    """The claim and its payment."""
    card: int
    """The colour that is played; the number of colours for none."""
    cards: list[int]
    """Cards by kind; those of the sets come in addition."""
    text: str
    """In the reader's language."""
    sets: int = 0
    """Spaces that are paid with a set of any cards."""
    set_size: int = 0
    extra: int = 0
    """Cards beyond the route's length."""
    room: list[int] = []
    """By kind, how many cards may go into the sets."""
    substitutes: list[int] = []
    """By kind, the action that puts one card into a set; to be taken in ascending order."""
    reveals: bool = False
    """Hidden cards turn up after the payment; a chain ends there."""
    phase: str = ""
    """The decision that follows the payment, if there is one."""
    question: str = ""
    offers: list[Any] = []


class Missing(Struct, frozen=True):
    """So many cards more, all of one of these kinds, would be enough to pay for a route."""

    cards: int
    kinds: list[int]


class EventInfo(Struct, frozen=True, omit_defaults=True):
    """An event of the game, as far as this reader may know it."""

    event: str
    seat: int
    text: str
    values: dict[str, Any] = {}


class EntryInfo(Struct, frozen=True, omit_defaults=True):
    """One entry of the table's log, as far as this reader may know it."""

    number: int
    at: int
    """Milliseconds since 1970."""
    kind: str
    """seated, left, bot, back, promised, sealed, opened, missed, began, moved, wish, answer,
    taken_back, said, chat, rematch."""
    seat: int = -1
    by: str = ""
    """Who moved: `person`, `bot` or `clock`."""
    name: str = ""
    text: str = ""
    """In the reader's language; for `said`, what was said."""
    events: list[Any] = []
    to: int = 0
    """For `taken_back`: the moves from this number on are void."""
    free: bool = False
    """For `moved`: it may be taken back freely by its seat, as long as nothing follows."""


class Reply(Struct, frozen=True, tag_field="type"):
    """What the server sends."""


class Welcome(Reply, tag="welcome", frozen=True):
    """The first message of a connection: where the table stands, and the log since `since`."""

    protocol: int
    version: str
    table: TableInfo
    seat: int
    """The reader's seat; -1: a spectator."""
    number: int
    entries: list[EntryInfo]
    view: dict[str, list[int]] | None
    """Every field of the reader's view; none before the game begins."""
    decision: Decision | None
    clock: ClockInfo | None
    joined: list[int] = []
    """The reader's tickets that are completed as the board stands."""
    borrowed: list[int] = []
    """The routes of others that the reader may use for that."""
    held: list[int] = []
    """The seats that the reader's browser holds: several, if people share the device."""


class Update(Reply, tag="update", frozen=True, omit_defaults=True):
    """One entry more, and what it changed for this reader."""

    number: int
    entry: EntryInfo
    changes: dict[str, list[int]] = {}
    """The fields of the view that have changed."""
    decision: Decision | UnsetType | None = UNSET
    """The reader's open decision, if it is another one than before (none: null)."""
    clock: ClockInfo | None = None
    table: TableInfo | None = None
    """The table, if something about it has changed."""
    joined: list[int] | UnsetType = UNSET
    """The reader's completed tickets, if they have changed."""
    borrowed: list[int] | UnsetType = UNSET
    """The routes of others that the reader may use, if they have changed."""


class Presence(Reply, tag="presence", frozen=True):
    """Who is connected."""

    seats: list[bool]
    spectators: int


class Done(Reply, tag="done", frozen=True):
    """A wish was fulfilled; `number` is the entry that did it."""

    id: str
    number: int


class Refused(Reply, tag="refused", frozen=True, omit_defaults=True):
    """A wish was not fulfilled, and nothing has changed."""

    id: str
    code: str
    text: str
    rule: str = ""


class Because(Reply, tag="because", frozen=True, omit_defaults=True):
    """The answer to `why`; without a rule the action is allowed."""

    id: str
    text: str
    rule: str = ""
    title: str = ""


class Ways(Reply, tag="ways", frozen=True, omit_defaults=True):
    """The answer to `how`: all ways to pay, the thriftiest first; or why there is none."""

    id: str
    route: int
    ways: list[WayInfo] = []
    text: str = ""
    rule: str = ""
    title: str = ""
    missing: Missing | None = None


class Pong(Reply, tag="pong", frozen=True):
    """The server is there."""

    id: str
    time: int


class Trouble(Reply, tag="trouble", frozen=True):
    """A message could not be read, or came too fast. The connection may be closed after it."""

    code: str
    text: str


ServerMessage = Welcome | Update | Presence | Done | Refused | Because | Ways | Pong | Trouble


def schema() -> dict[str, Any]:
    """The JSON Schema of all messages."""
    (client, server), parts = msgspec.json.schema_components(
        [ClientMessage, ServerMessage], ref_template="#/$defs/{name}"
    )
    # Some lists are typed loosely for speed: what is in them is encoded once and sent again.
    _, more = msgspec.json.schema_components([Offer, EventInfo], ref_template="#/$defs/{name}")
    parts = {**parts, **more}
    numbers = {"type": "array", "items": {"type": "integer"}}
    parts["Offer"]["additionalProperties"] = {"anyOf": [{"type": "integer"}, numbers]}
    parts["Decision"]["properties"]["offers"]["items"] = {"$ref": "#/$defs/Offer"}
    parts["WayInfo"]["properties"]["offers"]["items"] = {"$ref": "#/$defs/Offer"}
    parts["EntryInfo"]["properties"]["events"]["items"] = {"$ref": "#/$defs/EventInfo"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Branchline, messages of the table socket",
        "protocol": PROTOCOL,
        "$defs": {**parts, "ClientMessage": client, "ServerMessage": server},
    }


_kinds: Final = {
    kind: str(kind.__struct_config__.tag) for kind in get_args(ClientMessage | ServerMessage)
}


def kind_of(message: Struct) -> str:
    """The `type` that a message is sent with."""
    return _kinds[type(message)]
