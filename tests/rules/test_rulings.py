"""The rulings where the books are silent (RU-1 to RU-16)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from branchline import Game, State
from branchline.core.mapfile import board_from_data, load_board
from branchline.engine.errors import SeatsError
from branchline.engine.layout import HELD
from branchline.engine.view import View
from branchline.rules.cards.deck import MOST_RESETS
from positions import Position
from rules.helpers_expansion import (
    COLOURS,
    DRAFT,
    act,
    code,
    draft_due,
    draft_over,
    fiesta,
    fiestas_of,
    finish_draft,
    give_fiestas,
    happened,
    held,
    hoard,
    lay_out,
    only,
    pick_all,
    picked,
    piles,
    put_on_mat,
    seen_by,
    spend,
    stack,
    train_cards,
)

ALL_BOARDS = ("iberia", "south_korea", "new_york", "nordic", "usa", "europe")
WITH_RESET = ("iberia", "south_korea", "usa", "europe")


def stays(p: Position) -> int:
    """Why the display stays although it shows too many locomotives; 0: it doesn't."""
    return int(p.s.d[p.field("display_stays")])


def stayed_events(p: Position, since: int) -> list[dict[str, object]]:
    return [f for name, _, f in seen_by(p.s, -1, since) if name == "DisplayStayed"]


def shown(p: Position) -> Counter[str]:
    return Counter(card for card in p.display_cards() if card)


def all_routes_taken(p: Position, but: tuple[str, ...] = ()) -> None:
    """Let the seats own every route in turn, so that nobody can claim any (trains untouched)."""
    for r in range(p.t.routes):
        text = p.game.route_text(r)
        if text not in but:
            p.own(r % p.game.seats, text, count_trains=False)


def stuck_with_locomotives(seed: int = 1) -> Position:
    """Seat 1 is to play; the display shows three locomotives and two red cards, and stays."""
    p = Position("south_korea", 2, seed, log=True)
    p.hands_empty()
    p.discards()
    p.display("locomotive", "locomotive", "red", "red", "blue")
    p.only_deck("green", "locomotive")
    p.act("draw")
    p.act("take blue")
    assert shown(p) == {"locomotive": 3, "red": 2}
    assert (stays(p), p.s.turn) == (2, 1)
    return p


# --- RU-1 -------------------------------------------------------------------------------------


@pytest.mark.rule("RU-1", "BASE-5")
@pytest.mark.parametrize("board", WITH_RESET)
def test_a_display_is_replaced_as_often_as_it_takes(board: str) -> None:
    p = Position(board, 2, log=True)
    p.hands_empty()
    p.display("locomotive", "locomotive", "red", "blue", "green")
    three = ["locomotive", "locomotive", "locomotive"]
    fives = [*three, "pink", "pink", *three, "blue", "blue", *three, "white", "white"]
    p.deck("locomotive", *fives, "black", "black", "red", "red", "locomotive")
    before = len(p.s.events)
    p.act("take red")
    assert happened(p, before, "DisplayReset") == ["DisplayReset"] * 4
    assert stayed_events(p, before) == []
    assert shown(p) == {"black": 2, "red": 2, "locomotive": 1}
    assert train_cards(p.s) == 110


@pytest.mark.rule("RU-1", "BASE-6")
@pytest.mark.parametrize("seed", range(20))
def test_two_fives_with_three_locomotives_each_do_not_take_turns_for_ever(seed: int) -> None:
    p = Position("usa", 2, seed, log=True)
    p.hands_empty()
    p.discards()
    p.display("locomotive", "locomotive", "red", "red", "blue")
    p.only_deck("locomotive", "locomotive", "locomotive", "locomotive", "green", "green")
    p.act("take blue")  # ten cards are left, six of them locomotives
    assert shown(p)["locomotive"] < 3
    assert sum(shown(p).values()) == 5
    assert stays(p) == 0


@pytest.mark.rule("RU-1")
def test_a_deck_of_almost_nothing_but_locomotives_does_not_replace_displays_for_ever() -> None:
    data: dict[str, Any] = dict(load_board("usa").source)
    new = {"deck": {"per_colour": 1, "locomotives": 200}, "locomotive_reset": {"at": 1}}
    data["rules"] = [rule | new.get(rule["rule"], {}) for rule in data["rules"]]
    state = Game(board_from_data(data | {"id": "wild"}, "wild"), 2).start(seed=1, log=True)
    told = Counter(event.kind.name for event in state.events)
    assert told["DisplayReset"] == MOST_RESETS
    assert told["DisplayStayed"] >= 1


@pytest.mark.rule("RU-1")
def test_each_card_that_is_put_on_a_display_which_stays_is_told() -> None:
    p = stuck_with_locomotives()
    p.only_deck("locomotive", "white", "locomotive", "locomotive")
    before = len(p.s.events)
    p.act("take red")
    p.act("take red")
    assert happened(p, before, "DisplayFilled", "DisplayReset", "DisplayStayed") == [
        "DisplayFilled", "DisplayStayed", "DisplayFilled", "DisplayStayed",
    ]  # fmt: skip
    assert stayed_events(p, before) == [{"reason": 2}] * 2


@pytest.mark.rule("RU-1")
@pytest.mark.parametrize("seed", range(8))
def test_a_reset_that_discards_make_possible_is_held_when_the_turn_ends(seed: int) -> None:
    p = stuck_with_locomotives(seed)
    p.hand(1, white=3)
    p.only_deck("locomotive")
    before = len(p.s.events)
    p.act("claim namwon-jinju white")
    p.act("mat none")
    told = p.event_names()[before:]
    assert "DisplayReset" in told
    assert told.index("DisplayReset") < told.index("TurnBegan")
    assert shown(p)["locomotive"] < 3


@pytest.mark.rule("RU-1", "BASE-5")
def test_two_replacements_in_a_row_leave_no_trace() -> None:
    p = Position("usa", 2, log=True)
    p.hands_empty()
    p.display("locomotive", "locomotive", "red", "blue", "green")
    three = ["locomotive", "locomotive", "locomotive"]
    p.deck("locomotive", *three, "pink", "pink", "red", "blue", "white", "locomotive", "black")
    before = len(p.s.events)
    p.act("take red")
    assert happened(p, before, "DisplayReset") == ["DisplayReset"] * 2
    assert stayed_events(p, before) == []
    assert p.display_cards() == ["red", "blue", "white", "locomotive", "black"]


@pytest.mark.rule("RU-1", "RU-2")
def test_without_enough_other_cards_the_display_stays_and_all_hear_why() -> None:
    p = Position("iberia", 2, log=True)
    p.display("locomotive", "locomotive", "red", "green", "blue")
    hoard(p)
    only(p, "locomotive")
    before = len(p.s.events)
    p.act("take blue")
    assert happened(p, before, "DisplayReset") == []
    assert stayed_events(p, before) == [{"reason": 2}]
    assert shown(p) == {"locomotive": 3, "red": 1, "green": 1}


@pytest.mark.rule("RU-1")
def test_exactly_enough_other_cards_set_off_the_replacement() -> None:
    p = Position("usa", 2, log=True)
    p.hands_empty()
    p.discards()
    p.display("locomotive", "locomotive", "red", "red", "blue")
    p.only_deck("locomotive", "white", "locomotive", "red", "locomotive", "green")
    before = len(p.s.events)
    p.act("take blue")  # red, red, white, red and green are left, and five locomotives
    assert "DisplayReset" in p.event_names()[before:]
    assert shown(p) == {"white": 1, "locomotive": 2, "red": 1, "green": 1}


@pytest.mark.rule("RU-1")
def test_other_cards_in_the_discards_count_as_well() -> None:
    p = Position("usa", 2, log=True)
    p.hands_empty()
    p.discards(green=6)
    p.display("locomotive", "locomotive", "red", "red", "blue")
    p.only_deck("locomotive")
    before = len(p.s.events)
    p.act("take blue")
    assert "DisplayReset" in p.event_names()[before:]


@pytest.mark.rule("RU-1")
def test_festival_cards_in_the_deck_are_no_other_cards() -> None:
    p = Position("iberia", 2, log=True)
    p.display("locomotive", "locomotive", "red", "green", "blue")
    hoard(p)
    only(p, "locomotive", fiesta("sevilla"), fiesta("sevilla"), DRAFT, fiesta("madrid"))
    before = len(p.s.events)
    p.act("take blue")
    assert happened(p, before, "DisplayReset", "FestivalCardPlaced") == []
    assert stays(p) == 2


@pytest.mark.rule("RU-1")
def test_a_short_display_is_replaced_only_if_it_could_show_fewer_locomotives() -> None:
    p = Position("usa", 2, log=True)
    p.hands_empty()
    p.discards()
    p.display("locomotive", "locomotive", "red")
    p.only_deck("locomotive")
    p.act("take red")
    assert shown(p) == {"locomotive": 3}
    assert stays(p) == 2


@pytest.mark.rule("RU-1")
def test_the_replacement_is_made_up_for_when_cards_come_back() -> None:
    p = stuck_with_locomotives()
    p.hand(1, white=3)
    p.only_deck()
    before = len(p.s.events)
    p.act("claim namwon-jinju white")
    p.act("mat none")
    assert "DisplayReset" in p.event_names()[before:]
    assert sum(shown(p).values()) == 5
    assert p.s.turn == 0


@pytest.mark.rule("RU-1")
def test_the_display_stays_as_long_as_no_cards_come_back() -> None:
    p = stuck_with_locomotives()
    p.only_deck("pink", "locomotive", "locomotive")
    before = len(p.s.events)
    p.act("draw")
    p.act("draw")
    assert happened(p, before, "DisplayReset") == []
    assert stays(p) == 2


@pytest.mark.rule("RU-1", "BASE-5")
def test_a_display_that_shows_two_locomotives_again_is_left_alone() -> None:
    p = stuck_with_locomotives()
    before = len(p.s.events)
    p.act("take locomotive")
    assert happened(p, before, "DisplayReset", "DeckShuffled") == []
    assert shown(p) == {"locomotive": 2, "red": 2}
    assert stays(p) == 0


# --- RU-2 -------------------------------------------------------------------------------------


@pytest.mark.rule("RU-2")
def test_a_display_without_cards_to_fill_it_holds_what_there_is() -> None:
    p = Position("iberia", 2)
    p.display("red", "blue", "green", "white", "black")
    hoard(p)
    p.act("take red")
    assert p.display_cards() == ["", "blue", "green", "white", "black"]
    p.act("take white")
    assert p.display_cards() == ["", "blue", "green", "", "black"]
    assert p.s.turn == 1


@pytest.mark.rule("RU-2")
def test_a_draw_without_a_second_card_ends_after_the_first() -> None:
    p = Position("iberia", 2)
    p.display("red")
    hoard(p, {"green": 1})
    p.act("take red")
    assert p.display_cards() == [""] * 5
    assert p.s.turn == 1


@pytest.mark.rule("RU-2")
def test_a_blind_draw_without_a_second_card_ends_after_the_first() -> None:
    p = Position("iberia", 2)
    p.display()
    hoard(p, {"green": 1})
    p.hand(0, red=1)
    only(p, "blue")
    p.act("draw")
    assert p.hand_of(0) == {"red": 1, "blue": 1}
    assert p.s.turn == 1


@pytest.mark.rule("RU-2", "BASE-4")
def test_a_lone_face_up_locomotive_is_no_second_card() -> None:
    p = Position("iberia", 2)
    p.display("red", "locomotive")
    hoard(p, {"green": 3})
    p.act("take red")
    assert shown(p) == {"locomotive": 1}
    assert p.s.turn == 1


@pytest.mark.rule("RU-2", "BASE-6")
def test_with_deck_and_discards_empty_a_blind_draw_is_refused() -> None:
    p = Position("iberia", 2)
    p.display("red", "blue")
    hoard(p)
    refusal = p.why_not("draw")
    assert (refusal.rule, refusal.reason) == ("BASE-6", "deck_empty")


@pytest.mark.rule("RU-2")
def test_the_display_is_filled_when_the_turn_that_discards_ends() -> None:
    p = Position("iberia", 2)
    p.display("red", "blue")
    hoard(p, {"green": 3})
    p.act("take red")  # and blue, the only second card
    assert shown(p) == {}
    p.act("claim france-barcelona#2 green")
    assert shown(p) == {"green": 3}
    assert p.discards_of() == {}
    assert p.s.turn == 0


@pytest.mark.rule("RU-2")
def test_a_half_empty_display_is_filled_up_to_five_cards() -> None:
    p = Position("iberia", 2)
    p.display("red", "blue", "white")
    hoard(p, {"yellow": 4})
    p.act("take red")
    p.act("take blue")
    p.act("claim coimbra-salamanca yellow")
    assert shown(p) == {"white": 1, "yellow": 4}
    assert p.deck_codes() == []


@pytest.mark.rule("RU-2")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_the_display_is_full_again_before_the_next_turn_whenever_there_are_cards(
    board: str,
) -> None:
    p = Position(board, 2)
    p.display("red", "blue")
    p.act("take red")
    p.act("draw")
    assert sum(shown(p).values()) == 5


@pytest.mark.rule("RU-2", "RU-4")
def test_the_cards_of_a_tunnel_fill_the_display_when_the_turn_ends() -> None:
    p = Position("nordic", 2)
    p.hands_empty()
    p.discards()
    p.display("red")
    p.hand(0, pink=2)
    p.only_deck("white", "blue", "green")
    p.act("claim lillehammer-oslo pink")
    assert p.owner_of("lillehammer-oslo") == 0
    assert sum(shown(p).values()) == 5  # of red, the three and the two that were played
    assert p.s.turn == 1


# --- RU-3 -------------------------------------------------------------------------------------


@pytest.mark.rule("RU-3")
def test_when_all_pass_in_a_row_the_game_ends_and_is_scored() -> None:
    p = Position("iberia", 3, log=True)
    p.display("red")
    hoard(p, {"green": 1}, {"green": 1})
    all_routes_taken(p)
    before = len(p.s.events)
    p.act("take red")  # the last card that anyone can take
    assert p.s.over
    assert happened(p, before, "Passed", "GameEnded") == ["Passed"] * 3 + ["GameEnded"]
    assert [e.seat for e in p.s.events[before:] if e.kind.name == "Passed"] == [1, 2, 0]
    assert len(p.s.outcome.scores) == 3
    assert p.why_not("draw", 1).reason == "game_over"


@pytest.mark.rule("RU-3")
def test_one_pass_is_not_the_end_while_another_can_act() -> None:
    p = Position("iberia", 3, log=True)
    p.display("red")
    hoard(p, {"green": 1}, {"yellow": 1, "locomotive": 1})
    all_routes_taken(p, but=("leon-valladolid",))
    before = len(p.s.events)
    p.act("take red")
    assert happened(p, before, "Passed") == ["Passed"]  # seat 1 has no card for the last route
    assert (p.s.phase, p.s.to_act) == ("turn", (2,))


@pytest.mark.rule("RU-3")
def test_passes_count_only_in_a_row() -> None:
    p = Position("iberia", 2, log=True)
    p.display("red")
    hoard(p, {"green": 1})
    all_routes_taken(p, but=("leon-valladolid",))
    p.act("take red")  # seat 1 passes, seat 0 can still claim
    assert p.s.to_act == (0,)
    before = len(p.s.events)
    p.act("claim leon-valladolid yellow")  # its card is all that seat 1 can take
    passed = [int(e.seat) for e in p.s.events[before:] if e.kind.name == "Passed"]
    assert passed == [0, 1]
    assert p.hand_of(1) == {"green": 1, "yellow": 1}
    assert p.s.over


@pytest.mark.rule("RU-3")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_passing_is_refused_to_a_player_who_can_act(board: str) -> None:
    p = Position(board, 2)
    assert "pass" not in p.legal()
    refusal = p.why_not("pass")
    assert (refusal.rule, refusal.reason) == ("RU-3", "no_pass")


@pytest.mark.rule("RU-3")
def test_a_player_who_can_only_claim_must_claim() -> None:
    p = Position("iberia", 2)
    p.display("red")
    hoard(p, {"yellow": 1, "locomotive": 1})
    all_routes_taken(p, but=("leon-valladolid",))
    p.act("take red")
    assert p.legal() == ["claim leon-valladolid yellow", "claim leon-valladolid wild"]
    assert p.why_not("pass").rule == "RU-3"


@pytest.mark.rule("RU-3", "NO-8")
def test_a_full_display_does_not_help_where_drawing_needs_a_deck() -> None:
    p = Position("nordic", 2, log=True)
    p.display("red", "blue", "green", "white", "black")
    hoard(p, {"green": 1})
    all_routes_taken(p, but=("helsinki-lahti",))
    p.set_ticket_deck([])
    p.hand(0, black=1)
    p.only_deck()
    p.act("claim helsinki-lahti black")
    # The played card can be drawn again; then nothing is left.
    assert {"draw", "take red"} <= set(p.legal())
    p.act("draw")
    p.act("take red")
    assert p.s.over
    assert p.event_names()[-1] == "GameEnded"


@pytest.mark.rule("RU-3")
def test_tickets_in_the_deck_keep_a_player_from_passing() -> None:
    p = Position("nordic", 2)
    p.display("red", "blue", "green", "white", "black")
    hoard(p)
    all_routes_taken(p)
    assert p.legal() == ["tickets"]
    assert p.why_not("take red").rule == "NO-8"


@pytest.mark.rule("RU-3", "RU-8")
def test_the_draft_card_under_the_last_card_saves_the_players_from_passing() -> None:
    p = Position("iberia", 2, log=True)
    p.display("red")
    hoard(p, {"green": 1})
    all_routes_taken(p)
    only(p, DRAFT)
    before = len(p.s.events)
    p.act("take red")  # the refill brings the draft card up, then there is no card
    assert p.s.phase == "second_draft_pick"
    finish_draft(p.s)
    assert happened(p, before, "Passed") == []
    assert (p.s.phase, p.s.to_act) == ("keep_tickets", (1,))  # all that seat 1 can do


# --- RU-4 -------------------------------------------------------------------------------------


@pytest.mark.rule("RU-4", "NO-5")
def test_a_tunnel_turns_up_cards_from_the_shuffled_discards_when_the_deck_runs_out() -> None:
    p = Position("nordic", 2, log=True)
    p.hands_empty()
    p.display("red", "red", "red", "red", "red")
    p.discards(blue=4)
    p.hand(0, pink=2)
    p.only_deck("white", "white")
    before = len(p.s.events)
    p.act("claim lillehammer-oslo pink")
    turned = [e.numbers[0] for e in p.s.events[before:] if e.kind.name == "TunnelCardTurnedUp"]
    assert [p.game.card_name(k) for k in turned] == ["white", "white", "blue"]
    assert p.owner_of("lillehammer-oslo") == 0


@pytest.mark.rule("RU-4", "NO-5")
def test_the_cards_laid_down_for_the_tunnel_are_not_shuffled_in() -> None:
    p = Position("nordic", 2, log=True)
    p.hands_empty()
    p.display("red", "red", "red", "red", "red")
    p.discards(blue=1)
    p.hand(0, pink=2)
    p.only_deck()
    before = len(p.s.events)
    p.act("claim lillehammer-oslo pink")
    assert happened(p, before, "TunnelCardTurnedUp") == ["TunnelCardTurnedUp"]
    assert p.owner_of("lillehammer-oslo") == 0


@pytest.mark.rule("RU-4", "NO-5")
@pytest.mark.parametrize("cards", [0, 1, 2])
def test_with_fewer_than_three_cards_fewer_are_turned_up(cards: int) -> None:
    p = Position("nordic", 2, log=True)
    p.hands_empty()
    p.discards()
    p.display("red", "red", "red", "red", "red")
    p.hand(0, pink=2)
    p.only_deck(*["white"] * cards)
    before = len(p.s.events)
    p.act("claim lillehammer-oslo pink")
    assert len(happened(p, before, "TunnelCardTurnedUp")) == cards
    assert p.owner_of("lillehammer-oslo") == 0


@pytest.mark.rule("RU-4", "NO-5")
def test_a_short_reveal_still_asks_for_what_it_shows() -> None:
    p = Position("nordic", 2)
    p.hands_empty()
    p.discards()
    p.display("red", "red", "red", "red", "red")
    p.hand(0, pink=3)
    p.only_deck("pink")
    p.act("claim lillehammer-oslo pink")
    assert p.legal() == ["back-off", "tunnel 0"]
    p.act("tunnel 0")
    assert p.owner_of("lillehammer-oslo") == 0
    assert p.hand_of(0) == {}


# --- RU-5 -------------------------------------------------------------------------------------


@pytest.mark.rule("RU-5", "NO-4")
def test_three_for_one_may_stand_for_a_locomotive_on_a_coloured_space() -> None:
    p = Position("nordic", 2)
    p.hand(0, white=1, red=3, blue=3)
    p.act("claim alborg-oslo white")  # 3 spaces, one symbol: one white and two sets
    assert p.owner_of("alborg-oslo") == 0
    assert p.hand_of(0) == {}
    assert p.trains_of(0) == 37


@pytest.mark.rule("RU-5", "NO-4")
def test_a_ferry_can_be_paid_with_sets_alone() -> None:
    p = Position("nordic", 2)
    p.hand(0, red=5, blue=4)
    p.act("claim alborg-oslo wild")
    assert p.owner_of("alborg-oslo") == 0
    assert p.hand_of(0) == {}


@pytest.mark.rule("RU-5", "NO-4")
def test_a_set_that_is_one_card_short_is_refused() -> None:
    p = Position("nordic", 2)
    p.hand(0, white=2, red=2)
    assert "claim alborg-oslo white" not in p.legal()
    assert p.why_not("claim alborg-oslo white").rule == "NO-4"
    p.hand(0, white=2, red=3)
    assert "claim alborg-oslo white" in p.legal()


@pytest.mark.rule("RU-5", "NO-4")
def test_sets_are_exact_and_take_no_surplus_card() -> None:
    p = Position("nordic", 2)
    p.hand(0, white=2, red=8)
    p.act("claim alborg-oslo white")
    assert p.legal() == ["pay 0 sets 1", "pay 0 sets 2"]
    p.act("pay 0 sets 1")
    assert p.hand_of(0) == {"red": 5}


@pytest.mark.rule("RU-5", "NO-4")
def test_the_player_names_the_cards_of_a_set() -> None:
    p = Position("nordic", 2)
    p.hand(0, white=2, red=3, blue=3)
    p.act("claim alborg-oslo white")
    p.act("pay 0 sets 1")
    assert p.s.phase == "substitute"
    p.act("substitute blue")
    p.act("substitute red")
    assert p.owner_of("alborg-oslo") == 0  # after a red one only red ones may follow
    assert p.hand_of(0) == {"blue": 2, "red": 1}


@pytest.mark.rule("RU-5")
def test_a_card_that_is_not_there_cannot_be_named() -> None:
    p = Position("nordic", 2)
    p.hand(0, white=2, red=3, blue=3)
    p.act("claim alborg-oslo white")
    p.act("pay 0 sets 1")
    refusal = p.why_not("substitute green")
    assert (refusal.rule, refusal.reason) == ("RU-5", "substitute_not_held")
    assert p.why_not("substitute white").rule == "RU-5"  # both are on the route already


@pytest.mark.rule("RU-5", "NO-4")
def test_locomotives_and_cards_of_the_colour_may_be_part_of_a_set() -> None:
    p = Position("nordic", 2)
    p.hand(0, white=4, locomotive=4)
    p.act("claim alborg-oslo white")
    assert "pay 0 sets 1" not in p.legal()  # two white and a set of two white and ... no other
    p.act("pay 1 sets 1")  # a white card, a locomotive, and a set of three white cards
    assert p.hand_of(0) == {"locomotive": 3}
    p = Position("nordic", 2)
    p.hand(0, white=1, locomotive=4)
    p.act("claim alborg-oslo wild")
    assert "pay 2 sets 1" in p.legal()
    p.act("pay 2 sets 1")  # two locomotives, and a set of a white card and two more
    assert p.owner_of("alborg-oslo") == 0
    assert p.hand_of(0) == {}


@pytest.mark.rule("RU-5", "NO-4")
def test_the_same_cards_are_offered_once_on_a_ferry() -> None:
    p = Position("nordic", 2)
    p.hand(0, pink=1, locomotive=1, red=1, black=1)
    p.act("claim helsinki-tallinn wild")  # the locomotive, and the others for another one
    assert p.owner_of("helsinki-tallinn") == 0
    assert p.hand_of(0) == {}
    p = Position("nordic", 2)
    p.hand(0, pink=1, locomotive=1, red=1, black=1)
    p.act("claim helsinki-tallinn pink")  # the pink card and the locomotive, and nothing else
    assert p.hand_of(0) == {"red": 1, "black": 1}


@pytest.mark.rule("RU-5", "NO-4")
def test_of_several_colours_that_could_pay_the_first_is_offered() -> None:
    p = Position("nordic", 2)
    p.hand(0, pink=1, red=1, black=2)
    assert p.legal() >= ["claim alborg-goteborg pink"]
    refusal = p.why_not("claim alborg-goteborg red")
    assert (refusal.rule, refusal.reason) == ("NO-4", "same_cards_with")
    assert refusal.values["card"] == p.kind("pink")
    p.act("claim alborg-goteborg pink")
    assert p.hand_of(0) == {}


@pytest.mark.rule("RU-5", "NO-4")
def test_a_payment_that_would_lay_down_the_cards_of_another_says_so() -> None:
    p = Position("nordic", 2)
    p.hand(0, green=2, locomotive=3, red=1)
    p.act("claim stockholm-tallinn green")
    assert p.legal() == ["pay 2 sets 0", "pay 3 sets 0"]
    assert p.why_not("pay 1 sets 1").reason == "same_cards"  # three locomotives pay for spaces
    assert p.why_not("pay 0 sets 2").reason == "payment_not_held"
    p = Position("nordic", 2)
    p.hand(0, pink=2, locomotive=2, red=2, black=1)
    p.act("claim helsinki-tallinn pink")
    p.act("pay 0 sets 1")
    assert p.legal() == ["substitute pink", "substitute black"]
    assert p.why_not("substitute locomotive").reason == "substitute_gap"
    assert p.why_not("substitute green").reason == "substitute_not_held"


@pytest.mark.rule("RU-5", "NO-6")
def test_seven_green_and_eight_others_pay_for_the_nine_spaces() -> None:
    p = Position("nordic", 2)
    p.hand(0, green=7, red=5, locomotive=3)
    p.act("claim lieksa-murmansk green")
    assert p.owner_of("lieksa-murmansk") == 0
    assert p.hand_of(0) == {}
    assert p.trains_of(0) == 31


@pytest.mark.rule("RU-5", "NO-6")
def test_four_for_one_is_exact_too() -> None:
    p = Position("nordic", 2)
    p.hand(0, green=7, red=7)
    assert "claim lieksa-murmansk green" not in p.legal()
    p.hand(0, green=7, red=10)
    p.act("claim lieksa-murmansk green")
    assert p.owner_of("lieksa-murmansk") == 0
    assert p.hand_of(0) == {"red": 2}


@pytest.mark.rule("RU-5")
def test_no_set_stands_for_a_locomotive_in_a_tunnel_or_on_an_ordinary_route() -> None:
    p = Position("nordic", 2)
    p.hand(0, pink=1, red=9)
    assert not [text for text in p.legal() if text.startswith("claim lillehammer-oslo")]
    p.hand(0, black=1, red=9)
    assert not [text for text in p.legal() if text.startswith("claim kristiansand-oslo")]


# --- RU-6 -------------------------------------------------------------------------------------


def tunnel(extra: dict[str, int], *turned: str) -> Position:
    """Seat 0 tries the two pink spaces of a tunnel with two pink cards, and has `extra`."""
    p = Position("nordic", 2, log=True)
    p.hands_empty()
    p.display("red", "red", "red", "red", "red")
    p.hand(0, **{**extra, "pink": 2 + extra.get("pink", 0)})
    p.deck(*turned)
    p.act("claim lillehammer-oslo pink")
    if p.s.phase == "pay":
        p.act("pay 0 sets 0")
    return p


@pytest.mark.rule("RU-6", "NO-5")
def test_the_extra_cards_cannot_be_paid_in_part() -> None:
    p = tunnel({"pink": 1}, "pink", "pink", "white")
    assert p.legal() == ["back-off"]
    for text in ("tunnel 0", "tunnel 1", "tunnel 2"):
        refusal = p.why_not(text)
        assert (refusal.rule, refusal.reason) == ("NO-5", "tunnel_payment")
        assert refusal.values["due"] == 2


@pytest.mark.rule("RU-6", "NO-5")
def test_all_of_the_extra_cards_pay_for_the_tunnel() -> None:
    p = tunnel({"pink": 1, "locomotive": 1}, "pink", "locomotive", "white")
    assert p.legal() == ["back-off", "tunnel 1"]
    p.act("tunnel 1")
    assert p.owner_of("lillehammer-oslo") == 0
    assert p.hand_of(0) == {}


@pytest.mark.rule("RU-6", "NO-5")
def test_who_cannot_pay_is_asked_all_the_same() -> None:
    p = tunnel({}, "pink", "white", "white")
    assert (p.s.phase, p.s.to_act) == ("tunnel", (0,))
    assert p.legal() == ["back-off"]
    p.act("back-off")
    assert p.owner_of("lillehammer-oslo") == -1
    assert p.hand_of(0) == {"pink": 2}
    assert p.s.turn == 1


@pytest.mark.rule("RU-6", "RU-15")
def test_whether_the_player_could_pay_shows_in_no_view_and_no_log() -> None:
    able = tunnel({"pink": 1}, "pink", "white", "white")
    unable = tunnel({"blue": 1}, "pink", "white", "white")
    assert able.s.view(1) == unable.s.view(1)
    assert able.s.view() == unable.s.view()
    able.act("back-off")
    unable.act("back-off")
    assert able.s.view(1) == unable.s.view(1)
    assert seen_by(able.s, 1) == seen_by(unable.s, 1)


@pytest.mark.rule("RU-6", "NO-5")
def test_a_tunnel_that_asks_for_nothing_is_claimed_at_once() -> None:
    p = tunnel({}, "white", "white", "blue")
    assert p.owner_of("lillehammer-oslo") == 0
    assert p.s.turn == 1


# --- RU-7 -------------------------------------------------------------------------------------


SHARES = [(2, Fraction(1, 2)), (3, Fraction(2, 3)), (4, Fraction(3, 4)), (5, Fraction(3, 4))]


def cards_above(s: State) -> tuple[int, int]:
    """How many cards lie above the draft card, and how many others there are."""
    deck = [int(s.d[s.t.deck + k]) for k in reversed(range(s.d[s.t.deck_len]))]
    return deck.index(s.game.fixed_cards[0]), len(deck) - 1


@pytest.mark.rule("RU-7", "IB-1")
@pytest.mark.parametrize(("seats", "share"), SHARES)
def test_the_draft_card_lies_within_a_twentieth_of_the_deck_around_its_share(
    seats: int, share: Fraction
) -> None:
    game = Game("iberia", seats)
    places: Counter[int] = Counter()
    usual = 110 - 4 * seats - 5 + 54
    for seed in range(1500):
        above, others = cards_above(game.start(seed))
        assert abs(above - share * others) <= Fraction(others, 20)
        if others == usual:
            places[above] += 1
    possible = [k for k in range(usual + 1) if abs(k - share * usual) <= Fraction(usual, 20)]
    assert sorted(places) == possible
    mean = places.total() / len(possible)
    assert sum((n - mean) ** 2 / mean for n in places.values()) < 2.2 * len(possible)


@pytest.mark.rule("RU-7")
def test_views_do_not_tell_where_the_draft_card_lies() -> None:
    p = Position("iberia", 3)
    rest = [card for card in p.deck_codes() if card != code(p, DRAFT)]
    views = []
    for above in (88, 98, 108):
        p.set_deck([*rest[:above], code(p, DRAFT), *rest[above:]])
        views.append([p.s.view(seat).to_dict() for seat in (-1, 0, 1, 2)])
    assert views[0] == views[1] == views[2]


@pytest.mark.rule("RU-7")
@pytest.mark.parametrize("drawn", [0, 80, 100])
def test_a_resampled_world_puts_the_draft_card_where_it_can_still_be(drawn: int) -> None:
    p = Position("iberia", 3)
    others = len(p.deck_codes()) - 1
    rest = [card for card in p.deck_codes() if card != code(p, DRAFT)]
    p.set_deck([*rest[drawn : others - 20], code(p, DRAFT), *rest[others - 20 :]])
    low = max(drawn, -(-others * 37 // 60))  # 2/3 less 1/20, rounded up
    high = others * 43 // 60
    places = Counter(cards_above(p.s.resample(1, seed))[0] for seed in range(1200))
    assert sorted(places) == list(range(low - drawn, high - drawn + 1))
    mean = places.total() / len(places)
    assert sum((n - mean) ** 2 / mean for n in places.values()) < 2.5 * len(places)


@pytest.mark.rule("RU-7")
def test_a_draft_card_that_has_come_is_not_put_back() -> None:
    p = Position("iberia", 2)
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    assert code(p, DRAFT) not in p.deck_codes()
    world = p.s.resample(0, 1)
    assert code(p, DRAFT) not in [int(world.d[p.t.deck + k]) for k in range(world.d[p.t.deck_len])]


# --- RU-8 -------------------------------------------------------------------------------------


def last_round_of(seats: int) -> Position:
    """Seat 0 has just set off the last round; seat 1 is to play."""
    p = Position("iberia", seats, log=True)
    p.trains(0, 3)
    p.hand(0, blue=1)
    p.act("claim sevilla-cadiz blue")
    assert p.s.d[p.t.last] == seats
    return p


@pytest.mark.rule("RU-8", "IB-4")
def test_the_second_draft_is_held_in_the_last_round_before_the_next_turn() -> None:
    p = last_round_of(3)
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    p.act("draw")
    assert (p.s.phase, p.s.to_act) == ("second_draft_pick", (0, 1, 2))
    finish_draft(p.s)
    assert (p.s.phase, p.s.to_act) == ("turn", (2,))
    assert p.s.d[p.t.last] == 2
    assert [len(held(p.s, seat)) for seat in range(3)] == [8] * 3


@pytest.mark.rule("RU-8", "IB-4", "IB-7")
def test_the_last_turns_can_still_draw_tickets_after_a_late_draft() -> None:
    p = last_round_of(2)
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    p.act("draw")
    finish_draft(p.s)
    p.act("tickets")
    p.act("keep 1 2 3")
    assert p.s.over
    assert len(held(p.s, 0)) == 11


@pytest.mark.rule("RU-8", "IB-4")
def test_the_turn_that_sets_off_the_last_round_can_set_off_the_draft_too() -> None:
    p = Position("iberia", 2, log=True)
    p.trains(0, 3)
    p.hand(0, blue=1)
    p.display("red", "green", "white", "black")
    only(p, DRAFT, "pink", "pink", "pink", "pink")
    before = len(p.s.events)
    p.act("claim sevilla-cadiz blue")
    assert happened(p, before, "LastRoundBegan", "DraftCardDrawn") == [
        "DraftCardDrawn",
        "LastRoundBegan",
    ]
    assert p.s.phase == "second_draft_pick"
    finish_draft(p.s)
    assert p.s.to_act == (1,)
    assert p.s.d[p.t.last] == 2


@pytest.mark.rule("RU-8", "RU-14")
def test_drawn_on_the_very_last_turn_the_draft_card_sets_off_nothing() -> None:
    p = last_round_of(2)
    p.act("draw")
    p.act("draw")
    assert p.s.d[p.t.last] == 1
    stack(p, DRAFT, "red", "blue")
    before = len(p.s.events)
    p.act("draw", 0)
    p.act("draw", 0)
    assert p.s.over
    assert happened(p, before, "DraftCardDrawn", "SecondPackDealt", "GameEnded") == [
        "DraftCardDrawn",
        "GameEnded",
    ]
    assert [len(held(p.s, seat)) for seat in range(2)] == [4, 4]
    assert not draft_over(p)


@pytest.mark.rule("RU-8")
def test_a_draft_card_that_is_never_drawn_holds_no_draft() -> None:
    p = last_round_of(2)
    p.act("draw")
    p.act("draw")
    p.act("draw")
    p.act("draw")
    assert p.s.over
    assert code(p, DRAFT) in p.deck_codes()
    assert not draft_due(p)
    assert [len(held(p.s, seat)) for seat in range(2)] == [4, 4]


# --- RU-9 -------------------------------------------------------------------------------------


@pytest.mark.rule("RU-9", "IB-6")
def test_a_single_pile_is_taken_without_a_question() -> None:
    p = Position("iberia", 2, log=True)
    p.hand(0, yellow=1)
    lay_out(p, leon=1)
    before = len(p.s.events)
    p.act("claim leon-valladolid yellow")
    assert fiestas_of(p, 0) == {"leon": 1}
    assert happened(p, before, "FestivalTaken", "TurnBegan") == ["FestivalTaken", "TurnBegan"]


@pytest.mark.rule("RU-9", "IB-6")
def test_festival_cards_cannot_be_declined() -> None:
    p = Position("iberia", 2)
    p.hand(0, yellow=1)
    lay_out(p, leon=1, valladolid=1)
    p.act("claim leon-valladolid yellow")
    assert p.legal() == ["festival first", "festival second"]


@pytest.mark.rule("RU-9", "IB-9")
def test_no_number_of_festival_cards_scores_below_zero() -> None:
    p = Position("iberia", 2)
    for name, cards in (("valencia", 7), ("sevilla", 5), ("palma", 2)):
        for _ in range(cards):
            before = p.s.outcome.scores[0]
            give_fiestas(p, 0, **{name: 1})
            assert p.s.outcome.scores[0] > before


# --- RU-10 ------------------------------------------------------------------------------------


@pytest.mark.rule("RU-10", "KR-5")
def test_a_value_above_the_highest_spot_reaches_it() -> None:
    p = Position("south_korea", 2)
    spend(p, 0, 1)
    p.hand(0, red=8)
    p.act("claim gunsan-mokpo red")
    p.act("pay 0 extra 2")
    p.act("mat red express 2")  # 10
    assert p.s.d[p.field("mat") + 5 * 9 + 8] == 1


@pytest.mark.rule("RU-10", "KR-5")
def test_on_a_full_line_nothing_is_asked_and_nothing_is_spent() -> None:
    p = Position("south_korea", 2)
    put_on_mat(p, 1, "red", *range(1, 10))
    p.hand(0, red=9)
    p.act("claim gunsan-mokpo red")
    assert p.s.turn == 1
    assert p.hand_of(0) == {"red": 3}
    assert p.s.view(0).of_seat("express", 0) == [1, 1, 1]


@pytest.mark.rule("RU-10", "KR-5")
def test_a_gray_route_passes_over_full_lines() -> None:
    p = Position("south_korea", 2)
    for colour in COLOURS:
        if colour != "green":
            put_on_mat(p, 1, colour, *range(1, 10))
    p.hand(0, red=4)
    p.act("claim changwon-yeosu red")
    assert [text for text in p.legal() if "express" not in text] == ["mat none", "mat green"]
    assert p.why_not("mat red").rule == "RU-10"


@pytest.mark.rule("RU-10", "KR-5")
@pytest.mark.parametrize(("trains", "asked"), [(3, False), (4, True)])
def test_a_train_for_the_mat_must_be_left_after_the_claim(trains: int, asked: bool) -> None:
    p = Position("south_korea", 2)
    p.trains(0, trains)
    p.hand(0, white=3)
    p.act("claim namwon-jinju white")
    assert (p.s.phase == "mat") is asked


# --- RU-11 ------------------------------------------------------------------------------------


@pytest.mark.rule("RU-11")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_the_first_player_is_drawn_from_the_seed(board: str) -> None:
    seats = Game(board, 2).board.seats_max
    game = Game(board, seats)
    firsts = [int(game.start(seed).d[game.layout.first]) for seed in range(60)]
    assert set(firsts) == set(range(seats))
    assert firsts == [int(game.start(seed).d[game.layout.first]) for seed in range(60)]


@pytest.mark.rule("RU-11")
def test_the_first_player_takes_the_first_turn() -> None:
    game = Game("iberia", 4)
    for seed in range(8):
        s = game.start(seed)
        finish_draft(s)
        assert s.to_act == (s.d[s.t.first],)


@pytest.mark.rule("RU-11")
@pytest.mark.parametrize("first", range(5))
def test_a_table_may_fix_the_first_player(first: int) -> None:
    s = Game("south_korea", 5).start(3, first=first)
    finish_draft(s)
    assert s.to_act == (first,)
    assert s.view(0).one("first") == first


@pytest.mark.rule("RU-11")
def test_fixing_the_first_player_changes_no_card_and_no_ticket() -> None:
    game = Game("iberia", 3)
    one, other = game.start(9, first=0), game.start(9, first=2)
    for seat in range(3):
        assert one.view(seat)["hand"] == other.view(seat)["hand"]
        assert one.view(seat)["draft_seen"] == other.view(seat)["draft_seen"]
    assert one.view()["display"] == other.view()["display"]


@pytest.mark.rule("RU-11")
@pytest.mark.parametrize("first", [-1, 3])
def test_a_first_player_who_has_no_seat_is_refused(first: int) -> None:
    with pytest.raises(SeatsError):
        Game("iberia", 3).start(1, first=first)


# --- RU-12 ------------------------------------------------------------------------------------


def without_waiting(view: View) -> dict[str, object]:
    """A view but for who has still to choose, which everyone sees."""
    found = view.to_dict()
    del found["waiting"]
    return found


@pytest.mark.rule("RU-12")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_a_choice_shows_in_no_other_view_before_all_have_chosen(board: str) -> None:
    seats = 3
    s = Game(board, seats).start(1, first=0, log=True)
    others = (1, 2, -1)
    before = [without_waiting(s.view(seat)) for seat in others]
    since = len(s.events)
    s.apply(0, s.legal(0)[2])
    assert [without_waiting(s.view(seat)) for seat in others] == before
    assert s.view(1).to_act == [1, 2]
    for seat in others:
        assert seen_by(s, seat, since) == [("ChoiceMade", 0, {})]
    assert s.view(0)["choice"] != [0]


@pytest.mark.rule("RU-12")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_two_different_choices_look_the_same_to_the_others(board: str) -> None:
    game = Game(board, 3)
    one, other = game.start(1, first=0, log=True), game.start(1, first=0, log=True)
    one.apply(0, one.legal(0)[0])
    other.apply(0, other.legal(0)[-1])
    for seat in (1, 2, -1):
        assert one.view(seat) == other.view(seat)
        assert seen_by(one, seat) == seen_by(other, seat)
    assert one.view(0) != other.view(0)


@pytest.mark.rule("RU-12", "IB-2")
def test_no_pick_takes_effect_before_everyone_has_chosen() -> None:
    s = Game("iberia", 3).start(1, first=0)
    act(s, 2, "draft pick 3")
    act(s, 0, "draft pick 1")
    assert [picked(s, seat) for seat in range(3)] == [set(), set(), set()]
    assert list(s.to_act) == [1]
    act(s, 1, "draft pick 6")
    assert [len(picked(s, seat)) for seat in range(3)] == [1, 1, 1]
    assert list(s.to_act) == [0, 1, 2]


@pytest.mark.rule("RU-12", "IB-2")
def test_the_order_in_which_seats_choose_makes_no_difference() -> None:
    game = Game("iberia", 3)
    states = []
    for order in ((0, 1, 2), (2, 0, 1)):
        s = game.start(4, first=0)
        while s.phase != "turn":
            for seat in order:
                if seat in s.to_act:
                    s.apply(seat, s.legal(seat)[-1])
        states.append(s)
    assert states[0] == states[1]


@pytest.mark.rule("RU-12", "IB-4")
def test_picks_of_the_second_draft_are_hidden_too() -> None:
    p = Position("iberia", 3, log=True)
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    p.act("draw")
    before = [without_waiting(p.s.view(seat)) for seat in (0, 2, -1)]
    since = len(p.s.events)
    p.act("second-draft pick 4", 1)
    assert [without_waiting(p.s.view(seat)) for seat in (0, 2, -1)] == before
    assert seen_by(p.s, 0, since) == [("ChoiceMade", 1, {})]


@pytest.mark.rule("RU-12", "IB-2")
def test_the_tickets_that_a_seat_keeps_are_hidden_from_the_others() -> None:
    game = Game("iberia", 2)
    states = [game.start(1, first=0, log=True) for _ in range(2)]
    for s in states:
        while s.phase == "draft_pick":
            pick_all(s)
    for s, places in zip(states, ("1 2 3 4", "3 4 5 6"), strict=True):
        act(s, 0, f"draft keep {places}")
    assert states[0].view(1) == states[1].view(1)
    for s in states:
        act(s, 1, "draft keep 1 2 3 4")
    assert states[0].view(1) == states[1].view(1)
    assert seen_by(states[0], 1) == seen_by(states[1], 1)
    assert states[0].view(0) != states[1].view(0)


@pytest.mark.rule("RU-12")
def test_a_choice_is_final() -> None:
    p = Position("nordic", 2)
    p.s = Game("nordic", 2).start(1)
    p.act("opening keep 1 2", 1)
    assert p.legal(1) == []
    assert p.why_not("opening keep 1 2 3", 1).reason == "not_your_turn"


@pytest.mark.rule("RU-12", "IB-2")
def test_a_pick_is_known_to_the_picker_and_passed_tickets_to_those_who_saw_them() -> None:
    s = Game("iberia", 2).start(1, first=0, log=True)
    pick_all(s)
    since = len(s.events)
    pick_all(s)
    for seat in (0, 1):
        told = {name: fields for name, who, fields in seen_by(s, seat, since) if who == seat}
        assert "ticket" in told["TicketPicked"]
        assert told["PackPassed"]["count"] == 4
        rival = {name: fields for name, who, fields in seen_by(s, seat, since) if who != seat}
        assert rival["TicketPicked"] == {}
        assert rival["PackPassed"] == {"count": 4}


# --- RU-13 ------------------------------------------------------------------------------------


def play_on(s: State, moves: int, which: int = 0) -> None:
    for _ in range(moves):
        if s.over:
            return
        seat = s.to_act[0]
        legal = s.legal(seat)
        s.apply(seat, legal[which % len(legal)])


@pytest.mark.rule("RU-13")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_a_seat_can_change_hands_at_any_moment_since_the_state_keeps_no_player(
    board: str,
) -> None:
    game = Game(board, 2)
    s = game.start(3)
    for k in range(40):
        play_on(s, 1, k)
    taken_over = Game(board, 2).unpack(s.to_bytes())
    assert taken_over == s
    for seat in range(2):
        assert taken_over.view(seat) == s.view(seat)
        assert taken_over.legal(seat) == s.legal(seat)
    for state in (s, taken_over):
        for k in range(60):
            play_on(state, 1, 2 * k)
    assert taken_over == s


@pytest.mark.rule("RU-13")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_a_bot_can_try_moves_in_a_copy_without_touching_the_game(board: str) -> None:
    s = Game(board, 2).start(5)
    play_on(s, 30, 1)
    before = s.to_bytes()
    play_on(s.clone(), 50)
    assert s.to_bytes() == before


@pytest.mark.rule("RU-13")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_a_copy_can_take_a_legal_step_at_once(board: str) -> None:
    p = Position(board, 2)
    action = p.s.legal(0)[0]
    copy = p.s.clone()
    copy.step(0, action)
    p.s.step(0, action)
    assert copy == p.s


@pytest.mark.rule("RU-13", "RU-15")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_a_bot_gets_worlds_that_its_seat_cannot_tell_apart_and_can_play_them(
    board: str,
) -> None:
    s = Game(board, 3).start(2)
    for k in range(90):
        play_on(s, 1, k)
        if k % 15 == 0 and not s.over:
            seat = s.to_act[0]
            world = s.resample(seat, k)
            assert world.view(seat) == s.view(seat)
            assert train_cards(world) == train_cards(s)
            play_on(world, 40, 1)
            assert min(world.d) >= 0


@pytest.mark.rule("RU-13", "RU-15")
@pytest.mark.parametrize("seed", range(6))
def test_a_world_for_one_seat_can_be_played_while_another_is_in_the_middle_of_a_claim(
    seed: int,
) -> None:
    p = Position("nordic", 2)
    p.hand(0, locomotive=3, white=3, red=4)
    p.act("claim alborg-oslo white")
    assert p.s.phase == "pay"
    world = p.s.resample(1, seed)
    assert world.view(1) == p.s.view(1)
    assert world.legal(0), "the seat that is to act has nothing to do"
    play_on(world, 6)
    assert min(world.d) >= 0


@pytest.mark.rule("RU-13", "RU-15")
def test_a_world_for_one_seat_does_not_tell_which_route_another_is_about_to_claim() -> None:
    def about_to_claim(text: str) -> Position:
        p = Position("nordic", 2)
        p.hand(0, locomotive=4, white=4, black=4)
        p.act(text)
        assert p.s.phase == "pay"
        return p

    one = about_to_claim("claim alborg-oslo white")
    other = about_to_claim("claim andalsnes-bergen black")
    assert one.s.view(1) == other.s.view(1)
    assert one.s.resample(1, 7) == other.s.resample(1, 7)


@pytest.mark.rule("RU-13", "RU-15", "IB-2")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_no_world_gives_a_rival_a_ticket_that_the_seat_itself_has_just_rejected(
    seats: int,
) -> None:
    s = Game("iberia", seats).start(3, first=0)
    while s.phase == "draft_pick":
        pick_all(s)
    drafted = picked(s, 0)
    pick_all(s)
    rejected = drafted - held(s, 0)
    for seed in range(30):
        world = s.resample(0, seed)
        for rival in range(1, seats):
            assert not rejected & held(world, rival)


@pytest.mark.rule("RU-13", "RU-15")
@pytest.mark.parametrize("board", ["iberia", "south_korea"])
@pytest.mark.parametrize("seats", [2, 4])
def test_worlds_do_not_tell_the_order_of_the_ticket_deck_after_a_draft(
    board: str, seats: int
) -> None:
    s = Game(board, seats).start(3, first=0)
    finish_draft(s)
    t = s.t
    found: list[set[int]] = [set() for _ in range(s.d[t.ticket_len])]
    for seed in range(60):
        d = s.resample(0, seed).d
        for k, tickets in enumerate(found):
            tickets.add(int(d[t.ticket_deck + (d[t.ticket_top] + k) % t.tickets]))
    assert min(len(tickets) for tickets in found) >= 5  # nobody has seen any of these places


@pytest.mark.rule("RU-13", "RU-15", "IB-4")
def test_in_every_world_tickets_rejected_in_the_second_draft_lie_at_the_bottom() -> None:
    p = Position("iberia", 3)
    stack(p, DRAFT, "red", "blue")
    p.act("draw")
    p.act("draw")
    while p.s.phase == "second_draft_pick":
        pick_all(p.s)
    drafted = picked(p.s, 0)
    pick_all(p.s)
    rejected = drafted - held(p.s, 0)
    true = p.s
    assert rejected <= set(p.ticket_deck()[-6:])
    orders = set()
    for seed in range(30):
        p.s = true.resample(0, seed)
        assert rejected <= set(p.ticket_deck()[-6:])
        orders.add(tuple(k for k, ticket in enumerate(p.ticket_deck()) if ticket in rejected))
    assert len(orders) > 3  # but not in a place that the seat could know


@pytest.mark.rule("RU-13")
def test_a_seat_that_comes_back_sees_what_it_would_have_seen() -> None:
    game = Game("iberia", 2)
    stayed, left = game.start(8), game.start(8)
    for k in range(60):
        play_on(stayed, 1, k)
        if k % 10 == 0:
            left = game.unpack(left.to_bytes())  # another process has taken the game over
        play_on(left, 1, k)
    assert left.view(0) == stayed.view(0)
    assert left.view(1) == stayed.view(1)


# --- RU-14 ------------------------------------------------------------------------------------


@pytest.mark.rule("RU-14", "BASE-10")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("who", [0, 1, -1])
def test_the_player_who_set_off_the_end_plays_the_very_last_turn(seats: int, who: int) -> None:
    p = Position("iberia", seats, log=True)
    who %= seats
    while p.s.turn != who:
        p.act("draw")
    p.trains(who, 3)
    p.hand(who, yellow=1)
    before = len(p.s.events)
    p.act("claim santander-bilbao yellow")
    while not p.s.over:
        if p.s.phase == "turn":
            assert p.s.d[p.t.last] > 0
        p.act("draw")
    turns = [int(e.seat) for e in p.s.events[before:] if e.kind.name == "TurnBegan"]
    assert turns == [(who + 1 + k) % seats for k in range(seats)]
    assert turns[-1] == who


@pytest.mark.rule("RU-14", "BASE-10")
def test_another_player_with_few_trains_does_not_lengthen_the_last_round() -> None:
    p = last_round_of(3)
    p.trains(1, 3)
    p.hand(1, yellow=1)
    p.act("claim leon-valladolid yellow")
    assert p.trains_of(1) == 2
    assert p.s.d[p.t.last] == 2
    p.act("draw")
    p.act("draw")
    assert p.s.to_act == (0,)
    p.act("draw")
    p.act("draw")
    assert p.s.over


@pytest.mark.rule("RU-14", "BASE-10")
def test_three_trains_do_not_set_off_the_end() -> None:
    p = Position("iberia", 2)
    p.trains(0, 4)
    p.hand(0, yellow=1)
    p.act("claim leon-valladolid yellow")
    assert p.trains_of(0) == 3
    assert p.s.d[p.t.last] == 0


@pytest.mark.rule("RU-14")
def test_a_pass_in_the_last_round_counts_as_a_turn() -> None:
    p = Position("iberia", 2, log=True)
    p.display()
    hoard(p, {"green": 1})
    p.trains(0, 3)
    all_routes_taken(p, but=("leon-valladolid",))
    before = len(p.s.events)
    p.act("claim leon-valladolid wild")  # seat 1 takes the played card, then nothing is left
    assert happened(p, before, "LastRoundBegan", "CardTaken", "Passed", "GameEnded") == [
        "LastRoundBegan",
        "CardTaken",
        "Passed",
        "GameEnded",
    ]


# --- RU-15 ------------------------------------------------------------------------------------


@pytest.mark.rule("RU-15")
def test_a_card_taken_from_the_display_is_known_and_a_blind_one_is_not() -> None:
    p = Position("iberia", 2, log=True)
    p.hand(0)
    p.display("red", "blue", "green", "white", "black")
    p.deck("yellow", "pink", "pink")
    before = len(p.s.events)
    p.act("take red")
    p.act("draw")
    assert p.known_of(0) == {"red": 1}
    view = p.s.view(1)
    assert view.of_seat("known", 0)[p.kind("red")] == 1
    assert sum(view.of_seat("known", 0)) == 1
    assert view["hand_size"][0] == 2
    told = {name: fields for name, _, fields in seen_by(p.s, 1, before)}
    assert told["CardTaken"] == {"slot": 0, "card": p.kind("red")}
    assert told["CardDrawn"] == {}


@pytest.mark.rule("RU-15")
def test_a_known_card_that_is_played_is_known_to_be_gone() -> None:
    p = Position("iberia", 2)
    p.hand(0)
    p.display("yellow", "blue", "green", "white", "black")
    p.act("take yellow")
    p.act("take blue")
    assert p.known_of(0) == {"yellow": 1, "blue": 1}
    p.act("draw")
    p.act("draw")
    p.act("claim leon-valladolid yellow")
    assert p.known_of(0) == {"blue": 1}


@pytest.mark.rule("RU-15")
def test_a_played_card_may_have_been_the_known_one() -> None:
    p = Position("iberia", 2)
    p.hand(0, yellow=2)
    p.s.d[p.t.known + p.kind("yellow")] = 1
    p.act("claim leon-valladolid yellow")
    assert p.hand_of(0) == {"yellow": 1}
    assert p.known_of(0) == {}


@pytest.mark.rule("RU-15")
def test_more_known_cards_than_played_ones_stay_known() -> None:
    p = Position("iberia", 2)
    p.hand(0, yellow=3)
    p.s.d[p.t.known + p.kind("yellow")] = 3
    p.act("claim leon-valladolid yellow")
    assert p.known_of(0) == {"yellow": 2}


@pytest.mark.rule("RU-15", "NO-5")
def test_cards_laid_down_for_a_tunnel_in_vain_are_known_afterwards() -> None:
    p = tunnel({"blue": 2}, "pink", "white", "white")
    p.act("back-off")
    assert p.known_of(0) == {"pink": 2}
    assert p.s.view(1).of_seat("known", 0)[p.kind("pink")] == 2
    assert p.hand_of(0) == {"pink": 2, "blue": 2}


@pytest.mark.rule("RU-15", "NO-5")
def test_laying_down_the_same_cards_twice_does_not_make_more_of_them_known() -> None:
    p = tunnel({"pink": 2}, "locomotive", "locomotive", "locomotive")
    p.act("back-off")
    p.end_turn()
    p.deck("locomotive", "locomotive", "white")
    p.act("claim lillehammer-oslo pink")
    assert p.known_of(0)["pink"] == 2


@pytest.mark.rule("RU-15", "NO-5")
def test_a_tunnels_reveal_is_seen_by_all() -> None:
    p = tunnel({}, "pink", "white", "blue")
    seen = p.s.view(1)["revealed"]
    assert {k for k, n in enumerate(seen) if n} == {p.kind(c) for c in ("pink", "white", "blue")}
    told = [fields for name, _, fields in seen_by(p.s, 1) if name == "TunnelCardTurnedUp"]
    assert told == [{"card": p.kind(c)} for c in ("pink", "white", "blue")]


@pytest.mark.rule("RU-15", "IB-6")
def test_a_festival_pile_that_was_taken_is_known_to_all() -> None:
    p = Position("iberia", 3, log=True)
    p.hand(0, blue=1)
    lay_out(p, sevilla=3)
    before = len(p.s.events)
    p.act("claim sevilla-cadiz blue")
    for seat in (1, 2, -1):
        assert sum(p.s.view(seat).of_seat("festival_cards", 0)) == 3
        told = {name: fields for name, _, fields in seen_by(p.s, seat, before)}
        assert told["FestivalTaken"] == {"festival": 1, "cards": 3}
    assert piles(p) == {}


@pytest.mark.rule("RU-15")
def test_played_cards_are_seen_by_all_and_lie_in_open_discards() -> None:
    p = Position("iberia", 2, log=True)
    p.hand(0, red=1, locomotive=1)
    before = len(p.s.events)
    p.act("claim leon-burgos red")
    told = {name: fields for name, _, fields in seen_by(p.s, 1, before)}
    cards = told["CardsPlayed"]["cards"]
    assert isinstance(cards, list)
    assert cards[p.kind("red")] == 1
    assert cards[p.t.loco] == 1
    assert p.s.view(1)["discard"] == p.s.view(0)["discard"]


@pytest.mark.rule("RU-15")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_the_hand_of_a_rival_and_the_order_of_the_deck_are_in_no_view(board: str) -> None:
    p = Position(board, 2)
    before = p.s.view(1), p.s.view()
    size, spare = int(p.s.d[p.t.hand_size]), Counter(p.deck_codes())
    one, other = [k for k in range(p.t.kinds) if spare[k] >= 2][:2]
    p.hand(0, **{p.game.card_name(one): size - 1, p.game.card_name(other): 1})
    p.set_deck(p.deck_codes()[::-1])
    assert (p.s.view(1), p.s.view()) == before


@pytest.mark.rule("RU-15")
@pytest.mark.parametrize("board", ["new_york", "nordic", "usa"])
def test_the_tickets_of_a_rival_and_the_order_of_theirs_are_in_no_view(board: str) -> None:
    p = Position(board, 2)
    before = p.s.view(1), p.s.view(), p.s.view(0)
    mine, order = min(held(p.s, 0)), p.ticket_deck()
    p.s.d[p.t.ticket_at + order[0]] = HELD
    p.set_ticket_deck([*reversed(order[1:]), mine])
    assert (p.s.view(1), p.s.view()) == before[:2]
    assert p.s.view(0) != before[2]


@pytest.mark.rule("RU-15")
@pytest.mark.parametrize("board", ALL_BOARDS)
def test_no_event_tells_another_seat_a_secret_number(board: str) -> None:
    s = Game(board, 2).start(6, log=True)
    for k in range(120):
        play_on(s, 1, 7 * k)
    secret = {
        "CardDrawn": {"card"},
        "TicketsOffered": {"tickets"},
        "TicketsKept": {"mask"},
        "ChoiceMade": {"action"},
        "TicketPicked": {"ticket"},
        "PackDealt": {"tickets"},
        "PackPassed": {"tickets"},
        "DraftKept": {"mask"},
    }
    heard = seen_by(s, 1)
    kinds = {name for name, _, _ in heard}
    assert "CardDrawn" in kinds
    for name, seat, fields in heard:
        hidden = secret.get(name.removeprefix("Second"), set())
        assert not (hidden & set(fields) and seat != 1), name
        assert "order" not in fields
        assert "seed" not in fields
        assert name != "DecisionAsked"


@pytest.mark.rule("RU-15")
def test_what_is_chosen_in_the_middle_of_a_claim_is_secret_until_the_cards_lie() -> None:
    p = Position("nordic", 2, log=True)
    p.hand(0, locomotive=3, white=3, red=4)
    before, heard = p.s.view(1), seen_by(p.s, 1)
    p.act("claim alborg-oslo white")
    assert p.s.phase == "pay"
    assert p.s.view(1) == before
    assert seen_by(p.s, 1) == heard
    p.act("pay 0 sets 1")
    assert p.s.phase == "substitute"
    assert p.s.view(1) == before
    assert p.s.view(1).phase == "turn"


@pytest.mark.rule("RU-15", "BASE-9")
def test_only_the_seat_that_rejected_a_ticket_knows_where_it_lies() -> None:
    p = Position("south_korea", 2)
    p.act("tickets")
    offered = sorted(p.s.view(0).offered)
    p.act("keep 1")
    assert [p.s.view(0)["tickets"][k] > 8 for k in offered[1:]] == [True, True]
    assert [p.s.view(1)["tickets"][k] for k in offered] == [0, 0, 0]


# --- RU-16, and BASE-6 wherever a card leaves the deck ------------------------------------------


@pytest.mark.rule("BASE-6", "IB-3", "IB-5")
@pytest.mark.parametrize("last", [fiesta("sevilla"), DRAFT])
def test_a_festival_or_draft_card_may_be_the_last_to_leave_the_deck(last: str) -> None:
    p = Position("iberia", 2, log=True)
    p.hands_empty()
    p.discards(blue=3)
    only(p, "red", last)
    p.act("draw")
    assert (len(p.deck_codes()), p.discards_of()) == (1, {"blue": 3})  # a card is left
    before = len(p.s.events)
    p.act("draw")
    assert p.event_names()[before + 1 : before + 3] == ["DeckShuffled", "CardDrawn"]
    assert p.hand_of(0) == {"red": 1, "blue": 1}


@pytest.mark.rule("BASE-6", "RU-4", "NO-5")
def test_the_last_card_turned_up_for_a_tunnel_brings_the_discards_back() -> None:
    p = Position("nordic", 2, log=True)
    tunnel = next(r for r in p.game.board.routes if r.tunnel and r.colour >= 0)
    colour = p.game.board.colours[tunnel.colour]
    other = "red" if colour != "red" else "blue"
    p.hands_empty()
    p.hand(0, **{colour: tunnel.length})
    p.discards(pink=4)
    p.only_deck(other, other, other)
    before = len(p.s.events)
    p.act(f"claim {p.game.route_text(tunnel.index)} {colour}")
    told = [n for n in p.event_names()[before:] if n in ("TunnelCardTurnedUp", "DeckShuffled")]
    assert told == ["TunnelCardTurnedUp"] * 3 + ["DeckShuffled"]
    assert len(p.deck_codes()) == 4


@pytest.mark.rule("BASE-6", "KR-3")
def test_the_last_card_of_an_express_draw_brings_the_discards_back() -> None:
    p = Position("south_korea", 2)
    p.hands_empty()
    p.discards(pink=4)
    p.only_deck("red", "red")
    p.act("express 2 cards")
    assert p.hand_of(0) == {"red": 2}
    assert (len(p.deck_codes()), p.discards_of()) == (4, {})
