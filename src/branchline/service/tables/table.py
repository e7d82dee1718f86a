"""A table: what follows from its log, up to an entry. Nothing here waits or does I/O.

`apply` takes in the next entry. The game's state follows from the recorded events alone, without
asking a rule, so a game goes on under a newer version where the older one has left it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from branchline._version import VERSION
from branchline.engine.events import NOBODY, Event
from branchline.engine.game import Game
from branchline.engine.state import State
from branchline.service.messages import SeriesInfo
from branchline.service.tables.draw_entries import seats_changed, take_in
from branchline.service.tables.log_entries import (
    FREE,
    Answered,
    AnyEntry,
    Began,
    BotGone,
    BotSeated,
    ChatSet,
    Created,
    Left,
    Missed,
    Moved,
    Opened,
    Promised,
    Rematched,
    Said,
    Sealed,
    Seated,
    StoredEvent,
    TakenBack,
    Wished,
    announced_kinds,
    events_of,
    kinds_by_name,
)
from branchline.service.tables.table_state import (
    SNAPSHOTS,
    Draw,
    Gone,
    SeatState,
    Snapshot,
    Step,
    TableState,
    Wish,
)

FORMAT: Final = 4  # of snapshots
IDS_KEPT: Final = 64  # answered messages that a table remembers, for each seat


def holds(numbers: list[int], number: int) -> bool:
    """Whether a number is among numbers that are in order."""
    return bool(numbers) and numbers[bisect_right(numbers, number) - 1] == number


def stored_events(events: list[Event]) -> list[StoredEvent]:
    """Events as they are stored."""
    return [(e.kind.name, e.seat, tuple(e.numbers)) for e in events]


def reveals(game: Game, seat: int, events: Sequence[StoredEvent]) -> bool:
    """Whether what followed from a seat's move showed it something that was hidden before."""
    kinds = kinds_by_name(game)
    for name, about, _ in events:
        kind = kinds.get(name)
        if kind is None or kind.reveals_to(seat, about):
            return True
    return False


class Table:
    """A table as its log describes it."""

    def __init__(self, table_state: TableState, game: Game, state: State | None = None) -> None:
        self.table_state: Final = table_state
        self.game: Final = game
        self.state: State | None = state
        self.announced: Final = announced_kinds(game)

    @property
    def status(self) -> str:
        if self.state is None:
            return "waiting"
        return "over" if self.state.over else "playing"

    @property
    def id(self) -> str:
        return self.table_state.id

    @property
    def created(self) -> Created:
        return self.table_state.created

    @property
    def number(self) -> int:
        return self.table_state.number

    @property
    def seats(self) -> list[SeatState]:
        return self.table_state.seats

    def seats_of(self, key: str | None) -> list[int]:
        """The seats that the holder of a key has: several, if people share a device."""
        return [k for k, seat in enumerate(self.seats) if seat.key == key] if key else []

    def seat_of(self, key: str | None) -> int:
        """The first seat that the holder of a key has; -1: none."""
        held = self.seats_of(key)
        return held[0] if held else -1

    def seat_for(self, key: str | None, wanted: int = -1) -> int:
        """The seat that a connection speaks for; -1: none, it only watches.

        It is the wanted one, if the key holds it, or the only one. Who holds several and names none
        watches: people who share a device must not see each other's cards. When the game is over
        there is nothing to hide, and it is the first.
        """
        held = self.seats_of(key)
        if wanted in held:
            return wanted
        return held[0] if len(held) == 1 or (held and self.status == "over") else -1

    def series(self) -> SeriesInfo | None:
        """The score of this and the games before it; None: nothing has been played."""
        before, state = self.created.series, self.state
        if state is None or not state.over:
            return before
        outcome, seats = state.outcome, range(len(self.seats))
        old = before or SeriesInfo(0, [0] * len(seats), [0] * len(seats))
        return SeriesInfo(
            old.games + 1,
            [old.wins[k] + (k in outcome.winners) for k in seats],
            [old.points[k] + outcome.scores[k] for k in seats],
        )

    def host_seat(self) -> int:
        return self.seat_of(self.table_state.host)

    def done(self, seat: int, id: str) -> int:
        """The entry that answered this message of the seat's; 0: none that is remembered."""
        return self.table_state.ids.get(f"{seat} {id}", 0)

    # --- numbers ----------------------------------------------------------------------------------
    #
    # A step inside a claim (route, then payment) shows nothing to others, not even that there was a
    # choice. So each reader has a numbering of its own, without the entries that it never gets.

    def number_for(self, seat: int, number: int) -> int:
        """The number by which a reader knows an entry, or the last one before it that it got."""
        return number - self._unheard(seat, number)

    def next_number_for(self, seat: int, number: int) -> int:
        """The number by which a reader knows an entry, or the next one after it that it gets."""
        return self.number_for(seat, number - 1) + 1

    def number_from(self, seat: int, number: int) -> int:
        """The entry that a reader knows by a number."""
        found, before = number, -1
        while found != before:
            before, found = found, number + self._unheard(seat, found)
        return found

    def hears(self, seat: int, number: int) -> bool:
        """Whether a reader gets an entry at all."""
        for k, numbers in enumerate(self.table_state.quiet):
            if numbers and k != seat and holds(numbers, number):
                return False
        return True

    def _unheard(self, seat: int, number: int) -> int:
        """How many entries up to a number a reader did not get."""
        count = 0
        for k, numbers in enumerate(self.table_state.quiet):
            if numbers and k != seat:
                count += bisect_right(numbers, number)
        return count

    # --- bots -------------------------------------------------------------------------------------

    def last_shown(self, seat: int) -> int:
        """The last entry when a bot was shown the seat's latest decision that stands; 0: none."""
        for step in reversed(self.table_state.steps):
            if step.seat == seat and step.by == "bot":
                return step.shown
        return 0

    # --- taking back ----------------------------------------------------------------------------

    def step_at(self, number: int) -> Step | None:
        """The move with this number, if it stands."""
        steps = self.table_state.steps
        if steps and steps[-1].number == number:
            return steps[-1]
        return next((step for step in reversed(steps) if step.number == number), None)

    def may_undo(self, seat: int, move: int) -> bool:
        """Whether a seat may take back from its move on without asking anyone.

        Nothing hidden was revealed since, and no seat that another person holds has moved, be it by
        a bot that stands in. A person who plays against bots alone, or with people at the same
        device, may always.
        """
        if not self.must_agree(seat):
            return True
        since = [step for step in self.table_state.steps if step.number >= move]
        return all(
            step.harmless
            and (step.seat == seat or (step.by == "bot" and self.seats[step.seat].key == FREE))
            for step in since
        )

    def gone_since(self, move: int) -> bool:
        """Whether a person has left for good since a move: nobody can speak for them."""
        return any(gone.number > move for gone in self.table_state.gone)

    def stays_quiet(self, move: int) -> bool:
        """Whether nobody else would notice that the moves from this one on were taken back."""
        quiet = self.table_state.quiet
        since = [step for step in self.table_state.steps if step.number >= move]
        return all(holds(quiet[step.seat], step.number) for step in since)

    def must_agree(self, seat: int) -> list[int]:
        """The seats whose holders have to agree with the wish of another.

        A bot that stands in can't agree for its person. Whoever shares the device is asked across
        the table, not by the program.
        """
        key = self.seats[seat].key
        return [k for k, s in enumerate(self.seats) if s.key not in (FREE, key) and k != seat]

    # --- clocks -----------------------------------------------------------------------------------

    def left(self, seat: int, now: int) -> int:
        """The milliseconds that a seat has left on its clock."""
        rule, s = self.created.clock, self.seats[seat]
        running = max(0, now - s.since) if s.decision else 0
        used = s.spent + running if rule.kind == "game" else running
        return max(0, rule.seconds * 1000 - used)

    def deadline(self, seat: int) -> int | None:
        """When the clock of a seat that owes a decision runs out."""
        rule, s = self.created.clock, self.seats[seat]
        if rule.kind == "none" or not s.decision or not s.person:
            return None
        return s.since + rule.seconds * 1000 - (s.spent if rule.kind == "game" else 0)

    def attended(self) -> list[int]:
        """The seats that owe a decision for which a bot thinks or a clock runs."""
        found: list[int] = []
        if self.status == "playing":
            clock = self.created.clock.kind != "none"
            for k, s in enumerate(self.seats):
                if s.decision and (s.bot or (clock and s.key != FREE)):
                    found.append(k)
        return found

    def _settle(self, seat: int, at: int) -> None:
        """Someone else plays the seat from now on: charge its person for the time that has run."""
        s = self.seats[seat]
        if self.created.clock.kind == "game" and s.decision:
            s.spent += max(0, at - s.since) if s.person else 0
            s.since = at

    # --- entries ----------------------------------------------------------------------------------

    def apply(self, number: int, at: int, entry: AnyEntry) -> None:
        """Take in the next entry. `TakenBack` can't be: the table must be loaded again."""
        f = self.table_state
        if number != f.number + 1:
            raise ValueError(f"entry {number} does not follow {f.number}")
        match entry:
            case Seated(seat, name, key):
                self._settle(seat, at)
                if self.seats[seat].key != key:  # whose messages have ids of their own
                    f.ids = {id: n for id, n in f.ids.items() if not id.startswith(f"{seat} ")}
                    f.draw.promises.pop(seat, None)
                    self.seats[seat].takes_part = False
                self.seats[seat].takes_part |= entry.takes_part
                self.seats[seat].name, self.seats[seat].key = name, key
                self.seats[seat].bot = ""
                f.host = f.host or key
                f.gone = [gone for gone in f.gone if gone.key != key]
            case Left(seat, level, seed):
                self._settle(seat, at)
                s = self.seats[seat]
                if s.key == f.host:
                    f.host = next((o.key for o in self.seats if o.person and o is not s), FREE)
                if self.state is not None:
                    f.gone.append(Gone(number, s.key))
                s.key, s.bot, s.bot_seed = FREE, level, seed
                s.name = s.name if level else ""
                f.wish = None
            case BotSeated(seat, level, seed):
                self._settle(seat, at)
                self.seats[seat].bot, self.seats[seat].bot_seed = level, seed
                f.wish = None
            case BotGone(seat):
                self._settle(seat, at)
                self.seats[seat].bot = ""
            case Promised() | Sealed() | Opened() | Missed():
                take_in(f, at, entry)
            case Began(_, seed, facts):
                f.seed = seed
                self.state = State(self.game, self.game.blank_state[:])
                self._redo(facts)
                self._ask(number, at, -1)
            case Moved():
                self._note(number, entry)
                self._redo(entry.events)
                self._ask(number, at, entry.seat)
            case Wished(seat, move, id):
                f.wish = Wish(number, seat, move, [])
                self._remember(seat, id, number)
            case Answered(seat, _, yes, id):
                if f.wish is not None and yes:
                    f.wish.agreed.append(seat)
                elif not yes:
                    f.wish = None
                self._remember(seat, id, number)
            case TakenBack():
                raise ValueError("a table that has gone back is loaded again")
            case Said(seat, _, _, id):
                self._remember(seat, id, number)
            case ChatSet(on):
                f.chat = on
            case Rematched(table):
                f.rematch = table
            case Created():
                pass
        if self.state is None:
            seats_changed(f, at)
        self._passed(number, at)

    def apply_move(self, number: int, at: int, entry: Moved, state: State) -> None:
        """Like `apply`, for a move whose resulting state is at hand."""
        self._note(number, entry)
        self.state = state
        self._ask(number, at, entry.seat)
        self._passed(number, at)

    def _note(self, number: int, move: Moved) -> None:
        """Note what a move changes in addition to the state of the game."""
        f = self.table_state
        harmless = not reveals(self.game, move.seat, move.events)
        late = number - 1 - move.shown if move.shown else 0
        f.steps.append(Step(number, move.seat, move.by, harmless, late))
        self._remember(move.seat, move.id, number)
        if self.is_quiet(move):
            f.quiet[move.seat].append(number)
        else:
            f.wish = None

    def is_quiet(self, move: Moved) -> bool:
        """Whether others learn nothing of a move, not even that it was made."""
        announced = self.announced
        return all(name not in announced for name, _, _ in move.events)

    def _remember(self, seat: int, id: str, number: int) -> None:
        if id:
            ids = self.table_state.ids
            ids[f"{seat} {id}"] = number
            if len(ids) > IDS_KEPT * len(self.seats):
                del ids[next(iter(ids))]

    def _passed(self, number: int, at: int) -> None:
        """An entry was taken in."""
        self.table_state.number, self.table_state.at = number, at
        if self.hears(NOBODY, number):
            self.table_state.told = at

    def _redo(self, facts: Sequence[StoredEvent]) -> None:
        assert self.state is not None
        for event in events_of(self.game, list(facts)):
            self.state.redo(event)

    def _ask(self, number: int, at: int, mover: int) -> None:
        """Note which seats owe a new decision since this entry.

        A seat that owed one before, and has not moved, owes the same one still: a decision that
        several seats take together ends only when all have taken it.
        """
        assert self.state is not None
        waiting = self.state.to_act if not self.state.over else ()
        quiet = not self.hears(NOBODY, number)
        if not quiet:
            self.table_state.asked = at
        for k, s in enumerate(self.seats):
            if quiet and k == mover:  # a turn goes on, and so does its clock
                s.decision = number
            elif s.decision and (k == mover or k not in waiting):
                if s.key != FREE and not s.bot:
                    s.spent += max(0, at - s.since)
                s.decision = 0
            if k in waiting and not s.decision:
                s.decision, s.since = number, at

    # --- snapshots --------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        state = self.state.to_bytes() if self.state is not None else None
        return msgspec.msgpack.encode(Snapshot(self.table_state, state))


def layout_version(game: Game) -> str:
    """What a snapshot's bytes depend on."""
    return f"{VERSION} {FORMAT} {game.layout.fields.size}"


def from_snapshot(game: Game, body: bytes) -> Table:
    snapshot = SNAPSHOTS.decode(body)
    state = game.unpack(snapshot.state) if snapshot.state is not None else None
    return Table(snapshot.table_state, game, state)


def new_table(id: str, created: Created, game: Game) -> Table:
    seats = [SeatState() for _ in range(created.seats)]
    quiet: list[list[int]] = [[] for _ in seats]
    draw = Draw(part=created.part)
    return Table(TableState(id, created, seats, quiet=quiet, chat=created.chat, draw=draw), game)


def apply_all(table: Table, log: Iterable[tuple[int, int, AnyEntry]]) -> Table:
    """Take in a log, passing over the moves that later entries have made void."""
    entries = list(log)
    void: set[int] = set()
    floor = 2**62
    for number, _, entry in reversed(entries):
        if isinstance(entry, TakenBack):
            floor = min(floor, entry.move)
        elif isinstance(entry, Moved) and number >= floor:
            void.add(number)
        if number <= floor:
            floor = 2**62
    ran = [0] * len(table.seats)
    for number, at, entry in entries:
        if isinstance(entry, Moved) and number in void:
            ran[entry.seat] = at - table.seats[entry.seat].since
            _pass_over(table, number, at, entry)
        elif isinstance(entry, TakenBack):
            _go_on(table, number, at, entry, ran[entry.seat])
        else:
            table.apply(number, at, entry)
    return table


def _pass_over(table: Table, number: int, at: int, move: Moved) -> None:
    """A move that was taken back: its number, the message that it answered and its time remain."""
    f, seat = table.table_state, table.seats[move.seat]
    if table.is_quiet(move):
        f.quiet[move.seat].append(number)
    else:
        seat.spent += max(0, at - max(seat.since, f.asked)) if move.by != "bot" else 0
        f.asked = at
    table._remember(move.seat, move.id, number)
    table._passed(number, at)


def _go_on(table: Table, number: int, at: int, entry: TakenBack, ran: int) -> None:
    """The seats that owe a decision after a takeback are asked anew.

    To whoever takes back without asking, the clock goes on from where the move had stopped it.
    """
    if entry.quiet:  # for all others nothing has happened, and the clock goes on
        table.table_state.quiet[entry.seat].append(number)
        table.seats[entry.seat].decision = number
    else:
        for seat in table.seats:
            seat.decision = 0
        table._ask(number, at, -1)
        table.table_state.wish = None
        if entry.id and table.created.clock.kind == "move":
            table.seats[entry.seat].since -= ran
    table._remember(entry.seat, entry.id, number)
    table._passed(number, at)
