"""A bot through a game: whoever plays bots starts them once, asks them in order, finishes once."""

from __future__ import annotations

import hashlib

import pytest

from branchline import Game
from branchline.bots import make_bot
from branchline.bots.session import Session, play, resume
from branchline.engine.describe import Words
from branchline.engine.record import rewind
from branchline.engine.view import View
from branchline.lab.run.game_runner import GameRunner
from branchline.lab.run.line_up import LineUp
from branchline.tui.match import PERSON, Match

BOARD = "new_york"


class Noting:
    """Its answers depend on all that it was shown; it notes what it is asked."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.shown = hashlib.blake2b()

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.calls.append("start")
        self.shown = hashlib.blake2b(str(seed).encode())

    def decide(self, view: View, seconds: float) -> int:
        self.calls.append("decide")
        self.shown.update(repr((list(view.data), view.actions)).encode())
        return view.actions[int(self.shown.hexdigest(), 16) % len(view.actions)]

    def finish(self, view: View) -> None:
        self.calls.append("finish")


def test_a_game_starts_and_finishes_every_bot_once() -> None:
    state = Game(BOARD, 2).start(1)
    bots = [Noting(), Noting()]
    play(state, bots, ["a", "b"], 1.0)
    assert state.over
    for seat, bot in enumerate(bots):
        decisions = sum(move & 7 == seat for move in state.moves or ())
        assert bot.calls == ["start", *["decide"] * decisions, "finish"]


def test_the_lab_starts_and_finishes_every_bot_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Noting] = []

    def make(name: str) -> Noting:
        made.append(Noting())
        return made[-1]

    monkeypatch.setattr("branchline.lab.run.game_runner.CheckedBot", make)
    game = Game(BOARD, 2)
    line_up = LineUp(BOARD, game.board.digest, game.board.source, 2, ("x", "y"))
    GameRunner(line_up, 1.0).play("7", [0, 1], ["a", "b"])
    assert len(made) == 2
    for bot in made:
        assert bot.calls[0] == "start"
        assert bot.calls[-1] == "finish"
        assert set(bot.calls[1:-1]) == {"decide"}


@pytest.mark.parametrize("spec", ["random", "easy"])
def test_a_bot_that_is_shown_its_game_again_goes_on_as_the_one_before(spec: str) -> None:
    state = Game(BOARD, 2).start(3)
    play(state, [make_bot(spec), make_bot("random")], ["a", "b"], 5.0)
    moves = state.moves or []
    middle = rewind(state, len(moves) // 2)
    session = Session(make_bot(spec), state.game, 0, "a")
    resume({0: session}, middle, 5.0)
    for move in moves[len(moves) // 2 :]:
        if move & 7 == 0:
            assert session.decide(middle.view(0), 5.0) == move >> 3
        middle.apply(move & 7, move >> 3)


def test_the_terminal_goes_on_with_a_saved_game_as_if_it_had_not_been_saved() -> None:
    game = Game(BOARD, 2)

    def match_of(moves: int) -> tuple[Match, Noting]:
        rival = Noting()
        state = rewind(whole._state, moves, log=True)
        return Match(state, [rival], Words(game, "en", viewer=PERSON)), rival

    first = Noting()
    whole = Match(game.start(5, log=True), [first], Words(game, "en", viewer=PERSON))
    for _ in range(8):
        whole.rivals_play()
        whole.act(whole.view.actions[0])
    saved = len(whole._state.moves or ())
    again, rival = match_of(saved)
    for match in (whole, again):
        for _ in range(4):
            match.rivals_play()
            match.act(match.view.actions[0])
        match.end()
        match.end()
    assert again._state.moves == whole._state.moves
    for bot in (first, rival):
        assert [bot.calls.count(what) for what in ("start", "finish")] == [1, 1]
    assert rival.calls == first.calls
