"""The page and its files: what a browser may keep, what is not there, and what is not ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from branchline.core.catalogue import LANGUAGES, say
from branchline.core.mapfile import load_board
from branchline.service.http.static_pages import add_page, docs_address

pytestmark = pytest.mark.anyio

NORDIC = load_board("nordic")


class Visitor:
    """Asks an application that serves a page from a folder."""

    def __init__(self, folder: Path) -> None:
        app = FastAPI(openapi_url=None)

        @app.post("/api/tables")
        async def tables() -> dict[str, Any]:
            return {}

        add_page(app, folder, folder.parent / "docs", {"23456789abc": NORDIC}.get)
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://test", headers={"accept": "*/*"}
        )

    async def get(self, path: str, **headers: str) -> httpx.Response:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.get(path, headers=names)


@pytest.fixture
def visitor(tmp_path: Path) -> Visitor:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>Branchline</title>", encoding="utf-8")
    (folder / "icon.svg").write_text("<svg/>", encoding="utf-8")
    (folder / "assets" / "index-abc.js").write_text("1", encoding="utf-8")
    (folder / "assets" / "out.txt").symlink_to(tmp_path / "secret.txt")
    docs = tmp_path / "docs"
    (docs / "bots").mkdir(parents=True)
    (docs / "index.html").write_text("<title>Guides</title>", encoding="utf-8")
    (docs / "bots" / "index.html").write_text("<title>Bots</title>", encoding="utf-8")
    (docs / "out.txt").symlink_to(tmp_path / "secret.txt")
    return Visitor(folder)


@pytest.mark.parametrize("path", ["/", "/t/abc", "/replay", "/rules", "/rules/usa", "/?lang=fr"])
async def test_every_address_of_the_page_shows_it(visitor: Visitor, path: str) -> None:
    answer = await visitor.get(path)
    assert (answer.status_code, answer.text) == (200, "<title>Branchline</title>")
    assert answer.headers["cache-control"] == "private, no-cache"
    assert answer.headers["content-type"].startswith("text/html")
    assert (await visitor.client.head(path)).status_code == 200


async def test_what_is_named_after_its_content_is_kept_for_ever(visitor: Visitor) -> None:
    answer = await visitor.get("/assets/index-abc.js")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert (await visitor.get("/icon.svg")).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/", "/t/abc", "/icon.svg", "/assets/index-abc.js"])
async def test_what_a_browser_still_has_is_not_sent_again(visitor: Visitor, path: str) -> None:
    first = await visitor.get(path)
    again = await visitor.get(path, if_none_match=first.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == first.headers["cache-control"]


async def test_with_a_table_come_the_addresses_of_its_board(visitor: Visitor) -> None:
    answer = await visitor.get("/t/23456789abc", accept_language="fr-CH, en;q=0.5")
    query = f"?digest={NORDIC.digest}&lang=fr"
    assert answer.headers["link"] == (
        f"</api/boards/nordic{query}>; rel=preload; as=fetch; crossorigin, "
        f"</api/boards/nordic/drawing{query}>; rel=preload; as=fetch; crossorigin"
    )
    again = await visitor.get("/t/23456789abc", if_none_match=answer.headers["etag"])
    assert (again.status_code, "nordic" in again.headers["link"]) == (304, True)
    for path in ("/", "/t/abc", "/rules/nordic", "/nothing"):
        assert "link" not in (await visitor.get(path, accept="text/html")).headers


async def test_who_looks_for_what_is_not_there_sees_the_page(visitor: Visitor) -> None:
    for path in ("/nothing", "/assets/old.js", "/assets/"):
        index = await visitor.get("/")
        seen = await visitor.get(path, accept="text/html,*/*", if_none_match=index.headers["etag"])
        assert (seen.status_code, seen.text) == (404, "<title>Branchline</title>")
        assert seen.headers["cache-control"] == "private, no-cache"
        assert "Branchline" not in (await visitor.get(path)).text
    answer = await visitor.get("/api/nothing", accept="text/html")
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not Found"})


async def test_a_route_with_another_method_goes_first(visitor: Visitor) -> None:
    assert (await visitor.get("/api/tables")).status_code == 405
    assert (await visitor.client.post("/icon.svg")).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt",
        "/assets/..%5c..%5csecret.txt", "/%2fetc%2fpasswd", "/assets/out.txt", "/%00",
        "/icon.svg%00", "/" + "a" * 300, "/docs/../secret.txt", "/docs/%2e%2e/secret.txt",
        "/docs/..%2fsecret.txt", "/docs/%2fetc%2fpasswd", "/docs/out.txt",
    ],
)  # fmt: skip
async def test_no_file_outside_is_given(visitor: Visitor, path: str) -> None:
    answer = await visitor.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("path", "text"),
    [("/docs/", "Guides"), ("/docs/index.html", "Guides"), ("/docs/bots/", "Bots")],
)
async def test_the_documentation_is_at_docs(visitor: Visitor, path: str, text: str) -> None:
    answer = await visitor.get(path)
    assert (answer.status_code, answer.text) == (200, f"<title>{text}</title>")
    assert answer.headers["cache-control"] == "no-cache"


async def test_a_folder_of_the_documentation_is_found_without_a_slash(visitor: Visitor) -> None:
    for path in ("/docs", "/docs/bots"):
        answer = await visitor.get(path)
        assert (answer.status_code, answer.headers["location"]) == (307, f"http://test{path}/")
    for path in ("/docs/nothing/", "/docsnothing"):
        seen = await visitor.get(path, accept="text/html")
        assert (seen.status_code, seen.text) == (404, "<title>Branchline</title>")


async def test_without_built_documentation_there_is_nothing_at_docs(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("<title>Branchline</title>", encoding="utf-8")
    seen = await Visitor(tmp_path / "page").get("/docs/", accept="text/html")
    assert (seen.status_code, seen.text) == (404, "<title>Branchline</title>")


async def test_without_a_built_page_it_is_said(tmp_path: Path) -> None:
    visitor = Visitor(tmp_path / "none")
    for lang in LANGUAGES:
        for path in ("/", "/nothing"):
            answer = await visitor.get(path, accept="text/html", accept_language=lang)
            assert answer.status_code == 503
            assert say("table.no_page", lang) in answer.text
    assert (await visitor.get("/icon.svg")).status_code == 404


def test_the_documentation_is_named_in_the_readers_language_where_it_is_built(
    tmp_path: Path,
) -> None:
    docs = tmp_path / "docs"
    assert docs_address("en", docs) == "", "it is not built"
    (docs / "fr").mkdir(parents=True)
    assert docs_address("en", docs) == ""
    (docs / "index.html").touch()
    (docs / "fr" / "index.html").touch()
    assert docs_address("en", docs) == docs_address("de", docs) == "/docs/"
    assert docs_address("fr", docs) == "/docs/fr/"
