"""Small hand-made positions: a game on any board, arranged as a test needs it.

Cards are conserved: whatever a hand or the display gets comes out of the deck, and what it loses
goes back there.

>>> p = Position("nordic", seats=2)
>>> p.hand(0, green=3)
>>> p.act("claim orebro-oslo green")
>>> p.trains_of(0)
38
"""

from __future__ import annotations

from collections import Counter

import pytest

from branchline import Game, IllegalAction, State, parse_action
from branchline.engine.layout import CLOSED, HELD, IN_DECK
from branchline.engine.rule import Refusal
from branchline.rules.claims.claim_routes import claims_of

Cards = tuple[tuple[str, int], ...]
"""So many cards of each kind, in order."""


class Position:
    """A state right after the opening, with seat 0 to play, and ways to arrange it."""

    def __init__(self, board: str, seats: int, seed: int = 1, log: bool = False) -> None:
        self.game = Game(board, seats)
        self.s: State = self.game.start(seed, first=0, log=log)
        while self.s.phase != "turn":
            seat = self.s.to_act[0]
            self.s.apply(seat, self.s.legal(seat)[-1])
        self.t = self.game.layout
        self.arranged()

    # --- arranging ----------------------------------------------------------------------------

    def arranged(self) -> None:
        """Forget the legal actions found before a change by hand."""
        self.s.enumerated = -1

    def kind(self, name: str) -> int:
        """The number of a card kind: a colour, or `locomotive`."""
        return int(self.t.loco) if name == "locomotive" else self.game.board.colours.index(name)

    def total(self, kind: int) -> int:
        """How many cards of a kind the game has."""
        deck = next(entry for entry in self.game.board.rules if entry.name == "deck")
        value = deck.params["locomotives" if kind == self.t.loco else "per_colour"]
        assert isinstance(value, int)
        return value

    def hand(self, seat: int, **cards: int) -> None:
        """Give a seat exactly these cards, none of them known to others."""
        d, t = self.s.d, self.t
        for kind in range(t.kinds):
            d[t.hand + seat * t.kinds + kind] = 0
            d[t.known + seat * t.kinds + kind] = 0
        for name, n in cards.items():
            d[t.hand + seat * t.kinds + self.kind(name)] = n
        d[t.hand_size + seat] = sum(cards.values())
        self.rebuild_deck([])

    def hands_empty(self) -> None:
        for seat in range(self.game.seats):
            self.hand(seat)

    def display(self, *cards: str) -> None:
        """Put exactly these cards on the display; places left over are empty."""
        d, t = self.s.d, self.t
        for slot in range(t.display_size):
            d[t.display + slot] = self.kind(cards[slot]) if slot < len(cards) else t.blank
        d[t.gaps] = t.display_size - len(cards)
        self.rebuild_deck([])

    def discards(self, **cards: int) -> None:
        d, t = self.s.d, self.t
        for kind in range(t.kinds):
            d[t.discard + kind] = 0
        for name, n in cards.items():
            d[t.discard + self.kind(name)] = n
        d[t.discard_size] = sum(cards.values())
        self.rebuild_deck([])

    def deck(self, *top: str) -> None:
        """Put these cards on top of the deck, the first on top; the rest follows in some order."""
        self.rebuild_deck([self.kind(name) for name in top])

    def only_deck(self, *cards: str) -> None:
        """Let the deck be these cards alone (the first on top), whatever that does to the total."""
        self.set_deck([self.kind(name) for name in cards])

    def set_deck(self, codes: list[int]) -> None:
        """Let the deck be these codes, the top first; special cards are allowed."""
        d, t = self.s.d, self.t
        for k, code in enumerate(reversed(codes)):
            d[t.deck + k] = code
        d[t.deck_len] = len(codes)
        d[t.specials] = sum(code >= t.special for code in codes)
        self.arranged()

    def deck_codes(self) -> list[int]:
        """The deck, the top first."""
        d, t = self.s.d, self.t
        return [int(d[t.deck + k]) for k in reversed(range(d[t.deck_len]))]

    def rebuild_deck(self, top: list[int]) -> None:
        """Fill the deck with all cards that are nowhere else; special cards stay at the bottom."""
        d, t = self.s.d, self.t
        specials = [code for code in self.deck_codes() if code >= t.special]
        rest: list[int] = []
        for kind in range(t.kinds):
            used = d[t.discard + kind] + sum(
                d[t.hand + seat * t.kinds + kind] for seat in range(t.seats)
            )
            used += sum(d[t.display + slot] == kind for slot in range(t.display_size))
            left = self.total(kind) - used - top.count(kind)
            assert left >= 0, f"too many cards of kind {kind}"
            rest += [kind] * left
        self.set_deck([*top, *rest, *specials])

    def route(self, text: str) -> int:
        """A route from its notation, `oslo-bergen` or `oslo-bergen#2`."""
        for r in range(self.t.routes):
            if self.game.route_text(r) == text:
                return r
        raise KeyError(text)

    def own(self, seat: int, *routes: str, count_trains: bool = True) -> None:
        """Let a seat own routes, as if it had claimed them (trains and points counted)."""
        claims = claims_of(self.game)
        for text in routes:
            r = self.route(text)
            trains = self.trains_of(seat)
            if self.s.d[self.t.owner + r] != CLOSED:
                claims.claimed_by(self.s, seat, r)
            if not count_trains:
                self.trains(seat, trains)
        self.arranged()

    def trains(self, seat: int, n: int) -> None:
        self.s.d[self.t.trains + seat] = n
        self.arranged()

    def tickets(self, seat: int, *tickets: str) -> None:
        """Let a seat hold exactly these tickets, `oslo-vaasa`; its others go under the deck."""
        d, t = self.s.d, self.t
        for k in range(t.tickets):
            if d[t.ticket_at + k] == HELD + seat:
                self.s.ticket_push(k, 0)
        wanted = [self.ticket(text) for text in tickets]
        order = [k for k in self.ticket_deck() if k not in wanted]
        for k in wanted:
            d[t.ticket_at + k] = HELD + seat
        d[t.ticket_count + seat] = len(wanted)
        self.set_ticket_deck(order)

    def ticket(self, text: str) -> int:
        """A ticket from its cities, `oslo-vaasa`, in either order."""
        cities = self.game.board.cities
        for ticket in self.game.board.tickets:
            ends = cities[ticket.a].id, cities[ticket.b].id
            if text in ("-".join(ends), "-".join(reversed(ends))):
                return int(ticket.index)
        raise KeyError(text)

    def ticket_deck(self) -> list[int]:
        """The ticket deck, the top first."""
        d, t = self.s.d, self.t
        top = d[t.ticket_top]
        return [int(d[t.ticket_deck + (top + k) % t.tickets]) for k in range(d[t.ticket_len])]

    def set_ticket_deck(self, order: list[int]) -> None:
        """Let the ticket deck be this, the top first; tickets left out of it leave the game."""
        d, t = self.s.d, self.t
        for k in range(t.tickets):
            if d[t.ticket_at + k] == IN_DECK and k not in order:
                d[t.ticket_at + k] = 1
        for k, ticket in enumerate(order):
            d[t.ticket_deck + k] = ticket
            d[t.ticket_by + k] = 0
            d[t.ticket_at + ticket] = IN_DECK
        d[t.ticket_top] = 0
        d[t.ticket_len] = len(order)
        self.arranged()

    # --- playing ------------------------------------------------------------------------------

    def act(self, text: str, seat: int | None = None) -> None:
        """Take an action in the notation, for the seat that is to act."""
        self.s.apply(self.s.to_act[0] if seat is None else seat, parse_action(self.game, text))

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal actions in the notation."""
        who = self.s.to_act[0] if seat is None else seat
        return [self.game.action_text(a) for a in self.s.legal(who)]

    def why_not(self, text: str, seat: int | None = None) -> Refusal:
        """Why an action is refused; it must be, by `why_not` and by `apply`, without any change."""
        who = self.s.to_act[0] if seat is None else seat
        action = parse_action(self.game, text)
        before = self.s.to_bytes()
        refusal = self.s.why_not(who, action)
        assert refusal is not None, f"{text} is allowed"
        with pytest.raises(IllegalAction) as caught:
            self.s.apply(who, action)
        assert caught.value.refusal == refusal
        assert self.s.to_bytes() == before
        return refusal

    def end_turn(self) -> None:
        """Let the seats to act draw blind until it is seat 0's turn again (or the game ends)."""
        while not self.s.over and (self.s.phase != "turn" or self.s.turn != 0):
            who = self.s.to_act[0]
            legal = self.legal(who)
            self.act("draw" if "draw" in legal else legal[0], who)

    # --- looking ------------------------------------------------------------------------------

    def hand_of(self, seat: int) -> dict[str, int]:
        """The cards of a seat, only those it has."""
        d, t = self.s.d, self.t
        cards = {
            self.game.card_name(k): int(d[t.hand + seat * t.kinds + k]) for k in range(t.kinds)
        }
        return {name: n for name, n in cards.items() if n}

    def known_of(self, seat: int) -> dict[str, int]:
        d, t = self.s.d, self.t
        cards = {
            self.game.card_name(k): int(d[t.known + seat * t.kinds + k]) for k in range(t.kinds)
        }
        return {name: n for name, n in cards.items() if n}

    def display_cards(self) -> list[str]:
        """The display; an empty place is an empty string."""
        d, t = self.s.d, self.t
        shown = [int(d[t.display + k]) for k in range(t.display_size)]
        return ["" if k == t.blank else self.game.card_name(k) for k in shown]

    def discards_of(self) -> dict[str, int]:
        d, t = self.s.d, self.t
        cards = {self.game.card_name(k): int(d[t.discard + k]) for k in range(t.kinds)}
        return {name: n for name, n in cards.items() if n}

    def trains_of(self, seat: int) -> int:
        return int(self.s.d[self.t.trains + seat])

    def owner_of(self, route: str) -> int:
        """The seat that owns a route, or -1."""
        owner = int(self.s.d[self.t.owner + self.route(route)])
        return -1 if owner in (0, CLOSED) else owner - 1

    def tickets_of(self, seat: int) -> list[str]:
        """The tickets of a seat as `a-b`."""
        board = self.game.board
        held = [k for k in range(self.t.tickets) if self.s.d[self.t.ticket_at + k] == HELD + seat]
        return [
            f"{board.cities[board.tickets[k].a].id}-{board.cities[board.tickets[k].b].id}"
            for k in held
        ]

    def event_names(self) -> list[str]:
        """The kinds of all events so far (the position must have been made with a log)."""
        return [event.kind.name for event in self.s.events]

    def lines(self, seat: int, what: str) -> list[tuple[int, int]]:
        """(ref, points) of a seat's score lines of one sort."""
        return [(line.ref, line.points) for line in self.s.outcome.lines[seat] if line.what == what]

    def field(self, name: str) -> int:
        """The offset of a field of the state."""
        return int(self.t.fields.field(name).offset)


def refused(p: Position, text: str, seat: int | None = None) -> tuple[str, str]:
    """The rule and the reason that an action is refused with."""
    why = p.why_not(text, seat)
    return why.rule, why.reason


def claims_on(p: Position, route: str) -> list[str]:
    """What a claim of the route may be played with."""
    return [text.split()[-1] for text in p.legal() if text.startswith(f"claim {route} ")]


def payments(p: Position, route: str) -> set[Cards]:
    """Every set of cards that the seat to act can give for a route, by trying all choices."""
    before = Counter(p.hand_of(p.s.turn))
    found = set()
    todo = [(p.s, text) for text in p.legal() if text.startswith(f"claim {route} ")]
    here = p.s
    while todo:
        state, text = todo.pop()
        p.s = state.clone()
        p.act(text)
        if p.owner_of(route) == here.turn:
            found.add(tuple(sorted((before - Counter(p.hand_of(here.turn))).items())))
        else:
            todo += [(p.s, choice) for choice in p.legal()]
    p.s = here
    return found


def level(p: Position) -> None:
    """Give every seat the same points, however its tickets and bonuses turned out."""
    scores = p.s.outcome.scores
    for seat, score in enumerate(scores):
        p.s.d[p.t.points + seat] += max(scores) - score
