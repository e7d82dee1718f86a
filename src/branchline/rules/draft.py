"""Ticket drafts: pick one, pass the rest, keep some at the end (IB-2, IB-4, KR-1, RU-12)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.core.rng import DRAFT_CARD, TICKETS, Rng, shuffle, stream
from branchline.engine.events import NOBODY, EventKind
from branchline.engine.game import Game
from branchline.engine.resample import move_roles, rename
from branchline.engine.rule import (
    ON_CARD,
    ON_RESAMPLE,
    ON_SETUP,
    ON_TURN_END,
    ON_VIEW,
    TOGETHER,
    Refusal,
    Rule,
)
from branchline.engine.state import State
from branchline.engine.table import (
    HELD,
    HIDDEN,
    IN_DECK,
    LEFT_OVER,
    OWNER,
    PACK,
    PICKED,
    PUBLIC,
    column,
)
from branchline.engine.view import MY_PICK, know_tickets
from branchline.rules.tickets import Choice, DrawTickets

ROUND: Final = 0  # registers of a draft under way
SIZE: Final = 1

PICK: Final = 9  # kind of action (0 is Choice's)

DEALT: Final = 0
PICKED_ONE: Final = 1
PASSED_ON: Final = 2
KEPT: Final = 3
RETURNED: Final = 4
CARD_DRAWN: Final = 5
FINISHED: Final = 6

SPREAD: Final = 20  # the draft card lies within a twentieth of the deck around its share (RU-7)
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
        super().__init__(name, cite, order, hooks | ON_VIEW | ON_RESAMPLE)
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
        self.later: Drafting | None = None  # a draft that comes after this one
        self.kinds: list[EventKind] = []

    def declare(self, game: Game) -> None:
        self.game = game
        self.pick = game.add_actions(self, PICK, self.deal)
        self.choice = Choice(self, game, self.deal)
        self.pick_phase = game.add_phase(f"{self.name}_pick", self, TOGETHER)
        self.keep_phase = game.add_phase(f"{self.name}_keep", self, TOGETHER)
        self.memory = game.table.layout.add(f"{self.name}_memory", game.table.tickets, HIDDEN)
        self.kinds = [
            game.add_event(self.index, DEALT, f"{self.prefix}PackDealt", "count ?tickets*"),
            game.add_event(self.index, PICKED_ONE, f"{self.prefix}TicketPicked", "?ticket"),
            game.add_event(self.index, PASSED_ON, f"{self.prefix}PackPassed", "count ?tickets*"),
            game.add_event(self.index, KEPT, f"{self.prefix}DraftKept", "kept rejected ?mask"),
        ]

    def link(self, game: Game) -> None:
        game.add_view_part(self, f"{self.name}_seen", game.table.tickets, OWNER)

    def pack_of(self, s: State, seat: i64, round: i64) -> i64:
        """The pack that the seat holds in that round."""
        if self.left:
            round = -round
        return (seat + round) % s.t.seats

    def picker(self, s: State, pack: i64, round: i64) -> i64:
        """The seat that holds the pack in that round."""
        if not self.left:
            round = -round
        return (pack + round) % s.t.seats

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

    def write(self, action: i64) -> str:
        assert self.game is not None and self.choice is not None
        name = self.name.replace("_", "-")
        if self.game.action_kinds[action] == PICK:
            return f"{name} pick {action - self.pick + 1}"
        return f"{name} {self.choice.write(action)}"

    # --- what a seat remembers ----------------------------------------------------------------

    def ticket_key(self, s: State, seat: i64, ticket: i64) -> i64:
        """Pack and round in which the seat has last seen the ticket in this draft, or 0.

        A ticket that it has picked itself has MY_PICK added.
        """
        d, t = s.d, s.t
        code: i64 = d[self.memory + ticket]
        if code == 0 or seat < 0:
            return 0
        pack: i64 = (code - 1) >> 4
        until: i64 = (code - 1) & 15
        if until == IN_PACK:
            until = d[t.reg + ROUND]
        first: i64 = seat - pack
        if not self.left:
            first = -first
        first = first % t.seats
        if first > until:
            return 0
        last: i64 = until - (until - first) % t.seats
        if last == until and (code - 1) & 15 != IN_PACK:
            return MY_PICK + 1 + (pack << 4) + last
        return 1 + (pack << 4) + last

    def view(self, s: State, seat: i64, out: vec[i64], at: i64) -> None:
        if seat < 0:
            return
        ticket: i64 = 0
        while ticket < s.t.tickets:
            out[at + ticket] = self.ticket_key(s, seat, ticket)
            ticket += 1

    def resample(self, s: State, seat: i64, rng: Rng) -> None:
        """Which of its picks another seat has kept is unknown: let each be as likely."""
        t = s.t
        codes = column([0] * t.tickets)
        know_tickets(s, seat, codes, 0)
        groups: dict[tuple[int, int, int], list[int]] = {}
        for ticket in range(t.tickets):
            by = self.drafted_by(s, ticket)
            if by >= 0 and by != seat:
                later = self.later.ticket_key(s, seat, ticket) if self.later is not None else 0
                groups.setdefault((int(by), int(codes[ticket]), int(later)), []).append(ticket)
        name = move_roles(s, list(groups.values()), rng)
        if self.later is not None:
            self.later.relabel(s, name)

    def drafted_by(self, s: State, ticket: i64) -> i64:
        code: i64 = s.d[self.memory + ticket]
        if code == 0 or (code - 1) & 15 == IN_PACK:
            return -1
        return self.picker(s, (code - 1) >> 4, (code - 1) & 15)

    def relabel(self, s: State, name: vec[i64]) -> None:
        rename(s.d, self.memory, name)

    # --- events -------------------------------------------------------------------------------

    def dealt(self, s: State, seat: i64, n: i64) -> None:
        d, t = s.d, s.t
        for _ in range(n):
            ticket = s.ticket_pop()
            d[t.ticket_at + ticket] = PACK + seat
            d[self.memory + ticket] = 1 + (seat << 4) + IN_PACK
        if s.log is not None:
            s.log.add(self.kinds[DEALT], seat, [n, *self.contents(s, PACK + seat)])

    def picked(self, s: State, seat: i64, ticket: i64, round: i64) -> None:
        d, t = s.d, s.t
        pack: i64 = d[t.ticket_at + ticket] - PACK
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
                if self.picker(s, pack, round) == seat and not self.round_taken(s, pack, round):
                    self.picked(s, seat, numbers[0], round)
                    return
            raise ValueError("not this seat's to pick")
        elif local == KEPT:
            self.kept(s, seat, numbers[2])

    def round_taken(self, s: State, pack: i64, round: i64) -> bool:
        code: i64 = 1 + (pack << 4) + round
        return any(s.d[self.memory + k] == code for k in range(s.t.tickets))


class Draft(Drafting):
    """The opening draft, in place of an opening deal (IB-2, KR-1)."""

    def __init__(self, cite: str, deal: i64, keep: i64, left: bool) -> None:
        super().__init__("draft", "", cite, 95, ON_SETUP, deal, keep, left)

    def link(self, game: Game) -> None:
        super().link(game)
        rule = game.rule_named("second_draft")
        if rule is not None:
            assert isinstance(rule, SecondDraft)
            self.later = rule

    def setup(self, s: State) -> None:
        d, t = s.d, s.t
        for k in range(t.tickets):
            d[t.ticket_deck + k] = k
        s.shuffle_tickets(t.tickets)
        s.ticket_deck_made(t.tickets)
        self.begin(s)

    def finish(self, s: State) -> None:
        d, t = s.d, s.t
        n: i64 = 0
        for k in range(t.tickets):
            if d[t.ticket_at + k] == IN_DECK or d[t.ticket_at + k] == LEFT_OVER:
                d[t.ticket_deck + n] = k
                n += 1
        s.shuffle_tickets(n)
        s.ticket_deck_made(n)
        s.turn_began(d[t.first])


class SecondDraft(Drafting):
    """The draft that a card in the deck sets off (IB-1, IB-4, IB-5, IB-7, RU-7, RU-8)."""

    def __init__(
        self, cite: str, deal: i64, keep: i64, left: bool, above: list[int], of: list[int]
    ) -> None:
        super().__init__(
            "second_draft", "Second", cite, 90, ON_SETUP | ON_CARD | ON_TURN_END, deal, keep, left
        )
        self.above: Final = above  # by number of seats: above/of of the deck lies above the card
        self.of: Final = of
        self.deck_cards = 1
        self.card: i64 = 0
        self.due: i64 = 0
        self.over: i64 = 0

    def declare(self, game: Game) -> None:
        super().declare(game)
        self.kinds += [
            game.add_event(self.index, RETURNED, "TicketsReturned", "count !order*"),
            game.add_event(self.index, CARD_DRAWN, "DraftCardDrawn", ""),
            game.add_event(self.index, FINISHED, "SecondDraftEnded", ""),
        ]
        self.card = game.add_specials(1)
        game.fixed_cards.append(self.card)
        self.due = game.table.layout.add("second_draft_due", 1, PUBLIC)
        self.over = game.table.layout.add("second_draft_over", 1, PUBLIC)

    def link(self, game: Game) -> None:
        super().link(game)
        rule = game.rule_named("draw_tickets")
        assert isinstance(rule, DrawTickets)
        if rule.after_second_draft:
            rule.blocked_at = self.over
            rule.blocked_cite = "IB-7"

    def setup(self, s: State) -> None:
        d, t = s.d, s.t
        n: i64 = d[t.deck_len]
        low: i64 = self.least_above(t.seats, n)
        places: i64 = self.most_above(t.seats, n) - low + 1
        above: i64 = low + stream(d, t.seed, DRAFT_CARD, 0).below(places)
        k: i64 = n
        while k > n - above:
            d[t.deck + k] = d[t.deck + k - 1]
            k -= 1
        d[t.deck + k] = self.card
        s.deck_made(n + 1, 3)

    def least_above(self, seats: i64, n: i64) -> i64:
        """How many of n other cards at least lie above the draft card: its share less 1/20 (RU-7).

        >>> SecondDraft("IB-4", 6, 4, False, [0, 0, 1], [1, 1, 2]).least_above(2, 150)
        68
        """
        share: i64 = n * (SPREAD * self.above[seats] - self.of[seats])
        whole: i64 = SPREAD * self.of[seats]
        return max(0, (share + whole - 1) // whole)

    def most_above(self, seats: i64, n: i64) -> i64:
        """How many of n other cards at most lie above the draft card: its share and 1/20 (RU-7)."""
        share: i64 = n * (SPREAD * self.above[seats] + self.of[seats])
        return min(n, share // (SPREAD * self.of[seats]))

    def resample(self, s: State, seat: i64, rng: Rng) -> None:
        """Put the draft card, if it has not come yet, at any of the places still possible (RU-7).

        All cards that have been drawn lay above it. The places below them are as likely as before.
        """
        super().resample(s, seat, rng)
        d, t = s.d, s.t
        at: i64 = 0
        while at < d[t.deck_len] and d[t.deck + at] != self.card:
            at += 1
        if at == d[t.deck_len]:
            return
        others: i64 = d[t.deck_len] - 1
        drawn: i64 = d[t.deck_start] - 1 - others
        low: i64 = min(others, max(0, self.least_above(t.seats, d[t.deck_start] - 1) - drawn))
        high: i64 = min(others, max(low, self.most_above(t.seats, d[t.deck_start] - 1) - drawn))
        place: i64 = others - low - rng.below(high - low + 1)
        while at < place:
            d[t.deck + at] = d[t.deck + at + 1]
            at += 1
        while at > place:
            d[t.deck + at] = d[t.deck + at - 1]
            at -= 1
        d[t.deck + at] = self.card

    def special_card(self, s: State, card: i64) -> bool:
        if card != self.card:
            return False
        self.card_drawn(s)
        return True

    def turn_ended(self, s: State, seat: i64) -> bool:
        if s.d[self.due] == 0:
            return False
        if self.begin(s):
            return True
        self.finished(s)
        return False

    def finish(self, s: State) -> None:
        d, t = s.d, s.t
        order = column(self.contents(s, LEFT_OVER))
        shuffle(stream(d, t.seed, TICKETS, d[t.ticket_shuffles]), order, 0, len(order))
        self.returned(s, list(order))
        self.finished(s)
        assert self.game is not None
        self.game.end_turn(s)

    def batch(self, s: State, ticket: i64) -> i64:
        """What was dealt in this draft lies under what was not."""
        return 1 if s.d[self.memory + ticket] > 0 else 0

    # --- events -------------------------------------------------------------------------------

    def card_drawn(self, s: State) -> None:
        """The draft card comes up: the draft is held when the turn is over."""
        d, t = s.d, s.t
        d[t.deck_len] -= 1
        d[t.specials] -= 1
        d[self.due] = 1
        if s.log is not None:
            s.log.add(self.kinds[CARD_DRAWN], NOBODY, [])

    def returned(self, s: State, order: list[int]) -> None:
        """The tickets that nobody kept go under the deck, in an order that nobody knows."""
        s.d[s.t.ticket_shuffles] += 1
        for ticket in order:
            s.ticket_push(ticket, 0)
        if s.log is not None:
            s.log.add(self.kinds[RETURNED], NOBODY, [len(order), *order])

    def finished(self, s: State) -> None:
        s.d[self.due] = 0
        s.d[self.over] = 1
        if s.log is not None:
            s.log.add(self.kinds[FINISHED], NOBODY, [])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        if local == CARD_DRAWN:
            self.card_drawn(s)
        elif local == RETURNED:
            self.returned(s, numbers[1:])
        elif local == FINISHED:
            self.finished(s)
        else:
            super().redo(s, local, seat, numbers)
