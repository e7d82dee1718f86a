"""What rules say of themselves, as data: actions, sentences, names, things on the board.

Faces (text, terminal, server, page) and bots learn of a rule through these values. They need no
knowledge of the rule itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Values = dict[str, int | list[int]]
"""Numbers by name. The name says what a number stands for: see `docs/engine.md`."""


# What a claim without a colour may play, and its names in the catalogue.
LOCOMOTIVES: Final = 0
SETS_ALONE: Final = 1
LOCOMOTIVES_AND_SETS: Final = 2
WITHOUT_COLOUR: Final = ["wild", "sets", "wild_sets"]


class Sentence:
    """Something to say: a key of the catalogue, and the values that fill it in."""

    def __init__(self, key: str, values: Values | None = None) -> None:
        self.key: Final = key
        self.values: Final[Values] = values if values is not None else {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.key == other.key and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Sentence({self.key!r}, {self.values})"


class Action:
    """What a seat may choose, as a value to read: a number with facts.

    `game.action(number)` has the facts that are always true of it, `view.action(number)` in
    addition what it means in the decision that is open. `kind` is the sort of action (claim, pay,
    take …) and `values` has its facts by name; the common ones are attributes. A fact that an
    action does not have is None.

    >>> import branchline
    >>> game = branchline.Game("usa", seats=2)
    >>> action = game.action(branchline.parse_action(game, "claim atlanta-miami blue"))
    >>> print(action)
    claim atlanta-miami blue
    >>> action.kind, action.points, game.board.route_name(action.route)
    ('claim', 10, 'Atlanta–Miami')
    """

    def __init__(
        self,
        number: int,
        kind: str,
        notation: str,
        values: Values | None = None,
        sentence: str = "",
        group: str = "",
        lasting: bool = False,
    ) -> None:
        self.number: Final = number
        self.kind: Final = kind
        self.notation: Final = notation
        self.values: Final[Values] = values if values is not None else {}
        self.sentence: Final = sentence or kind
        """The catalogue's key, `actions.act.<sentence>`, which `values` fill in."""
        self.group: Final = group
        """The heading under which a list shows it with others; empty: it stands alone."""
        self.lasting: Final = lasting
        """Whether all of it is true in every position."""

    def number_of(self, name: str) -> int | None:
        """A fact that is a single number."""
        value = self.values.get(name)
        return value if isinstance(value, int) else None

    def numbers_of(self, name: str) -> list[int] | None:
        """A fact that is a list of numbers."""
        value = self.values.get(name)
        return value if isinstance(value, list) else None

    @property
    def route(self) -> int | None:
        """The route that it is about."""
        return self.number_of("route")

    @property
    def card(self) -> int | None:
        """The kind of card that it plays or takes; the locomotive's for a claim without colour."""
        return self.number_of("card")

    @property
    def cards(self) -> list[int] | None:
        """The cards that it lays down, by kind."""
        return self.numbers_of("cards")

    @property
    def sets(self) -> int | None:
        """How many sets of any cards it plays in addition."""
        return self.number_of("sets")

    @property
    def extra(self) -> int | None:
        """How many cards more than needed it plays."""
        return self.number_of("extra")

    @property
    def tickets(self) -> list[int] | None:
        """The tickets that it keeps or picks."""
        return self.numbers_of("tickets")

    @property
    def places(self) -> list[int] | None:
        """The places of these tickets among those in question, counted from 0."""
        return self.numbers_of("places")

    @property
    def city(self) -> int | None:
        """The city that it is about."""
        return self.number_of("city")

    @property
    def points(self) -> int | None:
        """The points that it scores at once."""
        return self.number_of("points")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Action):
            return NotImplemented
        return (
            self.number == other.number
            and self.notation == other.notation
            and self.values == other.values
        )

    def __hash__(self) -> int:
        return hash((self.number, self.notation))

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"Action({self.number}, {self.notation!r}, {self.values})"

    def __reduce__(self) -> tuple[object, ...]:
        kept = (self.number, self.kind, self.notation, self.values)
        return Action, (*kept, self.sentence, self.group, self.lasting)


class Thing:
    """The name of a thing that a rule adds: that of its cities, or one in several languages.

    With a colour it is named by that as well.
    """

    def __init__(
        self, cities: list[int], names: Mapping[str, str] | None = None, colour: int = -1
    ) -> None:
        self.cities: Final = cities
        self.names: Final[Mapping[str, str]] = names if names is not None else {}
        self.colour: Final = colour


class Place:
    """Room that a rule needs on the drawn board, near one or several cities.

    `shape` is `pile` for a pile of cards and `mark` for a mark at the city.
    """

    def __init__(self, cities: list[int], id: str, shape: str) -> None:
        self.cities: Final = cities
        self.id: Final = id
        self.shape: Final = shape


class Part:
    """A piece of a line: text without a language (a number, a sign), a sentence, a thing or cards.

    A sentence's key is whole here. A thing is known by its kind and its number.
    """

    def __init__(
        self,
        text: str = "",
        sentence: Sentence | None = None,
        thing: str = "",
        number: int = 0,
        cards: list[int] | None = None,
        seat: int = -1,
        colour: int = -1,
        strong: bool = False,
    ) -> None:
        self.text: Final = text
        self.sentence: Final = sentence
        self.thing: Final = thing
        self.number: Final = number
        self.cards: Final = cards
        self.seat: Final = seat  # in this seat's colour
        self.colour: Final = colour  # after the sign of this colour
        self.strong: Final = strong


Item = list[Part]
"""Parts that stand next to each other."""


class Row:
    """A labelled line of what lies on the table: `label` is a key under `play.label`."""

    def __init__(self, label: str, items: list[Item], own: bool = False) -> None:
        self.label: Final = label
        self.items: Final = items
        self.own: Final = own  # it belongs to the reader's own area


class Figure:
    """A column of the players' table: `heading` is a key under `play.column`."""

    def __init__(self, heading: str, text: str) -> None:
        self.heading: Final = heading
        self.text: Final = text


class Chart:
    """A table of what a rule scores: headings, rows of items, and sentences below it.

    `name` is the rule's; a heading is a key under `board.column`, or a bare number.
    """

    def __init__(
        self,
        name: str,
        headings: list[str],
        rows: list[list[Item]],
        below: list[Sentence] | None = None,
    ) -> None:
        self.name: Final = name
        self.headings: Final = headings
        self.rows: Final = rows
        self.below: Final[list[Sentence]] = below if below is not None else []
