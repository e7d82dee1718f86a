"""The Nordic Countries: NO-1 to NO-9, with the worked examples of the rulebook."""

from __future__ import annotations

import random
from itertools import product

import pytest

from branchline import Game, parse_action
from branchline.engine.errors import NotationError, SeatsError
from branchline.engine.layout import CLOSED
from positions import Cards, Position, claims_on, level, payments, refused

PLAIN = ("pink", "blue", "white", "yellow", "black")
FERRY = "kristiansand-stavanger#2"  # orange, three spaces, one symbol
TUNNEL = "kristiansand-stavanger"  # green, two spaces
GREEN_TUNNEL = "mo_i_rana-trondheim"  # five spaces


def table(seats: int = 2, log: bool = False) -> Position:
    """Empty hands, no tickets, and a display of five colours."""
    p = Position("nordic", seats, log=log)
    p.display(*PLAIN)
    p.hands_empty()
    for seat in range(seats):
        p.tickets(seat)
    return p


def cards(count: dict[str, int]) -> Cards:
    return tuple(sorted((name, n) for name, n in count.items() if n))


# --- NO-1: tickets ------------------------------------------------------------------------------


@pytest.mark.rule("NO-1")
@pytest.mark.parametrize("seats", [2, 3])
def test_five_tickets_are_dealt_and_at_least_two_are_kept(seats: int) -> None:
    game = Game("nordic", seats)
    s = game.start(seed=1)
    for seat in range(seats):
        assert len(s.view(seat).offered) == 5
        assert len(s.legal(seat)) == 10 + 10 + 5 + 1
    assert s.view()["trains"] == [40] * seats
    assert s.view().one("ticket_len") == 46 - 5 * seats


@pytest.mark.rule("NO-1")
def test_one_ticket_is_not_enough_at_the_start() -> None:
    p = Position("nordic", 2)
    p.s = p.game.start(seed=1)
    assert refused(p, "opening keep 4") == ("NO-1", "keep_too_few")
    p.act("opening keep 4 5")


@pytest.mark.rule("NO-1")
def test_rejected_opening_tickets_leave_the_game() -> None:
    p = Position("nordic", 2)
    p.s = p.game.start(seed=1)
    offered = [p.s.view(seat).offered for seat in range(2)]
    deck = p.ticket_deck()
    p.act("opening keep 1 2", seat=0)
    p.act("opening keep 1 3 5", seat=1)
    assert p.ticket_deck() == deck
    assert not set(offered[0] + offered[1]) & set(deck)
    assert p.s.view(0).tickets == offered[0][:2]
    assert p.s.view(1).tickets == offered[1][::2]


@pytest.mark.rule("NO-1", "BASE-9")
def test_tickets_rejected_later_leave_the_game_too() -> None:
    p = table()
    order = p.ticket_deck()
    p.act("tickets")
    assert len(p.legal()) == 7
    p.act("keep 2")
    assert p.s.view(0).tickets == [sorted(order[:3])[1]]
    assert p.ticket_deck() == order[3:]


@pytest.mark.rule("NO-1", "BASE-9")
def test_the_ticket_deck_runs_out_for_good() -> None:
    p = table()
    p.set_ticket_deck(p.ticket_deck()[:2])
    p.act("tickets")
    assert p.legal() == ["keep 1", "keep 2", "keep 1 2"]
    p.act("keep 1")
    assert refused(p, "tickets") == ("BASE-9", "no_tickets_left")


@pytest.mark.rule("NO-1")
@pytest.mark.parametrize("seats", [1, 4])
def test_it_is_for_two_or_three_players(seats: int) -> None:
    with pytest.raises(SeatsError):
        Game("nordic", seats)


# --- NO-2: drawing cards ------------------------------------------------------------------------


@pytest.mark.rule("NO-2")
def test_two_face_up_locomotives_may_be_taken_in_a_turn() -> None:
    p = table()
    p.display("locomotive", "locomotive", "red", "red", "red")
    p.act("take locomotive")
    assert p.s.turn == 0
    p.act("take locomotive")
    assert p.hand_of(0) == {"locomotive": 2}
    assert p.s.turn == 1


@pytest.mark.rule("NO-2")
@pytest.mark.parametrize(
    ("first", "second"),
    [("take locomotive", "take red"), ("take red", "take locomotive"), ("draw", "take locomotive")],
)
def test_a_face_up_locomotive_is_a_card_like_any_other(first: str, second: str) -> None:
    p = table()
    p.display("locomotive", "red", "red", "blue", "blue")
    p.deck("red", "red")
    p.act(first)
    p.act(second)
    assert p.hand_of(0) == {"locomotive": 1, "red": 1}


@pytest.mark.rule("NO-2")
def test_a_locomotive_that_has_just_come_up_may_be_taken() -> None:
    p = table()
    p.deck("locomotive")
    p.act("take pink")
    p.act("take locomotive")
    assert p.hand_of(0) == {"pink": 1, "locomotive": 1}


@pytest.mark.rule("NO-2")
def test_a_display_full_of_locomotives_stays() -> None:
    p = table(log=True)
    p.display("locomotive", "locomotive", "locomotive", "locomotive", "red")
    p.deck("locomotive")
    p.act("take red")
    p.act("draw")
    assert p.display_cards() == ["locomotive"] * 5
    assert p.discards_of() == {}
    assert "DisplayReset" not in p.event_names()


@pytest.mark.rule("NO-2")
def test_three_locomotives_stay_at_set_up() -> None:
    game = Game("nordic", 2)
    loco = game.layout.loco
    shown = 0
    for seed in range(400):
        s = game.start(seed)
        assert s.d[s.t.discard_size] == 0
        shown = max(shown, [s.d[s.t.display + k] for k in range(5)].count(loco))
    assert shown >= 3


@pytest.mark.rule("NO-2", "BASE-3")
def test_a_card_that_is_not_face_up_cannot_be_taken() -> None:
    p = table()
    assert refused(p, "take locomotive") == ("BASE-3", "not_on_display")


# --- NO-3: where locomotives serve --------------------------------------------------------------


@pytest.mark.rule("NO-3")
@pytest.mark.parametrize("route", ["helsinki-imatra red", "goteborg-norrkoping red"])
def test_locomotives_do_not_serve_on_an_ordinary_route(route: str) -> None:
    p = table()
    p.hand(0, red=2, locomotive=5)
    assert refused(p, f"claim {route}") == ("NO-3", "locomotives_not_here")


@pytest.mark.rule("NO-3", "BASE-7")
def test_without_locomotives_it_is_the_cards_that_are_too_few() -> None:
    p = table()
    p.hand(0, red=2)
    assert refused(p, "claim helsinki-imatra red") == ("BASE-7", "too_few_of_colour")


@pytest.mark.rule("NO-3")
def test_an_ordinary_route_is_paid_with_its_colour_alone() -> None:
    p = table()
    p.hand(0, red=4, locomotive=5)
    p.act("claim helsinki-imatra red")
    assert p.hand_of(0) == {"red": 1, "locomotive": 5}
    assert p.s.turn == 1


@pytest.mark.rule("NO-3")
def test_there_is_no_claim_with_locomotives_alone_but_on_ferries_and_tunnels() -> None:
    p = table()
    for route in p.game.board.routes:
        text = f"claim {p.game.route_text(route.index)} wild"
        if route.locomotives or route.tunnel or route.any_cards:
            parse_action(p.game, text)
        else:
            with pytest.raises(NotationError):
                parse_action(p.game, text)


@pytest.mark.rule("NO-3")
def test_locomotives_serve_on_ferries_and_in_tunnels() -> None:
    p = table()
    p.hand(0, locomotive=5)
    assert claims_on(p, FERRY) == ["wild"]
    assert claims_on(p, TUNNEL) == ["wild"]
    assert claims_on(p, GREEN_TUNNEL) == ["wild"]
    p.hand(0, green=1, locomotive=4)
    assert claims_on(p, GREEN_TUNNEL) == ["green"]


# --- NO-4: ferries ------------------------------------------------------------------------------


@pytest.mark.rule("NO-4")
def test_the_rulebooks_ferry_takes_a_locomotive_at_least_and_orange_for_the_rest() -> None:
    p = table()
    p.hand(0, orange=3, locomotive=3)
    found = {spent for spent in payments(p, FERRY) if sum(n for _, n in spent) == 3}
    assert found == {
        cards({"orange": 2, "locomotive": 1}),
        cards({"orange": 1, "locomotive": 2}),
        cards({"locomotive": 3}),
    }


@pytest.mark.rule("NO-4")
def test_a_ferry_is_not_paid_with_its_colour_alone() -> None:
    p = table()
    p.hand(0, orange=4)
    assert refused(p, f"claim {FERRY} orange") == ("NO-4", "ferry_sets")
    p.hand(0, orange=2, locomotive=1)
    p.act(f"claim {FERRY} orange")
    assert p.hand_of(0) == {}
    assert p.owner_of(FERRY) == 0


@pytest.mark.rule("NO-4")
def test_every_symbol_asks_for_a_locomotive() -> None:
    p = table()
    p.hand(0, red=4, locomotive=1)  # Mo i Rana–Trondheim by sea: six red, two symbols
    assert refused(p, "claim mo_i_rana-trondheim#2 red") == ("NO-4", "ferry_sets")
    p.hand(0, red=4, locomotive=2)
    p.act("claim mo_i_rana-trondheim#2 red")
    assert p.hand_of(0) == {}
    assert p.trains_of(0) == 34


@pytest.mark.rule("NO-4")
def test_another_colour_does_not_serve_on_a_ferrys_coloured_spaces() -> None:
    p = table()
    p.hand(0, red=3, locomotive=1)
    assert claims_on(p, FERRY) == []
    assert refused(p, f"claim {FERRY} orange") == ("NO-4", "ferry_sets")


@pytest.mark.rule("NO-4")
def test_any_three_cards_stand_for_a_ferrys_locomotive() -> None:
    p = table()
    p.hand(0, orange=2, red=1, blue=1, white=1)
    p.act(f"claim {FERRY} orange")
    assert p.owner_of(FERRY) == 0
    assert p.discards_of() == {"orange": 2, "red": 1, "blue": 1, "white": 1}
    assert p.trains_of(0) == 37


@pytest.mark.rule("NO-4")
def test_two_cards_do_not_stand_for_a_locomotive() -> None:
    p = table()
    p.hand(0, orange=2, red=1, blue=1)
    assert refused(p, f"claim {FERRY} orange") == ("NO-4", "ferry_sets")


@pytest.mark.rule("NO-4", "RU-5")
def test_the_three_cards_may_be_of_the_ferrys_own_colour() -> None:
    p = table()
    p.hand(0, orange=5)
    p.act(f"claim {FERRY} orange")
    assert p.hand_of(0) == {}
    assert p.owner_of(FERRY) == 0


@pytest.mark.rule("NO-4", "RU-5")
def test_the_three_cards_may_be_locomotives() -> None:
    p = table()
    p.hand(0, orange=2, locomotive=3)
    assert cards({"orange": 2, "locomotive": 3}) in payments(p, FERRY)


@pytest.mark.rule("NO-4", "RU-5")
def test_three_cards_may_stand_for_a_locomotive_on_a_coloured_space() -> None:
    p = table()
    p.hand(0, locomotive=1, orange=1, red=3)
    p.act(f"claim {FERRY} orange")
    assert p.hand_of(0) == {}
    p = table()
    p.hand(0, red=9)  # no orange and no locomotive at all
    assert claims_on(p, FERRY) == ["wild"]
    p.act(f"claim {FERRY} wild")
    assert p.hand_of(0) == {}
    assert p.owner_of(FERRY) == 0


@pytest.mark.rule("NO-4", "RU-5")
def test_the_player_chooses_which_cards_stand_for_a_locomotive() -> None:
    p = table()
    p.hand(0, orange=2, red=2, blue=2)
    p.act(f"claim {FERRY} orange")
    # Cards are named in the order of the colours: the two red ones need a blue one before them.
    assert p.s.phase == "substitute"
    assert p.s.d[p.t.laid + p.kind("blue")] == 1
    assert p.legal() == ["substitute blue", "substitute red"]
    p.act("substitute blue")
    assert p.hand_of(0) == {"red": 1}


@pytest.mark.rule("NO-4", "RU-5")
def test_no_card_of_a_set_is_played_twice() -> None:
    p = table()
    p.hand(0, orange=2, red=2, blue=2)
    p.act(f"claim {FERRY} orange")
    p.act("substitute red")
    assert p.hand_of(0) == {"blue": 1}
    assert p.discards_of() == {"orange": 2, "red": 2, "blue": 1}


@pytest.mark.rule("NO-4", "RU-5")
def test_a_substitute_that_is_not_in_the_hand_is_refused() -> None:
    p = table()
    p.hand(0, orange=2, red=2, blue=2)
    p.act(f"claim {FERRY} orange")
    assert refused(p, "substitute white") == ("RU-5", "substitute_not_held")
    assert refused(p, "substitute orange") == ("RU-5", "substitute_not_held")


@pytest.mark.rule("NO-4")
def test_a_ferry_of_one_space_takes_a_locomotive_or_three_cards() -> None:
    p = table()
    p.hand(0, red=3, locomotive=1)
    assert claims_on(p, "arhus-kobenhavn") == ["wild"]
    assert payments(p, "arhus-kobenhavn") == {
        cards({"locomotive": 1}),
        cards({"red": 3}),
        cards({"red": 2, "locomotive": 1}),
    }


@pytest.mark.rule("NO-4")
def test_a_colour_has_no_space_on_a_ferry_that_is_all_symbols() -> None:
    p = table()
    p.hand(0, red=3, locomotive=1)
    assert refused(p, "claim arhus-kobenhavn red")[0] == "NO-4"


@pytest.mark.rule("NO-4")
def test_a_gray_ferry_takes_any_one_colour_beside_the_locomotives() -> None:
    p = table()
    p.hand(0, red=1, blue=1, locomotive=1)
    assert claims_on(p, "alborg-goteborg") == ["blue", "red"]
    p.hand(0, red=1, blue=1)
    assert claims_on(p, "helsinki-stockholm") == []


@pytest.mark.rule("NO-4", "BASE-7")
def test_a_ferry_takes_as_many_trains_as_spaces_whatever_was_paid() -> None:
    p = table()
    p.hand(0, orange=2, red=3, locomotive=3)
    p.trains(0, 2)
    assert refused(p, f"claim {FERRY} orange") == ("BASE-7", "too_few_trains")
    assert refused(p, f"claim {FERRY} wild") == ("BASE-7", "too_few_trains")
    p.hand(0, orange=2, red=3)
    p.trains(0, 3)
    p.act(f"claim {FERRY} orange")
    assert p.trains_of(0) == 0


@pytest.mark.rule("NO-4")
def test_a_payment_with_too_few_locomotives_is_refused() -> None:
    p = table()
    p.hand(0, orange=3, locomotive=2, red=3)
    p.act(f"claim {FERRY} orange")
    assert "pay 1 sets 0" in p.legal()
    assert refused(p, "pay 0 sets 0")[1] == "payment_ferry"
    assert refused(p, "pay 0 sets 3")[1] == "payment_needs_colour"


def ferry_payments(
    hand: dict[str, int], length: int, symbols: int, colours: list[str]
) -> set[Cards]:
    """Every set of cards that pays for a ferry, from the words of the rule."""
    found = set()
    names = list(hand)
    for spent in product(*[range(hand[name] + 1) for name in names]):
        count = dict(zip(names, spent, strict=True))
        sets, odd = divmod(sum(spent) - length, 2)
        if odd or sets < 0 or sets > length:
            continue
        for colour in colours:
            for x in range(min(count.get(colour, 0), length - symbols) + 1):
                if 0 <= length - sets - x <= count["locomotive"]:
                    found.add(cards(count))
    return found


@pytest.mark.rule("NO-4", "RU-5", "BASE-7")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "route", [FERRY, "arhus-kobenhavn", "alborg-goteborg", "helsinki-stockholm", "alborg-oslo"]
)
def test_the_payments_of_a_ferry_are_exactly_those_of_the_rule(route: str, seed: int) -> None:
    rng = random.Random(seed)
    p = table()
    p.display()
    hand = {name: rng.randrange(5) for name in ("orange", "red", "white", "locomotive")}
    p.hand(0, **hand)
    r = p.game.board.routes[p.route(route)]
    colours = ["orange", "red", "white"]
    if r.colour >= 0:
        colours = [p.game.board.colours[r.colour]]
    expected = ferry_payments(hand, int(r.length), int(r.locomotives), colours)
    assert payments(p, route) == expected


# --- NO-5: tunnels ------------------------------------------------------------------------------


@pytest.mark.rule("NO-5")
def test_two_green_laid_and_one_green_turned_up_ask_for_one_more_green() -> None:
    p = table()
    p.hand(0, green=3)
    p.deck("green", "red", "blue")
    p.act(f"claim {TUNNEL} green")
    assert p.s.phase == "tunnel"
    assert p.legal() == ["back-off", "tunnel 0"]
    p.act("tunnel 0")
    assert p.owner_of(TUNNEL) == 0
    assert p.hand_of(0) == {}
    assert p.trains_of(0) == 38
    assert p.lines(0, "routes") == [(0, 2)]


@pytest.mark.rule("NO-5")
def test_two_green_laid_and_a_locomotive_turned_up_ask_for_one_more_green() -> None:
    p = table()
    p.hand(0, green=3)
    p.deck("red", "locomotive", "blue")
    p.act(f"claim {TUNNEL} green")
    assert p.legal() == ["back-off", "tunnel 0"]
    p.act("tunnel 0")
    assert p.owner_of(TUNNEL) == 0
    assert p.hand_of(0) == {}


@pytest.mark.rule("NO-5")
def test_what_is_due_can_be_paid_with_a_locomotive() -> None:
    p = table()
    p.hand(0, green=3, locomotive=1)
    p.deck("red", "locomotive", "blue")
    p.act(f"claim {TUNNEL} green")
    p.act("pay 0 sets 0")
    assert p.legal() == ["back-off", "tunnel 0", "tunnel 1"]
    p.act("tunnel 1")
    assert p.hand_of(0) == {"green": 1}
    assert p.owner_of(TUNNEL) == 0


@pytest.mark.rule("NO-5")
def test_two_locomotives_laid_and_one_turned_up_ask_for_one_more_locomotive() -> None:
    p = table()
    p.hand(0, locomotive=3, green=5)
    p.deck("green", "locomotive", "green")
    p.act(f"claim {TUNNEL} wild")
    assert p.legal() == ["back-off", "tunnel 1"]  # green counts neither as due nor as payment
    p.act("tunnel 1")
    assert p.hand_of(0) == {"green": 5}
    assert p.owner_of(TUNNEL) == 0


@pytest.mark.rule("NO-5")
def test_colours_do_not_count_against_locomotives_alone() -> None:
    p = table()
    p.hand(0, locomotive=2)
    p.deck("green", "green", "green")
    p.act(f"claim {TUNNEL} wild")
    assert p.owner_of(TUNNEL) == 0
    assert p.s.turn == 1


@pytest.mark.rule("NO-5")
def test_who_laid_locomotives_alone_cannot_pay_with_the_colour() -> None:
    p = table()
    p.hand(0, locomotive=2, green=5)
    p.deck("locomotive", "red", "red")
    p.act(f"claim {TUNNEL} wild")
    assert p.legal() == ["back-off"]
    assert refused(p, "tunnel 0") == ("NO-5", "tunnel_locomotives")
    p.act("back-off")
    assert p.hand_of(0) == {"locomotive": 2, "green": 5}


@pytest.mark.rule("NO-5")
def test_colours_count_if_a_single_card_of_the_colour_was_laid() -> None:
    p = table()
    p.hand(0, green=1, locomotive=4)
    p.deck("green", "locomotive", "green")
    p.act(f"claim {TUNNEL} green")
    assert p.legal() == ["back-off", "tunnel 3"]
    p.act("tunnel 3")
    assert p.hand_of(0) == {}


@pytest.mark.rule("NO-5")
def test_nothing_is_due_if_no_card_matches() -> None:
    p = table()
    p.hand(0, green=2)
    p.deck("red", "blue", "white")
    p.act(f"claim {TUNNEL} green")
    assert p.owner_of(TUNNEL) == 0
    assert p.s.turn == 1
    assert p.discards_of() == {"green": 2, "red": 1, "blue": 1, "white": 1}


@pytest.mark.rule("NO-5")
def test_every_split_of_what_is_due_is_offered() -> None:
    p = table()
    p.hand(0, green=5, locomotive=3)
    p.deck("green", "locomotive", "green")
    p.act(f"claim {TUNNEL} green")
    p.act("pay 0 sets 0")
    assert p.legal() == ["back-off", "tunnel 0", "tunnel 1", "tunnel 2", "tunnel 3"]
    p.act("tunnel 2")
    assert p.hand_of(0) == {"green": 2, "locomotive": 1}


@pytest.mark.rule("NO-5", "RU-6")
def test_what_is_due_cannot_be_paid_in_part() -> None:
    p = table()
    p.hand(0, green=3)
    p.deck("green", "locomotive", "red")
    p.act(f"claim {TUNNEL} green")
    assert p.legal() == ["back-off"]
    assert refused(p, "tunnel 0") == ("NO-5", "tunnel_payment")
    assert refused(p, "tunnel 1") == ("NO-5", "tunnel_payment")


@pytest.mark.rule("NO-5")
def test_who_backs_off_takes_the_cards_back_and_the_turn_is_over() -> None:
    p = table(log=True)
    p.hand(0, green=4, locomotive=1)
    p.deck("green", "red", "blue")
    p.act(f"claim {TUNNEL} green")
    p.act("pay 1 sets 0")
    p.act("back-off")
    assert p.hand_of(0) == {"green": 4, "locomotive": 1}
    assert p.trains_of(0) == 40
    assert p.owner_of(TUNNEL) == -1
    assert p.s.to_act == (1,)
    assert p.s.phase == "turn"
    assert p.discards_of() == {"green": 1, "red": 1, "blue": 1}


@pytest.mark.rule("NO-5")
def test_a_tunnel_that_was_given_up_can_be_tried_again() -> None:
    p = table()
    p.hand(0, green=2)
    p.deck("green", "red", "blue")
    p.act(f"claim {TUNNEL} green")
    p.act("back-off")
    p.end_turn()
    p.deck("red", "red", "blue")
    p.act(f"claim {TUNNEL} green")
    assert p.owner_of(TUNNEL) == 0


@pytest.mark.rule("NO-5")
def test_the_cards_turned_up_are_discarded_at_the_end_of_the_turn() -> None:
    p = table(log=True)
    p.hand(0, green=3)
    p.deck("green", "red", "blue")
    p.act(f"claim {TUNNEL} green")
    assert p.discards_of() == {}
    revealed = p.field("revealed")
    shown = {p.game.card_name(k): p.s.d[revealed + k] for k in range(p.t.kinds)}
    assert cards(shown) == cards({"green": 1, "red": 1, "blue": 1})
    p.act("tunnel 0")
    assert p.discards_of() == {"green": 4, "red": 1, "blue": 1}
    assert all(p.s.d[revealed + k] == 0 for k in range(p.t.kinds))


@pytest.mark.rule("NO-5", "RU-6")
def test_the_question_is_asked_even_of_a_player_who_cannot_pay() -> None:
    p = table()
    p.hand(0, green=2)
    p.deck("green", "red", "blue")
    p.act(f"claim {TUNNEL} green")
    assert p.s.phase == "tunnel"
    assert p.legal() == ["back-off"]


@pytest.mark.rule("NO-5", "BASE-10")
def test_a_tunnel_takes_as_many_trains_as_spaces_whatever_was_paid() -> None:
    p = table()
    p.hand(0, green=5)
    p.trains(0, 2)
    p.deck("green", "green", "green")
    p.act(f"claim {TUNNEL} green")
    p.act("tunnel 0")
    assert p.trains_of(0) == 0
    assert p.hand_of(0) == {}


@pytest.mark.rule("NO-5", "BASE-6")
def test_the_discards_are_shuffled_in_when_the_deck_ends_inside_a_tunnel() -> None:
    p = table()
    p.hand(0, green=4)
    p.discards(green=2)
    p.only_deck("red")
    p.act(f"claim {TUNNEL} green")
    assert p.legal() == ["back-off", "tunnel 0"]
    p.act("tunnel 0")
    assert p.hand_of(0) == {}
    assert p.discards_of() == {"green": 6, "red": 1}


@pytest.mark.rule("NO-5")
def test_the_cards_laid_down_are_not_shuffled_into_a_deck_that_ends() -> None:
    p = table()
    p.hand(0, green=2)
    p.only_deck("red")
    p.act(f"claim {TUNNEL} green")
    assert p.owner_of(TUNNEL) == 0
    assert p.discards_of() == {"green": 2, "red": 1}


@pytest.mark.rule("NO-5")
def test_no_ordinary_route_and_no_ferry_turns_up_cards() -> None:
    for route, colour in (("orebro-oslo", "green"), (FERRY, "orange")):
        p = table(log=True)
        p.hand(0, **{colour: 2}, locomotive=1)
        p.act(f"claim {route} {colour}")
        assert p.owner_of(route) == 0
        assert "TunnelCardTurnedUp" not in p.event_names()


@pytest.mark.rule("NO-5", "RU-15")
def test_everyone_has_seen_the_cards_that_were_laid_down_and_taken_back() -> None:
    p = table()
    p.hand(0, green=3, red=4)
    p.deck("green", "blue", "blue")
    p.act(f"claim {TUNNEL} green")
    p.act("back-off")
    assert p.known_of(0) == {"green": 2}


# --- NO-6: Murmansk–Lieksa ----------------------------------------------------------------------

LONG = "lieksa-murmansk"


@pytest.mark.rule("NO-6")
def test_seven_green_and_eight_others_pay_for_murmansk_lieksa() -> None:
    p = table()
    p.hand(0, green=7, red=3, blue=2, white=1, locomotive=2)
    p.act(f"claim {LONG} green")
    assert p.owner_of(LONG) == 0
    assert p.hand_of(0) == {}
    assert p.trains_of(0) == 31
    assert p.lines(0, "routes") == [(0, 27)]


@pytest.mark.rule("NO-6")
def test_nine_of_one_colour_pay_for_murmansk_lieksa() -> None:
    p = table()
    p.hand(0, green=9)
    p.act(f"claim {LONG} green")
    assert p.owner_of(LONG) == 0


@pytest.mark.rule("NO-6")
def test_seven_others_do_not_stand_for_two_cards() -> None:
    p = table()
    p.hand(0, green=7, red=7)
    assert claims_on(p, LONG) == []
    assert refused(p, f"claim {LONG} green") == ("NO-6", "too_few_with_sets")


@pytest.mark.rule("NO-6", "NO-3")
def test_a_single_locomotive_is_no_card_of_the_colour() -> None:
    p = table()
    p.hand(0, green=8, locomotive=1)
    assert refused(p, f"claim {LONG} green") == ("NO-6", "too_few_with_sets")


@pytest.mark.rule("NO-6")
def test_four_locomotives_stand_for_one_card() -> None:
    p = table()
    p.hand(0, green=8, locomotive=4)
    p.act(f"claim {LONG} green")
    assert p.hand_of(0) == {}
    assert p.owner_of(LONG) == 0


@pytest.mark.rule("NO-6", "RU-5")
def test_four_cards_of_the_colour_itself_may_stand_for_one() -> None:
    p = table()
    p.hand(0, green=12)
    assert payments(p, LONG) == {cards({"green": 9}), cards({"green": 12})}


@pytest.mark.rule("NO-6")
def test_the_player_chooses_how_many_sets_to_play_and_of_which_cards() -> None:
    p = table()
    p.hand(0, green=9, red=4, blue=1)
    p.act(f"claim {LONG} green")
    assert p.legal() == ["pay 0 sets 0", "pay 0 sets 1"]
    p.act("pay 0 sets 1")
    assert p.legal() == ["substitute blue", "substitute green", "substitute red"]
    p.act("substitute red")  # then all four are red: green would have come before
    assert p.hand_of(0) == {"green": 1, "blue": 1}


@pytest.mark.rule("NO-6", "RU-5")
@pytest.mark.parametrize(
    "hand",
    [
        {"green": 8, "red": 5, "locomotive": 2},
        {"green": 7, "red": 7, "blue": 2},
        {"green": 10, "red": 10},
        {"green": 6, "red": 6, "locomotive": 7},
    ],
)
def test_the_payments_of_murmansk_lieksa_are_exactly_those_of_the_rule(
    hand: dict[str, int],
) -> None:
    p = table()
    p.display()
    p.hand(0, **hand)
    expected = set()
    for spent in product(*[range(n + 1) for n in hand.values()]):
        count = dict(zip(hand, spent, strict=True))
        sets, odd = divmod(sum(spent) - 9, 3)
        most = max(count.get(colour, 0) for colour in ("green", "red", "blue"))
        if not odd and 0 <= sets <= 9 and most >= 9 - sets:
            expected.add(cards(count))
    assert payments(p, LONG) == expected


@pytest.mark.rule("NO-6")
def test_four_for_one_serves_on_no_other_route() -> None:
    p = table()
    p.hand(0, green=1, red=4, blue=4, white=4)
    assert refused(p, "claim orebro-oslo green") == ("BASE-7", "too_few_of_colour")
    assert refused(p, "claim kuopio-oulu green") == ("BASE-7", "too_few_of_colour")


@pytest.mark.rule("NO-6")
def test_sets_alone_that_do_not_suffice_are_refused() -> None:
    p = table()
    p.hand(0, red=5, blue=5)
    assert refused(p, f"claim {LONG} wild")[1] == "too_few_sets"


# --- NO-7: double routes ------------------------------------------------------------------------


@pytest.mark.rule("NO-7")
def test_with_two_players_only_one_of_a_pair_can_be_used() -> None:
    p = table(2)
    p.hand(0, green=2)
    p.hand(1, yellow=2)
    p.act("claim orebro-oslo green")
    assert refused(p, "claim orebro-oslo#2 yellow") == ("NO-7", "double_closed")


@pytest.mark.rule("NO-7")
def test_with_three_players_another_one_may_claim_the_second() -> None:
    p = table(3)
    p.hand(0, green=2)
    p.hand(1, yellow=2)
    p.act("claim orebro-oslo green")
    p.act("claim orebro-oslo#2 yellow")
    assert (p.owner_of("orebro-oslo"), p.owner_of("orebro-oslo#2")) == (0, 1)


@pytest.mark.rule("NO-7")
def test_nobody_owns_both_routes_of_a_pair() -> None:
    p = table(3)
    p.own(0, "orebro-oslo")
    p.hand(0, yellow=2)
    assert refused(p, "claim orebro-oslo#2 yellow") == ("NO-7", "double_both")


@pytest.mark.rule("NO-7")
@pytest.mark.parametrize("pair", ["kristiansand-stavanger", "mo_i_rana-trondheim"])
def test_the_two_pairs_of_unequal_length_are_doubles(pair: str) -> None:
    board = Game("nordic", 2).board
    p = table(3)
    first, second = p.route(pair), p.route(f"{pair}#2")
    assert board.routes[first].twin == second
    assert board.routes[first].length != board.routes[second].length
    p.own(0, pair)
    p.hand(0, orange=6, red=6, locomotive=3)
    assert refused(p, f"claim {pair}#2 wild") == ("NO-7", "double_both")
    p = table(3)
    p.own(0, f"{pair}#2")
    p.hand(0, green=5)
    assert refused(p, f"claim {pair} green") == ("NO-7", "double_both")


@pytest.mark.rule("NO-7")
def test_a_ferry_closes_the_tunnel_beside_it_and_the_tunnel_the_ferry() -> None:
    p = table(2)
    p.hand(0, orange=2, locomotive=1)
    p.hand(1, green=2)
    p.act(f"claim {FERRY} orange")
    assert refused(p, f"claim {TUNNEL} green") == ("NO-7", "double_closed")
    p = table(2)
    p.hand(0, green=2)
    p.hand(1, orange=2, locomotive=1)
    p.deck("red", "red", "red")
    p.act(f"claim {TUNNEL} green")
    assert refused(p, f"claim {FERRY} orange") == ("NO-7", "double_closed")


@pytest.mark.rule("NO-7", "NO-5")
def test_a_tunnel_that_was_given_up_closes_nothing() -> None:
    p = table(2)
    p.hand(0, green=2)
    p.deck("green", "red", "red")
    p.act(f"claim {TUNNEL} green")
    p.act("back-off")
    assert p.s.d[p.t.owner + p.route(FERRY)] == 0


@pytest.mark.rule("NO-7")
def test_every_pair_closes_with_two_players_and_none_with_three() -> None:
    for seats in (2, 3):
        game = Game("nordic", seats)
        pairs = [r for r in game.board.routes if r.twin > r.index and not r.tunnel]
        for r in pairs:
            p = table(seats)
            text = game.route_text(r.index)
            colour = "red" if r.colour < 0 else game.board.colours[r.colour]
            p.display()
            p.hand(0, **{colour: int(r.length - r.locomotives)}, locomotive=int(r.locomotives))
            p.act(f"claim {text} {colour}")
            assert p.owner_of(text) == 0
            assert (p.s.d[p.t.owner + r.twin] == CLOSED) == (seats == 2)


# --- NO-8: no cards anywhere --------------------------------------------------------------------


@pytest.mark.rule("NO-8")
def test_no_cards_can_be_drawn_when_deck_and_discards_are_empty() -> None:
    p = table()
    p.hand(0, green=2)
    p.only_deck()
    assert p.display_cards() == list(PLAIN)
    assert refused(p, "draw") == ("NO-8", "deck_empty_no_draw")
    assert refused(p, "take pink") == ("NO-8", "deck_empty_no_draw")
    assert {text.split()[0] for text in p.legal()} == {"claim", "tickets"}


@pytest.mark.rule("NO-8")
def test_cards_can_be_drawn_while_there_are_discards() -> None:
    p = table()
    p.discards(red=1)
    p.only_deck()
    p.act("take pink")
    assert p.display_cards()[0] == "red"
    assert p.s.turn == 0


@pytest.mark.rule("NO-8", "RU-2")
def test_a_draw_that_takes_the_last_card_of_the_deck_goes_on_from_the_display() -> None:
    p = table()
    p.only_deck("red")
    p.act("draw")
    assert p.s.turn == 0
    p.act("take pink")
    assert p.hand_of(0) == {"red": 1, "pink": 1}
    assert p.s.turn == 1


@pytest.mark.rule("NO-8", "BASE-3")
def test_in_the_middle_of_a_draw_an_empty_deck_is_no_reason_to_refuse_the_display() -> None:
    p = table()
    p.only_deck("red")
    p.act("draw")
    assert refused(p, "take green") == ("BASE-3", "not_on_display")


@pytest.mark.rule("NO-8")
def test_a_claim_brings_cards_back_into_the_game() -> None:
    p = table()
    p.hand(0, green=2)
    p.only_deck()
    p.act("claim orebro-oslo green")
    assert "draw" in p.legal()


# --- NO-9: scores -------------------------------------------------------------------------------


def join_oslo_and_stockholm(p: Position, seat: int) -> None:
    p.tickets(seat, "oslo-stockholm")
    p.own(seat, "orebro-oslo", "orebro-stockholm")


@pytest.mark.rule("NO-9")
def test_the_most_completed_tickets_bring_ten_points() -> None:
    p = table(3)
    join_oslo_and_stockholm(p, 1)
    p.tickets(0, "oslo-kobenhavn", "bergen-narvik", "bergen-tornio")  # held, not completed
    assert p.lines(1, "globetrotter") == [(1, 10)]
    assert p.lines(0, "globetrotter") == p.lines(2, "globetrotter") == []
    line = next(line for line in p.s.outcome.lines[1] if line.what == "globetrotter")
    assert line.rule == "NO-9"


@pytest.mark.rule("NO-9")
def test_it_is_the_number_of_tickets_that_counts_not_their_points() -> None:
    p = table(2)
    p.tickets(0, "tampere-tallinn", "helsinki-lieksa")
    p.own(0, "helsinki-tampere", "helsinki-tallinn", "helsinki-lahti", "kuopio-lahti")
    p.own(0, "kuopio-lieksa")
    p.tickets(1, "stavanger-rovaniemi")
    way = "kristiansand-stavanger kristiansand-oslo orebro-oslo orebro-sundsvall sundsvall-umea"
    p.own(1, *way.split(), "boden-umea", "boden-tornio", "rovaniemi-tornio")
    assert p.s.outcome.tickets == [2, 1]
    assert p.lines(0, "globetrotter") == [(2, 10)]
    assert p.lines(1, "globetrotter") == []


@pytest.mark.rule("NO-9")
def test_all_who_tie_for_the_most_tickets_have_the_ten_points() -> None:
    p = table(3)
    join_oslo_and_stockholm(p, 0)
    p.tickets(2, "tampere-tallinn")
    p.own(2, "helsinki-tampere", "helsinki-tallinn")
    assert p.lines(0, "globetrotter") == p.lines(2, "globetrotter") == [(1, 10)]
    assert p.lines(1, "globetrotter") == []


@pytest.mark.rule("NO-9")
def test_there_is_no_bonus_for_the_longest_path() -> None:
    p = table()
    join_oslo_and_stockholm(p, 0)
    assert p.lines(0, "longest_path") == p.lines(1, "longest_path") == []


@pytest.mark.rule("NO-9", "BASE-12")
def test_a_tie_goes_to_more_tickets_before_the_longest_path() -> None:
    p = table(3)
    join_oslo_and_stockholm(p, 1)
    p.own(0, "kirkenes-rovaniemi", "kirkenes-murmansk")
    level(p)
    assert p.s.outcome.winners == [1]


@pytest.mark.rule("NO-9", "BASE-12", "BASE-14")
def test_a_tie_in_tickets_goes_to_the_longest_path() -> None:
    p = table(3)
    p.own(0, "kirkenes-rovaniemi")  # 5
    p.own(1, "kirkenes-murmansk", "honningsvag-kirkenes", "helsinki-tampere")  # 3 + 2, 1 apart
    p.own(2, "orebro-oslo", "orebro-stockholm", "norrkoping-stockholm", "norrkoping-orebro")  # 7
    level(p)
    assert p.s.outcome.winners == [2]


@pytest.mark.rule("NO-9", "BASE-12")
def test_a_tie_in_everything_is_a_shared_victory() -> None:
    p = table(3)
    p.own(0, "kirkenes-rovaniemi")  # 5
    p.own(1, "kirkenes-murmansk", "honningsvag-kirkenes")  # 3 + 2
    p.own(2, "kajaani-oulu")  # 2
    level(p)
    assert p.s.outcome.winners == [0, 1]
