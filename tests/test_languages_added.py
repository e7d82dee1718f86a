"""Adding a language is adding files: one that is only in a test is spoken everywhere."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from branchline import MapError, builtin_boards, load_board
from branchline.bots.registry import bot_names
from branchline.core.catalogue import LANGUAGES
from branchline.core.mapfile import board_from_data
from pseudo_language import PSEUDO, names_on, words_of_another_language, write_language

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of languages with the pseudo-language."""
    return write_language(tmp_path_factory.mktemp("languages"))


def shown(languages: Path, *command: str, stdin: str = "") -> str:
    """What a program shows that knows the pseudo-language."""
    environ = {**os.environ, "BRANCHLINE_LANGUAGES": str(languages), "COLUMNS": "200"}
    environ |= {
        "PYTHONPATH": os.pathsep.join([*filter(None, [environ.get("PYTHONPATH")]), str(HERE)])
    }
    done = subprocess.run(
        [sys.executable, *command],
        env=environ,
        capture_output=True,
        encoding="utf-8",
        input=stdin,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("board", builtin_boards())
def test_a_whole_game_in_the_terminal_is_in_the_language(board: str, languages: Path) -> None:
    text = shown(languages, str(HERE / "pseudo_language.py"), board)
    assert len(text) > 10_000
    assert words_of_another_language(text, names_on(board)) == []


COMMANDS = ["play", "simulate", "arena", "ladder", "study", "tune", "train-value"]
COMMANDS += ["serve", "verify", "backup", "restore", "replay", "rules", "maps", "bots", "version"]
COMMANDS += ["maps show", "maps check", "maps draw", "maps new"]
IDENTIFIERS = {"branchline", "random", "planner", "paths", "all", "json", "<str>", "URL", "ELO"}
"""What the help shows that is typed as it stands, the type of arguments, and abbreviations."""


def prose(help: str) -> str:
    """The help without the names of commands and options and their choices."""
    text = re.sub(r"--?[a-z][a-z-]*|\w+(?:\|\w+)+", " ", help)
    names = {word for command in COMMANDS for word in re.split("[ -]", command)}
    names |= {"watch", "schema"}
    return re.sub(rf"\b(?:{'|'.join(names)})\b", " ", text)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_help_of_every_command_is_in_the_language(command: str, languages: Path) -> None:
    args = ["--lang", PSEUDO, *command.split(), "--help"]
    text = shown(languages, "-m", "branchline.cli", *args)
    assert len(text) > 500
    assert words_of_another_language(prose(text), IDENTIFIERS) == []


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("rules", set()),
        ("rules BASE-7", set()),
        ("version", {"branchline", "Python"}),
        ("simulate --map usa --games 2 --bots random,greedy", {"USA", "random", "greedy"}),
        ("arena random greedy --map usa --blocks 1", {"USA", "random", "greedy"}),
        ("play --map 77", {*builtin_boards()}),
        ("play --seats 9", {"iberia"}),
        ("rules 77", set()),
        ("simulate --bots 77", {word for bot in bot_names() for word in bot.split("_")}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_command_says_is_in_the_language(
    command: str, known: set[str], languages: Path
) -> None:
    text = shown(languages, "-m", "branchline.cli", "--lang", PSEUDO, *command.split())
    assert text
    assert words_of_another_language(text, known) == []


def test_a_language_that_nobody_has_added_is_not_spoken() -> None:
    assert PSEUDO not in LANGUAGES


READ_BOARD = """
import json, sys
from branchline.core.mapfile import board_from_data
board = board_from_data(json.load(sys.stdin), "board")
names = [board.cities[k].named(lang) for k in (0, 1) for lang in ("", "en", "xx")]
print(json.dumps([board.digest, board.named("xx"), board.provenance[0].source("xx"), names]))
"""


def test_a_board_file_may_have_texts_in_the_language(languages: Path) -> None:
    board = load_board("europe")
    data: dict[str, Any] = copy.deepcopy(dict(board.source))
    first, second = list(data["cities"])[:2]
    data["cities"][first]["name_xx"] = "Xity"
    data["name"] = {**data["name"], "xx": "Xurope"}
    data["provenance"][0]["xx"] = "Xource"
    printed = shown(languages, "-c", READ_BOARD, stdin=json.dumps(data))
    digest, name, source, names = json.loads(printed)
    assert (name, source) == ("Xurope", "Xource")
    others = [board.city_of[first], board.city_of[second]]
    one, two = (board.cities[k] for k in others)
    assert names == [one.name, one.named("en"), "Xity", two.name, two.named("en"), two.name]
    assert digest == board.digest, "texts are not facts"
    with pytest.raises(MapError, match=r"name_xx: unknown field.*name_en"):
        board_from_data(data, "board")


def test_a_folder_of_languages_that_does_not_exist_is_ignored(tmp_path: Path) -> None:
    text = shown(tmp_path / "none", "-m", "branchline.cli", "--lang", PSEUDO, "version")
    assert "choose one of en, fr" in text
