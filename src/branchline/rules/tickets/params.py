"""The parameters of tickets: the opening deal and drawing more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from branchline.core.mapfile import MapProblem, as_is, phrase
from branchline.rules.parameters import BoardRules, Count, CountOrNone, Params, name_of

Rejected = Literal["bottom", "out"]


class DealParams(Params, frozen=True, kw_only=True):
    """Tickets dealt to every seat, of which each keeps some."""

    deal: Count
    """The tickets dealt to each player."""
    keep: Count
    """How many of them each player keeps: in a draft exactly, else at least."""


class OpeningTicketsParams(DealParams, tag="opening_tickets", frozen=True, kw_only=True):
    """The tickets dealt at the start (BASE-13), with `long` long ones in addition."""

    rejected: Rejected
    """Where rejected tickets go: to the bottom of the ticket deck, or out of the game."""
    long: CountOrNone = 0
    """The long tickets dealt to each player in addition."""


class DrawTicketsParams(Params, tag="draw_tickets", frozen=True, kw_only=True):
    """Drawing tickets (BASE-9), perhaps only once the second draft is over (IB-7)."""

    draw: Count
    """The tickets drawn."""
    keep: Count
    """How many of them the player has to keep at least."""
    rejected: Rejected
    """Where rejected tickets go: to the bottom of the ticket deck, or out of the game."""
    after_second_draft: bool = False
    """Whether tickets can be drawn only when the second draft is over."""


def check_tickets(rules: BoardRules) -> Iterator[MapProblem]:
    """There are enough tickets for every deal, and nobody has to keep more than was dealt."""
    seats, tickets = rules.board.seats_max, rules.board.tickets
    opening, draw = rules.get(OpeningTicketsParams), rules.get(DrawTicketsParams)
    long, dealt_long = sum(t.long for t in tickets), opening.long if opening else 0
    left = len(tickets) - long
    for deal in rules.all(DealParams):
        name, most = name_of(type(deal)), deal.deal + dealt_long
        if deal.keep > most:
            right = phrase("up_to", most=most)
            yield MapProblem(rules.at(name, "keep"), as_is(deal.keep), right)
        if left < seats * deal.deal:
            right = phrase("for_seats", needed=seats * deal.deal, seats=seats)
            yield MapProblem(rules.at(name, "deal"), phrase("few_tickets", n=left), right)
        left -= seats * deal.keep
    if draw and draw.keep > draw.draw:
        right = phrase("up_to", most=draw.draw)
        yield MapProblem(rules.at("draw_tickets", "keep"), as_is(draw.keep), right)
    if long < seats * dealt_long:
        right = phrase("for_seats", needed=seats * dealt_long, seats=seats)
        yield MapProblem(rules.at("opening_tickets", "long"), phrase("few_long", n=long), right)
    if long and not dealt_long:
        yield MapProblem("tickets", phrase("long_undealt"), phrase("deal_long"))
