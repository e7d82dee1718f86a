"""The state of a game: one flat vector, and the changes that the table's components can undergo.

Every change to the vector happens in a method that stands for one kind of event; when a log is
attached, the method also records it. `redo` repeats a recorded event through the same method.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, final

from branchline.core.machine import i16, i64, vec
from branchline.core.rng import CARDS, shuffle, stream
from branchline.core.rng import TICKETS as TICKET_STREAM
from branchline.engine.errors import IllegalAction, StateError
from branchline.engine.events import LOG, NOBODY, OWN, Event, EventKind, Log
from branchline.engine.flow import (
    OVER,
    TURN,
    act,
    advance,
    enumerate_actions,
    special_card,
    why_not,
)
from branchline.engine.layout import (
    ALL_MARKS,
    HELD,
    IN_DECK,
    OFFERED,
    OUT,
    REJECTED,
    TICKETS,
    TOUCHES,
    Layout,
)
from branchline.engine.outcome import Outcome
from branchline.engine.rule import Refusal
from branchline.engine.scoring import outcome
from branchline.engine.view import View, make_view

if TYPE_CHECKING:
    from branchline.engine.game import Game
    from branchline.engine.record import Record

# The engine's own kinds of events.
ASKED: Final = 0
SHUFFLED: Final = 1
DREW: Final = 2
TOOK: Final = 3
FILLED: Final = 4
RESET: Final = 5
PLAYED: Final = 6
TICKETS_SHUFFLED: Final = 7
TICKETS_OFFERED: Final = 8
TICKETS_KEPT: Final = 9
CHOSE: Final = 10
TURN_BEGAN: Final = 11
ENDED: Final = 12
BEGAN: Final = 13
TICKETS_GONE: Final = 14


def engine_events() -> list[EventKind]:
    """The engine's own kinds of events, in the order of their codes."""
    return [
        EventKind(ASKED, "DecisionAsked", -1, 0, "!control*", silent=True, reveals=False),
        EventKind(
            SHUFFLED, "DeckShuffled", -1, 0, "cards fresh !order*", news=LOG, variant="fresh"
        ),
        EventKind(DREW, "CardDrawn", -1, 0, "?card"),
        EventKind(TOOK, "CardTaken", -1, 0, "slot card", reveals=False),
        EventKind(FILLED, "DisplayFilled", -1, 0, "slot card", news=LOG),
        EventKind(RESET, "DisplayReset", -1, 0, ""),
        EventKind(PLAYED, "CardsPlayed", -1, 0, "cards*", reveals=False),
        EventKind(TICKETS_SHUFFLED, "TicketsShuffled", -1, 0, "tickets !order*", news=LOG),
        EventKind(TICKETS_OFFERED, "TicketsOffered", -1, 0, "count ?tickets*", news=OWN),
        EventKind(TICKETS_KEPT, "TicketsKept", -1, 0, "kept rejected out ?mask", reveals=False),
        EventKind(CHOSE, "ChoiceMade", -1, 0, "?action", reveals=False, news=LOG),
        EventKind(TURN_BEGAN, "TurnBegan", -1, 0, "", reveals=False, news=LOG),
        EventKind(ENDED, "GameEnded", -1, 0, ""),
        EventKind(BEGAN, "GameBegan", -1, 0, "first !seed*", news=LOG, subject="first"),
        EventKind(TICKETS_GONE, "TicketsRemoved", -1, 0, ""),
    ]


FORMAT: Final = 2  # of packed states


@final
class State:
    """A position of a game. Make one with `Game.start`; change it with `apply`."""

    def __init__(self, game: Game, d: vec[i64]) -> None:
        self.game: Final = game
        self.t: Final[Layout] = game.layout
        self.d: vec[i64] = d
        self.log: Log | None = None
        self.moves: list[int] | None = None  # action * 8 + seat, in order
        self.seed: str | None = None
        self.first: int | None = None  # the first seat, if it was fixed
        self.buf: vec[i64] = game.no_actions
        self.n: i64 = 0
        self.enumerated: i64 = -1  # the seat whose legal actions are in the buffer
        self.changed: i64 = ALL_MARKS  # of fields changed since somebody cleared it
        # The last of the numbers with the mark TOUCHED that have changed, if somebody wants to
        # know (`watch`), and how many there were.
        self.touched: vec[i16] = game.no_touches
        self.touches: i64 = 0

    def __repr__(self) -> str:
        """Where the game stands; nothing that is hidden."""
        where = f"State({self.game!r}, phase={self.phase!r}, to_act={list(self.to_act)}"
        return f"{where}, moves={len(self.moves)})" if self.moves is not None else f"{where})"

    def __reduce__(self) -> tuple[object, ...]:
        """For pickling and copying, with the moves and the log; `clone` is faster without them."""
        from branchline.engine.copying import state_from

        past: list[tuple[int, int, list[int]]] | None = None
        if self.log is not None:
            past = [(int(e.kind.code), e.seat, e.numbers) for e in self.log.events]
        kept = (self.game, self.to_bytes(), self.moves, self.seed, self.first, past)
        return state_from, kept

    # --- what anyone may ask ---------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.d[self.t.phase] == OVER

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision; several while they choose at the same time."""
        waiting = self.d[self.t.waiting]
        if waiting == self.game.turn_bit[self.d[self.t.turn]]:
            return self.game.alone[self.d[self.t.turn]]
        return tuple([k for k in range(self.t.seats) if waiting >> k & 1])

    @property
    def phase(self) -> str:
        """The name of the open decision."""
        return self.game.phase_names[self.d[self.t.phase]]

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return self.d[self.t.turn]

    def legal(self, seat: i64) -> list[int]:
        """The numbers of all actions that the seat may take now; empty if it owes nothing.

        >>> import branchline
        >>> state = branchline.Game("usa", seats=2).start(seed=1)
        >>> len(state.legal(0))
        4
        """
        self.enumerate(seat)
        buf = self.buf
        return [buf[k] for k in range(self.n)]

    def apply(self, seat: i64, action: i64) -> None:
        """Take an action for a seat; raises `IllegalAction` with the reason if it may not."""
        if not self.allows(seat, action):
            refusal = self.why_not(seat, action)
            assert refusal is not None
            raise IllegalAction(refusal)
        if self.moves is not None:
            self.moves.append(action * 8 + seat)
        self.step(seat, action)

    def why_not(self, seat: i64, action: i64) -> Refusal | None:
        """Why the seat may not take this action now; None if it may."""
        return why_not(self, seat, action)

    def view(self, seat: i64 = NOBODY) -> View:
        """What the seat may know (-1: a spectator)."""
        return make_view(self, seat)

    @property
    def outcome(self) -> Outcome:
        """Scores line by line and the winners; of a game under way, as if it ended now."""
        return outcome(self)

    @property
    def events(self) -> list[Event]:
        """All events so far, secrets included. Needs a log: `Game.start(..., log=True)`."""
        if self.log is None:
            raise StateError("no_log")
        return self.log.events

    def record(self) -> Record:
        """The game so far as data: `branchline.replay` returns this state again."""
        from branchline.engine.record import make_record

        return make_record(self)

    def undone(self) -> State:
        """The game as it was before the last move."""
        from branchline.engine.record import rewind

        if not self.moves:
            raise StateError("no_moves")
        return rewind(self, len(self.moves) - 1)

    def clone(self) -> State:
        """An independent copy, without the log and the list of moves."""
        return State(self.game, self.d[:])

    def resample(self, seat: i64, seed: int | str) -> State:
        """A random state that `seat` can't tell from this one: equal view, other secrets."""
        return make_view(self, seat).world(seed)

    def to_bytes(self) -> bytes:
        """The whole state, secrets included, in less than a kilobyte.

        A header (format, seats, board) and every number of the state as a varint.
        """
        out = bytearray([FORMAT, self.game.seats])
        out += bytes.fromhex(self.game.board.digest[:16])
        d = self.d
        for k in range(self.t.fields.size):
            x: i64 = d[k]
            while x >= 128:
                out.append(x & 127 | 128)
                x >>= 7
            out.append(x)
        return bytes(out)

    def hash(self) -> str:
        """A short name for exactly this state, the same on every machine."""
        return hashlib.blake2b(self.to_bytes(), digest_size=8).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    # --- the machine ------------------------------------------------------------------------

    def allows(self, seat: i64, action: i64) -> bool:
        """Whether the action is legal for the seat now."""
        if seat < 0 or seat >= self.t.seats:
            return False
        self.enumerate(seat)
        buf = self.buf
        k: i64 = 0
        while k < self.n:
            if buf[k] == action:
                return True
            k += 1
        return False

    def step(self, seat: i64, action: i64) -> None:
        """Take an action that is known to be legal."""
        game = self.game
        self.enumerated = -1
        if len(self.buf) == 0:
            self.buf = game.action_buffer[:]
        act(self, seat, action)
        advance(self)

    def enumerate(self, seat: i64) -> None:
        """Fill the buffer with the seat's legal actions."""
        if self.enumerated == seat and seat >= 0:
            return
        if len(self.buf) == 0:
            self.buf = self.game.action_buffer[:]
        self.n = 0
        self.enumerated = seat
        if seat >= 0 and seat < self.t.seats and self.d[self.t.waiting] >> seat & 1:
            enumerate_actions(self, seat)

    def put(self, action: i64) -> None:
        """Add an action to the buffer."""
        self.buf[self.n] = action
        self.n += 1

    def watch(self) -> None:
        """Remember from now on which numbers are touched."""
        self.touched = vec[i16]([i16(0)] * TOUCHES)

    def touch(self, place: i64) -> None:
        """A number of a field with the mark TOUCHED has changed."""
        if len(self.touched) > 0:
            self.touched[self.touches & (TOUCHES - 1)] = i16(place)
            self.touches += 1

    # --- events: control ----------------------------------------------------------------------

    def ask(self, phase: i64, waiting: i64) -> None:
        """A decision is open for the seats in the mask `waiting`."""
        d, t = self.d, self.t
        d[t.phase] = phase
        d[t.waiting] = waiting
        if self.log is not None:
            self.note(ASKED, NOBODY, [d[k] for k in range(t.control_size)])

    def turn_began(self, seat: i64) -> None:
        d, t = self.d, self.t
        d[t.turn] = seat
        d[t.turns] += 1
        d[t.waiting] = self.game.turn_bit[seat]
        d[t.stage] = 0
        d[t.phase] = TURN
        d[t.reg] = 0
        if d[t.used] == 1:
            d[t.used] = 0
            k: i64 = t.reg
            while k < t.control_size:
                d[k] = 0
                k += 1
        if self.log is not None:
            self.note(TURN_BEGAN, seat, [])

    def ended(self) -> None:
        d, t = self.d, self.t
        d[t.phase] = OVER
        d[t.waiting] = 0
        d[t.stage] = 0
        d[t.used] = 0
        for k in range(t.reg, t.control_size):
            d[k] = 0
        if self.log is not None:
            self.note(ENDED, NOBODY, [])

    def began(self, first: i64, words: vec[i64]) -> None:
        d, t = self.d, self.t
        d[t.first] = first
        d[t.turn] = first
        for k in range(4):
            d[t.seed + k] = words[k]
        if self.log is not None:
            self.note(BEGAN, NOBODY, [first, words[0], words[1], words[2], words[3]])

    def chose(self, seat: i64, action: i64) -> None:
        """A seat has made its choice; it takes effect when all have."""
        d, t = self.d, self.t
        d[t.choice + seat] = action + 1
        d[t.waiting] = d[t.waiting] & ~(1 << seat)
        if self.log is not None:
            self.note(CHOSE, seat, [action])

    # --- events: cards --------------------------------------------------------------------------

    def shuffle_deck(self, n: i64) -> None:
        """Shuffle the first `n` cards that lie in the deck's place."""
        d, t = self.d, self.t
        shuffle(stream(d, t.seed, CARDS, d[t.shuffles]), d, t.deck, n)

    def deck_made(self, n: i64, fresh: i64) -> None:
        """The deck is what lies in its place, the top last.

        `fresh`: 0 from the discards, 1 new, 2 with cards of another sort, 3 with a single one.
        """
        d, t = self.d, self.t
        d[t.deck_len] = n
        d[t.deck_start] = n
        d[t.specials] = 0
        d[t.shuffles] += 1
        k: i64 = 0
        if fresh == 0:
            d[t.discard_size] = 0
            while k < t.kinds:
                d[t.discard + k] = 0
                self.touch(t.discard + k)
                k += 1
        else:
            while k < n:
                if d[t.deck + k] >= t.special:
                    d[t.specials] += 1
                k += 1
        if self.log is not None:
            self.note(SHUFFLED, NOBODY, [n, fresh, *[d[t.deck + j] for j in range(n)]])

    def reshuffle(self) -> None:
        """Make a new deck from the discards."""
        d, t = self.d, self.t
        n: i64 = 0
        kind: i64 = 0
        while kind < t.kinds:
            k: i64 = d[t.discard + kind]
            while k > 0:
                d[t.deck + n] = kind
                n += 1
                k -= 1
            kind += 1
        self.shuffle_deck(n)
        self.deck_made(n, 0)

    def renew_deck(self) -> None:
        """If the last card has left the deck, shuffle the discards into a new one (BASE-6)."""
        d, t = self.d, self.t
        if d[t.deck_len] == 0 and d[t.discard_size] > 0:
            self.reshuffle()

    def top(self) -> i64:
        """The train card on top of the deck, after any other card has gone its way; else blank.

        The deck is empty here only if there were no discards when it ran out (RU-16), or if the
        last card was not a train card.
        """
        d, t = self.d, self.t
        while True:
            n: i64 = d[t.deck_len]
            if n == 0:
                if d[t.discard_size] == 0:
                    return t.blank
                self.reshuffle()
                continue
            card: i64 = d[t.deck + n - 1]
            if card < t.special:
                return card
            special_card(self, card)

    def can_draw(self) -> bool:
        """Whether a train card can be drawn blind."""
        d, t = self.d, self.t
        return d[t.deck_len] - d[t.specials] + d[t.discard_size] > 0

    def draw(self, seat: i64) -> bool:
        """A seat draws a train card from the deck; False if there is none."""
        card: i64 = self.top()
        if card == self.t.blank:
            return False
        self.drew(seat, card)
        self.renew_deck()
        return True

    def drew(self, seat: i64, card: i64) -> None:
        """A seat takes the top card of the deck, unseen by others."""
        d, t = self.d, self.t
        d[t.deck_len] -= 1
        d[t.hand + seat * t.kinds + card] += 1
        d[t.hand_size + seat] += 1
        if self.log is not None:
            self.note(DREW, seat, [card])

    def took(self, seat: i64, slot: i64, card: i64) -> None:
        """A seat takes a card of the display."""
        d, t = self.d, self.t
        d[t.display + slot] = t.blank
        d[t.gaps] += 1
        d[t.hand + seat * t.kinds + card] += 1
        d[t.known + seat * t.kinds + card] += 1
        self.touch(t.known + seat * t.kinds + card)
        d[t.hand_size + seat] += 1
        if self.log is not None:
            self.note(TOOK, seat, [slot, card])

    def filled(self, slot: i64, card: i64) -> None:
        """The top card of the deck goes to an empty place of the display."""
        d, t = self.d, self.t
        d[t.deck_len] -= 1
        d[t.display + slot] = card
        d[t.gaps] -= 1
        if self.log is not None:
            self.note(FILLED, NOBODY, [slot, card])

    def reset(self) -> None:
        """The whole display is discarded."""
        d, t = self.d, self.t
        slot: i64 = t.display
        end: i64 = slot + t.display_size
        while slot < end:
            if d[slot] != t.blank:
                d[t.discard + d[slot]] += 1
                self.touch(t.discard + d[slot])
                d[t.discard_size] += 1
                d[slot] = t.blank
                d[t.gaps] += 1
            slot += 1
        if self.log is not None:
            self.note(RESET, NOBODY, [])

    def played(self, seat: i64) -> None:
        """A seat discards the cards that it has laid down."""
        d, t = self.d, self.t
        hand: i64 = t.hand + seat * t.kinds
        known: i64 = t.known + seat * t.kinds
        kind: i64 = 0
        while kind < t.kinds:
            n: i64 = d[t.laid + kind]
            if n > 0:
                d[hand + kind] -= n
                d[known + kind] -= n
                if d[known + kind] < 0:
                    d[known + kind] = 0
                d[t.discard + kind] += n
                self.touch(known + kind)
                self.touch(t.discard + kind)
                d[t.discard_size] += n
                d[t.hand_size + seat] -= n
            kind += 1
        if self.log is not None:
            self.note(PLAYED, seat, [d[t.laid + k] for k in range(t.kinds)])

    # --- events: tickets ------------------------------------------------------------------------

    def shuffle_tickets(self, n: i64) -> None:
        """Shuffle the first `n` tickets that lie in the ticket deck's place."""
        d, t = self.d, self.t
        shuffle(stream(d, t.seed, TICKET_STREAM, d[t.ticket_shuffles]), d, t.ticket_deck, n)

    def ticket_deck_made(self, n: i64) -> None:
        """The ticket deck is what lies in its place, the top first."""
        d, t = self.d, self.t
        self.changed |= TICKETS
        d[t.ticket_top] = 0
        d[t.ticket_len] = n
        d[t.ticket_shuffles] += 1
        k: i64 = 0
        while k < n:
            d[t.ticket_by + k] = 0
            d[t.ticket_at + d[t.ticket_deck + k]] = IN_DECK
            k += 1
        if self.log is not None:
            self.note(TICKETS_SHUFFLED, NOBODY, [n, *[d[t.ticket_deck + j] for j in range(n)]])

    def ticket_pop(self) -> i64:
        """Take the top ticket off the deck."""
        d, t = self.d, self.t
        self.changed |= TICKETS
        ticket: i64 = d[t.ticket_deck + d[t.ticket_top]]
        d[t.ticket_top] += 1
        d[t.ticket_len] -= 1
        if d[t.ticket_top] == t.tickets or d[t.ticket_len] == 0:
            d[t.ticket_top] = 0
        return ticket

    def ticket_push(self, ticket: i64, by: i64) -> None:
        """Put a ticket under the deck; `by` is seat + 1 of the one who knows, or 0."""
        d, t = self.d, self.t
        self.changed |= TICKETS
        k: i64 = d[t.ticket_top] + d[t.ticket_len]
        if k >= t.tickets:
            k -= t.tickets
        d[t.ticket_deck + k] = ticket
        d[t.ticket_by + k] = by
        d[t.ticket_len] += 1
        d[t.ticket_at + ticket] = IN_DECK

    def offered(self, seat: i64, n: i64) -> None:
        """A seat is shown the top `n` tickets of the deck, to keep some of them."""
        d, t = self.d, self.t
        shown: list[int] | None = [] if self.log is not None else None
        k: i64 = 0
        while k < n:
            ticket: i64 = self.ticket_pop()
            d[t.ticket_at + ticket] = OFFERED + seat
            if shown is not None:
                shown.append(ticket)
            k += 1
        d[t.offer_count + seat] += n
        if shown is not None:
            self.note(TICKETS_OFFERED, seat, [n, *shown])

    def tickets_gone(self) -> None:
        """What is left of the ticket deck leaves the game."""
        d, t = self.d, self.t
        while d[t.ticket_len] > 0:
            d[t.ticket_at + self.ticket_pop()] = OUT
        if self.log is not None:
            self.note(TICKETS_GONE, NOBODY, [])

    def kept(self, seat: i64, keep: i64, out: i64) -> None:
        """Of the offered tickets, those in the mask `keep` (lowest number first) are kept.

        The others go under the deck, or out of the game if `out` is 1.
        """
        d, t = self.d, self.t
        self.changed |= TICKETS
        ticket: i64 = 0
        slot: i64 = 0
        kept: i64 = 0
        while ticket < t.tickets:
            if d[t.ticket_at + ticket] == OFFERED + seat:
                if keep >> slot & 1:
                    d[t.ticket_at + ticket] = HELD + seat
                    kept += 1
                elif out == 1:
                    d[t.ticket_at + ticket] = REJECTED + seat
                else:
                    self.ticket_push(ticket, seat + 1)
                slot += 1
            ticket += 1
        d[t.ticket_count + seat] += kept
        d[t.offer_count + seat] = 0
        d[t.choice + seat] = 0
        if self.log is not None:
            self.note(TICKETS_KEPT, seat, [kept, slot - kept, out, keep])

    # --- records ----------------------------------------------------------------------------------

    def note(self, code: i64, seat: i64, numbers: list[int]) -> None:
        """Note an event of the engine's in the log."""
        if self.log is not None:
            self.log.add(self.game.event_kinds[code], seat, numbers)

    def redo(self, event: Event) -> None:
        """Repeat the change that an event records."""
        self.enumerated = -1
        kind, seat, numbers = event.kind, event.seat, event.numbers
        if kind.owner >= 0:
            self.game.rules[kind.owner].redo(self, kind.local, seat, numbers)
            return
        d, t = self.d, self.t
        code = kind.code
        if code == ASKED:
            for k in range(len(numbers)):
                d[k] = numbers[k]
        elif code == SHUFFLED:
            for k in range(2, len(numbers)):
                d[t.deck + k - 2] = numbers[k]
            self.deck_made(numbers[0], numbers[1])
        elif code == DREW:
            self.drew(seat, numbers[0])
        elif code == TOOK:
            self.took(seat, numbers[0], numbers[1])
        elif code == FILLED:
            self.filled(numbers[0], numbers[1])
        elif code == RESET:
            self.reset()
        elif code == PLAYED:
            for k in range(t.kinds):
                d[t.laid + k] = numbers[k]
            self.played(seat)
        elif code == TICKETS_SHUFFLED:
            for k in range(1, len(numbers)):
                d[t.ticket_deck + k - 1] = numbers[k]
            self.ticket_deck_made(numbers[0])
        elif code == TICKETS_OFFERED:
            if numbers[0] > d[t.ticket_len]:
                raise ValueError("more tickets than there are")
            self.offered(seat, numbers[0])
        elif code == TICKETS_GONE:
            self.tickets_gone()
        elif code == TICKETS_KEPT:
            self.kept(seat, numbers[3], numbers[2])
        elif code == CHOSE:
            self.chose(seat, numbers[0])
        elif code == TURN_BEGAN:
            self.turn_began(seat)
        elif code == ENDED:
            self.ended()
        elif code == BEGAN:
            self.began(numbers[0], vec[i64](numbers[1:]))
