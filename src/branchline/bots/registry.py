"""Bots by name, with parameters: `planner`, `planner:time_share=0.9,noise=0.1`.

Installed packages can add bots: an entry point in the group `branchline.bots` names a class (or
function) that takes the parameters as keywords and returns a `Bot`. `package.module:Name` works
without installing, also for a module in the current folder. `program:COMMAND` is a bot in another
program (`bots/program.py`).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Final

from branchline.bots.bot import Bot
from branchline.bots.expert import Expert
from branchline.bots.fault import raised
from branchline.bots.planner import Planner, planner_1
from branchline.bots.program import PREFIX, ProgramBot
from branchline.bots.random import RandomBot
from branchline.bots.scripted import Greedy, Hungry, LongRoutes, TicketPaths
from branchline.engine.errors import BranchlineError

GROUP: Final = "branchline.bots"

OWN: Final[dict[str, Callable[..., Bot]]] = {
    "random": RandomBot,
    "greedy": Greedy,
    "long": LongRoutes,
    "paths": TicketPaths,
    "hungry": Hungry,
    "planner": Planner,
    "planner-1": planner_1,
    "expert": Expert,
}

LEVELS: Final = {
    "easy": "planner:noise=5.0",
    "normal": "planner:noise=1.5",
    "hard": "planner",
    "expert": "expert",
}
"""The four levels for people, each a bot of ours with parameters."""


PROMISED: Final = ("start", "decide", "finish")
"""The methods of every bot; see `Bot`."""


class BotError(BranchlineError):
    """There is no such bot, or it does not take these parameters."""


def bot_names() -> list[str]:
    """All bots that can be named: levels, our own and those of installed packages."""
    found = [point.name for point in entry_points(group=GROUP)]
    own = [name for name in OWN if name not in LEVELS]
    return [*LEVELS, *own, *sorted(set(found) - set(OWN) - set(LEVELS))]


def own_bots() -> list[str]:
    """Our bots, and the levels that are none of them.

    >>> "planner" in own_bots(), "easy" in own_bots(), "hard" in own_bots()
    (True, True, False)
    """
    return [*OWN, *[level for level, spec in LEVELS.items() if spec not in OWN]]


def split_bots(text: str) -> list[str]:
    """The bots of a list with commas, which also stand between a bot's parameters.

    >>> split_bots("planner:noise=0.1,time_share=0.7, random")
    ['planner:noise=0.1,time_share=0.7', 'random']
    """
    names: list[str] = []
    for part in (piece.strip() for piece in text.split(",")):
        if names and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        elif part:
            names.append(part)
    return names


def bot_title(spec: str) -> str:
    """What a bot is called at a table: without its module or its folder.

    >>> bot_title("greedy"), bot_title("my_bots.first:Mine"), bot_title("my_bot:Mine:depth=3")
    ('greedy', 'Mine', 'Mine, depth=3')
    >>> bot_title("program:bots/mine --fast")
    'mine --fast'
    """
    if spec.startswith(PREFIX):
        command, _, rest = spec.removeprefix(PREFIX).partition(" ")
        return f"{Path(command).name} {rest}".strip()
    name, _, rest = spec.partition(":")
    if rest and "=" not in rest.partition(":")[0]:
        name, _, rest = rest.partition(":")
    return f"{name}, {rest}" if rest else name


def is_own(spec: str) -> bool:
    """Whether a bot is one of ours, so that its faults are.

    >>> is_own("planner:noise=0.1"), is_own("my_bot:Mine")
    (True, False)
    """
    return LEVELS.get(spec, spec).partition(":")[0] in OWN


def make_bot(spec: str) -> Bot:
    """The bot that a text such as `planner:noise=0.1` names.

    Raises `BotError` if there is none, and `BotFault` if its own code fails.

    >>> make_bot("hard").__class__.__name__
    'Planner'
    """
    if spec.startswith(PREFIX):
        return ProgramBot(spec.removeprefix(PREFIX))
    name, _, rest = LEVELS.get(spec, spec).partition(":")
    if name not in OWN and rest and "=" not in rest.partition(":")[0]:
        return _made(_loaded(name, rest.partition(":")[0], spec), rest.partition(":")[2], spec)
    maker = OWN.get(name)
    if maker is None:
        points = [point for point in entry_points(group=GROUP) if point.name == name]
        if not points:
            raise BotError("unknown_bot", {"bot": name[:80], "known": ", ".join(bot_names())})
        try:
            maker = points[0].load()
        except Exception as error:
            raise raised(spec, False, "import", error) from None
    return _made(maker, rest, spec)


def _loaded(module: str, name: str, spec: str) -> Callable[..., Bot]:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # at the end: a file of the author's hides no module of others
    found = _imported(module, spec)
    maker: Callable[..., Bot] | None = getattr(found, name, None)
    if not callable(maker):
        where = getattr(found, "__file__", None) or module
        raise BotError("bot_not_there", {"bot": spec[:80], "file": where, "name": name[:80]})
    return maker


def _imported(module: str, spec: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            raise BotError("bot_not_found", {"bot": spec[:80], "module": module[:80]}) from None
        raise raised(spec, False, "import", error) from None
    except (TypeError, ValueError) as error:
        if not module or module.startswith("."):
            raise BotError("bot_not_found", {"bot": spec[:80], "module": module[:80]}) from None
        raise raised(spec, False, "import", error) from None
    except Exception as error:
        raise raised(spec, False, "import", error) from None


def _made(maker: Callable[..., Bot], rest: str, spec: str) -> Bot:
    values: dict[str, object] = {}
    for part in filter(None, rest.split(",")):
        key, sign, text = part.partition("=")
        if not sign:
            raise BotError("bot_parameters", {"bot": spec[:80], "detail": part[:80]})
        values[key.strip()] = _value(text.strip())
    try:
        bot = maker(**values)
    except Exception as error:
        if values and isinstance(error, (TypeError, ValueError)):  # so bots refuse parameters
            raise BotError("bot_parameters", {"bot": spec[:80], "detail": str(error)}) from None
        raise raised(spec, is_own(spec), "__init__", error) from None
    missing = [name for name in PROMISED if not callable(getattr(bot, name, None))]
    if missing:
        raise BotError("not_a_bot", {"bot": spec[:80], "missing": ", ".join(missing)})
    return bot


def _value(text: str) -> object:
    """A parameter, converted to the type that it looks like."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
