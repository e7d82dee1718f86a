"""South Korea: Express cards and the Province mat (KR-1 to KR-8)."""

from __future__ import annotations

import pytest

from branchline import Game, State, parse_action
from positions import Position
from rules.helpers_expansion import (
    express_of,
    finish_draft,
    happened,
    held,
    in_ticket_deck,
    line_of,
    line_points,
    mat,
    offered_to,
    on_mat,
    pack,
    pick_all,
    picked,
    put_on_mat,
    seen_by,
    spend,
    train_cards,
)

SEATS = (2, 3, 4, 5)
COLOURS = ("yellow", "blue", "orange", "pink", "white", "red", "black", "green")


def korea(seats: int = 2, log: bool = False) -> Position:
    return Position("south_korea", seats, log=log)


def at_opening(seats: int) -> State:
    return Game("south_korea", seats).start(1, first=0)


# --- KR-1 -------------------------------------------------------------------------------------


@pytest.mark.rule("KR-1")
@pytest.mark.parametrize("seats", SEATS)
def test_the_opening_draft_deals_six_and_passes_to_the_left(seats: int) -> None:
    s = at_opening(seats)
    assert (s.phase, s.to_act) == ("draft_pick", tuple(range(seats)))
    assert [len(pack(s, k)) for k in range(seats)] == [6] * seats
    for _ in range(4):
        before = [offered_to(s, seat) for seat in range(seats)]
        pick_all(s)
        for seat in range(seats):
            assert offered_to(s, (seat + 1) % seats) < before[seat]


@pytest.mark.rule("KR-1")
@pytest.mark.parametrize("seats", SEATS)
def test_four_of_six_are_kept_and_the_others_join_the_ticket_deck(seats: int) -> None:
    s = at_opening(seats)
    while s.phase == "draft_pick":
        pick_all(s)
    drafted = [picked(s, seat) for seat in range(seats)]
    undealt = in_ticket_deck(s)
    assert [len(s.legal(seat)) for seat in range(seats)] == [15] * seats
    pick_all(s)
    assert [len(held(s, seat)) for seat in range(seats)] == [4] * seats
    rejected = {k for seat in range(seats) for k in drafted[seat] - held(s, seat)}
    assert in_ticket_deck(s) == undealt | rejected
    assert s.d[s.t.ticket_len] == 44 - 4 * seats


@pytest.mark.rule("KR-1")
@pytest.mark.parametrize("places", ["1 2 3", "1 2 3 4 5"])
def test_keeping_other_than_four_is_refused(places: str) -> None:
    p = korea()
    p.s = at_opening(2)
    while p.s.phase == "draft_pick":
        pick_all(p.s)
    refusal = p.why_not(f"draft keep {places}", 1)
    assert (refusal.rule, refusal.reason) == ("KR-1", "keep_wrong_number")


@pytest.mark.rule("KR-1")
def test_there_are_110_cards_and_no_festival_or_draft_card() -> None:
    p = korea(5)
    assert train_cards(p.s) == 110
    assert p.s.d[p.t.specials] == 0
    assert all(card < p.t.kinds for card in p.deck_codes())
    assert p.game.rule_named("festivals") is None


@pytest.mark.rule("KR-1", "BASE-9")
def test_without_a_second_draft_tickets_can_be_drawn_from_the_first_turn_on() -> None:
    p = korea()
    assert p.game.rule_named("second_draft") is None
    assert "tickets" in p.legal()
    top = set(p.ticket_deck()[:3])
    p.act("tickets")
    assert set(p.s.view(0).offered) == top
    p.act("keep 1")
    assert len(held(p.s, 0)) == 5


@pytest.mark.rule("KR-1")
def test_everyone_has_45_trains_four_cards_and_44_tickets_are_in_the_game() -> None:
    p = korea(4)
    assert [p.trains_of(seat) for seat in range(4)] == [45] * 4
    assert [p.s.d[p.t.hand_size + seat] for seat in range(4)] == [4] * 4
    assert p.t.tickets == 44


@pytest.mark.rule("KR-1")
def test_play_begins_when_the_draft_is_over() -> None:
    s = Game("south_korea", 3).start(1, first=1)
    finish_draft(s)
    assert (s.phase, s.to_act) == ("turn", (1,))


# --- KR-2 -------------------------------------------------------------------------------------


@pytest.mark.rule("KR-2")
@pytest.mark.parametrize("seats", SEATS)
def test_everyone_starts_with_three_express_cards_that_all_can_see(seats: int) -> None:
    p = korea(seats)
    for seat in range(seats):
        assert express_of(p, seat) == [1, 2, 3]
        assert p.s.view(seat)["express"] == [1] * (3 * seats)
    assert p.s.view()["express"] == [1] * (3 * seats)


@pytest.mark.rule("KR-2")
@pytest.mark.parametrize("value", [1, 2, 3])
def test_an_express_card_serves_once_per_game(value: int) -> None:
    p = korea()
    p.act(f"express {value} cards")
    assert express_of(p, 0) == [v for v in (1, 2, 3) if v != value]
    p.end_turn()
    for action in (f"express {value} cards", f"express {value} tickets"):
        refusal = p.why_not(action)
        assert (refusal.rule, refusal.reason) == ("KR-2", "express_spent")
        assert refusal.values == {"value": value}


@pytest.mark.rule("KR-2")
def test_one_action_is_strengthened_by_one_card_only() -> None:
    p = korea()
    p.act("express 1 cards")
    refusal = p.why_not("express 2 cards")
    assert (refusal.rule, refusal.reason) == ("KR-2", "express_once_a_turn")
    assert express_of(p, 0) == [2, 3]


@pytest.mark.rule("KR-2")
def test_a_second_card_cannot_be_added_to_a_ticket_draw() -> None:
    p = korea()
    p.act("express 1 tickets")
    assert p.why_not("express 2 tickets").rule == "KR-2"
    assert p.why_not("express 2 cards").rule == "KR-2"


@pytest.mark.rule("KR-2")
def test_the_cards_of_one_player_are_spent_by_that_player_alone() -> None:
    p = korea(3)
    p.act("express 3 cards")
    assert [express_of(p, seat) for seat in range(3)] == [[1, 2], [1, 2, 3], [1, 2, 3]]


@pytest.mark.rule("KR-2")
def test_all_three_can_be_spent_in_three_turns_on_three_actions() -> None:
    p = korea()
    p.act("express 1 cards")
    p.end_turn()
    p.act("express 2 tickets")
    p.act(p.legal()[0])
    p.end_turn()
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    p.act("mat white express 3")
    assert express_of(p, 0) == []
    assert on_mat(p, "white") == {6: 0}
    p.end_turn()
    assert not [text for text in p.legal() if text.startswith("express")]


@pytest.mark.rule("KR-2")
def test_everyone_hears_which_card_was_spent() -> None:
    p = korea(log=True)
    before = len(p.s.events)
    p.act("express 2 cards")
    assert ("ExpressSpent", 0, {"value": 2}) in seen_by(p.s, 1, before)


# --- KR-3 -------------------------------------------------------------------------------------


@pytest.mark.rule("KR-3")
@pytest.mark.parametrize("value", [1, 2, 3])
def test_an_express_card_draws_so_many_from_the_top_and_then_two_as_usual(value: int) -> None:
    p = korea()
    p.hand(0)
    p.display("pink", "pink", "pink", "pink", "pink")
    p.deck("red", "red", "red", "blue", "blue")
    p.act(f"express {value} cards")
    assert p.hand_of(0) == {"red": value}
    assert (p.s.phase, p.s.to_act) == ("draw", (0,))
    p.act("take pink")
    p.act("take pink")
    assert sum(p.hand_of(0).values()) == value + 2
    assert p.s.turn == 1


@pytest.mark.rule("KR-3")
def test_the_extra_cards_come_from_the_top_not_from_the_display() -> None:
    p = korea()
    p.display("pink", "blue", "white", "green", "black")
    before = p.deck_codes()
    p.act("express 3 cards")
    assert p.display_cards() == ["pink", "blue", "white", "green", "black"]
    assert p.deck_codes() == before[3:]


@pytest.mark.rule("KR-3", "BASE-4")
def test_after_the_extra_cards_a_face_up_locomotive_counts_as_the_first_card() -> None:
    p = korea()
    p.hand(0)
    p.display("locomotive", "pink", "blue", "white", "green")
    p.deck("red", "red", "red")
    p.act("express 2 cards")
    assert "take locomotive" in p.legal()
    p.act("take locomotive")
    assert p.hand_of(0) == {"red": 2, "locomotive": 1}
    assert p.s.turn == 1


@pytest.mark.rule("KR-3", "BASE-4")
def test_after_the_first_usual_card_a_face_up_locomotive_is_refused() -> None:
    p = korea()
    p.display("locomotive", "pink", "blue", "white", "green")
    p.deck("red", "red", "red")
    p.act("express 1 cards")
    p.act("take pink")
    assert p.why_not("take locomotive").rule == "BASE-4"


@pytest.mark.rule("KR-3")
def test_a_locomotive_among_the_extra_cards_counts_as_any_other() -> None:
    p = korea()
    p.hand(0)
    p.deck("locomotive", "locomotive", "locomotive")
    p.act("express 3 cards")
    assert p.hand_of(0) == {"locomotive": 3}
    assert p.s.phase == "draw"


@pytest.mark.rule("KR-3")
def test_an_express_card_cannot_be_spent_after_the_first_card() -> None:
    p = korea()
    p.display("pink", "blue", "white", "green", "black")
    p.act("take pink")
    refusal = p.why_not("express 1 cards")
    assert refusal.rule == "KR-3"  # none was spent this turn: it simply comes too late
    assert express_of(p, 0) == [1, 2, 3]


@pytest.mark.rule("KR-3")
def test_the_extra_cards_are_secret() -> None:
    p = korea(log=True)
    p.hand(0)
    before = len(p.s.events)
    p.act("express 3 cards")
    told = [fields for name, _, fields in seen_by(p.s, 1, before) if name == "CardDrawn"]
    assert told == [{}, {}, {}]
    assert p.known_of(0) == {}


@pytest.mark.rule("KR-3", "BASE-6")
def test_the_extra_cards_go_on_into_the_shuffled_discards() -> None:
    p = korea()
    p.hand(0)
    p.discards(green=5)
    p.only_deck("red")
    p.act("express 3 cards")
    assert p.hand_of(0) == {"red": 1, "green": 2}


@pytest.mark.rule("KR-3", "RU-2")
def test_with_too_few_cards_the_express_card_draws_what_there_is() -> None:
    p = korea()
    p.hand(0)
    p.discards()
    p.display("pink", "blue")
    p.only_deck("red", "red")
    p.act("express 3 cards")
    assert p.hand_of(0) == {"red": 2}
    assert p.legal() == ["take pink", "take blue"]


@pytest.mark.rule("KR-3")
def test_without_a_card_in_deck_and_discards_no_express_card_serves_for_cards() -> None:
    p = korea()
    p.discards()
    p.display("pink", "blue")
    p.only_deck()
    refusal = p.why_not("express 1 cards")
    assert (refusal.rule, refusal.reason) == ("KR-3", "express_no_cards")
    assert "take pink" in p.legal()


# --- KR-4 -------------------------------------------------------------------------------------


@pytest.mark.rule("KR-4")
@pytest.mark.parametrize("value", [1, 2, 3])
def test_an_express_card_draws_so_many_more_tickets(value: int) -> None:
    p = korea()
    top = p.ticket_deck()[: 3 + value]
    p.act(f"express {value} tickets")
    assert sorted(p.s.view(0).offered) == sorted(top)
    assert len(p.legal()) == 2 ** (3 + value) - 1  # any number but none


@pytest.mark.rule("KR-4")
def test_all_six_tickets_may_be_kept() -> None:
    p = korea()
    p.act("express 3 tickets")
    p.act("keep 1 2 3 4 5 6")
    assert len(held(p.s, 0)) == 10
    assert p.s.turn == 1


@pytest.mark.rule("KR-4")
def test_one_of_six_is_enough_and_five_go_to_the_bottom() -> None:
    p = korea()
    top = sorted(p.ticket_deck()[:6])
    p.act("express 3 tickets")
    p.act("keep 4")
    assert top[3] in held(p.s, 0)
    assert set(p.ticket_deck()[-5:]) == set(top) - {top[3]}


@pytest.mark.rule("KR-4", "BASE-9")
def test_without_an_express_card_only_three_tickets_are_drawn() -> None:
    p = korea()
    p.act("tickets")
    assert len(p.s.view(0).offered) == 3
    assert p.why_not("keep 4").reason == "ticket_not_offered"


@pytest.mark.rule("KR-4")
def test_with_four_tickets_left_an_express_card_draws_all_four() -> None:
    p = korea()
    order = p.ticket_deck()[:4]
    p.set_ticket_deck(order)
    p.act("express 3 tickets")
    assert sorted(p.s.view(0).offered) == sorted(order)
    assert p.ticket_deck() == []
    p.act("keep 1 2 3 4")
    assert len(held(p.s, 0)) == 8


@pytest.mark.rule("KR-4")
def test_with_three_tickets_left_an_express_card_would_be_wasted_and_is_refused() -> None:
    p = korea()
    p.set_ticket_deck(p.ticket_deck()[:3])
    refusal = p.why_not("express 1 tickets")
    assert (refusal.rule, refusal.reason) == ("KR-4", "express_no_tickets")
    assert "tickets" in p.legal()


@pytest.mark.rule("KR-4")
def test_the_express_card_must_be_spent_before_the_tickets_are_seen() -> None:
    p = korea()
    p.act("tickets")
    assert p.why_not("express 1 tickets").rule == "KR-4"
    assert express_of(p, 0) == [1, 2, 3]
    assert len(p.s.view(0).offered) == 3


@pytest.mark.rule("KR-4")
def test_others_see_how_many_tickets_are_drawn_and_kept_but_not_which() -> None:
    p = korea(log=True)
    before = len(p.s.events)
    p.act("express 3 tickets")
    p.act("keep 1 2")
    told = {name: fields for name, _, fields in seen_by(p.s, 1, before)}
    assert told["TicketsOffered"] == {"count": 6}
    assert told["TicketsKept"] == {"kept": 2, "rejected": 4, "out": 0}


# --- KR-5 -------------------------------------------------------------------------------------


@pytest.mark.rule("KR-5")
def test_a_claim_may_put_a_train_on_the_spot_of_the_number_of_cards() -> None:
    p = korea()
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    assert (p.s.phase, p.s.to_act) == ("mat", (0,))
    p.act("mat white")
    assert on_mat(p, "white") == {3: 0}
    assert p.trains_of(0) == 45 - 3 - 1
    assert p.s.turn == 1


@pytest.mark.rule("KR-5")
def test_the_train_for_the_mat_may_be_left_out() -> None:
    p = korea()
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    p.act("mat none")
    assert on_mat(p, "white") == {}
    assert p.trains_of(0) == 42


@pytest.mark.rule("KR-5")
def test_only_the_line_of_the_routes_colour_is_open() -> None:
    p = korea()
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    for colour in COLOURS:
        if colour != "white":
            refusal = p.why_not(f"mat {colour}")
            assert (refusal.rule, refusal.reason) == ("KR-5", "other_line")


@pytest.mark.rule("KR-5")
def test_a_route_claimed_with_locomotives_alone_still_serves_its_own_line() -> None:
    p = korea()
    p.hand(0, locomotive=3)
    p.act("claim namwon-jinju wild")
    assert p.why_not("mat red").reason == "other_line"
    p.act("mat white")
    assert on_mat(p, "white") == {3: 0}


@pytest.mark.rule("KR-5")
@pytest.mark.parametrize("colour", COLOURS)
def test_a_gray_route_serves_any_line_whatever_was_played(colour: str) -> None:
    p = korea()
    p.hand(0, red=4)
    p.act("claim changwon-yeosu red")
    p.act(f"mat {colour}")
    assert on_mat(p, colour) == {4: 0}


@pytest.mark.rule("KR-5")
def test_a_taken_spot_gives_way_to_the_first_free_one_below() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 3, 2)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    p.act("mat white")
    assert on_mat(p, "white") == {1: 0, 2: 1, 3: 1}


@pytest.mark.rule("KR-5")
def test_an_own_train_takes_a_spot_as_well() -> None:
    p = korea()
    put_on_mat(p, 0, "white", 3)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    p.act("mat white")
    assert on_mat(p, "white") == {2: 0, 3: 0}


@pytest.mark.rule("KR-8")
def test_an_offer_of_the_mat_says_which_rank_it_brings_and_what_that_adds() -> None:
    for theirs, mine, rank, gain in [
        ([], [], 1, 10),
        ([9], [], 2, 0),
        ([2], [], 1, 10),
        ([2], [1], 1, 10),
        ([1], [2], 1, 0),
        ([1, 2], [], 1, 10),
        ([4], [1], 2, 0),
    ]:
        p = korea()
        put_on_mat(p, 1, "white", *theirs)
        put_on_mat(p, 0, "white", *mine)
        p.hand(0, white=3)
        p.act("claim namwon-jinju white")
        offered = p.s.view(0).action(parse_action(p.game, "mat white")).values
        assert (offered["spot"], offered["rank"], offered["gain"]) == (3, rank, gain), theirs
        before = line_points(p, "white")[0]
        p.act("mat white")
        assert line_points(p, "white")[0] - before == gain


@pytest.mark.rule("KR-5", "RU-10")
def test_with_all_spots_below_taken_nothing_is_asked_without_express_cards() -> None:
    p = korea()
    spend(p, 0, 1, 2, 3)
    put_on_mat(p, 1, "white", 1, 2, 3)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    assert p.s.turn == 1
    assert p.trains_of(0) == 42
    assert 0 not in on_mat(p, "white").values()


@pytest.mark.rule("KR-5", "BASE-2")
def test_a_claim_puts_one_train_on_the_mat_and_the_turn_is_over() -> None:
    p = korea()
    p.hand(0, red=4)
    p.act("claim changwon-yeosu red")
    p.act("mat blue")
    assert p.s.to_act == (1,)
    placed = [colour for colour in COLOURS if on_mat(p, colour)]
    assert placed == ["blue"]


@pytest.mark.rule("KR-5")
def test_a_train_on_the_mat_stays_there() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 3)
    p.hand(0, white=4)
    p.act("claim jeonju-namwon white")
    p.act("pay 0 extra 2")
    p.act("mat white")
    p.end_turn()
    assert on_mat(p, "white") == {3: 1, 4: 0}


@pytest.mark.rule("KR-5")
def test_there_is_no_mat_without_a_claim() -> None:
    p = korea()
    assert p.why_not("mat white").reason == "not_open"
    assert p.why_not("mat none").reason == "not_open"
    p.act("draw")
    p.act("draw")
    assert p.s.turn == 1


@pytest.mark.rule("KR-5")
def test_without_a_train_left_the_mat_is_not_asked() -> None:
    p = korea()
    p.trains(0, 3)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    assert p.trains_of(0) == 0
    assert p.s.turn == 1
    assert on_mat(p, "white") == {}


@pytest.mark.rule("KR-5", "RU-10")
def test_the_last_train_may_go_to_the_mat() -> None:
    p = korea()
    p.trains(0, 4)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    p.act("mat white")
    assert p.trains_of(0) == 0
    assert on_mat(p, "white") == {3: 0}


@pytest.mark.rule("KR-5", "BASE-10")
@pytest.mark.parametrize(("answer", "last_round"), [("mat white", True), ("mat none", False)])
def test_the_train_on_the_mat_counts_for_the_end(answer: str, last_round: bool) -> None:
    p = korea(log=True)
    p.trains(0, 6)
    p.hand(0, white=3)
    before = len(p.s.events)
    p.act("claim namwon-jinju white")
    p.act(answer)
    assert p.trains_of(0) == (2 if last_round else 3)
    assert bool(happened(p, before, "LastRoundBegan")) is last_round
    assert p.s.d[p.t.last] == (2 if last_round else 0)


@pytest.mark.rule("KR-5")
def test_everyone_sees_the_train_on_the_mat() -> None:
    p = korea(log=True)
    p.hand(0, white=3)
    before = len(p.s.events)
    p.act("claim namwon-jinju white")
    p.act("mat white")
    line = line_of(p, "white")
    assert ("TrainPlacedOnMat", 0, {"line": line, "spot": 2, "value": 3}) in seen_by(p.s, 1, before)
    assert p.s.view(1)["mat"] == p.s.view(0)["mat"]


# --- KR-6 -------------------------------------------------------------------------------------


@pytest.mark.rule("KR-6")
def test_more_cards_than_needed_reach_a_higher_spot() -> None:
    p = korea()
    p.hand(0, white=5)
    p.act("claim namwon-jinju white")
    assert p.legal() == ["pay 0 extra 0", "pay 0 extra 1", "pay 0 extra 2"]
    p.act("pay 0 extra 2")
    p.act("mat white")
    assert on_mat(p, "white") == {5: 0}
    assert p.trains_of(0) == 45 - 3 - 1  # trains as long as the route, whatever was played
    assert p.discards_of()["white"] == 5


@pytest.mark.rule("KR-6")
def test_overpaying_adds_nothing_to_the_points_of_the_route() -> None:
    p = korea()
    p.hand(0, white=6)
    p.act("claim namwon-jinju white")
    p.act("pay 0 extra 3")
    p.act("mat none")
    assert p.s.d[p.t.points] == 4


@pytest.mark.rule("KR-6", "BASE-7")
def test_every_split_of_colour_and_locomotives_is_offered_with_extra_cards() -> None:
    p = korea()
    p.hand(0, white=3, locomotive=2)
    p.act("claim namwon-jinju white")
    assert sorted(p.legal()) == [
        "pay 0 extra 0",
        "pay 1 extra 0",
        "pay 1 extra 1",
        "pay 2 extra 0",
        "pay 2 extra 1",
        "pay 2 extra 2",
    ]


@pytest.mark.rule("KR-6")
def test_locomotives_alone_can_overpay() -> None:
    p = korea()
    p.hand(0, locomotive=5)
    p.act("claim namwon-jinju wild")
    p.act("pay 5 extra 2")
    p.act("mat white")
    assert on_mat(p, "white") == {5: 0}
    assert p.hand_of(0) == {}


@pytest.mark.rule("KR-6")
def test_cards_of_another_colour_do_not_overpay() -> None:
    p = korea()
    p.hand(0, white=3, red=9)
    p.act("claim namwon-jinju white")
    assert p.s.phase == "mat"  # there was one payment only
    assert p.hand_of(0) == {"red": 9}


@pytest.mark.rule("KR-6")
def test_on_a_gray_route_the_extra_cards_have_the_colour_played() -> None:
    p = korea()
    p.hand(0, red=4, blue=5)
    p.act("claim changwon-yeosu blue")
    assert p.legal() == ["pay 0 extra 0", "pay 0 extra 1"]
    p.act("pay 0 extra 1")
    assert p.hand_of(0) == {"red": 4}
    p.act("mat green")
    assert on_mat(p, "green") == {5: 0}


@pytest.mark.rule("KR-6", "RU-10")
def test_paying_above_the_highest_free_spot_is_not_offered() -> None:
    p = korea()
    p.hand(0, white=12)
    p.act("claim namwon-jinju white")
    assert p.legal()[-1] == "pay 0 extra 6"  # nine cards for spot 9
    refusal = p.why_not("pay 0 extra 7")
    assert (refusal.rule, refusal.reason) == ("KR-6", "wrong_overpayment")


@pytest.mark.rule("KR-6")
def test_an_overpayment_that_reaches_no_higher_spot_is_not_offered() -> None:
    p = korea()
    spend(p, 0, 1, 2, 3)
    put_on_mat(p, 1, "white", 4, 5, 8)
    p.hand(0, white=9)
    p.act("claim namwon-jinju white")
    assert p.legal() == ["pay 0 extra 0", "pay 0 extra 3", "pay 0 extra 4", "pay 0 extra 6"]
    for extra in (1, 2, 5):
        assert p.why_not(f"pay 0 extra {extra}").reason == "wrong_overpayment"


@pytest.mark.rule("KR-6")
def test_an_overpayment_that_lifts_the_train_with_an_express_card_is_offered() -> None:
    p = korea()
    spend(p, 0, 1, 3)
    put_on_mat(p, 1, "white", 4, 5, 8, 9)  # 3 and 2 make 5, which is taken; 4 and 2 make 6
    p.hand(0, white=9)
    p.act("claim namwon-jinju white")
    assert p.legal() == ["pay 0 extra 0", *[f"pay 0 extra {n}" for n in (1, 2, 3, 4)]]


@pytest.mark.rule("KR-6")
def test_on_a_gray_route_a_higher_spot_on_any_line_is_enough() -> None:
    p = korea()
    spend(p, 0, 1, 2, 3)
    for colour in COLOURS[:-1]:
        put_on_mat(p, 1, colour, *range(1, 10))
    route = next(r for r in p.game.board.routes if r.colour < 0)
    put_on_mat(p, 1, "green", route.length + 1)
    p.hand(0, white=route.length + 3)
    p.act(f"claim {p.game.route_text(route.index)} white")
    assert p.legal() == ["pay 0 extra 0", "pay 0 extra 2", "pay 0 extra 3"]


@pytest.mark.rule("KR-6", "RU-10")
def test_with_the_high_spots_taken_overpaying_ends_at_the_highest_free_one() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 6, 7, 8, 9)
    p.hand(0, white=12)
    p.act("claim namwon-jinju white")
    assert p.legal()[-1] == "pay 0 extra 2"


@pytest.mark.rule("KR-6", "RU-10")
def test_without_a_train_for_the_mat_overpaying_is_not_offered() -> None:
    p = korea()
    p.trains(0, 3)
    p.hand(0, white=6)
    p.act("claim namwon-jinju white")
    assert p.hand_of(0) == {"white": 3}
    assert p.trains_of(0) == 0


@pytest.mark.rule("KR-6")
def test_a_gap_below_a_taken_spot_can_be_jumped_with_an_express_card() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 4, 5)
    p.hand(0, white=5)
    p.act("claim namwon-jinju white")
    p.act("pay 0 extra 2")
    p.act("mat white express 1")
    assert on_mat(p, "white") == {4: 1, 5: 1, 6: 0}


@pytest.mark.rule("KR-6")
def test_overpaying_into_a_taken_spot_falls_back_below_it() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 5)
    p.hand(0, white=5)
    p.act("claim namwon-jinju white")
    p.act("pay 0 extra 2")
    p.act("mat white")
    assert on_mat(p, "white") == {4: 0, 5: 1}


# --- KR-7 -------------------------------------------------------------------------------------


@pytest.mark.rule("KR-6", "KR-7")
def test_four_white_a_locomotive_and_express_1_on_namwon_jinju_reach_spot_6() -> None:
    p = korea()
    p.hand(0, white=4, locomotive=1)
    p.act("claim namwon-jinju white")
    p.act("pay 1 extra 2")
    p.act("mat white express 1")
    assert p.owner_of("namwon-jinju") == 0
    assert on_mat(p, "white") == {6: 0}
    assert express_of(p, 0) == [2, 3]
    assert p.discards_of() == {"white": 4, "locomotive": 1}
    assert p.trains_of(0) == 45 - 3 - 1


@pytest.mark.rule("KR-7")
@pytest.mark.parametrize("value", [1, 2, 3])
def test_an_express_card_raises_the_spot_by_its_value(value: int) -> None:
    p = korea()
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    p.act(f"mat white express {value}")
    assert on_mat(p, "white") == {3 + value: 0}
    assert value not in express_of(p, 0)


@pytest.mark.rule("KR-7")
def test_a_raised_spot_that_is_taken_gives_way_to_the_first_free_one_below() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 6, 5)
    spend(p, 0, 1, 2)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    p.act("mat white express 3")
    assert on_mat(p, "white") == {4: 0, 5: 1, 6: 1}


@pytest.mark.rule("KR-7")
def test_an_express_card_that_lifts_the_train_no_higher_is_not_offered() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 4, 6)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    assert p.legal() == ["mat none", "mat white", "mat white express 2"]
    for value in (1, 3):  # 4 is taken, and 6 falls back to 5, which +2 reaches as well
        refusal = p.why_not(f"mat white express {value}")
        assert (refusal.rule, refusal.reason) == ("KR-7", "express_no_higher")


@pytest.mark.rule("KR-7", "RU-10")
def test_a_value_above_the_highest_spot_counts_as_the_highest() -> None:
    p = korea()
    spend(p, 0, 1, 2)
    p.hand(0, red=8)
    p.act("claim mokpo-yeosu red")
    p.act("pay 0 extra 2")
    p.act("mat red express 3")  # 11
    assert on_mat(p, "red") == {9: 0}


@pytest.mark.rule("KR-7", "RU-10")
def test_above_a_taken_highest_spot_the_first_free_one_below_is_used() -> None:
    p = korea()
    put_on_mat(p, 1, "red", 9, 8)
    spend(p, 0, 1, 2)
    p.hand(0, red=6)
    p.act("claim mokpo-yeosu red")
    p.act("mat red express 3")  # 9
    assert on_mat(p, "red") == {7: 0, 8: 1, 9: 1}


@pytest.mark.rule("KR-7", "RU-10")
def test_an_express_card_can_reach_a_free_spot_above_taken_ones() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 1, 2, 3)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    assert p.legal() == [
        "mat none",
        "mat white express 1",
        "mat white express 2",
        "mat white express 3",
    ]
    refusal = p.why_not("mat white")
    assert (refusal.rule, refusal.reason) == ("RU-10", "no_free_spot")
    p.act("mat white express 2")
    assert on_mat(p, "white") == {1: 1, 2: 1, 3: 1, 5: 0}


@pytest.mark.rule("KR-7", "RU-10")
def test_on_a_full_line_no_express_card_can_be_spent() -> None:
    p = korea()
    put_on_mat(p, 1, "white", *range(1, 10))
    p.hand(0, white=5)
    p.act("claim namwon-jinju white")
    assert p.hand_of(0) == {"white": 2}  # nor is overpaying offered
    assert p.s.turn == 1
    assert express_of(p, 0) == [1, 2, 3]


@pytest.mark.rule("KR-7", "RU-10")
def test_up_to_a_full_lower_part_a_small_express_card_is_refused() -> None:
    p = korea()
    put_on_mat(p, 1, "white", 1, 2, 3, 4)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    refusal = p.why_not("mat white express 1")
    assert (refusal.rule, refusal.reason) == ("RU-10", "no_free_spot")
    assert "mat white express 2" in p.legal()


@pytest.mark.rule("KR-2", "KR-7")
def test_a_spent_express_card_cannot_raise_a_spot() -> None:
    p = korea()
    spend(p, 0, 2)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    refusal = p.why_not("mat white express 2")
    assert (refusal.rule, refusal.reason) == ("KR-2", "express_spent")


@pytest.mark.rule("KR-7")
def test_an_express_card_is_not_spent_when_no_train_is_placed() -> None:
    p = korea()
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    p.act("mat none")
    assert express_of(p, 0) == [1, 2, 3]


@pytest.mark.rule("KR-7")
def test_an_express_card_pays_for_no_space_of_a_route() -> None:
    p = korea()
    p.hand(0, white=2)
    refusal = p.why_not("claim namwon-jinju white")
    assert (refusal.rule, refusal.reason) == ("BASE-7", "too_few_cards")


# --- KR-8 -------------------------------------------------------------------------------------


@pytest.mark.rule("KR-8")
def test_the_red_line_of_four_players_scores_10_6_4_and_0() -> None:
    p = korea(4)
    put_on_mat(p, 0, "red", 9)  # sum 9
    put_on_mat(p, 1, "red", 6, 2)  # sum 8 with a train on 6
    put_on_mat(p, 2, "red", 5, 3)  # sum 8 with a train on 5
    put_on_mat(p, 3, "red", 7)  # sum 7
    assert line_points(p, "red") == [10, 6, 4, 0]


@pytest.mark.rule("KR-8")
@pytest.mark.parametrize(
    ("seats", "points"),
    [
        (2, [10, 0]),
        (3, [10, 6, 0]),
        (4, [10, 6, 4, 0]),
        (5, [10, 6, 4, 2, 0]),
    ],
)
def test_the_places_score_by_the_number_of_players(seats: int, points: list[int]) -> None:
    p = korea(seats)
    for seat in range(seats):
        put_on_mat(p, seat, "blue", 9 - seat)
    assert line_points(p, "blue") == points


@pytest.mark.rule("KR-8")
def test_only_players_with_a_train_on_the_line_qualify() -> None:
    p = korea(4)
    put_on_mat(p, 2, "green", 1)
    put_on_mat(p, 0, "green", 2)
    assert line_points(p, "green") == [10, 0, 6, 0]
    assert line_points(p, "black") == [0, 0, 0, 0]


@pytest.mark.rule("KR-8")
def test_a_single_player_on_a_line_takes_the_first_place() -> None:
    p = korea(5)
    put_on_mat(p, 4, "pink", 1)
    assert line_points(p, "pink") == [0, 0, 0, 0, 10]


@pytest.mark.rule("KR-8")
def test_many_small_spots_beat_one_high_spot() -> None:
    p = korea(3)
    put_on_mat(p, 0, "yellow", 9)
    put_on_mat(p, 1, "yellow", 1, 2, 3, 4)
    assert line_points(p, "yellow") == [6, 10, 0]


@pytest.mark.rule("KR-8")
def test_a_tie_goes_to_the_highest_single_spot_not_to_the_number_of_trains() -> None:
    p = korea(3)
    put_on_mat(p, 0, "white", 2, 3, 4)
    put_on_mat(p, 1, "white", 9)
    put_on_mat(p, 2, "white", 1, 8)
    assert line_points(p, "white") == [0, 10, 6]


@pytest.mark.rule("KR-8")
def test_lines_are_scored_one_by_one() -> None:
    p = korea()
    before = p.s.outcome.scores
    put_on_mat(p, 0, "white", 3)
    put_on_mat(p, 0, "red", 1)
    put_on_mat(p, 1, "red", 2)
    after = p.s.outcome.scores
    assert [after[k] - before[k] for k in range(2)] == [10, 10]
    rules = {
        line.rule for k in (0, 1) for line in p.s.outcome.lines[k] if line.what == "province_line"
    }
    assert rules == {"KR-8"}


@pytest.mark.rule("KR-8")
def test_the_mat_has_a_line_for_each_of_the_eight_colours() -> None:
    p = korea()
    assert sorted(line_of(p, colour) for colour in COLOURS) == list(range(8))
    assert all(6 in spots for spots in mat(p).spots)


@pytest.mark.rule("KR-8")
def test_there_is_no_other_bonus() -> None:
    p = korea()
    p.own(0, "namwon-jinju", "jinju-changwon", "changwon-busan")
    put_on_mat(p, 0, "white", 3)
    assert {line.what for line in p.s.outcome.lines[0]} <= {
        "routes",
        "ticket_done",
        "ticket_failed",
        "province_line",
    }


@pytest.mark.rule("KR-8", "BASE-12")
def test_a_tie_in_points_goes_to_the_one_with_more_tickets() -> None:
    p = korea()
    p.tickets(0)
    p.tickets(1, "cheonan-iksan")  # 4 points
    p.own(1, "cheonan-sejong", "sejong-daejeon", "daejeon-iksan")  # 1 + 1 + 2
    p.own(0, "daegu-ulsan", "pohang-ulsan")  # 4 + 4
    assert p.s.outcome.scores == [8, 8]
    assert p.s.outcome.winners == [1]


@pytest.mark.rule("KR-8", "BASE-12")
def test_a_tie_in_points_and_tickets_is_shared() -> None:
    p = korea(3)
    for seat in range(3):
        p.tickets(seat)
    p.own(0, "daegu-ulsan")
    p.own(2, "namwon-jinju")
    assert p.s.outcome.scores == [4, 0, 4]
    assert p.s.outcome.winners == [0, 2]


@pytest.mark.rule("KR-8", "BASE-8")
@pytest.mark.parametrize(
    ("seats", "open_to_others"), [(2, False), (3, False), (4, True), (5, True)]
)
def test_double_routes_are_open_to_others_from_four_players_on(
    seats: int, open_to_others: bool
) -> None:
    p = korea(seats)
    p.hand(0, red=2)
    p.act("claim gwangju-mokpo red")
    p.act("mat none")
    p.hand(1, red=2)
    if open_to_others:
        p.act("claim gwangju-mokpo#2 red")
        assert p.owner_of("gwangju-mokpo#2") == 1
    else:
        assert p.why_not("claim gwangju-mokpo#2 red").reason == "double_closed"
