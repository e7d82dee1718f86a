"""The build: mypyc compiles the hot modules; where it can't, the same files run as plain Python.

Either all of them are compiled or none is, since they share one library. The wheel holds the
Python files in both cases. `BRANCHLINE_PURE=1` asks for plain Python.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

PACKAGE = Path("src/branchline")
COMPILED = ("core", "engine", "rules", "bots")
NOT_COMPILED = frozenset(
    {
        "core/machine.py",  # the substitutes for what the compiler knows by itself
        "core/mapfile.py",  # the rest reads files at the start and is seldom run
        "bots/bot.py",
        "bots/conformance.py",
        "bots/registry.py",
        "core/catalogue.py",
        "core/vocabulary.py",
        "engine/describe.py",
        "engine/notation.py",
        "engine/record.py",
        "rules/params.py",
    }
)
SERVED = ("audience", "live", "offers", "table", "telling")
"""Of the table server, what every move passes through and nothing waits in."""
METADATA_ONLY = frozenset({"egg_info", "dist_info", "sdist", "clean"})


def stay_plain(reason: str) -> list[Extension]:
    print(f"branchline: not compiled, runs as plain Python: {reason}", file=sys.stderr)
    return []


def hot_modules() -> list[str]:
    found = [
        path
        for folder in COMPILED
        for path in (PACKAGE / folder).rglob("*.py")
        if path.name != "__init__.py" and path.relative_to(PACKAGE).as_posix() not in NOT_COMPILED
    ]
    found += [PACKAGE / "service" / f"{name}.py" for name in SERVED]
    return sorted(path.as_posix() for path in found)


def extensions() -> list[Extension]:
    """One library for all hot modules, so that calls between them are direct."""
    if METADATA_ONLY.intersection(sys.argv):
        return []
    if os.environ.get("BRANCHLINE_PURE", "0") not in ("", "0"):
        return stay_plain("BRANCHLINE_PURE is set")
    try:
        from mypyc.build import mypycify
    except ImportError:
        return stay_plain("mypy is not installed")
    os.environ["MYPYPATH"] = str(PACKAGE.parent)
    # Strictness is `make check`'s concern: an install should fail on errors only.
    options = ["--config-file=", "--explicit-package-bases", "--ignore-missing-imports"]
    built: list[Extension] = mypycify(
        options + hot_modules(),
        opt_level="3",
        debug_level="0",
        group_name="branchline._hot",
    )
    for extension in built:
        flags = extension.extra_compile_args
        if "-Werror" in flags:  # a compiler of the Unix kind; a newer one may warn of new things
            flags.remove("-Werror")
            flags.append("-fvisibility=hidden")
    return built


class BuildAllOrNothing(build_ext):
    """Keeps no compiled module if one of them can't be built."""

    def build_extensions(self) -> None:
        try:
            super().build_extensions()
        except (BaseError, CCompilerError, OSError):
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = stay_plain("the C compiler is missing or failed")


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildAllOrNothing})
