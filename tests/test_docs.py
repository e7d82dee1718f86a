"""Every example in the documents and docstrings runs as it stands."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

import branchline
from branchline.cli import make_app
from document_examples import blocks_of, run_examples

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
OWN_TEST = {"protocol.md"}  # its program needs a server: tests/service/test_protocol.py
MODULES = sorted(
    m.name
    for m in pkgutil.walk_packages(branchline.__path__, "branchline.")
    if "_hot" not in m.name
)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_the_examples_of_a_document_are_true(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(ROOT / "examples")  # a tutorial may build on an earlier one
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTHONPATH", str(Path(branchline.__file__).parents[1]))
    known = set(sys.modules)
    run_examples(path)
    for name in set(sys.modules) - known:  # files of this document, not of the next
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_an_example_that_is_not_true_is_found(tmp_path: Path) -> None:
    for block in (
        "```python\n>>> 1 + 1\n3\n```",
        "```console\n$ branchline rules NO-5\nNO-5  Something else\n```",
        "```console\n$ branchline maps check nothing.toml\n```",
    ):
        (tmp_path / "page.md").write_text(f"{block}\n", encoding="utf-8")
        with pytest.raises(AssertionError):
            run_examples(tmp_path / "page.md")


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_block_of_python_is_run(path: Path) -> None:
    for block in blocks_of(path):
        if block.kind == "python" and path.name not in OWN_TEST:
            assert ">>>" in block.text or block.file, f"{path.name}, line {block.line}"


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def shown_commands() -> list[tuple[str, str]]:
    """Every command in a block of a document, with the document's name."""
    found = []
    for path in DOCUMENTS:
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
