"""The cards: the deck and the display, and drawing from them."""

from __future__ import annotations

from branchline.rules.cards.deck import Deck, LocomotiveReset
from branchline.rules.cards.draw import DrawCards
from branchline.rules.cards.params import (
    DeckParams,
    DrawCardsParams,
    LocomotiveResetParams,
    check_deck,
)
from branchline.rules.registration import add_check, add_rule


def _needs_deck(v: DrawCardsParams) -> str:
    if isinstance(v.needs_deck, str):
        return v.needs_deck
    return "NO-8" if v.needs_deck else ""


add_rule(
    DeckParams,
    "BASE-1",
    lambda c, v, b: Deck(c, b, v.per_colour, v.locomotives, v.hand, v.display),
)
add_rule(
    DrawCardsParams,
    "BASE-3",
    lambda c, v, b: DrawCards(c, v.cards, v.face_up_locomotive == "free", _needs_deck(v)),
)
add_rule(LocomotiveResetParams, "BASE-5", lambda c, v, b: LocomotiveReset(c, v.at))
add_check(check_deck)
