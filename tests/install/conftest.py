"""The packages, built and installed as a stranger would, from a copy of what a clone holds.

`INSTALL_PYTHON` names another interpreter to build and install with.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = Path("src/branchline/service/page")
MADE: Final = (
    re.compile(
        r"(^|/)(node_modules|__pycache__|\.git|build|dist|\.[a-z_]+_cache|\.venv.*|\.build)/"
    ),
    re.compile(rf"^({PAGE}|web/(src/generated|pictures|test-results|playwright-report)|\.bench)/"),
    re.compile(r"\.(pyc|so)$|\.egg-info/"),
)
"""What a clone does not hold."""
NO_COMPILER: Final = {"CC": "/nowhere/cc", "CXX": "/nowhere/c++"}
COMPILED: Final = {"BRANCHLINE_COMPILED": "1", "BRANCHLINE_OPTIMISE": "0"}
"""Compiled or an error; what is tried here is whether it works, not how fast it is."""


def tracked() -> list[str]:
    """The files that a clone holds, or, where there is no git, that an unpacked archive does."""
    git = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    if (ROOT / ".git").exists():
        listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True)
        return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    found = (p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file())
    return [name for name in found if not any(made.search(name) for made in MADE)]


def copy_sources(target: Path) -> Path:
    for name in tracked():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target / name)
    return target


@pytest.fixture(scope="session")
def python() -> str:
    """The interpreter to build and install with."""
    return os.environ.get("INSTALL_PYTHON", sys.executable)


@pytest.fixture(scope="session")
def environ(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of every command: the locked versions, and nothing of this project's."""
    pins = tmp_path_factory.mktemp("pins") / "constraints.txt"
    found: dict[str, str] = {}
    for lock in ("dev", "build", "run"):
        text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")
        found |= dict(re.findall(r"^([\w.-]+)==([\w.!+-]+)", text, re.MULTILINE))
    pins.write_text("".join(f"{name}=={pin}\n" for name, pin in found.items()), "utf-8")
    own = {k: v for k, v in os.environ.items() if not k.startswith(("BRANCHLINE_", "PYTHON"))}
    return own | {"PIP_CONSTRAINT": str(pins), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


Run = Callable[..., str]


@pytest.fixture(scope="session")
def run(environ: dict[str, str]) -> Run:
    """Runs a command that must succeed, or fail if `fails`; returns all that it wrote."""

    def run(
        *command: str | Path,
        cwd: Path,
        more: Mapping[str, str] | None = None,
        fails: bool = False,
    ) -> str:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env={**environ, **(more or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout
        return done.stdout

    return run


@pytest.fixture(scope="session")
def builder(tmp_path_factory: pytest.TempPathFactory, python: str, run: Run) -> Path:
    """The interpreter of an environment with what builds the package, and nothing else."""
    folder = tmp_path_factory.mktemp("builder")
    run(python, "-m", "venv", folder / "venv", cwd=folder)
    inside = folder / "venv/bin/python"
    needed = ("build", "-r", ROOT / "requirements/build.in")
    run(inside, "-m", "pip", "install", "--quiet", *needed, cwd=folder)
    return inside


@pytest.fixture(scope="session")
def sdist(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, run: Run
) -> Path:
    """The source distribution, built in isolation from a fresh copy, the page included.

    The processes that share the tests share it: the first builds it, the others wait.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "sources"
    with (base.parent / "sources.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "dist").is_dir():
            builder: Path = request.getfixturevalue("builder")
            copy_sources(folder)
            run(builder, "-m", "build", "--sdist", cwd=folder)
    [made] = (folder / "dist").iterdir()
    return made


class Installed:
    """An environment with the package, and what building and installing it has said."""

    def __init__(self, python: Path, wheel: Path, said: str) -> None:
        self.python: Final = python
        self.wheel: Final = wheel
        self.said: Final = said


@pytest.fixture(scope="class")
def installed(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    sdist: Path,
    python: str,
    run: Run,
) -> Installed:
    """The package with its server, from the source distribution, as the class of tests wants it."""
    compiled: bool = request.cls.compiled
    folder = tmp_path_factory.mktemp("package")
    run(python, "-m", "venv", folder / "venv", cwd=folder)
    inside = folder / "venv/bin/python"
    more = COMPILED if compiled else NO_COMPILER
    said = run(
        *(inside, "-m", "pip", "wheel", "--verbose", "--no-deps", sdist), cwd=folder, more=more
    )
    [wheel] = folder.glob("*.whl")
    run(inside, "-m", "pip", "install", f"{wheel}[serve]", cwd=folder)
    return Installed(inside, wheel, said)
