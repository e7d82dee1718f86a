"""What is in a board's box, in words: trains, tickets, cards and what its rules add."""

from __future__ import annotations

from branchline.engine.describe import Words


def components(words: Words) -> list[str]:
    """The components of a board, each with its number.

    >>> from branchline.core.mapfile import builtin_boards
    >>> from branchline.engine.game import Game
    >>> components(Words(Game(builtin_boards()[3], 2), "en"))[0]
    '40 trains for each player'
    """
    found = [part for rule in words.game.rules for part in rule.components()]
    first = [part for part in found if part.key in BASIC]
    first.sort(key=lambda part: BASIC.index(part.key))
    rest = [part for part in found if part.key not in BASIC]
    return [words.sentence(part, "board.component.") for part in first + rest]


BASIC = ("trains", "tickets", "tickets_long", "cards")
"""What every board has comes first."""
