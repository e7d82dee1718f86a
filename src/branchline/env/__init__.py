"""The games as environments for agents that learn.

`Batch` steps many games at once in compiled code. The other faces are of one game: `aec` and
`parallel` are PettingZoo's, and `gymnasium.make("branchline/usa-v0")` finds Gymnasium's; importing
`branchline.env.open_spiel` registers OpenSpiel's. All need packages that the extra `env` installs;
`docs/env.md` is the guide.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from branchline.env.errors import EnvError

if TYPE_CHECKING:
    from branchline.env.batch import Batch, Step
    from branchline.env.columns import Columns
    from branchline.env.petting_zoo import aec, parallel
    from branchline.env.processes import Batches

__all__ = ["Batch", "Batches", "Columns", "EnvError", "Step", "aec", "parallel"]

PLACES: Final = {
    "Batch": "batch",
    "Batches": "processes",
    "Columns": "columns",
    "Step": "batch",
    "aec": "petting_zoo",
    "parallel": "petting_zoo",
}
"""Names that are looked up when they are first used: their modules need other packages."""


def __getattr__(name: str) -> object:
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        found = getattr(import_module(f"{__name__}.{PLACES[name]}"), name)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "branchline"):
            raise
        raise EnvError("missing_package", {"package": package, "extra": "env"}) from None
    globals()[name] = found
    return found


if all(find_spec(package) is not None for package in ("gymnasium", "numpy")):
    from branchline.env.gymnasium_envs import register

    register()
