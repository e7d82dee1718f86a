"""The build: the page goes into the package, and mypyc compiles the hot modules.

Where the modules can't be compiled, the same files run as plain Python: either all of them are
compiled or none is, since they share one library. The wheel holds the Python files in both cases.

The environment may ask for something else:

- `BRANCHLINE_PURE=1`: plain Python.
- `BRANCHLINE_COMPILED=1`: an error instead of plain Python, for wheels that are published.
- `BRANCHLINE_NO_PAGE=1`: a package without the page, for those who only want the engine.
- `BRANCHLINE_OPTIMISE=0`: the compiler's level of optimisation, for those who only try the build.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import BaseError, CCompilerError, SetupError

PACKAGE = Path("src/branchline")
PAGE = PACKAGE / "service/page/index.html"
WEB = Path("web")
COMPILED = ("core", "engine", "rules", "bots")
NOT_COMPILED = frozenset(
    {
        "core/machine.py",  # the substitutes for what the compiler knows by itself
        "core/mapfile",  # the rest reads files at the start and is seldom run
        "bots/board_data.py",
        "bots/bot.py",
        "bots/conformance.py",
        "bots/program.py",
        "bots/registry.py",
        "bots/search_helper.py",
        "core/catalogue.py",
        "core/plurals.py",
        "core/vocabulary.py",
        "engine/describe.py",
        "engine/notation.py",
        "engine/record.py",
        "rules/parameters.py",
        "rules/registration.py",
    }
)
FACES = (
    "env/batch_core",
    "service/broadcast/live_table",
    "service/broadcast/offers",
    "service/broadcast/readers",
    "service/broadcast/sent_fields",
    "service/broadcast/updates",
    "service/access/limits",
    "service/operations/tallies",
    "service/rooms/direct_moves",
    "service/rooms/moves",
    "service/socket/frames",
    "service/socket/inbox",
    "service/storage/jobs",
    "service/tables/chains",
    "service/tables/table",
)
"""Of the faces, what every move passes through and nothing waits in."""
BUILDS = frozenset({"bdist_wheel", "build", "build_ext", "editable_wheel", "install"})
"""The commands that need the compiled modules."""


def asked(variable: str) -> bool:
    return os.environ.get(variable, "0") not in ("", "0")


# --- the page -------------------------------------------------------------------------------------


def need_page() -> None:
    """Have the page built into the package; ends the build with one line if that is impossible."""
    if PAGE.is_file() or asked("BRANCHLINE_NO_PAGE"):
        return
    npm = shutil.which("npm")
    if npm is None or not (WEB / "package-lock.json").is_file():
        raise SetupError(
            "branchline: the page is not built. Install Node 20 or newer, or run `make page`; "
            "BRANCHLINE_NO_PAGE=1 builds a package without it."
        )
    print("branchline: building the page", file=sys.stderr)
    for command in (["ci", "--omit=dev"], ["run", "build"]):
        done = subprocess.run([npm, "--silent", *command], cwd=WEB, stdout=sys.stderr, check=False)
        if done.returncode:
            said = f"`npm {' '.join(command)}` in `web` failed"
            raise SetupError(f"branchline: the page could not be built: {said}.")


class BuildWithPage(build_py):
    """Puts the page into every wheel; an editable install may do without."""

    def run(self) -> None:
        if not self.editable_mode:
            need_page()
            self.__dict__.pop("data_files", None)  # found before the page was built
        super().run()


class SdistWithPage(sdist):
    """Puts the page into the source distribution, which then needs no Node to be installed."""

    def run(self) -> None:
        need_page()
        super().run()


# --- the compiled modules -------------------------------------------------------------------------


def stay_plain(reason: str) -> list[Extension]:
    if asked("BRANCHLINE_COMPILED"):
        raise SystemExit(f"error: branchline: can't be compiled: {reason}")
    print(f"branchline: not compiled, runs as plain Python: {reason}", file=sys.stderr)
    return []


def is_compiled(path: Path) -> bool:
    return NOT_COMPILED.isdisjoint({path.as_posix(), path.parent.as_posix()})


def hot_modules() -> list[str]:
    found = [
        path
        for folder in COMPILED
        for path in (PACKAGE / folder).rglob("*.py")
        if path.name not in ("__init__.py", "params.py") and is_compiled(path.relative_to(PACKAGE))
    ]
    found += [PACKAGE / f"{name}.py" for name in FACES]
    return sorted(path.as_posix() for path in found)


def extensions() -> list[Extension]:
    """One library for all hot modules, so that calls between them are direct."""
    if not BUILDS.intersection(sys.argv):
        return []
    if asked("BRANCHLINE_PURE"):
        return stay_plain("BRANCHLINE_PURE is set")
    try:
        from mypyc.build import mypycify
    except ImportError:
        return stay_plain("mypy is not installed")
    os.environ["MYPYPATH"] = str(PACKAGE.parent)
    # Strictness is `make check`'s concern. Modules that are only imported may use packages that
    # are not here: what mypy thinks of those is nobody's business during an install.
    options = [
        "--config-file=",
        f"--cache-dir={os.devnull}",  # the checks may run at the same time
        "--explicit-package-bases",
        "--ignore-missing-imports",
        "--follow-imports=silent",
    ]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            built: list[Extension] = mypycify(
                options + hot_modules(),
                # Level 2 is as fast as 3 here, and compiled in half the time.
                opt_level=os.environ.get("BRANCHLINE_OPTIMISE", "2"),
                debug_level="0",
                group_name="branchline._hot",
            )
    except (Exception, SystemExit) as error:  # whatever the compiler dislikes, an install goes on
        lines = [*said.getvalue().splitlines(), str(error)]
        return stay_plain(next((line for line in lines if "error" in line), lines[0]))
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


setup(
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildAllOrNothing, "build_py": BuildWithPage, "sdist": SdistWithPage},
)
