"""The engine stays light: nothing heavy comes in with it."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "pyarrow", "scipy", "choix", "jinja2", "typer", "rich", "networkx", "fastapi")


def test_the_engine_imports_no_package_that_it_does_not_need() -> None:
    code = "import sys, branchline, branchline.bots; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "branchline" in loaded
    assert not loaded.intersection(HEAVY)
