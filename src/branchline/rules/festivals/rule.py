"""Festival cards: they lie beside their city until a route is claimed there (IB-3, IB-6, IB-9)."""

from __future__ import annotations

from typing import Final

from branchline.core.board import Board
from branchline.core.machine import i64, vec
from branchline.engine.events import NOBODY, EventKind
from branchline.engine.game import Game
from branchline.engine.outcome import Tally, Values
from branchline.engine.rule import ON_CARD, ON_CLAIM, ON_SCORE, ON_SETUP, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.table import PUBLIC, column
from branchline.rules.claims.claim_routes import ROUTE

PLACED: Final = 0
TAKEN: Final = 1


class Festivals(Rule):
    """Sets of festival cards, each with its cities and its chart of points."""

    def __init__(
        self,
        cite: str,
        board: Board,
        cities: list[list[str]],
        cards: list[int],
        scores: list[list[int]],
    ) -> None:
        super().__init__("festivals", cite, 55, ON_SETUP | ON_CARD | ON_CLAIM | ON_SCORE)
        self.cities: Final = cities
        self.cards: Final = cards
        self.scores: Final = scores
        self.sets: Final = len(cards)
        self.deck_cards = sum(cards)
        self.festival_of: Final[vec[i64]] = column([-1] * len(board.cities))
        for f in range(self.sets):
            for city in cities[f]:
                self.festival_of[board.city_of[city]] = f
        self.game: Game | None = None
        self.card: i64 = 0
        self.piles: i64 = 0
        self.held: i64 = 0
        self.phase: i64 = 0
        self.first_end: i64 = 0
        self.kinds: list[EventKind] = []

    def declare(self, game: Game) -> None:
        self.game = game
        self.card = game.add_specials(self.sets)
        self.piles = game.table.layout.add("festival_piles", self.sets, PUBLIC)
        # Hidden on the table, but everyone saw the piles that were taken (RU-15).
        self.held = game.table.layout.add("festival_cards", game.seats * self.sets, PUBLIC)
        self.phase = game.add_phase("festival", self)
        self.first_end = game.add_actions(self, 0, 2)
        self.kinds = [
            game.add_event(self.index, PLACED, "FestivalCardPlaced", "festival"),
            game.add_event(self.index, TAKEN, "FestivalTaken", "festival cards"),
        ]

    def setup(self, s: State) -> None:
        d, t = s.d, s.t
        n: i64 = d[t.deck_len]
        for f in range(self.sets):
            for _ in range(self.cards[f]):
                d[t.deck + n] = self.card + f
                n += 1
        s.shuffle_deck(n)
        s.deck_made(n, 2)

    def special_card(self, s: State, card: i64) -> bool:
        if card < self.card or card >= self.card + self.sets:
            return False
        self.placed(s, card - self.card)
        return True

    def claimed(self, s: State, seat: i64, route: i64) -> bool:
        d, t = s.d, s.t
        a: i64 = self.festival_of[t.a[route]]
        b: i64 = self.festival_of[t.b[route]]
        at_a = a >= 0 and d[self.piles + a] > 0
        at_b = b >= 0 and d[self.piles + b] > 0
        if at_a and at_b and a != b:
            assert self.game is not None
            s.ask(self.phase, self.game.turn_bit[seat])
            return True
        if at_a:
            self.taken(s, seat, a)
        elif at_b:
            self.taken(s, seat, b)
        return False

    def legal(self, s: State, seat: i64) -> None:
        s.put(self.first_end)
        s.put(self.first_end + 1)

    def apply(self, s: State, seat: i64, action: i64) -> None:
        t = s.t
        route: i64 = s.d[t.reg + ROUTE]
        city: i64 = t.a[route] if action == self.first_end else t.b[route]
        self.taken(s, seat, self.festival_of[city])
        assert self.game is not None
        self.game.claimed(s, seat, route)

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        return None if s.d[s.t.phase] == self.phase else Refusal("IB-6", "no_festival_choice")

    def score(self, s: State, tally: Tally) -> None:
        for seat in range(tally.seats):
            for f in range(self.sets):
                n = s.d[self.held + seat * self.sets + f]
                if n > 0:
                    values: Values | None = None
                    if tally.lines is not None:
                        values = {"cards": int(n)}
                    tally.add(seat, self.cite, "festival", self.scores[f][n - 1], f, values)

    def write(self, action: i64) -> str:
        return "festival first" if action == self.first_end else "festival second"

    # --- events -------------------------------------------------------------------------------

    def placed(self, s: State, festival: i64) -> None:
        """A festival card comes off the deck and lies beside its city."""
        d, t = s.d, s.t
        d[t.deck_len] -= 1
        d[t.specials] -= 1
        d[self.piles + festival] += 1
        if s.log is not None:
            s.log.add(self.kinds[PLACED], NOBODY, [festival])

    def taken(self, s: State, seat: i64, festival: i64) -> None:
        d = s.d
        n: i64 = d[self.piles + festival]
        d[self.piles + festival] = 0
        d[self.held + seat * self.sets + festival] += n
        if s.log is not None:
            s.log.add(self.kinds[TAKEN], seat, [festival, n])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        if local == PLACED:
            self.placed(s, numbers[0])
        else:
            self.taken(s, seat, numbers[0])
