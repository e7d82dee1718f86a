"""What MkDocs does in addition to its own work: pages made from the sources, links, languages.

`mkdocs.yml` names this file. The pages that are made are listed in `GENERATED`; whatever links to
their sources in the repository leads to them on the site.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import command_page
import example_pages
import links
import parameter_page
import rules_page
from inline_scripts import move_inline_scripts
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parents[2]
TRANSLATIONS: Final = "fr/"
NO_SITEMAP: Final = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>\n'
"""The theme asks for a sitemap on every page; a real one would need the address of the site."""


def _text_of(path: str) -> Callable[[], str]:
    return lambda: (ROOT / path).read_text("utf-8")


def _decisions() -> str:
    """The list of all decisions, which a folder on a forge shows by itself."""
    lines = ["# Decisions", "", "Why things are as they are, in the order of the decisions.", ""]
    for path in sorted((ROOT / "docs/decisions").glob("[0-9]*.md")):
        title = path.read_text("utf-8").splitlines()[0].removeprefix("# ")
        lines.append(f"- [{title}]({path.name})")
    return "\n".join(lines) + "\n"


GENERATED: Final[dict[str, Callable[[], str]]] = {
    "reference/parameters.md": parameter_page.page,
    "reference/command.md": lambda: command_page.page("en"),
    "reference/rules.md": lambda: rules_page.page("en"),
    "fr/commande.md": lambda: command_page.page("fr"),
    "fr/regles.md": lambda: rules_page.page("fr"),
    "examples.md": example_pages.programs,
    "decisions/index.md": _decisions,
    "changelog.md": _text_of("CHANGELOG.md"),
    "contributing.md": _text_of("CONTRIBUTING.md"),
    "security.md": _text_of("SECURITY.md"),
}
"""Pages of the site by their addresses, and what writes them."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, and the logo, which the page of the tables has already."""
    pages = {**GENERATED, **example_pages.notebooks()}
    for address, write in pages.items():
        files.append(File.generated(config, address, content=write()))
    logo = (ROOT / "web/public/icon.svg").read_text("utf-8")
    files.append(File.generated(config, "pictures/icon.svg", content=logo))
    files.append(File.generated(config, f"{TRANSLATIONS}sitemap.xml", content=NO_SITEMAP))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Say which language a page has, and lead links that leave `docs/` to where they should go."""
    address = page.file.src_uri
    page.meta["language"] = "fr" if address.startswith(TRANSLATIONS) else "en"
    return links.on_site(markdown, links.source_of(address), str(config.repo_url), files.src_uris)


def on_page_context(context: Any, page: Page, config: MkDocsConfig, nav: Any) -> Any:
    """Let the language menu lead to the same page in the other language, where there is one."""
    files = {file.src_uri: file for file in context["pages"]}
    context["translations"] = {
        lang: files[address].url
        for lang, address in links.translations(page.file.src_uri).items()
        if address in files
    }
    return context


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Leave out what has to know the address of the site: it may be at any."""
    if template_name == "sitemap.xml":
        return NO_SITEMAP
    return "" if template_name == "404.html" else output_content


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Leave no script in the text of a page, so that a strict policy can be served with it."""
    return move_inline_scripts(output, page.file.url, Path(config.site_dir))
