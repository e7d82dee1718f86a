"""The Province mat: trains beside the board that compete for the lines (KR-5 to KR-8, RU-10)."""

from __future__ import annotations

from typing import Final

from branchline.core.board import GRAY, Board
from branchline.core.machine import i64, vec
from branchline.engine.events import EventKind
from branchline.engine.game import Game
from branchline.engine.outcome import Tally, Values
from branchline.engine.rule import ON_CLAIM, ON_OVERPAY, ON_SCORE, ON_VIEW, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.table import PUBLIC, column
from branchline.rules.claims.claim_routes import ROUTE
from branchline.rules.express_cards.rule import ExpressCards

SKIP: Final = 0
PLACE: Final = 1


class ProvinceMat(Rule):
    """After a claim the player may place one more train on a line of the mat."""

    def __init__(
        self,
        cite: str,
        board: Board,
        colours: list[str],
        spots: list[list[int]],
        scoring: list[list[int]],
    ) -> None:
        super().__init__("province_mat", cite, 60, ON_CLAIM | ON_OVERPAY | ON_SCORE | ON_VIEW)
        self.lines: Final[i64] = len(colours)
        self.width: Final[i64] = max([len(line) for line in spots])
        self.line_of: Final[vec[i64]] = column([-1] * len(board.colours))
        for line in range(len(colours)):
            self.line_of[board.colours.index(colours[line])] = line
        self.spots: Final = spots
        self.value: Final[vec[i64]] = column([0] * (self.lines * self.width))
        for line in range(len(spots)):
            for k in range(len(spots[line])):
                self.value[line * self.width + k] = spots[line][k]
        self.scoring: Final = scoring  # by number of seats
        self.max_extra = max([max(line) for line in spots]) - 1
        self.game: Game | None = None
        self.express: ExpressCards | None = None
        self.strengths: i64 = 1  # no Express card, or one of so many
        self.mat: i64 = 0
        self.skip: i64 = 0
        self.place: i64 = 0
        self.phase: i64 = 0
        self.event: EventKind | None = None

    def declare(self, game: Game) -> None:
        self.game = game
        rule = game.rule_named("express_cards")
        if rule is not None:
            assert isinstance(rule, ExpressCards)
            self.express = rule
            self.strengths = 1 + rule.count
        self.mat = game.table.layout.add("mat", self.lines * self.width, PUBLIC)
        self.skip = game.add_actions(self, SKIP, 1)
        self.place = game.add_actions(self, PLACE, self.lines * self.strengths)
        self.phase = game.add_phase("mat", self)
        self.event = game.add_event(self.index, 0, "TrainPlacedOnMat", "line spot value")

    def link(self, game: Game) -> None:
        game.add_view_part(self, "mat_ranks", self.lines * game.seats, PUBLIC)

    def best_spot(self, s: State, line: i64, value: i64) -> i64:
        """The place of the highest free spot up to the value, or -1."""
        k: i64 = self.width - 1
        at: i64 = line * self.width
        while k >= 0:
            spot: i64 = self.value[at + k]
            if spot > 0 and spot <= value and s.d[self.mat + at + k] == 0:
                return k
            k -= 1
        return -1

    def serves(self, s: State, route: i64, line: i64) -> bool:
        """Whether a claim of this route lets a train go to the line."""
        colour: i64 = s.t.colour[route]
        return colour == GRAY or self.line_of[colour] == line

    def strength(self, s: State, seat: i64, express: i64) -> i64:
        """What an Express card adds (0: none is spent), or -1 if the seat can't spend it now."""
        if express == 0:
            return 0
        if self.express is None or not self.express.ready(s, seat, express - 1):
            return -1
        return self.express.values[express - 1]

    def lifts(self, s: State, seat: i64, line: i64, value: i64, express: i64) -> bool:
        """Whether an Express card puts the train higher than none or a lower card would (KR-7)."""
        more: i64 = self.strength(s, seat, express)
        if more < 0:
            return False
        spot: i64 = self.best_spot(s, line, value + more)
        lower: i64 = 0
        while lower < self.strengths:
            less: i64 = self.strength(s, seat, lower)
            weaker = less < more or (less == more and lower < express)
            if less >= 0 and weaker and self.best_spot(s, line, value + less) >= spot:
                return False
            lower += 1
        return spot >= 0

    def cards_played(self, s: State) -> i64:
        n: i64 = 0
        kind: i64 = 0
        while kind < s.t.kinds:
            n += s.d[s.t.laid + kind]
            kind += 1
        return n

    def overpay(self, s: State, seat: i64, route: i64, extra: i64) -> bool:
        """Whether the last extra card lifts the train, alone or with an Express card (KR-6).

        Fewer cards never reach a higher spot, so that one card less stands for all smaller
        payments.
        """
        t = s.t
        if s.d[t.trains + seat] <= t.length[route]:
            return False
        played: i64 = t.length[route] + extra
        line: i64 = 0
        while line < self.lines:
            if self.serves(s, route, line):
                express: i64 = 0
                while express < self.strengths:
                    value: i64 = played + self.strength(s, seat, express)
                    if value >= played and (
                        self.best_spot(s, line, value) > self.best_spot(s, line, value - 1)
                    ):
                        return True
                    express += 1
            line += 1
        return False

    def options(self, s: State, seat: i64, route: i64) -> None:
        """Put every way to place a train."""
        played: i64 = self.cards_played(s)
        line: i64 = 0
        while line < self.lines:
            if self.serves(s, route, line):
                express: i64 = 0
                while express < self.strengths:
                    if self.lifts(s, seat, line, played, express):
                        s.put(self.place + line * self.strengths + express)
                    express += 1
            line += 1

    def claimed(self, s: State, seat: i64, route: i64) -> bool:
        if s.d[s.t.trains + seat] == 0:
            return False
        n: i64 = s.n
        self.options(s, seat, route)
        found = s.n > n
        s.n = n
        if found:
            assert self.game is not None
            s.ask(self.phase, self.game.turn_bit[seat])
        return found

    def legal(self, s: State, seat: i64) -> None:
        s.put(self.skip)
        self.options(s, seat, s.d[s.t.reg + ROUTE])

    def apply(self, s: State, seat: i64, action: i64) -> None:
        if action != self.skip:
            line: i64 = (action - self.place) // self.strengths
            express: i64 = (action - self.place) % self.strengths
            value: i64 = self.cards_played(s) + self.strength(s, seat, express)
            if express > 0 and self.express is not None:
                self.express.spent(s, seat, express - 1)
            self.placed(s, seat, line, self.best_spot(s, line, value))
        assert self.game is not None
        self.game.claimed(s, seat, s.d[s.t.reg + ROUTE])

    def placed(self, s: State, seat: i64, line: i64, spot: i64) -> None:
        at: i64 = line * self.width + spot
        s.d[self.mat + at] = seat + 1
        s.d[s.t.trains + seat] -= 1
        if s.log is not None and self.event is not None:
            s.log.add(self.event, seat, [line, spot, self.value[at]])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        self.placed(s, seat, numbers[0], numbers[1])

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        if s.d[s.t.phase] != self.phase or action == self.skip:
            return None
        line = (action - self.place) // self.strengths
        express = (action - self.place) % self.strengths
        if not self.serves(s, s.d[s.t.reg + ROUTE], line):
            return Refusal(self.cite, "other_line", {"line": line})
        if self.strength(s, seat, express) < 0 and self.express is not None:
            value = self.express.values[express - 1]
            return Refusal(self.express.cite, "express_spent", {"value": value})
        value = self.cards_played(s) + self.strength(s, seat, express)
        if express > 0 and self.best_spot(s, line, value) >= 0 and self.express is not None:
            raised = {"value": self.express.values[express - 1], "line": line}
            return Refusal("KR-7", "express_no_higher", raised)
        return Refusal("RU-10", "no_free_spot", {"line": line, "value": value})

    def score(self, s: State, tally: Tally) -> None:
        """What each seat's rank on each line brings (KR-8)."""
        points = self.scoring[tally.seats]
        for line in range(self.lines):
            for seat in range(tally.seats):
                rank: i64 = self.rank(s, line, seat)
                if rank == 0 or rank > len(points):
                    continue
                values: Values | None = None
                if tally.lines is not None:
                    values = {
                        "rank": int(rank),
                        "sum": int(self.sum_on(s, line, seat)),
                        "highest": int(self.highest_on(s, line, seat)),
                    }
                tally.add(seat, "KR-8", "province_line", points[rank - 1], line, values)

    def sum_on(self, s: State, line: i64, seat: i64) -> i64:
        """The sum of a seat's spots on a line."""
        total: i64 = 0
        at: i64 = line * self.width
        end: i64 = at + self.width
        while at < end:
            if s.d[self.mat + at] == seat + 1:
                total += self.value[at]
            at += 1
        return total

    def highest_on(self, s: State, line: i64, seat: i64) -> i64:
        """A seat's highest spot on a line; the spots rise."""
        k: i64 = self.width - 1
        at: i64 = line * self.width
        while k >= 0:
            if s.d[self.mat + at + k] == seat + 1:
                return self.value[at + k]
            k -= 1
        return 0

    def rank(self, s: State, line: i64, seat: i64) -> i64:
        """A seat's rank on a line, by its sum, then by its highest spot; 0: no train there."""
        mine: i64 = self.sum_on(s, line, seat)
        if mine == 0:
            return 0
        rank: i64 = 1
        other: i64 = 0
        while other < s.t.seats:
            theirs: i64 = self.sum_on(s, line, other)
            if theirs > mine or (
                theirs == mine and self.highest_on(s, line, other) > self.highest_on(s, line, seat)
            ):
                rank += 1
            other += 1
        return rank

    def view(self, s: State, seat: i64, out: vec[i64], at: i64) -> None:
        """Everyone's rank on every line, as it stands now."""
        line: i64 = 0
        while line < self.lines:
            other: i64 = 0
            while other < s.t.seats:
                out[at] = self.rank(s, line, other)
                at += 1
                other += 1
            line += 1

    def write(self, action: i64) -> str:
        if action == self.skip:
            return "mat none"
        assert self.game is not None
        line = (action - self.place) // self.strengths
        express = (action - self.place) % self.strengths
        colour = list(self.line_of).index(line)
        text = f"mat {self.game.card_name(colour)}"
        if express > 0 and self.express is not None:
            text += f" express {self.express.values[express - 1]}"
        return text
