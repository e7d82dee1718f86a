"""The table server with a board whose rule nothing in the package knows: `tests/toy_rule.py`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from branchline.cli import main

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import toy_rule

toy_rule.register()  # bots think in processes that import this file, too

if __name__ == "__main__":
    sys.argv += ["--board", str(toy_rule.board_file(Path(tempfile.mkdtemp())))]
    main()
