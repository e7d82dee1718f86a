"""A game: a board, its rules and a number of seats, made ready to play. It never changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from branchline.core.board import Board
from branchline.core.machine import i64, vec
from branchline.core.mapfile import load_board
from branchline.core.rng import FIRST_SEAT, seed_words, stream
from branchline.engine.errors import SeatsError, StateError
from branchline.engine.events import EventKind, Log
from branchline.engine.outcome import Outcome, Tally
from branchline.engine.registry import make_rules
from branchline.engine.resample import resample
from branchline.engine.rule import (
    ALWAYS_ASK,
    ON_BORROW,
    ON_CARD,
    ON_CLAIM,
    ON_OVERPAY,
    ON_PAID,
    ON_RESAMPLE,
    ON_SCORE,
    ON_SETUP,
    ON_TIE,
    ON_TURN,
    ON_TURN_END,
    ON_VIEW,
    TOGETHER,
    Refusal,
    Rule,
)
from branchline.engine.state import ENGINE_EVENTS, OVER, TURN, State
from branchline.engine.table import HIDDEN, OWNER, Table, column
from branchline.engine.view import ViewField

FORMAT: Final = 2  # of packed states


@final
class Game:
    """A board for a number of seats.

    >>> import branchline
    >>> branchline.Game("nordic", seats=3).board.named("fr")
    'Scandinavie'
    """

    def __init__(self, board: Board | str, seats: int, overlays: Sequence[str] = ()) -> None:
        if isinstance(board, str):
            board = load_board(board, overlays)
        if not board.seats_min <= seats <= board.seats_max:
            raise SeatsError(
                "wrong_seats",
                {"board": board.id, "seats": seats, "min": board.seats_min, "max": board.seats_max},
            )
        self.board: Final = board
        self.seats: Final = seats
        self.rules: Final = make_rules(board)
        cards: i64 = 0
        display: i64 = 0
        for rule in self.rules:
            cards += rule.deck_cards
            display += rule.display_slots
        self.table: Final = Table(board, seats, display, cards)

        self.phase_names: Final = ["turn", "over"]
        self.phase_flags: vec[i64] = column([0, 0])
        self.phase_rules: vec[Rule] = vec[Rule]([Rule("turn", "BASE-2", 0, 0)] * 2)
        self.action_rules: vec[Rule] = vec[Rule]()
        self.action_kinds: vec[i64] = column([])
        self.event_kinds: Final[list[EventKind]] = []
        for name, fields, silent in ENGINE_EVENTS:
            self.add_event(-1, 0, name, fields, silent)
        self.view_fields: Final[dict[str, ViewField]] = {}
        self.view_parts: Final[dict[int, int]] = {}
        self.view_copies: Final[list[ViewField]] = []
        self.view_size: i64 = 0
        self.specials: i64 = self.table.special
        self.fixed_cards: Final[list[int]] = []  # cards that a rule resamples itself
        self.no_actions: Final = column([])
        self.texts: Final[dict[str, int]] = {}  # actions by their notation, made when first asked
        self.turn_bit: Final = column([1 << k for k in range(seats)])
        self.alone: Final[list[tuple[int, ...]]] = [(k,) for k in range(seats)]

        for index in range(len(self.rules)):
            self.rules[index].index = index
        for rule in self.rules:
            rule.declare(self)
        for f in self.table.layout.fields:
            if f.visibility != HIDDEN:
                size = f.size // seats if f.visibility == OWNER else f.size
                part = self.add_view(f.name, size, f.offset, f.visibility)
                self.view_copies.append(part)
        self.add_view("tickets", self.table.tickets, -1, OWNER)
        for rule in self.rules:
            rule.link(self)

        self.setup_rules: Final = self.with_hook(ON_SETUP)
        self.card_rules: Final = self.with_hook(ON_CARD)
        self.turn_rules: Final = self.with_hook(ON_TURN)
        self.paid_rules: Final = self.with_hook(ON_PAID)
        self.claim_rules: Final = self.with_hook(ON_CLAIM)
        self.end_rules: Final = self.with_hook(ON_TURN_END)
        self.score_rules: Final = self.with_hook(ON_SCORE)
        self.borrow_rules: Final = self.with_hook(ON_BORROW)
        self.overpay_rules: Final = self.with_hook(ON_OVERPAY)
        self.view_rules: Final = self.with_hook(ON_VIEW)
        self.resample_rules: Final = self.with_hook(ON_RESAMPLE)
        self.tie_rules: Final = self.with_hook(ON_TIE)
        self.action_buffer: Final = column([0] * len(self.action_rules))
        self.view_buffer: Final = column([0] * self.view_size)
        self.blank_state: Final = column([0] * self.table.layout.size)
        for rule in self.rules:
            rule.initial(self.blank_state)

    def __repr__(self) -> str:
        return f"Game({self.board.id!r}, seats={self.seats})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.seats == other.seats and self.board.digest == other.board.digest

    def __hash__(self) -> int:
        return hash((self.seats, self.board.digest))

    def __reduce__(self) -> tuple[object, ...]:
        from branchline.engine.copying import game_from

        return game_from, (self.board.source, self.board.id, self.seats)

    # --- for the rules, while they declare ------------------------------------------------------

    def with_hook(self, hook: int) -> vec[Rule]:
        return vec[Rule]([rule for rule in self.rules if rule.hooks & hook])

    def add_phase(self, name: str, rule: Rule, flags: int = 0) -> i64:
        """A kind of decision that the rule asks for; gives its number."""
        self.phase_names.append(name)
        self.phase_flags = vec[i64](list(self.phase_flags) + [flags])
        self.phase_rules = vec[Rule](list(self.phase_rules) + [rule])
        return len(self.phase_names) - 1

    def add_actions(self, rule: Rule, kind: i64, count: i64) -> i64:
        """Reserve `count` action numbers for a kind of the rule's; gives the first."""
        base = len(self.action_rules)
        self.action_rules = vec[Rule](list(self.action_rules) + [rule] * count)
        self.action_kinds = vec[i64](list(self.action_kinds) + [kind] * count)
        return base

    def add_event(
        self, owner: i64, local: i64, name: str, fields: str, silent: bool = False
    ) -> EventKind:
        """A kind of event; `fields` as in `EventKind`."""
        kind = EventKind(len(self.event_kinds), name, owner, local, fields, silent)
        self.event_kinds.append(kind)
        return kind

    def add_specials(self, count: i64) -> i64:
        """Reserve codes for cards of the deck that are no train cars; gives the first."""
        base = self.specials
        self.specials += count
        return base

    def add_view(self, name: str, size: i64, source: i64, visibility: i64) -> ViewField:
        field = ViewField(name, self.view_size, size, source, visibility)
        self.view_fields[name] = field
        self.view_size += size
        return field

    def add_view_part(self, rule: Rule, name: str, size: i64, visibility: i64) -> None:
        """A part of the view that the rule writes itself (hook ON_VIEW)."""
        self.view_parts[rule.index] = self.add_view(name, size, -1, visibility).offset

    def rule_named(self, name: str) -> Rule | None:
        """The board's rule of that name, if it lists it."""
        for rule in self.rules:
            if rule.name == name:
                return rule
        return None

    # --- names ------------------------------------------------------------------------------------

    def card_name(self, kind: i64) -> str:
        """A kind of card in the notation: a colour or `locomotive`."""
        return "locomotive" if kind == self.table.loco else self.board.colours[kind]

    def colour_text(self, colour: i64) -> str:
        """The colour that a claim plays, in the notation."""
        return "wild" if colour == self.table.colours else self.board.colours[colour]

    def route_text(self, route: i64) -> str:
        """A route in the notation: `oslo-bergen`, and `oslo-bergen#2` for the second of a pair."""
        r = self.board.routes[route]
        mark = "#2" if 0 <= r.twin < r.index else ""
        return f"{self.board.cities[r.a].id}-{self.board.cities[r.b].id}{mark}"

    def action_text(self, action: i64) -> str:
        """An action in the notation."""
        return self.action_rules[action].write(action)

    # --- playing ---------------------------------------------------------------------------------

    def start(self, seed: int | str, first: int | None = None, log: bool = False) -> State:
        """A new game. The same seed gives the same cards and tickets everywhere.

        `first` fixes the first seat, which is else drawn from the seed (RU-11). With `log`, every
        event is kept in `State.events`.
        """
        text = str(seed)
        if (
            not text.isprintable()
            or text != text.strip()
            or not 0 < len(text) <= 200
            or ";" in text
        ):
            raise StateError("bad_seed")
        if first is not None and not 0 <= first < self.seats:
            raise SeatsError("no_such_seat", {"seat": first, "seats": self.seats})
        s = State(self, self.blank_state[:])
        s.moves = []
        s.seed = text
        s.first = first
        if log:
            s.log = Log()
        words = seed_words(seed)
        self.deal(s, words, first if first is not None else self.draw_first(words))
        return s

    def draw_first(self, words: vec[i64]) -> i64:
        return stream(words, 0, FIRST_SEAT, 0).below(self.seats)

    def deal(self, s: State, words: vec[i64], first: i64) -> None:
        """Lay out the table and go to the first decision."""
        s.began(first, words)
        for rule in self.setup_rules:
            rule.setup(s)
        self.advance(s)

    def act(self, s: State, seat: i64, action: i64) -> None:
        """Do one action and what follows from it, up to the next decision."""
        phase = s.d[s.t.phase]
        if self.phase_flags[phase] & TOGETHER:
            s.chose(seat, action)
            if s.d[s.t.waiting] == 0:
                self.phase_rules[phase].resolve(s)
        else:
            self.action_rules[action].apply(s, seat, action)

    def advance(self, s: State) -> None:
        """Take every decision that has only one answer, up to one that is a real choice."""
        d, t = s.d, s.t
        while True:
            phase: i64 = d[t.phase]
            if phase == OVER:
                return
            flags = self.phase_flags[phase]
            seat: i64 = d[t.turn]
            if flags & TOGETHER:
                seat = self.forced(s)
                if seat < 0:
                    return
            else:
                s.enumerated = -1
                s.enumerate(seat)
                if s.n != 1 or flags & ALWAYS_ASK:
                    return
            s.enumerated = -1
            self.act(s, seat, s.buf[0])

    def forced(self, s: State) -> i64:
        """A seat that owes a choice and has only one, with that one in the buffer; else -1."""
        for seat in range(self.seats):
            if s.d[s.t.waiting] >> seat & 1:
                s.enumerated = -1
                s.enumerate(seat)
                if s.n == 1:
                    return seat
        return -1

    def enumerate(self, s: State, seat: i64) -> None:
        """Put the legal actions of a seat that owes a decision."""
        phase: i64 = s.d[s.t.phase]
        if phase == TURN:
            for rule in self.turn_rules:
                rule.turn_actions(s, seat)
        else:
            self.phase_rules[phase].legal(s, seat)

    def special_card(self, s: State, card: i64) -> None:
        """A card that is no train car lies on top of the deck."""
        for rule in self.card_rules:
            if rule.special_card(s, card):
                return
        raise StateError("foreign_card", {"card": card})

    def paid(self, s: State, seat: i64) -> bool:
        """The cards for a claim are laid down. True: a rule goes on with it."""
        for rule in self.paid_rules:
            if rule.paid(s, seat):
                return True
        return False

    def claimed(self, s: State, seat: i64, route: i64) -> None:
        """Let the rules follow up a claim, one after the other, then end the turn."""
        d, t = s.d, s.t
        k: i64 = d[t.stage]
        n: i64 = len(self.claim_rules)
        while k < n:
            d[t.stage] = k + 1
            if self.claim_rules[k].claimed(s, seat, route):
                return
            k += 1
        d[t.stage] = 0
        self.end_turn(s)

    def end_turn(self, s: State) -> None:
        """Let the rules end the turn, one after the other, then go to the next seat."""
        d, t = s.d, s.t
        k: i64 = d[t.stage]
        n: i64 = len(self.end_rules)
        while k < n:
            d[t.stage] = k + 1
            if self.end_rules[k].turn_ended(s, d[t.turn]):
                return
            k += 1
        following: i64 = d[t.turn] + 1
        if following == t.seats:
            following = 0
        s.turn_began(following)

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        """Why an action is not allowed now; None if it is."""
        if s.allows(seat, action):
            return None
        if not 0 <= seat < self.seats:
            return Refusal("BASE-2", "no_such_seat", {"seat": seat})
        if not 0 <= action < len(self.action_rules):
            return Refusal("BASE-2", "no_such_action", {"action": action})
        if s.over:
            return Refusal("BASE-10", "game_over")
        if not s.d[s.t.waiting] >> seat & 1:
            return Refusal("BASE-2", "not_your_turn", {"seat": seat})
        refusal = self.action_rules[action].why_not(s, seat, action)
        if refusal is None:
            # The action belongs to a decision that is not open now.
            reason = "not_open" if s.d[s.t.phase] == TURN else "other_decision"
            refusal = Refusal("BASE-2", reason)
        return refusal

    # --- the end ----------------------------------------------------------------------------------

    def tally(self, s: State, explain: bool) -> Tally:
        tally = Tally(self.seats, explain)
        for rule in self.score_rules:
            rule.score(s, tally)
        return tally

    def winners(self, s: State, tally: Tally) -> list[int]:
        """The seats with the most points, after every tie-break (BASE-12)."""
        best = max(tally.total)
        seats = [k for k in range(self.seats) if tally.total[k] == best]
        for rule in self.tie_rules:
            if len(seats) > 1:
                seats = rule.tie_break(s, tally, seats)
        return seats

    def outcome(self, s: State) -> Outcome:
        tally = self.tally(s, True)
        lines = tally.lines if tally.lines is not None else []
        winners = self.winners(s, tally)
        return Outcome(
            list(tally.total),
            [[line for line in lines if line.seat == seat] for seat in range(self.seats)],
            winners,
            list(tally.done),
            tally.tie_break,
        )

    # --- other forms of a state ----------------------------------------------------------------

    def resample(self, s: State, seat: i64, seed: int | str) -> State:
        return resample(s, seat, seed)

    def pack(self, s: State) -> bytes:
        """A header (format, seats, board) and every number of the state as a varint."""
        out = bytearray([FORMAT, self.seats])
        out += bytes.fromhex(self.board.digest[:16])
        d = s.d
        for k in range(self.table.layout.size):
            x: i64 = d[k]
            while x >= 128:
                out.append(x & 127 | 128)
                x >>= 7
            out.append(x)
        return bytes(out)

    def unpack(self, data: bytes) -> State:
        """The state that `State.to_bytes` has written."""
        if len(data) < 10 or data[0] != FORMAT:
            raise StateError("damaged_state")
        if data[1] != self.seats or data[2:10].hex() != self.board.digest[:16]:
            raise StateError("foreign_state")
        d = self.blank_state[:]
        at = 10
        for k in range(self.table.layout.size):
            x: i64 = 0
            shift: i64 = 0
            while True:
                if at >= len(data) or shift > 56:
                    raise StateError("damaged_state")
                byte: i64 = data[at]
                at += 1
                x |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            d[k] = x
        if at != len(data):
            raise StateError("damaged_state")
        return State(self, d)
