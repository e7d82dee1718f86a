"""Every way to install: source distribution, wheel, compiled, plain, and what each says."""

from __future__ import annotations

import random
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Final

import httpx
import pytest

from install.conftest import NO_COMPILER, PAGE, ROOT, Installed, Run, copy_sources, tracked
from service.server import Client, Server

GAMES: Final = """
import hashlib, branchline
digest = hashlib.sha256()
for board in branchline.builtin_boards():
    for seats in (2, branchline.load_board(board).seats_max):
        state = branchline.Game(board, seats=seats).start(seed=11, log=True)
        turn = 0
        while not state.over:
            seat = state.to_act[0]
            legal = state.legal(seat)
            state.apply(seat, legal[(turn * 7919) % len(legal)])
            turn += 1
        digest.update(branchline.write_game(state).encode())
        digest.update(repr([state.outcome.scores, state.hash()]).encode())
print(digest.hexdigest())
"""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


# --- where something is missing ------------------------------------------------------------------


Build = Callable[..., str]


@pytest.fixture
def build(run: Run, builder: Path) -> Build:
    """Builds a wheel of a folder with the tools at hand; returns all that was written."""

    def build(folder: Path, fails: bool = False, **more: str) -> str:
        command = [builder, "-m", "pip", "wheel", "--verbose", "--no-build-isolation"]
        return run(*command, "--no-deps", ".", cwd=folder, more=more, fails=fails)

    return build


def test_a_wheel_without_the_page_is_refused_with_one_line(tmp_path: Path, build: Build) -> None:
    copy_sources(tmp_path)
    bare = {"PATH": "/nowhere", "BRANCHLINE_PURE": "1"}
    said = build(tmp_path, fails=True, **bare)
    assert "error: branchline: the page is not built. Install Node 20" in said
    assert "Traceback" not in said


def test_a_package_without_the_page_says_so_at_the_start(tmp_path: Path, build: Build) -> None:
    copy_sources(tmp_path / "sources")
    build(tmp_path / "sources", BRANCHLINE_PURE="1", BRANCHLINE_NO_PAGE="1")
    [wheel] = (tmp_path / "sources").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "package")
    with Server(tmp_path / "data", environ={"PYTHONPATH": str(tmp_path / "package")}) as server:
        assert httpx.get(server.url, timeout=30).status_code == 503
        assert "has no page" in server.log


def test_a_problem_of_types_leaves_plain_python(tmp_path: Path, build: Build) -> None:
    copy_sources(tmp_path)
    with (tmp_path / "src/branchline/core/graph.py").open("a", encoding="utf-8") as file:
        file.write('\n\nodd: int = "even"\n')
    said = build(tmp_path, BRANCHLINE_NO_PAGE="1")
    [line] = [line for line in said.splitlines() if "branchline: not compiled" in line]
    assert "core/graph.py" in line
    assert "Traceback" not in said
    assert list(tmp_path.glob("*none-any.whl"))


def test_a_wheel_to_publish_is_compiled_or_refused(tmp_path: Path, build: Build) -> None:
    copy_sources(tmp_path)
    more = NO_COMPILER | {"BRANCHLINE_NO_PAGE": "1", "BRANCHLINE_COMPILED": "1"}
    assert "branchline: can't be compiled" in build(tmp_path, fails=True, **more)


# --- the packages -------------------------------------------------------------------------------


def test_the_source_distribution_holds_all_that_builds_and_tests(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert set(tracked()) - held == set()
    assert (PAGE / "index.html").as_posix() in held
    assert not [name for name in held if "node_modules" in name or name.endswith(".so")]


class Package:
    """What holds for the package, however it was built."""

    compiled: ClassVar[bool]

    def test_a_wheel_holds_the_package_and_the_page(self, installed: Installed) -> None:
        with zipfile.ZipFile(installed.wheel) as archive:
            held = set(archive.namelist())
        wanted = {
            name.removeprefix("src/") for name in tracked() if name.startswith("src/branchline/")
        }
        assert wanted - held == set()
        assert "branchline/service/page/index.html" in held
        assert any(name.startswith("branchline/service/page/assets/") for name in held)

    def test_an_installed_package_says_whether_it_is_compiled(
        self, installed: Installed, run: Run
    ) -> None:
        folder = installed.wheel.parent
        said = run(installed.python, "-m", "branchline.cli", "--lang", "en", "version", cwd=folder)
        with zipfile.ZipFile(installed.wheel) as archive:
            compiled = any(name.endswith(".so") for name in archive.namelist())
        assert compiled == self.compiled
        assert ("compiled" in said and "plain" not in said) == compiled, said
        assert ("branchline: not compiled, runs as plain Python" in installed.said) != compiled

    def test_all_packages_play_the_same_games(self, installed: Installed, run: Run) -> None:
        digest = run(installed.python, "-c", GAMES, cwd=installed.wheel.parent)
        here = subprocess.run(
            [sys.executable, "-c", GAMES], capture_output=True, text=True, check=True, cwd="/"
        )
        assert digest == here.stdout

    @pytest.mark.anyio
    async def test_a_server_from_the_package_serves_the_page_and_a_whole_game(
        self, installed: Installed, tmp_path: Path
    ) -> None:
        with Server(tmp_path, python=installed.python) as server:
            page = httpx.get(server.url, timeout=30)
            assert page.status_code == 200
            script = page.text.partition('src="')[2].partition('"')[0]
            assert (
                "javascript" in httpx.get(server.url + script, timeout=30).headers["content-type"]
            )
            async with Client(server.url) as ann:
                table = await ann.create("new_york", seats=2, bots=["normal"])
                async with ann.connected(table) as socket:
                    await socket.play(random.Random(3))
                    assert len(socket.table["result"]["scores"]) == 2


class TestCompiledPackage(Package):
    compiled = True


class TestPlainPackage(Package):
    compiled = False


def test_the_locks_name_no_address() -> None:
    for lock in (ROOT / "requirements").glob("*.txt"):
        text = lock.read_text("utf-8")
        assert "--hash" in text
        assert not [mark for mark in ("://", "--index", "--find-links") if mark in text], lock
    for lock in (ROOT / "web").glob("package-lock.json"):
        assert '"resolved"' not in lock.read_text("utf-8")
