"""A rule that the package has never heard of is played at a table of a real server."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from service.server import Client, Server
from toy_rule import board_file

pytestmark = pytest.mark.anyio
TESTS = Path(__file__).parent.parent


@pytest.fixture
def server(tmp_path: Path) -> Any:
    (tmp_path / "sitecustomize.py").write_text("import toy_rule\n\ntoy_rule.register()\n", "utf-8")
    path = os.pathsep.join([str(tmp_path), str(TESTS), os.environ.get("PYTHONPATH", "")])
    board = board_file(tmp_path)
    with Server(tmp_path / "data", "--board", str(board), environ={"PYTHONPATH": path}) as running:
        yield running


async def test_it_is_offered_played_and_told(server: Server) -> None:
    rng = random.Random(2)
    async with Client(server.url) as ann:
        table = await ann.create("picnics", seats=2, bots=["hard"])
        async with ann.connected(table) as socket:
            await socket.play(rng)
        told = "\n".join(socket.received)
        assert '"do":"picnic"' in told
        assert '"do":"picnic_size"' in told
        assert "PicnicHeld" in told
