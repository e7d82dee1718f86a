"""The boards that a server offers, and the games that are played on them.

A table keeps the board that it was made with: the store has it by its digest, so a game goes on
when a board file has been changed or is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, cast

import msgspec

from branchline.core.board import GRAY, Board
from branchline.core.catalogue import LANGUAGES, rule_ids, rule_text, say
from branchline.core.mapfile import board_from_data, builtin_boards, load_board
from branchline.core.vocabulary import Vocabulary
from branchline.engine.components import components
from branchline.engine.describe import Words
from branchline.engine.errors import BranchlineError
from branchline.engine.game import Game
from branchline.engine.registry import make_rules
from branchline.rules.governing import rules_of
from branchline.service.answers import (
    BoardFacts,
    BoardSummary,
    CityFacts,
    Provenance,
    RouteFacts,
    RuleText,
    TicketFacts,
)


class NoSuchBoard(BranchlineError):
    """The server has no board of this name."""

    def __init__(self, board: str) -> None:
        super().__init__("no_such_board", {"board": board[:80]})


class Boards:
    """All boards by name, and every board that a table was made with by its digest."""

    def __init__(self, files: Sequence[str] = (), overlays: Sequence[str] = ()) -> None:
        boards = [load_board(name, overlays) for name in builtin_boards()]
        boards += [load_board(name) for name in files]
        self.by_name: Final = {board.id: board for board in boards}
        self._by_digest: Final = {board.digest: board for board in boards}
        self._games: Final[dict[tuple[str, int], Game]] = {}
        self.rules: Final = {board.id: rules_of(board) for board in boards}
        """The ids of the rules that govern each board."""

    def named(self, name: str) -> Board:
        if name not in self.by_name:
            raise NoSuchBoard(name)
        return self.by_name[name]

    def knows(self, digest: str) -> bool:
        return digest in self._by_digest

    def add(self, source: bytes, where: str) -> None:
        """Learn a board that a table was made with, from the store."""
        board = board_from_data(msgspec.json.decode(source), where)
        self._by_digest[board.digest] = board

    def by_digest(self, digest: str) -> Board:
        return self._by_digest[digest]

    def game(self, digest: str, seats: int) -> Game:
        """The game on a known board."""
        if (digest, seats) not in self._games:
            self._games[digest, seats] = Game(self._by_digest[digest], seats)
        return self._games[digest, seats]


@lru_cache(maxsize=64)
def source_of(board: Board) -> bytes:
    """A board as the store keeps it."""
    return msgspec.json.encode(board.source)


def special(board: Board, lang: str) -> list[str]:
    """What is special about a board, in a few words each."""
    rules = [rule for rule in make_rules(board) if rule.headline > 0]
    rules.sort(key=lambda rule: rule.headline)
    return [say(f"table.special.{rule.name}", lang) for rule in rules]


@lru_cache(maxsize=64)
def board_summary(board: Board, lang: str) -> BoardSummary:
    """A board in brief."""
    return BoardSummary(**_summary(board, lang))


def _summary(board: Board, lang: str) -> dict[str, Any]:
    return {
        "id": board.id,
        "digest": board.digest,
        "name": board.named(lang),
        "seats": (board.seats_min, board.seats_max),
        "trains": board.trains,
        "cities": len(board.cities),
        "routes": len(board.routes),
        "tickets": len(board.tickets),
        "rules": [entry.name for entry in board.rules],
        "special": special(board, lang),
        "provenance": [Provenance(p.part, p.status, p.source(lang)) for p in board.provenance],
    }


@lru_cache(maxsize=64)
def board_facts(board: Board, lang: str, cities: str = "") -> BoardFacts:
    """Everything that a client has to know about a board, in the order of its numbers."""
    game = Game(board, board.seats_max)
    words = Words(game, lang, cities=cities)
    points = next(e.params["points"] for e in board.rules if e.name == "claim_routes")
    assert isinstance(points, list)
    return BoardFacts(
        **_summary(board, lang),
        colours=list(board.colours),
        phases=list(game.phase_names),
        points=points,
        city_list=[CityFacts(c.id, c.named(cities), c.lat, c.lon) for c in board.cities],
        route_list=[route_facts(words, r.index) for r in board.routes],
        ticket_list=[
            TicketFacts(t.a, t.b, t.points, t.long, board.ticket_name(t.index, cities))
            for t in board.tickets
        ],
        rule_list=[{"rule": e.name, **e.params} for e in board.rules],
        words={name: Vocabulary(board, name).own_words() for name in LANGUAGES},
        components=components(words),
    )


def route_facts(words: Words, route: int) -> RouteFacts:
    """A route, and how it is spoken of."""
    r, facts = words.game.board.routes[route], words.game.route_facts(route)
    return RouteFacts(
        id=words.game.route_text(route),
        name=words.route(route),
        track=words.track(route),
        a=r.a,
        b=r.b,
        length=r.length,
        colour=r.colour if r.colour != GRAY else None,
        locomotives=r.locomotives,
        tunnel=r.tunnel,
        any_cards=r.any_cards,
        wild=bool(facts["wild"]),
        set_size=cast(int, facts["set_size"]),
        twin=r.twin if r.twin >= 0 else None,
        points=cast(int, facts["points"]),
        facts=words.route_facts(route),
    )


def rules_in(boards: Boards, lang: str, board: str = "") -> list[RuleText]:
    """The rules in our words, and which boards of the server they govern; of one board, or all."""
    known = boards.by_name.get(board)
    words = Vocabulary(known, lang).of_rules() if known else None
    found = []
    for id in rule_ids():
        t = rule_text(id, lang, words)
        names = [name for name, ids in boards.rules.items() if id in ids]
        if not board or board in names:
            found.append(RuleText(t.id, t.title, t.text, t.book, names))
    return found
