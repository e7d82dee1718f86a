"""Runs the examples of a document in order, as a reader would.

- A block of code whose first line is a comment with a file's name, such as `# lakes.toml`, is that
  file. It is written into the current folder.
- ```` ```python ```` with `>>>` is a doctest. What a block defines, the next ones know.
- ```` ```console ```` is a session: each line after `$ ` is run, and what it prints has to match
  the lines below it, if there are any; `...` stands for anything.

All other blocks are left to the reader.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from branchline import cli

BLOCK: Final = re.compile(r"(?ms)^(?P<fence>```+)(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^(?P=fence)\s*$")
FILE: Final = re.compile(r"# ([\w-]+\.(?:py|toml))\n")
OPTIONS: Final = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A block of code: its language, its text, and the line before it."""

    kind: str
    text: str
    line: int

    @property
    def file(self) -> str:
        """The name of the file that the block is; empty if it is none."""
        found = FILE.match(self.text)
        return found[1] if found else ""


def blocks_of(path: Path) -> list[Block]:
    """All blocks of code of a document."""
    text = path.read_text("utf-8")
    return [
        Block(found["kind"], found["text"], text.count("\n", 0, found.start()) + 1)
        for found in BLOCK.finditer(text)
    ]


def run_examples(path: Path) -> int:
    """Run all examples of a document in the current folder; returns how many were run.

    Raises `AssertionError` where an example does not do what the document says.
    """
    names: dict[str, Any] = {}
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    commands = 0
    for kind, text, line in blocks_of(path):
        file = FILE.match(text)
        if file:
            Path(file[1]).write_text(text, encoding="utf-8")
        elif kind == "console":
            commands += _session(text, f"{path.name}, line {line}")
        elif ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, names, path.name, str(path), line)
            runner.run(test, clear_globs=False)
            names = test.globs
    assert runner.failures == 0, f"{path.name}: {runner.failures} examples fail"
    return runner.tries + commands


def _session(text: str, where: str) -> int:
    """Run the commands of a console block; returns how many there are."""
    count = 0
    for part in re.split(r"(?m)^\$ ", text)[1:]:
        line, _, expected = part.partition("\n")
        printed = _run(shlex.split(line, comments=True), f"{where}: {line}")
        if expected.strip():
            matches = doctest.OutputChecker().check_output(expected, printed, OPTIONS)
            assert matches, f"{where}: {line}\nexpected:\n{expected}\nprinted:\n{printed}"
        count += 1
    return count


def _run(words: list[str], where: str) -> str:
    """What a command prints; commands of ours run in this process, which is quicker."""
    if words[0] == "branchline":
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = cli.run(words[1:])
        assert code == 0, f"{where} ends with {code}: {errors.getvalue()}"
        return out.getvalue()
    assert words[0] == "python", f"{where}: no way to run {words[0]}"
    done = subprocess.run(
        [sys.executable, *words[1:]], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, f"{where}: {done.stderr}"
    return done.stdout
