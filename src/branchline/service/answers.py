"""What HTTP requests are answered with. With the messages it is all that leaves the server.

The schema of these types is published, and the page's types are made from it (`service/schema.py`).
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from branchline.service.messages import ResultInfo, TableInfo


class OwnBot(Struct, frozen=True):
    """A bot that the host of the server offers in addition to the levels."""

    level: str
    name: str


class TextLimits(Struct, frozen=True):
    """How many characters a name and a message may have."""

    name: int
    chat: int


class About(Struct, frozen=True):
    """The server."""

    version: str
    languages: list[str]
    levels: list[str]
    bots: list[OwnBot]
    limits: TextLimits
    push: str
    """The server's key for push notices; empty: it sends none."""
    webhooks: bool
    ratings: bool
    """Whether games change the ratings of those who play them."""
    address: str
    """Where others reach the server, as far as it knows better than the visitor; else empty."""
    docs: str
    """Where the documentation begins, in the visitor's language if it can be; empty: not built."""


# --- boards and rules -------------------------------------------------------------------------


class Provenance(Struct, frozen=True):
    """Where a part of a board comes from, and how far it can be trusted."""

    part: str
    status: str
    source: str


class BoardSummary(Struct, frozen=True):
    """A board in brief."""

    id: str
    digest: str
    name: str
    seats: tuple[int, int]
    """The least and the most."""
    trains: int
    cities: int
    routes: int
    tickets: int
    rules: list[str]
    """The names of the board's rules."""
    special: list[str]
    """What is special about it, in words."""
    provenance: list[Provenance]


class CityFacts(Struct, frozen=True):
    """A city."""

    id: str
    name: str
    lat: float
    lon: float


class RouteFacts(Struct, frozen=True):
    """A route."""

    id: str
    name: str
    track: str
    """The name and, if it has a twin, what tells it from that."""
    a: int
    b: int
    length: int
    colour: int | None
    """A position in the board's colours; null for gray."""
    locomotives: int
    tunnel: bool
    any_cards: int
    wild: bool
    """Whether locomotives may pay for it."""
    set_size: int
    twin: int | None
    """The other route of a pair."""
    points: int
    facts: str
    """Length, colour and what is special, in words."""


class TicketFacts(Struct, frozen=True):
    """A ticket."""

    a: int
    b: int
    points: int
    long: bool
    name: str


class BoardFacts(BoardSummary, frozen=True):
    """Everything that a client has to know about a board, in the order of its numbers."""

    colours: list[str]
    phases: list[str]
    points: list[int]
    city_list: list[CityFacts]
    route_list: list[RouteFacts]
    ticket_list: list[TicketFacts]
    rule_list: list[dict[str, Any]]
    """The board's rules, each with its parameters."""
    words: dict[str, dict[str, str]]
    """The board's own words by language, by the keys of the catalogue that they replace."""
    components: list[str]
    """What is in the box, in words."""


class RuleText(Struct, frozen=True):
    """A rule in our words."""

    id: str
    title: str
    text: str
    book: str
    """Where it comes from: base, a board's book, public, ruling."""
    boards: list[str]
    """The boards that it governs."""


# --- tables -----------------------------------------------------------------------------------


class TableAnswer(Struct, frozen=True):
    """A table, and the seats that the reader has there."""

    table: TableInfo
    seat: int
    """The first of them; -1: none."""
    held: list[int]
    """All of them: several, if people share the device."""


class TableBrief(TableAnswer, frozen=True):
    """A table in a list."""

    your_turn: bool
    updated: int
    """When anything last happened of which everyone heard, in milliseconds since 1970."""
    scores: list[int] = []
    """The points by seat, of a game that is over."""
    winners: list[int] = []


class SeatAnswer(Struct, frozen=True):
    """The id of a table, and the seat that one has there."""

    table: str
    seat: int


class NewTableAnswer(SeatAnswer, frozen=True):
    """A new table; `link` is where others join."""

    link: str


class LinkAnswer(Struct, frozen=True):
    """A link for another device; it works once."""

    link: str
    token: str


class RematchAnswer(Struct, frozen=True):
    """The table of the next game."""

    table: str


class ErrorBody(Struct, frozen=True):
    """What went wrong: a code for programs, and a text in the reader's language."""

    code: str
    text: str


class ErrorAnswer(Struct, frozen=True):
    """The answer to a request that was not fulfilled."""

    error: ErrorBody


# --- visitors ---------------------------------------------------------------------------------


class RatingInfo(Struct, frozen=True):
    """A rating: the true strength is within the margin of it, 19 times in 20."""

    points: int
    margin: int
    games: int


class RankedPerson(Struct, frozen=True):
    """Someone who wants to be shown with a rating."""

    name: str
    rating: RatingInfo


class PastGame(Struct, frozen=True):
    """A finished game of the visitor."""

    table: str
    board: str
    at: int
    """When it ended, in milliseconds since 1970."""
    names: list[str]
    seat: int
    """The visitor's; the first, if people shared the device."""
    scores: list[int]
    winners: list[int]
    place: int
    """The visitor's, from 1."""


class BoardTally(Struct, frozen=True):
    """What the visitor has done on a board."""

    board: str
    games: int
    won: int
    points: int
    """Of all games together."""
    best: int


class OpponentTally(Struct, frozen=True):
    """How the visitor did against another player."""

    name: str
    kind: str
    """`person`, `bot`, or `here` for someone at the visitor's device."""
    games: int
    ahead: int
    behind: int


class History(Struct, frozen=True):
    """A visitor's own page."""

    name: str
    """By which the visitor wants to be known; empty: by none."""
    listed: bool
    """Whether name and rating are shown to everyone."""
    rating: RatingInfo | None
    """None: there are no ratings here, or no game has counted yet."""
    games: list[PastGame]
    """The latest first."""
    boards: list[BoardTally]
    opponents: list[OpponentTally]


# --- replays ----------------------------------------------------------------------------------


class ReplayMove(Struct, frozen=True):
    """An action; its texts are empty if the reader may not know it."""

    seat: int
    notation: str
    text: str


class ReplayEvent(Struct, frozen=True):
    """An event, as far as the reader may know it."""

    event: str
    seat: int
    text: str
    values: dict[str, Any]


class ReplayStep(Struct, frozen=True):
    """A position and how it came about."""

    move: ReplayMove | None
    """None: the deal."""
    events: list[ReplayEvent]
    changes: dict[str, list[int]]
    """The fields of the view that have changed; at first all of them."""
    turn: int
    phase: str


class Replay(Struct, frozen=True):
    """A game step by step."""

    board: str
    digest: str
    data: bool
    """Whether the record holds the board itself."""
    seats: int
    names: list[str]
    steps: list[ReplayStep]
    result: ResultInfo | None
