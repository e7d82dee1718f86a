"""What both ticket drafts share: pick one, pass the rest, keep some at the end (IB-2, RU-12)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.engine.events import ALL, OWN, EventKind
from branchline.engine.facts import Action, Sentence, Values
from branchline.engine.game import Game
from branchline.engine.layout import (
    HELD,
    HIDDEN,
    LEFT_OVER,
    OWNER,
    PACK,
    PICKED,
    SIGHTING,
    TICKETS,
)
from branchline.engine.rule import ON_VIEW, TOGETHER, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import MY_PICK, View
from branchline.rules.tickets.choice import Choice

ROUND: Final = 0  # registers of a draft under way
SIZE: Final = 1

PICK: Final = 9  # kind of action (0 is Choice's)

DEALT: Final = 0
PICKED_ONE: Final = 1
PASSED_ON: Final = 2
KEPT: Final = 3

IN_PACK: Final = 15  # the round of a ticket that nobody has picked yet


class Drafting(Rule):
    """What both drafts share.

    Which pack a ticket came in and in which round it was picked is kept for ever: from this follows
    what each seat has seen. A memory is 1 + 16 * pack + round.
    """

    def __init__(
        self,
        name: str,
        prefix: str,
        cite: str,
        order: int,
        hooks: int,
        deal: i64,
        keep: i64,
        left: bool,
    ) -> None:
        super().__init__(name, cite, order, hooks | ON_VIEW)
        self.prefix: Final = prefix  # of the names of its events
        self.deal: Final = deal
        self.keep: Final = keep
        self.left: Final = left
        self.game: Game | None = None
        self.choice: Choice | None = None
        self.pick: i64 = 0
        self.pick_phase: i64 = 0
        self.keep_phase: i64 = 0
        self.memory: i64 = 0
        self.flags: i64 = TOGETHER  # of its phases
        self.mark: i64 = 0
        self.kinds: list[EventKind] = []

    def declare(self, game: Game) -> None:
        self.game = game
        self.pick = game.add_actions(self, PICK, self.deal)
        self.choice = Choice(self, game, self.deal)
        self.pick_phase = game.add_phase(f"{self.name}_pick", self, self.flags)
        self.keep_phase = game.add_phase(f"{self.name}_keep", self, self.flags)
        self.memory = game.layout.fields.add(f"{self.name}_memory", game.layout.tickets, HIDDEN)
        self.kinds = [
            self.add_event(game, DEALT, "PackDealt", "count ?tickets*", OWN),
            self.add_event(game, PICKED_ONE, "TicketPicked", "?ticket", OWN),
            self.add_event(game, PASSED_ON, "PackPassed", "count ?tickets*", OWN),
            self.add_event(game, KEPT, "DraftKept", "kept rejected ?mask", ALL),
        ]

    def add_event(self, game: Game, local: i64, name: str, fields: str, news: i64) -> EventKind:
        return game.add_event(self.index, local, self.prefix + name, fields, news=news)

    def link(self, game: Game) -> None:
        tickets = game.layout.tickets
        self.mark = game.layout.fields.new_mark()
        game.add_view_part(
            self, f"{self.name}_seen", tickets, OWNER, holds=SIGHTING, mark=self.mark
        )

    def pack_of(self, s: State, seat: i64, round: i64) -> i64:
        """The pack that the seat holds in that round."""
        if self.left:
            round = -round
        return (seat + round) % s.t.seats

    def picker(self, seats: i64, pack: i64, round: i64) -> i64:
        """The seat that holds the pack in that round."""
        if not self.left:
            round = -round
        return (pack + round) % seats

    def contents(self, s: State, where: i64) -> list[int]:
        """The tickets at one place, in ascending order."""
        return [k for k in range(s.t.tickets) if s.d[s.t.ticket_at + k] == where]

    def nth(self, s: State, where: i64, n: i64) -> i64:
        """The n-th of the tickets at one place, in ascending order."""
        ticket: i64 = 0
        while n > 0 or s.d[s.t.ticket_at + ticket] != where:
            if s.d[s.t.ticket_at + ticket] == where:
                n -= 1
            ticket += 1
        return ticket

    def begin(self, s: State) -> bool:
        """Deal the packs and ask for the first pick; False if there is nothing to deal."""
        d, t = s.d, s.t
        n: i64 = d[t.ticket_len] // t.seats
        if n > self.deal:
            n = self.deal
        if n == 0:
            return False
        for seat in range(t.seats):
            self.dealt(s, seat, n)
        for k in range(t.reg, t.control_size):
            d[k] = 0
        d[t.used] = 1
        d[t.reg + SIZE] = n
        s.ask(self.pick_phase, (1 << t.seats) - 1)
        return True

    def legal(self, s: State, seat: i64) -> None:
        d, t = s.d, s.t
        if d[t.phase] == self.pick_phase:
            for k in range(d[t.reg + SIZE] - d[t.reg + ROUND]):
                s.put(self.pick + k)
        else:
            assert self.choice is not None
            size: i64 = d[t.reg + SIZE]
            self.choice.put(s, size, min(size, self.keep), True)

    def resolve(self, s: State) -> None:
        d, t = s.d, s.t
        all_seats: i64 = (1 << t.seats) - 1
        if d[t.phase] == self.keep_phase:
            for seat in range(t.seats):
                assert self.choice is not None
                self.kept(s, seat, self.choice.mask(d[t.choice + seat] - 1))
            self.finish(s)
            return
        picks: list[int] = []
        for seat in range(t.seats):
            pack: i64 = self.pack_of(s, seat, d[t.reg + ROUND])
            picks.append(self.nth(s, PACK + pack, d[t.choice + seat] - 1 - self.pick))
        for seat in range(t.seats):
            self.picked(s, seat, picks[seat], d[t.reg + ROUND])
        d[t.reg + ROUND] += 1
        if d[t.reg + ROUND] == d[t.reg + SIZE]:
            s.ask(self.keep_phase, all_seats)
        else:
            self.passed_on(s, d[t.reg + ROUND])
            s.ask(self.pick_phase, all_seats)

    def finish(self, s: State) -> None:
        """All have kept what they want: the game goes on."""
        raise NotImplementedError

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        d, t = s.d, s.t
        assert self.game is not None and self.choice is not None
        kind = self.game.action_kinds[action]
        if kind == PICK and d[t.phase] == self.pick_phase:
            size = d[t.reg + SIZE] - d[t.reg + ROUND]
            return Refusal(self.cite, "ticket_not_offered", {"offered": size})
        if kind != PICK and d[t.phase] == self.keep_phase:
            size = d[t.reg + SIZE]
            return self.choice.why_not(action, size, min(size, self.keep), self.cite, True)
        return None

    def facts(self, action: i64, view: View | None) -> Action:
        assert self.game is not None and self.choice is not None
        if self.game.action_kinds[action] != PICK:
            picked = view.picked if view is not None else None
            return self.choice.facts(action, self.write(action), picked)
        place = int(action - self.pick)
        values: Values = {"places": [place]}
        if view is not None:
            pack = self.tickets_in_question(view)
            values["tickets"] = [pack[place]] if place < len(pack) else []
        return Action(action, "pick", self.write(action), values)

    def question(self, view: View) -> Sentence | None:
        return Sentence("pick") if view.one("phase") == self.pick_phase else None

    def tickets_in_question(self, view: View) -> list[int]:
        """When picking, the pack in front of the seat; when keeping, what it has picked."""
        if view.one("phase") != self.pick_phase:
            return view.picked
        now = view["registers"][ROUND] + 1
        seen = view[f"{self.name}_seen"]
        return [k for k, code in enumerate(seen) if 0 < code < MY_PICK and code & 15 == now & 15]

    def write(self, action: i64) -> str:
        assert self.game is not None and self.choice is not None
        name = self.name.replace("_", "-")
        if self.game.action_kinds[action] == PICK:
            return f"{name} pick {action - self.pick + 1}"
        return f"{name} {self.choice.write(action)}"

    # --- what a seat remembers ----------------------------------------------------------------

    def sighting(self, seats: i64, seat: i64, code: i64, now: i64) -> i64:
        """Pack and round in which a seat has last seen a ticket, or 0; by its memory in `now`.

        A ticket that it has picked itself has MY_PICK added.
        """
        if code == 0 or seat < 0:
            return 0
        pack: i64 = (code - 1) >> 4
        until: i64 = (code - 1) & 15
        if until == IN_PACK:
            until = now
        first: i64 = seat - pack
        if not self.left:
            first = -first
        first = first % seats
        if first > until:
            return 0
        last: i64 = until - (until - first) % seats
        if last == until and (code - 1) & 15 != IN_PACK:
            return MY_PICK + 1 + (pack << 4) + last
        return 1 + (pack << 4) + last

    def view(self, s: State, seat: i64, out: vec[i64], at: i64) -> None:
        if seat < 0:
            return
        d, t = s.d, s.t
        ticket: i64 = 0
        while ticket < t.tickets:
            code: i64 = d[self.memory + ticket]
            out[at + ticket] = self.sighting(t.seats, seat, code, d[t.reg + ROUND])
            ticket += 1

    def is_over(self, d: vec[i64]) -> bool:
        """Whether the draft has been held, once its phases are over."""
        return True

    # --- events -------------------------------------------------------------------------------

    def dealt(self, s: State, seat: i64, n: i64) -> None:
        d, t = s.d, s.t
        s.changed |= self.mark
        for _ in range(n):
            ticket = s.ticket_pop()
            d[t.ticket_at + ticket] = PACK + seat
            d[self.memory + ticket] = 1 + (seat << 4) + IN_PACK
        if s.log is not None:
            s.log.add(self.kinds[DEALT], seat, [n, *self.contents(s, PACK + seat)])

    def picked(self, s: State, seat: i64, ticket: i64, round: i64) -> None:
        d, t = s.d, s.t
        pack: i64 = d[t.ticket_at + ticket] - PACK
        s.changed |= self.mark | TICKETS
        d[t.ticket_at + ticket] = PICKED + seat
        d[self.memory + ticket] = 1 + (pack << 4) + round
        d[t.choice + seat] = 0
        if s.log is not None:
            s.log.add(self.kinds[PICKED_ONE], seat, [ticket])

    def passed_on(self, s: State, round: i64) -> None:
        """Every pack goes to the next seat, which looks at it."""
        if s.log is not None:
            for seat in range(s.t.seats):
                pack = self.contents(s, PACK + self.pack_of(s, seat, round))
                s.log.add(self.kinds[PASSED_ON], seat, [len(pack), *pack])

    def kept(self, s: State, seat: i64, mask: i64) -> None:
        d, t = s.d, s.t
        s.changed |= TICKETS
        kept: i64 = 0
        slot: i64 = 0
        ticket: i64 = 0
        while ticket < t.tickets:
            if d[t.ticket_at + ticket] == PICKED + seat:
                d[t.ticket_at + ticket] = LEFT_OVER
                if mask >> slot & 1:
                    d[t.ticket_at + ticket] = HELD + seat
                    kept += 1
                slot += 1
            ticket += 1
        d[t.ticket_count + seat] += kept
        d[t.choice + seat] = 0
        if s.log is not None:
            s.log.add(self.kinds[KEPT], seat, [kept, slot - kept, mask])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        if local == DEALT:
            if numbers[0] > s.d[s.t.ticket_len]:
                raise ValueError("more tickets than there are")
            self.dealt(s, seat, numbers[0])
        elif local == PICKED_ONE:
            pack: i64 = s.d[s.t.ticket_at + numbers[0]] - PACK
            for round in range(self.deal):
                if self.picker(s.t.seats, pack, round) == seat and not self.round_taken(
                    s, pack, round
                ):
                    self.picked(s, seat, numbers[0], round)
                    return
            raise ValueError("not this seat's to pick")
        elif local == KEPT:
            self.kept(s, seat, numbers[2])

    def round_taken(self, s: State, pack: i64, round: i64) -> bool:
        code: i64 = 1 + (pack << 4) + round
        return any(s.d[self.memory + k] == code for k in range(s.t.tickets))
