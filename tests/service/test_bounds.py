"""What one visitor asks for within the limits leaves the server to the others.

`docs/decisions/0029-doors-and-bounds.md` lists every way in, with its bound and its test.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocket
from websockets.exceptions import InvalidStatus

from branchline.service.access.limits import Limiters
from branchline.service.errors import ServiceError
from branchline.service.http.api import schema_body
from branchline.service.operations.settings import Limits
from branchline.service.rooms import rooms as rooms_module
from branchline.service.socket.inbox import Inbox
from branchline.service.socket.serving import serve_socket
from service.server import PROTOCOL, ROOMY, Client, Party, Server
from service.worlds import key_of, new_world

pytestmark = pytest.mark.anyio

FEW = {"requests_per_second": 0.1, "requests_burst": 60, "tables_per_address": 2}
"""Requests that a test uses up, on a machine of any speed."""


def test_the_published_schema_is_made_once() -> None:
    assert schema_body() is schema_body()
    assert json.loads(schema_body())["$defs"]


async def test_long_logs_names_and_bodies_are_counted_by_what_they_cost(tmp_path: Path) -> None:
    with Server(tmp_path, limits={**ROOMY, **FEW}) as server:
        async with Party(server.url) as party:
            ann = await party.client()
            large = {"board": "usa", "seats": 2, "name": "Ann", "more": "x" * 16_384}
            assert (await ann.refused("POST", "/api/tables", large))[0] == 413
            for name in ("Ann", "Zoé"):
                await ann.ask("PUT", "/api/me", {"name": name}, 204)
            assert await ann.refused("PUT", "/api/me", {"name": "X"}) == (429, "too_many_requests")
            table = await ann.create()
            socket = await party.socket(ann, table)
            for k in range(800):
                await socket.send("say", text=f"{k}")
            await socket.until(lambda: socket.number >= 800)
            for _ in range(15):
                await party.socket(ann, table, since=socket.number)
            with pytest.raises(InvalidStatus) as refused:
                await come_back(15, party, ann, table)  # 1 for each request and 4 for its log
            assert refused.value.response.status_code == 429
        async with Client(server.url, local="127.0.0.2") as ben:
            answers = [await ben.http.get("/api/me") for _ in range(30)]  # each counts as 5
            assert {answer.status_code for answer in answers} == {200, 429}


async def come_back(times: int, party: Party, client: Client, table: str) -> None:
    for _ in range(times):
        await party.socket(client, table)


async def test_whoever_is_gone_before_a_socket_is_open_is_not_a_fault_of_ours(
    tmp_path: Path,
) -> None:
    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        raise ConnectionResetError

    async with new_world(tmp_path) as world:
        await world.begin("nordic", 2)
        state = {"secret": "s", "address": "a"}
        scope = {
            "type": "websocket", "state": state, "headers": [], "query_string": b"", "path": "/",
            "subprotocols": [PROTOCOL],
        }  # fmt: skip
        await serve_socket(world.service, WebSocket(scope, receive, send), world.table.id)
        assert world.service.limiters.sockets.open == 0
        assert not world.live.connections


class Lines:
    """A channel on which some messages come, and then the end."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.messages = [json.dumps(message) for message in messages]

    async def receive(self) -> Any:
        if self.messages:
            return {"type": "websocket.receive", "text": self.messages.pop(0)}
        return {"type": "websocket.disconnect"}


async def test_the_sockets_of_an_address_share_a_limit(tmp_path: Path) -> None:
    async with new_world(tmp_path) as world:
        await world.begin("nordic", 2)
        limiters = Limiters(Limits(messages_per_address=1), clock=lambda: 0.0)  # three at once
        for seat, codes in ((0, []), (1, ["too_fast"])):
            ear = await world.listen(seat)
            lines: Any = Lines({"type": "ping", "id": "a"}, {"type": "ping", "id": "b"})
            await Inbox(limiters, ear.session).serve(lines)
            assert [trouble["code"] for trouble in ear.told("trouble")] == codes


async def test_a_takeback_costs_as_much_as_the_log_that_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with new_world(tmp_path) as world:
        await world.begin("nordic", 2)
        seat = next(k for k, s in enumerate(world.table.seats) if s.decision)
        ear = await world.listen(seat)
        limits = Limits()
        limiters = Limiters(limits, clock=lambda: 0.0)
        assert limiters.requests.take(ear.session.address, limits.requests_burst) == 0
        monkeypatch.setattr(ear.session, "limiters", limiters)
        done = await ear.act(world.state.legal(seat)[0])
        answer = await ear.send(type="takeback", id="t", move=done["number"])
        assert answer["code"] == "too_fast"


async def test_promises_do_not_fill_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with new_world(tmp_path) as world:
        world.live = await world.lobby.create(key_of(0), "nordic", 2, "Ann", takes_part=True)
        await world.lobby.sit(world.live, key_of(1), "Ben", 1, True)
        await world.lobby.promise(world.live, key_of(0), "0" * 64)
        monkeypatch.setattr(rooms_module, "MOST_OTHERS", world.table.number)
        with pytest.raises(ServiceError, match="log_full"):
            await world.lobby.promise(world.live, key_of(0), "1" * 64)
