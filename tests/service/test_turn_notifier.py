"""People who are away are told when it is their turn, and nobody else is."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

from service.server import Client, Server

pytestmark = pytest.mark.anyio


class Letterbox:
    """A server of a player's own, which keeps what is posted to it."""

    def __init__(self) -> None:
        letters: Queue[dict[str, Any]] = Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                letters.put(json.loads(self.rfile.read(length)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.letters = letters
        self._http = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}/turn"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def letterbox() -> Iterator[Letterbox]:
    box = Letterbox()
    yield box
    box.close()


async def test_whoever_is_away_is_told_of_the_turn_and_whoever_is_there_is_not(
    tmp_path: Path, letterbox: Letterbox
) -> None:
    with Server(tmp_path, "--webhooks", "any") as server:
        async with Client(server.url, "Ann") as ann, Client(server.url, "Zoé", "fr") as zoe:
            table = await ann.create("new_york", first=0)
            await zoe.join(table)
            wish = {"webhook": letterbox.url}
            await zoe.ask("PUT", f"/api/tables/{table}/notices", wish, 204)
            async with zoe.connected(table) as there:
                await there.act(there.choose(random.Random(1))["action"])
                async with ann.connected(table) as socket:
                    await socket.act(socket.choose(random.Random(1))["action"])
                    while socket.view is None or socket.view["turn"] == [0]:
                        await socket.act(socket.offer("draw")["action"])
                    await there.until(lambda: there.decision is not None)
                    await there.act(there.offer("draw")["action"])
                    await there.act(there.offer("draw")["action"])
            assert letterbox.letters.empty()
            async with ann.connected(table) as socket:
                await socket.act(socket.offer("draw")["action"])
                await socket.act(socket.offer("draw")["action"])
            letter = letterbox.letters.get(timeout=10)
            assert letter["seat"] == 1
            assert letter["name"] == "Zoé"
            assert letter["link"] == f"{server.url}/t/{table}"
            assert "à vous" in letter["text"]
            with pytest.raises(Empty):
                letterbox.letters.get(timeout=0.3)


async def test_only_a_player_may_ask_to_be_told(tmp_path: Path, letterbox: Letterbox) -> None:
    with Server(tmp_path) as server:
        async with Client(server.url, "Ann") as ann, Client(server.url, "Eve") as eve:
            table = await ann.create("new_york")
            place = f"/api/tables/{table}/notices"
            assert await eve.refused("PUT", place, {}) == (403, "not_your_seat")
            private = {"webhook": letterbox.url}
            assert (await ann.refused("PUT", place, private))[0] == 422
            await ann.ask("PUT", place, {}, 204)


@pytest.mark.parametrize("how", ["by nothing", "by leaving", "by another device"])
async def test_whoever_ends_it_is_told_no_more(
    tmp_path: Path, letterbox: Letterbox, how: str
) -> None:
    with Server(tmp_path, "--webhooks", "any") as server:
        async with Client(server.url, "Ann") as ann, Client(server.url, "Zoé") as zoe:
            table = await ann.create("new_york", first=0)
            await zoe.join(table)
            place = f"/api/tables/{table}"
            await zoe.ask("PUT", f"{place}/notices", {"webhook": letterbox.url}, 204)
            async with zoe.connected(table) as there:
                await there.act(there.choose(random.Random(1))["action"])
            async with Client(server.url, "Zoé") as other:
                if how == "by nothing":
                    await zoe.ask("PUT", f"{place}/notices", {}, 204)
                elif how == "by leaving":
                    await zoe.ask("DELETE", f"{place}/seats/1", status=204)
                    await other.join(table)
                else:
                    link = await zoe.ask("POST", f"{place}/seats/1/link")
                    await other.ask("POST", f"{place}/move", {"token": link["token"]})
                async with ann.connected(table) as socket:
                    await socket.act(socket.choose(random.Random(1))["action"])
                    await socket.act(socket.offer("draw")["action"])
                    await socket.act(socket.offer("draw")["action"])
            with pytest.raises(Empty):
                letterbox.letters.get(timeout=0.5)
