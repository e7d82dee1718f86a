"""The page on the architecture names modules, and these exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`((?:src|web|tests)/[^`]+)`", TEXT)))


def test_every_step_names_a_module() -> None:
    steps = re.findall(r"^\d\. .*?(?=^\d\. |^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert len(steps) >= 15
    handed_on = "from step 3 above on"
    assert [step for step in steps if "`" not in step and handed_on not in step] == []


@pytest.mark.parametrize("path", NAMED)
def test_what_it_names_exists(path: str) -> None:
    assert (ROOT / path).exists()
