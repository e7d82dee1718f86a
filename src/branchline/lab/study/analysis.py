"""What the games of a survey say about a board: its tickets, its routes, its seats."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Final

import msgspec

from branchline._version import VERSION
from branchline.core.board import Board
from branchline.lab.results import Lengths, SeatResult, by_order, lengths_of, mean
from branchline.lab.stats import Bootstrap, Estimate
from branchline.lab.study.survey import ObservedGame, Survey


class TicketUse(msgspec.Struct, frozen=True):
    """A ticket: in which share of the games somebody held it, and what became of it then."""

    ticket: int
    cities: tuple[str, str]
    points: int
    long: bool
    holdings: int
    held: Estimate
    done: Estimate
    gained: Estimate
    wins: Estimate


class RouteUse(msgspec.Struct, frozen=True):
    """A route: how often it was claimed and when (0: at the start, 1: at the end).

    A seat wants a route if it lies on a shortest way for a ticket that it held. `wanted` and
    `contested` are the shares of games in which at least one and at least two seats wanted it;
    `lost` is the share of those wishes that ended with others having it.
    """

    route: int
    cities: tuple[str, str]
    length: int
    claimed: Estimate
    when: float
    wanted: float
    contested: float
    lost: float


class StudyResult(msgspec.Struct, frozen=True):
    """All results of a survey. `points` are means by kind of score line."""

    board: str
    digest: str
    engine: str
    seats: int
    bots: list[str]
    seed: str
    games: int
    tickets: list[TicketUse]
    routes: list[RouteUse]
    order: list[Estimate]
    lengths: Lengths
    actions: float
    ties: int
    score: float
    winning_score: float
    points: dict[str, float]
    winning_points: dict[str, float]


def analyse(survey: Survey, board: Board, games: Sequence[ObservedGame]) -> StudyResult:
    """Derive the results of a survey from its games."""
    draws = Bootstrap(len(games))
    line_up = survey.line_up
    everyone = [seat for game in games for seat in game.result.seats]
    winners = [
        seat
        for game in games
        for k, seat in enumerate(game.result.seats)
        if game.result.winners >> k & 1
    ]
    return StudyResult(
        board=line_up.board,
        digest=line_up.digest,
        engine=VERSION,
        seats=line_up.seats,
        bots=list(line_up.bots),
        seed=survey.seed,
        games=len(games),
        tickets=ticket_uses(board, games, draws),
        routes=route_uses(board, games, draws),
        order=by_order([[game.result] for game in games], draws),
        lengths=lengths_of([game.result.turns for game in games]),
        actions=mean(game.result.actions for game in games),
        ties=sum(game.result.winners.bit_count() > 1 for game in games),
        score=mean(seat.score for seat in everyone),
        winning_score=mean(seat.score for seat in winners),
        points=mean_points(everyone),
        winning_points=mean_points(winners),
    )


def mean_points(seats: Sequence[SeatResult]) -> dict[str, float]:
    """What seats got for each kind of score line."""
    sources = dict.fromkeys(what for seat in seats for what in seat.points)
    return {what: mean(seat.points.get(what, 0) for seat in seats) for what in sources}


def ticket_uses(board: Board, games: Sequence[ObservedGame], draws: Bootstrap) -> list[TicketUse]:
    """What became of each ticket."""
    n = len(board.tickets)
    held, done, gained, wins, any_held = ([[0.0] * n for _ in games] for _ in range(5))
    for g, game in enumerate(games):
        for ticket, seat, points in game.tickets:
            held[g][ticket] += 1
            any_held[g][ticket] = 1
            done[g][ticket] += points > 0
            gained[g][ticket] += points
            wins[g][ticket] += game.result.share(seat)
    ones = [[1.0] * n for _ in games]
    parts = zip(
        draws.shares(any_held, ones),
        draws.shares(done, held),
        draws.ratios(gained, held),
        draws.shares(wins, held),
        strict=True,
    )
    uses = []
    for k, (rate, finished, got, won) in enumerate(parts):
        t = board.tickets[k]
        ends = (board.cities[t.a].id, board.cities[t.b].id)
        count = int(sum(row[k] for row in held))
        uses.append(
            TicketUse(k, ends, int(t.points), bool(t.long), count, rate, finished, got, won)
        )
    return uses


def route_uses(board: Board, games: Sequence[ObservedGame], draws: Bootstrap) -> list[RouteUse]:
    """What became of each route."""
    n = len(board.routes)
    ways = [shortest_ways(board, int(t.a), int(t.b)) for t in board.tickets]
    claimed = [[0.0] * n for _ in games]
    times: list[list[float]] = [[] for _ in range(n)]
    wanted, contested, wishes, lost = ([0] * n for _ in range(4))
    for g, game in enumerate(games):
        owner = {route: seat for route, seat, _ in game.claims}
        for route, _, turn in game.claims:
            claimed[g][route] = 1
            times[route].append(turn / max(game.result.turns, 1))
        wants: list[set[int]] = [set() for _ in game.result.seats]
        for ticket, seat, _ in game.tickets:
            wants[seat] |= ways[ticket]
        for route in range(n):
            seats = [seat for seat, wish in enumerate(wants) if route in wish]
            wanted[route] += len(seats) > 0
            contested[route] += len(seats) > 1
            wishes[route] += len(seats)
            lost[route] += sum(_lost(board, route, seat, owner) for seat in seats)
    rates = draws.shares(claimed, [[1.0] * n for _ in games])
    return [
        RouteUse(
            route=k,
            cities=(board.cities[r.a].id, board.cities[r.b].id),
            length=int(r.length),
            claimed=rates[k],
            when=mean(times[k]),
            wanted=wanted[k] / len(games),
            contested=contested[k] / len(games),
            lost=lost[k] / max(wishes[k], 1),
        )
        for k, r in enumerate(board.routes)
    ]


def _lost(board: Board, route: int, seat: int, owner: dict[int, int]) -> bool:
    """Whether others have a route that a seat wanted, and the seat has not its twin either."""
    twin = int(board.routes[route].twin)
    owners = {owner[r] for r in (route, twin) if r in owner}
    return bool(owners) and seat not in owners


FAR: Final = 10**9


def shortest_ways(board: Board, start: int, goal: int) -> set[int]:
    """The routes that lie on any shortest way between two cities of the empty board."""
    one, two = distances(board, start), distances(board, goal)
    least = one[goal]
    return {
        int(r.index)
        for r in board.routes
        if least < FAR and min(one[r.a] + two[r.b], one[r.b] + two[r.a]) + r.length == least
    }


def distances(board: Board, start: int) -> list[int]:
    """How many spaces each city is away."""
    near: list[list[tuple[int, int]]] = [[] for _ in board.cities]
    for r in board.routes:
        near[r.a].append((int(r.b), int(r.length)))
        near[r.b].append((int(r.a), int(r.length)))
    found = [FAR] * len(near)
    found[start] = 0
    queue = [(0, start)]
    while queue:
        far, city = heapq.heappop(queue)
        if far > found[city]:
            continue
        for other, length in near[city]:
            if far + length < found[other]:
                found[other] = far + length
                heapq.heappush(queue, (far + length, other))
    return found
