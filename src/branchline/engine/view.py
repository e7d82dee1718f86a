"""Views: what a seat may know, and nothing else.

A view is made by copying the visible fields of the state, and what the rules say that the seat
remembers, into a vector of its own. It holds no reference to the state, so a secret can't be
reached from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from branchline.core.machine import i64, vec
from branchline.engine.facts import Action, Sentence
from branchline.engine.layout import (
    ACTOR,
    CLOSED,
    HELD,
    IN_DECK,
    OFFERED,
    OWNER,
    PICKED,
    REJECTED,
    TICKET_PLACES,
    column,
)
from branchline.engine.rule import PRIVATE

if TYPE_CHECKING:
    from branchline.engine.game import Game
    from branchline.engine.state import State

# What a seat knows of a ticket, in the view's field "tickets".
UNKNOWN: Final = 0
MINE: Final = 1
OFFERED_TO_ME: Final = 2
PICKED_BY_ME: Final = 3
REJECTED_BY_ME: Final = 4
MY_PICK: Final = 256  # added to a draft's memory of a ticket that this seat has picked itself
UNDER_DECK: Final = 8  # plus its place from the top: this seat put it there
PLACE_OF: Final = [IN_DECK, HELD, OFFERED, PICKED, REJECTED]
"""By what the seat knows of a ticket, where it is: the first of the places with a seat."""


class ViewField:
    """A named part of a view, and where it comes from (`source` -1: a rule writes it).

    `most`, `holds`, `width` and `mark` are as in `Field`.
    """

    def __init__(
        self,
        name: str,
        offset: i64,
        size: i64,
        source: i64,
        visibility: i64,
        most: i64,
        holds: i64,
        width: i64,
        mark: i64,
    ) -> None:
        self.name: Final = name
        self.offset: Final = offset
        self.size: Final = size
        self.source: Final = source
        self.visibility: Final = visibility
        self.most: Final = most
        self.holds: Final = holds
        self.width: Final = width
        self.mark: Final = mark


@final
class View:
    """What `seat` may know (-1: a spectator).

    It reads like the game (`view.hand`, `view.trains(1)`, `view.owner(route)`); `view["trains"]`
    returns any field as a list.

    >>> import branchline
    >>> view = branchline.Game("usa", seats=2).start(seed=1).view(0)
    >>> sum(view.hand), view.trains(1), len(view.display), view.owner(0)
    (4, 45, 5, None)
    """

    def __init__(self, game: Game, seat: int, data: vec[i64], actions: list[int]) -> None:
        self.game: Final = game
        self.seat: Final = seat
        self.data: Final = data
        self.actions: Final = actions
        """The numbers of the seat's legal actions; empty if it owes no decision."""

    def __getitem__(self, name: str) -> list[int]:
        f = self.game.view_fields[name]
        return [self.data[f.offset + k] for k in range(f.size)]

    def one(self, name: str) -> int:
        """A field that is a single number."""
        return self.data[self.game.view_fields[name].offset]

    @property
    def phase(self) -> str:
        """The open decision, as far as this seat may know it."""
        return self.game.phase_names[self.one("phase")]

    @property
    def to_act(self) -> list[int]:
        """The seats that owe a decision."""
        waiting = self.one("waiting")
        return [k for k in range(self.game.seats) if waiting >> k & 1]

    @property
    def tickets(self) -> list[int]:
        """The tickets that the seat holds."""
        return [k for k, what in enumerate(self["tickets"]) if what == MINE]

    @property
    def offered(self) -> list[int]:
        """The tickets among which the seat has to choose."""
        return [k for k, what in enumerate(self["tickets"]) if what == OFFERED_TO_ME]

    @property
    def in_question(self) -> list[int]:
        """The tickets that the seat's open decision is about, in the order of its actions."""
        if self.seat not in self.to_act:
            return []
        return self.game.phase_rules[self.one("phase")].tickets_in_question(self)

    def action(self, number: int) -> Action:
        """An action with what it means in the decision that is open."""
        if not 0 <= number < len(self.game.action_rules):
            raise IndexError(f"no action {number}")
        return self.game.action_rules[number].facts(number, self)

    @property
    def question(self) -> Sentence | None:
        """What the open decision is about, where its actions don't say it themselves."""
        return self.game.phase_rules[self.one("phase")].question(self)

    @property
    def picked(self) -> list[int]:
        """In a draft, the tickets that the seat has picked so far."""
        return [k for k, what in enumerate(self["tickets"]) if what == PICKED_BY_ME]

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return self.one("turn")

    @property
    def hand(self) -> list[int]:
        """How many cards the seat holds of each kind: the board's colours, then locomotives."""
        return self["hand"]

    @property
    def display(self) -> list[int]:
        """The kinds of the face-up cards, without the empty places."""
        blank = self.game.layout.blank
        return [kind for kind in self["display"] if kind != blank]

    @property
    def deck_size(self) -> int:
        """The number of cards in the deck."""
        return self.one("deck_len")

    @property
    def ticket_deck_size(self) -> int:
        """The number of tickets in the ticket deck."""
        return self.one("ticket_len")

    def hand_size(self, seat: int) -> int:
        """The number of cards that a seat holds."""
        return self._by_seat("hand_size", seat)

    def trains(self, seat: int) -> int:
        """The number of trains in a seat's reserve."""
        return self._by_seat("trains", seat)

    def points(self, seat: int) -> int:
        """A seat's points for routes so far."""
        return self._by_seat("points", seat)

    def ticket_count(self, seat: int) -> int:
        """The number of tickets that a seat holds."""
        return self._by_seat("ticket_count", seat)

    def owner(self, route: int) -> int | None:
        """The seat that has claimed a route; None if nobody has."""
        owner = self["owner"][route]
        return owner - 1 if 0 < owner < CLOSED else None

    def closed(self, route: int) -> bool:
        """Whether a route can't be claimed any more because its twin was (BASE-8)."""
        return self["owner"][route] == CLOSED

    def _by_seat(self, name: str, seat: int) -> int:
        if not 0 <= seat < self.game.seats:
            raise IndexError(f"no seat {seat}")
        return self.data[self.game.view_fields[name].offset + seat]

    def of_seat(self, name: str, seat: int) -> list[int]:
        """A seat's part of a field that has equal parts for all seats."""
        values = self[name]
        width = len(values) // self.game.seats
        return values[seat * width : (seat + 1) * width]

    def world(self, seed: int | str) -> State:
        """A random full state that fits the view, made from the view alone.

        Every seed leads to a world of its own. `Worlds` in `engine/worlds.py` draws many worlds
        of one view faster.

        >>> import branchline
        >>> view = branchline.Game("usa", seats=2).start(seed=1).view(0)
        >>> view.world("what if").view(0) == view
        True
        """
        from branchline.engine.worlds import Worlds

        return Worlds(self).draw(seed)

    def to_dict(self) -> dict[str, object]:
        """All that the view holds, by name."""
        fields: dict[str, object] = {name: self[name] for name in self.game.view_fields}
        return {"seat": self.seat, "actions": list(self.actions), **fields}

    def __reduce__(self) -> tuple[object, ...]:
        return view_from, (self.game, self.seat, list(self.data), self.actions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.seat, tuple(self.data)))

    def __repr__(self) -> str:
        return f"View(seat={self.seat}, phase={self.phase!r}, to_act={self.to_act})"


def view_from(game: Game, seat: int, numbers: list[int], actions: list[int]) -> View:
    """The view whose numbers these are, for what gets views as plain data."""
    return View(game, seat, vec[i64](numbers), actions)


def make_view(s: State, seat: i64) -> View:
    """The view of a seat."""
    game = s.game
    acts = seat >= 0 and s.d[s.t.waiting] >> seat & 1 == 1
    data = game.view_buffer[:]
    write_visible(s, seat, data)
    for rule in game.view_rules:
        rule.view(s, seat, data, game.view_parts[rule.index])
    return View(game, seat, data, s.legal(seat) if acts else [])


def write_visible(s: State, seat: i64, data: vec[i64]) -> None:
    """Write what the seat may see into the numbers of a view, but not what rules remember for it.

    What it may not see keeps the number that is there.
    """
    game, d, t = s.game, s.d, s.t
    acts = seat >= 0 and d[t.waiting] >> seat & 1 == 1
    secret = game.phase_flags[d[t.phase]] & PRIVATE and not acts
    for f in game.view_copies:
        at: i64 = f.source
        if f.visibility == OWNER:
            if seat < 0:
                continue
            at += seat * f.size
        elif f.visibility == ACTOR and secret:
            continue
        k: i64 = f.offset
        end: i64 = k + f.size
        at -= k
        while k < end:
            data[k] = d[at + k]
            k += 1
    if seat >= 0:
        know_tickets(s, seat, data, game.view_fields["tickets"].offset)


def ticket_codes(seats: int) -> vec[i64]:
    """For each seat, what it knows of a ticket that is at a place, by the number of the place."""
    codes = [UNKNOWN] * (seats * TICKET_PLACES)
    for seat in range(seats):
        first = seat * TICKET_PLACES + seat
        codes[first + HELD] = MINE
        codes[first + OFFERED] = OFFERED_TO_ME
        codes[first + PICKED] = PICKED_BY_ME
        codes[first + REJECTED] = REJECTED_BY_ME
    return column(codes)


def know_tickets(s: State, seat: i64, out: vec[i64], at: i64) -> None:
    """Write what the seat knows of each ticket at `out[at:]`; a spectator knows nothing."""
    d, t = s.d, s.t
    ticket: i64 = 0
    if seat < 0:
        while ticket < t.tickets:
            out[at + ticket] = UNKNOWN
            ticket += 1
        return
    codes = s.game.ticket_codes
    first: i64 = seat * TICKET_PLACES
    while ticket < t.tickets:
        out[at + ticket] = codes[first + d[t.ticket_at + ticket]]
        ticket += 1
    k: i64 = 0
    place: i64 = d[t.ticket_top]
    while k < d[t.ticket_len]:
        if d[t.ticket_by + place] == seat + 1:
            out[at + d[t.ticket_deck + place]] = UNDER_DECK + k
        place += 1
        if place == t.tickets:
            place = 0
        k += 1
