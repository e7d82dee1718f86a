"""The parameters of attractions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from branchline.core.mapfile import Id, MapProblem
from branchline.rules.parameters import BoardRules, Params, Points


class AttractionsParams(Params, tag="attractions", frozen=True, kw_only=True):
    """Cities that score for whoever touches them (NY-5)."""

    points: Points = 1
    """The points of each attraction that a player's routes reach."""
    cities: Annotated[list[Id], Meta(min_length=1)]
    """The cities that are attractions, by id; each named once."""


def check_attractions(rules: BoardRules) -> Iterator[MapProblem]:
    """The attractions are cities of the board, each named once."""
    attractions = rules.get(AttractionsParams)
    yield from rules.check_cities("attractions", attractions.cities if attractions else [])
