"""How a seat could pay for a route, at its turn or as if it were its turn.

The engine itself is asked, on a copy of the state in which the seat's turn begins. So there is one
implementation of payments, and whatever it offers can be sent as the actions of a claim. Nothing
is read that the seat may not know: a step that turns up hidden cards is tried, but what it has
turned up is not looked at.
"""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.engine.events import Log
from branchline.engine.rule import ALWAYS_ASK, TOGETHER, Refusal
from branchline.engine.state import OVER, State
from branchline.rules.claims import ClaimRoutes, claims_of


class Way:
    """A way to pay for a claim: everything but which cards make up the sets, if it has sets."""

    def __init__(self, claim: int, card: int, pay: int, paying: State) -> None:
        self.claim: Final = claim
        """The action that claims the route with a colour."""
        self.card: Final = card
        """That colour; the locomotive for none."""
        self.pay: Final = pay
        """The action that chooses this payment."""
        self.paying: Final = paying
        """A copy of the state in which the payment is chosen, to describe it by.

        Its view may show too much of a draft that is under way, so that it is not for sending.
        """
        self.cards: list[int] = []
        """Cards of the colour and locomotives, by kind; those of the sets come in addition."""
        self.sets: int = 0
        """How many spaces are paid with a set of any cards."""
        self.set_size: int = 0
        self.extra: int = 0
        """Cards beyond the price."""
        self.room: list[int] = []
        """How many cards of each kind may go into the sets; empty without sets."""
        self.substitutes: list[int] = []
        """By kind, the action that puts one card into a set; empty without sets."""
        self.reveals: bool = False
        """Whether hidden cards turn up before the claim goes through."""
        self.then: State | None = None
        """A copy of the state in which the claim's next decision is open, if it has one."""

    @property
    def actions(self) -> list[int]:
        """The steps of the claim up to the payment; substitutes follow, in ascending order."""
        return [self.claim, self.pay]


class Ways:
    """All ways to pay for a route, the thriftiest first; or why there is none."""

    def __init__(self, ways: list[Way], refusal: Refusal | None) -> None:
        self.ways: Final = ways
        self.refusal: Final = refusal
        """Why the route can't be claimed; None if it can."""
        self.missing: int = 0
        """How many more cards would be enough; 0: cards are not what is missing."""
        self.kinds: list[int] = []
        """The kinds of card of which so few are enough."""


def ways_to_pay(state: State, seat: i64, route: i64) -> Ways:
    """Every way in which a seat could pay for a route if its turn began now."""
    if state.over:
        return Ways([], Refusal("BASE-10", "game_over"))
    s = as_turn(state, seat)
    found: list[Way] = []
    refusals: list[Refusal] = []
    for claim in claims_on(claims_of(s.game), route):
        refusal = s.why_not(seat, claim)
        if refusal is None:
            found += payments_of(s, seat, route, claim)
        else:
            refusals.append(refusal)
    if found:
        order = [(price(s, seat, found[k]), k) for k in range(len(found))]
        order.sort()  # equal ones stay in the engine's order
        return Ways([found[k] for _, k in order], None)
    ways = Ways([], nearest(refusals))
    find_missing(s, seat, route, ways)
    return ways


def as_turn(state: State, seat: i64) -> State:
    """A copy of the state in which the turn of a seat begins."""
    s = state.clone()
    s.d[s.t.used] = 1  # so that nothing is left of a decision under way
    s.turn_began(seat)
    return s


def claims_on(claims: ClaimRoutes, route: i64) -> list[int]:
    """The actions that claim a route: one for each colour that may be played there."""
    first = int(claims.base[route])
    last = first
    end = int(claims.claim) + len(claims.route_of)
    while last < end and claims.route_of[last - claims.claim] == route:
        last += 1
    return list(range(first, last))


def payments_of(s: State, seat: i64, route: i64, claim: i64) -> list[Way]:
    """The ways to pay for a claim that is possible."""
    claims, t = claims_of(s.game), s.t
    paying = s.clone()
    take_step(paying, seat, claim)
    card: i64 = claims.colour_of[claim - claims.claim]
    found: list[Way] = []
    for pay in paying.legal(seat):
        way = Way(int(claim), int(card), pay, paying)
        code: i64 = pay - claims.pay
        extra: i64 = code % claims.extras
        sets: i64 = code // claims.extras % claims.sets
        locos: i64 = code // (claims.extras * claims.sets)
        coloured: i64 = t.length[route] + extra - locos - sets
        way.cards = [0] * t.kinds
        way.cards[card] += coloured
        way.cards[t.loco] += locos
        way.extra = int(extra)
        if sets > 0:
            way.sets = int(sets)
            way.set_size = int(claims.set_size[route])
            for kind in range(t.kinds):
                room: i64 = claims.room(paying, seat, route, card, coloured, locos, kind)
                way.room.append(int(room))
                way.substitutes.append(int(claims.sub) + kind)
        follow(way, claims, seat)
        found.append(way)
    return found


def follow(way: Way, claims: ClaimRoutes, seat: i64) -> None:
    """Find what comes after the payment: hidden cards, another decision, or the end of the turn.

    Which cards make up the sets makes no difference to that.
    """
    s = way.paying.clone()
    log = Log()
    s.log = log
    turn = s.d[s.t.turns]
    take_step(s, seat, way.pay)
    while s.d[s.t.phase] == claims.sub_phase:
        take_step(s, seat, s.legal(seat)[0])
    s.log = None
    announced = [event.kind.name for event in log.events if not event.kind.silent]
    # Unless a rule comes in between, the first thing that is announced is the payment.
    way.reveals = announced[0] != "CardsPlayed"
    if way.reveals:
        return
    while goes_on(s, seat, turn):
        if has_choice(s, seat):
            way.then = s
            return
        take_step(s, seat, s.legal(seat)[0])


def take_step(s: State, seat: i64, action: i64) -> None:
    """Take one legal action, and no decision after it, also where that has only one answer."""
    s.enumerate(seat)  # the rules count on the buffer for actions
    s.enumerated = -1
    s.game.act(s, seat, action)


def has_choice(s: State, seat: i64) -> bool:
    """Whether the seat is asked; a decision that has only one answer is taken by the engine."""
    flags = s.game.phase_flags[s.d[s.t.phase]]
    return flags & ALWAYS_ASK != 0 or len(s.legal(seat)) != 1


def goes_on(s: State, seat: i64, turn: i64) -> bool:
    """Whether the seat's turn with this number goes on with a decision of this seat alone."""
    d, t = s.d, s.t
    return (
        d[t.phase] != OVER
        and d[t.turns] == turn
        and d[t.waiting] == s.game.turn_bit[seat]
        and s.game.phase_flags[d[t.phase]] & TOGETHER == 0
    )


def price(s: State, seat: i64, way: Way) -> list[int]:
    """How dear a way is: cards beyond the price, sets, locomotives, cards, then rare colours."""
    held = int(s.d[s.t.hand + seat * s.t.kinds + way.card])
    return [way.extra, way.sets, way.cards[s.t.loco], sum(way.cards), -held]


def nearest(refusals: list[Refusal]) -> Refusal:
    """Of several reasons the one that comes nearest to an allowed action: the fewest cards short.

    A route of no colour is refused once for each colour that might pay for it.
    """
    best = refusals[0]
    for refusal in refusals:
        if short(refusal) < short(best):
            best = refusal
    return best


def short(refusal: Refusal) -> int:
    """How many cards a refusal says are missing."""
    need = refusal.values.get("need", 0)
    have = refusal.values.get("have", 0)
    locos = refusal.values.get("locos", 0)
    if isinstance(need, int) and isinstance(have, int) and isinstance(locos, int):
        return need - have - locos
    return 0


def find_missing(s: State, seat: i64, route: i64, ways: Ways) -> None:
    """Find out with how many more cards of a kind the seat could claim the route."""
    t = s.t
    claims = claims_on(claims_of(s.game), route)
    for kind in range(t.kinds):
        richer = s.clone()
        most: i64 = ways.missing if ways.missing > 0 else t.length[route]
        for n in range(1, int(most) + 1):
            richer.d[t.hand + seat * t.kinds + kind] += 1
            richer.d[t.hand_size + seat] += 1
            richer.enumerated = -1
            if allows_any(richer, seat, claims):
                if n != ways.missing:
                    ways.missing = n
                    ways.kinds = []
                ways.kinds.append(kind)
                break


def allows_any(s: State, seat: i64, actions: list[int]) -> bool:
    """Whether at least one of the actions is legal."""
    for action in actions:
        if s.allows(seat, action):
            return True
    return False
