"""The Province mat: trains next to the board that compete for the lines (KR-5 to KR-8, RU-10)."""

from __future__ import annotations

from typing import Final

from branchline.core.board import GRAY, Board
from branchline.core.machine import i64, vec
from branchline.engine.events import EventKind
from branchline.engine.facts import Action, Chart, Item, Part, Row, Sentence, Thing, Values
from branchline.engine.flow import claimed
from branchline.engine.game import Game
from branchline.engine.layout import MAX_SEATS, OWNING, PUBLIC, TOUCHED, column
from branchline.engine.outcome import Tally
from branchline.engine.position import Position
from branchline.engine.rule import (
    AFTER_CLAIM,
    ON_CLAIM,
    ON_OVERPAY,
    ON_SCORE,
    ON_VALUE,
    ON_VIEW,
    Refusal,
    Rule,
)
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.claims.registers import ROUTE
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
        names: list[dict[str, str]],
        spots: list[list[int]],
        scoring: list[list[int]],
    ) -> None:
        super().__init__(
            "province_mat", cite, 60, ON_CLAIM | ON_OVERPAY | ON_SCORE | ON_VIEW | ON_VALUE
        )
        self.claims_vary = True
        self.lines: Final[i64] = len(colours)
        self.width: Final[i64] = max([len(line) for line in spots])
        self.line_of: Final[vec[i64]] = column([-1] * len(board.colours))
        for line in range(len(colours)):
            self.line_of[board.colours.index(colours[line])] = line
        self.colours: Final = [int(board.colours.index(colour)) for colour in colours]
        self.names: Final = names
        self.spots: Final = spots
        self.value: Final[vec[i64]] = column([0] * (self.lines * self.width))
        # Of the line that was added up last, by seat.
        self.sums: Final = column([0] * MAX_SEATS)
        self.highest: Final = column([0] * MAX_SEATS)
        self.seen: Final = column([0] * MAX_SEATS)  # the sums of the line that a bot looks at
        for line in range(len(spots)):
            for k in range(len(spots[line])):
                self.value[line * self.width + k] = spots[line][k]
        self.scoring: Final = scoring  # by number of seats
        # By line and length of route, what a train on it would bring; the last row: of all lines.
        self.longest: Final[i64] = max([route.length for route in board.routes])
        self.best: Final = vec[float]([0.0] * ((len(colours) + 1) * (self.longest + 1)))
        self.headline = 5
        self.train_bonus = 35
        self.max_extra = max([max(line) for line in spots]) - 1
        self.game: Game | None = None
        self.express: ExpressCards | None = None
        self.strengths: i64 = 1  # no Express card, or one of several
        self.mat: i64 = 0
        self.mark: i64 = 0
        self.mat_seen: i64 = 0  # where views show it
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
        fields = game.layout.fields
        self.mark = fields.new_mark()
        spots = self.lines * self.width
        self.mat = fields.add("mat", spots, PUBLIC, game.seats, OWNING, mark=TOUCHED)
        self.skip = game.add_actions(self, SKIP, 1)
        self.place = game.add_actions(self, PLACE, self.lines * self.strengths)
        self.phase = game.add_phase("mat", self, AFTER_CLAIM)
        lines = [Thing([], self.names[k], self.colours[k]) for k in range(self.lines)]
        game.add_things("line", lines)
        game.score_subjects["province_line"] = "line"
        self.event = game.add_event(
            self.index, 0, "TrainPlacedOnMat", "line spot value", reveals=False
        )

    def link(self, game: Game) -> None:
        ranks = self.lines * game.seats
        game.add_view_part(self, "mat_ranks", ranks, PUBLIC, game.seats, width=1, mark=self.mark)
        self.mat_seen = game.view_fields["mat"].offset

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
        claimed(s, seat, s.d[s.t.reg + ROUTE])

    def placed(self, s: State, seat: i64, line: i64, spot: i64) -> None:
        at: i64 = line * self.width + spot
        s.changed |= self.mark
        s.d[self.mat + at] = seat + 1
        s.touch(self.mat + at)
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
            self.add_up(s, line)
            for seat in range(tally.seats):
                rank: i64 = self.rank(tally.seats, seat)
                if rank == 0 or rank > len(points):
                    continue
                values: Values | None = None
                if tally.lines is not None:
                    values = {
                        "rank": int(rank),
                        "sum": int(self.sums[seat]),
                        "highest": int(self.highest[seat]),
                    }
                tally.add(seat, "KR-8", "province_line", points[rank - 1], line, values)

    def add_up(self, s: State, line: i64) -> None:
        """Find the sum and the highest spot of every seat on a line."""
        d, sums, highest = s.d, self.sums, self.highest
        seat: i64 = 0
        while seat < s.t.seats:
            sums[seat] = 0
            highest[seat] = 0
            seat += 1
        at: i64 = line * self.width
        end: i64 = at + self.width
        while at < end:
            seat = d[self.mat + at] - 1
            if seat >= 0:
                sums[seat] += self.value[at]
                highest[seat] = self.value[at]  # the spots rise
            at += 1

    def rank(self, seats: i64, seat: i64) -> i64:
        """A seat's rank on the line, by its sum, then by its highest spot; 0: no train there."""
        sums, highest = self.sums, self.highest
        mine: i64 = sums[seat]
        if mine == 0:
            return 0
        rank: i64 = 1
        other: i64 = 0
        while other < seats:
            if sums[other] > mine or (sums[other] == mine and highest[other] > highest[seat]):
                rank += 1
            other += 1
        return rank

    def view(self, s: State, seat: i64, out: vec[i64], at: i64) -> None:
        """Everyone's rank on every line, as it stands now."""
        line: i64 = 0
        while line < self.lines:
            self.add_up(s, line)
            other: i64 = 0
            while other < s.t.seats:
                out[at] = self.rank(s.t.seats, other)
                at += 1
                other += 1
            line += 1

    # --- facts ----------------------------------------------------------------------------------

    def facts(self, action: i64, view: View | None) -> Action:
        notation = self.write(action)
        if action == self.skip:
            return Action(action, "mat_none", notation, lasting=True)
        line = int((action - self.place) // self.strengths)
        card = (action - self.place) % self.strengths
        express = int(self.express.values[card - 1]) if card > 0 and self.express is not None else 0
        values: Values = {"line": line, "express": express}
        if view is not None:
            spot = self.spot_at(view, line, sum(view["laid"]) + express)
            values["spot"] = spot
            if view.seat >= 0:
                values["rank"], values["gain"] = self.stake(view, line, spot)
        return Action(action, "mat", notation, values, "mat_express" if express else "mat")

    def question(self, view: View) -> Sentence | None:
        return Sentence("mat")

    def owners(self, view: View, line: int) -> list[int]:
        """Whose train stands on each spot of a line: seat + 1, or 0."""
        width = int(self.width)
        return view["mat"][line * width : (line + 1) * width]

    def spot_at(self, view: View, line: int, value: int) -> int:
        """The highest free spot of a line up to a value; 0: none."""
        owners = self.owners(view, line)
        best = 0
        for k, spot in enumerate(self.spots[line]):
            if spot <= value and owners[k] == 0:
                best = max(best, spot)
        return best

    def stake(self, view: View, line: int, spot: int) -> tuple[int, int]:
        """The rank that one more train on a spot brings the viewer, and the points it adds now."""
        seats, seat = view.game.seats, view.seat
        owners = self.owners(view, line)
        sums = [(0, 0)] * seats  # by seat, the sum and the highest spot
        for k, worth in enumerate(self.spots[line]):
            if owners[k]:
                total, _ = sums[owners[k] - 1]
                sums[owners[k] - 1] = (total + worth, worth)  # the spots rise
        points = [*self.scoring[seats], *[0] * seats]
        before = view["mat_ranks"][line * seats + seat]
        mine = (sums[seat][0] + spot, max(sums[seat][1], spot))
        rank = 1 + sum([other != seat and sums[other] > mine for other in range(seats)])
        return rank, points[rank - 1] - (points[before - 1] if before else 0)

    def standings(self, view: View, line: int) -> list[Part]:
        """Those with a train on a line, first to last: the sum and what it scores now."""
        seats = view.game.seats
        points = self.scoring[seats]
        ranks = view["mat_ranks"][line * seats : (line + 1) * seats]
        owners = self.owners(view, line)
        found: list[Part] = []
        for rank, seat in sorted([(ranks[seat], seat) for seat in range(seats) if ranks[seat]]):
            mine = [spot for k, spot in enumerate(self.spots[line]) if owners[k] == seat + 1]
            worth = points[rank - 1] if rank <= len(points) else 0
            values: Values = {"number": seat + 1, "sum": sum(mine), "points": worth}
            found.append(Part(sentence=Sentence("board.chart.standing", values), seat=seat))
        return found

    def rows(self, view: View) -> list[Row]:
        """The lines with trains, who stands there, with which sum, and what that scores now."""
        items: list[Item] = []
        for line in range(self.lines):
            found = self.standings(view, line)
            if found:
                item = [Part(" ", colour=self.colours[line])]
                for k in range(len(found)):
                    item += [found[k]] if k == 0 else [Part(" "), found[k]]
                items.append(item)
        return [Row("mat", items)] if items else []

    def charts(self, game: Game, view: View | None) -> list[Chart]:
        """Every line with its spots: who stands on which, and what that is worth now."""
        rows: list[list[Item]] = []
        for line in range(self.lines):
            spots: Item = []
            owners = self.owners(view, line) if view is not None else [0] * self.width
            for k, spot in enumerate(self.spots[line]):
                owner = owners[k]
                text = f"{spot}#{owner} " if owner else f"{spot} "
                spots.append(Part(text, seat=owner - 1, strong=owner > 0))
            row: list[Item] = [[Part(thing="line_name", number=line, colour=self.colours[line])]]
            row.append(spots)
            if view is not None:
                standing: Item = []
                for part in self.standings(view, line):
                    standing += [part] if not standing else [Part("  "), part]
                row.append(standing)
            rows.append(row)
        headings = ["line", "spots"] if view is None else ["line", "spots", "standing"]
        below = [Sentence("board.chart.ranks")]
        for seats in range(1, len(self.scoring)):
            points = self.scoring[seats]
            if points and (view is None or seats == view.game.seats):
                below.append(Sentence("board.chart.places", {"count": seats, "list": points}))
        return [Chart(self.name, headings, rows, below)]

    # --- what bots should know --------------------------------------------------------------------

    def claim_values(self, p: Position, worth: vec[float]) -> None:
        """Look at each line once, and at the spot that each length of route can reach."""
        t, best, longest = p.t, self.best, self.longest
        width: i64 = longest + 1
        k: i64 = 0
        while k < len(best):
            best[k] = 0.0
            k += 1
        line: i64 = 0
        while line < self.lines:
            self.add_up_seen(p, line)
            spot: i64 = 0
            gain: float = 0.0
            length: i64 = 1
            while length <= longest and length < p.trains:
                free: i64 = self.free_spot(p, line, length)
                if free > spot:
                    spot = free
                    gain = self.spot_gain(p, spot)
                if gain > 0.0:
                    best[line * width + length] = gain
                    if gain > best[self.lines * width + length]:
                        best[self.lines * width + length] = gain
                length += 1
            line += 1
        r: i64 = 0
        while r < t.routes:
            if p.open[r] == 1:
                line = self.lines if t.colour[r] == GRAY else self.line_of[t.colour[r]]
                if line >= 0:
                    worth[r] += best[line * width + t.length[r]]
            r += 1

    def payment_value(self, p: Position, route: i64, cards: i64) -> float:
        if p.trains <= p.t.length[route]:
            return 0.0
        return max(0.0, self.best_line(p, route, cards))

    def action_value(self, p: Position, action: i64) -> float:
        """A way to place a train, or not to."""
        if action == self.skip:
            return 0.0
        line: i64 = (action - self.place) // self.strengths
        express: i64 = (action - self.place) % self.strengths
        value: i64 = 0
        for kind in range(p.t.kinds):
            value += p.data[p.at("laid") + kind]
        price: float = 0.0
        if express > 0 and self.express is not None:
            strength: i64 = self.express.values[express - 1]
            value += strength
            price = 0.8 * float(strength) * min(1.0, 0.3 + p.turns_left / 20.0)
        return self.line_gain(p, line, value) - price

    def best_line(self, p: Position, route: i64, value: i64) -> float:
        """The best that a claim of the route can do here without an Express card."""
        best: float = -5.0
        for line in range(self.lines):
            if p.t.colour[route] == GRAY or self.line_of[p.t.colour[route]] == line:
                best = max(best, self.line_gain(p, line, value))
        return best

    def line_gain(self, p: Position, line: i64, value: i64) -> float:
        """What a train on the best free spot up to the value would change on a line, in points."""
        spot: i64 = self.free_spot(p, line, value)
        if spot == 0:
            return -5.0
        self.add_up_seen(p, line)
        return self.spot_gain(p, spot)

    def free_spot(self, p: Position, line: i64, value: i64) -> i64:
        """The points of the best free spot of a line up to the value; 0 if there is none."""
        data, values = p.data, self.value
        spot: i64 = 0
        k: i64 = line * self.width
        end: i64 = k + self.width
        while k < end:
            if data[self.mat_seen + k] == 0 and values[k] <= value and values[k] > spot:
                spot = values[k]
            k += 1
        return spot

    def add_up_seen(self, p: Position, line: i64) -> None:
        """Add up each seat's spots on a line, as a view shows it."""
        data, seen = p.data, self.seen
        seat: i64 = 0
        while seat < p.seats:
            seen[seat] = 0
            seat += 1
        k: i64 = line * self.width
        end: i64 = k + self.width
        while k < end:
            owner: i64 = data[self.mat_seen + k]
            if 0 < owner <= p.seats:
                seen[owner - 1] += self.value[k]
            k += 1

    def spot_gain(self, p: Position, spot: i64) -> float:
        """What a train on a spot would change on the line that was added up, in points."""
        seen = self.seen
        mine: i64 = seen[p.seat]
        scoring = self.scoring[p.seats]
        lead: i64 = mine + spot
        ahead: i64 = 0  # who stands as high now, and with the train
        ahead_then: i64 = 0
        seat: i64 = 0
        while seat < p.seats:
            if seat != p.seat:
                theirs: i64 = seen[seat]
                if theirs >= mine:
                    ahead += 1
                if theirs >= mine + spot:
                    ahead_then += 1
                if mine + spot - theirs < lead:
                    lead = mine + spot - theirs
            seat += 1
        before: float = 0.0
        if mine > 0 and ahead < len(scoring):
            before = float(scoring[ahead])
        after: float = 0.0
        if ahead_then < len(scoring):
            after = float(scoring[ahead_then])
        # A lead counts more when little time is left to lose it, and when it is large.
        late: float = max(0.0, 1.0 - p.turns_left / 25.0)
        safe: float = min(1.0, 0.25 + 0.5 * late + 0.06 * float(max(lead, 0)))
        rivals: float = 1.4 if p.seats == 2 else 1.15
        return (after - before) * safe * rivals + 0.12 * float(spot) - 0.9

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
