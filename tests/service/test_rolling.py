"""Several processes are replaced by another version one after the other while people play on."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import httpx
import pytest

from service.server import Server
from service.stubborn import Club

pytestmark = pytest.mark.anyio

OTHER_VERSION = """
import branchline._version
branchline._version.VERSION = "99.0.0"
"""


def version(server: Server) -> str:
    return str(httpx.get(f"{server.url}/api/about", timeout=30).json()["version"])


async def test_players_play_on_while_one_process_after_the_other_gets_a_new_version(
    tmp_path: Path, postgres_url: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(OTHER_VERSION, "utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    options = ("--database", postgres_url)
    with (
        Server(tmp_path / "one", *options) as one,
        Server(tmp_path / "two", *options) as two,
    ):
        assert version(one) == version(two) != "99.0.0"
        async with Club([one, two]) as club:
            await club.open("nordic", 2, [], 1)
            await club.open("nordic", 1, ["easy"], 2)
            async with club.playing() as games:
                for server in (one, two):
                    await club.moved(10, games)
                    await asyncio.to_thread(server.stop)
                    await club.moved(10, games)  # served by the other, of the other version
                    server.environ["PYTHONPATH"] = path
                    async with club.at_rest():  # or the games might end before
                        await asyncio.to_thread(server.start)
                await club.moved(10, games)
                assert version(one) == version(two) == "99.0.0"
                assert not games.done()
            assert club.refusals == set()
            for server in (one, two):
                assert server.metric("branchline_errors_total") == 0, server.log
