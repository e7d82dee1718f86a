"""Why a claim or a payment is refused for its cards: which would serve, and what one has of them.

Every number in these refusals is true of the position. `own` lists by kind what the seat has of the
cards that would serve; `others` counts the rest, where sets of any cards serve; `ways` lists the
colours (the locomotive: none) with which the same route could be claimed instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchline.core.board import GRAY
from branchline.core.machine import i64
from branchline.engine.layout import CLOSED
from branchline.engine.rule import Refusal
from branchline.engine.state import State
from branchline.rules.claims.registers import COLOUR, ROUTE

if TYPE_CHECKING:
    from branchline.rules.claims.claim_routes import ClaimRoutes

Values = dict[str, int | list[int]]


def why_not_claim(claims: ClaimRoutes, s: State, seat: i64, action: i64) -> Refusal:
    d, t = s.d, s.t
    r = claims.route_of[action - claims.claim]
    colour = claims.colour_of[action - claims.claim]
    owner = d[t.owner + r]
    need = t.length[r]
    if owner == CLOSED:
        return Refusal(claims.cite_of("doubles"), "double_closed", {"route": r})
    if owner == seat + 1:
        return Refusal(claims.cite, "route_yours", {"route": r})
    if owner > 0:
        return Refusal(claims.cite, "route_taken", {"route": r, "by": owner - 1})
    if t.twin[r] >= 0 and d[t.owner + t.twin[r]] == seat + 1:
        return Refusal(claims.cite_of("doubles"), "double_both", {"route": r})
    if need > d[t.trains + seat]:
        values = {"route": r, "need": need, "have": d[t.trains + seat]}
        return Refusal(claims.cite, "too_few_trains", values)
    if claims.set_size[r] > 0:
        other = offered_as(claims, s, seat, r, colour)
        if other >= 0:
            twice = {"route": r, "card": other}
            return Refusal(claims.cite_of("substitutes"), "same_cards_with", twice)
    return why_not_paid(claims, s, seat, r, colour)


def pays_with_more(claims: ClaimRoutes, s: State, seat: i64, code: i64) -> bool:
    """Whether a payment is refused only because the same cards are offered as another."""
    d, t = s.d, s.t
    r, colour = d[t.reg + ROUTE], d[t.reg + COLOUR]
    y, z = code // (claims.extras * claims.sets), code // claims.extras % claims.sets
    x = t.length[r] - y - z
    hand = t.hand + seat * t.kinds
    if z == 0 or claims.set_size[r] == 0 or x < 0 or y + z < claims.symbols[r]:
        return False
    if (colour == claims.colours) != (x == 0) or (x > 0 and x > d[hand + colour]):
        return False
    if y > (d[hand + t.loco] if claims.wild[r] == 1 else 0):
        return False
    return d[t.hand_size + seat] - x - y >= claims.set_size[r] * z


def offered_as(claims: ClaimRoutes, s: State, seat: i64, r: i64, colour: i64) -> int:
    """The colour with which the cards that could be played with this one are offered; or -1.

    Only with sets can the same cards be played with several colours (`room`).
    """
    d, t = s.d, s.t
    hand = t.hand + seat * t.kinds
    if colour == claims.colours or t.colour[r] != GRAY or d[hand + colour] == 0:
        return -1
    x = min(d[hand + colour], t.length[r] - claims.symbols[r])
    wilds = d[hand + t.loco] if claims.wild[r] == 1 else 0
    due = t.length[r] - x - wilds
    if x == 0 or d[t.hand_size + seat] - x - wilds < claims.set_size[r] * due:
        return -1
    for other in range(colour):
        if s.allows(seat, claims.base[r] + other):
            return other
    return -1


def why_not_paid(claims: ClaimRoutes, s: State, seat: i64, route: i64, colour: i64) -> Refusal:
    """Why the seat's cards can't pay for a claim of an open route with this colour."""
    d, t = s.d, s.t
    hand: i64 = t.hand + seat * t.kinds
    cards: i64 = d[t.hand_size + seat]
    have: i64 = d[hand + colour]
    locos: i64 = d[hand + t.loco]
    need: i64 = t.length[route]
    symbols: i64 = claims.symbols[route]
    size: i64 = claims.set_size[route]
    wild = claims.wild[route] == 1
    values: Values = {"route": route, "need": need, "card": colour, "have": have, "locos": locos}
    values["ways"] = ways(claims, s, seat, route)
    if size > 0:
        values["size"] = size
    if symbols > 0:
        values["symbols"] = symbols
    if colour == claims.colours:
        values["have"] = 0
        return without_colour(claims, s, values, wild, cards)
    if symbols == need:
        values["own"] = held(s, t.loco, 0, locos)
        if size > 0:
            values["others"] = cards - locos
            return Refusal(claims.cite_of("substitutes"), "ferry_no_colour_sets", values)
        return Refusal(claims.cite_of("ferries"), "ferry_no_colour", values)
    if have == 0 and claims.reaches(s, seat, route, claims.colours, 0, locos if wild else 0):
        return Refusal(claims.cite, "none_of_colour", values)
    values["own"] = held(s, colour, have, locos if wild else 0)
    if size > 0 and wild:
        values["others"] = cards - have - locos
        return Refusal(claims.cite_of("substitutes"), "ferry_sets", values)
    if size > 0:
        values["others"] = cards - have
        values["locos"] = 0
        return Refusal(claims.cite_any_cards, "too_few_with_sets", values)
    if not wild:
        values["locos"] = 0
        if locos > 0:
            cite = claims.cite_of("locomotive_restriction")
            return Refusal(cite, "locomotives_not_here", values)
        return Refusal(claims.cite, "too_few_of_colour", values)
    if locos < symbols:
        values["own"] = held(s, t.loco, 0, locos)
        return Refusal(claims.cite_of("ferries"), "ferry_locomotives", values)
    if symbols > 0:
        return Refusal(claims.cite_of("ferries"), "ferry_cards", values)
    return Refusal(claims.cite, "too_few_cards", values)


def without_colour(
    claims: ClaimRoutes, s: State, values: Values, wild: bool, cards: i64
) -> Refusal:
    """Why a claim that plays no colour can't be paid."""
    locos = values["locos"]
    assert isinstance(locos, int)
    values["own"] = held(s, s.t.loco, 0, locos)
    if "size" in values and not wild:
        values["own"] = held(s, s.t.loco, 0, 0)
        values["locos"] = 0
        values["others"] = cards
        return Refusal(claims.cite_any_cards, "too_few_sets", values)
    if "size" in values:
        values["others"] = cards - locos
        return Refusal(claims.cite_of("substitutes"), "too_few_substitutes", values)
    symbols = values.pop("symbols", 0)
    assert isinstance(symbols, int)
    cite = claims.cite_of("ferries") if locos < symbols else claims.cite
    return Refusal(cite, "too_few_locomotives", values)


def why_not_payment(
    claims: ClaimRoutes, s: State, seat: i64, locos: i64, sets: i64, extra: i64
) -> Refusal:
    """Why an open claim can't be paid with these locomotives, sets and extra cards."""
    d, t = s.d, s.t
    route: i64 = d[t.reg + ROUTE]
    colour: i64 = d[t.reg + COLOUR]
    hand: i64 = t.hand + seat * t.kinds
    need: i64 = t.length[route] + extra
    x: i64 = need - locos - sets
    size: i64 = claims.set_size[route]
    values: Values = {"route": route, "need": need, "card": colour}
    if x < 0 or (sets > 0 and size == 0):
        return Refusal(claims.cite, "payment_too_much", values)
    if locos > 0 and claims.wild[route] == 0:
        cite = claims.cite_of("locomotive_restriction")
        return Refusal(cite, "payment_no_locomotives", values)
    if colour == claims.colours and x > 0:
        return Refusal(claims.cite, "payment_no_colour", values)
    if colour < claims.colours and x == 0:
        return Refusal(claims.cite, "payment_needs_colour", values)
    if locos + sets < claims.symbols[route]:
        values["symbols"] = claims.symbols[route]
        return Refusal(claims.cite_of("ferries"), "payment_ferry", values)
    left: i64 = d[t.hand_size + seat] - x - locos
    if x > (d[hand + colour] if x > 0 else 0) or locos > d[hand + t.loco] or left < size * sets:
        own = held(s, colour, d[hand + colour] if x > 0 else 0, d[hand + t.loco] if locos else 0)
        values["own"] = own
        values["cards"] = held(s, colour, x, locos)
        if sets > 0:
            values["sets"] = sets
            values["size"] = size
            values["others"] = d[t.hand_size + seat] - sum(own)
        return Refusal(claims.cite, "payment_not_held", values)
    return Refusal("KR-6", "wrong_overpayment", values)


def why_not_substitute(s: State, seat: i64, card: i64, least: i64, left: i64) -> Refusal:
    """Why the next of the cards that are left to name for sets can't be of this kind."""
    d, t = s.d, s.t
    hand: i64 = t.hand + seat * t.kinds
    values: Values = {"card": card}
    if d[hand + card] <= d[t.laid + card]:
        return Refusal("RU-5", "substitute_not_held", values)
    if card < least:
        return Refusal("RU-5", "substitute_order", values)
    following: i64 = 0
    for kind in range(card, t.kinds):
        following += d[hand + kind] - d[t.laid + kind]
    if following < left:
        return Refusal("RU-5", "substitute_gap", values)
    return Refusal("RU-5", "same_cards")


def ways(claims: ClaimRoutes, s: State, seat: i64, route: i64) -> list[int]:
    """The colours with which the seat may claim the route now; the locomotive for none."""
    found: list[int] = []
    action: i64 = claims.base[route]
    end: i64 = claims.claim + len(claims.route_of)
    while action < end and claims.route_of[action - claims.claim] == route:
        if s.allows(seat, action):
            found.append(int(claims.colour_of[action - claims.claim]))
        action += 1
    return found


def held(s: State, colour: i64, have: i64, locos: i64) -> list[int]:
    """Cards of a colour and locomotives, by kind."""
    cards = [0] * s.t.kinds
    cards[colour] += have
    cards[s.t.loco] += locos
    return cards
