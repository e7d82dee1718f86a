"""What a seat can't know of a draft: who has picked what, and which picks were kept.

A seat has seen each pack when it came by. So it knows of a ticket that it was picked between two
visits of its pack, or before the first one. Tickets of which it knows the same are one class; they
are dealt anew to the picks that leave this knowledge as it is.
"""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.core.rng import Rng, shuffle
from branchline.engine.errors import StateError
from branchline.engine.layout import HELD, PACK, PICKED, Layout, column
from branchline.engine.state import State
from branchline.engine.view import MINE, MY_PICK
from branchline.engine.worlds import Secret, Worlds
from branchline.rules.drafts.drafting import IN_PACK, ROUND, SIZE, Drafting

TRIES: Final = 30  # deals at random before one is mended


class HiddenPicks:
    """One draft as the viewer of a world may imagine it."""

    def __init__(self, rule: Drafting, worlds: Worlds, size: i64, done: i64, over: bool) -> None:
        t = worlds.t
        self.rule: Final = rule
        self.worlds: Final = worlds
        self.t: Final[Layout] = t
        self.done: Final = done  # rounds
        self.over: Final = over
        self.keep: Final[i64] = min(size, rule.keep)
        self.slots: Final[list[vec[i64]]] = []  # by class: memories that give this knowledge
        self.tickets: Final[list[vec[i64]]] = []
        self.dealt: Final[list[vec[i64]]] = []  # the tickets in the order of the slots
        self.barred: Final[vec[i64]] = column([0] * t.tickets)  # 1: was not in this draft
        self.not_kept: Final[vec[i64]] = column([0] * t.tickets)  # 1: as the viewer knows
        self.kept: Final[vec[i64]] = column([0] * (t.seats + 1))  # tickets that each may have kept
        self.work: Final[vec[i64]] = column([0] * t.tickets)
        classes: dict[int, list[int]] = {}
        for pack in range(t.seats):
            for place in range(size):
                code: i64 = 1 + (pack << 4) + (place if place < done else IN_PACK)
                key: i64 = rule.sighting(t.seats, worlds.seat, code, done)
                classes.setdefault(int(key), []).append(int(code))
        at = worlds.part(f"{rule.name}_seen")
        for key in sorted(classes):
            members = [k for k in range(t.tickets) if worlds.view.data[at + k] == key]
            self.slots.append(column(classes[key]))
            self.tickets.append(column(members))
            self.dealt.append(column(members))
        for k in range(t.tickets):
            self.not_kept[k] = 1 if worlds.knows(k) else 0

    def place(self, s: State, rng: Rng) -> None:
        """Deal the picks, and put the tickets where they are now."""
        tries = 0
        self.deal(s, rng)
        while self.over and not self.enough():
            tries += 1
            if tries == TRIES:
                self.mend(s)
                break
            self.deal(s, rng)
        if self.over:
            self.keep_some(s, rng)
        else:
            self.lay_out(s)

    def deal(self, s: State, rng: Rng) -> None:
        d = s.d
        for c in range(len(self.slots)):
            tickets, slots, dealt = self.tickets[c], self.slots[c], self.dealt[c]
            n: i64 = 0
            for ticket in tickets:
                if self.barred[ticket] == 0:
                    dealt[n] = ticket
                    n += 1
            used: i64 = len(slots)
            if n < used:
                raise StateError("impossible_view")
            if n > 1:
                if self.worlds.weights is None:
                    shuffle(rng, dealt, 0, n)
                else:
                    self.deal_weighted(slots, dealt, n, rng)
            k: i64 = 0
            while k < n:
                d[self.rule.memory + dealt[k]] = slots[k] if k < used else 0
                k += 1

    def deal_weighted(self, slots: vec[i64], dealt: vec[i64], n: i64, rng: Rng) -> None:
        """Let each seat have picked what it seems to be after, in no order of the seats."""
        used: i64 = len(slots)
        order = column(list(range(used)))
        shuffle(rng, order, 0, used)
        chosen, work = column([0] * used), self.work
        k: i64 = 0
        while k < n:
            work[k] = dealt[k]
            k += 1
        k = 0
        while k < used:
            picker: i64 = self.picker(slots[order[k]])
            if picker < self.t.seats:
                chosen[order[k]] = self.worlds.take(picker, work, k, n - k, rng)
            else:
                chosen[order[k]] = work[k]
            k += 1
        k = 0
        while k < n:
            dealt[k] = chosen[k] if k < used else work[k]
            k += 1

    def picker(self, code: i64) -> i64:
        """The seat that has picked a ticket with this memory; after all seats: nobody has."""
        if code == 0 or (code - 1) & 15 == IN_PACK:
            return self.t.seats
        return self.rule.picker(self.t.seats, (code - 1) >> 4, (code - 1) & 15)

    def holder(self, c: int, k: i64) -> i64:
        """Who has picked the k-th ticket of a class."""
        slots = self.slots[c]
        return self.picker(slots[k]) if k < len(slots) else self.t.seats

    def size_of(self, c: int) -> i64:
        """How many tickets of a class may have been in the draft."""
        n: i64 = 0
        for ticket in self.tickets[c]:
            n += 1 - self.barred[ticket]
        return n

    def enough(self) -> bool:
        """Whether each rival has picked enough that it may have kept."""
        for seat in range(self.t.seats + 1):
            self.kept[seat] = 0
        for c in range(len(self.slots)):
            slots, dealt = self.slots[c], self.dealt[c]
            k: i64 = 0
            while k < len(slots):
                if self.not_kept[dealt[k]] == 0:
                    self.kept[self.picker(slots[k])] += 1
                k += 1
        for rival in self.worlds.rivals:
            if self.kept[rival] < self.keep:
                return False
        return True

    def keep_some(self, s: State, rng: Rng) -> None:
        """Let every rival keep some of its picks."""
        for rival in self.worlds.rivals:
            n: i64 = 0
            for c in range(len(self.slots)):
                slots, dealt = self.slots[c], self.dealt[c]
                k: i64 = 0
                while k < len(slots):
                    if self.not_kept[dealt[k]] == 0 and self.picker(slots[k]) == rival:
                        self.work[n] = dealt[k]
                        n += 1
                    k += 1
            k = 0
            while k < self.keep:
                ticket: i64 = self.worlds.take(rival, self.work, k, n - k, rng)
                self.worlds.settle(s, ticket, HELD + rival)
                k += 1

    def lay_out(self, s: State) -> None:
        """Put the tickets of a draft under way into the packs and before those who picked them."""
        for c in range(len(self.slots)):
            slots, dealt = self.slots[c], self.dealt[c]
            for k in range(len(slots)):
                if not self.worlds.knows(dealt[k]):
                    picker: i64 = self.picker(slots[k])
                    place: i64 = PACK + ((slots[k] - 1) >> 4)
                    if picker < self.t.seats:
                        place = PICKED + picker
                    self.worlds.settle(s, dealt[k], place)

    # --- a deal in which somebody has too few tickets to keep -------------------------------------

    def mend(self, s: State) -> None:
        """Exchange tickets of a class between seats until each may have kept enough."""
        for rival in self.worlds.rivals:
            while self.kept[rival] < self.keep:
                if not self.find_exchange(s, rival):
                    raise StateError("impossible_view")

    def find_exchange(self, s: State, rival: i64) -> bool:
        """Get a ticket that may have been kept from one who has more than it needs, step by step.

        A breadth-first search: each step exchanges a ticket that was not kept for one that may.
        """
        nobody = self.t.seats
        came: list[tuple[i64, int, i64, i64] | None] = [None] * (nobody + 1)
        queue: list[i64] = [rival]
        for seat in queue:
            for c in range(len(self.slots)):
                dealt = self.dealt[c]
                n: i64 = self.size_of(c)
                for a in range(len(self.slots[c])):
                    if self.holder(c, a) != seat or self.not_kept[dealt[a]] == 0:
                        continue
                    for b in range(n):
                        other: i64 = self.holder(c, b)
                        if self.not_kept[dealt[b]] or other == rival or came[other] is not None:
                            continue
                        came[other] = (seat, c, a, b)
                        if other == nobody or self.kept[other] > self.keep:
                            self.exchange(s, rival, other, came)
                            return True
                        queue.append(other)
        return False

    def exchange(
        self, s: State, rival: i64, last: i64, came: list[tuple[i64, int, i64, i64] | None]
    ) -> None:
        seat = last
        while seat != rival:
            step = came[seat]
            assert step is not None
            before, c, a, b = step
            dealt, slots = self.dealt[c], self.slots[c]
            ticket = dealt[a]
            dealt[a] = dealt[b]
            dealt[b] = ticket
            s.d[self.rule.memory + dealt[a]] = slots[a]
            s.d[self.rule.memory + dealt[b]] = slots[b] if b < len(slots) else 0
            seat = before
        self.kept[last] -= 1
        self.kept[rival] += 1


class DraftSecret(Secret):
    """The picks of the opening draft, and of the one after it if that has begun."""

    def __init__(self, worlds: Worlds, first: HiddenPicks, second: HiddenPicks | None) -> None:
        self.worlds: Final = worlds
        self.first: Final = first
        self.second: Final = second
        self.own: Final[vec[i64]] = column([0] * worlds.t.tickets)  # kept by the viewer at first
        if second is not None:
            data = worlds.view.data
            tickets = worlds.part("tickets")
            before, after = (
                worlds.part(f"{first.rule.name}_seen"),
                worlds.part(f"{second.rule.name}_seen"),
            )
            left: i64 = first.keep
            for k in range(worlds.t.tickets):
                if data[after + k] != 0:
                    first.not_kept[k] = 1
                elif data[tickets + k] == MINE and data[before + k] >= MY_PICK and left > 0:
                    self.own[k] = 1
                    left -= 1

    def place_tickets(self, s: State, rng: Rng) -> None:
        self.first.place(s, rng)
        second = self.second
        if second is not None:
            at: i64 = self.worlds.t.ticket_at
            for k in range(self.worlds.t.tickets):
                held = HELD <= s.d[at + k] < HELD + self.worlds.t.seats
                rival = held and not self.worlds.knows(k)
                elsewhere = not second.over and self.worlds.knows(k) and not self.mine(s, k)
                second.barred[k] = 1 if rival or elsewhere or self.own[k] else 0
            second.place(s, rng)

    def mine(self, s: State, ticket: i64) -> bool:
        """Whether the viewer has picked the ticket in a draft that is under way."""
        return s.d[self.worlds.t.ticket_at + ticket] == PICKED + self.worlds.seat

    def batch(self, s: State, ticket: i64) -> i64:
        """What was dealt in the second draft lies under what was not (IB-5)."""
        if self.second is None:
            return 0
        return 1 if s.d[self.second.rule.memory + ticket] > 0 else 0


def hidden_picks(rule: Drafting, worlds: Worlds, before: i64) -> HiddenPicks | None:
    """What is hidden of a draft, if it has begun; `before` tickets were not in the deck by then."""
    t, d = worlds.t, worlds.base
    if d[t.phase] == rule.pick_phase or d[t.phase] == rule.keep_phase:
        return HiddenPicks(rule, worlds, d[t.reg + SIZE], d[t.reg + ROUND], False)
    if not rule.is_over(d):
        return None
    size: i64 = min(rule.deal, (t.tickets - before) // t.seats)
    if worlds.seat >= 0:
        size = 0
        at = worlds.part(f"{rule.name}_seen")
        for k in range(t.tickets):
            if worlds.view.data[at + k] >= MY_PICK:
                size += 1
    return HiddenPicks(rule, worlds, size, size, True)
