"""The parameters of Express cards."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from branchline.rules.parameters import Count, Params


class ExpressCardsParams(Params, tag="express_cards", frozen=True, kw_only=True):
    """The Express cards of each player (KR-2)."""

    values: Annotated[list[Count], Meta(min_length=1, max_length=10)]
    """The values of the cards; each player has one card of each."""
