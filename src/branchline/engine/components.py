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

    def told(key: str, n: int, **values: object) -> str:
        return words.say(f"board.component.{key}", n=n, **values)

    board, deck = words.game.board, words.params("deck")
    long = sum(ticket.long for ticket in board.tickets)
    colours, each, wild = len(board.colours), int(deck["per_colour"]), int(deck["locomotives"])
    cards = colours * each + wild
    found = [
        told("trains", board.trains),
        told("tickets_long" if long else "tickets", len(board.tickets), long=long),
        told("cards", cards, each=each, colours=colours, wild=wild),
    ]
    if sets := words.params("festivals").get("sets"):
        found.append(told("festival_cards", sum(one["cards"] for one in sets)))
    if words.has_rule("stations"):
        found.append(told("stations", int(words.params("stations").get("count", 3))))
    if values := words.params("express_cards").get("values"):
        found.append(told("express", len(values), values=", ".join(f"+{v}" for v in values)))
    return found
