"""A board as data: cities, routes, tickets and the list of rules that it is played by.

A `Board` is what a map file says, checked and numbered. Cities, routes and tickets are known by
their position in the board's lists; the engine works with these numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from branchline.core.machine import i64

GRAY: Final = -1
"""The colour of a route that any one colour may pay."""


class City:
    """A place on the board: its name as the board prints it, and its name in each language."""

    def __init__(
        self, index: i64, id: str, name: str, names: Mapping[str, str], lat: float, lon: float
    ) -> None:
        self.index: Final = index
        self.id: Final = id
        self.name: Final = name
        self.names: Final = names
        self.lat: Final = lat
        self.lon: Final = lon

    def named(self, lang: str = "") -> str:
        """The city's name as printed on the board, or as a reader of `lang` knows it."""
        return self.names.get(lang, self.name)

    def __repr__(self) -> str:
        return f"City({self.index}, {self.id!r})"


class Route:
    """One claimable track between two neighbouring cities."""

    def __init__(
        self,
        index: i64,
        a: i64,
        b: i64,
        length: i64,
        colour: i64,
        locomotives: i64,
        tunnel: bool,
        any_cards: i64,
        twin: i64,
    ) -> None:
        self.index: Final = index
        self.a: Final = a
        self.b: Final = b
        self.length: Final = length
        self.colour: Final = colour  # a position in Board.colours, or GRAY
        self.locomotives: Final = locomotives  # symbols printed on a ferry
        self.tunnel: Final = tunnel
        self.any_cards: Final = any_cards  # how many cards of any kind replace one; 0: none do
        self.twin: Final = twin  # the other route of a double, or -1

    def __repr__(self) -> str:
        return (
            f"Route({self.index}, a={self.a}, b={self.b}, length={self.length}, "
            f"colour={self.colour})"
        )


class Ticket:
    """A destination ticket: two cities and what joining them is worth."""

    def __init__(self, index: i64, a: i64, b: i64, points: i64, long: bool) -> None:
        self.index: Final = index
        self.a: Final = a
        self.b: Final = b
        self.points: Final = points
        self.long: Final = long

    def __repr__(self) -> str:
        return f"Ticket({self.index}, a={self.a}, b={self.b}, points={self.points})"


class Provenance:
    """Where a part of the board comes from, and how far it can be trusted."""

    def __init__(self, part: str, status: str, sources: Mapping[str, str]) -> None:
        self.part: Final = part
        self.status: Final = status  # "exact", "sourced", "reconstructed" or "replaced"
        self.sources: Final = sources

    def source(self, lang: str) -> str:
        """Where the part comes from, in that language."""
        return self.sources.get(lang) or self.sources["en"]


class RuleEntry:
    """One line of a board's list of rules: the rule's name and its parameters as written."""

    def __init__(self, name: str, params: Mapping[str, object]) -> None:
        self.name: Final = name
        self.params: Final = params

    def __repr__(self) -> str:
        return f"RuleEntry({self.name!r})"


class Board:
    """A board as its file describes it, with every reference resolved to a number."""

    def __init__(
        self,
        id: str,
        name: Mapping[str, str],
        seats_min: int,
        seats_max: int,
        trains: int,
        colours: list[str],
        cities: list[City],
        routes: list[Route],
        tickets: list[Ticket],
        rules: list[RuleEntry],
        provenance: list[Provenance],
        source: Mapping[str, object],
        digest: str,
        earlier: list[str],
        words: Mapping[str, Mapping[str, Mapping[str, str]]],
    ) -> None:
        self.id: Final = id
        self.name: Final = name
        self.seats_min: Final = seats_min
        self.seats_max: Final = seats_max
        self.trains: Final = trains
        self.colours: Final = colours
        self.cities: Final = cities
        self.routes: Final = routes
        self.tickets: Final = tickets
        self.rules: Final = rules
        self.provenance: Final = provenance
        self.source: Final = source  # the file's content after overlays, as plain data
        self.digest: Final = digest  # sha-256 of the facts: equal boards have equal digests
        self.earlier: Final = earlier  # digests of the board before its rules changed
        self.words: Final = words  # its own words: language, thing or colour, form
        self.city_of: Final = {c.id: int(c.index) for c in cities}

    def __reduce__(self) -> tuple[object, ...]:
        from branchline.core.mapfile import board_from_data

        return board_from_data, (self.source, self.id)

    def named(self, lang: str) -> str:
        return self.name.get(lang) or self.name["en"]

    def route_name(self, route: i64, lang: str = "") -> str:
        """A route by its cities, named as printed on the board or as a reader of `lang` does."""
        r = self.routes[route]
        return f"{self.cities[r.a].named(lang)}–{self.cities[r.b].named(lang)}"

    def ticket_name(self, ticket: i64, lang: str = "") -> str:
        """A ticket by its cities, named as printed on the board or as a reader of `lang` does."""
        t = self.tickets[ticket]
        return f"{self.cities[t.a].named(lang)}–{self.cities[t.b].named(lang)}"

    def __repr__(self) -> str:
        return (
            f"Board({self.id!r}, seats={self.seats_min}-{self.seats_max}, "
            f"{len(self.cities)} cities, {len(self.routes)} routes, {len(self.tickets)} tickets)"
        )
