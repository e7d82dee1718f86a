"""The choice between compiled modules and their Python sources, made when the package is imported.

This file is never compiled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import (
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from importlib.util import find_spec
from types import ModuleType
from typing import Final

SWITCH: Final = "BRANCHLINE_PURE"
"""The environment variable that asks for plain Python: set, and neither empty nor `0`."""

WITNESS: Final = "branchline.engine.state"
"""A module that stands for all: the build compiles every hot module or none."""


class _SourceFinder:
    """Finds the Python sources of this package only, whatever compiled files lie beside them."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None or not name.startswith("branchline."):
            return None
        for entry in path:
            spec = FileFinder(entry, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)
            if spec is not None and spec.loader is not None:
                return spec
        return None


def prefer_source() -> None:
    """Where `BRANCHLINE_PURE` is set, have the rest of the package loaded from its sources.

    Call it before the first import of another module of the package; a second call changes nothing.
    """
    if os.environ.get(SWITCH, "0") not in ("", "0") and _SourceFinder not in sys.meta_path:
        sys.meta_path.insert(0, _SourceFinder)


def compiled() -> bool:
    """Whether the hot modules run compiled in this process."""
    spec = find_spec(WITNESS)
    return spec is not None and isinstance(spec.loader, ExtensionFileLoader)
