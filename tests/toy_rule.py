"""A rule that the package has never heard of, with actions, a decision, an event and a score.

A seat may begin its turn with a picnic in a city, and then chooses how large it is. The catalogue
has no words for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from branchline.core.board import Board
from branchline.core.machine import i64
from branchline.core.mapfile import board_from_data, load_board
from branchline.engine.events import EventKind
from branchline.engine.facts import Action, Figure, Item, Part, Row, Values
from branchline.engine.flow import end_turn
from branchline.engine.game import Game
from branchline.engine.layout import PUBLIC
from branchline.engine.outcome import Tally
from branchline.engine.registry import MAKERS
from branchline.engine.rule import ON_SCORE, ON_TURN, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.parameters import PARAMS, Count, Params
from branchline.rules.registration import add_rule

CITIES: Final = 3  # there is a meadow in the first few cities only


class PicnicsParams(Params, tag="picnics", frozen=True, kw_only=True):
    """Picnics, and how many each seat may hold."""

    most: Count = 2


class Picnics(Rule):
    """A turn may be spent on a picnic, small or large."""

    def __init__(self, cite: str, most: int) -> None:
        super().__init__("picnics", cite, 47, ON_TURN | ON_SCORE)
        self.most = most
        self.game: Game | None = None
        self.go: i64 = 0
        self.size: i64 = 0
        self.phase: i64 = 0
        self.held: i64 = 0
        self.points: i64 = 0
        self.event: EventKind | None = None

    def declare(self, game: Game) -> None:
        self.game = game
        self.held = game.layout.fields.add("picnics", game.seats, PUBLIC)
        self.points = game.layout.fields.add("picnic_points", game.seats, PUBLIC)
        self.go = game.add_actions(self, 0, CITIES)
        self.size = game.add_actions(self, 1, 2)
        self.phase = game.add_phase("picnic_size", self)
        self.event = game.add_event(self.index, 0, "PicnicHeld", "city size", reveals=False)

    def turn_actions(self, s: State, seat: i64) -> None:
        if s.d[self.held + seat] < self.most:
            for city in range(CITIES):
                s.put(self.go + city)

    def legal(self, s: State, seat: i64) -> None:
        s.put(self.size)
        s.put(self.size + 1)

    def apply(self, s: State, seat: i64, action: i64) -> None:
        assert self.game is not None
        if action < self.size:
            s.d[s.t.used] = 1
            s.d[s.t.reg] = action - self.go
            s.ask(self.phase, self.game.turn_bit[seat])
            return
        self.picnic_held(s, seat, s.d[s.t.reg], action - self.size)
        end_turn(s)

    def picnic_held(self, s: State, seat: i64, city: i64, size: i64) -> None:
        s.d[self.held + seat] += 1
        s.d[self.points + seat] += 1 + size
        if s.log is not None and self.event is not None:
            s.log.add(self.event, seat, [city, size])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        self.picnic_held(s, seat, numbers[0], numbers[1])

    def score(self, s: State, tally: Tally) -> None:
        for seat in range(tally.seats):
            held = s.d[self.held + seat]
            tally.add(seat, self.cite, "picnics", s.d[self.points + seat], held)

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        return None

    def write(self, action: i64) -> str:
        if action < self.size:
            return f"picnic {action - self.go + 1}"
        return "picnic small" if action == self.size else "picnic large"

    def facts(self, action: i64, view: View | None) -> Action:
        if action < self.size:
            values: Values = {"city": int(action - self.go)}
            return Action(action, "picnic", self.write(action), values)
        return Action(action, "picnic_size", self.write(action), {"size": int(action - self.size)})

    def figures(self, view: View, seat: int) -> list[Figure]:
        return [Figure("picnics", str(view["picnics"][seat]))]

    def rows(self, view: View) -> list[Row]:
        items: list[Item] = [[Part(str(n))] for n in view["picnics"]]
        return [Row("baskets", items)]


def register() -> None:
    """Let boards list the rule."""
    add_rule(PicnicsParams, "BASE-2", lambda cite, params, board: Picnics(cite, params.most))


def forget() -> None:
    """Leave no trace of the rule for other tests in this process."""
    del PARAMS["picnics"], MAKERS["picnics"]


def with_picnics(data: Mapping[str, Any]) -> dict[str, Any]:
    """A board's data with the rule in its list."""
    rules = [*data["rules"], {"rule": "picnics", "most": 3}]
    return {**data, "id": "picnics", "name": {"en": "Picnics"}, "rules": rules}


def board_with_picnics() -> Board:
    """New York with picnics."""
    return board_from_data(with_picnics(load_board("new_york").source), "picnics")


def board_file(folder: Path) -> Path:
    """The same board as a file."""
    import tomllib
    from importlib.resources import files

    text = (files("branchline.maps") / "new_york.toml").read_text("utf-8")
    text = text.replace('id = "new_york"', 'id = "picnics"', 1)
    at = text.index("rules = [") + len("rules = [")
    text = f'{text[:at]}\n  {{ rule = "picnics", most = 3 }},{text[at:]}'
    assert any(entry["rule"] == "picnics" for entry in tomllib.loads(text)["rules"])
    path = folder / "picnics.toml"
    path.write_text(text, "utf-8")
    return path
