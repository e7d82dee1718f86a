"""Links between documents that work on a forge, made to work on the site as well."""

from __future__ import annotations

import logging
import posixpath
import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
LINK: Final = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")
FILE_NAME: Final = re.compile(r"\[(docs/[\w/]+\.md)\](?=\()")  # as the text of a link
FENCE: Final = re.compile(r"(?ms)^(`{3,}|~{3,}).*?^\1\s*$")
log = logging.getLogger("mkdocs.hooks.links")

MADE_FROM: Final = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "README.md": "index.md",
    "docs/decisions": "decisions/index.md",
    "examples": "examples.md",
    "examples/README.md": "examples.md",
}
"""Files and folders of the repository that are a page of the site under another name."""

TRANSLATED: Final = {
    "index.md": "fr/index.md",
    "playing.md": "fr/jouer.md",
    "tutorials/first_game.md": "fr/premiere_partie.md",
    "tutorials/host_for_friends.md": "fr/entre_amis.md",
    "reference/rules.md": "fr/regles.md",
    "reference/command.md": "fr/commande.md",
}
"""English pages and their French ones."""


def source_of(address: str) -> str:
    """The file of the repository that a page of the site is made from."""
    for source, made in MADE_FROM.items():
        if made == address and (ROOT / source).is_file() and address != "index.md":
            return source
    return f"docs/{address}"


def translations(address: str) -> dict[str, str]:
    """The addresses of a page by language; the home pages where it has no translation."""
    english = {french: english for english, french in TRANSLATED.items()}.get(address, address)
    if address.startswith("fr/"):
        return {"en": english if english in TRANSLATED else "index.md", "fr": address}
    return {"en": address, "fr": TRANSLATED.get(address, "fr/index.md")}


def on_site(text: str, source: str, repository: str, pages: Collection[str]) -> str:
    """The text of a document with links for the site; code is left alone."""
    folder = posixpath.dirname(source)
    here = MADE_FROM.get(source, source.removeprefix("docs/"))

    def changed(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[1]))
        address = page_of(target)
        if address in pages:
            away = posixpath.relpath(address, posixpath.dirname(here) or ".")
            return away + (found[2] or anchor_of(target))
        if not (ROOT / target).exists():
            log.warning("%s links to %s, which does not exist", source, target)
        kind = "tree" if (ROOT / target).is_dir() else "blob"
        return f"{repository}/{kind}/main/{target}{found[2] or ''}"

    def led(prose: str) -> str:
        return LINK.sub(changed, FILE_NAME.sub(titled, prose))

    parts, end = [], 0
    for code in FENCE.finditer(text):
        parts += [led(text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, led(text[end:])])


def titled(found: re.Match[str]) -> str:
    """A link that shows the title of a document instead of the name of its file."""
    path = ROOT / found[1]
    title = path.read_text("utf-8").splitlines()[0].removeprefix("# ") if path.is_file() else ""
    return f"[{title or found[1]}]"


def page_of(target: str) -> str:
    """The page that shows a file or folder of the repository, if there is one."""
    if target in MADE_FROM:
        return MADE_FROM[target]
    if target.startswith("examples/"):
        return f"{target.removesuffix('.ipynb')}.md" if target.endswith(".ipynb") else "examples.md"
    return target.removeprefix("docs/") if target.startswith("docs/") else ""


def anchor_of(target: str) -> str:
    """Where on its page a file of the repository is shown."""
    name = posixpath.basename(target)
    return f"#{name.removesuffix('.py')}" if name.endswith(".py") else ""
