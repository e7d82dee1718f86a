"""A rule that nothing in the package knows is played in every way, without a change anywhere."""

from __future__ import annotations

import copy
import io
import pickle
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

import branchline
from branchline import Game, State, parse_action, read_game, replay, write_game
from branchline.bots import seat_bot
from branchline.engine.describe import Words
from branchline.engine.playback import playback_of
from branchline.tui.line_mode import LineMode
from branchline.tui.match import PERSON, Match
from branchline.tui.menus import Choice, menu
from branchline.tui.reader import Reader
from branchline.tui.screen import Screen
from toy_rule import board_with_picnics, forget, register

KINDS = {"picnic", "picnic_size"}


@pytest.fixture(scope="module")
def game() -> Iterator[Game]:
    register()
    yield Game(board_with_picnics(), 2)
    forget()


def play(state: State, rng: random.Random) -> set[str]:
    """Play to the end by chance; returns the kinds of actions that were taken."""
    kinds = set()
    while not state.over:
        seat = state.to_act[0]
        number = rng.choice(state.legal(seat))
        kinds.add(state.view(seat).action(number).kind)
        state.apply(seat, number)
    return kinds


def test_it_is_played_recorded_replayed_written_and_copied(game: Game) -> None:
    state = game.start(seed=5, log=True)
    assert play(state, random.Random(1)) >= KINDS
    lines = {line.what: line for line in state.outcome.lines[0]}
    assert lines["picnics"].points > 0
    assert replay(state.record()) == state
    assert read_game(write_game(state), game) == state
    assert playback_of(state).position(len(state.moves or ())) == state
    assert copy.copy(state) == state
    assert state.view(1) == game.unpack(state.to_bytes()).view(1)
    assert pickle.loads(pickle.dumps(state.view(0))).to_dict() == state.view(0).to_dict()


def test_its_actions_are_values_to_read(game: Game) -> None:
    action = game.action(parse_action(game, "picnic 2"))
    assert (action.kind, action.city, str(action)) == ("picnic", 1, "picnic 2")
    assert action == game.action(action.number) != game.action(action.number + 1)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_everything_that_is_said_of_it_is_shown_at_least_plainly(game: Game, lang: str) -> None:
    state = game.start(seed=5, log=True)
    words = Words(game, lang, viewer=0)
    play(state, random.Random(1))
    happened = [words.event(e) for e in state.events if e.kind.name == "PicnicHeld"]
    assert happened
    assert all(text.startswith("PicnicHeld city=") for text in happened)
    said = [words.score_line(line) for line in state.outcome.lines[1] if line.what == "picnics"]
    assert said == ["picnics"]
    fresh = game.start(seed=5)
    assert words.action(fresh, parse_action(game, "picnic large")) == "picnic large"


def at_turn(game: Game) -> State:
    state = game.start(seed=5, log=True)
    while state.phase != "turn" or state.turn != PERSON:
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[0])
    return state


def labels(choices: list[Choice]) -> list[str]:
    return [text for c in choices for text in (c.label.plain, *labels(c.more))]


def test_the_terminal_lists_it_in_a_turn_and_in_its_own_decision(game: Game) -> None:
    state = at_turn(game)
    words = Words(game, "en", viewer=PERSON)
    found = menu(state.view(PERSON), words)
    assert isinstance(found, list)
    assert {"picnic 1", "picnic 2", "picnic 3"} <= set(labels(found))
    state.apply(PERSON, parse_action(game, "picnic 1"))
    found = menu(state.view(PERSON), words)
    assert isinstance(found, list)
    assert labels(found) == ["picnic small", "picnic large"]


def test_a_person_plays_it_in_the_terminal_against_a_bot(game: Game) -> None:
    state = at_turn(game)
    words = Words(game, "en", viewer=PERSON)
    screen = io.StringIO()
    console = Console(file=screen, width=100, highlight=False)
    match = Match(state, [seat_bot("hard", game, 1, 1)], words)
    typed = io.StringIO("picnic 1\npicnic large\n")
    with pytest.raises(EOFError):
        LineMode(match, words, console, Reader(console, typed)).play()
    shown = screen.getvalue()
    assert "PicnicHeld city=0 size=1" in shown
    assert "picnics" in shown, "the heading of the players' table"
    assert "baskets" in shown, "the label of what lies on the table"
    assert match.view["picnics"][PERSON] == 1


def test_a_decision_about_it_can_be_taken_back(game: Game) -> None:
    state = at_turn(game)
    words = Words(game, "en", viewer=PERSON)
    match = Match(state, [seat_bot("random", game, 1, 1)], words)
    match.act(parse_action(game, "picnic 1"))
    match.undo()
    assert match.view.phase == "turn"


@pytest.mark.parametrize("level", ["easy", "hard", "greedy", "long", "paths", "hungry", "random"])
def test_every_bot_plays_on_a_board_that_has_it(game: Game, level: str) -> None:
    state = game.start(seed=9)
    bots = [seat_bot(level, game, seat, seat) for seat in range(2)]
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, bots[seat].decide(state.view(seat), 1.0))
    assert Screen(Words(game, "en")).table(state.view(0))


def test_a_bot_values_it_by_what_the_rule_says(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    state = at_turn(game)
    bot = seat_bot("hard", game, PERSON, 1)
    assert state.view(PERSON).action(bot.decide(state.view(PERSON), 1.0)).kind not in KINDS
    rule = game.rule_named("picnics")
    monkeypatch.setattr(type(rule), "action_value", lambda self, p, action: 1000.0)
    assert state.view(PERSON).action(bot.decide(state.view(PERSON), 1.0)).kind == "picnic"


def test_nothing_in_the_package_knows_it() -> None:
    root = Path(branchline.__file__).parent
    found = [p for p in root.rglob("*.py") if "picnic" in p.read_text("utf-8").lower()]
    assert found == []
