"""Moves the theme's inline scripts into files of their own."""

from __future__ import annotations

import hashlib
import posixpath
import re
from pathlib import Path
from typing import Final

INLINE: Final = re.compile(r"(?s)<script>(.*?)</script>")
FOLDER: Final = "assets/javascripts/inline"


def move_inline_scripts(html: str, url: str, site: Path) -> str:
    """The page with each inline script replaced by a file that is named after its content.

    A content security policy without `unsafe-inline`, such as that of the table server, would
    otherwise forbid them. Data in `<script type="application/json">` isn't run and stays.
    """
    here = url if url.endswith("/") or not url else posixpath.dirname(url)

    def moved(found: re.Match[str]) -> str:
        name = hashlib.sha256(found[1].encode()).hexdigest()[:16] + ".js"
        path = site / FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found[1], encoding="utf-8")
        address = posixpath.relpath(f"{FOLDER}/{name}", here or ".")
        return f'<script src="{address}"></script>'

    return INLINE.sub(moved, html)
