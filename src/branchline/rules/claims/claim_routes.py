"""Claiming routes and paying for them (BASE-7), with every split that the rules allow.

A claim names a route and a colour: at least one card of that colour is played. The last choice of a
route, `wild`, plays no colour at all: locomotives, or substitutes, alone. Then comes how many
locomotives and sets of substitutes are played, and how many cards more than needed; then, card by
card in ascending order, what substitutes are made of.

The same cards are offered once. What they can be without sets is plain; with sets, locomotives go
to the spaces before any goes into a set, and of the colours of a gray route that could pay for the
spaces the first does (`room`). Only in a tunnel the colour played matters later (NO-5), so that
there the same cards are offered with each colour that they can be played as.
"""

from __future__ import annotations

from typing import Final

from branchline.core.board import GRAY, Board
from branchline.core.machine import i64, vec
from branchline.engine.events import EventKind
from branchline.engine.facts import (
    LOCOMOTIVES,
    LOCOMOTIVES_AND_SETS,
    SETS_ALONE,
    Action,
    Sentence,
    Values,
)
from branchline.engine.flow import TURN, claimed, paid
from branchline.engine.game import Game
from branchline.engine.layout import HIDDEN, column
from branchline.engine.outcome import Tally
from branchline.engine.rule import ON_SCORE, ON_TURN, PRIVATE, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.claims.facts import claim_facts, payment_facts, substitute_facts
from branchline.rules.claims.refusals import (
    pays_with_more,
    why_not_claim,
    why_not_payment,
    why_not_substitute,
)
from branchline.rules.claims.registers import (
    CLAIM,
    COLOUR,
    EXTRA,
    LEAST,
    LEFT,
    LOCOS,
    PAY,
    ROUTE,
    SETS,
    SUBSTITUTE,
)

# What `ClaimRoutes.facts_of` holds of a route.
LENGTH: Final = 255
BARRING: Final = 8
ROUTES: Final = 0xFFFF
FIRST: Final = 24


class ClaimRoutes(Rule):
    """Claims, payments and the points for routes (BASE-7, BASE-11)."""

    def __init__(self, cite: str, board: Board, points: list[int]) -> None:
        super().__init__("claim_routes", cite, 40, ON_TURN | ON_SCORE)
        n = len(board.routes)
        self.points: Final = column([0, *points])
        # Facts that other rules fill in while they declare.
        self.symbols: Final = column([0] * n)
        self.wild: Final = column([1] * n)
        self.set_size: Final = column([0] * n)
        self.tunnel: Final = column([int(r.tunnel) for r in board.routes])
        self.barring: Final = column(
            [r.twin for r in board.routes]
        )  # whoever owns that one may not
        # Of each route its length, the one that bars its owner (+ 1) and its first action.
        self.facts_of: Final = column([0] * n)
        self.cite_any_cards: str = cite
        self.longest: i64 = max([r.length for r in board.routes])
        self.game: Game | None = None
        self.event: EventKind | None = None
        self.colours: i64 = len(board.colours)
        self.base: vec[i64] = column([0] * n)
        self.route_of: vec[i64] = column([])
        self.colour_of: vec[i64] = column([])
        self.claim: i64 = 0
        self.pay: i64 = 0
        self.sets: i64 = 1
        self.extras: i64 = 1
        self.sub: i64 = 0
        self.pay_phase: i64 = 0
        self.sub_phase: i64 = 0
        self.open: i64 = 0
        self.open_n: i64 = 0
        self.buckets: i64 = 0
        self.bucket_of: vec[i64] = column([0] * n)
        self.bucket_start: vec[i64] = column([])
        self.bucket_colour: vec[i64] = column([])
        self.bucket_wild: vec[i64] = column([])
        self.routes_in_order: vec[i64] = column([])  # by bucket
        self.usable: vec[i64] = column([0] * (len(board.colours) + 1))

    # --- preparing ----------------------------------------------------------------------------

    def declare(self, game: Game) -> None:
        self.game = game
        routes = game.board.routes
        self.number_claims(game)
        extra: i64 = 0
        for rule in game.rules:
            extra = max(extra, rule.max_extra)
        most_sets: i64 = 0
        for r in routes:
            if self.set_size[r.index] > 0:
                most_sets = max(most_sets, r.length)
        self.sets = most_sets + 1
        self.extras = extra + 1
        self.pay = game.add_actions(self, PAY, (self.longest + extra + 1) * self.sets * self.extras)
        if most_sets > 0:
            self.sub = game.add_actions(self, SUBSTITUTE, game.layout.kinds)
        self.pay_phase = game.add_phase("pay", self, PRIVATE)
        self.sub_phase = game.add_phase("substitute", self, PRIVATE)
        self.event = game.add_event(self.index, 0, "RouteClaimed", "route points", reveals=False)
        self.fill_buckets(game)

    def number_claims(self, game: Game) -> None:
        route_of: list[int] = []
        colour_of: list[int] = []
        for r in game.board.routes:
            self.base[r.index] = len(route_of)
            colours = list(range(self.colours)) if r.colour == GRAY else [int(r.colour)]
            if self.wild[r.index] or self.set_size[r.index] > 0:
                colours.append(self.colours)
            route_of += [int(r.index)] * len(colours)
            colour_of += colours
        self.claim = game.add_actions(self, CLAIM, len(route_of))
        self.route_of = column(route_of)
        self.colour_of = column(colour_of)
        for r in game.board.routes:
            self.base[r.index] += self.claim

    def fill_buckets(self, game: Game) -> None:
        """Sort the routes into buckets that are paid alike, the short ones first.

        A bucket's colour is K for gray and K + 1 for routes that need a closer look.
        """
        k = self.colours
        keys: list[tuple[int, int]] = []
        for r in game.board.routes:
            special = self.symbols[r.index] > 0 or self.set_size[r.index] > 0
            colour = k + 1 if special else (k if r.colour == GRAY else int(r.colour))
            keys.append((colour, 1 if special else int(self.wild[r.index])))
        names = sorted(set(keys))
        starts: list[int] = []
        order: list[int] = []
        for name in names:
            starts.append(len(order))
            members = [i for i in range(len(keys)) if keys[i] == name]
            members.sort(key=lambda i: (game.board.routes[i].length, i))
            for i in members:
                self.bucket_of[i] = len(starts) - 1
            order += members
        self.buckets = len(names)
        self.routes_in_order = column(order)
        self.bucket_start = column([*starts, len(order)])
        self.bucket_colour = column([name[0] for name in names])
        self.bucket_wild = column([name[1] for name in names])
        self.open = game.layout.fields.add("open_routes", len(keys), HIDDEN)
        self.open_n = game.layout.fields.add("open_counts", len(names), HIDDEN)

    def link(self, game: Game) -> None:
        for r in game.board.routes:
            k = r.index
            barring = self.barring[k] + 1
            self.facts_of[k] = r.length + (barring << BARRING) + (self.base[k] << FIRST)

    def initial(self, d: vec[i64]) -> None:
        self.restore(d)

    def restore(self, d: vec[i64]) -> None:
        """The open routes are those without an owner."""
        assert self.game is not None
        owner: i64 = self.game.layout.owner
        b: i64 = 0
        while b < self.buckets:
            k: i64 = self.bucket_start[b]
            end: i64 = self.bucket_start[b + 1]
            at: i64 = self.open + k
            while k < end:
                route: i64 = self.routes_in_order[k]
                if d[owner + route] == 0:
                    d[at] = route
                    at += 1
                k += 1
            d[self.open_n + b] = at - self.open - self.bucket_start[b]
            while at < self.open + end:
                d[at] = 0
                at += 1
            b += 1

    def remove(self, s: State, route: i64) -> None:
        """The route can no longer be claimed by anyone."""
        d = s.d
        b: i64 = self.bucket_of[route]
        k: i64 = self.open + self.bucket_start[b]
        d[self.open_n + b] -= 1
        last: i64 = k + d[self.open_n + b]
        while d[k] != route:
            k += 1
        while k < last:
            d[k] = d[k + 1]
            k += 1
        d[last] = 0

    # --- which claims are possible --------------------------------------------------------------

    def turn_actions(self, s: State, seat: i64) -> None:
        d, t, buf = s.d, s.t, s.buf
        facts = self.facts_of
        colours: i64 = self.colours
        me: i64 = seat + 1
        owner: i64 = t.owner
        hand: i64 = t.hand + seat * t.kinds
        locos: i64 = d[hand + colours]
        trains: i64 = d[t.trains + seat]
        n: i64 = s.n
        b: i64 = 0
        buckets: i64 = self.buckets
        while b < buckets:
            count: i64 = d[self.open_n + b]
            if count > 0:
                k: i64 = self.open + self.bucket_start[b]
                wilds: i64 = locos
                if self.bucket_wild[b] == 0:
                    wilds = 0
                colour: i64 = self.bucket_colour[b]
                if colour >= colours:
                    s.n = n
                    if colour == colours:
                        self.gray(s, seat, k, count, hand, wilds, trains)
                    else:
                        self.special(s, seat, k, count, hand, locos, trains)
                    n = s.n
                else:
                    have: i64 = d[hand + colour]
                    reach: i64 = have + wilds
                    if reach > trains:
                        reach = trains
                    end: i64 = k + count
                    while k < end:
                        fact: i64 = facts[d[k]]
                        length: i64 = fact & LENGTH
                        if length > reach:
                            break
                        barring: i64 = fact >> BARRING & ROUTES
                        if barring == 0 or d[owner + barring - 1] != me:
                            if have > 0:
                                buf[n] = fact >> FIRST
                                n += 1
                            if wilds >= length:
                                buf[n] = (fact >> FIRST) + 1
                                n += 1
                        k += 1
            b += 1
        s.n = n

    def gray(
        self, s: State, seat: i64, at: i64, count: i64, hand: i64, wilds: i64, trains: i64
    ) -> None:
        d, t, buf, usable, facts = s.d, s.t, s.buf, self.usable, self.facts_of
        n: i64 = s.n
        seen: i64 = 0  # the length that the usable colours were found for
        m: i64 = 0
        k: i64 = at
        end: i64 = at + count
        while k < end:
            fact: i64 = facts[d[k]]
            length: i64 = fact & LENGTH
            if length > trains:
                break
            if length != seen:
                seen = length
                m = 0
                c: i64 = 0
                while c < self.colours:
                    have: i64 = d[hand + c]
                    if have > 0 and have + wilds >= length:
                        usable[m] = c
                        m += 1
                    c += 1
                if wilds >= length:
                    usable[m] = self.colours
                    m += 1
                if m == 0:
                    break
            barring: i64 = fact >> BARRING & ROUTES
            if barring == 0 or d[t.owner + barring - 1] != seat + 1:
                base: i64 = fact >> FIRST
                j: i64 = 0
                while j < m:
                    buf[n] = base + usable[j]
                    n += 1
                    j += 1
            k += 1
        s.n = n

    def special(
        self, s: State, seat: i64, at: i64, count: i64, hand: i64, locos: i64, trains: i64
    ) -> None:
        """Ferries, and routes where sets of cards may stand for one."""
        d, t = s.d, s.t
        cards: i64 = d[t.hand_size + seat]
        k: i64 = at
        end: i64 = at + count
        while k < end:
            r: i64 = d[k]
            fact: i64 = self.facts_of[r]
            length: i64 = fact & LENGTH
            if length > trains or length > cards:
                break
            size: i64 = self.set_size[r]
            barring: i64 = fact >> BARRING & ROUTES
            if (size > 0 or locos >= self.symbols[r]) and (
                barring == 0 or d[t.owner + barring - 1] != seat + 1
            ):
                wilds: i64 = locos
                if self.wild[r] == 0:
                    wilds = 0
                free: i64 = length - self.symbols[r]  # spaces that a colour may pay
                a: i64 = fact >> FIRST
                c: i64 = t.colour[r]
                last: i64 = c
                if c == GRAY:
                    c = 0
                    last = self.colours - 1
                while c <= last:
                    x: i64 = d[hand + c]
                    if x > free:
                        x = free
                    if x > 0 and (
                        x + wilds >= length or (size > 0 and self.reaches(s, seat, r, c, x, wilds))
                    ):
                        s.put(a)
                    a += 1
                    c += 1
                if wilds >= length or (
                    size > 0 and self.reaches(s, seat, r, self.colours, 0, wilds)
                ):
                    s.put(a)
            k += 1

    def reaches(self, s: State, seat: i64, r: i64, colour: i64, x: i64, wilds: i64) -> bool:
        """Whether x cards of a colour, locomotives and sets can pay for a route.

        With fewer cards of the colour or fewer locomotives, more would have to go into sets.
        """
        due: i64 = s.t.length[r] - x - wilds
        if due <= 0:
            return True
        size: i64 = self.set_size[r]
        if size == 0 or s.d[s.t.hand_size + seat] - x - wilds < size * due:
            return False
        if x == 0 or s.t.colour[r] != GRAY:
            return True
        return self.in_sets(s, seat, r, colour, x, wilds) >= size * due

    def in_sets(self, s: State, seat: i64, r: i64, colour: i64, x: i64, y: i64) -> i64:
        """How many cards may go into sets, next to x cards of the colour and y locomotives."""
        n: i64 = 0
        kind: i64 = 0
        while kind <= self.colours:
            n += self.room(s, seat, r, colour, x, y, kind)
            kind += 1
        return n

    def room(self, s: State, seat: i64, r: i64, colour: i64, x: i64, y: i64, kind: i64) -> i64:
        """How many cards of a kind may go into sets, next to x of the colour and y locomotives.

        The rest would be the same cards as another payment, which is the one that is offered.
        """
        t = s.t
        have: i64 = s.d[t.hand + seat * t.kinds + kind]
        if kind == self.colours:
            if self.wild[r] == 0:
                return have
            # While a colour pays for a space, a locomotive can take its place.
            return 0 if x > self.tunnel[r] else have - y
        if kind == colour:
            return have - x
        if x > 0 and kind < colour and t.colour[r] == GRAY and self.tunnel[r] == 0:
            # With x cards of an earlier colour, that one could pay for the spaces.
            return min(have, x - 1)
        return have

    # --- payments -----------------------------------------------------------------------------

    def legal(self, s: State, seat: i64) -> None:
        if s.d[s.t.phase] == self.sub_phase:
            self.substitutes(s, seat)
        else:
            self.payments(s, seat)

    def payments(self, s: State, seat: i64) -> None:
        """Put every split of the claim's payment."""
        d, t = s.d, s.t
        r: i64 = d[t.reg + ROUTE]
        colour: i64 = d[t.reg + COLOUR]
        hand: i64 = t.hand + seat * t.kinds
        have: i64 = 0
        if colour < self.colours:
            have = d[hand + colour]
        locos: i64 = 0
        if self.wild[r] == 1:
            locos = d[hand + t.loco]
        size: i64 = self.set_size[r]
        extra: i64 = 0
        while extra < self.extras:
            need: i64 = t.length[r] + extra
            if extra > 0 and size == 0 and need > have + locos:
                return
            if extra > 0 and not self.may_overpay(s, seat, r, extra):
                extra += 1
                continue
            z: i64 = 0
            while z == 0 or (size > 0 and z <= need):
                y: i64 = 0
                while y <= locos and y + z <= need:
                    x: i64 = need - y - z
                    if (
                        x <= have
                        and (x > 0 or colour == self.colours)
                        and y + z >= self.symbols[r]
                        and (z == 0 or self.in_sets(s, seat, r, colour, x, y) >= size * z)
                    ):
                        s.put(self.pay + (y * self.sets + z) * self.extras + extra)
                    y += 1
                z += 1
            extra += 1

    def may_overpay(self, s: State, seat: i64, r: i64, extra: i64) -> bool:
        assert self.game is not None
        for rule in self.game.overpay_rules:
            if rule.overpay(s, seat, r, extra):
                return True
        return False

    def substitutes(self, s: State, seat: i64) -> None:
        """Put the kinds that the next substitute may be of, so that the others can follow."""
        d, t = s.d, s.t
        kind: i64 = t.kinds - 1
        above: i64 = 0
        first: i64 = t.kinds
        while kind >= d[t.reg + LEAST]:
            above += self.left_for_sets(s, seat, kind)
            if above >= d[t.reg + LEFT]:
                first = d[t.reg + LEAST]
                break
            kind -= 1
        last: i64 = kind
        kind = first
        while kind <= last:
            if self.left_for_sets(s, seat, kind) > 0:
                s.put(self.sub + kind)
            kind += 1

    def left_for_sets(self, s: State, seat: i64, kind: i64) -> i64:
        """How many more cards of a kind may go into the sets of the payment under way."""
        d, t = s.d, s.t
        r: i64 = d[t.reg + ROUTE]
        colour: i64 = d[t.reg + COLOUR]
        y: i64 = d[t.reg + LOCOS]
        x: i64 = t.length[r] + d[t.reg + EXTRA] - y - d[t.reg + SETS]
        used: i64 = d[t.laid + kind]
        if kind == t.loco:
            used -= y
        elif kind == colour:
            used -= x
        return self.room(s, seat, r, colour, x, y, kind) - used

    def apply(self, s: State, seat: i64, action: i64) -> None:
        d, t = s.d, s.t
        assert self.game is not None
        kind: i64 = self.game.action_kinds[action]
        if kind == CLAIM:
            d[t.used] = 1
            d[t.reg + ROUTE] = self.route_of[action - self.claim]
            d[t.reg + COLOUR] = self.colour_of[action - self.claim]
            s.ask(self.pay_phase, self.game.turn_bit[seat])
        elif kind == PAY:
            self.lay(s, seat, action - self.pay)
        else:
            card: i64 = action - self.sub
            d[t.laid + card] += 1
            d[t.reg + LEFT] -= 1
            d[t.reg + LEAST] = card
            self.laid(s, seat)

    def lay(self, s: State, seat: i64, code: i64) -> None:
        """Lay down the cards of a payment, but for the substitutes."""
        d, t = s.d, s.t
        r: i64 = d[t.reg + ROUTE]
        extra: i64 = code % self.extras
        z: i64 = code // self.extras % self.sets
        y: i64 = code // (self.extras * self.sets)
        d[t.reg + LOCOS] = y
        d[t.reg + SETS] = z
        d[t.reg + EXTRA] = extra
        d[t.reg + LEFT] = z * self.set_size[r]
        d[t.laid + d[t.reg + COLOUR]] += t.length[r] + extra - y - z
        d[t.laid + t.loco] += y
        self.laid(s, seat)

    def laid(self, s: State, seat: i64) -> None:
        """Go on when all cards are laid down; else ask for the next."""
        if s.d[s.t.reg + LEFT] > 0:
            assert self.game is not None
            s.ask(self.sub_phase, self.game.turn_bit[seat])
        elif not paid(s, seat):
            self.complete(s, seat)

    def complete(self, s: State, seat: i64) -> None:
        """The claim goes through: the cards are discarded, the trains placed."""
        route: i64 = s.d[s.t.reg + ROUTE]
        s.played(seat)
        self.claimed_by(s, seat, route)
        claimed(s, seat, route)

    def claimed_by(self, s: State, seat: i64, route: i64) -> None:
        d, t = s.d, s.t
        length: i64 = t.length[route]
        d[t.owner + route] = seat + 1
        s.touch(t.owner + route)
        d[t.trains + seat] -= length
        d[t.points + seat] += self.points[length]
        self.remove(s, route)
        if s.log is not None and self.event is not None:
            s.log.add(self.event, seat, [route, self.points[length]])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        self.claimed_by(s, seat, numbers[0])

    def score(self, s: State, tally: Tally) -> None:
        for seat in range(tally.seats):
            tally.add(seat, "BASE-11", "routes", s.d[s.t.points + seat], 0)

    # --- refusals -----------------------------------------------------------------------------

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        d, t = s.d, s.t
        assert self.game is not None
        kind = self.game.action_kinds[action]
        if kind == CLAIM and d[t.phase] == TURN:
            return why_not_claim(self, s, seat, action)
        if kind == PAY and d[t.phase] == self.pay_phase:
            code = action - self.pay
            extra = code % self.extras
            if extra == 0 and pays_with_more(self, s, seat, code):
                return Refusal(self.cite_of("substitutes"), "same_cards")
            locos, sets = code // (self.extras * self.sets), code // self.extras % self.sets
            return why_not_payment(self, s, seat, locos, sets, extra)
        if kind == SUBSTITUTE and d[t.phase] == self.sub_phase:
            card = action - self.sub
            return why_not_substitute(s, seat, card, d[t.reg + LEAST], d[t.reg + LEFT])
        return None

    def cite_of(self, name: str) -> str:
        assert self.game is not None
        rule = self.game.rule_named(name)
        return rule.cite if rule is not None else self.cite

    # --- facts ----------------------------------------------------------------------------------

    def route_facts(self, route: i64) -> Values:
        """Its points, and how it may be paid for.

        `wild` is 1 if locomotives may pay for it, `set_size` the size of a set of substitutes,
        `no_colour` what a claim without a colour plays.
        """
        wild, size = int(self.wild[route]), int(self.set_size[route])
        no_colour = LOCOMOTIVES
        if size > 0:
            no_colour = LOCOMOTIVES_AND_SETS if wild == 1 else SETS_ALONE
        points = self.points_of(route)
        return {"points": points, "wild": wild, "set_size": size, "no_colour": no_colour}

    def points_of(self, route: i64) -> int:
        """What claiming a route scores."""
        assert self.game is not None
        return int(self.points[self.game.layout.length[route]])

    def components(self) -> list[Sentence]:
        assert self.game is not None
        return [Sentence("trains", {"count": self.game.board.trains})]

    def facts(self, action: i64, view: View | None) -> Action:
        assert self.game is not None
        kind = self.game.action_kinds[action]
        if kind == CLAIM:
            return claim_facts(self, action)
        if kind == SUBSTITUTE:
            return substitute_facts(self, action, view)
        return payment_facts(self, action, view)

    def question(self, view: View) -> Sentence | None:
        key = "substitute" if view.one("phase") == self.sub_phase else "pay"
        return Sentence(key, {"whole_route": view["registers"][ROUTE]})

    def write(self, action: i64) -> str:
        game = self.game
        assert game is not None
        kind = game.action_kinds[action]
        if kind == CLAIM:
            r = self.route_of[action - self.claim]
            colour = game.colour_text(self.colour_of[action - self.claim])
            return f"claim {game.route_text(r)} {colour}"
        if kind == SUBSTITUTE:
            return f"substitute {game.card_name(action - self.sub)}"
        code = action - self.pay
        parts = [f"pay {code // (self.extras * self.sets)}"]
        if self.sets > 1:
            parts.append(f"sets {code // self.extras % self.sets}")
        if self.extras > 1:
            parts.append(f"extra {code % self.extras}")
        return " ".join(parts)


def claims_of(game: Game) -> ClaimRoutes:
    """The game's rule for claims, which every board has."""
    rule = game.rule_named("claim_routes")
    assert isinstance(rule, ClaimRoutes)
    return rule
