"""New York: NY-1 to NY-5, and the base rules as its rulebook words them."""

from __future__ import annotations

from collections import Counter

import pytest

from branchline import Game
from branchline.engine.errors import SeatsError
from positions import Position, level, refused

PLAIN = ("pink", "blue", "orange", "green", "black")
ATTRACTIONS = {
    "brooklyn",
    "central_park",
    "chelsea",
    "chinatown",
    "empire_state_building",
    "greenwich_village",
    "times_square",
    "united_nations",
    "wall_street",
}


def table(seats: int = 2, log: bool = False) -> Position:
    """Empty hands, no tickets, and a display of five colours."""
    p = Position("new_york", seats, log=log)
    p.display(*PLAIN)
    p.hands_empty()
    for seat in range(seats):
        p.tickets(seat)
    return p


# --- NY-1: the deck -----------------------------------------------------------------------------


@pytest.mark.rule("NY-1")
def test_the_deck_has_six_cards_of_each_of_six_colours_and_eight_taxis() -> None:
    p = Position("new_york", 2)
    p.hands_empty()
    p.display()
    cards = Counter(p.game.card_name(code) for code in p.deck_codes())
    assert cards.pop("locomotive") == 8
    assert cards == dict.fromkeys(("pink", "blue", "orange", "green", "black", "red"), 6)


@pytest.mark.rule("NY-1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everyone_starts_with_two_cards_and_fifteen_taxis(seats: int) -> None:
    s = Game("new_york", seats).start(seed=1)
    view = s.view()
    assert view["hand_size"] == [2] * seats
    assert view["trains"] == [15] * seats
    assert len(view["display"]) == 5
    assert view.one("deck_len") + s.d[s.t.discard_size] == 44 - 2 * seats - 5


@pytest.mark.rule("NY-1")
@pytest.mark.parametrize("seats", [1, 5])
def test_it_is_for_two_to_four_players(seats: int) -> None:
    with pytest.raises(SeatsError):
        Game("new_york", seats)


@pytest.mark.rule("NY-1", "BASE-5")
def test_three_taxis_are_cleared_at_set_up() -> None:
    game = Game("new_york", 2)
    for seed in range(200):
        s = game.start(seed, log=True)
        names = [event.kind.name for event in s.events]
        if "DisplayReset" in names:
            break
    else:
        raise AssertionError("no seed shows three taxis at set-up")
    first = [event.full()["card"] for event in s.events if event.kind.name == "DisplayFilled"]
    assert first[:5].count(game.layout.loco) >= 3
    assert s.d[s.t.discard_size] >= 5
    assert [s.d[s.t.display + k] for k in range(5)].count(game.layout.loco) < 3


@pytest.mark.rule("NY-1", "BASE-5")
def test_three_taxis_are_cleared_in_play() -> None:
    p = table()
    p.display("locomotive", "locomotive", "red", "red", "blue")
    p.deck("locomotive", *PLAIN)
    p.act("take blue")
    assert p.display_cards() == list(PLAIN)
    assert p.discards_of() == {"locomotive": 3, "red": 2}


@pytest.mark.rule("NY-1", "BASE-4")
def test_a_face_up_taxi_ends_the_draw_and_is_no_second_card() -> None:
    p = table()
    p.display("locomotive", "red", "red", "blue", "blue")
    p.deck("pink", "pink")
    p.act("draw")
    assert refused(p, "take locomotive") == ("BASE-4", "locomotive_as_second")
    p.act("draw")
    p.act("take locomotive")
    assert p.s.turn == 0


@pytest.mark.rule("NY-1", "BASE-7")
def test_taxis_stand_for_any_colour_on_any_route() -> None:
    p = table()
    p.hand(0, blue=3, locomotive=3)
    p.act("claim brooklyn-wall_street#2 blue")
    assert p.legal() == ["pay 0", "pay 1", "pay 2"]
    p.act("pay 2")
    assert p.hand_of(0) == {"blue": 2, "locomotive": 1}
    p = table()
    p.hand(0, blue=3, locomotive=3)
    p.act("claim brooklyn-wall_street#2 wild")
    assert p.hand_of(0) == {"blue": 3}


# --- NY-2: opening tickets ----------------------------------------------------------------------


@pytest.mark.rule("NY-2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_tickets_are_dealt_and_at_least_one_is_kept(seats: int) -> None:
    game = Game("new_york", seats)
    s = game.start(seed=1)
    assert s.to_act == tuple(range(seats))
    for seat in range(seats):
        assert len(s.view(seat).offered) == 2
        choices = [game.action_text(a) for a in s.legal(seat)]
        assert choices == ["opening keep 1", "opening keep 2", "opening keep 1 2"]
    assert s.view().one("ticket_len") == 18 - 2 * seats


@pytest.mark.rule("NY-2")
def test_rejected_opening_tickets_go_to_the_bottom() -> None:
    p = Position("new_york", 2)
    s = p.s = p.game.start(seed=1, first=0)
    offered = [s.view(seat).offered for seat in range(2)]
    p.act("opening keep 1", seat=0)
    p.act("opening keep 2", seat=1)
    assert p.s.view(0).tickets == offered[0][:1]
    assert p.s.view(1).tickets == offered[1][1:]
    assert len(p.ticket_deck()) == 16
    assert p.ticket_deck()[-2:] == [offered[0][1], offered[1][0]]


@pytest.mark.rule("NY-2")
def test_both_opening_tickets_can_be_kept() -> None:
    p = Position("new_york", 3)
    assert [len(p.tickets_of(seat)) for seat in range(3)] == [2, 2, 2]
    assert len(p.ticket_deck()) == 12


# --- NY-3: drawing tickets ----------------------------------------------------------------------


@pytest.mark.rule("NY-3")
def test_two_tickets_are_drawn_and_at_least_one_is_kept() -> None:
    p = table()
    top = p.ticket_deck()[:2]
    p.act("tickets")
    assert p.s.view(0).offered == sorted(top)
    assert p.legal() == ["keep 1", "keep 2", "keep 1 2"]
    p.act("keep 1 2")
    assert p.s.view(0).tickets == sorted(top)


@pytest.mark.rule("NY-3")
def test_a_rejected_ticket_goes_to_the_bottom() -> None:
    p = table()
    order = p.ticket_deck()
    p.act("tickets")
    p.act("keep 2")
    low, high = sorted(order[:2])
    assert p.s.view(0).tickets == [high]
    assert p.ticket_deck() == [*order[2:], low]


@pytest.mark.rule("NY-3")
def test_the_last_single_ticket_can_be_drawn_and_must_be_kept() -> None:
    p = table()
    p.set_ticket_deck([p.ticket("chelsea-brooklyn")])
    assert "tickets" in p.legal()
    p.act("tickets")
    assert p.tickets_of(0) == ["chelsea-brooklyn"]
    assert p.ticket_deck() == []
    assert p.s.to_act == (1,)
    assert p.s.phase == "turn"


@pytest.mark.rule("NY-3")
def test_without_tickets_none_can_be_drawn() -> None:
    p = table()
    p.set_ticket_deck([])
    assert refused(p, "tickets") == ("NY-3", "no_tickets_left")


@pytest.mark.rule("NY-3")
def test_a_kept_ticket_cannot_be_given_back() -> None:
    p = table()
    p.tickets(0, "chelsea-brooklyn")
    p.act("tickets")
    assert p.ticket("chelsea-brooklyn") not in p.s.view(0).offered
    p.act("keep 1")
    assert "chelsea-brooklyn" in p.tickets_of(0)


# --- NY-4: double routes ------------------------------------------------------------------------


@pytest.mark.rule("NY-4")
def test_with_two_players_claiming_one_of_a_pair_closes_the_other() -> None:
    p = table(2)
    p.hand(0, orange=3)
    p.hand(1, red=3, locomotive=3)
    p.act("claim brooklyn-chinatown orange")
    assert refused(p, "claim brooklyn-chinatown#2 red") == ("NY-4", "double_closed")
    assert refused(p, "claim brooklyn-chinatown#2 wild") == ("NY-4", "double_closed")


@pytest.mark.rule("NY-4")
@pytest.mark.parametrize("seats", [3, 4])
def test_with_three_or_four_players_both_are_open(seats: int) -> None:
    p = table(seats)
    p.hand(0, orange=3)
    p.hand(1, red=3)
    p.act("claim brooklyn-chinatown orange")
    p.act("claim brooklyn-chinatown#2 red")
    assert p.owner_of("brooklyn-chinatown") == 0
    assert p.owner_of("brooklyn-chinatown#2") == 1


@pytest.mark.rule("NY-4")
@pytest.mark.parametrize("seats", [3, 4])
def test_nobody_owns_both_routes_of_a_pair(seats: int) -> None:
    p = table(seats)
    p.own(0, "brooklyn-chinatown", "chelsea-empire_state_building#2")
    p.hand(0, red=5, locomotive=3)
    assert refused(p, "claim brooklyn-chinatown#2 red") == ("NY-4", "double_both")
    assert refused(p, "claim brooklyn-chinatown#2 wild") == ("NY-4", "double_both")
    assert refused(p, "claim chelsea-empire_state_building red") == ("NY-4", "double_both")


# --- NY-5: scores -------------------------------------------------------------------------------


@pytest.mark.rule("NY-5")
@pytest.mark.parametrize(
    ("routes", "points"),
    [
        ([], 0),
        (["lincoln_center-midtown_west"], 0),
        (["central_park-lincoln_center"], 1),
        (["central_park-times_square"], 2),
        (["central_park-times_square", "times_square-united_nations"], 3),
        (["chinatown-lower_east_side", "chinatown-wall_street"], 2),
        (["chelsea-midtown_west", "chelsea-gramercy_park", "chelsea-soho"], 1),
    ],
)
def test_each_attraction_touched_by_an_own_route_is_a_point_once(
    routes: list[str], points: int
) -> None:
    p = table()
    p.own(0, *routes)
    assert p.lines(0, "attractions") == [(points, points)]
    assert p.lines(1, "attractions") == [(0, 0)]
    assert {line.rule for line in p.s.outcome.lines[0] if line.what == "attractions"} == {"NY-5"}


@pytest.mark.rule("NY-5")
def test_exactly_nine_places_are_attractions() -> None:
    worth = set()
    for city in Game("new_york", 2).board.cities:
        p = table(3)
        mine = [r for r in p.game.board.routes if city.index in (r.a, r.b)]
        p.own(0, *[p.game.route_text(r.index) for r in mine])
        ends = {p.game.board.cities[c].id for r in mine for c in (r.a, r.b)}
        ((count, _),) = p.lines(0, "attractions")
        assert count == len(ends & ATTRACTIONS)
        if city.id in ATTRACTIONS:
            worth.add(city.id)
    assert worth == ATTRACTIONS


@pytest.mark.rule("NY-5")
def test_an_attraction_counts_for_everyone_who_touches_it() -> None:
    p = table(3)
    p.own(0, "central_park-times_square")
    p.own(1, "central_park-times_square#2")
    p.own(2, "central_park-lincoln_center")
    assert [p.lines(seat, "attractions") for seat in range(3)] == [[(2, 2)], [(2, 2)], [(1, 1)]]


@pytest.mark.rule("NY-5", "BASE-11")
def test_routes_tickets_and_attractions_make_the_score() -> None:
    p = table()
    p.tickets(0, "chelsea-brooklyn", "central_park-midtown_west")
    p.own(0, "central_park-times_square", "midtown_west-times_square")
    outcome = p.s.outcome
    assert {line.what for line in outcome.lines[0]} == {
        "routes", "ticket_done", "ticket_failed", "attractions",
    }  # fmt: skip
    assert outcome.scores == [(2 + 1) + 3 - 8 + 2, 0]


@pytest.mark.rule("NY-5")
def test_there_is_no_bonus_for_tickets_or_the_longest_path() -> None:
    p = table(3)
    p.tickets(0, "central_park-midtown_west")
    p.own(0, "central_park-times_square", "midtown_west-times_square")
    for seat in range(3):
        assert p.lines(seat, "globetrotter") == p.lines(seat, "longest_path") == []


@pytest.mark.rule("NY-5", "BASE-12")
def test_a_tie_goes_to_the_one_with_more_completed_tickets() -> None:
    p = table(3)
    p.tickets(1, "lower_east_side-wall_street")
    p.own(1, "chinatown-lower_east_side", "chinatown-wall_street")
    p.own(0, "chelsea-soho")
    level(p)
    assert p.s.outcome.winners == [1]


@pytest.mark.rule("NY-5", "BASE-12")
def test_a_tie_in_points_and_tickets_is_a_shared_victory() -> None:
    p = table(3)
    p.own(0, "chelsea-soho", "greenwich_village-soho")  # a longer path does not help
    p.own(1, "midtown_west-times_square")
    level(p)
    p.s.d[p.t.points + 2] -= 1
    assert p.s.outcome.winners == [0, 1]


@pytest.mark.rule("NY-5", "BASE-10")
def test_the_last_round_begins_with_two_taxis_or_fewer() -> None:
    p = table(3, log=True)
    p.trains(0, 4)
    p.hand(0, orange=2)
    p.act("claim chelsea-gramercy_park orange")
    order = []
    while not p.s.over:
        order.append(p.s.turn)
        p.act("draw")
        p.act("draw")
    assert order == [1, 2, 0]
