"""Links for others: they carry an address that others can reach, and tell nobody of the network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from branchline.service.operations.listen_addresses import address_for_others, lan_address
from service.server import Server


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that listens on every address, behind a proxy on the same machine."""
    options = ("--host", "0.0.0.0", "--proxy", "127.0.0.1")
    with Server(tmp_path_factory.mktemp("server"), *options) as running:
        yield running


def told(server: Server, **headers: str) -> str:
    """The address for others that a visitor is told."""
    answer = httpx.get(f"{server.url}/api/about", headers=headers).raise_for_status()
    return str(answer.json()["address"])


def test_only_who_came_by_a_name_of_the_machine_itself_needs_another_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    where = "branchline.service.operations.listen_addresses.lan_address"
    monkeypatch.setattr(where, lambda: "192.0.2.9")
    for name in ("localhost", "127.0.0.1", "::1", "[::1]"):
        assert address_for_others("0.0.0.0", 8000, name) == "http://192.0.2.9:8000"
    assert address_for_others("0.0.0.0", 8000, "192.0.2.9") == ""
    assert address_for_others("0.0.0.0", 8000, "games.example") == ""
    assert address_for_others("127.0.0.1", 8000, "localhost") == ""
    monkeypatch.setattr(where, lambda: None)
    assert address_for_others("0.0.0.0", 8000, "localhost") == ""


def test_a_visitor_at_the_machine_gets_links_that_others_can_open(everywhere: Server) -> None:
    near = lan_address()
    expected = f"http://{near}:{everywhere.port}" if near else ""
    assert told(everywhere, host=f"localhost:{everywhere.port}") == expected
    form = {"board": "usa", "seats": 2, "name": "Ann"}
    answer = httpx.post(f"{everywhere.url}/api/tables", json=form).json()
    assert answer["link"] == f"{expected or everywhere.url}/t/{answer['table']}"


def test_a_visitor_from_elsewhere_is_not_told_of_the_network(everywhere: Server) -> None:
    assert told(everywhere, host="games.example") == ""
    assert told(everywhere, host="localhost", **{"x-forwarded-for": "203.0.113.5"}) == ""


def test_a_server_for_this_machine_alone_has_no_other_address(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert told(server) == ""
