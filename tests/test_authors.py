"""The way of an author: a bot or a board from nothing to a game, in an empty folder."""

from __future__ import annotations

import ast
import io
import os
import pickle
import pydoc
import re
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import branchline
from branchline.bots import BotError, BotFault, CheckedBot, make_bot
from branchline.cli import run
from branchline.core.catalogue import LANGUAGES
from branchline.core.mapfile import MapError, load_board
from branchline.lab.errors import GameFailed
from branchline.tui.map_commands import watch

LANG = files("branchline.lang")
MAPS = files("branchline.maps")

BOTS = """
class Good:
    def start(self, game, seat, seed): pass
    def decide(self, view, seconds): return view.actions[0]
    def finish(self, view): pass

class Crash(Good):
    def decide(self, view, seconds):
        return self.helper(view)
    def helper(self, view):
        cards = list(view["hand"])
        raise RuntimeError("derailed")

class Wrong(Good):
    def decide(self, view, seconds): return -1

class Text(Good):
    def decide(self, view, seconds): return str(view.actions[0])

class Late(Good):
    def finish(self, view): raise RuntimeError("too late")

class Unmade(Good):
    def __init__(self): raise RuntimeError("not made")

class Old(Good):
    def decide(self, view): return view.actions[0]

class Stone:
    pass

number = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, with plain surroundings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [entry for entry in sys.path if entry])
    for variable in ("BRANCHLINE_LANG", "LC_ALL", "LC_MESSAGES", "BRANCHLINE_OVERLAYS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setattr("branchline.bots.conformance.builtin_boards", lambda: ["new_york"])
    return tmp_path


@pytest.fixture
def bots(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of bots in the folder; its name."""
    name = f"bots_of_{abs(hash(str(folder)))}"
    (folder / f"{name}.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.delitem(sys.modules, name, raising=False)
    return name


def said(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> str:
    """All that the command says, on either stream."""
    assert run(list(args)) == code, capsys.readouterr()
    return "".join(capsys.readouterr())


def shell(*args: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """The command as it is installed: its own folder is on the path, the current one is not."""
    start = "import sys; del sys.path[0]; from branchline.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", start, *args],
        cwd=cwd,
        env={**os.environ, "TERM": "dumb", "LANG": "C.UTF-8", **environ},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


# A bot of one's own


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_bot_passes_the_check(
    lang: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"my_first_{lang}"
    told = said(capsys, "bots", "new", name, "--lang", lang)
    spec = f"{name}:MyFirst{lang.capitalize()}"
    command = f"branchline bots check {spec}"
    assert told.endswith(f"{command}\n"), "the next command can be pasted"
    text = (folder / f"{name}.py").read_text(encoding="utf-8")
    ast.parse(text)
    assert text.count("#") > 4, "there are comments"
    assert max(map(len, text.splitlines())) <= 100
    assert said(capsys, *command.split()[1:], "--games", "1").startswith("ok\n")
    again = said(capsys, "bots", "new", name, code=2)
    assert "exists already" in again
    assert (folder / f"{name}.py").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("name", "words"),
    [("my-bot", "such as my_bot"), ("class", "such as my_bot"), ("random", "another Python")],
)
def test_a_bot_gets_a_name_that_python_finds(
    name: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in said(capsys, "bots", "new", name, code=2)
    assert not list(folder.iterdir())


def test_a_bot_in_the_current_folder_is_found_by_the_installed_command(folder: Path) -> None:
    (folder / "good_bots.py").write_text(BOTS, encoding="utf-8")
    words = ["simulate", "--map", "new_york", "--games", "300", "--processes", "2"]
    done = shell(*words, "--bots", "good_bots:Good,random", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    done = shell(*words, "--bots", "good_bots:Late,random", cwd=folder)
    assert done.returncode == 1
    assert "good_bots:Late" in done.stderr
    done = shell("play", "--map", "new_york", "--against", "good_bots:Good", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_of_the_folder_hides_no_other_module(folder: Path) -> None:
    for name in ("json", "rich", "numpy"):
        (folder / f"{name}.py").write_text("raise RuntimeError('hidden')", encoding="utf-8")
    (folder / "own_bots.py").write_text(BOTS, encoding="utf-8")
    words = ["arena", "own_bots:Good", "random", "--map", "new_york", "--blocks", "2"]
    done = shell(*words, "--processes", "1", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("Stone", "does not have start, decide, finish"),
        ("Nobody", "has no class or function Nobody"),
        ("number", "has no class or function number"),
    ],
)
def test_what_is_no_bot_is_said(
    bot: str, words: str, bots: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, "bots", "check", f"{bots}:{bot}", code=2)
    assert words in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def decide(:\n", "SyntaxError"),
        ("import no_such_module_at_all\n", "ModuleNotFoundError"),
        ("x = 1 // 0\n", "ZeroDivisionError"),
        ("int('x')\n", "ValueError"),
    ],
)
def test_a_module_that_fails_is_shown_where_it_does(
    text: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"broken_{words.lower()}"
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    for command in (["bots", "check"], ["play", "--against"], ["arena", "random"]):
        told = said(capsys, *command, f"{name}:Mine", code=1)
        assert told.startswith(f"The bot {name}:Mine raised an exception (import → {words}")
        assert f'{name}.py", line 1' in told
        assert "importlib" not in told
        assert "branchline/" not in told, "our own frames say nothing to the author"


def test_a_module_that_is_nowhere_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for spec in ("nowhere_at_all:Mine", ".:Mine", "os.nowhere:Mine"):
        assert "there is no module" in said(capsys, "bots", "check", spec, code=2)


PLAYED = [
    ["bots", "check", "{}", "--games", "1"],
    ["simulate", "--map", "new_york", "--bots", "{},random", "--processes", "1"],
    ["arena", "{}", "random", "--map", "new_york", "--blocks", "2", "--processes", "1"],
    ["study", "new_york", "--bots", "{},random", "--games", "2", "--processes", "1"],
    ["play", "--map", "new_york", "--against", "{}", "--seed", "3"],
]


@pytest.mark.parametrize("words", PLAYED, ids=lambda words: words[0])
def test_a_bot_that_crashes_is_named_with_its_traceback(
    words: list[str],
    bots: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    args = [word.format(f"{bots}:Crash") for word in words]
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" + "draw\n" * 30))
    told = said(capsys, *args, code=1)
    assert f"{bots}:Crash raised an exception" in told
    assert "RuntimeError: derailed" in told
    assert re.search(rf'{bots}\.py", line \d+, in helper\n +raise RuntimeError', told)
    assert "report it" not in told, "it is no bug of ours"
    assert "branchline/" not in told
    assert "cards = [" not in told
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" + "draw\n" * 30))
    more = said(capsys, *args, "--debug", code=1)
    assert "cards = [" in more, "with the variables of the bot"
    assert "checked_bot.py" in more, "and our frames"


@pytest.mark.parametrize("words", PLAYED, ids=lambda words: words[0])
@pytest.mark.parametrize("bot", ["Wrong", "Text"])
def test_an_answer_that_is_not_allowed_is_named(
    bot: str,
    words: list[str],
    bots: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" + "draw\n" * 30))
    told = said(capsys, *[word.format(f"{bots}:{bot}") for word in words], code=1)
    assert f"{bots}:{bot}" in told
    assert "not one of" in told
    assert ("→ -1" if bot == "Wrong" else "→ '") in told
    assert "Traceback" not in told
    assert "report it" not in told


@pytest.mark.parametrize(
    ("bot", "at"), [("Late", "finish"), ("Unmade", "__init__"), ("Old", "opening_tickets")]
)
def test_a_fault_says_what_the_bot_was_asked(
    bot: str, at: str, bots: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, "bots", "check", f"{bots}:{bot}", "--games", "1", code=1)
    assert f"raised an exception ({at} → " in told


def test_a_game_that_breaks_off_is_saved(
    bots: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" + "draw\n" * 30))
    words = ["--against", f"{bots}:Crash", "--seed", "3", "--save", "game.json"]
    assert "derailed" in said(capsys, "play", "--map", "new_york", *words, code=1)
    assert said(capsys, "replay", "game.json")


def test_a_fault_of_our_own_bots_is_ours(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Derailed:
        def start(self, game: object, seat: int, seed: object) -> None:
            raise RuntimeError("derailed")

        def decide(self, view: object, seconds: float) -> int:
            return 0

        def finish(self, view: object) -> None: ...

    monkeypatch.setitem(make_bot.__globals__["OWN"], "greedy", Derailed)
    words = ["--map", "new_york", "--processes", "1"]
    told = said(capsys, "simulate", "--bots", "greedy,random", *words, code=1)
    assert "Please report it" in told
    assert len(told.splitlines()) == 1
    assert "Traceback" in said(
        capsys, "simulate", "--bots", "greedy,random", *words, "--debug", code=1
    )
    told = said(capsys, "play", "--map", "new_york", "--against", "greedy", code=1)
    assert "please report it" in told


def test_faults_travel_between_processes(bots: str) -> None:
    game = branchline.Game("new_york", 2)
    state = game.start(1)
    bot = CheckedBot(f"{bots}:Crash")
    bot.start(game, 0, 1)
    with pytest.raises(BotFault) as caught:
        bot.decide(state.view(0), 1.0)
    for fault in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (fault.code, fault.bot, fault.own) == ("bot_failed", f"{bots}:Crash", False)
        assert "in helper" in fault.trace
        assert "cards = " in fault.debug
    failed = GameFailed("new_york", 2, "1", "a,b", "derailed", caught.value)
    again = pickle.loads(pickle.dumps(failed))
    assert again.text("en") == failed.text("en")
    assert again.fault.trace == caught.value.trace


def test_a_bot_may_refuse_its_parameters(bots: str) -> None:
    with pytest.raises(BotError, match="bot_parameters"):
        make_bot(f"{bots}:Good:wings=2")


# A board of one's own


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_board_can_be_checked_played_and_drawn(
    lang: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, "maps", "new", "my_island", "--lang", lang)
    assert told.endswith("branchline maps check my_island.toml\n")
    text = (folder / "my_island.toml").read_text(encoding="utf-8")
    assert text.count("#") > 10, "there are comments"
    assert said(capsys, "maps", "check", "my_island.toml") == "ok\n"
    assert "My island" in said(capsys, "maps", "show", "my_island.toml")
    words = ["--map", "my_island.toml", "--games", "4", "--processes", "1", "--json"]
    for seats in ("2", "4"):
        assert '"games": 4' in said(capsys, "simulate", "--seats", seats, *words)
    if lang == "en":  # a drawing takes a while
        said(capsys, "maps", "draw", "my_island.toml", "--out", "island.svg")
        assert (folder / "island.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "exists already" in said(capsys, "maps", "new", "my_island", code=2)
    assert (folder / "my_island.toml").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("name", "words"),
    [("usa", "built-in board"), ("My Island", "small letters"), ("a/b", "small letters")],
)
def test_a_board_gets_an_id_of_its_own(
    name: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in said(capsys, "maps", "new", name, code=2)
    assert not list(folder.iterdir())


def test_a_file_with_the_id_of_a_built_in_board_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usa = MAPS.joinpath("usa.toml").read_text(encoding="utf-8")
    (folder / "mine.toml").write_text(usa.replace("trains = 45", "trains = 44"), encoding="utf-8")
    for command in (["maps", "check"], ["maps", "show"], ["simulate", "--games", "1", "--map"]):
        told = said(capsys, *command, "mine.toml", code=1 if command[1] == "check" else 2)
        assert "usa is a built-in board" in told
        assert "mine.toml" in told
    with pytest.raises(MapError, match="built-in"):
        load_board("mine.toml")
    (folder / "same.toml").write_text(usa, encoding="utf-8")
    assert load_board("same.toml").digest == load_board("usa").digest, "the same board is no harm"


def overlay(path: str, board: str = "usa", points: int = 5, city: str = "boston") -> None:
    between = f'between = ["atlanta", "{city}"], points = {points}'
    Path(path).write_text(
        f'format = 1\noverlay_for = "{board}"\ntickets = [{{ {between} }}]\n', encoding="utf-8"
    )


def test_an_overlay_is_checked_by_itself_or_with_its_board(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = load_board("usa").source["tickets"]
    assert isinstance(rows, list)
    lines = [
        f'{{ between = ["{row["between"][0]}", "{row["between"][1]}"], points = 7 }}'
        for row in rows
    ]
    body = "tickets = [\n" + ",\n".join(lines) + "\n]\n"
    Path("fine.toml").write_text(f'format = 1\noverlay_for = "usa"\n{body}', encoding="utf-8")
    assert said(capsys, "maps", "check", "fine.toml") == "ok\n"
    assert said(capsys, "maps", "check", "usa", "--overlay", "fine.toml") == "ok\n"
    overlay("wrong.toml", city="atlantis")
    for words in (["wrong.toml"], ["usa", "--overlay", "fine.toml", "--overlay", "wrong.toml"]):
        told = said(capsys, "maps", "check", *words, code=1)
        assert told.startswith("wrong.toml: tickets[0]"), "the file that is wrong is named"
        assert "atlantis" in told
    overlay("few.toml")
    told = said(capsys, "maps", "check", "usa", "--overlay", "few.toml", code=1)
    assert told.startswith("few.toml: "), "a rule that no longer fits is the overlay's fault"


def test_an_overlay_for_a_board_of_ones_own_needs_that_board(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "maps", "new", "island")
    overlay("lists.toml", board="island")
    assert "--overlay" in said(capsys, "maps", "check", "lists.toml", code=2)
    told = said(capsys, "maps", "check", "island.toml", "--overlay", "lists.toml", code=1)
    assert told.startswith("lists.toml: ")
    Path("island.toml").write_text(
        Path("island.toml").read_text(encoding="utf-8").replace("trains = 20", "trains = 0"),
        encoding="utf-8",
    )
    told = said(capsys, "maps", "check", "island.toml", "--overlay", "lists.toml", code=1)
    assert told.startswith("island.toml: trains"), "the board comes first"


def test_a_watched_board_is_drawn_whenever_it_is_saved(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said(capsys, "maps", "new", "island")
    board, picture = folder / "island.toml", folder / "island.svg"
    good = board.read_text(encoding="utf-8")
    monkeypatch.setattr("branchline.tui.map_commands.drawn", lambda board, *_: f"<svg>{board!r}")
    pictures: list[str] = []

    def save(text: str | None) -> None:
        pictures.append(picture.read_text(encoding="utf-8") if picture.exists() else "")
        if text is None:
            board.unlink()
            return
        board.write_text(text, encoding="utf-8")
        now = board.stat().st_mtime_ns + len(pictures) * 1_000_000
        os.utime(board, ns=(now, now))

    steps = iter([good.replace("length = 4", "length = 400"), None, good.replace("cork", "kork")])

    def pause(seconds: float) -> None:
        try:
            save(next(steps))
        except StopIteration:
            pictures.append(picture.read_text(encoding="utf-8"))
            raise KeyboardInterrupt from None

    monkeypatch.setattr("time.sleep", pause)
    monkeypatch.setattr(watch, "__defaults__", (pause,))
    told = said(capsys, "maps", "watch", "island.toml")
    assert told.count("island.svg") == 2, "drawn at first and when it was right again"
    assert "island.toml: routes[2] (derry–dublin).length: 400" in told
    assert pictures[0] == pictures[1] == pictures[2], "what is wrong leaves the picture alone"
    assert len(pictures) == 4


def test_only_a_file_is_watched(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "end in .toml" in said(capsys, "maps", "watch", "usa", code=2)


# The command itself


def test_the_version_is_an_option_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--version") == said(capsys, "version")


@pytest.mark.parametrize(
    "words", [[], ["maps"], ["bots"], ["maps", "new"], ["simulate"], ["serve"], ["replay"]]
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_h_is_help_everywhere(
    lang: str, words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, "--lang", lang, *words, "-h")
    assert text == said(capsys, "--lang", lang, *words, "--help")
    if lang == "fr":
        assert not re.search(r"\b(Install|Show|the|and)\b", text)


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_boards_and_bots(shell_name: str, folder: Path) -> None:
    (folder / "nearby.toml").write_text("", encoding="utf-8")

    def completed(line: str) -> set[str]:
        words = line.split(" ")
        environ = {"_BRANCHLINE_COMPLETE": f"complete_{shell_name}"}
        if shell_name == "bash":
            environ |= {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        else:
            environ |= {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        done = shell(cwd=folder, **environ)
        assert done.stderr == ""
        return set(re.findall(r"[\w.,:-]+", done.stdout))

    assert "simulate" in completed("branchline sim")
    assert {"nordic", "new_york", "nearby.toml"} <= completed("branchline play --map n")
    assert "random,hungry" in completed("branchline play --against random,hu")
    assert "BASE-7" in completed("branchline rules BASE-7")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "file", ["cli", "play", "lab", "errors", "bots", "serve", "host", "starts"]
)
def test_commands_in_messages_can_be_pasted(lang: str, file: str) -> None:
    text = LANG.joinpath(lang, f"{file}.toml").read_text(encoding="utf-8")
    found = list(messages("", tomllib.loads(text)))
    assert found
    word = r"(?:branchline|pip|python|npm|routes|\{command\})\b|\{command\}"
    for key, message in found:
        assert not re.search(rf"[“”«»‘„]\s*(?:{word})", message), (key, "quotes before a command")
        assert not re.search(r"--\w[\w-]*\s*[”»]", message), (key, "quotes after a command")
        assert not re.search(r"(?<![\w}])[–—]+\w", message), (key, "a dash that is no hyphen")
        assert not re.search(r"[“«]\s*branchline\[", message), (key, "quotes that no shell knows")
        assert not re.search(r"branchline\u00a0", message), (key, "a space that no shell knows")


def messages(prefix: str, table: dict[str, object]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            found += messages(f"{prefix}{name}.", value)
        else:
            found.append((prefix + name, str(value)))
    return found


# In Python


def test_help_says_something() -> None:
    for cls, words in (
        (branchline.Game, ["A board for a number of seats", "start(", "action_text("]),
        (branchline.State, ["legal(", "Take an action for a seat", "Whether the game has ended"]),
        (branchline.View, ["to_dict("]),
        (branchline.Board, ["A board as its file describes it"]),
        (branchline.Outcome, ["The result of a game"]),
        (branchline.Record, ["It holds every secret"]),
    ):
        text = pydoc.plain(pydoc.render_doc(cls))
        for word in words:
            assert word in text, (cls, word)


def test_things_say_what_they_are() -> None:
    game = branchline.Game("new_york", 2)
    state = game.start(5, first=0, log=True)
    board = game.board
    assert repr(game) == "Game('new_york', seats=2)"
    assert repr(state) == (
        "State(Game('new_york', seats=2), phase='opening_tickets', to_act=[0, 1], moves=0)"
    )
    assert repr(state.view(0)) == "View(seat=0, phase='opening_tickets', to_act=[0, 1])"
    assert repr(board).startswith("Board('new_york', seats=2-4, ")
    assert repr(board.cities[0]) == f"City(0, {board.cities[0].id!r})"
    assert repr(board.routes[1]).startswith("Route(1, a=")
    assert repr(board.tickets[2]).startswith("Ticket(2, a=")
    assert repr(board.rules[0]) == f"RuleEntry({board.rules[0].name!r})"
    assert repr(state.events[0]).startswith("Event(GameBegan, ")
    record = state.record()
    assert repr(record) == f"Record('new_york', seats=2, 0 actions, {len(record.events)} events)"
