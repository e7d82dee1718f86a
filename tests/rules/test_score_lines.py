"""Score lines tell what their points rest on, and what a table is worth while it is played."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Any

import pytest
from rich.console import Console

from branchline import Game
from branchline.core.catalogue import LANGUAGES
from branchline.engine.describe import Words
from branchline.engine.outcome import Line, Values
from branchline.engine.scoring import tally
from branchline.service.broadcast.readers import lines_of
from branchline.service.tables.boards import board_facts
from branchline.tui.scores import scoreboard
from positions import Position, level
from rules.helpers_expansion import give_fiestas, line_of, put_on_mat


def bare(board: str, seats: int = 2) -> Position:
    p = Position(board, seats)
    for seat in range(seats):
        p.tickets(seat)
    return p


def line(p: Position, seat: int, what: str) -> Line:
    return next(found for found in p.s.outcome.lines[seat] if found.what == what)


def said(p: Position, found: Line, lang: str = "en", viewer: int = -1) -> str:
    return Words(p.game, lang, ["Ada", "Bo", "Cy", "Di"], viewer).score_line(found)


@pytest.mark.rule("IB-9")
def test_a_festival_line_tells_how_many_cards_it_counts() -> None:
    p = bare("iberia")
    give_fiestas(p, 0, sevilla=3, palma=1)
    three, one = [x for x in p.s.outcome.lines[0] if x.what == "festival"]
    assert (three.values, one.values) == ({"cards": 3}, {"cards": 1})
    assert said(p, three) == "3 festival cards of Sevilla"
    assert said(p, one) == "1 festival card of Palma"
    assert said(p, three, "fr") == "Festival à Sevilla\u00a0: 3\u00a0cartes"


@pytest.mark.rule("KR-8")
def test_a_province_line_tells_rank_sum_and_highest_spot() -> None:
    p = bare("south_korea", 3)
    put_on_mat(p, 0, "red", 9)
    put_on_mat(p, 1, "red", 6, 2, 1)
    put_on_mat(p, 2, "red", 5)
    assert line(p, 0, "province_line").values == {"rank": 1, "sum": 9, "highest": 9}
    second = line(p, 1, "province_line")
    assert second.values == {"rank": 2, "sum": 9, "highest": 6}
    assert said(p, second) == "Rank 2 on the red line (South Jeolla): sum 9, highest spot 6"


@pytest.mark.rule("KR-8")
def test_every_view_has_the_ranks_on_the_mat_as_they_stand() -> None:
    p = bare("south_korea", 4)
    put_on_mat(p, 3, "white", 1, 8)
    put_on_mat(p, 1, "white", 9)
    put_on_mat(p, 0, "white", 2)
    at = line_of(p, "white") * 4
    for seat in (-1, 0, 1, 2, 3):
        ranks = p.s.view(seat)["mat_ranks"]
        assert ranks[at : at + 4] == [3, 1, 0, 2]
        assert sum(ranks) == 6  # on the other lines nobody stands


@pytest.mark.rule("US-1", "BASE-14")
def test_the_longest_path_is_told_with_the_lengths_of_all() -> None:
    p = bare("usa", 3)
    p.own(0, "dallas-el_paso")
    p.own(1, "denver-santa_fe", "el_paso-santa_fe", "el_paso-phoenix")
    found = line(p, 1, "longest_path")
    assert (found.ref, found.values) == (7, {"of_all": [4, 7, 0]})
    assert said(p, found) == "Longest path: 7 spaces (others: Ada 4, Cy 0)"
    assert said(p, found, viewer=0) == "Longest path: 7 spaces (others: you 4, Cy 0)"


@pytest.mark.rule("NO-9")
def test_the_most_tickets_are_told_with_the_numbers_of_all() -> None:
    p = bare("nordic", 2)
    p.tickets(1, "oslo-stockholm")
    p.own(1, "orebro-oslo", "orebro-stockholm")
    found = line(p, 1, "globetrotter")
    assert found.values == {"of_all": [0, 1]}
    assert said(p, found) == "Most completed tickets: 1 (others: Ada 0)"


def stations(p: Position, seat: int, *cities: str) -> None:
    for city in cities:
        p.s.d[p.field("stations") + p.game.board.city_of[city]] = seat + 1
        p.s.d[p.field("stations_left") + seat] -= 1
    p.arranged()


@pytest.mark.rule("EU-1")
def test_each_station_tells_the_route_that_it_borrows() -> None:
    p = bare("europe")
    p.tickets(0, "paris-wien", "paris-zagrab")
    p.own(0, "frankfurt-munchen", "munchen-wien", "venezia-zurich", "venezia-zagrab")
    p.own(1, "frankfurt-paris", "paris-zurich")
    stations(p, 0, "paris", "kyiv", "zurich")
    found = {x.ref: x for x in p.s.outcome.lines[0] if x.what == "station"}
    city = p.game.board.city_of
    assert all(x.points == 0 and x.rule == "EU-1" for x in found.values())
    assert found[city["paris"]].values == {"route": p.route("frankfurt-paris"), "of": 1}
    assert found[city["zurich"]].values == {"route": p.route("paris-zurich"), "of": 1}
    assert found[city["kyiv"]].values == {}
    borrowed = said(p, found[city["zurich"]])
    assert borrowed == "Station in Zürich: borrows Paris–Zürich from Bo"
    assert said(p, found[city["kyiv"]]) == "Station in Kyiv: no route borrowed"
    assert not [x for x in p.s.outcome.lines[1] if x.what == "station"]


@pytest.mark.rule("EU-1")
def test_a_station_borrows_nothing_that_its_owner_does_not_need() -> None:
    p = bare("europe")
    p.tickets(0, "paris-wien")
    p.own(0, "frankfurt-munchen", "munchen-wien", "frankfurt-paris")
    p.own(1, "paris-zurich")
    stations(p, 0, "paris")
    assert line(p, 0, "station").values == {}


@pytest.mark.rule("BASE-12")
def test_the_result_says_which_tie_break_decided() -> None:
    p = bare("usa")
    words = Words(p.game, "en", ["Ada", "Bo"])
    p.own(0, "dallas-el_paso")
    assert p.s.outcome.tie_break == words.tie_break(p.s.outcome) == ""
    p = bare("usa")
    p.tickets(0, "denver-el_paso")
    p.own(0, "denver-santa_fe", "el_paso-santa_fe")
    level(p)
    outcome = p.s.outcome
    assert outcome.scores[0] == outcome.scores[1]
    assert (outcome.winners, outcome.tie_break) == ([0], "tickets")
    assert words.tie_break(outcome) == "Level on points; more completed tickets decided."
    file = io.StringIO()
    Console(file=file, width=100).print(scoreboard(outcome, words))
    assert "Level on points; more completed tickets decided. (BASE-12)" in file.getvalue()


@pytest.mark.rule("BASE-12")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_shared_victory_is_told_as_such(lang: str) -> None:
    p = bare("new_york")
    outcome = p.s.outcome
    assert (outcome.winners, outcome.tie_break) == ([0, 1], "")
    told = Words(p.game, lang).tie_break(outcome)
    assert told == Words(p.game, lang).say("score.tie.none")


def test_without_lines_the_totals_are_the_same() -> None:
    p = bare("south_korea", 3)
    put_on_mat(p, 0, "red", 9)
    put_on_mat(p, 1, "blue", 3)
    told, plain = tally(p.s, True), tally(p.s, False)
    assert list(told.total) == list(plain.total)
    assert plain.lines is None


def test_what_a_line_rests_on_is_sent_with_it() -> None:
    p = bare("iberia")
    give_fiestas(p, 0, sevilla=3)
    (sent,) = [x for x in lines_of(p.s.outcome, Words(p.game, "en"))[0] if x.what == "festival"]
    expected: Values = {"cards": 3}
    assert (sent.values, sent.text) == (expected, "3 festival cards of Sevilla")


@pytest.mark.parametrize(
    ("board", "part"),
    [
        ("iberia", "54 festival cards"),
        ("south_korea", "45 trains for each player"),
        ("new_york", "44 cards: 6 of each of 6 colours and 8 taxi cards"),
        ("nordic", "46 tickets"),
        ("usa", "110 cards: 12 of each of 8 colours and 14 locomotives"),
        ("europe", "46 tickets, 6 of them long"),
    ],
)
def test_a_board_tells_what_is_in_its_box(board: str, part: str) -> None:
    assert part in board_facts(Game(board, 2).board, "en").components


def test_ranks_follow_the_sums_on_every_line_of_a_played_game() -> None:
    game = Game("south_korea", 3)
    state = game.start(seed=4)
    lines: Any = next(e for e in game.board.rules if e.name == "province_mat").params["lines"]
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[-1])
    view = state.view()
    width = len(view["mat"]) // len(lines)
    assert any(view["mat"])
    for k, entry in enumerate(lines):
        owners = view["mat"][k * width : (k + 1) * width]
        sums = [
            sum(spot for spot, o in zip(entry["spots"], owners, strict=False) if o == seat + 1)
            for seat in range(3)
        ]
        ranks = view["mat_ranks"][k * 3 : k * 3 + 3]
        assert [rank > 0 for rank in ranks] == [n > 0 for n in sums]
        ranked = sorted((rank, n) for rank, n in zip(ranks, sums, strict=True) if rank)
        assert [rank for rank, _ in ranked] == list(range(1, len(ranked) + 1))
        assert all(a >= b for (_, a), (_, b) in pairwise(ranked))
