"""A language for tests: every English message with an accent on each of its letters.

Whatever is shown in it without accents did not come from the message catalogue. The language is
written to a folder that `BRANCHLINE_LANGUAGES` names; the package's files stay as they are. Run as
a program, this module plays a game in the terminal in the pseudo-language and prints what is shown.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Formatter, ascii_letters

from branchline import load_board

PSEUDO = "xx"
ACCENTS = str.maketrans(
    ascii_letters,
    "áƀçđéƒğħíĵķłɱñóþɋŕšŧúṽŵẋýž" + "ÁɃÇĐÉƑĞĦÍĴĶŁⱮÑÓÞɊŔŠŦÚṼŴẊÝŽ",
)


def accented(message: str) -> str:
    """The message in the pseudo-language; its placeholders stay.

    >>> accented("{n} trains left")
    '{n} ŧŕáíñš łéƒŧ'
    """
    whole = ""
    for text, field, spec, _ in Formatter().parse(message):
        whole += text.translate(ACCENTS).replace("{", "{{").replace("}", "}}")
        if field is not None:
            whole += f"{{{field}:{spec}}}" if spec else f"{{{field}}}"
    return whole


def write_language(parent: Path) -> Path:
    """Write the pseudo-language into a folder of languages; returns that folder."""
    folder = parent / PSEUDO
    folder.mkdir(parents=True)
    for file in (files("branchline.lang") / "en").iterdir():
        if not file.name.endswith(".toml"):
            continue
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        change = str if file.name == "language.toml" else accented
        lines = [f"{key} = {json.dumps(change(text))}" for key, text in leaves(content)]
        (folder / file.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return parent


def leaves(table: dict[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{prefix}{json.dumps(name)}"
        if isinstance(value, dict):
            yield from leaves(value, f"{key}.")
        else:
            yield key, str(value)


def names_on(board: str) -> set[str]:
    """What a board's file says in its own words: its name, its cities, provinces and sources."""
    found = load_board(board)
    texts = {found.named("en"), board, *(p.source("en") for p in found.provenance)}
    texts |= {city.name for city in found.cities}
    for entry in found.rules:
        for value in entry.params.values():
            if isinstance(value, list):
                texts |= {item["en"] for item in value if isinstance(item, dict) and "en" in item}
    return texts | {word for forms in found.words.get("en", {}).values() for word in forms.values()}


def words_of_another_language(text: str, known: set[str]) -> list[str]:
    """Every word of several letters without accents, except in what is known to have none."""
    text = " ".join(text.split())  # names may stand in two lines
    for name in sorted(known, key=len, reverse=True):
        text = text.replace(name, " ")
    text = re.sub(r"\b[A-Z]+-\d+\b", " ", text)  # ids of rules
    return re.findall(r"(?<![^\W\d_])[A-Za-z]{2,}(?![^\W\d_])", text)


def play(board: str) -> None:
    """Play a whole game in the terminal, look everything up, and print what was shown."""
    from branchline.core.catalogue import LANGUAGES
    from tui.test_line_mode import Seat, after_opening, started

    assert PSEUDO in LANGUAGES
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(Seat(started(board), lang=PSEUDO).by_chance(seed=5))
    seat = Seat(after_opening(board, seats=3), lang=PSEUDO, width=200)
    a, b = (seat.match.game.board.cities[k].name for k in (0, 1))
    commands = ["help", "routes", "routes all", f"routes {a}", "map", "known", "log", "charts"]
    commands += ["rules", "rules BASE-7", "rules 77", f"why {a}-{b}", "why 77", "undo", "save"]
    for command in commands:
        name, _, rest = command.partition(" ")
        rest = rest.translate(ACCENTS) if rest == "all" else rest
        print(seat.type(f"{name.translate(ACCENTS)} {rest}\n"))
    print(seat.type("?\n99\n"))


if __name__ == "__main__":
    play(sys.argv[1])
