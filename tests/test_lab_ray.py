"""The same games on a Ray cluster."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from branchline.lab.errors import LabError
from branchline.lab.requests import simulation
from branchline.lab.run import ray_pool
from branchline.lab.run.ray_pool import check_reachable
from branchline.lab.simulate.play import run

WORDS = ["simulate", "--map", "new_york", "--bots", "paths,greedy", "--games", "60"]
BOT = """
class Crash:
    def start(self, game, seat, seed): pass
    def decide(self, view, seconds): raise RuntimeError("derailed")
    def finish(self, view): pass
"""


def simulate(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The command in a folder of its own. A warning is an error, as it is for every test."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "branchline.cli", "--lang", "en", *WORDS, *more],
        cwd=folder,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )


def kept(folder: Path) -> dict[str, bytes]:
    """Everything that a run keeps: games, seats, records."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_cluster_plays_the_same_games_to_the_byte(tmp_path: Path) -> None:
    everything = ("--keep-records", "--decisions")
    here = simulate(tmp_path, "--out", "here", *everything, "--processes", "1")
    assert (here.returncode, here.stderr) == (0, "")
    there = simulate(tmp_path, "--out", "there", *everything, "--ray", "local")
    assert (there.returncode, there.stderr) == (0, ""), "Ray is not heard"
    files = {"games.parquet", "seats.parquet", "records.parquet", "decisions-new_york-2.parquet"}
    assert files <= kept(tmp_path / "here").keys()
    assert kept(tmp_path / "there") == kept(tmp_path / "here")


def test_a_bot_that_fails_on_a_cluster_is_named(tmp_path: Path) -> None:
    (tmp_path / "crashing_on_ray.py").write_text(BOT, encoding="utf-8")
    done = simulate(tmp_path, "--bots", "crashing_on_ray:Crash,random", "--ray", "local")
    assert done.returncode == 1
    assert done.stderr.startswith("The bot crashing_on_ray:Crash raised an exception")
    assert "in decide" in done.stderr
    assert "ray" not in done.stderr.replace("crashing_on_ray", "").lower(), "nothing of Ray's own"


def test_a_cluster_of_our_own_is_small_and_for_this_machine_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[dict[str, object]] = []

    class Ray(ModuleType):
        """Notes how it is begun, and by then what it would have read from the environment."""

        @staticmethod
        def init(**settings: object) -> None:
            begun.append({**settings, "beyond": os.environ.get(ray_pool.OTHER_MACHINES)})
            raise RuntimeError("not today\nwith a second line")

    monkeypatch.setitem(sys.modules, "ray", Ray("ray"))
    monkeypatch.delenv(ray_pool.OTHER_MACHINES, raising=False)
    plan = simulation("new_york", [], None, "paths,greedy", 4, "t", 1.0, False, False)
    for address in ("auto", "local"):
        with pytest.raises(LabError, match=r"not today$"):
            run(plan, "en", 1, ray=address)
    elsewhere, here = begun
    assert here["address"] == "local", "no other cluster of this machine is taken"
    assert here["beyond"] == "0", "it listens at the loopback address only"
    assert here["include_dashboard"] is False
    assert here["num_cpus"] == len(os.sched_getaffinity(0))
    assert isinstance(here["object_store_memory"], int)
    assert here["object_store_memory"] <= 2**27
    assert "num_cpus" not in elsewhere, "a cluster knows its own size"
    assert elsewhere["beyond"] is None


def test_without_ray_the_way_to_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    plan = simulation("new_york", [], None, "paths,greedy", 4, "t", 1.0, False, False)
    with pytest.raises(LabError) as caught:
        run(plan, "en", 1, ray="local")
    assert "branchline[ray]" in caught.value.text("en")


def test_an_address_where_nobody_listens_is_refused_at_once() -> None:
    with pytest.raises(LabError, match="no_cluster"):
        check_reachable("ray://127.0.0.1:1")
    check_reachable("auto")
