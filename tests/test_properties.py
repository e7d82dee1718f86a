"""Whole games at random, on every board: nothing is lost, all is scored right, every game ends."""

from __future__ import annotations

import random
from collections import Counter
from copy import copy
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline import Game, IllegalAction, State
from branchline.core.catalogue import rule_ids
from branchline.engine import layout
from branchline.engine.events import Log
from branchline.engine.layout import CLOSED, HELD, IN_DECK, OFFERED
from golden_games import POLICIES, TABLES, finished, game_of, play
from plain_scorer import Ledger, board_data, score
from positions import Position

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")

RULES = set(rule_ids())
PLACES = {
    "deck": layout.IN_DECK, "out": layout.OUT, "held": HELD, "offered": OFFERED, "box": 0,
    "picked": layout.PICKED, "pack": layout.PACK, "rejected": layout.REJECTED,
    "left": layout.LEFT_OVER,
}  # fmt: skip


def numbers(state: State, name: str) -> list[int]:
    """A field of the state."""
    f = state.t.fields.field(name)
    return list(state.d[f.offset : f.offset + f.size])


def by_seat(state: State, name: str) -> list[Counter[int]]:
    """A field with equal parts for the seats, as counts."""
    values, seats = numbers(state, name), state.game.seats
    width = len(values) // seats
    return [counts(values[k * width : (k + 1) * width]) for k in range(seats)]


def counts(values: list[int]) -> Counter[int]:
    return Counter({kind: n for kind, n in enumerate(values) if n})


def agree(ledger: Ledger, state: State) -> None:
    """The state says the same as the ledger of its events."""
    t, names = state.t, {f.name for f in state.t.fields.fields}
    assert min(state.d) >= 0
    assert by_seat(state, "hand") == [+hand for hand in ledger.hands]
    assert numbers(state, "hand_size") == [hand.total() for hand in ledger.hands]
    assert by_seat(state, "known") == [+known for known in ledger.known]
    shown = [t.blank if card is None else card for card in ledger.display]
    assert numbers(state, "display") == shown
    assert counts(numbers(state, "discard")) == +ledger.discards
    assert state.d[t.discard_size] == ledger.discards.total()
    assert numbers(state, "deck")[: state.d[t.deck_len]] == ledger.deck
    assert state.d[t.specials] == sum(card >= t.special for card in ledger.deck)
    assert numbers(state, "trains") == ledger.trains
    owners = [ledger.owner.get(r, -1) + 1 for r in range(t.routes)]
    assert numbers(state, "owner") == [
        CLOSED if r in ledger.closed else owner for r, owner in enumerate(owners)
    ]
    places = [PLACES[what] + seat for what, seat in ledger.place.values()]
    assert numbers(state, "ticket_at") == places
    ring, top = numbers(state, "ticket_deck"), state.d[t.ticket_top]
    n = state.d[t.ticket_len]
    assert [ring[(top + k) % t.tickets] for k in range(n)] == ledger.ticket_deck
    for seat in range(t.seats):
        assert state.d[t.ticket_count + seat] == places.count(HELD + seat)
        assert state.d[t.offer_count + seat] == places.count(OFFERED + seat)
    if "revealed" in names:
        assert counts(numbers(state, "revealed")) == +ledger.revealed
    if "festival_piles" in names:
        assert counts(numbers(state, "festival_piles")) == +ledger.piles
        assert by_seat(state, "festival_cards") == [+held for held in ledger.festival_cards]
    if "mat" in names:
        assert Counter(numbers(state, "mat")) - Counter([0] * 99) == Counter(
            seat + 1 for seat in ledger.mat.values()
        )
        assert [part.total() for part in by_seat(state, "express")] == list(
            map(len, ledger.express)
        )
    if "stations" in names:
        built = [ledger.stations.get(c, -1) + 1 for c in range(t.cities)]
        assert numbers(state, "stations") == built


def result_of(state: State) -> tuple[list[int], list[int], str]:
    """What the engine says of the end."""
    outcome = state.outcome
    return outcome.scores, outcome.winners, outcome.tie_break


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("BASE-1", "BASE-6", "IB-1", "IB-5", "NY-1", "BASE-11", "BASE-12", "RU-1", "RU-3")
@pytest.mark.rule("RU-7", "RU-16", "NO-8", "KR-6", "KR-7", "US-1", "EU-1")
def test_after_every_event_nothing_is_lost_and_the_score_is_that_of_the_plain_scorer(
    board: str, seats: int, policy: str
) -> None:
    state = finished(board, seats, 11, policy, log=True)
    game = state.game
    ledger = Ledger(board_data(board), seats)
    again = State(game, game.blank_state[:])
    for event in state.events:
        again.redo(event)
        ledger.feed(event.kind.name, int(event.seat), [int(n) for n in event.numbers])
        ledger.check()
        agree(ledger, again)
    assert again == state
    assert ledger.over
    assert score(ledger) == result_of(state)
    for seat, lines in enumerate(state.outcome.lines):
        assert sum(line.points for line in lines) == state.outcome.scores[seat]
        assert {line.rule for line in lines} <= RULES


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("BASE-10", "BASE-11", "BASE-12", "BASE-14", "RU-3", "RU-14")
def test_games_end_and_are_scored_like_the_plain_scorer_says(board: str, seats: int) -> None:
    for seed, policy in product(range(100, 103), POLICIES):
        state = finished(board, seats, seed, policy, log=True)
        ledger = Ledger(board_data(board), seats)
        for event in state.events:
            ledger.feed(event.kind.name, int(event.seat), [int(n) for n in event.numbers])
        ledger.check()
        assert score(ledger) == result_of(state), (seed, policy)
        names = [event.kind.name for event in state.events]
        assert names[-1] == "GameEnded"
        if "LastRoundBegan" in names:
            last = names[names.index("LastRoundBegan") :]
            assert last.count("TurnBegan") == seats
            assert min(ledger.trains) <= 2
        else:
            assert names.count("Passed") >= seats
        assert 1 <= len(state.outcome.winners) <= seats
        assert 40 < state.d[state.t.turns] + len(state.moves or []) < 3000


def refused(state: State, seat: int, action: int) -> None:
    """The action is refused with a rule that exists, and nothing changes."""
    before = state.to_bytes()
    refusal = state.why_not(seat, action)
    assert refusal is not None
    assert refusal.rule in RULES
    with pytest.raises(IllegalAction) as caught:
        state.apply(seat, action)
    assert caught.value.refusal == refusal
    assert state.to_bytes() == before


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("BASE-2")
def test_every_legal_action_applies_and_every_other_is_refused_by_a_rule(
    board: str, seats: int
) -> None:
    rng = random.Random(f"{board} {seats}")
    game = game_of(board, seats)
    everything = range(len(game.action_rules))
    rule_of = [
        (rule.name, kind) for rule, kind in zip(game.action_rules, game.action_kinds, strict=True)
    ]
    for policy in ("rare", "saver"):
        state = game.start(rng.randrange(1000))
        for _ in play(state, policy, rng):
            if state.over or rng.random() < 0.9:
                continue
            for seat in range(seats):
                legal = state.legal(seat)
                assert len(set(legal)) == len(legal)
                assert bool(legal) == (seat in state.to_act)
                for action in rng.sample(legal, min(len(legal), 6)):
                    assert state.why_not(seat, action) is None
                    ahead = state.clone()
                    ahead.apply(seat, action)
                    assert ahead != state
                    conserved(ahead)
                owners = {rule_of[action] for action in legal}
                near = [a for a in everything if rule_of[a] in owners]
                for action in [*rng.sample(everything, 6), *rng.sample(near, min(len(near), 8))]:
                    if action not in legal:
                        refused(state, seat, action)
        for seat, action in ((0, 0), (0, -1), (0, len(everything)), (-1, 0), (seats, 0)):
            refused(state, seat, action)


def conserved(state: State) -> None:
    """The sums that never change, from the state alone."""
    t = state.t
    assert min(state.d) >= 0
    cards = Counter(numbers(state, "deck")[: state.d[t.deck_len]])
    cards.update(card for card in numbers(state, "display") if card != t.blank)
    cards.update(counts(numbers(state, "discard")))
    names = {f.name for f in t.fields.fields}
    if "revealed" in names:
        cards.update(counts(numbers(state, "revealed")))
    for hand, known in zip(by_seat(state, "hand"), by_seat(state, "known"), strict=True):
        assert known <= hand
        cards.update(hand)
    assert numbers(state, "hand_size") == [hand.total() for hand in by_seat(state, "hand")]
    rule = next(r for r in state.game.board.rules if r.name == "deck").params
    for kind in range(t.kinds):
        assert cards[kind] == rule["locomotives" if kind == t.loco else "per_colour"]
    if "festival_piles" in names:
        for f, n in enumerate(numbers(state, "festival_piles")):
            cards[t.special + f] += n + sum(held[f] for held in by_seat(state, "festival_cards"))
        sets = len(numbers(state, "festival_piles"))
        assert sum(cards[t.special + f] for f in range(sets)) == 54
    places = Counter(numbers(state, "ticket_at"))
    assert places.total() == t.tickets
    assert places[IN_DECK] == state.d[t.ticket_len]
    owners = numbers(state, "owner")
    for seat in range(t.seats):
        trains = state.d[t.trains + seat]
        trains += sum(t.length[r] for r in range(t.routes) if owners[r] == seat + 1)
        if "mat" in names:
            trains += numbers(state, "mat").count(seat + 1)
        assert trains == state.game.board.trains
        assert places[HELD + seat] == state.d[t.ticket_count + seat]


# --- payments: every one that the rules allow, and each of them once ----------------------------

Cards = tuple[int, ...]  # how many of each kind, the locomotives last


class Bill:
    """What a route asks for, from the rules page."""

    def __init__(self, game: Game, route: int) -> None:
        rules = {entry.name for entry in game.board.rules}
        r = game.board.routes[route]
        self.loco = len(game.board.colours)
        self.length = int(r.length)
        self.colours = [int(r.colour)] if r.colour >= 0 else list(range(self.loco))
        self.symbols = int(r.locomotives)
        restricted = "locomotive_restriction" in rules  # NO-3
        self.wild = not restricted or r.locomotives > 0 or r.tunnel
        three_for_one = 3 if "substitutes" in rules and r.locomotives else 0  # NO-4
        self.set_size = int(r.any_cards) or three_for_one  # NO-6
        self.numbers = [self.length]  # of cards that count; on some boards more may (KR-6)

    def ways(self, hand: Cards) -> Counter[Cards]:
        """All ways to pay: colour, locomotives, substitutes. By the cards that they take."""
        found: Counter[Cards] = Counter()
        sets = range(self.length + 1 if self.set_size else 1)
        for colour, n, z in product([*self.colours, None], self.numbers, sets):
            for y in range((hand[self.loco] if self.wild else 0) + 1):
                x = n - y - z
                if x < 0 or y + z < self.symbols or (x > 0) == (colour is None):
                    continue
                base = [0] * len(hand)
                base[self.loco] += y
                base[colour or 0] += x
                rest = [have - used for have, used in zip(hand, base, strict=True)]
                for others in handfuls(rest, z * self.set_size) if min(rest) >= 0 else ():
                    found[tuple(map(sum, zip(base, others, strict=True)))] += 1
        return found

    def pays(self, cards: Cards) -> bool:
        """Whether these cards, laid on the table, pay for the route."""
        for z in range(self.length + 1 if self.set_size else 1):
            n = sum(cards) - z * self.set_size + z
            for colour, y in product(self.colours, range((cards[self.loco] * self.wild) + 1)):
                x = n - z - y  # so many of the colour; all other cards are in the sets
                enough = n in self.numbers and y + z >= self.symbols
                if enough and 0 <= x <= cards[colour]:
                    return True
        return False


def handfuls(hand: list[int], size: int) -> list[Cards]:
    """All choices of `size` cards of a hand."""
    if len(hand) == 1:
        return [(size,)] if size <= hand[0] else []
    return [
        (n, *others)
        for n in range(min(hand[0], size) + 1)
        for others in handfuls(hand[1:], size - n)
    ]


def reached(state: State, first: str) -> Counter[Cards]:
    """The payments to which actions lead that begin so, by the cards that they take."""
    game, found = state.game, Counter[Cards]()
    seat = state.to_act[0]
    open_states = [(state, a) for a in state.legal(seat) if game.action_text(a).startswith(first)]
    while open_states:
        before, action = open_states.pop()
        ahead = before.clone()
        ahead.log = Log()
        ahead.apply(seat, action)
        if ahead.phase in ("pay", "substitute", "station_pay"):
            open_states += [(ahead, a) for a in ahead.legal(seat)]
            continue
        laid = next(e for e in ahead.events if e.kind.name in ("CardsPlayed", "TunnelTried"))
        found[tuple(int(n) for n in laid.numbers[-game.layout.kinds :])] += 1
    return found


@cache
def opened(board: str) -> Position:
    """A game with empty hands and no display, so that a hand may have any cards."""
    p = Position(board, 2)
    p.hands_empty()
    p.display()
    return p


def hands(kinds: int, colour: int, most: int) -> st.SearchStrategy[Cards]:
    """Hands with up to `most` cards of a colour, a few of some others, and locomotives."""
    few = st.integers(0, 4)
    others = st.dictionaries(st.integers(0, kinds - 2), few, max_size=2)
    return st.builds(
        lambda have, n, locos: (
            *[({**have, colour: n}).get(k, 0) for k in range(kinds - 1)],
            locos,
        ),
        others,
        st.integers(0, most),
        few,
    )


def compare_payments(p: Position, route: int, hand: Cards, bill: Bill) -> None:
    p.hand(0, **{p.game.card_name(kind): n for kind, n in enumerate(hand) if n})
    found = reached(p.s, f"claim {p.game.route_text(route)} ")
    assert found == Counter(set(bill.ways(hand)))  # each once, whatever the cards stand for
    assert set(found) == {c for c in product(*[range(n + 1) for n in hand]) if bill.pays(c)}


@pytest.mark.parametrize("board", dict.fromkeys(board for board, _ in TABLES))
@pytest.mark.rule("BASE-7", "IB-8", "NO-3", "NO-4", "NO-6", "RU-5", "KR-6", "RU-10")
def test_every_payment_that_the_rules_allow_is_offered_and_no_other(board: str) -> None:
    @settings(max_examples=120)
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        base = opened(board)
        p = copy(base)
        p.s = base.s.clone()
        route = data.draw(st.integers(0, len(p.game.board.routes) - 1))
        bill = Bill(p.game, route)
        hand = data.draw(hands(p.t.kinds, bill.colours[0], min(9, p.total(0))))
        if p.game.rule_named("province_mat"):
            trains = data.draw(st.integers(bill.length, 45))
            p.trains(0, trains)
            taken = data.draw(st.sets(st.integers(0, 71), max_size=72))
            for spot in taken:
                p.s.d[p.field("mat") + spot] = 2
            spent = data.draw(st.sets(st.sampled_from([1, 2, 3])))
            for value in spent:
                p.s.d[p.field("express") + value - 1] = 0
            if trains > bill.length:
                bill.numbers = useful_numbers(p, route, taken, {1, 2, 3} - spent)
        compare_payments(p, route, hand, bill)

    compare()


def useful_numbers(p: Position, route: int, taken: set[int], express: set[int]) -> list[int]:
    """How many cards may be played, on eight lines with spots 1 to 9 (KR-6)."""
    mat = next(
        entry.params["lines"] for entry in p.game.board.rules if entry.name == "province_mat"
    )
    assert isinstance(mat, list)
    r = p.game.board.routes[route]
    lines = [
        k
        for k, line in enumerate(mat)
        if r.colour < 0 or line["colour"] == p.game.board.colours[r.colour]
    ]

    def spot(line: int, value: int) -> int:
        free = (v for v in range(1, 10) if v <= value and 9 * line + v - 1 not in taken)
        return max(free, default=0)

    return [
        n
        for n in range(r.length, 13)
        if n == r.length
        or any(
            all(spot(k, n + e) > spot(k, fewer + e) for fewer in range(r.length, n))
            for k in lines
            for e in {0, *express}
        )
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.rule("NO-3", "NO-4", "NO-6", "RU-5")
def test_in_sampled_positions_the_same_cards_are_offered_once(seed: int) -> None:
    rng = random.Random(seed)
    state = game_of("nordic", 3).start(seed)
    looked = 0
    for _ in play(state, "saver" if seed else "uniform", rng):
        if state.over or state.phase != "turn":
            continue
        hand = tuple(state.view(state.to_act[0])["hand"])
        if sum(hand) > 14 or rng.random() < 0.8:
            continue
        for route in range(state.t.routes):
            bill = Bill(state.game, route)
            found = reached(state, f"claim {state.game.route_text(route)} ")
            if found:
                assert found == Counter(set(bill.ways(hand)))
                looked += bool(bill.set_size)
    assert looked > 20


@pytest.mark.parametrize(
    "hand", [(0, 0, 0, 0, 7, 0, 5, 0, 3), (9, 0, 0, 5, 0, 0, 0, 0, 0), (0, 8, 8, 0, 0, 0, 0, 0, 4)]
)
@pytest.mark.rule("NO-6", "RU-5")
def test_any_four_cards_stand_for_one_between_murmansk_and_lieksa(hand: Cards) -> None:
    p = Position("nordic", 2)
    route = p.route("lieksa-murmansk")
    compare_payments(p, route, hand, Bill(p.game, route))
    assert reached(p.s, "claim lieksa-murmansk ")


@pytest.mark.parametrize("built", [0, 1, 2])
@given(hand=hands(9, 3, 4))
@pytest.mark.rule("EU-1")
def test_a_station_costs_one_two_three_cards_of_one_colour(built: int, hand: Cards) -> None:
    p = copy(opened("europe"))
    p.s = opened("europe").s.clone()
    p.s.d[p.field("stations_left")] = 3 - built
    p.hand(0, **{p.game.card_name(kind): n for kind, n in enumerate(hand) if n})
    fair = [
        cards
        for cards in product(*[range(n + 1) for n in hand])
        if sum(cards) == built + 1 and sum(n > 0 for n in cards[:-1]) <= 1
    ]
    if "station" in p.legal():
        p.act("station")
    assert reached(p.s, "station at wien") == Counter(fair)
