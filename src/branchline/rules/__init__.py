"""The rules, one file for each family, registered by the names that board files use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from branchline.core.board import Board, RuleEntry
from branchline.engine.registry import CHECKER, register
from branchline.engine.rule import Rule
from branchline.rules import params as p
from branchline.rules.bonuses import Attractions, Globetrotter, LongestPath, TieBreaks
from branchline.rules.cards import Deck, DrawCards, LocomotiveReset
from branchline.rules.claims import ClaimRoutes
from branchline.rules.draft import Draft, SecondDraft
from branchline.rules.ending import Ending
from branchline.rules.express import ExpressCards
from branchline.rules.festivals import Festivals
from branchline.rules.mat import ProvinceMat
from branchline.rules.routes import Doubles, Ferries, LocomotiveRestriction, Substitutes
from branchline.rules.stations import Stations
from branchline.rules.tickets import DrawTickets, OpeningTickets
from branchline.rules.tunnels import Tunnels

P = TypeVar("P", bound=p.Params)

CHECKER.check = p.check_rules


def _rule(kind: type[P], cite: str, make: Callable[[str, P, Board], Rule]) -> None:
    """Register a rule: its parameters, the id it cites unless the board says otherwise, itself."""

    def maker(entry: RuleEntry, board: Board) -> Rule:
        params = p.rule_params(entry)
        assert isinstance(params, kind)
        return make(params.cite or cite, params, board)

    register(p.name_of(kind), maker)


def _by_seats(table: dict[str, list[int]], seats: int) -> list[list[int]]:
    return [table.get(str(n), []) for n in range(seats + 1)]


def _needs_deck(v: p.DrawCardsParams) -> str:
    if isinstance(v.needs_deck, str):
        return v.needs_deck
    return "NO-8" if v.needs_deck else ""


def _second_draft(cite: str, v: p.SecondDraftParams, board: Board) -> Rule:
    shares = [v.depth.get(str(n), "0/1").split("/") for n in range(board.seats_max + 1)]
    above, of = [int(a) for a, _ in shares], [int(b) for _, b in shares]
    return SecondDraft(cite, v.deal, v.keep, v.direction == "left", above, of)


_rule(
    p.DeckParams,
    "BASE-1",
    lambda c, v, b: Deck(c, b, v.per_colour, v.locomotives, v.hand, v.display),
)
_rule(
    p.DrawCardsParams,
    "BASE-3",
    lambda c, v, b: DrawCards(c, v.cards, v.face_up_locomotive == "free", _needs_deck(v)),
)
_rule(p.LocomotiveResetParams, "BASE-5", lambda c, v, b: LocomotiveReset(c, v.at))
_rule(p.ClaimRoutesParams, "BASE-7", lambda c, v, b: ClaimRoutes(c, b, v.points))
_rule(p.DoublesParams, "BASE-8", lambda c, v, b: Doubles(c, v.open_from))
_rule(p.FerriesParams, "IB-8", lambda c, v, b: Ferries(c))
_rule(p.TunnelsParams, "NO-5", lambda c, v, b: Tunnels(c, v.reveal))
_rule(
    p.LocomotiveRestrictionParams,
    "NO-3",
    lambda c, v, b: LocomotiveRestriction(c, "ferries" in v.allowed, "tunnels" in v.allowed),
)
_rule(
    p.SubstitutesParams,
    "NO-4",
    lambda c, v, b: Substitutes(c, v.cite or "NO-6", v.ferry_locomotive),
)
_rule(
    p.DrawTicketsParams,
    "BASE-9",
    lambda c, v, b: DrawTickets(c, v.draw, v.keep, v.rejected == "out", v.after_second_draft),
)
_rule(
    p.OpeningTicketsParams,
    "BASE-13",
    lambda c, v, b: OpeningTickets(c, v.deal, v.keep, v.rejected == "out", v.long),
)
_rule(p.DraftParams, "IB-2", lambda c, v, b: Draft(c, v.deal, v.keep, v.direction == "left"))
_rule(p.SecondDraftParams, "IB-4", _second_draft)
_rule(
    p.FestivalsParams,
    "IB-9",
    lambda c, v, b: Festivals(
        c, b, [f.cities for f in v.sets], [f.cards for f in v.sets], [f.scores for f in v.sets]
    ),
)
_rule(p.ExpressCardsParams, "KR-2", lambda c, v, b: ExpressCards(c, v.values))
_rule(
    p.ProvinceMatParams,
    "KR-5",
    lambda c, v, b: ProvinceMat(
        c,
        b,
        [line.colour for line in v.lines],
        [line.spots for line in v.lines],
        _by_seats(v.scoring, b.seats_max),
    ),
)
_rule(p.AttractionsParams, "NY-5", lambda c, v, b: Attractions(c, b, v.points, v.cities))
_rule(p.GlobetrotterParams, "NO-9", lambda c, v, b: Globetrotter(c, v.points))
_rule(p.LongestPathParams, "BASE-14", lambda c, v, b: LongestPath(c, v.points))
_rule(p.StationsParams, "EU-1", lambda c, v, b: Stations(c, v.count, v.unused))
_rule(p.EndingParams, "BASE-10", lambda c, v, b: Ending(c, v.trains))
_rule(p.TieBreaksParams, "BASE-12", lambda c, v, b: TieBreaks(c, list(v.order)))
