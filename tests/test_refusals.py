"""Refusals never lie: what they say of cards, trains, tickets and spots is compared with the position.

At every sampled position a few dozen actions that are not allowed are asked for. Each value of the
refusal is worked out again here, from the rules page and the state; each claim that is refused for
its cards is tried with every split of the hand; every number and card of the sentence must be one
of those that were compared; and where the route can be claimed another way, the sentence says so.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from branchline import Game, State
from branchline.core.catalogue import LANGUAGES, say
from branchline.engine.describe import Words
from branchline.engine.rule import Refusal
from branchline.engine.table import CLOSED
from branchline.rules.governing import rules_of
from golden_games import TABLES, game_of, play
from positions import Position
from test_properties import Bill, numbers

POSITIONS = 60
"""How many positions of each board and number of seats are sampled."""

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
    """The colours with which the route could be paid."""
    return [c for c in [*case.bill.colours, case.loco] if any(splits(case, c))]


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
    assert case.bill.wild and not case.bill.symbols and not case.bill.set_size
    return for_cards(case) | own(case, "colour", "locos")


def too_few_of_colour(case: Case) -> Values:
    assert not case.bill.wild and not case.hand[case.loco] and not case.bill.set_size
    return for_cards(case) | own(case, "colour")


def locomotives_not_here(case: Case) -> Values:
    assert not case.bill.wild and case.hand[case.loco] and not case.bill.set_size
    return for_cards(case) | own(case, "colour")


def none_of_colour(case: Case) -> Values:
    assert case.hand[case.colour] == 0
    assert any(splits(case, case.loco))
    return for_cards(case)


def too_few_locomotives(case: Case) -> Values:
    assert case.colour == case.loco and case.bill.wild and not case.bill.set_size
    found = for_cards(case) | own(case, "locos")
    found.pop("symbols", None)
    return found


def ferry_locomotives(case: Case) -> Values:
    assert case.hand[case.loco] < case.bill.symbols and not case.bill.set_size
    return for_cards(case) | own(case, "locos")


def ferry_cards(case: Case) -> Values:
    assert 0 < case.bill.symbols <= case.hand[case.loco] and not case.bill.set_size
    return for_cards(case) | own(case, "colour", "locos")


def ferry_no_colour(case: Case) -> Values:
    assert case.bill.symbols == case.bill.length and not case.bill.set_size
    return for_cards(case) | own(case, "locos")


def ferry_no_colour_sets(case: Case) -> Values:
    assert case.bill.symbols == case.bill.length and case.bill.set_size
    return for_cards(case) | own(case, "locos", "others")


def ferry_sets(case: Case) -> Values:
    assert case.bill.symbols and case.bill.set_size and case.bill.wild
    return for_cards(case) | own(case, "colour", "locos", "others")


def too_few_with_sets(case: Case) -> Values:
    assert not case.bill.symbols and case.bill.set_size and not case.bill.wild
    return for_cards(case) | own(case, "colour", "others")


def too_few_sets(case: Case) -> Values:
    assert case.colour == case.loco and case.bill.set_size and not case.bill.wild
    return for_cards(case) | own(case, "others")


def too_few_substitutes(case: Case) -> Values:
    assert case.colour == case.loco and case.bill.set_size and case.bill.wild
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
    assert payment(case)[1] and not case.bill.wild
    return payment_facts(case)


def payment_no_colour(case: Case) -> Values:
    assert payment(case)[0] > 0 and case.colour == case.loco
    return payment_facts(case)


def payment_needs_colour(case: Case) -> Values:
    assert payment(case)[0] == 0 and case.colour != case.loco
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
    assert y <= due and (y > locos or due - y > plain)
    paid, left = case.counts(colour=due - y, locos=y), case.counts(colour=plain, locos=locos)
    return {"due": due, "cards": paid, "own": left}


def tunnel_locomotives(case: Case) -> Values:
    due, _, _ = tunnel(case)
    assert case.colour == case.loco and int(case.text.split()[1]) < due
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
    assert left and card < least
    return {"card": card}


def substitute_gap(case: Case) -> Values:
    card, left, _, wanted = substitute(case)
    follow = sum(case.hand[k] - case.laid[k] for k in range(card, case.kinds))
    assert left and follow < wanted
    return {"card": card}


def wrong_overpayment(case: Case) -> Values:
    x, y, _, extra = payment(case)
    plain = case.hand[case.colour] if case.colour != case.loco else 0
    assert extra and x <= plain and y <= case.hand[case.loco]
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
    assert case.param("draw_cards", "needs_deck") and case.state.phase == "turn"
    return deck_empty(case)


def locomotive_as_second(case: Case) -> Values:
    assert case.state.phase == "draw" and case.text == "take locomotive"
    assert case.loco in turned_up(case)
    return {}


def not_on_display(case: Case) -> Values:
    card = case.kind(case.text.split()[1])
    assert card not in turned_up(case)
    return {"card": card}


def offered(case: Case) -> int:
    view = case.state.view(case.seat)
    if view.phase.endswith("_pick"):
        return len(view.pack)
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
    assert isinstance(draw, int) and 0 < left <= draw
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


def other_line(case: Case) -> Values:
    line, _, _ = mat_spots(case)
    colour = case.game.board.routes[case.state.d[case.state.t.reg]].colour
    assert colour >= 0 and case.game.board.colours[colour] != case.text.split()[1]
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
        payment_ferry, payment_not_held, station_payment, station_too_dear, no_stations_left, no_station_city,
        station_city_taken, tunnel_payment, tunnel_locomotives, tunnel_too_much, substitute_not_held,
        substitute_order, substitute_gap, wrong_overpayment, deck_empty, deck_empty_no_draw, locomotive_as_second,
        not_on_display, ticket_not_offered, keep_too_few, keep_wrong_number, no_tickets_left,
        tickets_not_yet, express_spent, express_too_late, express_once_a_turn, express_no_cards,
        express_no_tickets, no_free_spot, other_line, other_decision, not_open, no_pass,
        no_festival_choice,
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


def samples(board: str, seats: int, wanted: int) -> Iterator[tuple[State, random.Random]]:
    """Positions of games that are played at random, in different ways."""
    rng = random.Random(f"refusals {board} {seats}")
    while wanted > 0:
        for policy in ("rare", "saver", "claims", "tickets"):
            state = game_of(board, seats).start(rng.randrange(10**6))
            for _ in play(state, policy, rng):
                if not state.over and rng.random() < 0.08:
                    yield state, rng
                    wanted -= 1
                    if wanted == 0:
                        return


def asked_for(state: State, seat: int, rng: random.Random) -> list[int]:
    """Actions of every sort, most of them of the decision that is open."""
    game = state.game
    claims = [a for a in range(len(game.action_rules)) if game.action_text(a).startswith("claim ")]
    owners = {(game.action_rules[a].name, game.action_kinds[a]) for a in state.legal(seat)}
    near = [
        a
        for a in range(len(game.action_rules))
        if (game.action_rules[a].name, game.action_kinds[a]) in owners
    ]
    everything = range(len(game.action_rules))
    return [
        *(rng.sample(claims, 12) if state.phase == "turn" else []),
        *rng.sample(near, min(len(near), 12)),
        *rng.sample(everything, 6),
    ]


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("BASE-7", "IB-8", "NO-3", "NO-4", "NO-6", "KR-2", "RU-10")
def test_no_refusal_says_anything_that_is_not_so(board: str, seats: int) -> None:
    found = 0
    for state, rng in samples(board, seats, POSITIONS):
        seat = rng.choice(state.to_act)
        for action in asked_for(state, seat, rng):
            refusal = state.why_not(seat, action)
            if refusal is not None:
                check(Case(state, seat, action), refusal)
                found += 1
    assert found > 5 * POSITIONS


# --- the sentences -------------------------------------------------------------------------------

NBSP = "\u00a0"


def told(p: Position, text: str) -> tuple[str, str, str]:
    """Why an action is refused: the rule, and the sentences; all of it is compared first."""
    refusal = p.why_not(text)
    seat = p.s.to_act[0]
    check(
        Case(p.s, seat, next(a for a in actions(p.game) if p.game.action_text(a) == text)), refusal
    )
    said = [Words(p.game, lang).refusal(refusal) for lang in ("en", "fr")]
    return refusal.rule, said[0], said[1]


def actions(game: Game) -> range:
    return range(len(game.action_rules))


@pytest.mark.parametrize(
    ("board", "hand", "action", "rule", "english", "french"),
    [
        (  # the cards that would serve, and what one has of them
            "usa", {"red": 1, "locomotive": 1, "blue": 9}, "claim chicago-duluth red", "BASE-7",
            "Chicago–Duluth needs 3 cards, red or locomotives, and you have 1 red and 1 locomotive.",
            "Chicago–Duluth demande 3 cartes rouges ou Locomotives, et vous avez 1 carte rouge et"
            " 1 Locomotive.",
        ),
        (
            "usa", {"blue": 9}, "claim chicago-duluth red", "BASE-7",
            "Chicago–Duluth needs 3 cards, red or locomotives, and you have none.",
            "Chicago–Duluth demande 3 cartes rouges ou Locomotives, et vous n’en avez aucune.",
        ),
        (  # a gray route, where other colours serve
            "usa", {"red": 1, "blue": 3}, "claim calgary-vancouver red", "BASE-7",
            "With red, Calgary–Vancouver needs 3 cards, red or locomotives, and you have 1 red."
            " You can claim it with blue.",
            "En rouge, Calgary–Vancouver demande 3 cartes rouges ou Locomotives, et vous avez"
            " 1 carte rouge. Vous pouvez la prendre en bleu.",
        ),
        (
            "usa", {"locomotive": 3}, "claim chicago-duluth red", "BASE-7",
            "Chicago–Duluth can’t be claimed with red: you have no red card."
            " You can claim it with locomotives alone.",
            f"Chicago–Duluth ne peut pas se prendre en rouge{NBSP}: vous n’avez aucune carte rouge."
            " Vous pouvez la prendre uniquement avec des Locomotives.",
        ),
        (
            "usa", {"red": 3}, "claim chicago-duluth wild", "BASE-7",
            "With locomotives alone, Chicago–Duluth needs 3 of them, and you have none."
            " You can claim it with red.",
            "Uniquement avec des Locomotives, Chicago–Duluth en demande 3, et vous n’en avez aucune."
            " Vous pouvez la prendre en rouge.",
        ),
        (  # one space: no "1 cards"
            "usa", {"red": 1}, "claim dallas-houston blue", "BASE-7",
            "With blue, Dallas–Houston needs 1 card, blue or a locomotive, and you have none."
            " You can claim it with red.",
            "En bleu, Dallas–Houston demande 1 carte bleue ou une Locomotive, et vous n’en avez"
            " aucune. Vous pouvez la prendre en rouge.",
        ),
        (  # Europe's ferries by Europe's book
            "europe", {"red": 6, "locomotive": 1}, "claim palermo-smyrna red", "EU-1",
            "Palermo–Smyrna is a ferry: it needs at least 2 locomotives, and you have 1 locomotive.",
            "Palerme–Smyrne est un ferry et demande au moins 2 Locomotives, et vous avez"
            " 1 Locomotive.",
        ),
        (
            "europe", {"red": 6, "locomotive": 1}, "claim palermo-smyrna wild", "EU-1",
            "With locomotives alone, Palermo–Smyrna needs 6 of them, and you have 1 locomotive.",
            "Uniquement avec des Locomotives, Palerme–Smyrne en demande 6, et vous avez"
            " 1 Locomotive.",
        ),
        (
            "europe", {"red": 2}, "claim amsterdam-london red", "EU-1",
            "Amsterdam–London takes 2 locomotives and no colour; you have none.",
            f"Amsterdam–Londres demande 2 Locomotives, et aucune couleur n’y sert{NBSP};"
            " vous n’en avez aucune.",
        ),
        (  # Nordic ferries know three for one
            "nordic", {"orange": 1, "red": 2}, "claim kristiansand-stavanger#2 orange", "NO-4",
            "Kristiansand–Stavanger (orange) is a ferry: it needs 3 cards, at least 1 locomotive and"
            " for the rest orange or locomotives. Any 3 cards stand for a locomotive, and you have"
            " 1 orange and 2 other cards.",
            f"Kristiansand–Stavanger (orange) est un ferry et demande 3 cartes{NBSP}: au moins"
            " 1 Locomotive, et pour le reste des cartes orange ou des Locomotives. 3 cartes"
            " quelconques remplacent une Locomotive, et vous avez 1 carte orange et 2 autres"
            " cartes.",
        ),
        (
            "nordic", {"red": 3}, "claim umea-vaasa red", "NO-4",
            "Umeå–Vaasa takes 1 locomotive, or any 3 cards instead, and no colour; you have"
            " 3 cards. You can claim it with locomotives and sets of any cards, no colour.",
            f"Umeå–Vaasa demande 1 Locomotive, ou 3 cartes quelconques à la place, et aucune couleur"
            f" n’y sert{NBSP}; vous avez 3 cartes. Vous pouvez la prendre sans couleur, avec des"
            " Locomotives ou des lots de cartes quelconques.",
        ),
        (  # locomotives serve inside the sets of Murmansk–Lieksa
            "nordic", {"green": 7, "red": 4, "locomotive": 3}, "claim lieksa-murmansk green", "NO-6",
            "With green, Lieksa–Murmansk needs 9 green cards; any 4 cards, locomotives included,"
            " stand for one, and you have 7 green and 7 other cards.",
            f"En vert, Lieksa–Murmansk demande 9 cartes vertes{NBSP}; 4 cartes quelconques, même des"
            " Locomotives, en remplacent une, et vous avez 7 cartes vertes et 7 autres cartes.",
        ),
        (
            "nordic", {"green": 7}, "claim lieksa-murmansk wild", "NO-6",
            "Without a colour, Lieksa–Murmansk needs 9 sets of any 4 cards, and you have 7 cards.",
            "Sans couleur, Lieksa–Murmansk demande 9 lots de 4 cartes quelconques, et vous avez"
            " 7 cartes.",
        ),
        (
            "nordic", {"green": 1, "locomotive": 2}, "claim orebro-oslo green", "NO-3",
            "Örebro–Oslo (green) needs 2 green cards, and you have 1 green; locomotives don’t serve there.",
            f"Örebro–Oslo (verte) demande 2 cartes vertes, et vous avez 1 carte verte{NBSP};"
            " les Locomotives n’y servent pas.",
        ),
        (  # the book's colour names
            "nordic", {"green": 1}, "claim imatra-kuopio pink", "BASE-7",
            "Imatra–Kuopio needs 2 violet cards, and you have none.",
            "Imatra–Kuopio demande 2 cartes violettes, et vous n’en avez aucune.",
        ),
        (  # New York's words
            "new_york", {"pink": 1}, "claim chelsea-soho pink", "BASE-7",
            "Chelsea–Soho needs 4 cards, pink or taxi cards, and you have 1 pink.",
            "Chelsea–Soho demande 4 cartes roses ou cartes Taxi, et vous avez 1 carte rose.",
        ),
    ],
)  # fmt: skip
@pytest.mark.rule("BASE-7", "IB-8", "NO-3", "NO-4", "NO-6", "EU-1")
def test_a_claim_without_the_cards_is_told_which_cards_would_serve(
    board: str, hand: dict[str, int], action: str, rule: str, english: str, french: str
) -> None:
    p = Position(board, 2)
    p.hand(0, **hand)
    assert told(p, action) == (rule, english, french)


@pytest.mark.rule("KR-2")
def test_during_the_draft_no_express_card_has_been_spent() -> None:
    state = Game("south_korea", 2).start(1)
    assert state.phase == "draft_pick"
    action = next(a for a in actions(state.game) if state.game.action_text(a) == "express 1 cards")
    refusal = state.why_not(0, action)
    assert refusal is not None
    check(Case(state, 0, action), refusal)
    assert refusal.reason == "other_decision"


@pytest.mark.rule("KR-3", "KR-4")
def test_an_express_card_that_would_bring_nothing_says_why() -> None:
    p = Position("south_korea", 2)
    p.set_ticket_deck(p.ticket_deck()[:2])
    assert told(p, "express 2 tickets")[1:] == (
        "An Express card would bring nothing here: only 2 tickets are left.",
        f"Une carte Train Express n’apporterait rien ici{NBSP}: il ne reste que 2 cartes"
        " Destination.",
    )
    p.set_ticket_deck([])
    assert told(p, "express 2 tickets")[1] == "The ticket deck is empty."
    p.set_deck([])
    rule, english, _ = told(p, "express 1 cards")
    assert (rule, english) == (
        "KR-3", "An Express card would bring nothing here: deck and discards are empty."
    )  # fmt: skip


@pytest.mark.rule("RU-10")
def test_a_full_line_of_the_mat_names_the_spot_that_the_express_card_would_reach() -> None:
    p = Position("south_korea", 2)
    p.hand(0, white=4)
    p.act("claim namwon-jinju white")
    p.act("pay 0 extra 0")
    lines = next(e.params["lines"] for e in p.game.board.rules if e.name == "province_mat")
    assert isinstance(lines, list)
    line = [entry["colour"] for entry in lines].index("white")
    width = len(numbers(p.s, "mat")) // len(lines)
    for spot in range(4):
        p.s.d[p.field("mat") + line * width + spot] = 2
    p.arranged()
    assert told(p, "mat white")[1] == "On the white line (North Jeolla) no spot up to 3 is free."
    assert told(p, "mat white express 1")[1:] == (
        "On the white line (North Jeolla) no spot up to 4 is free.",
        "Sur la ligne blanche (Jeolla du Nord), aucune case n’est libre jusqu’à la case 4.",
    )


@pytest.mark.rule("KR-6")
def test_cards_over_that_are_not_held_are_told_from_those_that_serve_nothing() -> None:
    p = Position("south_korea", 2)
    p.hand(0, white=5)
    p.trains(0, 3)  # none would be left for the mat
    p.hand(0, white=5, locomotive=1)
    p.act("claim namwon-jinju white")
    assert told(p, "pay 0 extra 2")[::2] == (
        "KR-6",
        "On ne joue plus de cartes que la route n’en demande que pour atteindre une case libre plus"
        " élevée du tableau Provinces.",
    )
    assert told(p, "pay 0 extra 3")[:2] == (
        "BASE-7", "That takes 6 white, and you have 5 white."
    )  # fmt: skip


@pytest.mark.rule("NO-8")
def test_with_an_empty_deck_the_face_up_cards_are_not_called_gone() -> None:
    p = Position("iberia", 2)
    p.set_deck([])
    assert told(p, "draw")[1:] == (
        "No card can be drawn from the deck: deck and discards are empty.",
        f"On ne peut rien tirer de la pioche{NBSP}: pioche et défausse sont vides.",
    )
    p = Position("nordic", 2)
    p.set_deck([])
    card = p.display_cards()[0]
    assert told(p, f"take {card}")[0::1][1:] == (
        "Deck and discards are empty: no cards can be drawn now, not even face-up ones.",
        f"Pioche et défausse sont vides{NBSP}: on ne peut prendre aucune carte, même visible.",
    )


@pytest.mark.rule("BASE-2")
def test_another_decision_is_named_only_when_one_is_open() -> None:
    p = Position("usa", 2)
    assert told(p, "pay 0")[1:] == (
        "There is nothing of the kind to decide now.",
        "Il n’y a rien de tel à décider maintenant.",
    )
    p.act("draw")
    assert told(p, "tickets")[1:] == (
        "Another decision is open now.",
        "Une autre décision est en cours.",
    )


@pytest.mark.rule("EU-1")
def test_a_station_that_can_not_be_built_says_why() -> None:
    p = Position("europe", 2)
    p.hand(0, red=1, blue=1)
    p.s.d[p.field("stations_left")] = 2
    assert told(p, "station")[1:] == (
        "Your next station costs 2 cards of one colour, locomotives included, and you have 1 at"
        " most.",
        "Votre prochaine gare coûte 2 cartes d’une même couleur, en comptant les Locomotives, et"
        " vous en avez 1 au plus.",
    )
    p.hand(0, red=2, green=2, blue=1)
    p.act("station")
    p.act("station at wien")
    assert told(p, "station pay blue 0")[1] == "That takes 2 blue, and you have 1 blue."
    p = Position("europe", 2)
    p.hand(0, red=1)
    for city in range(p.t.cities):
        p.s.d[p.field("stations") + city] = 2
    p.arranged()
    assert told(p, "station")[1:] == (
        "There is a station everywhere already.", "Il y a déjà une gare partout."
    )  # fmt: skip


@pytest.mark.rule("NO-5", "EU-1")
@pytest.mark.parametrize(("board", "route", "rule"), [
    ("europe", "barcelona-pamplona", "EU-1"), ("nordic", "bergen-oslo", "NO-5"),
])  # fmt: skip
def test_a_tunnel_says_what_it_asks_for_and_cites_the_book_of_its_board(
    board: str, route: str, rule: str
) -> None:
    p = Position(board, 2)
    colour = p.game.board.routes[p.route(route)].colour
    card = p.game.board.colours[colour] if colour >= 0 else "red"
    length = int(p.game.board.routes[p.route(route)].length)
    p.hand(0, **{card: length, "locomotive": 1})
    p.deck(card, card, "white" if card != "white" else "black")
    p.act(f"claim {route} {card}")
    p.act(next(text for text in p.legal() if text.startswith("pay 0")))
    assert p.s.phase == "tunnel"
    cited, english, _ = told(p, "tunnel 0")
    assert cited == rule
    assert english == (
        f"The tunnel asks for 2 more cards. That would be 2 {card}; beyond the cards laid down, you"
        " have 1 locomotive."
    )
    assert told(p, "tunnel 3")[1] == "The tunnel asks for only 2 more cards."
