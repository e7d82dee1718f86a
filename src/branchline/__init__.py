"""Branchline: an exact engine for the railway board games of four rulebooks, and more.

>>> import branchline
>>> game = branchline.Game("nordic", seats=3)
>>> state = game.start(seed=7)
>>> while not state.over:
...     seat = state.to_act[0]
...     state.apply(seat, state.legal(seat)[0])
>>> len(state.outcome.scores)
3
"""

from typing import TYPE_CHECKING

from branchline._docs import lend_docs
from branchline._plain import prefer_source
from branchline._version import VERSION

prefer_source()

from branchline import rules as _rules  # noqa: E402, F401 (registers the rules)
from branchline.core.board import Board  # noqa: E402
from branchline.core.mapfile import MapError, builtin_boards, load_board  # noqa: E402
from branchline.engine.errors import BranchlineError, IllegalAction  # noqa: E402
from branchline.engine.events import Event  # noqa: E402
from branchline.engine.facts import Action  # noqa: E402
from branchline.engine.game import Game  # noqa: E402
from branchline.engine.notation import parse_action, read_game, write_game  # noqa: E402
from branchline.engine.outcome import Outcome  # noqa: E402
from branchline.engine.record import Record, replay  # noqa: E402
from branchline.engine.rule import Refusal  # noqa: E402
from branchline.engine.state import State  # noqa: E402
from branchline.engine.view import View  # noqa: E402

if TYPE_CHECKING:
    from branchline.bots.bot import Bot

__version__ = VERSION
lend_docs(Action, Board, Event, Game, Outcome, Refusal, State, View)

__all__ = [
    "Action",
    "Board",
    "Bot",
    "BranchlineError",
    "Event",
    "Game",
    "IllegalAction",
    "MapError",
    "Outcome",
    "Record",
    "Refusal",
    "State",
    "View",
    "__version__",
    "builtin_boards",
    "load_board",
    "parse_action",
    "read_game",
    "replay",
    "write_game",
]


def __getattr__(name: str) -> object:
    """`Bot` is looked up when it is first used: whoever only plays needs no bots."""
    if name == "Bot":
        from branchline.bots.bot import Bot

        return Bot
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
