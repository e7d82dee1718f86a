"""Every example in the documents and docstrings runs as it stands."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

import branchline
from branchline.cli import make_app

ROOT = Path(__file__).parent.parent
OWN_TEST = {"maps.md"}  # its examples are files that a test of its own writes first
DOCUMENTS = sorted(
    p for p in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")] if p.name not in OWN_TEST
)
MODULES = sorted(
    m.name
    for m in pkgutil.walk_packages(branchline.__path__, "branchline.")
    if "_hot" not in m.name
)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_the_examples_of_a_document_are_true(path: Path) -> None:
    failed, _ = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def shown_commands() -> list[tuple[str, str]]:
    """Every command in a block of a document, with the document's name."""
    found = []
    for path in [*DOCUMENTS, *(ROOT / "docs" / name for name in OWN_TEST)]:
        for block in re.findall(r"(?ms)^```(?:sh|console)?\n(.*?)^```", path.read_text("utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                command = line.strip().removeprefix("$ ")
                if command.startswith("branchline "):
                    found.append((path.name, command))
    return found


def test_the_commands_of_the_documents_exist() -> None:
    found = shown_commands()
    assert len(found) > 20
    app = typer.main.get_command(make_app("en"))
    for name, line in found:
        words = shlex.split(line, comments=True)[1:]
        command: Any = app
        known = {"--lang", "--help", "-h", "--debug"}
        while words and getattr(command, "commands", None) and not words[0].startswith("-"):
            assert words[0] in command.commands, (name, line)
            command = command.commands[words.pop(0)]
        known |= {option for parameter in command.params for option in parameter.opts}
        options = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}
        assert options <= known, (name, line)
        takes = [p for p in command.params if p.param_type_name == "argument"]
        if not takes and command is not app:
            assert not words or words[0].startswith("-"), (name, line)
