"""What is true of a refusal, worked out again from the rules page and the state.

`check` compares every value of a refusal with the position, and every number and card of its
sentences with those values. Of a claim that is refused for its cards it tries every split of the
hand; and where the route can be claimed another way, the sentence must say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from branchline import Game, State
from branchline.core.catalogue import LANGUAGES, say
from branchline.engine.describe import Words
from branchline.engine.layout import CLOSED
from branchline.engine.rule import Refusal
from branchline.rules.governing import rules_of
from test_properties import Bill, numbers

Values = dict[str, int | list[int]]


class Case:
    """An action that a seat is refused, and what is true of it in the position."""

    def __init__(self, state: State, seat: int, action: int) -> None:
        self.state, self.seat, self.action, self.game = state, seat, action, state.game
        t, d = state.t, state.d
        self.text = state.game.action_text(action)
        self.kinds, self.loco = int(t.kinds), int(t.loco)
        at = t.hand + seat * t.kinds
        self.hand = [int(n) for n in d[at : at + t.kinds]]
        self.laid = [int(n) for n in d[t.laid : t.laid + t.kinds]]
        self.route, self.colour = -1, -1
        match self.text.split():
            case ["claim", name, colour]:
                self.route = routes(state.game)[name]
                self.colour = self.kind(colour)
            case ["pay", *_] | ["tunnel", _]:
                self.route, self.colour = int(d[t.reg]), int(d[t.reg + 1])
        if self.route >= 0:
            self.bill = Bill(state.game, self.route)

    def kind(self, name: str) -> int:
        wild = name in ("wild", "locomotive")
        return self.loco if wild else self.game.board.colours.index(name)

    def param(self, rule: str, name: str) -> object:
        return next(e.params[name] for e in self.game.board.rules if e.name == rule)

    def counts(self, **cards: int) -> list[int]:
        """Cards by kind: of the claim's colour, and locomotives."""
        found = [0] * self.kinds
        found[self.colour] += cards.get("colour", 0)
        found[self.loco] += cards.get("locos", 0)
        return found


@cache
def routes(game: Game) -> dict[str, int]:
    return {game.route_text(r.index): int(r.index) for r in game.board.routes}


def splits(case: Case, colour: int) -> Iterator[tuple[int, int, int]]:
    """Every split into a colour, locomotives and sets that pays for the route with that colour."""
    bill, hand = case.bill, case.hand
    for z in range(bill.length + 1 if bill.set_size else 1):
        for y in range((hand[case.loco] if bill.wild else 0) + 1):
            x = bill.length - y - z
            fits = x >= 0 and y + z >= bill.symbols and (x == 0) == (colour == case.loco)
            of_colour = x == 0 or x <= hand[colour]
            if fits and of_colour and sum(hand) - x - y >= z * bill.set_size:
                yield x, y, z


def ways(case: Case) -> list[int]:
    """The colours with which the route can be claimed: those that pay, each set of cards once."""
    paying = [c for c in [*case.bill.colours, case.loco] if any(splits(case, c))]
    legal = {case.game.action_text(a) for a in case.state.legal(case.seat)}
    name = case.game.route_text(case.route)
    found = [c for c in paying if f"claim {name} {case.game.colour_text(c)}" in legal]
    assert bool(found) == bool(paying), "what pays is offered"
    assert found == paying or case.bill.set_size, "only sets are played with several colours"
    return found


# --- what each reason may say, worked out again --------------------------------------------------


def for_cards(case: Case) -> Values:
    """What is true of every claim that is refused for its cards."""
    assert not list(splits(case, case.colour)), "these cards do pay"
    bill, state = case.bill, case.state
    assert state.d[state.t.owner + case.route] == 0
    assert state.d[state.t.trains + case.seat] >= bill.length
    found: Values = {"route": case.route, "need": bill.length, "card": case.colour}
    found["ways"] = ways(case)
    if bill.symbols:
        found["symbols"] = bill.symbols
    if bill.set_size:
        found["size"] = bill.set_size
    return found


def own(case: Case, *which: str) -> Values:
    """What the hand has of the claim's colour, of locomotives, and of anything else."""
    plain = case.hand[case.colour] if case.colour != case.loco else 0
    have = {"colour": plain, "locos": case.hand[case.loco]}
    have = {name: n if name in which else 0 for name, n in have.items()}
    found: Values = {"own": case.counts(**have)}
    if "others" in which:
        found["others"] = sum(case.hand) - sum(have.values())
    return found


def too_few_cards(case: Case) -> Values:
    assert case.bill.wild
    assert not case.bill.symbols
    assert not case.bill.set_size
    return for_cards(case) | own(case, "colour", "locos")


def too_few_of_colour(case: Case) -> Values:
    assert not case.bill.wild
    assert not case.hand[case.loco]
    assert not case.bill.set_size
    return for_cards(case) | own(case, "colour")


def locomotives_not_here(case: Case) -> Values:
    assert not case.bill.wild
    assert case.hand[case.loco]
    assert not case.bill.set_size
    return for_cards(case) | own(case, "colour")


def none_of_colour(case: Case) -> Values:
    assert case.hand[case.colour] == 0
    assert any(splits(case, case.loco))
    return for_cards(case)


def too_few_locomotives(case: Case) -> Values:
    assert case.colour == case.loco
    assert case.bill.wild
    assert not case.bill.set_size
    found = for_cards(case) | own(case, "locos")
    found.pop("symbols", None)
    return found


def ferry_locomotives(case: Case) -> Values:
    assert case.hand[case.loco] < case.bill.symbols
    assert not case.bill.set_size
    return for_cards(case) | own(case, "locos")


def ferry_cards(case: Case) -> Values:
    assert 0 < case.bill.symbols <= case.hand[case.loco]
    assert not case.bill.set_size
    return for_cards(case) | own(case, "colour", "locos")


def ferry_no_colour(case: Case) -> Values:
    assert case.bill.symbols == case.bill.length
    assert not case.bill.set_size
    return for_cards(case) | own(case, "locos")


def ferry_no_colour_sets(case: Case) -> Values:
    assert case.bill.symbols == case.bill.length
    assert case.bill.set_size
    return for_cards(case) | own(case, "locos", "others")


def ferry_sets(case: Case) -> Values:
    assert case.bill.symbols
    assert case.bill.set_size
    assert case.bill.wild
    return for_cards(case) | own(case, "colour", "locos", "others")


def too_few_with_sets(case: Case) -> Values:
    assert not case.bill.symbols
    assert case.bill.set_size
    assert not case.bill.wild
    return for_cards(case) | own(case, "colour", "others")


def too_few_sets(case: Case) -> Values:
    assert case.colour == case.loco
    assert case.bill.set_size
    assert not case.bill.wild
    return for_cards(case) | own(case, "others")


def too_few_substitutes(case: Case) -> Values:
    assert case.colour == case.loco
    assert case.bill.set_size
    assert case.bill.wild
    return for_cards(case) | own(case, "locos", "others")


FOR_CARDS = (
    too_few_cards, too_few_of_colour, locomotives_not_here, none_of_colour, too_few_locomotives,
    ferry_locomotives, ferry_cards, ferry_no_colour, ferry_no_colour_sets, ferry_sets,
    too_few_with_sets, too_few_sets, too_few_substitutes,
)  # fmt: skip


def owner(case: Case) -> int:
    return int(case.state.d[case.state.t.owner + case.route])


def route_taken(case: Case) -> Values:
    assert owner(case) not in (0, CLOSED, case.seat + 1)
    return {"route": case.route, "by": owner(case) - 1}


def route_yours(case: Case) -> Values:
    assert owner(case) == case.seat + 1
    return {"route": case.route}


def double_closed(case: Case) -> Values:
    assert owner(case) == CLOSED
    return {"route": case.route}


def double_both(case: Case) -> Values:
    twin = case.game.board.routes[case.route].twin
    assert case.state.d[case.state.t.owner + twin] == case.seat + 1
    return {"route": case.route}


def too_few_trains(case: Case) -> Values:
    have = int(case.state.d[case.state.t.trains + case.seat])
    assert have < case.bill.length
    return {"route": case.route, "need": case.bill.length, "have": have}


def payment(case: Case) -> tuple[int, int, int, int]:
    """Colour cards, locomotives, sets and cards over of a `pay` action."""
    words = case.text.split()
    said = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    y, z, extra = said["pay"], said.get("sets", 0), said.get("extra", 0)
    return case.bill.length + extra - y - z, y, z, extra


def payment_facts(case: Case) -> Values:
    _, _, _, extra = payment(case)
    return {"route": case.route, "need": case.bill.length + extra, "card": case.colour}


def payment_too_much(case: Case) -> Values:
    x, _, z, _ = payment(case)
    assert x < 0 or (z and not case.bill.set_size)
    return payment_facts(case)


def payment_no_locomotives(case: Case) -> Values:
    assert payment(case)[1]
    assert not case.bill.wild
    return payment_facts(case)


def payment_no_colour(case: Case) -> Values:
    assert payment(case)[0] > 0
    assert case.colour == case.loco
    return payment_facts(case)


def payment_needs_colour(case: Case) -> Values:
    assert payment(case)[0] == 0
    assert case.colour != case.loco
    return payment_facts(case)


def payment_ferry(case: Case) -> Values:
    _, y, z, _ = payment(case)
    assert y + z < case.bill.symbols
    return payment_facts(case) | {"symbols": case.bill.symbols}


def payment_not_held(case: Case) -> Values:
    if case.text.startswith("station"):
        return station_not_held(case)
    x, y, z, _ = payment(case)
    size = case.bill.set_size
    plain = case.hand[case.colour] if case.colour != case.loco else 0
    short = x > plain or y > case.hand[case.loco] or sum(case.hand) - x - y < z * size
    assert short
    mine = case.counts(colour=plain if x else 0, locos=case.hand[case.loco] if y else 0)
    found = payment_facts(case) | {"own": mine, "cards": case.counts(colour=x, locos=y)}
    if z:
        found |= {"sets": z, "size": size, "others": sum(case.hand) - sum(mine)}
    return found


def station_not_held(case: Case) -> Values:
    _, _, colour, number = case.text.split()
    case.colour, y = case.kind(colour), int(number)
    x = station_cost(case) - y
    plain = case.hand[case.colour] if case.colour != case.loco else 0
    assert x > plain or y > case.hand[case.loco]
    mine = case.counts(colour=plain, locos=case.hand[case.loco] if y else 0)
    return {"own": mine, "cards": case.counts(colour=x, locos=y)}


def station_cost(case: Case) -> int:
    count = case.param("stations", "count")
    assert isinstance(count, int)
    return count - numbers(case.state, "stations_left")[case.seat] + 1


def station_payment(case: Case) -> Values:
    _, _, colour, y = case.text.split()
    cost = station_cost(case)
    assert int(y) > cost or (int(y) == cost) != (colour == "wild")
    return {"need": cost}


def station_too_dear(case: Case) -> Values:
    most = max(case.hand[: case.loco]) + case.hand[case.loco]
    assert most < station_cost(case)
    return {"need": station_cost(case), "have": most}


def no_stations_left(case: Case) -> Values:
    assert numbers(case.state, "stations_left")[case.seat] == 0
    return {}


def no_station_city(case: Case) -> Values:
    assert all(numbers(case.state, "stations"))
    return {}


def station_city_taken(case: Case) -> Values:
    city = case.game.board.city_of[case.text.split()[-1]]
    assert numbers(case.state, "stations")[city]
    return {"city": city}


def tunnel(case: Case) -> tuple[int, int, int]:
    """What is due, and what is left in the hand of the colour and of locomotives."""
    left = [have - down for have, down in zip(case.hand, case.laid, strict=True)]
    plain = left[case.colour] if case.colour != case.loco else 0
    return int(case.state.d[case.state.t.reg + 7]), plain, left[case.loco]


def tunnel_payment(case: Case) -> Values:
    due, plain, locos = tunnel(case)
    y = int(case.text.split()[1])
    assert y <= due
    assert y > locos or due - y > plain
    paid, left = case.counts(colour=due - y, locos=y), case.counts(colour=plain, locos=locos)
    return {"due": due, "cards": paid, "own": left}


def tunnel_locomotives(case: Case) -> Values:
    due, _, _ = tunnel(case)
    assert case.colour == case.loco
    assert int(case.text.split()[1]) < due
    return {"due": due}


def tunnel_too_much(case: Case) -> Values:
    due, _, _ = tunnel(case)
    assert int(case.text.split()[1]) > due
    return {"due": due}


def substitute(case: Case) -> tuple[int, int, int, int]:
    """The card, how many are left of it, the least kind, and how many the set still takes."""
    card, reg = case.kind(case.text.split()[1]), case.state.t.reg
    least, wanted = int(case.state.d[reg + 6]), int(case.state.d[reg + 5])
    return card, case.hand[card] - case.laid[card], least, wanted


def substitute_not_held(case: Case) -> Values:
    card, left, _, _ = substitute(case)
    assert left == 0
    return {"card": card}


def substitute_order(case: Case) -> Values:
    card, left, least, _ = substitute(case)
    assert left
    assert card < least
    return {"card": card}


def substitute_gap(case: Case) -> Values:
    card, left, _, wanted = substitute(case)
    follow = sum(case.hand[k] - case.laid[k] for k in range(card, case.kinds))
    assert left
    assert follow < wanted
    return {"card": card}


def same_cards(case: Case) -> Values:
    """The split is one that pays, but not the one under which its cards are offered."""
    if case.text.startswith("substitute"):
        card, left, least, wanted = substitute(case)
        follow = sum(case.hand[k] - case.laid[k] for k in range(card, case.kinds))
        assert left
        assert card >= least
        assert follow >= wanted
    else:
        x, y, z, extra = payment(case)
        assert not extra
        assert (x, y, z) in list(splits(case, case.colour))
    return {}


def same_cards_with(case: Case) -> Values:
    assert any(splits(case, case.colour))
    other = ways(case)[0]
    assert other != case.loco
    return {"route": case.route, "card": other}


def wrong_overpayment(case: Case) -> Values:
    x, y, _, extra = payment(case)
    plain = case.hand[case.colour] if case.colour != case.loco else 0
    assert extra
    assert x <= plain
    assert y <= case.hand[case.loco]
    return payment_facts(case)


def turned_up(case: Case) -> list[int]:
    return [card for card in numbers(case.state, "display") if card != case.state.t.blank]


def nothing_blind(case: Case) -> bool:
    state = case.state
    deck = numbers(state, "deck")[: state.d[state.t.deck_len]]
    return not any(card < state.t.special for card in deck) and not state.d[state.t.discard_size]


def deck_empty(case: Case) -> Values:
    assert nothing_blind(case)
    return {}


def deck_empty_no_draw(case: Case) -> Values:
    assert case.param("draw_cards", "needs_deck")
    assert case.state.phase == "turn"
    return deck_empty(case)


def locomotive_as_second(case: Case) -> Values:
    assert case.state.phase == "draw"
    assert case.text == "take locomotive"
    assert case.loco in turned_up(case)
    return {}


def not_on_display(case: Case) -> Values:
    card = case.kind(case.text.split()[1])
    assert card not in turned_up(case)
    return {"card": card}


def offered(case: Case) -> int:
    view = case.state.view(case.seat)
    if view.phase.endswith("_pick"):
        return len(view.in_question)
    if view.phase.endswith("_keep"):
        return int(case.state.d[case.state.t.reg])
    return len(view.offered)


def ticket_not_offered(case: Case) -> Values:
    assert max(int(n) for n in case.text.split() if n.isdigit()) > offered(case)
    return {"offered": offered(case)}


def least(case: Case, rule: str) -> int:
    keep = case.param(rule, "keep")
    assert isinstance(keep, int)
    return min(keep, offered(case))


def keep_too_few(case: Case) -> Values:
    rule = "opening_tickets" if case.state.phase == "opening_tickets" else "draw_tickets"
    kept = sum(n.isdigit() for n in case.text.split())
    assert kept < least(case, rule)
    return {"offered": offered(case), "least": least(case, rule)}


def keep_wrong_number(case: Case) -> Values:
    rule = case.state.phase.removesuffix("_keep")
    kept = sum(n.isdigit() for n in case.text.split())
    assert kept != least(case, rule)
    return {"offered": offered(case), "least": least(case, rule)}


def no_tickets_left(case: Case) -> Values:
    assert case.state.d[case.state.t.ticket_len] == 0
    return {}


def tickets_not_yet(case: Case) -> Values:
    assert numbers(case.state, "second_draft_over") == [0]
    return {}


def express_spent(case: Case) -> Values:
    value = int(case.text.split()[-1 if case.text.startswith("mat") else 1])
    values = case.param("express_cards", "values")
    assert isinstance(values, list)
    held = numbers(case.state, "express")[case.seat * len(values) :]
    assert held[values.index(value)] == 0
    return {"value": value}


def express_too_late(case: Case) -> Values:
    assert case.state.phase in ("draw", "keep_tickets")
    return {}


def express_once_a_turn(case: Case) -> Values:
    assert numbers(case.state, "express_spent_in") == [case.state.d[case.state.t.turns]]
    return express_too_late(case)


def express_no_cards(case: Case) -> Values:
    return deck_empty(case)


def express_no_tickets(case: Case) -> Values:
    left = int(case.state.d[case.state.t.ticket_len])
    draw = case.param("draw_tickets", "draw")
    assert isinstance(draw, int)
    assert 0 < left <= draw
    return {"count": left}


def mat_spots(case: Case) -> tuple[int, list[int], int]:
    """The line of a `mat` action, its free spots, and the value that the action would have."""
    words = case.text.split()
    lines = case.param("province_mat", "lines")
    assert isinstance(lines, list)
    line = [entry["colour"] for entry in lines].index(words[1])
    mat = numbers(case.state, "mat")
    width = len(mat) // len(lines)
    taken = mat[line * width :]
    free = [v for v, who in zip(lines[line]["spots"], taken, strict=False) if not who]
    return line, free, sum(case.laid) + (int(words[-1]) if "express" in words else 0)


def no_free_spot(case: Case) -> Values:
    line, free, value = mat_spots(case)
    assert all(spot > value for spot in free)
    return {"line": line, "value": value}


def express_no_higher(case: Case) -> Values:
    line, free, value = mat_spots(case)
    express, values = int(case.text.split()[-1]), case.param("express_cards", "values")
    assert isinstance(values, list)
    held = numbers(case.state, "express")[case.seat * len(values) :]
    lower = [v for v, mine in zip(values, held, strict=False) if mine and v < express]

    def best(most: int) -> int:
        return max((spot for spot in free if spot <= most), default=0)

    assert best(value) in [best(value - express + more) for more in (0, *lower)]
    return {"line": line, "value": express}


def other_line(case: Case) -> Values:
    line, _, _ = mat_spots(case)
    colour = case.game.board.routes[case.state.d[case.state.t.reg]].colour
    assert colour >= 0
    assert case.game.board.colours[colour] != case.text.split()[1]
    return {"line": line}


def other_decision(case: Case) -> Values:
    assert case.state.phase != "turn"
    return {}


def not_open(case: Case) -> Values:
    assert case.state.phase == "turn"
    return {}


def no_pass(case: Case) -> Values:
    assert case.state.legal(case.seat)
    return {}


def no_festival_choice(case: Case) -> Values:
    assert case.state.phase != "festival"
    return {}


CHECKS: dict[str, Callable[[Case], Values]] = {
    check.__name__: check
    for check in (
        *FOR_CARDS, route_taken, route_yours, double_closed, double_both, too_few_trains,
        payment_too_much, payment_no_locomotives, payment_no_colour, payment_needs_colour,
        payment_ferry, payment_not_held, station_payment, station_too_dear, no_stations_left,
        no_station_city, station_city_taken, tunnel_payment, tunnel_locomotives, tunnel_too_much,
        substitute_not_held, substitute_order, substitute_gap, same_cards, same_cards_with,
        wrong_overpayment, deck_empty,
        deck_empty_no_draw, locomotive_as_second, not_on_display, ticket_not_offered,
        keep_too_few, keep_wrong_number, no_tickets_left,
        tickets_not_yet, express_spent, express_too_late, express_once_a_turn, express_no_cards,
        express_no_tickets, express_no_higher, no_free_spot, other_line, other_decision, not_open,
        no_pass, no_festival_choice,
    )
}  # fmt: skip
"""What is true when an action is refused for a reason."""

THINGS = {"route", "card", "city", "line", "by", "ways"}
"""Values that are things, which sentences name; the others are numbers or numbers of cards."""

NOT_SAID = {"have", "locos"}
"""Values that only compare refusals with one another, where `own` says what the seat has."""


def check(case: Case, refusal: Refusal) -> None:
    """The refusal is true in all that it says, in both languages."""
    about = (case.text, case.state.phase, case.hand, refusal)
    assert refusal.rule in rules_of(case.game.board), about
    said = dict(refusal.values)
    if "own" in said or "ways" in said:
        for name in NOT_SAID:
            said.pop(name, None)
    true = CHECKS[refusal.reason](case)
    assert said == true, about
    for lang in LANGUAGES:
        check_text(case, refusal, lang)


def check_text(case: Case, refusal: Refusal, lang: str) -> None:
    """The sentence has no number that was not compared, and all the cards and ways that were."""
    words = Words(case.game, lang, [chr(ord("A") + k) for k in range(case.game.seats)])
    text = words.refusal(refusal)
    values = refusal.values
    plain = text
    if isinstance(route := values.get("route"), int):
        assert words.track(route) in text or case.text.startswith("pay"), text
        plain = plain.replace(words.track(route), "")
    allowed: set[int] = set()
    for name, value in values.items():
        if name not in THINGS:
            allowed |= set(value) if isinstance(value, list) else {value}
    assert {int(n) for n in re.findall(r"\d+", plain)} <= allowed, (text, refusal)
    for name in ("own", "cards"):
        if isinstance(cards := values.get(name), list):
            for part in words.card_parts(cards):
                assert part in plain, (text, part)
    mine, others = values.get("own"), values.get("others", 0)
    if isinstance(mine, list):
        none = any(say(f"refusals.own.{key}", lang) in plain for key in ("none", "no_cards"))
        assert none is (not any(mine) and not others), text
        if others:
            assert str(others) in plain, text
    if isinstance(open_ways := values.get("ways"), list):
        offer = say("refusals.other_way", lang, ways="").strip(" .")
        assert (offer in plain) is bool(open_ways), text
        for kind in open_ways:
            way = words.vocabulary.nouns["locomotive"].other if kind == case.loco else ""
            way = way if kind == case.loco else words.colour(kind)
            if not (kind == case.loco and not case.bill.wild):
                assert way in plain.partition(offer)[2], (text, way)
