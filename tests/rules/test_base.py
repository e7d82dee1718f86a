"""The rules that every board shares unless it says otherwise: BASE-1 to BASE-14."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from branchline import Game, State
from branchline.core.catalogue import rule_text
from branchline.engine.view import UNKNOWN
from positions import Position, claims_on, level, payments, refused

BOARDS = ["iberia", "south_korea", "new_york", "nordic", "usa", "europe"]
PLAIN = ("pink", "blue", "orange", "white", "green")


def table(seats: int = 2, board: str = "usa", log: bool = False) -> Position:
    """Empty hands, and a display of five colours."""
    p = Position(board, seats, log=log)
    p.display(*PLAIN)
    p.hands_empty()
    return p


def cards_of(s: State) -> Counter[str]:
    """All cards of a game by kind, wherever they lie."""
    d, t, game = s.d, s.t, s.game
    count: Counter[str] = Counter()
    for k in range(t.kinds):
        name = game.card_name(k)
        count[name] += sum(d[t.hand + seat * t.kinds + k] for seat in range(t.seats))
        count[name] += sum(d[t.display + slot] == k for slot in range(t.display_size))
        count[name] += sum(d[t.deck + i] == k for i in range(d[t.deck_len])) + d[t.discard + k]
    return count


# --- BASE-1: the deck ---------------------------------------------------------------------------


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("board", ["iberia", "south_korea", "nordic", "usa", "europe"])
def test_the_deck_has_twelve_cards_of_each_of_eight_colours_and_fourteen_locomotives(
    board: str,
) -> None:
    cards = cards_of(Game(board, 2).start(seed=1))
    assert cards.pop("locomotive") == 14
    colours = ["pink", "blue", "orange", "white", "green", "yellow", "black", "red"]
    assert cards == dict.fromkeys(colours, 12)


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everyone_starts_with_four_cards_and_five_lie_face_up(seats: int) -> None:
    view = Game("usa", seats).start(seed=1).view()
    assert view["hand_size"] == [4] * seats
    assert all(card <= 8 for card in view["display"])
    assert len(view["display"]) == 5


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("board", BOARDS)
def test_no_card_is_made_or_lost_in_a_whole_game(board: str) -> None:
    rng = random.Random(board)
    s = Game(board, 2).start(seed=3)
    cards = cards_of(s)
    while not s.over:
        seat = s.to_act[0]
        s.apply(seat, rng.choice(s.legal(seat)))
        if s.phase == "turn":
            assert cards_of(s) == cards


# --- BASE-2: the turn ---------------------------------------------------------------------------


@pytest.mark.rule("BASE-2")
@pytest.mark.parametrize("first", [0, 2, 3])
def test_play_goes_round_by_seat(first: int) -> None:
    s = Game("usa", 4).start(seed=1, first=first)
    for seat in range(4):
        s.apply(seat, s.legal(seat)[0])
    draw = Position("usa", 4).s.legal(0)[-1]  # tickets, which leave the cards alone
    order = []
    for _ in range(5):
        order.append(s.turn)
        s.apply(s.turn, draw)
        s.apply(s.turn, s.legal(s.turn)[0])
    assert order == [(first + k) % 4 for k in range(5)]


@pytest.mark.rule("BASE-2")
def test_a_claim_is_the_whole_turn() -> None:
    p = table(3)
    p.hand(0, red=4)
    p.act("claim denver-salt_lake_city red")
    assert p.s.to_act == (1,)
    assert p.s.phase == "turn"


@pytest.mark.rule("BASE-2")
def test_drawing_two_cards_is_the_whole_turn() -> None:
    p = table(3)
    p.act("draw")
    assert p.s.to_act == (0,)
    p.act("draw")
    assert p.s.to_act == (1,)


@pytest.mark.rule("BASE-2")
def test_drawing_tickets_is_the_whole_turn() -> None:
    p = table(3)
    p.act("tickets")
    assert p.s.to_act == (0,)
    p.act("keep 1")
    assert p.s.to_act == (1,)


@pytest.mark.rule("BASE-2")
@pytest.mark.parametrize("begun", ["draw", "take pink", "tickets"])
def test_no_second_action_can_be_mixed_into_a_turn(begun: str) -> None:
    p = table(3)
    p.hand(0, red=4)
    p.act(begun)
    assert refused(p, "claim denver-salt_lake_city red") == ("BASE-2", "other_decision")
    if begun != "tickets":
        assert refused(p, "tickets") == ("BASE-2", "other_decision")
    else:
        assert refused(p, "draw") == ("BASE-2", "other_decision")


@pytest.mark.rule("BASE-2")
def test_nobody_acts_in_another_ones_turn() -> None:
    p = table(3)
    assert refused(p, "draw", seat=1) == ("BASE-2", "not_your_turn")
    assert p.legal(1) == []
    assert refused(p, "draw", seat=3) == ("BASE-2", "no_such_seat")


@pytest.mark.rule("BASE-2")
def test_all_three_actions_are_open_at_the_start_of_a_turn() -> None:
    p = table()
    p.hand(0, white=2)
    kinds = {text.split()[0] for text in p.legal()}
    assert kinds == {"take", "draw", "claim", "tickets"}


@pytest.mark.rule("BASE-2")
def test_nobody_passes_who_can_do_something() -> None:
    assert refused(table(), "pass") == ("RU-3", "no_pass")


# --- BASE-3: drawing cards ----------------------------------------------------------------------


@pytest.mark.rule("BASE-3")
def test_two_cards_can_be_drawn_blind() -> None:
    p = table()
    p.deck("red", "black", "white")
    p.act("draw")
    p.act("draw")
    assert p.hand_of(0) == {"red": 1, "black": 1}
    assert p.s.turn == 1


@pytest.mark.rule("BASE-3")
@pytest.mark.parametrize(
    ("first", "second"), [("take blue", "take green"), ("take blue", "draw"), ("draw", "take blue")]
)
def test_each_of_the_two_cards_comes_from_the_display_or_the_deck(first: str, second: str) -> None:
    p = table()
    p.deck("red", "red", "red")
    p.act(first)
    p.act(second)
    expected = {"take blue": "blue", "take green": "green", "draw": "red"}
    assert p.hand_of(0) == {expected[first]: 1, expected[second]: 1}


@pytest.mark.rule("BASE-3")
def test_a_card_taken_from_the_display_is_replaced_before_the_second_choice() -> None:
    p = table()
    p.deck("black", "yellow")
    p.act("take orange")
    assert p.display_cards() == ["pink", "blue", "black", "white", "green"]
    p.act("take black")
    assert p.display_cards() == ["pink", "blue", "yellow", "white", "green"]
    assert p.hand_of(0) == {"orange": 1, "black": 1}


@pytest.mark.rule("BASE-3")
def test_a_blind_card_leaves_the_display_alone() -> None:
    p = table()
    p.act("draw")
    assert p.display_cards() == list(PLAIN)


@pytest.mark.rule("BASE-3")
def test_two_equal_cards_of_the_display_can_both_be_taken() -> None:
    p = table()
    p.display("red", "red", "blue", "blue", "blue")
    p.deck("pink", "pink")
    p.act("take red")
    p.act("take red")
    assert p.hand_of(0) == {"red": 2}


@pytest.mark.rule("BASE-3")
def test_a_card_that_is_not_face_up_cannot_be_taken() -> None:
    p = table()
    assert refused(p, "take black") == ("BASE-3", "not_on_display")
    p.deck("yellow")
    p.act("take pink")
    assert refused(p, "take pink") == ("BASE-3", "not_on_display")


@pytest.mark.rule("BASE-3")
def test_everyone_sees_a_card_taken_from_the_display_and_nobody_one_drawn_blind() -> None:
    p = table(log=True)
    p.deck("red", "black")
    p.act("take pink")
    p.act("draw")
    assert p.known_of(0) == {"pink": 1}
    drawn = p.s.events[[e.kind.name for e in p.s.events].index("CardTaken") :]
    blind = next(e for e in drawn if e.kind.name == "CardDrawn")
    assert blind.seen(1) == {}
    assert blind.seen(0) == {"card": p.kind("black")}


# --- BASE-4: face-up locomotives ----------------------------------------------------------------


@pytest.mark.rule("BASE-4")
@pytest.mark.parametrize("board", ["iberia", "south_korea", "new_york", "usa", "europe"])
def test_a_face_up_locomotive_taken_first_ends_the_draw(board: str) -> None:
    p = Position(board, 2)
    p.hands_empty()
    p.display("locomotive", "blue", "blue", "red", "red")
    p.act("take locomotive")
    assert p.hand_of(0) == {"locomotive": 1}
    assert p.s.turn == 1


@pytest.mark.rule("BASE-4")
@pytest.mark.parametrize("first", ["draw", "take blue"])
def test_a_face_up_locomotive_cannot_be_the_second_card(first: str) -> None:
    p = table()
    p.display("locomotive", "blue", "blue", "red", "red")
    p.deck("white", "white")
    p.act(first)
    assert refused(p, "take locomotive") == ("BASE-4", "locomotive_as_second")
    assert "take red" in p.legal()


@pytest.mark.rule("BASE-4")
def test_a_locomotive_that_replaces_the_first_card_cannot_be_the_second() -> None:
    p = table()
    p.deck("locomotive")
    p.act("take pink")
    assert p.display_cards()[0] == "locomotive"
    assert refused(p, "take locomotive") == ("BASE-4", "locomotive_as_second")


@pytest.mark.rule("BASE-4")
def test_a_locomotive_drawn_blind_counts_as_any_other_card() -> None:
    p = table()
    p.deck("locomotive", "locomotive")
    p.act("draw")
    assert p.s.turn == 0
    p.act("draw")
    assert p.hand_of(0) == {"locomotive": 2}
    assert p.s.turn == 1


@pytest.mark.rule("BASE-4")
def test_after_a_blind_locomotive_a_colour_can_be_taken() -> None:
    p = table()
    p.deck("locomotive")
    p.act("draw")
    p.act("take white")
    assert p.hand_of(0) == {"locomotive": 1, "white": 1}


@pytest.mark.rule("BASE-4", "RU-2")
def test_the_draw_ends_after_one_card_if_only_face_up_locomotives_are_left() -> None:
    p = table(board="south_korea")
    p.display("blue", "locomotive", "locomotive")
    p.only_deck()
    p.act("take blue")
    assert p.s.turn == 1
    assert p.hand_of(0) == {"blue": 1}


# --- BASE-5: three locomotives ------------------------------------------------------------------


@pytest.mark.rule("BASE-5")
def test_a_third_face_up_locomotive_clears_the_display() -> None:
    p = table(log=True)
    p.display("locomotive", "locomotive", "red", "red", "blue")
    p.deck("locomotive", "black", "black", "yellow", "yellow", "white")
    p.act("take blue")
    assert p.display_cards() == ["black", "black", "yellow", "yellow", "white"]
    assert p.discards_of() == {"locomotive": 3, "red": 2}
    assert p.event_names().count("DisplayReset") == 1


@pytest.mark.rule("BASE-5")
def test_two_face_up_locomotives_stay() -> None:
    p = table()
    p.display("locomotive", "red", "red", "red", "blue")
    p.deck("locomotive")
    p.act("take blue")
    assert p.display_cards() == ["locomotive", "red", "red", "red", "locomotive"]
    assert p.discards_of() == {}


@pytest.mark.rule("BASE-5")
def test_a_new_display_with_three_locomotives_is_cleared_again() -> None:
    p = table(log=True)
    p.display("locomotive", "locomotive", "red", "red", "blue")
    again = ["locomotive", "green", "locomotive", "green", "locomotive"]
    p.deck("locomotive", *again, "pink", "pink", "pink", "white", "white")
    p.act("take blue")
    assert p.display_cards() == ["pink", "pink", "pink", "white", "white"]
    assert p.discards_of() == {"locomotive": 6, "red": 2, "green": 2}
    assert p.event_names().count("DisplayReset") == 2


@pytest.mark.rule("BASE-5")
def test_the_second_card_is_chosen_from_the_new_display() -> None:
    p = table()
    p.display("locomotive", "locomotive", "red", "red", "blue")
    p.deck("locomotive", "black", "black", "yellow", "yellow", "white")
    p.act("take blue")
    assert refused(p, "take red") == ("BASE-3", "not_on_display")
    p.act("take black")
    assert p.hand_of(0) == {"black": 1, "blue": 1}


@pytest.mark.rule("BASE-5")
def test_taking_the_third_but_last_locomotive_can_bring_up_another_third() -> None:
    p = table()
    p.display("locomotive", "locomotive", "locomotive", "red", "blue")
    p.deck("locomotive", *PLAIN)
    p.act("take locomotive")
    assert p.display_cards() == list(PLAIN)
    assert p.discards_of() == {"locomotive": 3, "red": 1, "blue": 1}
    assert p.s.turn == 1


@pytest.mark.rule("BASE-5")
@pytest.mark.parametrize("board", ["iberia", "south_korea", "new_york", "usa", "europe"])
def test_three_locomotives_are_cleared_at_set_up_too(board: str) -> None:
    game = Game(board, 2)
    loco = game.layout.loco
    resets = 0
    for seed in range(400):
        s = game.start(seed, log=True)
        shown = [s.d[s.t.display + slot] for slot in range(5)]
        assert shown.count(loco) < 3
        if any(event.kind.name == "DisplayReset" for event in s.events):
            resets += 1
            assert s.d[s.t.discard_size] in (5, 10, 15)
            assert s.d[s.t.discard + loco] >= 3
    assert resets > 0


@pytest.mark.rule("BASE-5", "RU-1")
def test_a_display_that_fell_below_three_locomotives_is_left_alone() -> None:
    p = table(board="south_korea", log=True)
    p.display("locomotive", "locomotive", "red")
    p.only_deck("locomotive")
    p.act("take red")  # the third locomotive comes up, and there is nothing else to show
    assert p.event_names().count("DisplayStayed") == 1
    p.act("take locomotive")
    assert sorted(p.display_cards()) == ["", "", "", "locomotive", "locomotive"]
    assert "DisplayReset" not in p.event_names()


# --- BASE-6: the empty deck ---------------------------------------------------------------------


@pytest.mark.rule("BASE-6")
def test_the_discards_become_the_deck_when_a_card_is_drawn_blind() -> None:
    p = table(log=True)
    p.discards(red=2, black=1)
    p.only_deck()
    p.act("draw")
    assert p.discards_of() == {}
    assert len(p.deck_codes()) == 2
    assert sum(p.hand_of(0).values()) == 1
    assert p.event_names().count("DeckShuffled") == 2  # at the start, and now


@pytest.mark.rule("BASE-6")
def test_the_discards_become_the_deck_when_the_display_needs_a_card() -> None:
    p = table()
    p.discards(red=1, black=1)
    p.only_deck()
    p.act("take pink")
    assert p.display_cards()[0] in ("red", "black")
    assert p.discards_of() == {}


@pytest.mark.rule("BASE-6")
def test_the_discards_are_shuffled_the_moment_the_last_card_is_drawn() -> None:
    p = table()
    p.discards(red=4)
    p.only_deck("black")
    p.act("draw")
    assert p.s.turn == 0
    assert [p.game.card_name(card) for card in p.deck_codes()] == ["red"] * 4
    assert p.discards_of() == {}


@pytest.mark.rule("BASE-6")
def test_the_discards_are_shuffled_the_moment_the_last_card_goes_to_the_display() -> None:
    p = table()
    p.discards(red=4)
    p.only_deck("black")
    p.act("take pink")
    assert p.display_cards()[0] == "black"
    assert len(p.deck_codes()) == 4
    assert p.discards_of() == {}


@pytest.mark.rule("BASE-6", "BASE-5")
def test_a_display_that_the_last_card_spoils_is_shuffled_in_with_the_rest() -> None:
    p = table(log=True)
    p.display("locomotive", "locomotive", "red", "red", "blue")
    p.discards(green=3)
    p.only_deck("locomotive")
    before = len(p.s.events)
    p.act("take blue")
    told = p.event_names()[before:]
    assert told[:4] == ["CardTaken", "DisplayFilled", "DisplayReset", "DeckShuffled"]
    whole = next(e for e in p.s.events[before:] if e.kind.name == "DeckShuffled")
    assert whole.numbers[0] == 3 + 5  # the discards and the display


@pytest.mark.rule("BASE-6", "RU-16")
def test_without_discards_the_deck_stays_empty_until_a_card_is_needed() -> None:
    p = table(board="south_korea")
    p.hand(1, white=3)
    p.only_deck("black", "black")
    p.act("draw")
    p.act("draw")
    assert (p.deck_codes(), p.s.turn) == ([], 1)
    p.act("claim namwon-jinju white")
    p.act("mat none")
    assert p.deck_codes() == []  # nothing was needed, so the new discards lie there
    assert p.discards_of() == {"white": 3}
    p.act("take pink")
    assert p.display_cards()[0] == "white"
    assert len(p.deck_codes()) == 2


@pytest.mark.rule("BASE-6")
def test_a_draw_can_run_through_the_end_of_the_deck() -> None:
    p = table()
    p.discards(red=4)
    p.only_deck("black")
    p.act("draw")
    p.act("draw")
    assert p.hand_of(0) == {"black": 1, "red": 1}


@pytest.mark.rule("BASE-6")
def test_the_new_deck_is_a_shuffle_of_the_discards_alone() -> None:
    orders = set()
    for seed in range(8):
        p = Position("usa", 2, seed)
        p.hands_empty()
        p.display(*PLAIN)
        p.discards(red=3, black=3)
        p.only_deck()
        p.act("draw")
        drawn = p.kind("red") if p.hand_of(0) == {"red": 1} else p.kind("black")
        assert sorted([drawn, *p.deck_codes()]) == [p.kind("black")] * 3 + [p.kind("red")] * 3
        orders.add((drawn, *p.deck_codes()))
    assert len(orders) > 1


@pytest.mark.rule("BASE-6", "NO-8")
@pytest.mark.parametrize("board", ["iberia", "south_korea"])
def test_without_deck_and_discards_nothing_is_drawn_blind_but_the_display_is_open(
    board: str,
) -> None:
    p = table(board=board)
    p.only_deck()
    assert refused(p, "draw") == ("BASE-6", "deck_empty")
    p.act("take pink")
    p.act("take blue")
    assert p.display_cards() == ["", "", "orange", "white", "green"]


# --- BASE-7: claims -----------------------------------------------------------------------------


@pytest.mark.rule("BASE-7")
def test_a_claim_takes_the_cards_and_the_trains_and_gives_the_route() -> None:
    p = table()
    p.hand(0, red=5, blue=1)
    p.act("claim dallas-el_paso red")
    assert p.owner_of("dallas-el_paso") == 0
    assert p.hand_of(0) == {"red": 1, "blue": 1}
    assert p.discards_of() == {"red": 4}
    assert p.trains_of(0) == 41
    assert p.s.outcome.lines[0][0].points == 7


@pytest.mark.rule("BASE-7")
def test_a_coloured_route_takes_its_colour_only() -> None:
    p = table()
    p.hand(0, red=3, blue=9, green=9, locomotive=3)
    assert claims_on(p, "dallas-el_paso") == ["red"]
    p.hand(0, blue=9, green=9)
    assert claims_on(p, "dallas-el_paso") == []
    assert refused(p, "claim dallas-el_paso red") == ("BASE-7", "too_few_cards")


@pytest.mark.rule("BASE-7")
def test_a_gray_route_takes_any_one_colour() -> None:
    p = table()
    p.hand(0, red=4, blue=5, white=3)
    assert claims_on(p, "calgary-helena") == ["blue", "red"]
    p.act("claim calgary-helena blue")
    assert p.hand_of(0) == {"red": 4, "blue": 1, "white": 3}


@pytest.mark.rule("BASE-7")
def test_colours_are_not_mixed_on_a_gray_route() -> None:
    p = table()
    p.hand(0, red=2, blue=2, white=2, black=2)
    assert claims_on(p, "calgary-vancouver") == []
    assert refused(p, "claim calgary-vancouver red") == ("BASE-7", "too_few_cards")


@pytest.mark.rule("BASE-7")
def test_a_card_too_few_is_too_few() -> None:
    p = table()
    p.hand(0, red=2, locomotive=1)
    assert refused(p, "claim dallas-el_paso red") == ("BASE-7", "too_few_cards")
    assert refused(p, "claim dallas-el_paso wild") == ("BASE-7", "too_few_locomotives")
    p.hand(0, red=3, locomotive=1)
    p.act("claim dallas-el_paso red")
    assert p.hand_of(0) == {}


@pytest.mark.rule("BASE-7")
def test_every_split_of_colour_and_locomotives_is_offered() -> None:
    p = table()
    p.hand(0, red=5, locomotive=5)
    assert claims_on(p, "dallas-el_paso") == ["red", "wild"]
    assert payments(p, "dallas-el_paso") == {
        (("red", 4),),
        (("locomotive", 1), ("red", 3)),
        (("locomotive", 2), ("red", 2)),
        (("locomotive", 3), ("red", 1)),
        (("locomotive", 4),),
    }


@pytest.mark.rule("BASE-7")
@pytest.mark.parametrize("locomotives", [0, 1, 2, 3])
def test_the_player_chooses_how_many_locomotives_to_spend(locomotives: int) -> None:
    p = table()
    p.hand(0, red=4, locomotive=4)
    p.act("claim dallas-el_paso red")
    assert p.legal() == ["pay 0", "pay 1", "pay 2", "pay 3"]
    p.act(f"pay {locomotives}")
    spent = {"red": 4 - locomotives, "locomotive": locomotives}
    assert p.discards_of() == {name: n for name, n in spent.items() if n}


@pytest.mark.rule("BASE-7")
def test_locomotives_alone_pay_for_a_route() -> None:
    p = table()
    p.hand(0, red=4, locomotive=4)
    p.act("claim dallas-el_paso wild")
    assert p.hand_of(0) == {"red": 4}
    assert p.owner_of("dallas-el_paso") == 0


@pytest.mark.rule("BASE-7")
def test_the_only_split_is_played_without_a_question() -> None:
    p = table()
    p.hand(0, red=1, locomotive=3)
    p.act("claim dallas-el_paso red")
    assert p.s.turn == 1
    assert p.hand_of(0) == {}


@pytest.mark.rule("BASE-7")
def test_a_split_that_the_hand_does_not_allow_is_refused() -> None:
    p = table()
    p.hand(0, red=3, locomotive=2)
    p.act("claim dallas-el_paso red")
    assert p.legal() == ["pay 1", "pay 2"]
    assert refused(p, "pay 0") == ("BASE-7", "payment_not_held")
    assert refused(p, "pay 3") == ("BASE-7", "payment_not_held")


@pytest.mark.rule("BASE-7")
@pytest.mark.parametrize("seed", range(12))
def test_the_payments_are_exactly_those_of_the_rule(seed: int) -> None:
    rng = random.Random(seed)
    p = table()
    p.display()
    hand = {name: rng.randrange(6) for name in ("red", "blue", "white", "locomotive")}
    p.hand(0, **hand)
    for route in p.game.board.routes:
        if route.twin > route.index:
            continue
        colours = ["red", "blue", "white"]
        if route.colour >= 0:
            colours = [c for c in colours if p.kind(c) == route.colour]
        expected = set()
        for x, y in product(range(7), range(7)):
            if x + y == route.length and y <= hand["locomotive"]:
                for c in colours or ["red"]:
                    if x <= (hand[c] if colours else 0):
                        cards = {"locomotive": y, c: x}
                        expected.add(tuple(sorted((k, n) for k, n in cards.items() if n)))
        assert payments(p, p.game.route_text(route.index)) == expected


@pytest.mark.rule("BASE-7")
def test_a_route_far_from_the_own_network_can_be_claimed() -> None:
    p = table()
    p.own(0, "portland-seattle")
    p.hand(0, pink=4)
    p.act("claim charleston-miami pink")
    assert p.owner_of("charleston-miami") == 0


@pytest.mark.rule("BASE-7")
def test_a_player_without_enough_trains_cannot_claim() -> None:
    p = table()
    p.hand(0, red=4, locomotive=4)
    p.trains(0, 3)
    assert refused(p, "claim dallas-el_paso red") == ("BASE-7", "too_few_trains")
    assert refused(p, "claim dallas-el_paso wild") == ("BASE-7", "too_few_trains")
    assert refused(p, "claim calgary-helena red") == ("BASE-7", "too_few_trains")
    assert refused(p, "claim calgary-helena wild") == ("BASE-7", "too_few_trains")
    p.trains(0, 4)
    p.act("claim dallas-el_paso wild")
    assert p.trains_of(0) == 0


@pytest.mark.rule("BASE-7")
def test_a_claimed_route_is_gone_for_everyone() -> None:
    p = table(4)
    p.own(1, "dallas-el_paso")
    p.own(0, "calgary-helena")
    p.hand(0, red=4)
    assert refused(p, "claim dallas-el_paso red") == ("BASE-7", "route_taken")
    assert refused(p, "claim calgary-helena red") == ("BASE-7", "route_yours")


@pytest.mark.rule("BASE-7")
def test_no_more_cards_than_the_route_has_spaces_are_played() -> None:
    p = table()
    p.hand(0, red=12)
    p.act("claim chicago-duluth red")
    assert p.hand_of(0) == {"red": 9}


# --- BASE-8: double routes ----------------------------------------------------------------------


@pytest.mark.rule("BASE-8")
@pytest.mark.parametrize("seats", [2, 3])
def test_with_two_or_three_players_claiming_one_of_a_pair_closes_the_other(seats: int) -> None:
    p = table(seats)
    p.hand(0, orange=3)
    p.hand(1, black=3)
    p.act("claim chicago-pittsburgh#2 orange")
    assert refused(p, "claim chicago-pittsburgh black") == ("BASE-8", "double_closed")
    assert claims_on(p, "chicago-pittsburgh") == []


@pytest.mark.rule("BASE-8")
@pytest.mark.parametrize("seats", [4, 5])
def test_with_four_or_five_players_another_one_may_claim_the_second(seats: int) -> None:
    p = table(seats)
    p.hand(0, orange=3)
    p.hand(1, black=3)
    p.act("claim chicago-pittsburgh#2 orange")
    p.act("claim chicago-pittsburgh black")
    assert p.owner_of("chicago-pittsburgh") == 1
    assert p.owner_of("chicago-pittsburgh#2") == 0


@pytest.mark.rule("BASE-8")
@pytest.mark.parametrize("seats", [4, 5])
def test_nobody_owns_both_routes_of_a_pair(seats: int) -> None:
    p = table(seats)
    p.own(0, "chicago-pittsburgh", "atlanta-raleigh")
    p.hand(0, orange=3, locomotive=3)
    assert refused(p, "claim chicago-pittsburgh#2 orange") == ("BASE-8", "double_both")
    assert refused(p, "claim chicago-pittsburgh#2 wild") == ("BASE-8", "double_both")
    assert refused(p, "claim atlanta-raleigh#2 orange") == ("BASE-8", "double_both")
    assert "claim dallas-houston orange" in p.legal()


@pytest.mark.rule("BASE-8")
def test_a_single_route_closes_nothing() -> None:
    p = table(2, log=True)
    p.hand(0, red=3)
    p.act("claim chicago-duluth red")
    assert "RouteClosed" not in p.event_names()


@pytest.mark.rule("BASE-8")
@pytest.mark.parametrize("board", ["iberia", "south_korea", "usa", "europe"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_number_is_four_on_the_boards_that_do_not_say_otherwise(board: str, seats: int) -> None:
    p = Position(board, seats, log=True)
    p.hands_empty()
    route = next(
        r for r in p.game.board.routes if r.twin > r.index and not r.tunnel and not r.locomotives
    )
    text = p.game.route_text(route.index)
    colour = "pink" if route.colour < 0 else p.game.board.colours[route.colour]
    p.display()
    p.hand(0, **{colour: int(route.length)})
    p.act(f"claim {text} {colour}")
    assert p.owner_of(text) == 0
    assert ("RouteClosed" in p.event_names()) == (seats < 4)


# --- BASE-9: drawing tickets --------------------------------------------------------------------


@pytest.mark.rule("BASE-9")
def test_three_tickets_are_drawn_from_the_top_and_at_least_one_is_kept() -> None:
    p = table()
    top = p.ticket_deck()[:3]
    p.act("tickets")
    assert sorted(p.s.view(0).offered) == sorted(top)
    assert p.legal() == [
        "keep 1", "keep 2", "keep 1 2", "keep 3", "keep 1 3", "keep 2 3", "keep 1 2 3",
    ]  # fmt: skip


@pytest.mark.rule("BASE-9")
def test_rejected_tickets_go_to_the_bottom_of_the_deck() -> None:
    p = table()
    order = p.ticket_deck()
    held = p.s.view(0).tickets
    p.act("tickets")
    p.act("keep 2")
    low, kept, high = sorted(order[:3])
    assert p.s.view(0).tickets == sorted([*held, kept])
    assert p.ticket_deck() == [*order[3:], low, high]


@pytest.mark.rule("BASE-9")
def test_all_three_tickets_can_be_kept() -> None:
    p = table()
    order = p.ticket_deck()
    before = len(p.tickets_of(0))
    p.act("tickets")
    p.act("keep 1 2 3")
    assert len(p.tickets_of(0)) == before + 3
    assert p.ticket_deck() == order[3:]


@pytest.mark.rule("BASE-9")
def test_fewer_than_three_tickets_are_all_drawn() -> None:
    p = table()
    two = sorted(p.ticket_deck()[:2])
    p.set_ticket_deck(two)
    p.act("tickets")
    assert p.s.view(0).offered == two
    assert p.legal() == ["keep 1", "keep 2", "keep 1 2"]
    assert refused(p, "keep 3") == ("BASE-9", "ticket_not_offered")
    p.act("keep 1")
    assert p.ticket_deck() == two[1:]


@pytest.mark.rule("BASE-9")
def test_a_single_ticket_left_is_kept() -> None:
    p = table()
    last = p.ticket_deck()[0]
    p.set_ticket_deck([last])
    p.act("tickets")
    assert last in p.s.view(0).tickets
    assert p.s.turn == 1
    assert p.ticket_deck() == []


@pytest.mark.rule("BASE-9")
def test_no_tickets_can_be_drawn_from_an_empty_deck() -> None:
    p = table()
    p.set_ticket_deck([])
    assert refused(p, "tickets") == ("BASE-9", "no_tickets_left")


@pytest.mark.rule("BASE-9")
def test_kept_tickets_stay_kept() -> None:
    p = table()
    p.act("tickets")
    p.act("keep 1")
    held = p.s.view(0).tickets
    p.act("draw")
    p.act("draw")
    p.act("tickets")
    assert p.s.view(0).tickets == held
    assert not set(p.s.view(0).offered) & set(held)
    p.act("keep 1")
    assert set(held) < set(p.s.view(0).tickets)


@pytest.mark.rule("BASE-9")
def test_others_learn_how_many_tickets_were_kept_and_nothing_else() -> None:
    p = table(log=True)
    p.tickets(0)
    p.tickets(1)
    count = len(p.s.events)
    p.act("tickets")
    p.act("keep 1 3")
    assert p.s.view(1)["ticket_count"] == [2, 0]
    assert set(p.s.view(1)["tickets"]) == {UNKNOWN}
    assert set(p.s.view(-1)["tickets"]) == {UNKNOWN}
    seen = [event.seen(1) for event in p.s.events[count:] if event.kind.name.startswith("Ticket")]
    assert seen == [{"count": 3}, {"kept": 2, "rejected": 1, "out": 0}]


@pytest.mark.rule("BASE-9")
def test_others_cannot_tell_a_completed_ticket_from_a_hopeless_one() -> None:
    views = []
    for ticket in ("denver-el_paso", "boston-miami"):
        p = table()
        p.tickets(0, ticket)
        p.own(0, "denver-santa_fe", "el_paso-santa_fe")
        views.append(p.s.view(1))
    assert views[0] == views[1]


# --- BASE-10: the end ---------------------------------------------------------------------------


def turns_until_the_end(p: Position) -> list[int]:
    """The seats that play on, each drawing two cards."""
    order = []
    while not p.s.over:
        order.append(p.s.turn)
        p.act("draw")
        p.act("draw")
    return order


@pytest.mark.rule("BASE-10")
@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_turn_that_ends_with_two_trains_or_fewer_starts_the_last_round(left: int) -> None:
    p = table(3, log=True)
    p.hand(0, red=3)
    p.trains(0, 3 + left)
    p.act("claim chicago-duluth red")
    assert p.event_names().count("LastRoundBegan") == 1
    assert turns_until_the_end(p) == [1, 2, 0]


@pytest.mark.rule("BASE-10")
def test_a_turn_that_ends_with_three_trains_does_not() -> None:
    p = table(3, log=True)
    p.hand(0, red=3)
    p.trains(0, 6)
    p.act("claim chicago-duluth red")
    assert "LastRoundBegan" not in p.event_names()
    for _ in range(3 * 2 + 1):
        p.act("draw")
        p.act("draw")
    assert not p.s.over


@pytest.mark.rule("BASE-10", "RU-14")
def test_everyone_has_one_more_turn_and_the_one_who_set_it_off_plays_last() -> None:
    p = table(4)
    p.act("tickets")
    p.act("keep 1")
    p.hand(1, red=3)
    p.trains(1, 5)
    p.act("claim chicago-duluth red")
    assert turns_until_the_end(p) == [2, 3, 0, 1]


@pytest.mark.rule("BASE-10")
def test_another_player_running_out_in_the_last_round_changes_nothing() -> None:
    p = table(3, log=True)
    p.hand(0, red=3)
    p.hand(1, white=2)
    p.trains(0, 5)
    p.trains(1, 3)
    p.act("claim chicago-duluth red")
    p.act("claim chicago-saint_louis#2 white")
    assert p.event_names().count("LastRoundBegan") == 1
    assert turns_until_the_end(p) == [2, 0]


@pytest.mark.rule("BASE-10")
def test_the_last_trains_can_be_placed_in_the_last_turn() -> None:
    p = table(2)
    p.hand(0, red=3, white=2)
    p.trains(0, 5)
    p.act("claim chicago-duluth red")
    p.act("draw")
    p.act("draw")
    p.act("claim chicago-saint_louis#2 white")
    assert p.s.over
    assert p.trains_of(0) == 0


@pytest.mark.rule("BASE-10")
def test_after_the_end_nobody_acts() -> None:
    p = table(2)
    p.hand(0, red=3)
    p.trains(0, 5)
    p.act("claim chicago-duluth red")
    assert turns_until_the_end(p) == [1, 0]
    assert p.s.to_act == ()
    assert p.legal(0) == p.legal(1) == []
    assert refused(p, "draw", seat=1) == ("BASE-10", "game_over")


# --- BASE-11: scores ----------------------------------------------------------------------------


@pytest.mark.rule("BASE-11")
@pytest.mark.parametrize(
    ("board", "route", "points"),
    [
        ("usa", "atlanta-nashville", 1),
        ("usa", "chicago-saint_louis", 2),
        ("usa", "chicago-duluth", 4),
        ("usa", "dallas-el_paso", 7),
        ("usa", "helena-omaha", 10),
        ("usa", "miami-new_orleans", 15),
        ("europe", "petrograd-stockholm", 21),
        ("nordic", "lieksa-murmansk", 27),
    ],
)
def test_a_route_scores_by_its_length(board: str, route: str, points: int) -> None:
    p = Position(board, 2)
    p.own(1, route)
    assert p.lines(1, "routes") == [(0, points)]
    assert p.lines(0, "routes") == [(0, 0)]


@pytest.mark.rule("BASE-11")
@pytest.mark.parametrize("board", BOARDS)
def test_every_board_has_the_same_points_for_routes(board: str) -> None:
    entry = next(e for e in Game(board, 2).board.rules if e.name == "claim_routes")
    assert entry.params["points"] == [1, 2, 4, 7, 10, 15, 18, 21, 27]


@pytest.mark.rule("BASE-11")
def test_a_ticket_adds_its_points_if_own_routes_join_its_cities() -> None:
    p = table()
    p.tickets(0, "denver-el_paso")
    p.own(0, "denver-santa_fe")
    assert p.lines(0, "ticket_failed") == [(p.ticket("denver-el_paso"), -4)]
    p.own(0, "el_paso-santa_fe")
    assert p.lines(0, "ticket_done") == [(p.ticket("denver-el_paso"), 4)]
    assert p.lines(0, "ticket_failed") == []
    assert p.s.outcome.tickets == [1, 0]


@pytest.mark.rule("BASE-11")
def test_a_ticket_is_completed_by_any_way_round() -> None:
    p = table()
    p.tickets(0, "denver-el_paso")
    p.own(0, "denver-oklahoma_city", "el_paso-oklahoma_city")
    assert p.lines(0, "ticket_done") == [(p.ticket("denver-el_paso"), 4)]


@pytest.mark.rule("BASE-11")
def test_the_routes_of_others_complete_no_ticket() -> None:
    p = table()
    p.tickets(0, "denver-el_paso")
    p.tickets(1)
    p.own(0, "denver-santa_fe")
    p.own(1, "el_paso-santa_fe")
    assert p.lines(0, "ticket_failed") == [(p.ticket("denver-el_paso"), -4)]


@pytest.mark.rule("BASE-11")
def test_the_score_is_the_sum_of_its_lines_and_may_be_negative() -> None:
    p = table()
    p.tickets(0, "seattle-new_york", "boston-miami")
    p.tickets(1, "denver-el_paso")
    p.own(0, "portland-seattle")
    p.own(1, "denver-santa_fe", "el_paso-santa_fe")
    outcome = p.s.outcome
    assert outcome.scores == [1 - 22 - 12, 2 + 2 + 4 + 10]  # the last for the longest path
    assert outcome.scores == [sum(line.points for line in lines) for lines in outcome.lines]
    assert outcome.winners == [1]


# --- BASE-12: ties ------------------------------------------------------------------------------


@pytest.mark.rule("BASE-12")
def test_the_most_points_win() -> None:
    p = table(3)
    for seat in range(3):
        p.tickets(seat)
    p.own(0, "portland-seattle")
    p.own(1, "dallas-el_paso")
    p.own(2, "denver-santa_fe")
    assert p.s.outcome.winners == [1]


@pytest.mark.rule("BASE-12")
def test_among_equal_points_the_most_completed_tickets_win() -> None:
    p = table(3)
    for seat in range(3):
        p.tickets(seat)
    p.tickets(2, "denver-el_paso")
    p.own(2, "denver-santa_fe", "el_paso-santa_fe")
    p.own(0, "dallas-el_paso", "el_paso-houston")  # a longer path does not matter
    level(p)
    assert len(set(p.s.outcome.scores)) == 1
    assert p.s.outcome.tickets == [0, 0, 1]
    assert p.s.outcome.winners == [2]


@pytest.mark.rule("BASE-12")
def test_failed_tickets_do_not_matter_in_a_tie() -> None:
    p = table(2)
    p.tickets(0)
    p.tickets(1, "seattle-new_york", "los_angeles-miami")
    level(p)
    assert p.s.outcome.winners == [0, 1]


@pytest.mark.rule("BASE-12")
def test_a_tie_break_is_no_matter_for_those_behind() -> None:
    p = table(3)
    for seat in range(3):
        p.tickets(seat)
    p.tickets(2, "denver-el_paso")
    p.own(2, "denver-santa_fe", "el_paso-santa_fe")
    level(p)
    p.s.d[p.t.points + 2] -= 1
    assert p.s.outcome.winners == [0, 1]


# --- BASE-13: opening tickets -------------------------------------------------------------------


@pytest.mark.rule("BASE-13")
@pytest.mark.parametrize("seats", [2, 5])
def test_everyone_is_dealt_three_tickets_and_keeps_at_least_two(seats: int) -> None:
    game = Game("usa", seats)
    s = game.start(seed=1)
    assert s.to_act == tuple(range(seats))
    for seat in range(seats):
        assert len(s.view(seat).offered) == 3
        choices = [game.action_text(a) for a in s.legal(seat)]
        assert choices == [f"opening keep {kept}" for kept in ("1 2", "1 3", "2 3", "1 2 3")]


@pytest.mark.rule("BASE-13")
def test_one_ticket_is_not_enough_at_the_start() -> None:
    game = Game("usa", 2)
    s = game.start(seed=1)
    keep_two = s.legal(0)[0]
    refusal = s.why_not(0, keep_two - 1)
    assert game.action_text(keep_two - 1) == "opening keep 2"
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("BASE-13", "keep_too_few")


@pytest.mark.rule("BASE-13")
def test_rejected_opening_tickets_go_under_the_deck() -> None:
    game = Game("usa", 2)
    s = game.start(seed=1, first=0)
    offered = [s.view(seat).offered for seat in range(2)]
    s.apply(1, s.legal(1)[0])
    assert s.to_act == (0,)
    s.apply(0, s.legal(0)[0])
    assert s.phase == "turn"
    assert s.view(0).tickets == offered[0][:2]
    d, t = s.d, s.t
    assert d[t.ticket_len] == 30 - 4
    bottom = [d[t.ticket_deck + (d[t.ticket_top] + k) % t.tickets] for k in (24, 25)]
    assert bottom == [offered[0][2], offered[1][2]]


# --- BASE-14: the longest path ------------------------------------------------------------------


def longest(p: Position) -> int:
    """The longest path of seat 0, which leads."""
    ((length, _),) = p.lines(0, "longest_path")
    return length


@pytest.mark.rule("BASE-14")
def test_the_longest_path_counts_spaces_not_routes() -> None:
    p = table()
    p.own(0, "atlanta-nashville", "nashville-saint_louis", "chicago-saint_louis")
    assert longest(p) == 5
    p = table()
    p.own(0, "miami-new_orleans")
    assert longest(p) == 6


@pytest.mark.rule("BASE-14")
def test_of_three_branches_the_longest_path_takes_two() -> None:
    p = table()
    p.own(0, "denver-santa_fe", "denver-salt_lake_city", "denver-helena")
    assert longest(p) == 3 + 4


@pytest.mark.rule("BASE-14")
def test_separate_pieces_do_not_add_up() -> None:
    p = table()
    p.own(0, "miami-new_orleans", "portland-seattle", "denver-helena")
    assert longest(p) == 6


@pytest.mark.rule("BASE-14")
def test_the_longest_path_may_pass_a_city_many_times() -> None:
    p = table()  # two loops that share Denver
    p.own(0, "denver-helena", "helena-salt_lake_city", "denver-salt_lake_city")
    p.own(0, "denver-santa_fe", "oklahoma_city-santa_fe", "denver-oklahoma_city")
    assert longest(p) == (4 + 3 + 3) + (2 + 3 + 4)


@pytest.mark.rule("BASE-14")
def test_the_longest_path_passes_each_route_only_once() -> None:
    p = table()  # a loop with two tails at the same city: one tail can't be reached again
    p.own(0, "denver-helena", "helena-salt_lake_city", "denver-salt_lake_city")
    p.own(0, "denver-kansas_city", "denver-santa_fe")
    assert longest(p) == 4 + 3 + 3 + 4 + 2
    p.own(0, "denver-phoenix")
    assert longest(p) == 4 + 3 + 3 + 5 + 4


def longest_by_trial(edges: list[tuple[int, int, int]]) -> int:
    """The longest trail, by walking every one of them."""
    best = 0
    todo = [(city, frozenset[int](), 0) for a, b, _ in edges for city in (a, b)]
    while todo:
        city, used, length = todo.pop()
        best = max(best, length)
        for k, (a, b, spaces) in enumerate(edges):
            if k not in used and city in (a, b):
                todo.append((a + b - city, used | {k}, length + spaces))
    return best


@pytest.mark.rule("BASE-14")
@pytest.mark.parametrize("seed", range(30))
def test_the_longest_path_is_the_one_that_trying_everything_finds(seed: int) -> None:
    rng = random.Random(seed)
    p = table(4)
    board = p.game.board
    hub = rng.choice(board.cities).index
    near = {hub}
    chosen: list[int] = []
    while len(chosen) < 9:  # a network that grows from one city, so that it has loops
        r = rng.choice([r for r in board.routes if r.a in near or r.b in near])
        if r.index not in chosen and r.twin not in chosen:
            chosen.append(r.index)
            near |= {r.a, r.b}
    p.own(0, *[p.game.route_text(r) for r in chosen])
    edges = [(int(r.a), int(r.b), int(r.length)) for r in board.routes if r.index in chosen]
    assert longest(p) == longest_by_trial(edges)


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
def test_every_refusal_names_a_rule_that_governs_the_board(board: str) -> None:
    rng = random.Random(board)
    game = Game(board, 2)
    s = game.start(seed=5)
    for _ in range(60):
        if s.over:
            break
        seat = s.to_act[0]
        for action in range(len(game.action_rules)):
            refusal = s.why_not(seat, action)
            assert (refusal is None) == s.allows(seat, action)
            if refusal is not None:
                assert board in rule_text(refusal.rule, "en").boards, refusal
        s.apply(seat, rng.choice(s.legal(seat)))
