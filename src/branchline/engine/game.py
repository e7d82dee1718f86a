"""A game: a board, its rules and a number of seats, made ready to play. It never changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from branchline.core.board import Board
from branchline.core.machine import i16, i64, vec
from branchline.core.mapfile import load_board
from branchline.core.rng import seed_words
from branchline.engine.errors import SeatsError, StateError
from branchline.engine.events import ALL, EventKind, Log
from branchline.engine.facts import Action, Thing, Values
from branchline.engine.flow import deal, draw_first
from branchline.engine.layout import (
    ALWAYS,
    AMOUNT,
    CODE,
    HIDDEN,
    OWNER,
    TICKETS,
    UNSTATED,
    Layout,
    column,
)
from branchline.engine.registry import make_rules
from branchline.engine.rule import (
    AFTER_CLAIM,
    AFTER_TURN,
    ON_BORROW,
    ON_CARD,
    ON_CLAIM,
    ON_OVERPAY,
    ON_PAID,
    ON_SCORE,
    ON_SETUP,
    ON_TIE,
    ON_TURN,
    ON_TURN_END,
    ON_VIEW,
    Rule,
)
from branchline.engine.state import FORMAT, State, engine_events
from branchline.engine.view import UNDER_DECK, ViewField, ticket_codes


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
        self.layout: Final = Layout(board, seats, display, cards)

        self.phase_names: Final = ["turn", "over"]
        self.phase_flags: vec[i64] = column([0, 0])
        self.phase_rules: vec[Rule] = vec[Rule]([Rule("turn", "BASE-2", 0, 0)] * 2)
        self.action_rules: vec[Rule] = vec[Rule]()
        self.action_kinds: vec[i64] = column([])
        self.event_kinds: Final[list[EventKind]] = engine_events()
        self.things: Final[dict[str, list[Thing]]] = {}  # what rules add, by the name of its kind
        self.score_subjects: Final[dict[str, str]] = {}  # what a score line's `ref` is
        self.explanations: Final[list[str]] = []  # score lines that only explain others
        self.joining: Final = ["owner", "tickets"]  # fields that completed tickets depend on
        self.view_fields: Final[dict[str, ViewField]] = {}
        self.view_parts: Final[dict[int, int]] = {}
        self.view_copies: Final[list[ViewField]] = []
        self.view_size: i64 = 0
        self.specials: i64 = self.layout.special
        self.fixed_cards: Final[list[int]] = []  # cards that a rule puts into their place
        self.no_actions: Final = column([])
        self.no_touches: Final = vec[i16]([])
        self.texts: Final[dict[str, int]] = {}  # actions by their notation, made when first asked
        self.claims: Final[dict[int, list[int]]] = {}  # actions by route, made when first asked
        self.ticket_codes: Final = ticket_codes(seats)
        self.turn_bit: Final = column([1 << k for k in range(seats)])
        self.alone: Final[list[tuple[int, ...]]] = [(k,) for k in range(seats)]

        for index in range(len(self.rules)):
            self.rules[index].index = index
        for rule in self.rules:
            rule.declare(self)
        for f in self.layout.fields.fields:
            if f.visibility != HIDDEN:
                size = f.size // seats if f.visibility == OWNER else f.size
                part = self.add_view(
                    f.name, size, f.offset, f.visibility, f.most, f.holds, f.width, f.mark
                )
                self.view_copies.append(part)
        tickets = self.layout.tickets
        self.add_view("tickets", tickets, -1, OWNER, UNDER_DECK + tickets, CODE, 0, TICKETS)
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
        self.tie_rules: Final = self.with_hook(ON_TIE)
        self.phase_stage: Final = column(self.stages())
        self.action_buffer: Final = column([0] * len(self.action_rules))
        self.view_buffer: Final = column([0] * self.view_size)
        self.blank_state: Final = column([0] * self.layout.fields.size)
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

    def stages(self) -> list[int]:
        """For each phase, how many hooks of the step that it interrupts have been run."""
        found: list[int] = []
        for phase in range(len(self.phase_names)):
            rules: list[Rule] = []
            if self.phase_flags[phase] & AFTER_CLAIM:
                rules = list(self.claim_rules)
            elif self.phase_flags[phase] & AFTER_TURN:
                rules = list(self.end_rules)
            found.append(rules.index(self.phase_rules[phase]) + 1 if rules else 0)
        return found

    def add_phase(self, name: str, rule: Rule, flags: int = 0) -> i64:
        """A kind of decision that the rule asks for; returns its number."""
        self.phase_names.append(name)
        self.phase_flags = vec[i64](list(self.phase_flags) + [flags])
        self.phase_rules = vec[Rule](list(self.phase_rules) + [rule])
        return len(self.phase_names) - 1

    def add_actions(self, rule: Rule, kind: i64, count: i64) -> i64:
        """Reserve `count` action numbers for a kind of the rule's; returns the first."""
        base = len(self.action_rules)
        self.action_rules = vec[Rule](list(self.action_rules) + [rule] * count)
        self.action_kinds = vec[i64](list(self.action_kinds) + [kind] * count)
        return base

    def add_event(
        self,
        owner: i64,
        local: i64,
        name: str,
        fields: str,
        reveals: bool = True,
        news: i64 = ALL,
        variant: str = "",
    ) -> EventKind:
        """A kind of event, declared as in `EventKind`."""
        code: i64 = len(self.event_kinds)
        kind = EventKind(code, name, owner, local, fields, False, reveals, news, variant)
        self.event_kinds.append(kind)
        return kind

    def add_things(self, kind: str, things: list[Thing]) -> None:
        """Name the things of a kind that the rule adds; values called `kind` number them."""
        self.things[kind] = things

    def add_specials(self, count: i64) -> i64:
        """Reserve codes for cards of the deck that are not train cards; returns the first."""
        base = self.specials
        self.specials += count
        return base

    def add_view(
        self,
        name: str,
        size: i64,
        source: i64,
        visibility: i64,
        most: i64,
        holds: i64,
        width: i64,
        mark: i64,
    ) -> ViewField:
        field = ViewField(name, self.view_size, size, source, visibility, most, holds, width, mark)
        self.view_fields[name] = field
        self.view_size += size
        return field

    def add_view_part(
        self,
        rule: Rule,
        name: str,
        size: i64,
        visibility: i64,
        most: i64 = UNSTATED,
        holds: i64 = AMOUNT,
        width: i64 = 0,
        mark: i64 = ALWAYS,
    ) -> None:
        """A part of the view that the rule writes itself (hook ON_VIEW), declared as a `Field`."""
        part = self.add_view(name, size, -1, visibility, most, holds, width, mark)
        self.view_parts[rule.index] = part.offset

    def rule_named(self, name: str) -> Rule | None:
        """The board's rule of that name, if it lists it."""
        for rule in self.rules:
            if rule.name == name:
                return rule
        return None

    # --- names ------------------------------------------------------------------------------------

    def card_name(self, kind: i64) -> str:
        """A kind of card in the notation: a colour or `locomotive`."""
        return "locomotive" if kind == self.layout.loco else self.board.colours[kind]

    def colour_text(self, colour: i64) -> str:
        """The colour that a claim plays, in the notation."""
        return "wild" if colour == self.layout.colours else self.board.colours[colour]

    def route_text(self, route: i64) -> str:
        """A route in the notation: `oslo-bergen`, and `oslo-bergen#2` for the second of a pair."""
        r = self.board.routes[route]
        mark = "#2" if 0 <= r.twin < r.index else ""
        return f"{self.board.cities[r.a].id}-{self.board.cities[r.b].id}{mark}"

    def action_text(self, action: i64) -> str:
        """An action in the notation."""
        return self.action_rules[action].write(action)

    # --- facts ------------------------------------------------------------------------------------

    @property
    def actions(self) -> int:
        """How many actions the game has; they are numbered from 0."""
        return len(self.action_rules)

    def action(self, number: int) -> Action:
        """An action as a value to read.

        >>> import branchline
        >>> branchline.Game("usa", seats=2).action(0).kind
        'take'
        """
        if not 0 <= number < len(self.action_rules):
            raise IndexError(f"no action {number}")
        return self.action_rules[number].facts(number, None)

    def claims_of(self, route: int) -> list[int]:
        """The numbers of all actions that claim a route."""
        if not self.claims:
            for number in range(len(self.action_rules)):
                action = self.action(number)
                if action.kind == "claim" and action.route is not None:
                    self.claims.setdefault(action.route, []).append(number)
        return self.claims.get(route, [])

    def cards_of(self, kind: int, cards: int, locomotives: int) -> list[int]:
        """Cards of a kind, and locomotives, as counts by kind."""
        counts = [0] * self.layout.kinds
        counts[kind] += cards
        counts[self.layout.loco] += locomotives
        return counts

    def route_facts(self, route: int) -> Values:
        """What the rules say of a route: its `points`, how it may be paid for."""
        facts: Values = {}
        for rule in self.rules:
            facts.update(rule.route_facts(route))
        return facts

    # --- playing ---------------------------------------------------------------------------------

    def start(self, seed: int | str, first: int | None = None, log: bool = False) -> State:
        """A new game. The same seed leads to the same cards and tickets everywhere.

        `first` fixes the first seat, which is otherwise drawn from the seed (RU-11). With `log`,
        every event is kept in `State.events`.
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
        deal(s, words, first if first is not None else draw_first(self, words))
        return s

    def unpack(self, data: bytes) -> State:
        """The state that `State.to_bytes` has written."""
        if len(data) < 10 or data[0] != FORMAT:
            raise StateError("damaged_state")
        if data[1] != self.seats or data[2:10].hex() != self.board.digest[:16]:
            raise StateError("foreign_state")
        d = self.blank_state[:]
        at = 10
        for k in range(self.layout.fields.size):
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
