"""Where rule modules make themselves known, by the names that board files use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from branchline.core.board import Board, RuleEntry
from branchline.core.mapfile import MapError, MapProblem
from branchline.engine.errors import BranchlineError
from branchline.engine.rule import Rule

MAKERS: Final[dict[str, Callable[[RuleEntry, Board], Rule]]] = {}


def register(name: str, maker: Callable[[RuleEntry, Board], Rule]) -> None:
    """Let board files list the rule `name`."""
    MAKERS[name] = maker


def no_check(board: Board) -> list[MapProblem]:
    """Before the rules are loaded nobody can check a board's list of them."""
    return []


class Checker:
    """Where the rules say how to check a board's list of them."""

    def __init__(self) -> None:
        self.check: Callable[[Board], list[MapProblem]] = no_check


CHECKER: Final = Checker()


def make_rules(board: Board) -> list[Rule]:
    """The rules that a board lists, in the order in which hooks call them.

    Raises `MapError` with every problem if the list does not fit the board.
    """
    problems = CHECKER.check(board)
    if problems:
        raise MapError(board.id, problems)
    rules: list[Rule] = []
    for entry in board.rules:
        if entry.name not in MAKERS:
            raise BranchlineError("unknown_rule", {"rule": entry.name, "board": board.id})
        rules.append(MAKERS[entry.name](entry, board))
    rules.sort(key=lambda rule: rule.order)
    return rules
