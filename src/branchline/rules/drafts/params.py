"""The parameters of ticket drafts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from branchline.core.mapfile import MapProblem, as_is, phrase
from branchline.rules.parameters import BoardRules
from branchline.rules.tickets.params import DealParams, DrawTicketsParams

Direction = Literal["left", "right"]
SHARE_WORDS: Final = 'a share between 0 and 1, written as "2/3"'
Share = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{1,3}/[1-9][0-9]{0,2}$",
        description=SHARE_WORDS,
        extra={"phrase": "a_share"},
    ),
]


class DraftParams(DealParams, tag="draft", frozen=True, kw_only=True):
    """The opening draft of tickets (IB-2)."""

    direction: Direction = msgspec.field(name="pass")
    """To which neighbour the tickets are passed on."""


class SecondDraftParams(DealParams, tag="second_draft", frozen=True, kw_only=True):
    """The draft that a card in the deck sets off (IB-4); how deep it lies, by seats (RU-7)."""

    direction: Direction = msgspec.field(name="pass")
    """To which neighbour the tickets are passed on."""
    depth: dict[str, Share]
    """By number of players: the share of the deck that lies above the card that sets it off.

    Every number of players that the board allows needs one.
    """


def check_drafts(rules: BoardRules) -> Iterator[MapProblem]:
    """One way to begin; a second draft only after a first, with a depth for every table."""
    names, board = rules.names, rules.board
    if ("opening_tickets" in names) == ("draft" in names):
        found = phrase("both" if "draft" in names else "neither", a="opening_tickets", b="draft")
        yield MapProblem("rules", found, phrase("one_of_two"))
    if "second_draft" in names and "draft" not in names:
        found = phrase("no_first_draft")
        yield MapProblem(rules.at("second_draft"), found, rules.as_well("draft"))
    draw = rules.get(DrawTicketsParams)
    if draw and draw.after_second_draft and "second_draft" not in names:
        found = phrase("no_second_draft")
        yield MapProblem(rules.at("draw_tickets"), found, rules.as_well("second_draft"))
    second = rules.get(SecondDraftParams)
    for seats in range(board.seats_min, board.seats_max + 1):
        if second and str(seats) not in second.depth:
            place = rules.at("second_draft", f"depth.{seats}")
            yield MapProblem(place, phrase("missing"), phrase("a_share"))
    for key, share in second.depth.items() if second else ():
        if not 0 < Fraction(share) < 1:
            place = rules.at("second_draft", f"depth.{key}")
            yield MapProblem(place, as_is(share), phrase("a_share"))
