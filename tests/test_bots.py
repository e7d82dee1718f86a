"""Bots: ours keep the promises of a bot, the check catches those that don't, trees are cheapest."""

from __future__ import annotations

import itertools
import random
import re
import sys
import time
from types import FrameType
from typing import ClassVar

import pytest

from branchline import Game, builtin_boards
from branchline._plain import compiled
from branchline.bots import BotError, bot_names, make_bot
from branchline.bots.conformance import check_bot, examine
from branchline.bots.registry import LEVELS, OWN
from branchline.bots.steiner import FAR, Forest
from branchline.cli import run
from branchline.core.catalogue import LANGUAGES
from branchline.engine.layout import column
from branchline.engine.state import State
from branchline.engine.view import View

SMALL = ["new_york"]
# As plain Python a planner takes minutes for all boards; the compiled run does all of them.
BOARDS = builtin_boards() if compiled() else ["new_york", "nordic"]


# --- our own ------------------------------------------------------------------------------------


# The expert takes its time; `test_expert.py` checks it with few worlds.
@pytest.mark.parametrize("spec", [spec for spec in (*OWN, *LEVELS) if spec != "expert"])
def test_our_bots_keep_the_promises(spec: str) -> None:
    # Levels and older versions are planners, too.
    boards = BOARDS if spec in OWN and spec != "planner-1" else SMALL
    assert check_bot(spec, games=1, seconds=5.0, boards=boards) == []


def test_the_check_shows_every_kind_of_decision() -> None:
    tables: list[str] = []
    report = examine("greedy", games=1, seconds=5.0, progress=tables.append)
    assert report.complaints == []
    assert [table.split()[0] for table in tables] == [b for b in builtin_boards() for _ in range(2)]
    # Only the nordic board lets other cards stand for locomotives.
    assert report.unmet == {(b, "substitute") for b in builtin_boards() if b != "nordic"}
    assert report.decisions > 1000
    assert 0.0 < report.slowest <= 5.0


# --- bots that break one promise each -----------------------------------------------------------


class First:
    """A good bot, for the bad ones to spoil."""

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        """Nothing to prepare."""

    def decide(self, view: View, seconds: float) -> int:
        return view.actions[0]

    def finish(self, view: View) -> None:
        """Nothing to keep."""


class Illegal(First):
    def decide(self, view: View, seconds: float) -> int:
        return -1 if view.phase == "draw" else view.actions[0]


class Meddler(First):
    """Makes its answer one of the actions."""

    def decide(self, view: View, seconds: float) -> int:
        view.actions.append(10**6)
        return 10**6


class Wordy(First):
    def decide(self, view: View, seconds: float) -> int:
        return str(view.actions[0])  # type: ignore[return-value]


class Raises(First):
    def decide(self, view: View, seconds: float) -> int:
        raise RuntimeError("derailed")


class RaisesAtStart(First):
    def start(self, game: Game, seat: int, seed: int | str) -> None:
        raise RuntimeError("derailed")


class RaisesAtEnd(First):
    def finish(self, view: View) -> None:
        raise RuntimeError("derailed")


class RaisesWhenMade(First):
    def __init__(self) -> None:
        raise RuntimeError("derailed")


class OnlyOften(First):
    """Knows no decision that seldom comes: its own games never lead it to one."""

    def decide(self, view: View, seconds: float) -> int:
        if view.phase == "keep_tickets":
            raise RuntimeError("derailed")
        for action in view.actions:
            if "ticket" not in view.game.action_text(action):
                return action
        return view.actions[0]


class Unseeded(First):
    def decide(self, view: View, seconds: float) -> int:
        return random.choice(view.actions)


class Counting(First):
    """Keeps something outside of itself."""

    asked: ClassVar[int] = 0

    def decide(self, view: View, seconds: float) -> int:
        Counting.asked += 1
        return view.actions[Counting.asked % 7 % len(view.actions)]


class Remembering(First):
    """Changes its ways after its first game."""

    def __init__(self) -> None:
        self.games = 0

    def decide(self, view: View, seconds: float) -> int:
        return view.actions[0 if self.games == 0 else -1]

    def finish(self, view: View) -> None:
        self.games += 1


class ClearingAtTheEnd(First):
    """Relies on every game being finished."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, view: View, seconds: float) -> int:
        self.asked += 1
        return view.actions[self.asked % len(view.actions)]

    def finish(self, view: View) -> None:
        self.asked = 0


class Strict(First):
    """Insists on its contract: started, asked, finished; a game may be broken off unfinished."""

    def __init__(self) -> None:
        self.playing = False
        self.asked = 0
        self.unfinished = 0

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.unfinished += self.playing
        self.playing = True
        self.asked = 0
        assert self.unfinished <= 1

    def decide(self, view: View, seconds: float) -> int:
        assert self.playing
        self.asked += 1
        return view.actions[self.asked % len(view.actions)]

    def finish(self, view: View) -> None:
        assert self.playing
        self.playing = False


class Peeking(First):
    """Looks for the whole state in the hands of its caller."""

    def decide(self, view: View, seconds: float) -> int:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            state = frame.f_locals.get("state")
            if isinstance(state, State):
                return view.actions[int(state.hash(), 16) % len(view.actions)]
            frame = frame.f_back
        return view.actions[0]


class Slow(First):
    def decide(self, view: View, seconds: float) -> int:
        time.sleep(0.1)
        return view.actions[0]


class Keen(First):
    def __init__(self, keen: bool = False, name: str = "") -> None:
        self.keen = keen
        self.name = name


def here(bot: type) -> str:
    return f"{__name__}:{bot.__name__}"


@pytest.mark.parametrize(
    ("bot", "what", "detail"),
    [
        (Illegal, "illegal", "draw → -1"),
        (Meddler, "illegal", "1000000"),
        (Wordy, "illegal", "opening_tickets → '"),
        (Raises, "failed", "opening_tickets → RuntimeError: derailed"),
        (RaisesAtStart, "failed", "start → RuntimeError"),
        (RaisesAtEnd, "failed", "finish → RuntimeError"),
        (RaisesWhenMade, "failed", "RuntimeError: derailed"),
        (OnlyOften, "failed", "keep_tickets → RuntimeError"),
        (Unseeded, "unsteady", "("),
        (Counting, "unsteady", "("),
        (Remembering, "remembers", "("),
        (ClearingAtTheEnd, "remembers", "("),
        (Peeking, "peeks", "("),
    ],
)
def test_a_broken_promise_is_found(bot: type, what: str, detail: str) -> None:
    found = check_bot(here(bot), games=3, seconds=5.0, boards=SMALL)
    assert [(c.board, c.seats, c.what) for c in found] == [("new_york", k, what) for k in (2, 4)]
    assert all(detail in c.detail for c in found)


def test_a_slow_bot_is_found() -> None:
    found = check_bot(here(Slow), games=1, seconds=0.05, boards=SMALL)
    assert {c.what for c in found} == {"slow"}
    assert all(float(c.detail) >= 0.1 for c in found)


def test_the_bot_that_the_bad_ones_spoil_is_good() -> None:
    assert check_bot(here(First), games=2, seconds=5.0, boards=SMALL) == []


def test_the_check_itself_keeps_the_contract() -> None:
    assert check_bot(here(Strict), games=1, seconds=5.0, boards=SMALL) == []


def test_a_bot_in_a_module_takes_parameters() -> None:
    bot = make_bot(f"{here(Keen)}:keen=true,name=Ann")
    assert isinstance(bot, Keen)
    assert (bot.keen, bot.name) == (True, "Ann")


@pytest.mark.parametrize("spec", ["nobody", "planner:wings=2", "no.such:Bot", "random:x"])
def test_an_unknown_bot_is_an_error(spec: str) -> None:
    with pytest.raises(BotError):
        check_bot(spec, boards=SMALL)


# --- the command --------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One board for the command, and plain surroundings."""
    monkeypatch.setattr("branchline.bots.conformance.builtin_boards", lambda: SMALL)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_command_lists_the_bots(
    lang: str, small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bots", "--lang", lang]) == 0
    text = capsys.readouterr().out
    for name in bot_names():
        assert re.search(rf"^{name} +\w", text, re.MULTILINE), name


@pytest.mark.parametrize(("lang", "words"), [("en", "decisions of"), ("fr", "décisions de")])
def test_the_command_says_ok(
    lang: str, words: str, small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bots", "check", "greedy", "--games", "1", "--lang", lang]) == 0
    text = capsys.readouterr().out
    assert text.startswith("ok\n")
    assert words in text
    assert " ms" in text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (Illegal, "draw → -1"),
        (Raises, "derailed"),
        (Unseeded, ("same seed", "même graine")),
        (Remembering, ("played before", "déjà joué")),
        (Peeking, ("looks the same", "position identique")),
        (Slow, ("took 0.1", "a pris 0,1")),
    ],
)
def test_the_command_says_what_is_wrong(
    bot: type,
    said: str | tuple[str, str],
    lang: str,
    small: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seconds = "0.05" if bot is Slow else "5"
    assert run(["bots", "check", here(bot), "--seconds", seconds, "--lang", lang]) == 1
    text = capsys.readouterr().out
    expected = said if isinstance(said, str) else said[LANGUAGES.index(lang)]
    told = [line for line in text.splitlines() if line.startswith("New York, ")]
    assert len(told) == 2
    assert all(expected in line for line in told)
    assert text.startswith("New York, 2 ")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "args",
    [["nobody"], ["no.such:Bot"], [], ["random", "--games", "0"], ["random", "--seconds", "0"]],
)
def test_the_command_answers_mistakes(
    args: list[str], lang: str, small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bots", "check", *args, "--lang", lang]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1


@pytest.mark.parametrize("args", [["bots"], ["bots", "check"]])
def test_the_help_is_in_the_language(
    args: list[str], small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*args, "--help", "--lang", "fr"]) == 0
    text = capsys.readouterr().out
    assert "Utilisation" in text
    assert not re.search(r"\b(Commands|required|default|Show|and|the)\b", text)


# --- cheapest trees -----------------------------------------------------------------------------


Edge = tuple[int, int, int]  # cost, city, city


def spanning_cost(edges: list[Edge], cities: set[int]) -> int | None:
    """The cost of the cheapest tree over just these cities; None if they don't hang together."""
    group = {city: city for city in cities}

    def top(city: int) -> int:
        while group[city] != city:
            city = group[city]
        return city

    total, missing = 0, len(cities) - 1
    for cost, a, b in sorted(edges):
        if a in cities and b in cities and top(a) != top(b):
            group[top(a)] = top(b)
            total += cost
            missing -= 1
    return total if missing == 0 else None


def cheapest_tree(edges: list[Edge], cities: set[int], terminals: set[int]) -> int | None:
    """By trying every set of cities on the way."""
    others = sorted(cities - terminals)
    found = [
        spanning_cost(edges, terminals | set(way))
        for n in range(len(others) + 1)
        for way in itertools.combinations(others, n)
    ]
    return min((cost for cost in found if cost is not None), default=None)


@pytest.mark.parametrize("board", ["usa", "nordic", "iberia"])
@pytest.mark.parametrize("seed", range(8))
def test_trees_are_the_cheapest(board: str, seed: int) -> None:
    game = Game(board, 2)
    routes = game.board.routes
    chance = random.Random(f"{board}/{seed}")
    # Ten neighbouring cities; all other routes are out of reach.
    cities = {chance.randrange(len(game.board.cities))}
    while len(cities) < 10:
        r = chance.choice(routes)
        if len(cities & {r.a, r.b}) == 1:
            cities |= {r.a, r.b}
    costs = [
        chance.choice([0, 1, 1, 2, 3, 4, 6, 8, FAR]) if {r.a, r.b} <= cities else FAR
        for r in routes
    ]
    edges = [(cost, r.a, r.b) for cost, r in zip(costs, routes, strict=True) if cost < FAR]
    forest = Forest(game.layout)
    forest.prepare(column(costs))
    for count in (2, 3, 4):
        terminals = set(chance.sample(sorted(cities), count))
        forest.clear_terminals()
        mask = 0
        for city in sorted(terminals):
            mask |= forest.terminal(city)
        forest.solve()
        expected = cheapest_tree(edges, cities, terminals)
        if expected is None:
            assert forest.tree[mask] >= FAR
            continue
        assert forest.tree[mask] == expected
        # The routes that it marks cost as much, and with the free ones they join the terminals.
        marked = column([0] * len(routes))
        forest.mark(mask, marked)
        chosen = [k for k in range(len(routes)) if marked[k]]
        assert sum(costs[k] for k in chosen) == expected
        owned = [k for k in range(len(routes)) if costs[k] == 0]
        reached = {min(terminals)}
        for _ in cities:
            for k in [*chosen, *owned]:
                if reached & {routes[k].a, routes[k].b}:
                    reached |= {routes[k].a, routes[k].b}
        assert terminals <= reached
