"""What docs/protocol.md promises: the bot in it plays, and the schema covers what is sent."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec

from branchline.service.messages import ClientMessage, schema
from service.server import Server

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"
EXAMPLE = Path(__file__).parents[2] / "examples" / "play_at_a_table.py"


def test_the_bot_in_the_document_plays_a_game_over_the_network(
    server: Server, tmp_path: Path
) -> None:
    code = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[-1]
    assert len([line for line in code.splitlines() if line.strip()]) <= 40
    bot = tmp_path / "table_bot.py"
    bot.write_text(code)
    done = subprocess.run(
        [sys.executable, str(bot), server.url], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert len(msgspec.json.decode(done.stdout)) == 3
    for counted in ("moves", "messages_in", "messages_out", "append_seconds_count"):
        name = counted if counted.endswith("count") else f"{counted}_total"
        assert server.metric(f"branchline_{name}") > 10, counted
    assert server.metric("branchline_bot_thinking_seconds_count") > 10


def test_the_example_plays_at_a_table_and_tells_its_moves(server: Server) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), server.url], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    *moves, scores = done.stdout.splitlines()
    assert len(msgspec.json.decode(scores)) == 3
    assert any("Claim" in move for move in moves)


def test_the_document_names_every_message_of_a_client() -> None:
    text = DOCUMENT.read_text()
    for part in schema()["$defs"]["ClientMessage"]["anyOf"]:
        name = part["$ref"].rpartition("/")[2]
        kind = schema()["$defs"][name]["properties"]["type"]["enum"][0]
        assert f"| `{kind}` |" in text
    assert msgspec.json.decode(b'{"type": "ping", "id": "1"}', type=ClientMessage)
