"""The example programs and notebooks as pages."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

EXAMPLES: Final = Path(__file__).parents[2] / "examples"


def programs() -> str:
    """All example programs, each with what it says about itself and its code."""
    parts = [(EXAMPLES / "README.md").read_text("utf-8").strip()]
    for path in sorted(EXAMPLES.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        doc = ast.get_docstring(tree) or ""
        body = path.read_text("utf-8").split('"""', 2)[2].strip("\n")
        parts += [f"## {path.name} {{#{path.stem}}}", doc, f"```python\n{body}\n```"]
    return "\n\n".join(parts) + "\n"


def notebooks() -> dict[str, Callable[[], str]]:
    """A page for each notebook: its texts and its code."""
    return {
        f"examples/{path.stem}.md": lambda path=path: notebook(path)  # type: ignore[misc]
        for path in sorted(EXAMPLES.glob("*.ipynb"))
    }


def notebook(path: Path) -> str:
    """A notebook's cells as Markdown, without results: run it to see them."""
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"]).strip()
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    note = f"*This page is the notebook [`examples/{path.name}`]({{}}). The tests run it.*"
    heading, *rest = parts
    title, _, more = heading.partition("\n")
    link = f"https://github.com/branchline-games/branchline/blob/main/examples/{path.name}"
    return "\n\n".join([title, note.format(link), more.strip(), *rest]) + "\n"
