"""The classic boards: US-1, and EU-1 with its ferries, tunnels, long tickets and stations."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from branchline import Game
from branchline.core.board import Route
from branchline.engine.layout import HELD, IN_DECK
from branchline.rules.claims.registers import DUE
from positions import Position, claims_on, level, refused

PLAIN = ("pink", "blue", "orange", "white", "green")


def table(board: str, seats: int = 2, log: bool = False) -> Position:
    """Empty hands, no tickets, and a display of five colours."""
    p = Position(board, seats, log=log)
    p.display(*PLAIN)
    p.hands_empty()
    for seat in range(seats):
        p.tickets(seat)
    return p


def station(p: Position, seat: int, *cities: str) -> None:
    """Let a seat have built stations."""
    for city in cities:
        p.s.d[p.field("stations") + p.game.board.city_of[city]] = seat + 1
        p.s.d[p.field("stations_left") + seat] -= 1
    p.arranged()


# --- US-1 ---------------------------------------------------------------------------------------


@pytest.mark.rule("US-1")
@pytest.mark.parametrize("seats", [2, 5])
def test_usa_has_45_trains_and_30_tickets(seats: int) -> None:
    s = Game("usa", seats).start(seed=1)
    assert s.view()["trains"] == [45] * seats
    assert len(s.game.board.tickets) == 30
    assert s.view().one("ticket_len") == 30 - 3 * seats


@pytest.mark.rule("US-1", "BASE-14")
def test_the_longest_path_brings_ten_points() -> None:
    p = table("usa", 3)
    p.own(0, "dallas-el_paso")
    p.own(1, "denver-santa_fe", "el_paso-santa_fe", "el_paso-phoenix")
    p.own(2, "portland-seattle", "miami-new_orleans")
    assert p.lines(1, "longest_path") == [(7, 10)]
    assert p.lines(0, "longest_path") == p.lines(2, "longest_path") == []
    line = next(line for line in p.s.outcome.lines[1] if line.what == "longest_path")
    assert line.rule == "US-1"


@pytest.mark.rule("US-1", "BASE-14")
def test_all_who_tie_for_the_longest_path_have_the_ten_points() -> None:
    p = table("usa", 3)
    p.own(0, "dallas-el_paso")
    p.own(1, "denver-santa_fe", "el_paso-santa_fe")
    p.own(2, "portland-seattle")
    assert p.lines(0, "longest_path") == p.lines(1, "longest_path") == [(4, 10)]
    assert p.lines(2, "longest_path") == []


@pytest.mark.rule("US-1")
def test_usa_has_no_bonus_for_the_most_tickets() -> None:
    p = table("usa")
    p.tickets(0, "denver-el_paso")
    p.own(0, "denver-santa_fe", "el_paso-santa_fe")
    assert p.lines(0, "globetrotter") == []


@pytest.mark.rule("US-1", "BASE-12")
def test_a_tie_on_usa_goes_to_more_tickets_before_the_longest_path() -> None:
    p = table("usa")
    p.tickets(1, "denver-el_paso")
    p.own(1, "denver-santa_fe", "el_paso-santa_fe")
    p.own(0, "miami-new_orleans")
    level(p)
    assert p.s.outcome.winners == [1]
    assert p.s.outcome.tie_break == "tickets"


@pytest.mark.rule("US-1", "BASE-12")
def test_a_tie_in_tickets_on_usa_goes_to_whoever_holds_the_longest_path_bonus() -> None:
    p = table("usa", 3)
    p.own(0, "dallas-el_paso")
    p.own(1, "miami-new_orleans")
    p.own(2, "portland-seattle")
    level(p)
    assert p.s.outcome.winners == [1]
    assert p.s.outcome.tie_break == "longest_path_bonus"


@pytest.mark.rule("US-1", "EU-1", "BASE-12")
@pytest.mark.parametrize(
    ("board", "routes"),
    [
        ("usa", ("dallas-el_paso", "portland-seattle", "miami-new_orleans")),
        ("europe", ("berlin-wien", "amsterdam-essen", "palermo-smyrna")),
    ],
)
def test_a_longer_path_without_the_bonus_breaks_no_tie(board: str, routes: tuple[str, ...]) -> None:
    p = table(board, 3)
    for seat, route in enumerate(routes):
        p.own(seat, route)
    level(p)
    p.s.d[p.t.points + 2] -= 5  # the holder of the bonus is behind
    assert p.s.outcome.winners == [0, 1]
    assert p.s.outcome.tie_break == ""


@pytest.mark.rule("BASE-12")
def test_without_a_tie_no_tie_break_decides() -> None:
    p = table("usa")
    p.own(0, "portland-seattle")
    assert p.s.outcome.winners == [0]
    assert p.s.outcome.tie_break == ""


# --- US-1, EU-1: no cards anywhere (NO-8) -------------------------------------------------------


@pytest.mark.rule("NO-8", "US-1", "EU-1")
@pytest.mark.parametrize(("board", "rule"), [("usa", "US-1"), ("europe", "EU-1")])
def test_with_deck_and_discards_empty_no_cards_can_be_drawn(board: str, rule: str) -> None:
    p = table(board)
    p.only_deck()
    assert p.display_cards() == list(PLAIN)
    for text in ("draw", "take pink"):
        refusal = p.why_not(text)
        assert (refusal.rule, refusal.reason) == (rule, "deck_empty_no_draw")
    assert p.legal() == ["tickets"]


@pytest.mark.rule("NO-8", "US-1", "EU-1", "RU-2")
@pytest.mark.parametrize("board", ["usa", "europe"])
def test_a_draw_already_begun_may_be_finished_from_the_display(board: str) -> None:
    p = table(board)
    p.only_deck("red")
    p.act("draw")
    p.act("take pink")
    assert p.hand_of(0) == {"pink": 1, "red": 1}


@pytest.mark.rule("NO-8", "RU-3", "US-1", "EU-1")
@pytest.mark.parametrize("board", ["usa", "europe"])
def test_a_game_without_cards_routes_and_tickets_ends_by_passing(board: str) -> None:
    p = table(board, log=True)
    p.set_ticket_deck([])
    p.only_deck()
    assert p.legal() == ["pass"]
    p.act("pass")
    assert p.s.over
    assert p.event_names().count("Passed") == 2


@pytest.mark.rule("US-1", "BASE-12")
def test_holders_of_the_bonus_who_tie_in_everything_on_usa_share_the_victory() -> None:
    p = table("usa", 3)
    p.own(0, "dallas-el_paso")
    p.own(1, "denver-santa_fe", "el_paso-santa_fe")
    p.own(2, "portland-seattle")
    level(p)
    assert p.s.outcome.winners == [0, 1]  # both hold the bonus
    assert p.s.outcome.tie_break == "longest_path_bonus"


# --- EU-1: tickets ------------------------------------------------------------------------------


@pytest.mark.rule("EU-1")
@pytest.mark.parametrize("seats", [2, 5])
def test_everyone_is_dealt_one_long_and_three_short_tickets(seats: int) -> None:
    game = Game("europe", seats)
    s = game.start(seed=1)
    tickets = game.board.tickets
    for seat in range(seats):
        offered = s.view(seat).offered
        assert Counter(tickets[k].long for k in offered) == {False: 3, True: 1}
        assert len(s.legal(seat)) == 6 + 4 + 1
    assert s.view()["trains"] == [45] * seats
    assert s.view().one("ticket_len") == 40 - 3 * seats


@pytest.mark.rule("EU-1")
def test_a_single_opening_ticket_is_not_enough_even_if_it_is_long() -> None:
    p = Position("europe", 2)
    p.s = p.game.start(seed=1)
    for choice in range(1, 5):
        assert refused(p, f"opening keep {choice}", seat=0) == ("EU-1", "keep_too_few")


@pytest.mark.rule("EU-1")
def test_the_long_ticket_need_not_be_kept() -> None:
    p = Position("europe", 2)
    p.s = p.game.start(seed=1)
    offered = p.s.view(0).offered
    place = next(k for k in range(4) if p.game.board.tickets[offered[k]].long)
    kept = [k for k in range(4) if k != place][:2]
    p.act(f"opening keep {kept[0] + 1} {kept[1] + 1}", seat=0)
    p.act("opening keep 1 2 3 4", seat=1)
    assert p.s.view(0).tickets == [offered[k] for k in kept]


@pytest.mark.rule("EU-1")
def test_opening_tickets_that_nobody_kept_leave_the_game() -> None:
    p = Position("europe", 2)
    p.s = p.game.start(seed=1)
    deck = p.ticket_deck()
    p.act("opening keep 1 2", seat=0)
    p.act("opening keep 2 3", seat=1)
    assert p.ticket_deck() == deck
    assert len(deck) == 34
    d, t = p.s.d, p.t
    where = [d[t.ticket_at + k] for k in range(t.tickets)]
    assert where.count(IN_DECK) == 34
    assert where.count(HELD) == where.count(HELD + 1) == 2


@pytest.mark.rule("EU-1")
def test_no_long_ticket_is_in_the_deck_that_is_drawn_from() -> None:
    p = Position("europe", 3)
    assert not any(p.game.board.tickets[k].long for k in p.ticket_deck())


@pytest.mark.rule("EU-1", "BASE-9")
def test_tickets_rejected_later_go_to_the_bottom() -> None:
    p = table("europe")
    order = p.ticket_deck()
    p.act("tickets")
    p.act("keep 1")
    low, *others = sorted(order[:3])
    assert p.s.view(0).tickets == [low]
    assert p.ticket_deck() == [*order[3:], *others]


# --- EU-1: ferries and tunnels ------------------------------------------------------------------


@pytest.mark.rule("EU-1", "IB-8")
def test_a_ferry_takes_a_locomotive_for_every_symbol() -> None:
    p = table("europe")
    p.hand(0, red=6, locomotive=1)
    assert claims_on(p, "dieppe-london") == ["red"]
    assert refused(p, "claim palermo-smyrna red") == ("EU-1", "ferry_locomotives")
    p.hand(0, red=4, locomotive=2)
    p.act("claim palermo-smyrna red")
    assert p.hand_of(0) == {}
    assert p.owner_of("palermo-smyrna") == 0


@pytest.mark.rule("EU-1", "IB-8")
def test_a_ferrys_other_spaces_take_any_split() -> None:
    p = table("europe")
    p.hand(0, red=5, locomotive=6)
    p.act("claim palermo-smyrna red")
    assert p.legal() == ["pay 2", "pay 3", "pay 4", "pay 5"]
    assert refused(p, "pay 1")[1] == "payment_ferry"
    p.act("pay 3")
    assert p.hand_of(0) == {"red": 2, "locomotive": 3}


@pytest.mark.rule("EU-1", "IB-8")
def test_locomotives_alone_pay_for_a_ferry() -> None:
    p = table("europe")
    p.hand(0, locomotive=2)
    assert claims_on(p, "amsterdam-london") == ["wild"]
    p.act("claim amsterdam-london wild")
    assert p.owner_of("amsterdam-london") == 0


@pytest.mark.rule("EU-1")
def test_three_cards_do_not_stand_for_a_locomotive_here() -> None:
    p = table("europe")
    p.hand(0, red=8)
    assert refused(p, "claim dieppe-london red") == ("EU-1", "ferry_locomotives")
    assert refused(p, "claim dieppe-london wild") == ("EU-1", "too_few_locomotives")


@pytest.mark.rule("EU-1", "NO-5")
def test_a_gray_tunnel_asks_for_more_of_the_colour_that_was_played() -> None:
    p = table("europe")
    p.hand(0, red=4, blue=4)
    p.deck("red", "blue", "locomotive")
    p.act("claim angora-constantinople red")
    assert p.legal() == ["back-off", "tunnel 0"]
    assert p.s.d[p.t.reg + DUE] == 2  # one red and one locomotive, but not the blue one
    p.act("tunnel 0")
    assert p.hand_of(0) == {"blue": 4}
    assert p.discards_of() == {"red": 5, "blue": 1, "locomotive": 1}


@pytest.mark.rule("EU-1", "NO-5")
def test_a_tunnel_laid_with_locomotives_alone_counts_locomotives_alone() -> None:
    p = table("europe")
    p.hand(0, locomotive=3, red=3)
    p.deck("red", "blue", "locomotive")
    p.act("claim angora-constantinople wild")
    assert p.legal() == ["back-off", "tunnel 1"]
    p.act("back-off")
    assert p.hand_of(0) == {"locomotive": 3, "red": 3}
    assert p.s.turn == 1


@pytest.mark.rule("EU-1")
def test_locomotives_serve_on_ordinary_routes() -> None:
    p = table("europe")
    p.hand(0, locomotive=3)
    assert claims_on(p, "amsterdam-essen") == ["wild"]


# --- EU-1: building stations --------------------------------------------------------------------


@pytest.mark.rule("EU-1")
def test_the_first_station_costs_one_card_the_second_two_and_the_third_three() -> None:
    p = table("europe")
    p.hand(0, red=6)
    for cost, city in ((1, "paris"), (2, "wien"), (3, "kyiv")):
        before = p.hand_of(0)["red"]
        p.act("station")
        p.act(f"station at {city}")
        assert p.hand_of(0).get("red", 0) == before - cost
        assert p.s.turn == 1
        p.end_turn()
        p.hand(0, red=6 - cost * (cost + 1) // 2)
    assert refused(p, "station") == ("EU-1", "no_stations_left")


@pytest.mark.rule("EU-1")
def test_a_fourth_station_is_refused_with_the_best_hand() -> None:
    p = table("europe")
    station(p, 0, "paris", "wien", "kyiv")
    p.hand(0, red=9, locomotive=9)
    assert refused(p, "station") == ("EU-1", "no_stations_left")


@pytest.mark.rule("EU-1")
def test_a_station_takes_cards_of_one_colour() -> None:
    p = table("europe")
    station(p, 0, "paris", "wien")
    p.hand(0, red=2, blue=2, white=2)
    assert refused(p, "station") == ("EU-1", "station_too_dear")
    p.hand(0, red=3, blue=2)
    p.act("station")
    p.act("station at roma")
    assert p.hand_of(0) == {"blue": 2}


@pytest.mark.rule("EU-1")
def test_a_station_cannot_be_built_without_cards() -> None:
    assert refused(table("europe"), "station") == ("EU-1", "station_too_dear")


@pytest.mark.rule("EU-1", "BASE-7")
def test_every_split_of_a_stations_price_is_offered() -> None:
    p = table("europe")
    station(p, 0, "paris", "wien")
    p.hand(0, red=3, blue=1, locomotive=3)
    p.act("station")
    p.act("station at roma")
    assert p.legal() == [
        "station pay blue 2",
        "station pay red 0",
        "station pay red 1",
        "station pay red 2",
        "station pay wild 3",
    ]
    assert refused(p, "station pay blue 1") == ("EU-1", "payment_not_held")
    p.act("station pay red 1")
    assert p.hand_of(0) == {"red": 1, "blue": 1, "locomotive": 2}
    assert p.discards_of() == {"red": 2, "locomotive": 1}


@pytest.mark.rule("EU-1")
def test_a_station_can_be_paid_with_locomotives_alone() -> None:
    p = table("europe")
    station(p, 0, "paris")
    p.hand(0, locomotive=2)
    p.act("station")
    p.act("station at roma")
    assert p.hand_of(0) == {}
    assert p.s.turn == 1


@pytest.mark.rule("EU-1")
def test_a_city_has_one_station_at_most_whoever_built_it() -> None:
    p = table("europe")
    station(p, 0, "paris")
    station(p, 1, "wien")
    p.hand(0, red=3)
    p.act("station")
    assert refused(p, "station at paris") == ("EU-1", "station_city_taken")
    assert refused(p, "station at wien") == ("EU-1", "station_city_taken")
    assert len(p.legal()) == len(p.game.board.cities) - 2


@pytest.mark.rule("EU-1")
def test_a_station_can_stand_in_a_city_without_any_route() -> None:
    p = table("europe")
    p.hand(0, red=1)
    p.act("station")
    p.act("station at moskva")
    assert p.s.d[p.field("stations") + p.game.board.city_of["moskva"]] == 1


@pytest.mark.rule("EU-1", "BASE-2")
def test_building_a_station_is_the_whole_turn_and_takes_no_train() -> None:
    p = table("europe")
    p.hand(0, red=5)
    p.act("station")
    assert refused(p, "claim bruxelles-paris red") == ("BASE-2", "other_decision")
    p.act("station at paris")
    assert p.trains_of(0) == 45
    assert p.s.to_act == (1,)
    assert p.s.phase == "turn"


@pytest.mark.rule("EU-1")
def test_there_are_no_stations_on_usa() -> None:
    assert "station" not in {text.split()[0] for text in table("usa").legal()}


# --- EU-1: what stations are worth --------------------------------------------------------------


@pytest.mark.rule("EU-1")
@pytest.mark.parametrize("built", [0, 1, 2, 3])
def test_each_unused_station_is_worth_four_points(built: int) -> None:
    p = table("europe")
    station(p, 0, *["paris", "wien", "kyiv"][:built])
    assert p.lines(0, "stations") == [(3 - built, 4 * (3 - built))]
    assert p.lines(1, "stations") == [(3, 12)]


@pytest.mark.rule("EU-1")
def test_a_station_lets_its_owner_use_a_rival_route_into_its_city() -> None:
    p = table("europe")
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien")
    p.own(1, "frankfurt-paris")
    assert p.s.outcome.tickets == [0, 0]
    for city in ("paris", "frankfurt"):  # either end will do
        q = table("europe")
        q.s = p.s.clone()
        station(q, 0, city)
        assert q.lines(0, "ticket_done") == [(p.ticket("paris-wien"), 8)]
        assert q.s.outcome.tickets == [1, 0]


@pytest.mark.rule("EU-1")
def test_a_station_is_no_use_for_a_route_that_does_not_touch_its_city() -> None:
    p = table("europe")
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien")
    p.own(1, "frankfurt-paris")
    station(p, 0, "munchen", "wien", "brest")
    assert p.s.outcome.tickets == [0, 0]


@pytest.mark.rule("EU-1")
def test_a_station_is_no_use_for_a_route_that_nobody_owns() -> None:
    p = table("europe")
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien")
    station(p, 0, "paris")
    assert p.s.outcome.tickets == [0, 0]


@pytest.mark.rule("EU-1", "BASE-8")
def test_a_closed_route_cannot_be_borrowed_but_the_rivals_beside_it_can() -> None:
    p = table("europe")
    p.act("draw")
    p.act("draw")
    p.hand(1, orange=3)
    p.act("claim frankfurt-paris orange")
    assert p.owner_of("frankfurt-paris#2") == -1
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien")
    station(p, 0, "paris")
    assert p.s.outcome.tickets == [1, 0]
    p.s.d[p.t.owner + p.route("frankfurt-paris")] = 0  # were it not the rival's …
    assert p.s.outcome.tickets == [0, 0]  # … the closed one would not help


@pytest.mark.rule("EU-1")
def test_a_station_serves_its_owner_alone() -> None:
    p = table("europe", 3)
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien")
    p.own(1, "frankfurt-paris")
    station(p, 2, "paris")
    assert p.s.outcome.tickets == [0, 0, 0]


def two_ways_out_of_paris(p: Position) -> None:
    """Seat 0 needs Paris–Frankfurt for 8 points, Paris–Zürich for 7; seat 1 has both."""
    p.tickets(0, "paris-wien", "paris-zagrab")
    p.own(0, "frankfurt-munchen", "munchen-wien", "venezia-zurich", "venezia-zagrab")
    p.own(1, "frankfurt-paris", "paris-zurich")


@pytest.mark.rule("EU-1")
def test_one_station_borrows_one_route_and_the_best_one() -> None:
    p = table("europe")
    two_ways_out_of_paris(p)
    station(p, 0, "paris")
    assert p.lines(0, "ticket_done") == [(p.ticket("paris-wien"), 8)]
    assert p.lines(0, "ticket_failed") == [(p.ticket("paris-zagrab"), -7)]


@pytest.mark.rule("EU-1")
def test_two_stations_borrow_two_routes() -> None:
    p = table("europe")
    two_ways_out_of_paris(p)
    station(p, 0, "paris", "zurich")
    assert p.s.outcome.tickets == [2, 0]
    p = table("europe")
    two_ways_out_of_paris(p)
    station(p, 0, "frankfurt", "zurich")
    assert p.s.outcome.tickets == [2, 0]


@pytest.mark.rule("EU-1")
def test_borrowed_routes_can_follow_each_other() -> None:
    p = table("europe", 3)
    p.tickets(0, "paris-wien")
    p.own(1, "frankfurt-paris")
    p.own(2, "frankfurt-munchen")
    p.own(0, "munchen-wien")
    station(p, 0, "paris")
    assert p.s.outcome.tickets[0] == 0
    station(p, 0, "munchen")
    assert p.s.outcome.tickets[0] == 1


@pytest.mark.rule("EU-1")
def test_of_equal_points_a_station_takes_the_way_with_more_tickets() -> None:
    p = table("europe")
    # Beyond München lies a ticket of 12 points, beyond Venezia two of 6.
    p.tickets(0, "berlin-moskva", "zurich-brindisi", "zurich-budapest")
    p.own(0, "berlin-frankfurt", "frankfurt-paris", "paris-zurich")
    p.own(0, "munchen-wien", "warszawa-wien", "warszawa-wilno", "smolensk-wilno")
    p.own(0, "moskva-smolensk")
    p.own(0, "roma-venezia", "brindisi-roma", "venezia-zagrab", "budapest-zagrab")
    p.own(1, "munchen-zurich", "venezia-zurich")
    station(p, 0, "zurich")
    assert p.s.outcome.tickets == [2, 0]
    assert p.lines(0, "ticket_failed") == [(p.ticket("berlin-moskva"), -12)]


def joined(edges: list[tuple[int, int]], start: int) -> set[int]:
    """The cities that can be reached from one."""
    found = {start}
    while True:
        more = {c for edge in edges if found & set(edge) for c in edge} - found
        if not more:
            return found
        found |= more


@pytest.mark.rule("EU-1")
@pytest.mark.parametrize("seed", range(12))
def test_the_borrowed_routes_are_the_best_that_trying_everything_finds(seed: int) -> None:
    rng = random.Random(seed)
    p = table("europe", 4)
    board = p.game.board
    routes = [r for r in board.routes if r.twin < 0]
    owner = {r.index: rng.choice([0, 0, 1, 2, 3, None]) for r in routes}
    for r in routes:
        seat = owner[r.index]
        if seat is not None:
            p.own(seat, p.game.route_text(r.index), count_trains=False)
    tickets = rng.sample(board.tickets, 12)
    ends = [f"{board.cities[t.a].id}-{board.cities[t.b].id}" for t in tickets]
    p.tickets(0, *ends)
    cities = rng.sample(board.cities, 3)
    station(p, 0, *[c.id for c in cities])

    def way(r: Route) -> tuple[int, int]:
        return int(r.a), int(r.b)

    mine = [way(r) for r in routes if owner[r.index] == 0]
    choices = [
        [way(r) for r in routes if owner[r.index] in (1, 2, 3) and c.index in (r.a, r.b)] + [None]
        for c in cities
    ]
    best = 0
    for choice in product(*choices):
        edges = mine + [edge for edge in choice if edge is not None]
        done = [int(t.points) for t in tickets if int(t.b) in joined(edges, int(t.a))]
        best = max(best, sum(done))
    assert sum(points for _, points in p.lines(0, "ticket_done")) == best


@pytest.mark.rule("EU-1", "BASE-14")
def test_a_borrowed_route_does_not_count_for_the_longest_path() -> None:
    p = table("europe")
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien")
    p.own(1, "frankfurt-paris")
    station(p, 0, "paris")
    assert p.lines(0, "longest_path") == [(5, 10)]


@pytest.mark.rule("EU-1")
def test_the_score_of_europe_is_made_of_its_lines() -> None:
    p = table("europe")
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien")
    p.own(1, "frankfurt-paris")
    station(p, 0, "paris")
    assert p.s.outcome.scores == [(2 + 4) + 8 + 2 * 4 + 10, 4 + 3 * 4]
    assert {line.rule for line in p.s.outcome.lines[0]} == {"BASE-11", "EU-1"}


@pytest.mark.rule("EU-1", "BASE-14")
def test_the_longest_path_of_europe_brings_ten_points_to_all_who_tie() -> None:
    p = table("europe", 3)
    p.own(0, "berlin-wien")
    p.own(1, "amsterdam-essen")
    p.own(2, "essen-frankfurt")
    assert p.lines(0, "longest_path") == p.lines(1, "longest_path") == [(3, 10)]
    assert p.lines(2, "longest_path") == []


# --- EU-1: ties ---------------------------------------------------------------------------------


@pytest.mark.rule("EU-1", "BASE-12")
def test_a_tie_on_europe_goes_to_more_tickets_first() -> None:
    p = table("europe")
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien")
    p.own(1, "frankfurt-paris", "palermo-smyrna")  # a longer path, and no station used
    station(p, 0, "paris")
    level(p)
    assert p.s.outcome.winners == [0]


@pytest.mark.rule("EU-1", "BASE-12")
def test_a_tie_in_tickets_goes_to_the_one_who_used_fewer_stations() -> None:
    p = table("europe", 3)
    station(p, 0, "paris", "wien")
    station(p, 1, "kyiv")
    station(p, 2, "roma", "sofia")
    p.own(0, "palermo-smyrna")
    level(p)
    assert p.s.outcome.winners == [1]
    assert p.s.outcome.tie_break == "stations"


@pytest.mark.rule("EU-1", "BASE-12")
def test_a_tie_in_stations_goes_to_whoever_holds_the_longest_path_bonus() -> None:
    p = table("europe", 3)
    station(p, 0, "paris")
    station(p, 1, "kyiv")
    p.own(0, "berlin-wien")
    p.own(1, "berlin-danzig")
    p.own(2, "palermo-smyrna")
    level(p)
    assert p.s.outcome.winners == [2]  # no station used
    station(p, 2, "roma")
    level(p)
    assert p.s.outcome.winners == [2]  # the bonus for the longest path
    assert p.s.outcome.tie_break == "longest_path_bonus"
    p.s.d[p.t.points + 2] -= 1
    assert p.s.outcome.winners == [0, 1]  # nobody who ties holds it
    assert p.s.outcome.tie_break == ""


@pytest.mark.rule("EU-1", "BASE-12")
def test_a_tie_in_everything_on_europe_is_a_shared_victory() -> None:
    p = table("europe")
    p.own(0, "berlin-wien")
    p.own(1, "amsterdam-essen")
    level(p)
    assert p.s.outcome.winners == [0, 1]
