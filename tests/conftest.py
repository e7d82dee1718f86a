"""What all tests share: the tools of this folder, and the marker that names rules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker with which a test names the rules that it holds the engine to."""
    config.addinivalue_line("markers", "rule(*ids): the rules, by id, that a test is about")
