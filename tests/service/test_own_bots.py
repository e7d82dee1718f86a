"""Bots of the host's own at the tables of a server, and the files around its database."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from branchline.bots.registry import bot_title
from branchline.cli import run
from service.server import Client, Server

pytestmark = pytest.mark.anyio

BOTS = """
class First:
    def __init__(self, last: bool = False): self.last = last
    def start(self, game, seat, seed): pass
    def decide(self, view, seconds): return view.actions[-1 if self.last else 0]
    def finish(self, view): pass

class Crash(First):
    def decide(self, view, seconds): raise RuntimeError("derailed")

class Wrong(First):
    def decide(self, view, seconds): return -1
"""


class AtHome(Server):
    """A server that is started in its data folder."""

    def start(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        (self.data / "home_bots.py").write_text(BOTS, encoding="utf-8")
        before = Path.cwd()
        os.chdir(self.data)
        try:
            super().start()
        finally:
            os.chdir(before)


async def test_a_bot_of_ones_own_plays_at_tables_and_one_that_fails_is_named(
    tmp_path: Path,
) -> None:
    specs = ["home_bots:First:last=true", "home_bots:Crash", "home_bots:Wrong"]
    options = [word for spec in specs for word in ("--bot", spec)]
    with AtHome(tmp_path, *options) as server:
        about = httpx.get(f"{server.url}/api/about").json()
        assert about["bots"] == [
            {"level": "home_bots:First:last=true", "name": "First, last=true"},
            {"level": "home_bots:Crash", "name": "Crash"},
            {"level": "home_bots:Wrong", "name": "Wrong"},
        ]
        async with Client(server.url) as ann:
            ran = tmp_path / "ran"
            for level in ("home_bots:Other", f"program:touch {ran}", "program:python"):
                status, code = await ann.refused(
                    "POST",
                    "/api/tables",
                    {"board": "new_york", "seats": 2, "name": "Ann", "bots": [level]},
                )
                assert (status, code) == (422, "no_such_level"), "only what the host offers"
            assert not ran.exists()
            table = await ann.create("new_york", 4, bots=specs)
            seats = (await ann.table(table))["seats"]
            assert [seat["name"] for seat in seats[1:]] == [
                "Bot 2 (First, last=true)",
                "Bot 3 (Crash)",
                "Bot 4 (Wrong)",
            ]
            async with ann.connected(table) as socket:
                for _ in range(3):
                    await socket.until(lambda: socket.decision is not None)
                    while socket.decision is not None:
                        await socket.act(socket.decision["offers"][0]["action"])
                    await asyncio.sleep(0.05)
                await socket.until(lambda: socket.decision is not None)
            moves = [e for e in socket.entries if e["kind"] == "moved"]
            assert {e["seat"] for e in moves} == {0, 1, 2, 3}, "the table goes on"
        log = server.log
        assert "bot=home_bots:Crash" in log
        assert "bot=home_bots:First" not in log
        assert "derailed" in log
        assert 'home_bots.py", line 9, in decide' in log
        assert log.count("Traceback") == 1, "the same traceback is logged once"
        assert "bot=home_bots:Wrong" in log
        assert "the answer -1 is not one of its actions" in log


@pytest.mark.parametrize(
    ("spec", "words", "code"),
    [("nowhere_to_be:Found", "there is no module", 2), ("planner:wings=2", "parameters", 2)],
)
def test_a_bot_that_can_not_be_seated_is_told_at_the_start(
    spec: str, words: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--data", str(tmp_path), "--port", "0", "--bot", spec]) == code
    assert words in capsys.readouterr().err


def test_bots_have_names() -> None:
    assert bot_title("planner:noise=0.5") == "planner, noise=0.5"


def test_the_commands_for_backups_keep_what_is_there(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Server(data):
        pass

    def command(*words: str, code: int = 0) -> str:
        words = ("--lang", "en", *words, "--data", str(data))
        done = subprocess.run(
            [sys.executable, "-m", "branchline.cli", *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert done.returncode == code, done
        return done.stdout + done.stderr

    command("backup", "copy.db")
    copy = tmp_path / "copy.db"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert "--force" in command("backup", "copy.db", code=2)
    command("backup", "copy.db", "--force")
    kept = {command("restore", "copy.db").split()[-1] for _ in range(3)}
    assert len(kept) == 3, "what was replaced in the same second has another name"
    assert all(Path(name.rstrip(".")).is_file() for name in kept)
    assert stat.S_IMODE((data / "branchline.db").stat().st_mode) == 0o600
