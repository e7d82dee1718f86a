"""The expert: deterministic for a seed, honest, legal everywhere, and never late."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from math import inf
from pathlib import Path

import pytest

from branchline import Game, builtin_boards, load_board
from branchline._plain import compiled
from branchline.bots import BotError, make_bot
from branchline.bots.board_data import search_table, value_table
from branchline.bots.board_data import tables as tables_of_boards
from branchline.bots.conformance import check_bot
from branchline.bots.expert import Expert
from branchline.bots.registry import LEVELS, bot_names
from branchline.bots.search import Candidate, Search
from branchline.bots.seat_search import SeatSearch
from branchline.bots.style import Style

BOARDS = builtin_boards() if compiled() else ["new_york"]
MOVES = 24  # of a game that is broken off
FEW = 16 if compiled() else 6


def tables() -> list[tuple[str, int]]:
    boards = [load_board(name) for name in BOARDS]
    return [(b.id, n) for b in boards for n in range(b.seats_min, b.seats_max + 1)]


def answers(board: str, seats: int, spec: str, moves: int, resampled: bool = False) -> list[int]:
    """What the first seat answers in a game of planners; also in worlds that look the same."""
    game = Game(board, seats)
    state = game.start("expert")
    bots = [make_bot("planner-1") for _ in range(seats)]
    bots[0] = make_bot(spec)
    for seat, bot in enumerate(bots):
        bot.start(game, seat, f"seat {seat}")
    found: list[int] = []
    while not state.over and len(found) < moves:
        seat = state.to_act[0]
        view = state.view(seat)
        if seat == 0 and resampled:
            view = state.resample(0, len(found)).view(0)
        answer = bots[seat].decide(view, 60.0)
        if seat == 0:
            found.append(answer)
        state.apply(seat, answer)
    return found


@pytest.mark.parametrize(("board", "seats"), tables())
def test_the_expert_answers_every_decision_of_every_board(board: str, seats: int) -> None:
    assert len(answers(board, seats, "expert:worlds=1", MOVES)) > 1


def test_the_same_seed_and_views_lead_to_the_same_answers() -> None:
    first = answers("new_york", 2, "expert:worlds=2", FEW)
    assert first == answers("new_york", 2, "expert:worlds=2", FEW)
    effort = answers("new_york", 2, "expert:seconds=0.002", FEW)
    assert effort == answers("new_york", 2, "expert:seconds=0.002", FEW)


def test_what_its_seat_cannot_know_decides_nothing() -> None:
    honest = answers("new_york", 3, "expert:worlds=2", FEW)
    assert honest == answers("new_york", 3, "expert:worlds=2", FEW, resampled=True)


@pytest.mark.skipif(not compiled(), reason="takes minutes as plain Python")
def test_the_expert_keeps_the_promises_of_a_bot() -> None:
    assert check_bot("expert:worlds=1", games=1, seconds=30.0, boards=["new_york"]) == []


def test_it_answers_at_once_when_its_time_is_up() -> None:
    game = Game("new_york", 2)
    state = game.start("late")
    bot = Expert(worlds=1_000_000)
    bot.start(game, 0, "late")
    planner = make_bot("planner")
    planner.start(game, 0, "late")
    assert bot.decide(state.view(0), 0.0) == planner.decide(state.view(0), 1.0)
    assert bot.seat_expert is not None
    assert [c.worlds for c in bot.seat_expert.search.candidates] == [0] * 3


def test_more_effort_means_more_worlds() -> None:
    game = Game("new_york", 2)
    view = game.start("effort").view(0)

    def worlds(seconds: float, limit: float = 60.0) -> int:
        bot = Expert(seconds=seconds)
        bot.start(game, 0, "effort")
        bot.decide(view, limit)
        assert bot.seat_expert is not None
        return bot.seat_expert.search.candidates[0].worlds

    assert worlds(0.002) < worlds(0.02)


def test_what_a_second_is_worth_is_a_number_of_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game("new_york", 2)
    view = game.start("pace").view(0)
    monkeypatch.setenv("BRANCHLINE_BOT_DATA", str(tmp_path))
    (tmp_path / "new_york.toml").write_text("[search.2]\nwork_per_second = 1\n")
    bot = Expert(seconds=10.0)
    bot.start(game, 0, "pace")
    bot.decide(view, 60.0)
    assert bot.seat_expert is not None
    assert bot.seat_expert.search.candidates[0].worlds == 1


def test_how_much_winning_counts_is_a_number_of_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game("new_york", 2)
    state = game.start("won")
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[0])
    (winner,) = state.outcome.winners
    monkeypatch.setenv("BRANCHLINE_BOT_DATA", str(tmp_path))
    for share, worth in ((1.0, [0.0, 1.0]), (0.0, [0.5, 0.5])):
        text = f"[value.2]\nscale = 1000000.0\nwin_share = {share}\n"
        (tmp_path / "new_york.toml").write_text(text)
        tables_of_boards.cache_clear()
        searches = [SeatSearch(game, seat).search for seat in (1 - winner, winner)]
        assert [search.worth(state) for search in searches] == pytest.approx(worth, abs=0.001)


def test_a_rival_races_in_its_share_of_the_worlds() -> None:
    search = SeatSearch(Game("new_york", 4), 0)
    search.racing = [0.0, 0.3, 1.0, 0.5]
    raced = [search.racing_in(world) for world in range(1000)]
    counts = [sum(seats >> seat & 1 for seats in raced) for seat in range(4)]
    assert counts == pytest.approx([0, 300, 1000, 500], abs=3)
    together = sum(seats & 0b1010 == 0b1010 for seats in raced)
    assert together == pytest.approx(150, abs=30)  # as often as by chance


def test_time_that_ends_within_a_world_leaves_that_world_out() -> None:
    game = Game("new_york", 2)
    view = game.start("late").view(0)
    search = Search(game, 0, Style({}))
    search.begin(view.actions[:3])
    assert search.try_world(view.world(1))
    assert not search.try_world(view.world(2), end=0.0)
    assert [c.worlds for c in search.candidates] == [1] * 3


def test_several_processes_find_what_one_does() -> None:
    game = Game("new_york", 2)
    state = game.start("helpers")
    found = []
    for processes in (1, 2):
        bot = Expert(worlds=32, processes=processes)
        bot.start(game, 0, "helpers")
        answer = bot.decide(state.view(0), 60.0)
        assert bot.seat_expert is not None
        helpers = [helper.process for helper in bot.seat_expert.helpers]
        assert len(helpers) == processes - 1
        assert all(helper.poll() is None for helper in helpers)
        found.append((answer, [c.worlds for c in bot.seat_expert.search.candidates], bot.values))
        bot.finish(state.view(0))
        assert all(helper.poll() == 0 for helper in helpers)
    one, two = found
    assert one[:2] == two[:2]
    assert two[2] == pytest.approx(one[2])


def test_values_are_from_lost_to_won_for_what_was_tried() -> None:
    game = Game("new_york", 2)
    state = game.start("values")
    bot = Expert(worlds=2)
    bot.start(game, 0, "values")
    view = state.view(0)
    bot.decide(view, 60.0)
    assert len(bot.values) == len(view.actions)
    assert all(0.0 <= value <= 1.0 for value in bot.values)
    while state.phase != "turn" or state.turn != 0:
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[0])
    view = state.view(0)
    bot.decide(view, 60.0)
    tried = [value for value in bot.values if value != -inf]
    assert len(bot.values) == len(view.actions)
    assert 2 <= len(tried) <= 7


def test_another_action_must_be_better_beyond_the_noise() -> None:
    search = Search(Game("new_york", 2), 0, Style({}))
    search.begin([10, 11, 12])
    default, noisy, better = search.candidates
    for k in range(20):
        for candidate, gain in ((default, 0.0), (noisy, 0.9 - 1.7 * (k % 2)), (better, 0.1)):
            candidate.worlds += 1
            candidate.gain += gain
            candidate.gain_squares += gain * gain
    assert search.best() == 12
    better.live = False
    assert search.best() == 10
    assert Candidate(1).lead() == 0.0


def test_the_worse_half_is_dropped_but_never_the_default() -> None:
    search = Search(Game("new_york", 2), 0, Style({}))
    search.begin([0, 1, 2, 3, 4, 5])
    for k, candidate in enumerate(search.candidates):
        candidate.worlds, candidate.gain = 1, float(k) if k else -99.0
    search.drop_worse()
    assert [c.action for c in search.candidates if c.live] == [0, 3, 4, 5]


def tried(gains: list[tuple[float, float]]) -> Search:
    """A search in which candidates have gained so much in 16 worlds, give or take."""
    search = Search(Game("new_york", 2), 0, Style({}))
    search.begin([*range(len(gains))])
    for candidate, (gain, spread) in zip(search.candidates, gains, strict=True):
        for k in range(16):
            x = gain + spread * (1 - 2 * (k % 2))
            candidate.add(1, x, x, x * x)
    return search


def test_what_is_worse_beyond_doubt_is_dropped_and_the_search_ends_with_the_default_alone() -> None:
    search = tried([(0.0, 0.0), (-0.1, 0.1), (-0.1, 0.4)])
    search.drop_hopeless()
    assert [c.live for c in search.candidates] == [True, False, True]
    assert not search.settled()
    search = tried([(0.0, 0.0), (-0.1, 0.1), (-0.2, 0.1)])
    search.drop_hopeless()
    assert [c.live for c in search.candidates] == [True, False, False]
    assert search.settled()


def test_a_few_worlds_that_agree_by_chance_prove_little() -> None:
    few, many = Candidate(1), Candidate(1)
    for k in range(40):
        many.add(1, 0.5, 0.02, 0.02 * 0.02)
        if k < 3:
            few.add(1, 0.5, 0.02, 0.02 * 0.02)
    assert few.lead() < few.error()
    assert many.lead() > 3.0 * many.error()


def test_the_search_ends_when_one_is_better_than_all_others_beyond_doubt() -> None:
    assert tried([(0.0, 0.0), (0.1, 0.1), (0.0, 0.1)]).settled()
    assert not tried([(0.0, 0.0), (0.1, 0.1), (0.09, 0.1)]).settled()
    assert not tried([(0.0, 0.0), (0.1, 0.4)]).settled()


@pytest.mark.parametrize(
    "spec",
    [
        "expert:seconds=0",
        "expert:worlds=-1",
        "expert:processes=0",
        "expert:candidates=0",
        "expert:depth=3",
    ],
)
def test_parameters_that_make_no_sense_are_refused(spec: str) -> None:
    with pytest.raises(BotError):
        make_bot(spec)


def test_the_expert_is_the_fourth_level() -> None:
    assert list(LEVELS) == ["easy", "normal", "hard", "expert"]
    assert bot_names().count("expert") == 1
    assert isinstance(make_bot("expert"), Expert)


@pytest.mark.parametrize(("board", "seats"), tables())
def test_what_was_learned_of_a_board_can_be_read(board: str, seats: int) -> None:
    assert (value_table(board, seats).turns > 0) == bool(value_table(board, seats).weights)
    assert search_table(board, seats).work_per_second > 0


@pytest.mark.skipif(not compiled(), reason="this run is plain Python: there is nothing to compare")
def test_compiled_and_plain_python_search_alike() -> None:
    plain = subprocess.run(
        [sys.executable, __file__],
        env=os.environ | {"BRANCHLINE_PURE": "1"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert json.loads(plain.stdout) == some_answers()


def some_answers() -> list[list[int]]:
    return [answers("new_york", 2, "expert:worlds=2", 12), answers("usa", 2, "expert:worlds=1", 4)]


if __name__ == "__main__":
    print(json.dumps(some_answers()))
