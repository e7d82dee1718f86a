"""Every example program and notebook runs, and the tutorials show the programs as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import branchline
from document_examples import blocks_of

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PROGRAMS: dict[str, tuple[list[str], str]] = {
    "compare_bots.py": (["paths", "greedy", "new_york", "5"], "paths wins"),
    "make_a_board.py": ([], "problems: []"),
    "play_a_game.py": ([], "Routes (BASE-11)"),
    "read_a_record.py": ([], "halfway, seat 0 holds"),
    "study_a_board.py": (["new_york", "10"], "New York: 10 games"),
}
"""What each program is called with, and something that it prints."""
OWN_TEST = {
    "play_at_a_table.py",  # needs a server: tests/service/test_protocol.py
    "program_bot.py",  # tests/test_program_bots.py
    "ticket_bot.py",  # these play in the tutorials: tests/test_docs.py
    "lookahead_bot.py",
    "train_ppo.py",  # tests/test_train_ppo.py
}


def path_of_the_package() -> str:
    return os.pathsep.join([str(Path(branchline.__file__).parents[1]), str(EXAMPLES)])


def test_every_example_has_a_test() -> None:
    names = {path.name for path in EXAMPLES.glob("*.py")}
    assert names == PROGRAMS.keys() | OWN_TEST
    text = (EXAMPLES / "README.md").read_text("utf-8")
    for name in names | {path.name for path in EXAMPLES.glob("*.ipynb")}:
        assert f"]({name})" in text, name


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    arguments, printed = PROGRAMS[name]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path_of_the_package()},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the libraries that run it
def test_a_notebook_runs_and_holds_no_results(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", path_of_the_package())
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call] # it has no types
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    client = NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    assert all(cell.outputs for cell in code)


def test_the_tutorials_show_the_examples_as_they_are() -> None:
    shown = set()
    for page in (ROOT / "docs" / "tutorials").glob("*.md"):
        for block in blocks_of(page):
            program = EXAMPLES / (block.file or "-")
            if program.is_file():
                assert block.text.partition("\n")[2] == program.read_text("utf-8"), page.name
                shown.add(block.file)
    assert shown == {"ticket_bot.py", "lookahead_bot.py"}
