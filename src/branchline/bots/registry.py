"""Bots by name, with parameters: `planner`, `planner:caution=0.9,slip=0.1`.

Installed packages can add bots: an entry point in the group `branchline.bots` names a class (or
function) that takes the parameters as keywords and gives a `Bot`. `package.module:Name` works
without installing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Final

from branchline.bots.bot import Bot
from branchline.bots.planner import Planner
from branchline.bots.random import RandomBot
from branchline.bots.scripted import Greedy, Hungry, LongRoutes, TicketPaths
from branchline.engine.errors import BranchlineError
from branchline.engine.game import Game

GROUP: Final = "branchline.bots"

OWN: Final[dict[str, Callable[..., Bot]]] = {
    "random": RandomBot,
    "greedy": Greedy,
    "long": LongRoutes,
    "paths": TicketPaths,
    "hungry": Hungry,
    "planner": Planner,
}

LEVELS: Final = {
    "easy": "planner:slip=5.0",
    "normal": "planner:slip=1.5",
    "hard": "planner",
}
"""The three levels for people, each a bot of ours with parameters."""


class BotError(BranchlineError):
    """There is no such bot, or it does not take these parameters."""


def bot_names() -> list[str]:
    """All bots that can be named: levels, our own and those of installed packages."""
    found = [point.name for point in entry_points(group=GROUP)]
    return [*LEVELS, *OWN, *sorted(set(found) - set(OWN) - set(LEVELS))]


def make_bot(spec: str) -> Bot:
    """The bot that a text such as `planner:slip=0.1` names.

    >>> make_bot("hard").__class__.__name__
    'Planner'
    """
    name, _, rest = LEVELS.get(spec, spec).partition(":")
    if name not in OWN and rest and "=" not in rest.partition(":")[0]:
        return _made(_loaded(name, rest.partition(":")[0], spec), rest.partition(":")[2], spec)
    maker = OWN.get(name)
    if maker is None:
        points = [point for point in entry_points(group=GROUP) if point.name == name]
        if not points:
            raise BotError("unknown_bot", {"bot": name[:80], "known": ", ".join(bot_names())})
        maker = points[0].load()
    return _made(maker, rest, spec)


def seat_bot(spec: str, game: Game, seat: int, seed: int | str) -> Bot:
    """A bot that has taken its seat at a game."""
    bot = make_bot(spec)
    bot.start(game, seat, seed)
    return bot


def _loaded(module: str, name: str, spec: str) -> Callable[..., Bot]:
    try:
        found: Callable[..., Bot] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BotError("bot_not_found", {"bot": spec[:80], "detail": str(error)}) from None
    return found


def _made(maker: Callable[..., Bot], rest: str, spec: str) -> Bot:
    values: dict[str, object] = {}
    for part in filter(None, rest.split(",")):
        key, sign, text = part.partition("=")
        if not sign:
            raise BotError("bot_parameters", {"bot": spec[:80], "detail": part[:80]})
        values[key.strip()] = _value(text.strip())
    try:
        return maker(**values)
    except (TypeError, ValueError) as error:
        raise BotError("bot_parameters", {"bot": spec[:80], "detail": str(error)}) from None


def _value(text: str) -> object:
    """A parameter as the type that it looks like."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
