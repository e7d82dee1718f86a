"""The layout: every component of a game and its place in the flat state.

A state is one vector of numbers. `Fields` hands out places in it: first to the components that all
boards share, then to those of the rules that a board lists. Each field says who may see it, and
everything that depends on this (views, resampling, tests against leaks) is derived from here.
"""

from __future__ import annotations

from typing import Final

from branchline.core.board import Board
from branchline.core.machine import i64, vec

PUBLIC: Final = 0  # everyone sees all of it
OWNER: Final = 1  # one equal part for each seat, seen by that seat only
ACTOR: Final = 2  # seen by all, but while a private decision is open only by the one who decides
HIDDEN: Final = 3  # seen by nobody

# Where a ticket is. Codes with a seat (or a pack) start at the number given.
IN_DECK: Final = 0
OUT: Final = 1
HELD: Final = 2
OFFERED: Final = 10
PICKED: Final = 18
PACK: Final = 26
REJECTED: Final = 34  # out of the game, and this seat knows it
LEFT_OVER: Final = 42  # drafted, but kept by nobody
TICKET_PLACES: Final = 43
MAX_SEATS: Final = 8

# What the numbers of a field say. Whoever shows them from a seat's point of view needs it.
AMOUNT: Final = 0
CODE: Final = 1  # which of several things
COUNTER: Final = 2  # goes up as long as the game lasts
SEAT: Final = 3
OWNING: Final = 4  # a seat + 1; 0: nobody; CLOSED: can't be anybody's
SEATS: Final = 5  # a bit for each seat
SIGHTING: Final = 6  # of a ticket: 1 + 16 * pack + round, with MY_PICK; packs are named by seats

# How high the numbers of a field can get, where it is not a number that is known at once.
UNSTATED: Final = 0
CARDS_OF_A_KIND: Final = -1

# Marks, each a bit of `State.changed`. Whoever changes a field that has a mark sets it, so that
# rows for learners need not be written anew as a whole at every step.
ALWAYS: Final = 1  # of fields that may change at any time
TOUCHED: Final = 2  # of fields whose changes are told number by number: `State.touch`
TICKETS: Final = 4  # where the tickets are, and the order of their deck
PLACES: Final = 8  # where a seat has put tickets under the deck; changes with TICKETS alone
IN_USE: Final = 16  # the registers but the first, and the cards laid down; 0 unless `used` is 1
FREE_MARK: Final = 32  # the first of those that rules ask for
LAST_MARK: Final = 1 << 61
ALL_MARKS: Final = -1

TOUCHES: Final = 64  # so many numbers are told one by one, a power of two

REGISTERS: Final = 8
CLOSED: Final = 15  # the owner of a route that the rules have closed


class Field:
    """A named part of the state.

    Its numbers are from 0 to `most` and say what `holds` names. If a part of it is each seat's,
    that part is `width` numbers in a row, seat after seat; a field can have several such series.
    """

    def __init__(
        self,
        name: str,
        offset: i64,
        size: i64,
        visibility: i64,
        most: i64,
        holds: i64,
        width: i64,
        mark: i64,
    ) -> None:
        self.name: Final = name
        self.offset: Final = offset
        self.size: Final = size
        self.visibility: Final = visibility
        self.most: Final = most
        self.holds: Final = holds
        self.width: Final = width
        self.mark: Final = mark


class Fields:
    """Hands out places in the state's vector."""

    def __init__(self, seats: i64) -> None:
        self.seats: Final = seats
        self.fields: list[Field] = []
        self.size: i64 = 0
        self.next_mark: i64 = FREE_MARK

    def add(
        self,
        name: str,
        size: i64,
        visibility: i64,
        most: i64 = UNSTATED,
        holds: i64 = AMOUNT,
        width: i64 = 0,
        mark: i64 = ALWAYS,
    ) -> i64:
        """Reserve `size` numbers (for an OWNER field: in all, seat by seat); returns the offset.

        `Field` says what the rest means.
        """
        if visibility == OWNER and size % self.seats:
            raise ValueError(f"{name}: an owner's field has equal parts")
        offset = self.size
        self.fields.append(Field(name, offset, size, visibility, most, holds, width, mark))
        self.size += size
        return offset

    def new_mark(self) -> i64:
        """A mark for fields of a rule that seldom change; ALWAYS if there is none left."""
        mark = self.next_mark
        if mark == LAST_MARK:
            return ALWAYS
        self.next_mark = mark << 1
        return mark

    def field(self, name: str) -> Field:
        for f in self.fields:
            if f.name == name:
                return f
        raise KeyError(name)


def column(values: list[int]) -> vec[i64]:
    """A table of numbers, made once when a game is loaded."""
    return vec[i64](values)


class Layout:
    """Sizes, facts of the board as columns, and the offsets of the shared components."""

    def __init__(self, board: Board, seats: i64, display: i64, cards: i64) -> None:
        self.board: Final = board
        self.seats: Final[i64] = seats
        self.colours: Final[i64] = len(board.colours)
        self.loco: Final[i64] = self.colours
        self.kinds: Final[i64] = self.colours + 1
        self.blank: Final[i64] = self.colours + 1  # an empty place of the display
        self.special: Final[i64] = (
            self.colours + 2
        )  # cards of the deck from here on are not train cards
        self.cities: Final[i64] = len(board.cities)
        self.routes: Final[i64] = len(board.routes)
        self.tickets: Final[i64] = len(board.tickets)
        self.display_size: Final[i64] = display
        self.deck_size: Final[i64] = cards

        self.a: Final = column([r.a for r in board.routes])
        self.b: Final = column([r.b for r in board.routes])
        self.length: Final = column([r.length for r in board.routes])
        self.colour: Final = column([r.colour for r in board.routes])
        self.twin: Final = column([r.twin for r in board.routes])
        self.ticket_a: Final = column([t.a for t in board.tickets])
        self.ticket_b: Final = column([t.b for t in board.tickets])
        self.ticket_points: Final = column([t.points for t in board.tickets])

        fields = Fields(seats)
        self.fields: Final = fields
        # The control block: who owes what. It stands first, so that one event can carry all of it.
        self.turn: Final[i64] = fields.add("turn", 1, PUBLIC, seats - 1, SEAT)  # whose turn it is
        self.waiting: Final[i64] = fields.add("waiting", 1, PUBLIC, 1, SEATS)  # who owes a decision
        self.stage: Final[i64] = fields.add("stage", 1, HIDDEN)  # hooks of this step already run
        self.used: Final[i64] = fields.add("used", 1, HIDDEN)  # more than the first register is
        self.phase: Final[i64] = fields.add("phase", 1, ACTOR, holds=CODE)
        self.reg: Final[i64] = fields.add("registers", REGISTERS, ACTOR, holds=CODE)
        # The cards put down for a claim.
        self.laid: Final[i64] = fields.add("laid", self.kinds, ACTOR, CARDS_OF_A_KIND, mark=IN_USE)
        self.control_size: Final[i64] = fields.size

        self.first: Final[i64] = fields.add("first", 1, PUBLIC, seats - 1, SEAT)
        self.turns: Final[i64] = fields.add("turns", 1, PUBLIC, holds=COUNTER)  # begun so far
        self.last: Final[i64] = fields.add("last", 1, PUBLIC, seats)  # turns left in the last round
        self.passes: Final[i64] = fields.add("passes", 1, PUBLIC, seats)
        self.seed: Final[i64] = fields.add("seed", 4, HIDDEN)
        self.shuffles: Final[i64] = fields.add("shuffles", 1, PUBLIC, 15, COUNTER)
        self.ticket_shuffles: Final[i64] = fields.add("ticket_shuffles", 1, PUBLIC, 15, COUNTER)
        self.choice: Final[i64] = fields.add("choice", seats, OWNER, holds=CODE)

        hands = seats * self.kinds
        self.hand: Final[i64] = fields.add("hand", hands, OWNER, CARDS_OF_A_KIND)
        self.known: Final[i64] = fields.add(
            "known", hands, PUBLIC, CARDS_OF_A_KIND, width=self.kinds, mark=TOUCHED
        )
        self.hand_size: Final[i64] = fields.add("hand_size", seats, PUBLIC, cards, width=1)
        self.display: Final[i64] = fields.add("display", display, PUBLIC, self.blank, CODE)
        self.gaps: Final[i64] = fields.add("gaps", 1, PUBLIC, display)  # empty places in it
        self.discard: Final[i64] = fields.add(
            "discard", self.kinds, PUBLIC, CARDS_OF_A_KIND, mark=TOUCHED
        )
        self.discard_size: Final[i64] = fields.add("discard_size", 1, PUBLIC, cards)
        self.deck_len: Final[i64] = fields.add("deck_len", 1, PUBLIC, cards)
        self.deck_start: Final[i64] = fields.add("deck_start", 1, PUBLIC, cards)  # when it was made
        self.specials: Final[i64] = fields.add("specials", 1, PUBLIC, cards)  # not train cards
        self.deck: Final[i64] = fields.add("deck", cards, HIDDEN)  # the top is the last

        self.trains: Final[i64] = fields.add("trains", seats, PUBLIC, board.trains, width=1)
        self.points: Final[i64] = fields.add("points", seats, PUBLIC, holds=COUNTER, width=1)
        self.owner: Final[i64] = fields.add(
            "owner", self.routes, PUBLIC, seats + 1, OWNING, mark=TOUCHED
        )

        tickets = self.tickets
        self.ticket_count: Final[i64] = fields.add("ticket_count", seats, PUBLIC, tickets, width=1)
        self.offer_count: Final[i64] = fields.add("offer_count", seats, PUBLIC, tickets, width=1)
        self.ticket_at: Final[i64] = fields.add("ticket_at", tickets, HIDDEN)
        self.ticket_top: Final[i64] = fields.add("ticket_top", 1, HIDDEN)  # the deck is a ring
        self.ticket_len: Final[i64] = fields.add("ticket_len", 1, PUBLIC, tickets)
        self.ticket_deck: Final[i64] = fields.add("ticket_deck", tickets, HIDDEN)
        self.ticket_by: Final[i64] = fields.add("ticket_by", tickets, HIDDEN)  # seat + 1 who knows
