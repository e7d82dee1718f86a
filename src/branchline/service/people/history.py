"""Past games of a visitor, counted by board and by opponent."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from branchline.service.answers import BoardTally, OpponentTally, PastGame
from branchline.service.broadcast.readers import level_name, seat_name
from branchline.service.people.ratings import places_of
from branchline.service.tables.table_state import SeatState


class Finished(Struct, frozen=True):
    """A game that is over."""

    table: str
    board: str
    at: int
    seats: list[SeatState]
    scores: list[int]
    winners: list[int]


def mine(game: Finished, key: str) -> int:
    """The seat of a visitor: the first, if people shared the device."""
    return next(k for k, seat in enumerate(game.seats) if seat.key == key)


def past_game(game: Finished, key: str, lang: str) -> PastGame:
    """A game in the list of its player."""
    seat = mine(game, key)
    return PastGame(
        table=game.table,
        board=game.board,
        at=game.at,
        names=[seat_name(s, k, lang) for k, s in enumerate(game.seats)],
        seat=seat,
        scores=game.scores,
        winners=game.winners,
        place=places_of(game.scores, game.winners)[seat],
    )


def by_board(games: Sequence[Finished], key: str) -> list[BoardTally]:
    """What a visitor has done on each board, the most played first."""
    found: dict[str, list[Finished]] = {}
    for game in games:
        found.setdefault(game.board, []).append(game)
    tallies = []
    for board, played in found.items():
        points = [game.scores[mine(game, key)] for game in played]
        won = sum(mine(game, key) in game.winners for game in played)
        tallies.append(BoardTally(board, len(played), won, sum(points), max(points)))
    return sorted(tallies, key=lambda tally: -tally.games)


def by_opponent(games: Sequence[Finished], key: str, lang: str) -> list[OpponentTally]:
    """How a visitor did against each other player, the most frequent first; games latest first.

    A person is known by the browser, whatever the name was, and is called by the latest one. People
    at the visitor's own device are known by their names.
    """
    names: dict[tuple[str, str], str] = {}
    counts: dict[tuple[str, str], list[int]] = {}
    for game in games:
        seat = mine(game, key)
        places = places_of(game.scores, game.winners)
        for k, other in enumerate(game.seats):
            if k == seat:
                continue
            if other.bot and not other.key:
                who, name = ("bot", other.bot), level_name(other.bot, lang)
            elif other.key == key:
                who, name = ("here", other.name), seat_name(other, k, lang)
            else:
                who, name = ("person", other.key), seat_name(other, k, lang)
            names.setdefault(who, name)
            count = counts.setdefault(who, [0, 0, 0])
            count[0] += 1
            count[1] += places[seat] < places[k]
            count[2] += places[seat] > places[k]
    tallies = [OpponentTally(names[who], who[0], *count) for who, count in counts.items()]
    return sorted(tallies, key=lambda tally: -tally.games)
