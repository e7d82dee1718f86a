"""Iberia: festivals, the Ticket Draft card and the two drafts (IB-1 to IB-9)."""

from __future__ import annotations

from collections import Counter

import pytest

from branchline import Game, State
from branchline.engine.layout import LEFT_OVER, PACK
from branchline.engine.view import MINE, UNKNOWN
from positions import Position
from rules.helpers_expansion import (
    DRAFT,
    act,
    code,
    draft_due,
    draft_over,
    festival_ids,
    festivals,
    fiesta,
    fiestas_of,
    finish_draft,
    give_fiestas,
    happened,
    held,
    in_ticket_deck,
    lay_out,
    offered_to,
    only,
    pack,
    pick_all,
    picked,
    piles,
    second_draft,
    seen_by,
    stack,
    texts,
    tickets_at,
    train_cards,
)

SEATS = (2, 3, 4, 5)


def at_opening(seats: int, seed: int = 1, log: bool = False) -> State:
    """The game at its first decision: the first pick of the opening draft."""
    return Game("iberia", seats).start(seed, first=0, log=log)


def in_second_draft(seats: int, seed: int = 1, log: bool = False) -> Position:
    """A position in which seat 0 has just drawn the draft card and ended its turn."""
    p = Position("iberia", seats, seed, log)
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    p.act("draw")
    assert p.s.phase == "second_draft_pick"
    return p


# --- IB-1 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-1")
@pytest.mark.parametrize("seats", SEATS)
def test_the_deck_gets_54_festival_cards_and_the_draft_card_after_the_deal(seats: int) -> None:
    s = at_opening(seats)
    d, t = s.d, s.t
    assert [d[t.hand_size + k] for k in range(seats)] == [4] * seats
    assert train_cards(s) == 110
    assert d[t.specials] == 55
    assert d[t.deck_len] == 110 - 4 * seats - 5 - d[t.discard_size] + 55


@pytest.mark.rule("IB-1")
def test_each_festival_has_the_cards_of_its_set_in_the_deck() -> None:
    p = Position("iberia", 2)
    counts = Counter(p.deck_codes())
    rule = festivals(p.game)
    found = [counts[code(p, fiesta(name))] for name in festival_ids(p.game)]
    assert found == rule.cards
    assert sum(found) == 54
    assert counts[code(p, DRAFT)] == 1


@pytest.mark.rule("IB-1", "BASE-5")
def test_hands_and_display_are_dealt_before_any_festival_card_is_in_the_deck() -> None:
    game = Game("iberia", 5)
    at = game.layout.fields.field("festival_piles").offset
    for seed in range(60):
        s = game.start(seed)
        d, t = s.d, s.t
        shown = [d[t.display + k] for k in range(5)]
        assert all(card < t.kinds for card in shown)
        assert shown.count(t.loco) < 3
        assert all(d[at + k] == 0 for k in range(festivals(game).sets))


@pytest.mark.rule("IB-1", "BASE-5")
def test_a_display_of_three_locomotives_is_replaced_at_set_up_before_festivals_join() -> None:
    game = Game("iberia", 2)
    for seed in range(400):
        s = game.start(seed, log=True)
        names = [event.kind.name for event in s.events]
        if "DisplayReset" in names:
            break
    else:
        raise AssertionError("no seed resets the display at set-up")
    last_shuffle = max(k for k, name in enumerate(names) if name == "DeckShuffled")
    assert names.index("DisplayReset") < last_shuffle
    assert s.d[s.t.discard_size] in (5, 10, 15)
    assert train_cards(s) == 110


@pytest.mark.rule("IB-1")
def test_festival_cards_are_spread_over_the_whole_deck() -> None:
    p = Position("iberia", 2)
    deck = [card for card in p.deck_codes() if card != code(p, DRAFT)]
    third = len(deck) // 3
    for part in (deck[:third], deck[third : 2 * third], deck[2 * third :]):
        assert 5 < sum(card >= p.t.special for card in part) < 35


# --- IB-2 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-2")
@pytest.mark.parametrize("seats", SEATS)
def test_six_tickets_are_dealt_to_everyone_and_all_pick_at_once(seats: int) -> None:
    s = at_opening(seats)
    assert s.phase == "draft_pick"
    assert s.to_act == tuple(range(seats))
    assert [len(pack(s, k)) for k in range(seats)] == [6] * seats
    assert len(in_ticket_deck(s)) == 50 - 6 * seats
    assert texts(s, 0) == [f"draft pick {k}" for k in range(1, 7)]


@pytest.mark.rule("IB-2")
@pytest.mark.parametrize("seats", SEATS)
def test_packs_of_the_first_draft_go_to_the_left_neighbour(seats: int) -> None:
    s = at_opening(seats)
    for rounds in range(1, 5):
        before = [offered_to(s, seat) for seat in range(seats)]
        pick_all(s)
        for seat in range(seats):
            left = (seat + 1) % seats
            assert offered_to(s, left) < before[seat]
            assert len(offered_to(s, left)) == 6 - rounds


@pytest.mark.rule("IB-2")
def test_a_pick_takes_the_ticket_at_that_place_of_the_pack() -> None:
    s = at_opening(2)
    chosen = sorted(offered_to(s, 0))[3]
    act(s, 0, "draft pick 4")
    act(s, 1, "draft pick 1")
    assert picked(s, 0) == {chosen}
    assert chosen not in pack(s, 0)


@pytest.mark.rule("IB-2")
def test_everyone_gets_six_picks_and_the_last_one_needs_no_choice() -> None:
    s = at_opening(3)
    for rounds in range(5):
        assert s.phase == "draft_pick"
        assert [len(picked(s, seat)) for seat in range(3)] == [rounds] * 3
        pick_all(s)
    assert s.phase == "draft_keep"
    assert [len(picked(s, seat)) for seat in range(3)] == [6] * 3
    assert tickets_at(s, PACK) == set()


@pytest.mark.rule("IB-2")
def test_a_pick_that_is_made_cannot_be_switched() -> None:
    p = Position("iberia", 2)
    p.s = at_opening(2)
    p.act("draft pick 1", 0)
    refusal = p.why_not("draft pick 2", 0)
    assert (refusal.rule, refusal.reason) == ("BASE-2", "not_your_turn")


@pytest.mark.rule("IB-2")
def test_only_what_is_left_of_the_pack_can_be_picked() -> None:
    p = Position("iberia", 2)
    p.s = at_opening(2)
    pick_all(p.s)
    refusal = p.why_not("draft pick 6", 1)
    assert (refusal.rule, refusal.reason) == ("IB-2", "ticket_not_offered")


@pytest.mark.rule("IB-2")
@pytest.mark.parametrize("places", ["1", "1 2 3", "1 2 3 4 5", "1 2 3 4 5 6"])
def test_exactly_four_of_the_six_are_kept(places: str) -> None:
    p = Position("iberia", 2)
    p.s = at_opening(2)
    while p.s.phase == "draft_pick":
        pick_all(p.s)
    refusal = p.why_not(f"draft keep {places}", 0)
    assert (refusal.rule, refusal.reason) == ("IB-2", "keep_wrong_number")
    assert len(p.legal(0)) == 15  # four of six
    assert "draft keep 2 3 5 6" in p.legal(0)


@pytest.mark.rule("IB-2")
def test_the_four_that_were_chosen_are_held() -> None:
    s = at_opening(2)
    while s.phase == "draft_pick":
        pick_all(s)
    mine = sorted(picked(s, 0))
    act(s, 0, "draft keep 2 3 5 6")
    act(s, 1, "draft keep 1 2 3 4")
    assert held(s, 0) == {mine[1], mine[2], mine[4], mine[5]}


@pytest.mark.rule("IB-2")
@pytest.mark.parametrize("seats", SEATS)
def test_rejected_and_undealt_tickets_make_the_ticket_deck(seats: int) -> None:
    s = at_opening(seats)
    while s.phase == "draft_pick":
        pick_all(s)
    drafted = [picked(s, seat) for seat in range(seats)]
    undealt = in_ticket_deck(s)
    pick_all(s)
    rejected = {k for seat in range(seats) for k in drafted[seat] - held(s, seat)}
    assert len(rejected) == 2 * seats
    assert in_ticket_deck(s) == undealt | rejected
    assert s.d[s.t.ticket_len] == 50 - 4 * seats
    assert [s.d[s.t.ticket_count + k] for k in range(seats)] == [4] * seats


@pytest.mark.rule("IB-2")
def test_rejected_tickets_are_shuffled_among_the_undealt_ones() -> None:
    places: list[int] = []
    for seed in range(20):
        s = at_opening(2, seed)
        while s.phase == "draft_pick":
            pick_all(s)
        drafted = picked(s, 0) | picked(s, 1)
        pick_all(s)
        d, t = s.d, s.t
        order = [d[t.ticket_deck + (d[t.ticket_top] + k) % t.tickets] for k in range(42)]
        places += [k for k, ticket in enumerate(order) if ticket in drafted]
    assert len(places) == 80
    assert min(places) < 8
    assert max(places) > 33
    assert 15 < sum(places) / 80 < 26  # 20.5 if every place is as likely


@pytest.mark.rule("IB-2")
def test_nobody_knows_where_in_the_ticket_deck_a_rejected_ticket_lies() -> None:
    s = at_opening(2)
    finish_draft(s)
    for seat in range(2):
        assert set(s.view(seat)["tickets"]) == {UNKNOWN, MINE}


@pytest.mark.rule("IB-2")
def test_the_first_seat_begins_when_the_draft_is_over() -> None:
    s = Game("iberia", 4).start(1, first=2)
    finish_draft(s)
    assert (s.phase, s.to_act) == ("turn", (2,))


# --- IB-3 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-3")
def test_a_festival_card_drawn_blind_goes_to_its_city_and_drawing_goes_on() -> None:
    p = Position("iberia", 2)
    p.hand(0)
    stack(p, fiesta("sevilla"), "red")
    p.act("draw")
    assert piles(p) == {"sevilla": 1}
    assert p.hand_of(0) == {"red": 1}
    assert p.s.phase == "draw"  # the festival card is none of the two


@pytest.mark.rule("IB-3")
def test_a_festival_card_never_fills_the_display() -> None:
    p = Position("iberia", 2)
    p.display("red", "blue", "green", "white", "black")
    stack(p, fiesta("palma"), fiesta("leon"), "yellow")
    p.act("take red")
    assert p.display_cards() == ["yellow", "blue", "green", "white", "black"]
    assert piles(p) == {"palma": 1, "leon": 1}


@pytest.mark.rule("IB-3")
def test_cards_of_one_festival_pile_up() -> None:
    p = Position("iberia", 2)
    p.hand(0)
    stack(p, fiesta("valencia"), fiesta("valencia"), "red", fiesta("valencia"), "blue")
    p.act("draw")
    p.act("draw")
    assert piles(p) == {"valencia": 3}
    assert p.hand_of(0) == {"red": 1, "blue": 1}


@pytest.mark.rule("IB-3")
def test_the_second_card_of_a_draw_passes_over_festival_cards_too() -> None:
    p = Position("iberia", 2)
    p.hand(0)
    stack(p, "red", fiesta("madrid"), fiesta("cadiz"), "blue")
    p.act("draw")
    assert piles(p) == {}
    p.act("draw")
    assert p.hand_of(0) == {"red": 1, "blue": 1}
    assert piles(p) == {"madrid": 1, "cadiz": 1}
    assert p.s.turn == 1


@pytest.mark.rule("IB-3")
def test_festival_cards_come_up_while_a_display_is_replaced() -> None:
    p = Position("iberia", 2)
    p.display("locomotive", "locomotive", "red", "blue", "green")
    stack(
        p,
        "locomotive",
        fiesta("lisboa"),
        "red",
        "blue",
        fiesta("granada"),
        "green",
        "white",
        fiesta("lisboa"),
        "black",
    )
    p.act("take red")
    assert p.display_cards() == ["red", "blue", "green", "white", "black"]
    assert piles(p) == {"lisboa": 2, "granada": 1}


@pytest.mark.rule("IB-3")
def test_everyone_hears_which_festival_card_has_come_up() -> None:
    p = Position("iberia", 2, log=True)
    stack(p, fiesta("sevilla"), "red")
    before = len(p.s.events)
    p.act("draw")
    told = [fields for name, _, fields in seen_by(p.s, 1, before) if name == "FestivalCardPlaced"]
    assert told == [{"festival": festival_ids(p.game).index("sevilla")}]
    assert p.s.view(1)["festival_piles"] == p.s.view(0)["festival_piles"]


@pytest.mark.rule("IB-3", "RU-2")
def test_a_deck_of_festival_cards_alone_gives_no_card_to_draw() -> None:
    p = Position("iberia", 2)
    p.display("red", "blue", "green", "white", "black")
    only(p, fiesta("sevilla"))
    refusal = p.why_not("draw")
    assert (refusal.rule, refusal.reason) == ("BASE-6", "deck_empty")


@pytest.mark.rule("IB-3", "BASE-6")
def test_drawing_goes_on_into_the_shuffled_discards() -> None:
    p = Position("iberia", 2)
    p.hand(0)
    p.discards(red=1)
    only(p, fiesta("sevilla"))
    p.act("draw")
    assert piles(p) == {"sevilla": 1}
    assert p.hand_of(0)["red"] == 1


# --- IB-4 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-4")
def test_the_draft_card_drawn_blind_is_set_aside_and_the_turn_goes_on() -> None:
    p = Position("iberia", 2)
    p.hand(0)
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    assert p.hand_of(0) == {"red": 1}
    assert draft_due(p)
    assert (p.s.phase, p.s.to_act) == ("draw", (0,))
    p.act("draw")
    assert p.hand_of(0) == {"red": 1, "blue": 1}
    assert (p.s.phase, p.s.to_act) == ("second_draft_pick", (0, 1))


@pytest.mark.rule("IB-4")
def test_the_draft_card_as_the_second_card_sets_off_the_draft_at_once() -> None:
    p = Position("iberia", 3)
    p.hand(0)
    stack(p, "red", DRAFT, "blue")
    p.act("draw")
    assert not draft_due(p)
    p.act("draw")
    assert p.hand_of(0) == {"red": 1, "blue": 1}
    assert (p.s.phase, p.s.to_act) == ("second_draft_pick", (0, 1, 2))


@pytest.mark.rule("IB-4")
@pytest.mark.parametrize("first", [True, False])
def test_the_draft_card_can_come_up_when_the_display_is_filled(first: bool) -> None:
    p = Position("iberia", 2)
    p.display("red", "blue", "green", "white", "black")
    stack(p, *([DRAFT, "yellow", "pink"] if first else ["yellow", DRAFT, "pink"]))
    p.act("take red")
    assert p.s.phase == "draw"
    assert draft_due(p) is first
    p.act("take blue")
    assert p.display_cards() == ["yellow", "pink", "green", "white", "black"]
    assert p.s.phase == "second_draft_pick"


@pytest.mark.rule("IB-4")
def test_the_draft_comes_before_the_next_turn_whoever_drew_the_card() -> None:
    p = Position("iberia", 4)
    for _ in range(4):  # the turns of seats 0 and 1
        p.act("draw")
    assert p.s.turn == 2
    stack(p, "red", DRAFT, "blue")
    p.act("draw")
    p.act("draw")
    assert set(p.s.to_act) == {0, 1, 2, 3}
    finish_draft(p.s)
    assert (p.s.phase, p.s.to_act) == ("turn", (3,))


@pytest.mark.rule("IB-4", "BASE-5")
def test_the_draft_card_can_come_up_while_a_display_is_replaced() -> None:
    p = Position("iberia", 2)
    p.display("locomotive", "locomotive", "red", "blue", "green")
    stack(p, "locomotive", "red", DRAFT, "blue", "green", "white", "black")
    p.act("take red")
    assert p.display_cards() == ["red", "blue", "green", "white", "black"]
    assert draft_due(p)
    p.act("take red")
    assert p.s.phase == "second_draft_pick"


@pytest.mark.rule("IB-4", "RU-2")
def test_the_draft_card_can_come_up_when_the_display_is_filled_after_a_claim() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=1)
    p.display("red", "green")
    only(p, DRAFT, "white", "black", "pink")
    p.act("claim sevilla-cadiz blue")
    assert p.owner_of("sevilla-cadiz") == 0
    assert "white" in p.display_cards()
    assert (p.s.phase, p.s.to_act) == ("second_draft_pick", (0, 1))


@pytest.mark.rule("IB-3", "IB-4")
def test_festival_cards_and_the_draft_card_can_come_up_in_one_refill() -> None:
    p = Position("iberia", 2, log=True)
    p.display("red", "blue", "green", "white", "black")
    stack(p, fiesta("leon"), fiesta("palma"), DRAFT, fiesta("leon"), "yellow")
    before = len(p.s.events)
    p.act("take red")
    assert happened(
        p, before, "FestivalCardPlaced", "DraftCardDrawn", "DisplayFilled", "CardTaken"
    ) == [
        "CardTaken",
        "FestivalCardPlaced",
        "FestivalCardPlaced",
        "DraftCardDrawn",
        "FestivalCardPlaced",
        "DisplayFilled",
    ]
    assert piles(p) == {"leon": 2, "palma": 1}
    assert p.display_cards()[0] == "yellow"
    assert draft_due(p)


@pytest.mark.rule("IB-4")
@pytest.mark.parametrize("seats", SEATS)
def test_packs_of_the_second_draft_go_to_the_right_neighbour(seats: int) -> None:
    p = in_second_draft(seats)
    assert [len(pack(p.s, k)) for k in range(seats)] == [6] * seats
    for _ in range(4):
        before = [offered_to(p.s, seat) for seat in range(seats)]
        pick_all(p.s)
        for seat in range(seats):
            assert offered_to(p.s, (seat - 1) % seats) < before[seat]


@pytest.mark.rule("IB-4")
@pytest.mark.parametrize("seats", SEATS)
def test_four_of_six_are_kept_in_the_second_draft_beside_the_first_four(seats: int) -> None:
    p = in_second_draft(seats)
    first = [held(p.s, seat) for seat in range(seats)]
    while p.s.phase == "second_draft_pick":
        pick_all(p.s)
    assert [len(picked(p.s, seat)) for seat in range(seats)] == [6] * seats
    for places in ("1 2 3", "1 2 3 4 5"):
        refusal = p.why_not(f"second-draft keep {places}", 0)
        assert (refusal.rule, refusal.reason) == ("IB-4", "keep_wrong_number")
    pick_all(p.s)
    for seat in range(seats):
        assert first[seat] < held(p.s, seat)
        assert len(held(p.s, seat)) == 8
        assert p.s.d[p.t.ticket_count + seat] == 8
    assert draft_over(p)
    assert not draft_due(p)


@pytest.mark.rule("IB-4")
def test_tickets_kept_before_are_in_no_pack_of_the_second_draft() -> None:
    p = in_second_draft(5)
    kept = set().union(*(held(p.s, seat) for seat in range(5)))
    dealt = set().union(*(pack(p.s, k) for k in range(5)))
    assert len(kept) == 20
    assert len(dealt) == 30
    assert not kept & dealt


@pytest.mark.rule("IB-4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_second_draft_deals_from_the_top_and_returns_rejected_ones_to_the_bottom(
    seats: int,
) -> None:
    p = Position("iberia", seats)
    order = p.ticket_deck()
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    p.act("draw")
    dealt = set().union(*(pack(p.s, k) for k in range(seats)))
    assert dealt == set(order[: 6 * seats])
    finish_draft(p.s)
    now = p.ticket_deck()
    untouched = order[6 * seats :]
    assert now[: len(untouched)] == untouched
    kept = set().union(*(held(p.s, seat) for seat in range(seats)))
    assert set(now[len(untouched) :]) == dealt - kept
    assert len(now) == 50 - 8 * seats
    assert tickets_at(p.s, LEFT_OVER) == set()


@pytest.mark.rule("IB-4")
def test_the_rejected_tickets_of_the_second_draft_are_shuffled_together() -> None:
    orders = set()
    for seed in range(12):
        p = in_second_draft(2, seed)
        while p.s.phase == "second_draft_pick":
            pick_all(p.s)
        drafted = [picked(p.s, seat) for seat in range(2)]
        pick_all(p.s)
        bottom = p.ticket_deck()[-4:]
        orders.add(tuple(0 if ticket in drafted[0] else 1 for ticket in bottom))
        for seat in range(2):
            assert {p.s.view(seat)["tickets"][ticket] for ticket in bottom} == {UNKNOWN}
    assert len(orders) > 2


@pytest.mark.rule("IB-4")
def test_five_players_draft_the_whole_ticket_deck_the_second_time() -> None:
    p = in_second_draft(5)
    assert p.ticket_deck() == []
    finish_draft(p.s)
    assert len(p.ticket_deck()) == 10


@pytest.mark.rule("IB-4")
def test_the_second_draft_is_held_only_once() -> None:
    p = in_second_draft(2)
    finish_draft(p.s)
    assert code(p, DRAFT) not in p.deck_codes()
    p.end_turn()
    assert p.s.phase == "turn"
    assert not draft_due(p)


@pytest.mark.rule("IB-4")
def test_everyone_hears_that_the_draft_card_was_drawn() -> None:
    p = Position("iberia", 2, log=True)
    stack(p, DRAFT, "red")
    before = len(p.s.events)
    p.act("draw")
    assert ("DraftCardDrawn", -1, {}) in seen_by(p.s, 1, before)
    assert p.s.view(1).one("second_draft_due") == 1


# --- IB-5 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-5")
def test_festival_cards_and_the_draft_card_never_return_at_a_reshuffle() -> None:
    p = Position("iberia", 2)
    p.hand(0)
    p.discards(red=6, blue=6, locomotive=2)
    only(p, fiesta("sevilla"), DRAFT, fiesta("madrid"), "white")
    p.act("draw")
    p.act("draw")
    finish_draft(p.s)
    assert piles(p) == {"sevilla": 1, "madrid": 1}
    assert len(p.deck_codes()) == 13
    assert all(card < p.t.kinds for card in p.deck_codes())
    assert p.s.d[p.t.specials] == 0


@pytest.mark.rule("IB-5")
def test_festival_cards_that_were_taken_do_not_return_either() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=1)
    p.display("red", "green", "white", "black", "pink")
    lay_out(p, sevilla=2)
    only(p)
    p.act("claim sevilla-cadiz blue")
    p.act("draw", 1)  # the played card comes back as the new deck
    assert fiestas_of(p, 0) == {"sevilla": 2}
    assert all(card < p.t.kinds for card in p.deck_codes())
    assert piles(p) == {}


@pytest.mark.rule("IB-5")
def test_a_whole_game_brings_every_special_card_up_at_most_once() -> None:
    game = Game("iberia", 2)
    s = game.start(5, log=True)
    while not s.over:
        seat = s.to_act[0]
        wanted = [a for a in s.legal(seat) if game.action_text(a) == "draw"]
        s.apply(seat, wanted[0] if wanted else s.legal(seat)[-1])
        if s.d[s.t.shuffles] > 6:  # the deck has been made anew several times
            break
    names = Counter(event.kind.name for event in s.events)
    assert names["FestivalCardPlaced"] == 54
    assert names["DraftCardDrawn"] == 1
    assert names["SecondDraftEnded"] == 1
    later = [e for e in s.events if e.kind.name == "DeckShuffled"][3:]
    assert later
    assert all(card < s.t.kinds for event in later for card in event.numbers[2:])


# --- IB-6 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-6", "RU-9")
def test_a_claim_takes_the_whole_pile_of_its_festival_city() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=1)
    lay_out(p, sevilla=3, madrid=2)
    p.act("claim sevilla-cadiz blue")
    assert fiestas_of(p, 0) == {"sevilla": 3}
    assert piles(p) == {"madrid": 2}
    assert p.s.turn == 1


@pytest.mark.rule("IB-6", "RU-9")
def test_the_pile_is_taken_whichever_end_of_the_route_it_lies_at() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=1)
    lay_out(p, cadiz=1)
    p.act("claim sevilla-cadiz blue")
    assert fiestas_of(p, 0) == {"cadiz": 1}


@pytest.mark.rule("IB-6")
@pytest.mark.parametrize(
    ("answer", "taken", "left"),
    [
        ("festival first", {"sevilla": 2}, {"cadiz": 3}),
        ("festival second", {"cadiz": 3}, {"sevilla": 2}),
    ],
)
def test_between_two_piles_the_player_takes_one_and_never_both(
    answer: str, taken: dict[str, int], left: dict[str, int]
) -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=1)
    lay_out(p, sevilla=2, cadiz=3)
    p.act("claim sevilla-cadiz blue")
    assert (p.s.phase, p.s.to_act) == ("festival", (0,))
    assert p.legal() == ["festival first", "festival second"]
    p.act(answer)
    assert fiestas_of(p, 0) == taken
    assert piles(p) == left
    assert p.s.turn == 1


@pytest.mark.rule("IB-6")
def test_the_choice_between_two_piles_must_be_made_before_anything_else() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=1)
    lay_out(p, sevilla=1, cadiz=1)
    p.act("claim sevilla-cadiz blue")
    assert p.why_not("draw").reason == "other_decision"
    assert p.why_not("draw", 1).reason == "not_your_turn"


@pytest.mark.rule("IB-6")
def test_there_is_no_festival_to_choose_without_such_a_claim() -> None:
    p = Position("iberia", 2)
    lay_out(p, sevilla=1, cadiz=1)
    refusal = p.why_not("festival first")
    assert (refusal.rule, refusal.reason) == ("IB-6", "no_festival_choice")


@pytest.mark.rule("IB-6")
def test_an_empty_pile_is_no_choice_and_takes_nothing() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=1)
    p.act("claim sevilla-cadiz blue")
    assert fiestas_of(p, 0) == {}
    assert p.s.turn == 1


@pytest.mark.rule("IB-6")
def test_a_route_without_festival_cities_takes_nothing() -> None:
    p = Position("iberia", 2)
    p.hand(0, yellow=1)
    lay_out(p, pamplona=2)
    p.act("claim santander-bilbao yellow")
    assert piles(p) == {"pamplona": 2}
    assert fiestas_of(p, 0) == {}


@pytest.mark.rule("IB-6")
@pytest.mark.parametrize(
    ("hand", "claim"),
    [
        ({"pink": 1}, "claim vigo-porto pink"),
        ({"pink": 2}, "claim coimbra-lisboa pink"),
    ],
)
def test_porto_and_coimbra_share_one_pile(hand: dict[str, int], claim: str) -> None:
    p = Position("iberia", 2)
    p.hand(0, **hand)
    lay_out(p, porto_coimbra=3)
    p.act(claim)
    assert fiestas_of(p, 0) == {"porto_coimbra": 3}
    assert piles(p) == {}


@pytest.mark.rule("IB-6")
def test_the_route_between_porto_and_coimbra_takes_their_pile_once_without_asking() -> None:
    p = Position("iberia", 2)
    p.hand(0, orange=1)
    lay_out(p, porto_coimbra=4)
    p.act("claim porto-coimbra orange")
    assert fiestas_of(p, 0) == {"porto_coimbra": 4}
    assert p.s.turn == 1


@pytest.mark.rule("IB-6")
def test_coimbra_against_lisboa_is_a_choice_between_two_piles() -> None:
    p = Position("iberia", 2)
    p.hand(0, pink=2)
    lay_out(p, porto_coimbra=1, lisboa=2)
    p.act("claim coimbra-lisboa pink")
    assert p.s.phase == "festival"
    p.act("festival first")
    assert fiestas_of(p, 0) == {"porto_coimbra": 1}
    assert piles(p) == {"lisboa": 2}


@pytest.mark.rule("IB-6")
def test_a_city_can_be_harvested_again_when_new_cards_have_come_up() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=1, yellow=1)
    lay_out(p, sevilla=1)
    p.act("claim sevilla-cadiz blue")
    lay_out(p, sevilla=2)
    p.hand(1)
    p.act("draw")
    p.act("draw")
    p.act("claim cordoba-sevilla yellow")
    assert fiestas_of(p, 0)["sevilla"] >= 3
    assert "sevilla" not in piles(p)


@pytest.mark.rule("IB-6")
def test_a_claim_does_not_reach_the_piles_of_cities_further_on() -> None:
    p = Position("iberia", 2)
    p.own(0, "cordoba-sevilla", count_trains=False)
    p.hand(0, blue=1)
    lay_out(p, cadiz=1, cordoba=2)
    p.act("claim sevilla-cadiz blue")
    assert fiestas_of(p, 0) == {"cadiz": 1}
    assert piles(p) == {"cordoba": 2}


# --- IB-7 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-7")
def test_tickets_cannot_be_drawn_before_the_second_draft() -> None:
    p = Position("iberia", 2)
    assert "tickets" not in p.legal()
    refusal = p.why_not("tickets")
    assert (refusal.rule, refusal.reason) == ("IB-7", "tickets_not_yet")


@pytest.mark.rule("IB-7")
def test_the_draft_card_alone_does_not_open_the_tickets() -> None:
    p = Position("iberia", 3)
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    assert draft_due(p)
    assert p.why_not("tickets").reason == "other_decision"
    p.act("draw")
    for seat in range(3):
        assert "tickets" not in p.legal(seat)
    assert not draft_over(p)


@pytest.mark.rule("IB-7", "BASE-9")
def test_tickets_can_be_drawn_once_the_second_draft_is_over() -> None:
    p = in_second_draft(2)
    finish_draft(p.s)
    assert "tickets" in p.legal()
    top = p.ticket_deck()[:3]
    p.act("tickets")
    assert sorted(p.s.view(1).offered) == sorted(top)
    assert len(p.legal()) == 7  # any but none
    p.act("keep 2")
    assert len(held(p.s, 1)) == 9
    assert set(p.ticket_deck()[-2:]) == set(top) - {sorted(top)[1]}


@pytest.mark.rule("IB-7", "BASE-9")
def test_at_least_one_of_three_tickets_is_kept() -> None:
    p = in_second_draft(2)
    finish_draft(p.s)
    p.act("tickets")
    assert "keep 1 2 3" in p.legal()
    assert all(text.startswith("keep ") for text in p.legal())
    assert p.why_not("tickets").reason == "other_decision"


@pytest.mark.rule("IB-7", "RU-8")
def test_without_the_draft_card_nobody_ever_draws_tickets() -> None:
    p = Position("iberia", 2)
    p.set_deck([c for c in p.deck_codes() if c != code(p, DRAFT)])
    for _ in range(30):
        p.act("draw")
        assert "tickets" not in p.legal()
    assert not draft_over(p)


# --- IB-8 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-8")
def test_a_ferry_needs_a_locomotive_for_every_symbol() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=6)
    refusal = p.why_not("claim barcelona-palma blue")
    assert (refusal.rule, refusal.reason) == ("IB-8", "ferry_locomotives")
    p.hand(0, red=6, locomotive=1)
    assert p.why_not("claim valencia-palma red").rule == "IB-8"
    p.hand(0, red=6, locomotive=2)
    assert p.why_not("claim alicante-palma red").rule == "IB-8"


@pytest.mark.rule("IB-8")
def test_a_coloured_ferry_takes_its_colour_beside_the_locomotive() -> None:
    p = Position("iberia", 2)
    p.hand(0, blue=2, locomotive=1)
    p.act("claim barcelona-palma blue")
    assert p.owner_of("barcelona-palma") == 0
    assert p.discards_of() == {"blue": 2, "locomotive": 1}
    assert p.trains_of(0) == 32


@pytest.mark.rule("IB-8")
def test_a_coloured_ferry_refuses_another_colour() -> None:
    p = Position("iberia", 2)
    p.hand(0, red=2, locomotive=1)
    assert "claim barcelona-palma blue" not in p.legal()
    assert "claim barcelona-palma wild" not in p.legal()
    assert "claim barcelona-palma#2 red" in p.legal()  # the gray one


@pytest.mark.rule("IB-8")
def test_locomotives_may_serve_on_the_other_spaces_of_a_ferry() -> None:
    p = Position("iberia", 2)
    p.hand(0, red=2, locomotive=4)
    p.act("claim valencia-palma red")
    assert sorted(p.legal()) == ["pay 2", "pay 3"]
    p.act("pay 3")
    assert p.hand_of(0) == {"red": 1, "locomotive": 1}


@pytest.mark.rule("IB-8")
def test_a_ferry_can_be_paid_with_locomotives_alone() -> None:
    p = Position("iberia", 2)
    p.hand(0, locomotive=4)
    p.act("claim alicante-palma wild")
    assert p.owner_of("alicante-palma") == 0
    assert p.hand_of(0) == {}
    assert p.trains_of(0) == 31


@pytest.mark.rule("IB-8")
def test_three_symbols_leave_one_space_for_a_colour() -> None:
    p = Position("iberia", 2)
    p.hand(0, green=3, locomotive=3)
    p.act("claim alicante-palma green")
    assert p.hand_of(0) == {"green": 2}


@pytest.mark.rule("IB-8", "IB-6")
def test_a_ferry_to_palma_takes_palmas_festival_cards() -> None:
    p = Position("iberia", 2)
    p.hand(0, locomotive=3, red=1)
    lay_out(p, palma=2)
    p.act("claim alicante-palma red")
    assert fiestas_of(p, 0) == {"palma": 2}


@pytest.mark.rule("IB-8", "IB-6")
def test_a_ferry_between_two_piles_asks_which_one() -> None:
    p = Position("iberia", 2)
    p.hand(0, locomotive=2, red=2)
    lay_out(p, palma=2, valencia=5)
    p.act("claim valencia-palma red")
    assert p.s.phase == "festival"
    p.act("festival first")
    assert fiestas_of(p, 0) == {"valencia": 5}
    assert piles(p) == {"palma": 2}


@pytest.mark.rule("IB-8", "BASE-8")
def test_the_other_ferry_of_a_pair_is_closed_with_three_players() -> None:
    p = Position("iberia", 3)
    p.hand(0, blue=2, locomotive=1)
    p.act("claim barcelona-palma blue")
    p.hand(1, red=2, locomotive=1)
    assert p.why_not("claim barcelona-palma#2 red").reason == "double_closed"


# --- IB-9 -------------------------------------------------------------------------------------


@pytest.mark.rule("IB-9")
def test_three_cards_of_sevilla_score_6() -> None:
    p = Position("iberia", 2)
    give_fiestas(p, 0, sevilla=3)
    assert p.lines(0, "festival") == [(festival_ids(p.game).index("sevilla"), 6)]


@pytest.mark.rule("IB-9")
def test_seven_cards_of_valencia_score_22() -> None:
    p = Position("iberia", 2)
    give_fiestas(p, 1, valencia=7)
    assert p.lines(1, "festival") == [(festival_ids(p.game).index("valencia"), 22)]
    assert p.lines(0, "festival") == []


@pytest.mark.rule("IB-9")
def test_each_set_scores_on_its_own() -> None:
    p = Position("iberia", 2)
    alone = p.s.outcome.scores[0]
    give_fiestas(p, 0, sevilla=3, valencia=7, palma=1)
    assert p.s.outcome.scores[0] == alone + 6 + 22 + 2
    assert all(line.rule == "IB-9" for line in p.s.outcome.lines[0] if line.what == "festival")


@pytest.mark.rule("IB-9")
def test_every_set_has_a_chart_for_all_its_cards_that_never_falls() -> None:
    rule = festivals(Game("iberia", 2))
    for cards, chart in zip(rule.cards, rule.scores, strict=True):
        assert len(chart) == cards
        assert chart == sorted(chart)
        assert chart[0] > 0


@pytest.mark.rule("IB-9")
def test_there_is_no_bonus_for_the_longest_path_or_the_most_tickets() -> None:
    p = Position("iberia", 2)
    p.own(0, "madrid-cuenca", "cuenca-albacete", "albacete-valencia", "madrid-badajoz")
    assert {line.what for seat in (0, 1) for line in p.s.outcome.lines[seat]} <= {
        "routes",
        "ticket_done",
        "ticket_failed",
        "festival",
    }
    assert p.game.rule_named("longest_path") is None
    assert p.game.rule_named("globetrotter") is None


@pytest.mark.rule("IB-9", "BASE-12")
def test_a_tie_goes_to_the_one_with_more_completed_tickets() -> None:
    p = Position("iberia", 2)
    p.tickets(0)
    p.tickets(1, "madrid-murcia")
    p.own(1, "madrid-albacete", "albacete-murcia")  # 4 + 2 and the ticket's 4
    p.own(0, "madrid-badajoz")  # 10
    assert p.s.outcome.scores == [10, 10]
    assert p.s.outcome.winners == [1]


@pytest.mark.rule("IB-9", "BASE-12")
def test_a_tie_in_points_and_tickets_is_shared_even_if_one_path_is_longer() -> None:
    p = Position("iberia", 2)
    p.tickets(0)
    p.tickets(1)
    p.own(0, "burgos-valladolid", "santander-bilbao", "cuenca-albacete", "madrid-cuenca")
    p.own(1, "madrid-albacete")
    assert p.s.outcome.scores == [4, 4]
    assert p.s.outcome.winners == [0, 1]


@pytest.mark.rule("IB-9")
def test_festival_points_can_decide_the_game() -> None:
    p = Position("iberia", 2)
    p.tickets(0)
    p.tickets(1)
    p.own(0, "madrid-albacete")
    give_fiestas(p, 1, madrid=3)
    assert p.s.outcome.scores == [4, 6]
    assert p.s.outcome.winners == [1]


@pytest.mark.rule("IB-9", "BASE-8")
@pytest.mark.parametrize(
    ("seats", "open_to_others"), [(2, False), (3, False), (4, True), (5, True)]
)
def test_double_routes_are_open_to_others_from_four_players_on(
    seats: int, open_to_others: bool
) -> None:
    p = Position("iberia", seats)
    p.hand(0, blue=1)
    p.act("claim sevilla-cadiz blue")
    p.hand(1, orange=1)
    if open_to_others:
        p.act("claim sevilla-cadiz#2 orange")
        assert p.owner_of("sevilla-cadiz#2") == 1
    else:
        assert p.why_not("claim sevilla-cadiz#2 orange").reason == "double_closed"


@pytest.mark.rule("IB-9", "BASE-8")
def test_nobody_owns_both_routes_of_a_double_with_five_players() -> None:
    p = Position("iberia", 5)
    p.own(0, "sevilla-cadiz", count_trains=False)
    p.hand(0, orange=1)
    assert p.why_not("claim sevilla-cadiz#2 orange").reason == "double_both"


@pytest.mark.rule("IB-9", "BASE-10")
def test_everyone_starts_with_35_trains_and_the_board_has_50_tickets() -> None:
    p = Position("iberia", 5)
    assert [p.trains_of(seat) for seat in range(5)] == [35] * 5
    assert p.t.tickets == 50
    assert second_draft(p.game).deal == 6
