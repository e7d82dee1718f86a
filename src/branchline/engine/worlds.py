"""Worlds: full states that fit a view, made from the view alone.

What the view says stands; what it leaves open is drawn. Cards that the seat has not seen are dealt
anew. Each ticket of which it does not know the place gets one that fits what the table shows: how
many tickets every seat holds, what was dealt in a draft. All worlds are as likely unless weights
say which tickets a rival may be after.

A world is a function of the view, the weights and the seed: nothing else can leak into it.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import mypyc_attr

from branchline.core.machine import i64, vec
from branchline.core.rng import RESAMPLE, Rng, seed_words, shuffle, stream
from branchline.engine.errors import StateError
from branchline.engine.flow import OVER, TURN
from branchline.engine.game import Game
from branchline.engine.layout import HELD, IN_DECK, OFFERED, OWNER, REJECTED, Layout, column
from branchline.engine.rule import TOGETHER
from branchline.engine.state import State
from branchline.engine.view import PLACE_OF, UNDER_DECK, UNKNOWN, View

UNSETTLED: Final = -1  # the place of a ticket that a world has yet to choose
WORD: Final = 4294967296.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Secret:
    """What a rule hides from a seat: prepared for one view, drawn anew for every world.

    A rule whose part of a state is more than what views show makes one in `Rule.secret`.
    """

    def place_tickets(self, s: State, rng: Rng) -> None:
        """Settle tickets whose places follow from this rule, with `Worlds.settle`."""

    def batch(self, s: State, ticket: i64) -> i64:
        """Tickets of a higher batch lie further down in the deck, and are drawn later."""
        return 0

    def place_cards(self, s: State, rng: Rng) -> None:
        """Move this rule's cards, which lie at the bottom of the deck, to where they may be."""


@final
class Worlds:
    """The worlds that fit a view: what depends on the view is done once, then each is drawn.

    >>> import branchline
    >>> state = branchline.Game("usa", seats=3).start(seed=1)
    >>> worlds = Worlds(state.view(0))
    >>> [worlds.draw(seed).view(0) == state.view(0) for seed in (1, 2)]
    [True, True]
    """

    def __init__(self, view: View) -> None:
        game, t = view.game, view.game.layout
        self.view: Final = view
        self.game: Final[Game] = game
        self.t: Final[Layout] = t
        self.seat: Final[i64] = view.seat
        self.base: Final[vec[i64]] = game.blank_state[:]
        self.rivals: Final[vec[i64]] = column([k for k in range(game.seats) if k != view.seat])
        self.weights: vec[float] | None = None
        self.read_fields()
        # The cards that the seat has not seen.
        self.pool: Final[vec[i64]] = column([0] * t.deck_size)
        self.cards: i64 = 0  # train cards in the pool
        self.others: i64 = 0  # other cards that may lie anywhere in the deck
        self.fixed: i64 = 0  # other cards that a rule puts into their place
        self.hidden: Final[vec[i64]] = column([0] * t.seats)  # unseen cards in each hand
        self.work: Final[vec[i64]] = column([0] * t.deck_size)
        self.count_cards()
        # The tickets whose place the seat does not know.
        self.unknown: Final[vec[i64]] = column([0] * t.tickets)
        self.unknown_n: i64 = 0
        self.open_places: Final[vec[i64]] = column([0] * t.tickets)  # of the ticket deck
        self.open_n: i64 = 0
        self.read_tickets()
        self.held_left: Final[vec[i64]] = column([0] * t.seats)
        self.offer_left: Final[vec[i64]] = column([0] * t.seats)
        self.free: Final[vec[i64]] = column([0] * t.tickets)
        self.batches: Final[vec[i64]] = column([0] * t.tickets)
        self.secrets: Final[list[Secret]] = []
        for rule in game.rules:
            secret = rule.secret(self)
            if secret is not None:
                self.secrets.append(secret)

    def weigh(self, weights: list[float] | None) -> None:
        """Let tickets be the likelier with a rival, the higher `weights[rival * tickets + ticket]`.

        All weights are above 0; None: all are equal.
        """
        if weights is not None and len(weights) != self.t.seats * self.t.tickets:
            raise ValueError("a weight for each seat and ticket")
        self.weights = vec[float](weights) if weights is not None else None

    # --- once for a view ----------------------------------------------------------------------

    def read_fields(self) -> None:
        """Copy what the view shows into the state from which all worlds start."""
        game, t, d, data = self.game, self.t, self.base, self.view.data
        for f in game.view_copies:
            at: i64 = f.source
            if f.visibility == OWNER:
                if self.seat < 0:
                    continue
                at += self.seat * f.size
            k: i64 = 0
            while k < f.size:
                d[at + k] = data[f.offset + k]
                k += 1
        phase: i64 = d[t.phase]
        d[t.stage] = game.phase_stage[phase]
        d[t.used] = 0 if phase in (TURN, OVER) else 1
        for rule in game.rules:
            rule.restore(d)

    def count_cards(self) -> None:
        game, t, d = self.game, self.t, self.base
        counts = column([0] * game.specials)
        for rule in game.rules:
            rule.unseen_cards(d, counts)
        for slot in range(t.display_size):
            if d[t.display + slot] != t.blank:
                counts[d[t.display + slot]] -= 1
        for kind in range(t.kinds):
            counts[kind] -= d[t.discard + kind]
            if self.seat >= 0:
                counts[kind] -= d[t.hand + self.seat * t.kinds + kind]
        for rival in self.rivals:
            held: i64 = d[t.hand_size + rival]
            for kind in range(t.kinds):
                known: i64 = d[t.known + rival * t.kinds + kind]
                counts[kind] -= known
                held -= known
                d[t.hand + rival * t.kinds + kind] = known
            self.hidden[rival] = held
        n: i64 = 0
        for kind in range(t.kinds):
            for _ in range(counts[kind]):
                self.pool[n] = kind
                n += 1
        self.cards = n
        for code in range(t.special, game.specials):
            if code not in game.fixed_cards:
                for _ in range(counts[code]):
                    self.pool[n] = code
                    n += 1
        self.others = n - self.cards
        for code in game.fixed_cards:
            for _ in range(counts[code]):
                self.pool[n] = code
                n += 1
        self.fixed = n - self.cards - self.others
        places: i64 = d[t.deck_len]
        for rival in self.rivals:
            places += self.hidden[rival]
        if n < places:
            raise StateError("impossible_view")

    def read_tickets(self) -> None:
        """Put the tickets that the seat knows into their places."""
        t, d, data = self.t, self.base, self.view.data
        at: i64 = self.game.view_fields["tickets"].offset
        for ticket in range(t.tickets):
            what: i64 = data[at + ticket]
            if what == UNKNOWN:
                d[t.ticket_at + ticket] = UNSETTLED
                self.unknown[self.unknown_n] = ticket
                self.unknown_n += 1
            elif what >= UNDER_DECK:
                place: i64 = what - UNDER_DECK
                d[t.ticket_deck + place] = ticket
                d[t.ticket_by + place] = self.seat + 1
            else:
                d[t.ticket_at + ticket] = PLACE_OF[what] + self.seat
        for place in range(d[t.ticket_len]):
            if d[t.ticket_by + place] == 0:
                self.open_places[self.open_n] = place
                self.open_n += 1

    # --- for the rules' secrets -----------------------------------------------------------------

    def part(self, name: str) -> i64:
        """Where a field stands in `view.data`."""
        return self.game.view_fields[name].offset

    def knows(self, ticket: i64) -> bool:
        """Whether the view tells where a ticket is."""
        return self.base[self.t.ticket_at + ticket] != UNSETTLED

    def settle(self, s: State, ticket: i64, place: i64) -> None:
        """Put a ticket that is unsettled at a place outside the deck."""
        s.d[self.t.ticket_at + ticket] = place
        if HELD <= place < HELD + self.t.seats:
            self.held_left[place - HELD] -= 1
        elif OFFERED <= place < OFFERED + self.t.seats:
            self.offer_left[place - OFFERED] -= 1

    def take(self, seat: i64, tickets: vec[i64], start: i64, n: i64, rng: Rng) -> i64:
        """Choose one of the `n` tickets from `start` on for a seat, by its weights.

        It changes places with the first of them and is returned.
        """
        j: i64 = start
        weights = self.weights
        if weights is None:
            j += rng.below(n)
        else:
            first: i64 = seat * self.t.tickets
            end: i64 = start + n
            total: float = 0.0
            k: i64 = start
            while k < end:
                total += weights[first + tickets[k]]
                k += 1
            x: float = float(rng.word()) / WORD * total
            while j < end - 1:
                x -= weights[first + tickets[j]]
                if x < 0.0:
                    break
                j += 1
        ticket: i64 = tickets[j]
        tickets[j] = tickets[start]
        tickets[start] = ticket
        return ticket

    # --- once for a world -----------------------------------------------------------------------

    def draw(self, seed: int | str, into: State | None = None) -> State:
        """The world of a seed, with a future of its own; `into` is a state to be overwritten."""
        t = self.t
        s = State(self.game, self.base[:])
        if into is not None:
            into.d = s.d
            into.log = None
            into.moves = None
            into.seed = None
            into.first = None
            into.enumerated = -1
            s = into
        words = seed_words(seed)
        for k in range(4):
            s.d[t.seed + k] = words[k]
        rng = stream(words, 0, RESAMPLE, 0)
        self.deal_cards(s, rng)
        for seat in range(t.seats):
            self.held_left[seat] = s.d[t.ticket_count + seat]
            self.offer_left[seat] = s.d[t.offer_count + seat]
        for secret in self.secrets:
            secret.place_tickets(s, rng)
        self.place_tickets(s, rng)
        for secret in self.secrets:
            secret.place_cards(s, rng)
        self.choose(s, rng)
        return s

    def deal_cards(self, s: State, rng: Rng) -> None:
        """Deal the unseen cards to the rivals' hands and the deck."""
        d, t, work = s.d, self.t, self.work
        n: i64 = self.cards
        k: i64 = 0
        while k < n:
            work[k] = self.pool[k]
            k += 1
        shuffle(rng, work, 0, n)
        for rival in self.rivals:
            left: i64 = self.hidden[rival]
            hand: i64 = t.hand + rival * t.kinds
            while left > 0:
                n -= 1
                d[hand + work[n]] += 1
                left -= 1
        length: i64 = d[t.deck_len] - self.fixed
        n = min(n, length - self.others)
        if self.others > 0:
            k = 0
            while k < self.others:
                work[n + k] = self.pool[self.cards + k]
                k += 1
            n += self.others
            shuffle(rng, work, 0, n)
        at: i64 = t.deck
        k = 0
        while k < self.fixed:
            d[at] = self.pool[self.cards + self.others + k]
            at += 1
            k += 1
        k = 0
        while k < n:
            d[at] = work[k]
            at += 1
            k += 1

    def place_tickets(self, s: State, rng: Rng) -> None:
        """Settle the tickets that are left: with the rivals, in the deck, out of the game."""
        d, t, free = s.d, self.t, self.free
        n: i64 = self.sort_free(s, rng)
        order = self.rivals[:]
        shuffle(rng, order, 0, len(order))
        at: i64 = 0  # what was drawn came off the top
        for rival in order:
            while self.held_left[rival] > 0:
                ticket: i64 = self.take(rival, free, at, self.run(at, n), rng)
                self.settle(s, ticket, HELD + rival)
                at += 1
        for rival in order:
            while self.offer_left[rival] > 0:
                self.run(at, n)
                self.settle(s, free[at], OFFERED + rival)
                at += 1
        if n - at < self.open_n:
            raise StateError("impossible_view")
        k: i64 = 0
        while k < self.open_n:
            d[t.ticket_deck + self.open_places[k]] = free[at]
            d[t.ticket_at + free[at]] = IN_DECK
            at += 1
            k += 1
        # The rest is out of the game. Who has rejected it is not in the view.
        while at < n:
            d[t.ticket_at + free[at]] = REJECTED + order[rng.below(len(order))]
            at += 1

    def sort_free(self, s: State, rng: Rng) -> i64:
        """Put the unsettled tickets in the order of their batches, else at random."""
        d, t, free, batches = s.d, self.t, self.free, self.batches
        n: i64 = 0
        k: i64 = 0
        while k < self.unknown_n:
            ticket: i64 = self.unknown[k]
            if d[t.ticket_at + ticket] == UNSETTLED:
                free[n] = ticket
                n += 1
            k += 1
        shuffle(rng, free, 0, n)
        mixed = False
        k = 0
        while k < n:
            batches[free[k]] = 0
            for secret in self.secrets:
                batches[free[k]] += secret.batch(s, free[k])
            mixed = mixed or batches[free[k]] != batches[free[0]]
            k += 1
        if mixed:
            loose = [free[j] for j in range(n)]
            loose.sort(key=self.batch_of)
            for j in range(n):
                free[j] = loose[j]
        return n

    def batch_of(self, ticket: int) -> int:
        return self.batches[ticket]

    def run(self, at: i64, n: i64) -> i64:
        """How many tickets from `at` on are of one batch."""
        if at >= n:
            raise StateError("impossible_view")
        free, batches = self.free, self.batches
        k: i64 = at + 1
        while k < n and batches[free[k]] == batches[free[at]]:
            k += 1
        return k - at

    def choose(self, s: State, rng: Rng) -> None:
        """Rivals may have made a choice that the seat has not seen."""
        d, t = s.d, self.t
        if not self.game.phase_flags[d[t.phase]] & TOGETHER:
            return
        waiting: i64 = d[t.waiting]
        for rival in self.rivals:
            if not waiting >> rival & 1:
                d[t.waiting] = 1 << rival
                s.enumerated = -1
                s.enumerate(rival)
                d[t.choice + rival] = s.buf[rng.below(s.n)] + 1
        d[t.waiting] = waiting
        s.enumerated = -1
