"""A seat's view as one row of small numbers with known bounds, for programs that learn.

The row shows the table from the seat's own place: whatever belongs to seats stands in their order
from this seat on, and a number that names a seat counts from it (0: this seat). It holds what the
view holds and nothing else; `docs/env.md` lists the fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from branchline.core.machine import i16, i64, vec
from branchline.core.rng import seed_words
from branchline.engine.flow import deal
from branchline.engine.layout import (
    ACTOR,
    ALL_MARKS,
    ALWAYS,
    AMOUNT,
    CARDS_OF_A_KIND,
    CLOSED,
    CODE,
    COUNTER,
    IN_USE,
    OWNER,
    OWNING,
    PLACES,
    SEAT,
    SEATS,
    SIGHTING,
    TICKETS,
    TOUCHED,
    TOUCHES,
    UNSTATED,
    column,
)
from branchline.engine.rule import PRIVATE
from branchline.engine.state import State
from branchline.engine.view import MY_PICK, UNDER_DECK, UNKNOWN, View, ViewField, know_tickets

if TYPE_CHECKING:
    from branchline.engine.game import Game

HIGH: Final = 255  # the bound of a field that does not state one; higher numbers are cut off
IN_DECK: Final = 5  # of a ticket, in the row: the seat has put it under the deck

# How the numbers of a run become those of the row.
COPY: Final = 0
CUT: Final = 1
TURN_SEAT: Final = 2
TURN_OWNER: Final = 3
TURN_SIGHTING: Final = 4


class EncodedField:
    """A named part of the row: its numbers are from 0 to `most`.

    `code` tells whether they name things instead of counting them.
    """

    def __init__(self, name: str, offset: int, size: int, most: int, code: bool) -> None:
        self.name: Final = name
        self.offset: Final = offset
        self.size: Final = size
        self.most: Final = most
        self.code: Final = code

    def __repr__(self) -> str:
        kind = "code" if self.code else "amount"
        end = self.offset + self.size
        return f"EncodedField({self.name!r}, {self.offset}:{end}, most={self.most}, {kind})"


class Source:
    """Where a field of the row comes from: from the state, or from what is worked out first."""

    def __init__(self, name: str, most: i64, holds: i64, how: i64, worked: bool) -> None:
        self.name: Final = name
        self.most: Final = most
        self.holds: Final = holds
        self.how: Final = how
        self.worked: Final = worked
        self.actor: bool = False
        self.marks: list[int] = []  # of every number
        self.places: list[list[int]] = []  # for each seat, the place of every number


@final
class Encoding:
    """The rows of a game. One object serves one thread, since it works in a buffer of its own.

    >>> import branchline
    >>> game = branchline.Game("usa", seats=2)
    >>> encoding = Encoding(game)
    >>> encoding.field("trains")
    EncodedField('trains', 54:56, most=45, amount)
    >>> row = encoding.row(game.start(seed=1), seat=0)
    >>> len(row) == encoding.size, row[54:56]
    (True, [45, 45])
    """

    def __init__(self, game: Game) -> None:
        self.game: Final = game
        t = game.layout
        seats = t.seats
        sources: list[Source] = []
        self.worked: i64 = 0  # numbers that are worked out first
        self.waiting: Final[i64] = self.room(seats)
        self.shown: Final[i64] = self.room(t.kinds)
        self.tickets: Final[i64] = self.room(t.tickets)
        self.ticket_places: Final[i64] = self.room(t.tickets)
        self.parts: Final[dict[int, int]] = {}  # by rule, where it writes its part of the view
        of_a_kind = most_of_a_kind(game)
        self.part_rules: Final = {offset: index for index, offset in game.view_parts.items()}
        for f in game.view_fields.values():
            if f.name == "display":
                at = [[int(self.shown + k) for k in range(t.kinds)]] * seats
                sources.append(placed("display", t.display_size, AMOUNT, COPY, True, at))
            elif f.name == "tickets":
                at = [[int(self.tickets + k) for k in range(t.tickets)]] * seats
                sources.append(placed("tickets", IN_DECK, CODE, COPY, True, at, f.mark))
                at = [[int(self.ticket_places + k) for k in range(t.tickets)]] * seats
                sources.append(placed("ticket_places", t.tickets, AMOUNT, COPY, True, at, PLACES))
            elif f.holds == SEATS:
                assert f.source == t.waiting, f.name
                at = [
                    [int(self.waiting + (seat + k) % seats) for k in range(seats)]
                    for seat in range(seats)
                ]
                sources.append(placed(f.name, 1, AMOUNT, COPY, True, at))
            else:
                start = f.source
                if start < 0:
                    start = self.room(f.size)
                    self.parts[self.part_rules[f.offset]] = start
                most = self.most_of(f, of_a_kind)
                at = [places_of(f, start, seat, seats) for seat in range(seats)]
                source = placed(f.name, most, f.holds, how(f), f.source < 0, at, f.mark)
                source.actor = f.visibility == ACTOR
                if f.source == t.reg:
                    source.marks = [ALWAYS] + [IN_USE] * (len(source.marks) - 1)
                sources.append(source)
        sources.sort(key=run_of)

        self.fields: Final[list[EncodedField]] = []
        size = 0
        secret: list[int] = []
        for source in sources:
            n = len(source.places[0])
            code = source.holds != AMOUNT and source.holds != COUNTER
            self.fields.append(EncodedField(source.name, size, n, source.most, code))
            if source.actor:
                secret += list(range(size, size + n))
            size += n
        self.size: Final[int] = size
        self.high: Final = [int(f.most) for f in self.fields for _ in range(f.size)]
        """The highest value at each place of the row; the lowest is always 0."""
        self.secret: Final = column(secret)  # shown only to the one who decides
        self.limit: Final = column(self.high)
        self.source: Final = column(
            [at for seat in range(seats) for source in sources for at in source.places[seat]]
        )
        runs = [(run_of(s), mark) for s in sources for mark in s.marks]
        ends = [k + 1 for k in range(size) if k + 1 == size or runs[k + 1] != runs[k]]
        self.run_end: Final = column(ends)
        self.run_how: Final = column([runs[k - 1][0] & 7 for k in ends])
        self.run_worked: Final = column([runs[k - 1][0] >> 3 for k in ends])
        self.run_mark: Final = column([runs[k - 1][1] for k in ends])
        # For each seat and number of a state, where the row has it, from 1 on; 0: nowhere.
        self.numbers: Final[i64] = t.fields.size
        where = [0] * (seats * t.fields.size)
        for seat in range(seats):
            for k in range(size):
                if runs[k][0] >> 3 == 0:
                    where[seat * t.fields.size + self.source[seat * size + k]] = k + 1
        self.where: Final = vec[i16]([i16(k) for k in where])
        self.how_of: Final = column([how & 7 for how, _ in runs])
        # Of the rules that write a part of the view, in their order.
        parts = [
            (r, f)
            for r in game.view_rules
            for f in game.view_fields.values()
            if f.offset == game.view_parts[r.index]
        ]
        self.part_at: Final = column([self.parts[r.index] for r, _ in parts])
        self.part_mark: Final = column([int(f.mark) for _, f in parts])
        self.buffer: Final = column([0] * self.worked)
        self.table: Final = game.blank_state[:]  # what a view holds, where a state has it
        self.turned: Final = column(
            [int(turn_owner(code, seat, seats)) for seat in range(seats) for code in range(16)]
        )

    def room(self, size: i64) -> i64:
        """Places for numbers that are worked out first."""
        at = self.worked
        self.worked += size
        return at

    def most_of(self, f: ViewField, of_a_kind: int) -> i64:
        t = self.game.layout
        if f.source == t.phase:
            return len(self.game.phase_names) - 1
        if f.source == t.choice:
            return self.game.actions
        if f.source == t.reg:
            return max(t.routes, t.cities, t.tickets, t.deck_size)
        if f.holds == SIGHTING:
            return MY_PICK + 16 * t.seats
        if f.most == CARDS_OF_A_KIND:
            return of_a_kind
        if f.most == UNSTATED:
            return HIGH
        return f.most

    def field(self, name: str) -> EncodedField:
        """The part of the row with this name."""
        for f in self.fields:
            if f.name == name:
                return f
        raise KeyError(name)

    def row(self, state: State, seat: int) -> list[int]:
        """The row of a seat, as plain numbers."""
        if not 0 <= seat < self.game.seats:
            raise IndexError(f"no seat {seat}")
        out = vec[i16]([i16(0)] * self.size)
        self.write(state, seat, out, 0)
        return [int(x) for x in out]

    def view_row(self, view: View) -> list[int]:
        """The row of a view's seat, from the view alone: what `row` returns for its state.

        >>> import branchline
        >>> game = branchline.Game("usa", seats=2)
        >>> encoding, state = Encoding(game), game.start(seed=1)
        >>> encoding.view_row(state.view(1)) == encoding.row(state, 1)
        True
        """
        game, seat = self.game, view.seat
        if not 0 <= seat < game.seats:
            raise IndexError(f"no seat {seat}")
        data, d, buffer = view.data, self.table, self.buffer
        k: i64 = 0
        for f in game.view_copies:
            at: i64 = f.source
            if f.visibility == OWNER:
                at += seat * f.size
            k = 0
            while k < f.size:
                d[at + k] = data[f.offset + k]
                k += 1
        k = 0
        while k < self.game.layout.tickets:
            buffer[self.tickets + k] = data[game.view_fields["tickets"].offset + k]
            k += 1
        for f in game.view_fields.values():
            index = self.part_rules.get(f.offset)
            if index is not None:
                k = 0
                while k < f.size:
                    buffer[self.parts[index] + k] = data[f.offset + k]
                    k += 1
        self.place_tickets()
        self.work_out(d)
        out = vec[i16]([i16(0)] * self.size)
        self.turn(d, seat, out, 0, ALL_MARKS)
        return [int(x) for x in out]

    def write(self, s: State, seat: i64, out: vec[i16], at: i64) -> None:
        """Write the row of a seat at `out[at:]`."""
        self.update(s, seat, out, at, ALL_MARKS, 0)

    def update(self, s: State, seat: i64, out: vec[i16], at: i64, changed: i64, since: i64) -> i64:
        """Bring the row of a seat at `out[at:]` up to date.

        `changed` has the marks of all that has changed since it was written, and those that the
        call returned which wrote it; `since` is how many numbers had been touched then.
        """
        marks: i64 = changed
        kept: i64 = ALWAYS
        if s.d[s.t.used] == 1:
            marks |= IN_USE
            kept |= IN_USE  # what is in use now has to be written once more when it no longer is
        if changed & TICKETS:
            know_tickets(s, seat, self.buffer, self.tickets)
            if self.place_tickets():
                marks |= PLACES
                kept |= PLACES
        elif changed & PLACES:
            marks -= PLACES
            kept |= PLACES
        if s.touches - since > TOUCHES:
            marks |= TOUCHED
        k: i64 = 0
        while k < len(self.part_at):
            if marks & self.part_mark[k]:
                s.game.view_rules[k].view(s, seat, self.buffer, self.part_at[k])
            k += 1
        self.work_out(s.d)
        self.turn(s.d, seat, out, at, marks)
        if marks & TOUCHED == 0:
            self.turn_touched(s, seat, out, at, since)
        if s.game.phase_flags[s.d[s.t.phase]] & PRIVATE and not s.d[s.t.waiting] >> seat & 1:
            for place in self.secret:
                out[at + place] = i16(0)
        return kept

    def turn_touched(self, s: State, seat: i64, out: vec[i16], at: i64, since: i64) -> None:
        """Write the numbers of the table that have been touched, as the seat sees them."""
        d, touched, where, how_of = s.d, s.touched, self.where, self.how_of
        first: i64 = seat * self.numbers
        while since < s.touches:
            place: i64 = i64(touched[since & (TOUCHES - 1)])
            k: i64 = i64(where[first + place]) - 1
            if k >= 0:
                x: i64 = d[place]
                how: i64 = how_of[k]
                if how == TURN_OWNER:
                    x = self.turned[seat * 16 + x]
                elif how == TURN_SEAT:
                    x -= seat
                    if x < 0:
                        x += s.t.seats
                elif how == TURN_SIGHTING:
                    if x > 0:
                        x = turn_sighting(x, seat, s.t.seats)
                elif how == CUT and x > self.limit[k]:
                    x = self.limit[k]
                out[at + k] = i16(x)
            since += 1

    def turn(self, d: vec[i64], seat: i64, out: vec[i16], at: i64, changed: i64) -> None:
        """Write the numbers of a table and of the buffer, as the seat sees them."""
        t = self.game.layout
        source, limit, turned = self.source, self.limit, self.turned
        ends, marks = self.run_end, self.run_mark
        runs: i64 = len(ends)
        base: i64 = seat * self.size
        k: i64 = 0
        r: i64 = 0
        x: i64 = 0
        while r < runs:
            end: i64 = ends[r]
            if changed & marks[r] == 0:
                k = end
                r += 1
                continue
            how: i64 = self.run_how[r]
            data = d
            if self.run_worked[r] == 1:
                data = self.buffer
            if how == COPY:
                while k < end:
                    out[at + k] = i16(data[source[base + k]])
                    k += 1
            elif how == TURN_OWNER:
                first: i64 = seat * 16
                while k < end:
                    out[at + k] = i16(turned[first + data[source[base + k]]])
                    k += 1
            elif how == CUT:
                while k < end:
                    x = data[source[base + k]]
                    if x > limit[k]:
                        x = limit[k]
                    out[at + k] = i16(x)
                    k += 1
            else:
                while k < end:
                    x = data[source[base + k]]
                    if how == TURN_SEAT:
                        x -= seat
                        if x < 0:
                            x += t.seats
                    elif x > 0:
                        x = turn_sighting(x, seat, t.seats)
                    out[at + k] = i16(x)
                    k += 1
            r += 1

    def work_out(self, d: vec[i64]) -> None:
        """Fill the buffer with what does not stand in a table as the row has it."""
        t, out = self.game.layout, self.buffer
        k: i64 = 0
        waiting: i64 = d[t.waiting]
        while k < t.seats:
            out[self.waiting + k] = waiting >> k & 1
            k += 1
        k = 0
        while k < t.kinds:
            out[self.shown + k] = 0
            k += 1
        k = 0
        while k < t.display_size:
            card: i64 = d[t.display + k]
            if card != t.blank:
                out[self.shown + card] += 1
            k += 1

    def place_tickets(self) -> bool:
        """Tell the places of tickets under the deck from what else is known of tickets.

        True if there are some.
        """
        found = False
        out, places = self.buffer, self.ticket_places
        k: i64 = self.tickets
        end: i64 = k + self.game.layout.tickets
        while k < end:
            what: i64 = out[k]
            out[places] = 0
            if what >= UNDER_DECK:
                out[places] = what - UNDER_DECK + 1
                out[k] = IN_DECK
                found = True
            k += 1
            places += 1
        return found


def placed(
    name: str,
    most: i64,
    holds: i64,
    how: i64,
    worked: bool,
    places: list[list[int]],
    mark: i64 = ALWAYS,
) -> Source:
    source = Source(name, most, holds, how, worked)
    source.places = places
    source.marks = [int(mark)] * len(places[0])
    return source


def run_of(source: Source) -> int:
    """Fields that are written in the same way stand together."""
    return int(source.worked) * 8 + int(source.how)


def how(f: ViewField) -> i64:
    """How the numbers of a field are turned to a seat."""
    if f.holds == SEAT:
        return TURN_SEAT
    if f.holds == OWNING:
        return TURN_OWNER
    if f.holds == SIGHTING:
        return TURN_SIGHTING
    if f.holds == COUNTER or f.most == UNSTATED:
        return CUT
    return COPY


def places_of(f: ViewField, start: i64, seat: i64, seats: i64) -> list[int]:
    """Where the numbers of a field are, in the order in which the seat's row has them."""
    if f.visibility == OWNER and f.source >= 0:
        return [int(start + seat * f.size + k) for k in range(f.size)]
    if f.width == 0:
        return [int(start + k) for k in range(f.size)]
    places = []
    for series in range(f.size // (seats * f.width)):
        for k in range(seats):
            first = start + (series * seats + (seat + k) % seats) * f.width
            places += [int(first + j) for j in range(f.width)]
    return places


def turn_owner(code: i64, seat: i64, seats: i64) -> i64:
    """0: nobody, 1: this seat, 2: the next one …; after all seats: nobody can."""
    if code == CLOSED:
        return seats + 1
    if code == 0 or code > seats:
        return 0
    return (code - 1 - seat) % seats + 1


def turn_sighting(code: i64, seat: i64, seats: i64) -> i64:
    """A draft's memory of a ticket, the packs counted from this seat's first one."""
    mine: i64 = 0
    if code >= MY_PICK:
        mine = MY_PICK
    pack: i64 = (code - mine - 1) >> 4
    pack -= seat
    if pack < 0:
        pack += seats
    return mine + 1 + (pack << 4) + ((code - mine - 1) & 15)


def most_of_a_kind(game: Game) -> int:
    """How many train cards the deck has of its most frequent kind."""
    s = State(game, game.blank_state[:])
    deal(s, seed_words("encoding"), 0)
    d, t = s.d, s.t
    counts = [0] * t.kinds
    for k in range(d[t.deck_len]):
        if d[t.deck + k] < t.special:
            counts[d[t.deck + k]] += 1
    for slot in range(t.display_size):
        if d[t.display + slot] != t.blank:
            counts[d[t.display + slot]] += 1
    for kind in range(t.kinds):
        counts[kind] += int(d[t.discard + kind])
        for seat in range(t.seats):
            counts[kind] += int(d[t.hand + seat * t.kinds + kind])
    return max(counts)


assert UNKNOWN == 0  # a ticket of which nothing is known is 0 in the row, too
