"""The command: what it prints, its exit codes, and what it says to mistakes."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest
from rich.console import Console

from branchline import Game, __version__, builtin_boards, cli, load_board
from branchline.cli import run
from branchline.core.catalogue import LANGUAGES, rule_ids
from branchline.tui.reader import Reader

USA = files("branchline.maps").joinpath("usa.toml").read_text(encoding="utf-8")
MINE = USA.replace('id = "usa"', 'id = "mine"')
COMMANDS = [[], ["play"], ["simulate"], ["replay"], ["maps"], ["rules"], ["version"]]
COMMANDS += [["maps", "show"], ["maps", "check"], ["maps", "schema"]]


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("BRANCHLINE_LANG", "LC_ALL", "LC_MESSAGES", "BRANCHLINE_OVERLAYS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A finished game as a record."""
    state = Game("new_york", 2).start(5, log=True)
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[0])
    path = tmp_path / "game.json"
    path.write_text(state.record().to_json(), encoding="utf-8")
    return path


def told(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> str:
    """What the command prints when all goes well."""
    assert run(list(args)) == code
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def refused(capsys: pytest.CaptureFixture[str], *args: str, code: int = 2) -> str:
    """The one line that the command says to a mistake."""
    assert run(list(args)) == code
    printed = capsys.readouterr()
    assert len(printed.err.splitlines()) == 1, printed.err
    assert "Traceback" not in printed.err + printed.out
    return printed.err.strip()


def in_process(*args: str, **more: object) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    command = [sys.executable, "-m", "branchline.cli", *args]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.PIPE}
    return subprocess.Popen(command, text=True, encoding="utf-8", **(pipes | more))  # type: ignore[call-overload, no-any-return]


# Help and language


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_is_in_the_language(
    command: list[str], lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = told(capsys, "--lang", lang, *command, "--help")
    assert ("Utilisation" in text) is (lang == "fr")
    assert ("Usage" in text) is (lang == "en")
    assert ("Afficher cette aide" in text) is (lang == "fr")
    if lang == "fr":
        assert not re.search(r"\b(Commands|required|default|Show|and|the)\b", text)


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys)
    for command in ("play", "simulate", "replay", "maps", "rules", "version"):
        assert command in text


def test_the_language_comes_from_the_option_then_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRANCHLINE_LANG", "fr")
    assert "D’après le jeu de base" in told(capsys, "rules", "BASE-7")
    assert "From the base game" in told(capsys, "rules", "BASE-7", "--lang=en")
    assert "From the base game" in told(capsys, "--lang", "en", "rules", "BASE-7")


@pytest.mark.parametrize("args", [["--lang", "de", "version"], ["version", "--lang"]])
def test_an_unsupported_language_is_refused(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "choose one of en, fr" in refused(capsys, *args)


def test_version_says_how_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "version")
    assert text.startswith(f"branchline {__version__} (")
    assert "compiled" in text or "plain Python" in text
    assert "Python 3." in text


# Boards and rules


def test_python_runs_the_package_as_the_command() -> None:
    run_it = [sys.executable, "-m", "branchline", "version"]
    done = subprocess.run(run_it, stdout=subprocess.PIPE, text=True, check=True)
    assert __version__ in done.stdout


def test_maps_lists_every_board_with_rules_and_status(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "maps")
    for board in builtin_boards():
        assert board in text
    assert "second_draft" in text
    assert "reconstructed: tickets" in text


@pytest.mark.parametrize("board", builtin_boards())
def test_maps_show_has_everything(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "maps", "show", board, "--lang", "fr")
    for part in ("Fiabilité", "Règles", "Routes", "Destinations"):
        assert part in text
    game = Game(board, 2)
    assert f"({len(game.board.routes)})" in text
    assert all(city.name in text.replace("\n  ", " ") for city in game.board.cities)


def test_city_names_are_as_printed_unless_one_asks_for_ones_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    show = ("maps", "show", "nordic", "--lang", "fr")
    assert "Göteborg–København" in told(capsys, *show)
    assert "Göteborg–Copenhague" in told(capsys, *show, "--city-names", "local")
    monkeypatch.setenv("BRANCHLINE_CITY_NAMES", "local")
    assert "Göteborg–Copenhague" in told(capsys, *show)
    assert "Gothenburg–Copenhagen" in told(capsys, *show[:3], "--lang=en")
    assert "Göteborg–København" in told(capsys, *show, "--city-names=printed")
    path = tmp_path / "nordic.svg"
    told(capsys, "maps", "draw", "nordic", "--out", str(path), "--lang", "fr")
    assert ">Copenhague<" in path.read_text(encoding="utf-8")
    assert "printed" in refused(capsys, *show, "--city-names", "mine")
    monkeypatch.setenv("BRANCHLINE_CITY_NAMES", "mine")
    assert "BRANCHLINE_CITY_NAMES" in refused(capsys, *show)


def test_maps_check_says_ok(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    assert told(capsys, "maps", "check", str(path)) == "ok\n"
    assert "mine" in told(capsys, "maps", "show", str(path))
    assert "BASE-8" in told(capsys, "rules", "--board", str(path))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('colour = "gray"', 'colour = "mauve"', "mauve"),
        ('{ rule = "deck"', '{ rule = "dekc"', "did you mean deck?"),
        ("seats = [2, 5]", "seats = [5, 2]", "seats"),
        ("format = 1", "format = 2", "format"),
        ("format = 1", "format = = 1", "TOML"),
    ],
)
def test_maps_check_lists_every_problem(
    old: str, new: str, found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE.replace(old, new), encoding="utf-8")
    text = told(capsys, "maps", "check", str(path), code=1)
    assert found in text
    assert all(line.startswith(f"{path}: ") for line in text.splitlines()), "the file is named"
    assert str(path) in refused(capsys, "play", "--map", str(path))


def test_maps_check_speaks_french(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE.replace("seats = [2, 5]", "seats = [5, 2]"), encoding="utf-8")
    found = "seats\u00a0: de 5 à 2\u00a0; attendu\u00a0: le minimum et le maximum"
    text = told(capsys, "maps", "check", str(path), "--lang", "fr", code=1)
    assert text.startswith(f"{path}\u00a0: {found}")
    for command in (("play", "--map"), ("simulate", "--map"), ("maps", "show")):
        assert found in refused(capsys, *command, str(path), "--lang", "fr")


def test_the_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(told(capsys, "maps", "schema"))
    assert "MapData" in schema["$defs"]


def test_rules_shows_one_all_or_those_of_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    one = told(capsys, "rules", "no-5")
    assert "Crossing a tunnel" in one
    assert "Nordic Countries rulebook" in one
    everything = told(capsys, "rules")
    for id in rule_ids():
        assert re.search(rf"^{id} ", everything, re.MULTILINE)
    some = told(capsys, "rules", "--board", "nordic")
    assert "NO-5" in some
    assert "KR-5" not in some


def test_maps_show_tells_what_an_overlay_has_replaced(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "box.toml"
    pairs = [(t.a, t.b, t.points) for t in load_board("iberia").tickets]
    ids = [city.id for city in load_board("iberia").cities]
    rows = [f'{{ between = ["{ids[a]}", "{ids[b]}"], points = {p + 1} }}' for a, b, p in pairs]
    text = f'format = 1\noverlay_for = "iberia"\ntickets = [{", ".join(rows)}]\n'
    file.write_text(text, encoding="utf-8")
    before = told(capsys, "maps", "show", "iberia")
    after = told(capsys, "maps", "show", "iberia", "--overlay", str(file))
    assert "Francia–Lisboa (16)" in before
    assert "Francia–Lisboa (17)" in after
    assert "replaced" in after


# Simulating


def test_simulate_sums_up(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "simulate", "--map", "new_york", "--seats", "3", "--games", "12")
    assert "New York" in text
    assert "Player 3" in text
    assert "12 games in" in text


def test_simulate_all_splits_the_games_over_every_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = json.loads(told(capsys, "simulate", "--all", "--games", "43", "--json"))
    assert sum(one["games"] for one in found) == 43
    tables = {(one["board"], one["seats"]) for one in found}
    expected = {
        (board, seats)
        for board in builtin_boards()
        for seats in range(Game(board, 2).board.seats_min, Game(board, 2).board.seats_max + 1)
    }
    assert tables == expected
    assert "Europe 5" in told(capsys, "simulate", "--all", "--games", "21")


def test_the_same_seed_simulates_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    def scores(*more: str) -> object:
        text = told(capsys, "simulate", "--map", "usa", "--games", "5", "--json", *more)
        return json.loads(text)[0]["scores"]

    assert scores() == scores("--seed", "1") == scores("--bots", "random,random")
    assert scores() != scores("--seed", "2")


def test_a_failing_game_is_reported_with_seed_and_board(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def derailed(*args: object) -> None:
        raise RuntimeError("derailed")

    monkeypatch.setattr("branchline.lab.run.game_runner.playout", derailed)
    said = refused(
        capsys,
        "simulate",
        "--map",
        "usa",
        "--games",
        "3",
        "--seed",
        "x",
        "--processes",
        "1",
        code=1,
    )
    assert "usa" in said
    assert "x/0" in said
    assert "derailed" in said


# Playing and looking back


def test_without_input_the_game_stops_cleanly(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "play", "--seed", "1")
    assert "Iberia, seed 1." in text
    assert "nothing was saved" in text


def test_a_game_is_played_saved_resumed_and_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one.json", "two.txt"):
        path = tmp_path / name
        monkeypatch.setattr("sys.stdin", io.StringIO("1\ndraw\nquit\n"))
        args = ["--map", "new_york", "--seats", "3", "--first", "0", "--seed", "1"]
        text = told(capsys, "play", *args, "--save", str(path))
        assert f"Saved in {path}" in text
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        assert "Your next card:" in told(capsys, "play", "--resume", str(path))
        assert "position 0 of" in told(capsys, "replay", str(path), "--at", "0")
        assert "Player 1 draws a" in told(capsys, "replay", str(path), "--all-open")


def test_a_finished_record_is_shown_with_its_score(
    saved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = told(capsys, "replay", str(saved), "--seat", "1")
    assert "Total" in text
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\nb\n10\nq\n"))
    assert "position 10 of" in told(capsys, "replay", str(saved), "--step")


def test_an_overlay_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = ["boston", "miami", "dallas", "denver", "seattle", "chicago", "atlanta", "houston"]
    tickets = [(a, b) for k, a in enumerate(pairs) for b in pairs[k + 1 :]]
    rows = "".join(f'[[tickets]]\nbetween = ["{a}", "{b}"]\npoints = 77\n' for a, b in tickets)
    overlay = tmp_path / "mine.toml"
    overlay.write_text(f'format = 1\noverlay_for = "usa"\n{rows}', encoding="utf-8")
    text = told(capsys, "play", "--map", "usa", "--seed", "1", "--overlay", str(overlay))
    assert "(77)" in text


def test_the_transcript_in_the_guide_is_a_real_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = Path(__file__).parents[1] / "docs" / "playing.md"
    block = guide.read_text(encoding="utf-8").split("```text\n")[1].split("\n```")[0]
    command, _, transcript = block.partition("\n")
    typed = [line.removeprefix("> ") for line in transcript.splitlines() if line.startswith("> ")]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    text = told(capsys, *command.removeprefix("$ branchline ").split())
    assert _spaced(text) == _spaced(transcript)


def _spaced(text: str) -> list[str]:
    """The lines of a text; versions of rich differ in a space here and there."""
    return [" ".join(line.split()) for line in text.splitlines()]


# Mistakes


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["play", "--map", "mars"], "choose from iberia"),
        (["play", "--map", "no/such.toml"], "No such file"),
        (["play", "--map", "nordic", "--seats", "5"], "choose 2 to 3"),
        (["play", "--seats", "many"], "--seats"),
        (["play", "--seats", "0"], "choose 2 to 5"),
        (["play", "--against", "nobody"], "choose from: "),
        (["play", "--against", "random,random", "--seats", "2"], "need 1 bot"),
        (["play", "--first", "9"], "no seat 9"),
        (["play", "--resume", "no/such.json"], "can’t be read"),
        (["play", "--overlay", "no/such.toml"], "No such file"),
        (["play", "--fast"], "--help"),
        (["play", "now"], "--help"),
        (["pplay"], "choose from: play"),
        (["maps", "burn"], "choose from: show"),
        (["maps", "show", "mars"], "choose from iberia"),
        (["replay"], "FILE is missing"),
        (["replay", "no/such.json"], "check the name"),
        (["replay", "."], "can’t be read"),
        (["rules", "BASE-99"], "branchline rules"),
        (["rules", "--board", "mars"], "choose from iberia"),
        (["simulate", "--games", "0"], "1 to"),
        (["simulate", "--games", "-3"], "1 to"),
        (["simulate", "--bots", "random"], "choose 2 to 5"),
        (["simulate", "--bots", "random,random", "--seats", "3"], "need 3 bots"),
        (["simulate", "--bots", "nobody"], "choose from: "),
        (["simulate", "--map", "usa", "--seats", "1"], "choose 2 to 5"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_answered_with_what_to_do(
    args: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hint in refused(capsys, *args)
    assert refused(capsys, "--lang", "fr", *args)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"schema": 1', '"schema": 2'),
        ('"seed": "5"', '"seed": "6"'),
        ('"seats": 2', '"seats": 4'),
        ('"seats": 2', '"seats": 40'),
        ('"id": "new_york"', '"id": "usa"'),
        ('"id": "new_york"', '"id": "mars"'),
        ('"engine"', '"motor"'),
        ("opening keep", "opening kept"),
        ("[0,", "[7,"),
        ("[0,", "[-1,"),
        ('"digest": "', '"digest": "0'),
        (
            "{",
            "",
        ),
        ("}", ""),
    ],
)
def test_a_damaged_or_foreign_record_is_refused(
    old: str, new: str, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = saved.read_text(encoding="utf-8")
    assert old in text
    saved.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert refused(capsys, "replay", str(saved))
    assert refused(capsys, "replay", str(saved), "--lang", "fr")


def test_positions_and_seats_that_do_not_exist_are_refused(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "0 to" in refused(capsys, "replay", str(saved), "--at", "99999")
    assert "0 to" in refused(capsys, "replay", str(saved), "--at", "-1")
    assert "no seat 2" in refused(capsys, "replay", str(saved), "--seat", "2")


# As a process


def test_importing_the_package_stays_light() -> None:
    code = (
        "import branchline, sys;"
        "heavy = {'typer', 'rich', 'click', 'numpy', 'fastapi'} & set(sys.modules);"
        "assert not heavy, heavy;"
        "import branchline.cli;"
        "heavy = {'numpy', 'fastapi', 'starlette', 'sqlalchemy', 'pydantic'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes as POSIX has them")
def test_an_interruption_ends_with_130_and_one_line() -> None:
    process = in_process("simulate", "--games", "10000000", start_new_session=True)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    try:
        while children.exists() and not children.read_text() and process.poll() is None:
            time.sleep(0.1)  # it plays as soon as it has workers
        time.sleep(1.0 if children.exists() else 10.0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert err == "Interrupted.\n"
    assert out == ""


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes as POSIX has them")
@pytest.mark.parametrize("args", [["rules"], ["maps", "schema"], ["maps", "show", "europe"]])
def test_a_broken_pipe_is_quiet(args: list[str]) -> None:
    with in_process(*args) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""


def test_letters_that_can_not_be_shown_or_read_do_no_harm() -> None:
    process = in_process("play", "--seed", "3", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    out, err = process.communicate("göteborg\n1\nquit\n", timeout=60)
    assert process.returncode == 0
    assert err == ""
    assert "?  1 You" in out


def test_a_whole_game_runs_through_a_pipe() -> None:
    process = in_process("play", "--map", "new_york", "--seed", "3", "--lang", "fr")
    out, err = process.communicate("1\n" + "draw\n" * 400, timeout=120)
    assert process.returncode == 0
    assert err == ""
    assert "{" not in out
    assert "graine 3" in out


def test_a_board_is_drawn_as_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "board.svg"
    assert run(["maps", "draw", "new_york", "--out", str(picture), "--dark"]) == 0
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert str(picture) in capsys.readouterr().out
    assert run(["maps", "draw", "new_york", "--out", str(tmp_path / "no" / "folder.svg")]) == 2
    capsys.readouterr()
    assert "--out is missing" in refused(capsys, "maps", "draw", "new_york")


class Keyboard(io.StringIO):
    """Input from a person at a terminal."""

    def isatty(self) -> bool:
        return True


def fits(
    monkeypatch: pytest.MonkeyPatch, errors: io.StringIO | None = None, **environment: str
) -> bool:
    """Whether the full-screen table would be started at a terminal."""
    for name in ("BRANCHLINE_PLAIN", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stderr", errors or Keyboard())
    console = Console(file=Keyboard(), force_terminal=True)
    return cli.app_fits(console, Reader(console, Keyboard()), "en")


def test_the_environment_says_whether_the_table_is_full_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert fits(monkeypatch)
    assert not fits(monkeypatch, TERM="dumb")
    assert not fits(monkeypatch, BRANCHLINE_PLAIN="1")
    assert not fits(monkeypatch, io.StringIO()), "nothing would be seen of it"
    console = Console(file=io.StringIO())
    assert not cli.app_fits(console, Reader(console, Keyboard()), "en")
    assert not cli.app_fits(Console(force_terminal=True), Reader(console, io.StringIO()), "en")


def test_without_textual_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    assert not fits(monkeypatch)
    assert capsys.readouterr().out.count("\n") == 1
    fits(monkeypatch)
    assert 'pip install "branchline[tui]"' in capsys.readouterr().out


def test_the_command_starts_without_textual() -> None:
    code = "import sys, branchline.cli; print('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"
