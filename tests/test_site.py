"""The documentation site: it builds without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import branchline
from branchline.core.catalogue import rule_ids
from branchline.core.mapfile import builtin_boards
from branchline.rules.parameters import PARAMS

ROOT = Path(__file__).parents[1]
FETCHED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}
"""What a browser loads by itself."""


class Page(HTMLParser):
    """What a page of the site links to, loads and can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lang = ""
        self.links: set[str] = set()
        self.fetched: set[str] = set()
        self.anchors: set[str] = {"", "__top"}
        self.inline_scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "html":
            self.lang = values.get("lang") or ""
        if values.get("id"):
            self.anchors.add(str(values["id"]))
        if tag == "a" and values.get("href"):
            self.links.add(str(values["href"]))
        if tag in FETCHED and values.get(FETCHED[tag]):
            self.fetched.add(str(values[FETCHED[tag]]))
        if tag == "script" and "src" not in values and values.get("type") != "application/json":
            self.inline_scripts += 1


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it, in strict mode."""
    folder = tmp_path_factory.mktemp("site")
    package = str(Path(branchline.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": package, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """All pages by their addresses."""
    return {
        str(path.relative_to(site)): Page(path.read_text("utf-8")) for path in site.rglob("*.html")
    }


def target_of(page: str, link: str) -> tuple[str, str]:
    """The file and the anchor that a relative link of a page leads to."""
    parts = urlsplit(link)
    path = os.path.normpath(os.path.join(os.path.dirname(page), unquote(parts.path)))  # noqa: PTH118, PTH120
    if not parts.path:
        path = page
    elif parts.path.endswith(("/", ".")) or "." not in path.rpartition("/")[2]:
        path = os.path.normpath(f"{path}/index.html")
    return path, unquote(parts.fragment)


def test_every_link_leads_to_a_page_and_a_place_on_it(site: Path, pages: dict[str, Page]) -> None:
    assert len(pages) > 50
    broken = []
    for name, page in pages.items():
        for link in page.links | page.fetched:
            if urlsplit(link).scheme:
                continue
            path, anchor = target_of(name, link)
            if path in pages:
                if anchor not in pages[path].anchors:
                    broken.append(f"{name}: {link}")
            elif not (site / path).is_file():
                broken.append(f"{name}: {link}")
    assert broken == []


def test_nothing_is_fetched_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        away = {link for link in page.fetched if urlsplit(link).scheme or link.startswith("//")}
        assert away == set(), name
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text("utf-8"))


def test_a_strict_policy_can_be_served_with_it(pages: dict[str, Page]) -> None:
    assert [name for name, page in pages.items() if page.inline_scripts] == []


def test_french_pages_say_that_they_are_french(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        assert page.lang == ("fr" if name.startswith("fr/") else "en"), name
    assert "../../playing/" in pages["fr/jouer/index.html"].links
    assert "../fr/jouer/" in pages["playing/index.html"].links


def test_rules_parameters_and_commands_are_complete(pages: dict[str, Page]) -> None:
    for name in ("reference/rules/index.html", "fr/regles/index.html"):
        assert {id.lower() for id in rule_ids()} <= pages[name].anchors
    assert set(PARAMS) <= pages["reference/parameters/index.html"].anchors
    for name in ("reference/command/index.html", "fr/commande/index.html"):
        commands = {"play", "serve", "simulate", "arena", "study", "maps-check", "bots-new"}
        assert {f"branchline-{command}" for command in commands} <= pages[name].anchors


def test_choices_of_an_option_are_shown_as_they_are_typed(site: Path) -> None:
    text = (site / "reference/command/index.html").read_text("utf-8")
    assert "<code>en|fr</code>" in text
    assert "\\|" not in text


def test_the_theme_finds_the_sitemaps_that_it_asks_for(site: Path) -> None:
    assert all((site / folder / "sitemap.xml").is_file() for folder in ("", "fr"))


def test_the_parameters_show_how_boards_set_them(site: Path) -> None:
    text = re.sub(r"<[^>]+>", "", (site / "reference/parameters/index.html").read_text("utf-8"))
    for board in builtin_boards():
        assert board in text
    for words in ("a number from 1 to 200", "The cards turned up from the deck", "province"):
        assert words in text


def test_the_search_finds_pages_in_both_languages(site: Path) -> None:
    index: dict[str, Any] = json.loads((site / "search/search_index.json").read_text("utf-8"))
    assert index["config"]["lang"] == ["en", "fr"]
    found = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert {"playing/", "fr/jouer/", "reference/parameters/", "reference/engine/"} <= found
