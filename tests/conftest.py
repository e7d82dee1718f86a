"""What all tests share: the tools of this folder, and the marker that names rules."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# A shell starts background jobs with SIGINT ignored, and every child would inherit that. Tests
# interrupt their children, so they begin as in the foreground.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker with which a test names the rules that it holds the engine to."""
    config.addinivalue_line("markers", "rule(*ids): the rules, by id, that a test is about")
