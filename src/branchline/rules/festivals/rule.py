"""Festival cards: they lie at their city until a route is claimed there (IB-3, IB-6, IB-9)."""

from __future__ import annotations

from typing import Final

from branchline.core.board import Board
from branchline.core.machine import i64, vec
from branchline.engine.events import NOBODY, EventKind
from branchline.engine.facts import (
    Action,
    Chart,
    Figure,
    Item,
    Part,
    Place,
    Row,
    Sentence,
    Thing,
    Values,
)
from branchline.engine.flow import claimed
from branchline.engine.game import Game
from branchline.engine.layout import PUBLIC, TOUCHED, column
from branchline.engine.outcome import Tally
from branchline.engine.position import Position
from branchline.engine.rule import (
    AFTER_CLAIM,
    ON_CARD,
    ON_CLAIM,
    ON_SCORE,
    ON_SETUP,
    ON_VALUE,
    Refusal,
    Rule,
)
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.claims.registers import ROUTE

PLACED: Final = 0
TAKEN: Final = 1


class Festivals(Rule):
    """Sets of festival cards, each with its cities and its chart of points."""

    def __init__(
        self,
        cite: str,
        board: Board,
        ids: list[str],
        cities: list[list[str]],
        cards: list[int],
        scores: list[list[int]],
    ) -> None:
        super().__init__("festivals", cite, 55, ON_SETUP | ON_CARD | ON_CLAIM | ON_SCORE | ON_VALUE)
        self.cities: Final = [[int(board.city_of[city]) for city in ids] for ids in cities]
        self.cards: Final = cards
        self.scores: Final = scores
        self.ids: Final = ids
        self.sets: Final = len(cards)
        self.headline = 3
        self.claims_vary = True
        self.deck_cards = sum(cards)
        self.festival_of: Final[vec[i64]] = column([-1] * len(board.cities))
        for f in range(self.sets):
            for city in self.cities[f]:
                self.festival_of[city] = f
        self.worth_at: Final = vec[float]([0.0] * len(board.cities))  # of the piles, to a seat
        self.game: Game | None = None
        self.card: i64 = 0
        self.piles: i64 = 0
        self.held: i64 = 0
        self.piles_seen: i64 = 0  # where views show them
        self.held_seen: i64 = 0
        self.phase: i64 = 0
        self.first_end: i64 = 0
        self.kinds: list[EventKind] = []

    def declare(self, game: Game) -> None:
        self.game = game
        self.card = game.add_specials(self.sets)
        most = max(self.cards)
        fields = game.layout.fields
        self.piles = fields.add("festival_piles", self.sets, PUBLIC, most, mark=TOUCHED)
        # Hidden on the table, but everyone saw the piles that were taken (RU-15).
        held = game.seats * self.sets
        self.held = fields.add("festival_cards", held, PUBLIC, most, width=self.sets, mark=TOUCHED)
        self.phase = game.add_phase("festival", self, AFTER_CLAIM)
        self.first_end = game.add_actions(self, 0, 2)
        game.add_things("festival", [Thing(self.cities[f]) for f in range(self.sets)])
        game.score_subjects["festival"] = "festival"
        self.kinds = [
            game.add_event(self.index, PLACED, "FestivalCardPlaced", "festival"),
            game.add_event(self.index, TAKEN, "FestivalTaken", "festival cards", reveals=False),
        ]

    def link(self, game: Game) -> None:
        self.piles_seen = game.view_fields["festival_piles"].offset
        self.held_seen = game.view_fields["festival_cards"].offset

    def setup(self, s: State) -> None:
        d, t = s.d, s.t
        n: i64 = d[t.deck_len]
        for f in range(self.sets):
            for _ in range(self.cards[f]):
                d[t.deck + n] = self.card + f
                n += 1
        s.shuffle_deck(n)
        s.deck_made(n, 2)

    def unseen_cards(self, d: vec[i64], counts: vec[i64]) -> None:
        assert self.game is not None
        for f in range(self.sets):
            counts[self.card + f] += self.cards[f] - d[self.piles + f]
            for seat in range(self.game.seats):
                counts[self.card + f] -= d[self.held + seat * self.sets + f]

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
        claimed(s, seat, route)

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

    def points_for(self, festival: i64, cards: i64) -> int:
        """What this many cards of a festival score."""
        return self.scores[festival][cards - 1] if cards > 0 else 0

    # --- facts ----------------------------------------------------------------------------------

    def facts(self, action: i64, view: View | None) -> Action:
        values: Values = {}
        if view is not None and view.one("phase") == self.phase:
            route = view.game.board.routes[view["registers"][ROUTE]]
            city = int(route.a if action == self.first_end else route.b)
            festival = int(self.festival_of[city])
            count = view["festival_piles"][festival] if festival >= 0 else 0
            values = {"city": city, "festival": festival, "count": count}
        return Action(action, "festival", self.write(action), values)

    def question(self, view: View) -> Sentence | None:
        return Sentence("festival")

    def components(self) -> list[Sentence]:
        return [Sentence("festival_cards", {"count": sum(self.cards)})]

    def places(self) -> list[Place]:
        return [Place(self.cities[f], self.ids[f], "pile") for f in range(self.sets)]

    def figures(self, view: View, seat: int) -> list[Figure]:
        return [Figure("festivals", str(sum(view.of_seat("festival_cards", seat))))]

    def rows(self, view: View) -> list[Row]:
        """The piles at the cities, with what each would add, and the reader's own cards."""
        found: list[Row] = []
        piles = [(f, n) for f, n in enumerate(view["festival_piles"]) if n]
        held = view.of_seat("festival_cards", view.seat) if view.seat >= 0 else []
        if piles:
            items: list[Item] = []
            for f, n in piles:
                text = f" {n}"
                if held:
                    gain = self.points_for(f, held[f] + n) - self.points_for(f, held[f])
                    text += f" (+{gain})"
                items.append([Part(thing="festival", number=f), Part(text)])
            found.append(Row("festival_piles", items))
        own: list[Item] = []
        for f, n in enumerate(held):
            if n:
                values: Values = {"festival": f, "cards": n, "size": len(self.scores[f])}
                values["points"] = self.points_for(f, n)
                own.append([Part(sentence=Sentence("play.festival_set", values))])
        if own:
            found.append(Row("festivals", own, own=True))
        return found

    def charts(self, game: Game, view: View | None) -> list[Chart]:
        """Every festival with the points for one card, two cards, and so on."""
        most = max([len(scores) for scores in self.scores])
        headings = ["festival", *[str(n) for n in range(1, most + 1)]]
        seated = view is not None and view.seat >= 0
        if seated:
            headings += ["mine", "now", "lying", "then"]
        total = 0
        rows: list[list[Item]] = []
        for f in range(self.sets):
            row: list[Item] = [[Part(thing="festival", number=f)]]
            mine = 0
            if view is not None and seated:
                mine = view.of_seat("festival_cards", view.seat)[f]
            for n in range(most):
                text = str(self.scores[f][n]) if n < len(self.scores[f]) else ""
                row.append([Part(text, strong=n + 1 == mine)])
            if view is not None and seated:
                lying = view["festival_piles"][f]
                now, then = self.points_for(f, mine), self.points_for(f, mine + lying)
                row.append([Part(str(mine) if mine else "")])
                row.append([Part(str(now) if mine else "", strong=True)])
                row.append([Part(str(lying) if lying else "")])
                row.append([Part(str(then) if lying else "")])
                total += now
            rows.append(row)
        below = [Sentence("board.chart.total", {"points": total})] if seated else []
        return [Chart(self.name, headings, rows, below)]

    # --- what bots should know --------------------------------------------------------------------

    def claim_values(self, p: Position, worth: vec[float]) -> None:
        """Look at each pile once."""
        t, is_open = p.t, p.open
        at = self.worth_at
        city: i64 = 0
        while city < t.cities:
            at[city] = self.pile_value(p, city)
            city += 1
        r: i64 = 0
        while r < t.routes:
            if is_open[r] == 1:
                worth[r] += max(at[t.a[r]], at[t.b[r]])
            r += 1

    def action_value(self, p: Position, action: i64) -> float:
        """The value of taking the cards at one end of the route."""
        route: i64 = p.data[p.at("registers") + ROUTE]
        city: i64 = p.t.a[route] if action == self.first_end else p.t.b[route]
        return self.pile_value(p, city)

    def pile_value(self, p: Position, city: i64) -> float:
        """What the pile at a city is worth to the seat."""
        f: i64 = self.festival_of[city]
        if f < 0:
            return 0.0
        pile: i64 = p.data[self.piles_seen + f]
        if pile == 0:
            return 0.0
        held: i64 = p.data[self.held_seen + p.seat * self.sets + f]
        gain: float = float(self.scores[f][held + pile - 1])
        if held > 0:
            gain -= float(self.scores[f][held - 1])
        return gain

    def write(self, action: i64) -> str:
        return "festival first" if action == self.first_end else "festival second"

    # --- events -------------------------------------------------------------------------------

    def placed(self, s: State, festival: i64) -> None:
        """A festival card comes off the deck and lies at its city."""
        d, t = s.d, s.t
        d[t.deck_len] -= 1
        d[t.specials] -= 1
        d[self.piles + festival] += 1
        s.touch(self.piles + festival)
        if s.log is not None:
            s.log.add(self.kinds[PLACED], NOBODY, [festival])

    def taken(self, s: State, seat: i64, festival: i64) -> None:
        d = s.d
        n: i64 = d[self.piles + festival]
        d[self.piles + festival] = 0
        s.touch(self.piles + festival)
        d[self.held + seat * self.sets + festival] += n
        s.touch(self.held + seat * self.sets + festival)
        if s.log is not None:
            s.log.add(self.kinds[TAKEN], seat, [festival, n])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        if local == PLACED:
            self.placed(s, numbers[0])
        else:
            self.taken(s, seat, numbers[0])
