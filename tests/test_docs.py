"""Every example in the documents and docstrings runs as it stands."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import branchline

ROOT = Path(__file__).parent.parent
OWN_TEST = {"maps.md"}  # its examples are files that a test of its own writes first
DOCUMENTS = sorted(
    p for p in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")] if p.name not in OWN_TEST
)
MODULES = sorted(
    m.name
    for m in pkgutil.walk_packages(branchline.__path__, "branchline.")
    if "_hot" not in m.name
)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_the_examples_of_a_document_are_true(path: Path) -> None:
    failed, _ = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0
