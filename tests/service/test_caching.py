"""What may be kept on the way to a browser, and that no visitor's secret is kept with it."""

from __future__ import annotations

import re

import httpx
import pytest

from branchline.service.http.static_pages import FOLDER, has_page
from service.server import Party, Server

ASSETS = sorted(f"/assets/{path.name}" for path in (FOLDER / "assets").glob("*.js"))
FILES = ["/icon.svg", "/manifest.webmanifest", *ASSETS[:2]]
FOR_ONE = ["/", "/t/23456789abc", "/api/about", "/api/boards", "/api/tables/mine", "/api/nothing"]


def get(server: Server, path: str, method: str = "GET", **more: str) -> httpx.Response:
    return httpx.request(method, server.url + path, headers=more, timeout=30)


@pytest.mark.skipif(not has_page(), reason="the page is not built")
@pytest.mark.parametrize("path", FILES)
def test_a_file_that_others_may_keep_has_no_cookie(server: Server, path: str) -> None:
    answer = get(server, path)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert "private" not in answer.headers["cache-control"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_a_health_check_gets_no_cookie_and_is_not_kept(server: Server, path: str) -> None:
    answer = get(server, path)
    assert "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", FOR_ONE)
def test_an_answer_with_a_cookie_is_for_one_visitor_alone(server: Server, path: str) -> None:
    answer = get(server, path, accept="text/html")
    assert answer.headers["set-cookie"].startswith("branchline=")
    kept = answer.headers["cache-control"]
    assert kept == ("no-store" if path.startswith("/api/") else "private, no-cache")
    again = get(server, path, cookie=answer.headers["set-cookie"].partition(";")[0])
    assert "set-cookie" not in again.headers


def test_every_refusal_says_that_it_is_not_kept(server: Server) -> None:
    refusals = {
        403: get(server, "/api/tables", "POST", origin="http://elsewhere.example"),
        404: get(server, "/nothing"),
        405: get(server, "/api/about", "POST"),
        422: get(server, "/api/tables", "POST"),
        413: httpx.post(f"{server.url}/api/tables", content=bytes(2 << 20), timeout=30),
    }
    for status, answer in refusals.items():
        assert (answer.status_code, answer.headers["cache-control"]) == (status, "no-store")


@pytest.mark.anyio
@pytest.mark.skipif(not has_page(), reason="the page is not built")
async def test_the_page_of_a_table_names_what_its_board_is_drawn_from(party: Party) -> None:
    ann = await party.client("Ann")
    page = await ann.http.get(f"/t/{await ann.create('nordic')}", headers={"accept": "text/html"})
    facts, drawing = re.findall(r"<([^>]*)>", page.headers["link"])
    assert (await ann.ask("GET", facts))["id"] == "nordic"
    assert (await ann.ask("GET", drawing))["routes"]
