"""The planner's thinking, in small positions: blocks, tickets drawn, cards, levels."""

from __future__ import annotations

import pytest

from branchline import Game
from branchline.bots import make_bot, seat_bot
from branchline.bots.card_value import CardValue
from branchline.bots.observation import Observation
from branchline.bots.path_value import PathValue
from branchline.bots.plan import Plan
from branchline.bots.planner import Planner
from branchline.bots.rivals import Rivals
from branchline.bots.style import Style
from branchline.bots.ticket_value import TicketValue
from branchline.engine.layout import column
from positions import Position

COAST = ("boston-new_york", "new_york-washington", "raleigh-washington", "charleston-raleigh")
"""All of the way from Boston to Miami but its last route."""

WEB = (
    "denver-kansas_city",
    "kansas_city-saint_louis",
    "pittsburgh-saint_louis",
    "new_york-pittsburgh",
    "kansas_city-oklahoma_city",
    "chicago-saint_louis",
    "atlanta-nashville",
    "nashville-saint_louis",
    "dallas-oklahoma_city",
    "dallas-houston",
    "duluth-omaha",
    "kansas_city-omaha",
    "el_paso-los_angeles",
)
"""With Denver to El Paso, a network that joins most tickets of the board."""


def answer(p: Position, spec: str = "planner-1", seed: int = 1) -> str:
    """What a bot does at seat 0."""
    bot = seat_bot(spec, p.game, 0, seed)
    return p.game.action_text(bot.decide(p.s.view(0), 1.0))


def small(seats: int = 2) -> Position:
    """Seat 0 has finished its only ticket; nobody holds a card."""
    p = Position("usa", seats)
    p.hands_empty()
    p.display("red", "blue", "green", "yellow", "black")
    p.tickets(0, "denver-el_paso")
    p.own(0, "denver-santa_fe", "el_paso-santa_fe", count_trains=False)
    return p


def coast(*rival: str, seats: int = 2) -> Position:
    """Seat 0 could close the way to Miami, or claim as long a route elsewhere."""
    p = small(seats)
    p.own(1, *rival, "denver-omaha")
    p.trains(0, 20)
    p.trains(1, 12)
    p.hand(0, pink=4)
    return p


# --- blocks -------------------------------------------------------------------------------------


def test_it_takes_the_route_that_a_rival_evidently_needs() -> None:
    assert answer(coast(*COAST)) == "claim charleston-miami pink"


def test_it_has_no_use_for_that_route_by_itself() -> None:
    assert answer(coast(*COAST), "planner-1:block_weight=0") != "claim charleston-miami pink"
    assert answer(coast()) != "claim charleston-miami pink"


def losses(p: Position, *routes: str) -> list[float]:
    """What the loss of each route would cost the rivals, as seat 0 sees it."""
    observation = Observation(p.game, 0)
    observation.read(p.s.view(0))
    rivals = Rivals(observation)
    rivals.estimate_losses(column([1] * p.t.routes), points_per_turn=2.0, turns=20.0)
    return [rivals.loss[p.route(route)] for route in routes]


def test_a_block_costs_the_rival_what_it_has_begun() -> None:
    gap, elsewhere = losses(coast(*COAST), "charleston-miami", "calgary-helena")
    assert gap > 0.0 == elsewhere
    assert losses(coast(), "charleston-miami") == [0.0]


def test_a_way_that_has_hardly_begun_tells_nothing() -> None:
    assert losses(coast("boston-new_york"), "charleston-miami") == [0.0]


def test_a_finished_way_can_not_be_blocked() -> None:
    done = coast(*COAST, "charleston-miami")
    assert losses(done, "atlanta-charleston", "atlanta-miami") == [0.0, 0.0]


def test_a_block_counts_more_without_a_way_round() -> None:
    p = coast(*COAST)
    [before] = losses(p, "charleston-miami")
    p.own(0, "atlanta-miami", "miami-new_orleans", count_trains=False)
    [after] = losses(p, "charleston-miami")
    assert after > before


def test_a_double_that_stays_open_is_no_block() -> None:
    way = ("boston-new_york", "raleigh-washington", "charleston-raleigh", "charleston-miami")
    [two] = losses(coast(*way), "new_york-washington")
    [four] = losses(coast(*way, seats=4), "new_york-washington")
    assert two > four == 0.0


# --- drawing tickets ----------------------------------------------------------------------------


def late(*routes: str) -> Position:
    """The last turn of seat 0."""
    p = small()
    p.own(0, *routes, count_trains=False)
    p.trains(0, 8)
    p.trains(1, 2)
    p.s.d[p.t.last] = 2
    p.arranged()
    return p


def test_with_a_wide_network_it_draws_tickets_to_the_last() -> None:
    assert answer(late(*WEB)) == "tickets"


def test_with_a_small_network_it_does_not() -> None:
    assert answer(late("seattle-vancouver")) != "tickets"


def test_it_draws_none_while_one_of_its_own_is_out_of_reach() -> None:
    p = small()
    p.own(0, *WEB, count_trains=False)
    p.tickets(0, "vancouver-montreal")
    p.trains(0, 4)
    assert answer(p) != "tickets"


@pytest.mark.parametrize(
    ("gains", "drawn", "worth"),
    [
        ([10.0, -4.0], 2, 10.0),  # both are seen, one is kept
        ([10.0, 6.0], 2, 16.0),  # both are kept
        ([-4.0, -10.0], 2, -4.0),  # one must be kept
        ([10.0, -4.0], 1, 3.0),
        ([6.0, -3.0, -9.0], 2, 4.0 - 1.0),  # 6 in two of three draws, else −3
        ([], 2, 0.0),
    ],
)
def test_the_worth_of_a_draw_is_the_expected_best_choice(
    gains: list[float], drawn: int, worth: float
) -> None:
    observation = Observation(Game("usa", 2), 0)
    plan = Plan(observation, Style({}))
    assert TicketValue(observation, plan).best_of(gains, drawn) == pytest.approx(worth)


# --- cards --------------------------------------------------------------------------------------


def test_it_takes_the_card_that_its_ticket_lacks() -> None:
    p = small()
    p.tickets(0, "helena-los_angeles")
    p.own(0, "helena-salt_lake_city", "las_vegas-los_angeles", count_trains=False)
    p.hand(0, orange=1)
    p.display("red", "blue", "orange", "white", "black")
    assert answer(p) == "take orange"


def test_it_counts_the_cards_that_it_has_seen() -> None:
    p = small()
    p.display("red", "blue", "green", "yellow", "black")
    p.hand(0, white=9, pink=3)
    p.discards(white=3)
    observation = Observation(p.game, 0)
    observation.read(p.s.view(0))
    cards = CardValue(observation, Plan(observation, Style({})))
    cards.count_unseen()
    counted = {name: cards.unseen[p.kind(name)] for name in ("white", "pink", "red", "orange")}
    assert counted == {"white": 0, "pink": 9, "red": 11, "orange": 12}
    assert cards.unseen[p.t.loco] == 14


# --- what version 1 does not do -----------------------------------------------------------------


def worth_of(p: Position, action: str, spec: str) -> float:
    """What seat 0 thinks that an action is worth."""
    bot = make_bot(spec)
    assert isinstance(bot, Planner)
    bot.start(p.game, 0, 1)
    view = p.s.view(0)
    bot.decide(view, 1.0)
    return bot.values[[p.game.action_text(a) for a in view.actions].index(action)]


def test_for_the_patient_a_planned_claim_may_wait_while_there_is_time() -> None:
    p = finishing()
    claim = answer(p)
    hasty, patient = (worth_of(p, claim, f"planner-1:patience={x}") for x in (0, 1))
    assert 0.0 < patient < hasty / 2
    p.trains(1, 2)  # no time is left
    hasty, patient = (worth_of(p, claim, f"planner-1:patience={x}") for x in (0, 1))
    assert patient == hasty


def test_patience_ends_where_a_rival_needs_the_route() -> None:
    inland = (
        "pittsburgh-toronto",
        "nashville-pittsburgh",
        "atlanta-nashville",
        "atlanta-charleston",
    )
    for rival, waits in ((COAST, False), ((), True)):
        p = coast(*rival)
        p.tickets(0, "toronto-miami")
        p.own(0, *inland, count_trains=False)
        claim = "claim charleston-miami pink"
        hasty, patient = (worth_of(p, claim, f"planner-1:patience={x}") for x in (0, 1))
        assert (patient < hasty) == waits


def test_a_longer_path_is_worth_its_spaces_where_it_can_go_on() -> None:
    p = small()
    p.own(0, "denver-omaha", "dallas-houston", count_trains=False)  # from Omaha to El Paso
    observation = Observation(p.game, 0)
    observation.read(p.s.view(0))
    path = PathValue(observation)
    path.count()
    gains = [path.gain(p.route(r)) for r in ("chicago-omaha", "denver-helena", "dallas-el_paso")]
    assert gains == [4.0, 0.0, 6.0]


def test_it_draws_tickets_though_one_is_given_up_if_its_weights_say_so() -> None:
    p = small()
    p.own(0, *WEB, count_trains=False)
    p.tickets(0, "vancouver-montreal")
    p.trains(0, 4)
    assert answer(p, "planner-1:ticket_draw_weight=1") != "tickets"
    assert answer(p, "planner-1:ticket_draw_weight=1,given_up_weight=1") == "tickets"


def test_it_saves_its_express_cards_as_its_weights_say() -> None:
    p = Position("south_korea", 2)
    p.hands_empty()
    assert answer(p).startswith("express ")
    assert not answer(p, "planner-1:express_value=6").startswith("express ")


# --- levels -------------------------------------------------------------------------------------


def finishing() -> Position:
    """One claim finishes a ticket of 22 points."""
    p = small()
    p.tickets(0, "seattle-new_york")
    p.own(
        0,
        "helena-seattle",
        "duluth-helena",
        "duluth-toronto",
        "pittsburgh-toronto",
        count_trains=False,
    )
    p.trains(0, 20)
    p.hand(0, white=2, green=2)
    return p


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_every_level_finishes_a_great_ticket(level: str) -> None:
    p = finishing()
    for seed in range(20):
        assert answer(p, level, seed).startswith("claim new_york-pittsburgh")


def test_lower_levels_misjudge_what_is_nearly_equal() -> None:
    p = small()
    p.hand(0, pink=4, red=2, blue=1)
    asked = {
        level: {answer(p, level, seed) for seed in range(30)}
        for level in ("easy", "normal", "hard")
    }
    assert len(asked["hard"]) == 1
    assert 1 < len(asked["normal"]) <= len(asked["easy"])


# --- tunnels ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spare", "tries"), [(0, False), (1, True)])
def test_it_tries_a_tunnel_with_a_card_to_spare(spare: int, tries: bool) -> None:
    p = Position("europe", 2)
    p.hands_empty()
    p.display("red", "blue", "green", "yellow", "black")
    p.tickets(0, "zurich-brindisi")
    p.own(0, "roma-venezia", count_trains=False)
    p.hand(0, green=2 + spare)
    assert answer(p).startswith("claim venezia-zurich") == tries


@pytest.mark.parametrize("bot", ["planner", "planner-1", "paths", "greedy", "long", "hungry"])
@pytest.mark.parametrize(
    ("deck", "left"),
    [((), {"locomotive": 1}), (("locomotive",) * 4, {"locomotive": 3, "blue": 1})],
)
def test_it_does_not_try_a_tunnel_that_it_can_hardly_ever_pay(
    bot: str, deck: tuple[str, ...], left: dict[str, int]
) -> None:
    # Nearly all cards that can be turned up are locomotives, and cost one more each.
    p = Position("europe", 2)
    p.tickets(0)
    p.hand(0, red=8)
    p.hand(1)
    p.discards(**left)
    p.only_deck(*deck)
    assert "claim petrograd-stockholm red" in p.legal()
    assert not answer(p, bot).startswith("claim petrograd-stockholm")
    # With cards to spare it can be paid.
    p.hand(0, red=11)
    p.only_deck(*deck)
    assert answer(p, "planner").startswith("claim petrograd-stockholm")
