"""How a family of rules makes itself known: parameters, the rule they make, checks of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from branchline.core.board import Board, RuleEntry
from branchline.core.mapfile import MapProblem
from branchline.engine.registry import register
from branchline.engine.rule import Rule
from branchline.rules.parameters import CHECKS, PARAMS, BoardRules, Params, name_of, rule_params

P = TypeVar("P", bound=Params)


def add_rule(kind: type[P], cite: str, make: Callable[[str, P, Board], Rule]) -> None:
    """Let boards list a rule: its parameters, the id that it cites by default, how it is made."""

    def maker(entry: RuleEntry, board: Board) -> Rule:
        params = rule_params(entry)
        assert isinstance(params, kind)
        return make(params.cite or cite, params, board)

    PARAMS[name_of(kind)] = kind
    register(name_of(kind), maker)


def add_check(check: Callable[[BoardRules], Iterator[MapProblem]]) -> None:
    """Have every board checked for what a family of rules requires of it."""
    CHECKS.append(check)
