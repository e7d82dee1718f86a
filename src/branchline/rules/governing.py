"""Which rules of the catalogue govern a board."""

from __future__ import annotations

from branchline.core.board import Board
from branchline.core.catalogue import rule_ids, rule_text
from branchline.core.mapfile import builtin_boards
from branchline.engine.registry import make_rules


def rules_of(board: Board) -> list[str]:
    """The ids of the rules that govern a board; of someone's own board those that it cites.

    >>> from branchline.core.mapfile import load_board
    >>> "NO-5" in rules_of(load_board("nordic"))
    True
    """
    if board.id in builtin_boards():
        return [id for id in rule_ids() if board.id in rule_text(id, "en").boards]
    cited = {rule.cite for rule in make_rules(board)}
    return [id for id in rule_ids() if id in cited]
