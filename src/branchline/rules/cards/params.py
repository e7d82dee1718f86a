"""The parameters of the deck and of drawing cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from branchline.core.mapfile import MapProblem, phrase
from branchline.rules.parameters import BoardRules, Count, CountOrNone, Params, RuleId


class DeckParams(Params, tag="deck", frozen=True, kw_only=True):
    """The train-car cards, the opening hands and the display (BASE-1)."""

    per_colour: Count
    """The number of cards of each of the board's colours."""
    locomotives: CountOrNone
    """The number of locomotives in the deck."""
    hand: CountOrNone
    """The cards dealt to each player at the start."""
    display: Count
    """The number of face-up cards. The deck must be enough for all hands and the display."""


class DrawCardsParams(Params, tag="draw_cards", frozen=True, kw_only=True):
    """Drawing cards (BASE-3), and whether a face-up locomotive ends the draw (BASE-4)."""

    cards: Count = 2
    """The cards that a player draws in a turn."""
    face_up_locomotive: Literal["ends_draw", "free"]
    """Whether taking a face-up locomotive ends the draw, or counts as any other card does."""
    needs_deck: bool | RuleId = False
    """With deck and discards empty, no cards can be drawn, not even face-up ones (NO-8).

    On a board with a rule of its own for it: the id of that rule.
    """


class LocomotiveResetParams(Params, tag="locomotive_reset", frozen=True, kw_only=True):
    """A display with `at` locomotives is replaced (BASE-5)."""

    at: Count = 3
    """The number of face-up locomotives at which the whole display is replaced."""


def check_deck(rules: BoardRules) -> Iterator[MapProblem]:
    """There are enough cards for all hands and the display."""
    board, deck = rules.board, rules.get(DeckParams)
    cards = deck.per_colour * len(board.colours) + deck.locomotives if deck else 0
    needed = board.seats_max * deck.hand + deck.display if deck else 0
    if cards < needed:
        found, right = phrase("cards", n=cards), phrase("cards_needed", needed=needed)
        yield MapProblem(rules.at("deck"), found, right)
