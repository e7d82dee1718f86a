"""The parameters of festivals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from branchline.core.mapfile import Data, Id, MapProblem, phrase
from branchline.rules.parameters import BoardRules, Count, Params, Points, repeated


class FestivalSet(Data, frozen=True, kw_only=True):
    """The cards of one festival, and the points of 1, 2, 3 … of them."""

    id: Id
    """The festival's id, by which its name and its pile are known."""
    cities: Annotated[list[Id], Meta(min_length=1)]
    """The cities in which it takes place; a city has one festival at most."""
    cards: Count
    """The number of its cards."""
    scores: list[Points]
    """The points of 1, 2, 3 … of its cards; one entry for each card."""


class FestivalsParams(Params, tag="festivals", frozen=True, kw_only=True):
    """Festival cards (IB-3, IB-6, IB-9)."""

    sets: Annotated[list[FestivalSet], Meta(min_length=1, max_length=100)]
    """The festivals. An overlay may replace this list."""


def check_festivals(rules: BoardRules) -> Iterator[MapProblem]:
    """Every set has points for each number of its cards, and cities of its own."""
    festivals = rules.get(FestivalsParams)
    sets = festivals.sets if festivals else []
    for name in repeated([one.id for one in sets]):
        place = rules.at("festivals", "sets")
        yield MapProblem(place, phrase("again", what=name), phrase("each_id"))
    for one in sets:
        if len(one.scores) != one.cards:
            place = rules.at("festivals", f"sets ({one.id}).scores")
            found = phrase("scores_for", scores=len(one.scores), n=one.cards)
            yield MapProblem(place, found, phrase("as_many_as_cards"))
    yield from rules.check_cities("festivals", [city for one in sets for city in one.cities])
