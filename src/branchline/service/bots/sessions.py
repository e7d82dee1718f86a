"""The bots of a worker process: one session for each table and seat, kept between decisions.

A worker gets what the seat may know and nothing else, so even a foreign bot can't see more. If it
has no session for a question, it answers `UNKNOWN` and is asked again with the session's
`Background`: it starts a new bot and shows it again what the seat's bot was shown before. The same
happens after a crash, a restart or a takeback, and when a session was dropped to make room.
"""

from __future__ import annotations

import gc
import time
from collections import OrderedDict
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from branchline.bots import CheckedBot
from branchline.bots.session import Session
from branchline.core.mapfile import board_from_data
from branchline.engine.game import Game
from branchline.engine.view import View, view_from
from branchline.service.workers.process import memory_used

SESSIONS: Final = 500  # that a worker keeps; beyond, the least recently used are dropped
MEMORY: Final = 1 << 30  # bytes that a worker may use before it drops sessions
REBUILD: Final = 10.0  # seconds for showing a new bot what was shown before
DONE: Final = 0  # the answer to a bot's last view
UNKNOWN: Final = -2  # the answer if there is no such session


class Shown(NamedTuple):
    """What a bot was shown for a decision, and the table's last entry at that time."""

    at: int
    view: list[int]
    actions: list[int]


class Background(NamedTuple):
    """What it takes to begin a session, or to rebuild it."""

    spec: str
    source: bytes
    digest: str
    seats: int
    shown: list[Shown]
    """At the decisions that it took before."""


class Turn(NamedTuple):
    """Among whom a question waits for its turn."""

    address: str = ""
    """The address of the people at the table, as limits count it."""
    alone: bool = False
    """Whether nobody but bots plays there."""


class Question(NamedTuple):
    """All that a bot needs for a decision."""

    table: str
    seat: int
    seed: str
    last: int
    """Where its decision before this one was `Shown` (`at`); 0: there was none."""
    at: int
    view: list[int]
    actions: list[int]
    seconds: float
    background: Background | None = None
    final: bool = False
    """The bot's game is over, and no answer wanted; without a seed, whichever bot it is."""
    spec: str = ""
    """The bot, for the log."""
    turn: Turn = Turn()
    """For the queue; the worker is not told."""


@lru_cache(maxsize=32)
def game_of(digest: str, seats: int, source: bytes) -> Game:
    return Game(board_from_data(msgspec.json.decode(source), digest[:16]), seats)


class _Held:
    """A session, and where it stands."""

    def __init__(self, session: Session, game: Game, seed: str, at: int) -> None:
        self.session: Final = session
        self.game: Final = game
        self.seed: Final = seed
        self.at: int = at


class BotSessions:
    """The sessions of one worker."""

    def __init__(self, most: int = SESSIONS, memory: int = MEMORY) -> None:
        self._most: Final = most
        self._memory: Final = memory
        self._held: Final[OrderedDict[tuple[str, int], _Held]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def answer(self, question: Question) -> int:
        """What the bot does; raises whatever it raises. A bot that fails stays where it is."""
        q = question
        key = q.table, q.seat
        held = self._held.get(key)
        if q.final and not q.seed:
            q = q._replace(seed=held.seed, last=held.at) if held is not None else q
        if held is None or held.seed != q.seed or held.at != q.last:
            self._held.pop(key, None)
            if q.background is None:
                return UNKNOWN
            held = self._held[key] = _rebuilt(q, q.background)
        view = view_from(held.game, q.seat, q.view, list(q.actions))
        if q.final:
            del self._held[key]
            held.session.finish(view)
            return DONE
        held.at = q.at
        self._held.move_to_end(key)
        try:
            return int(held.session.decide(view, q.seconds))
        finally:
            self._make_room()

    def _make_room(self) -> None:
        """Drop the sessions that were not used for longest; they are rebuilt when needed."""
        while len(self._held) > self._most:
            self._held.popitem(last=False)
        if memory_used() > self._memory:
            for _ in range((len(self._held) + 1) // 2):
                self._held.popitem(last=False)
            gc.collect()


def _rebuilt(q: Question, background: Background) -> _Held:
    """A new session that stands where the question's stood.

    If it takes too long to show the bot all of it, the bot begins as if it had just sat down.
    """
    b = background
    game = game_of(b.digest, b.seats, b.source)
    session = Session(CheckedBot(b.spec), game, q.seat, q.seed)
    until = time.monotonic() + REBUILD
    each = min(q.seconds, REBUILD / 4 / max(1, len(b.shown)))  # someone waits
    for shown in b.shown:
        if time.monotonic() > until:
            session = Session(CheckedBot(b.spec), game, q.seat, q.seed)
            break
        session.show_again(_view(game, q.seat, shown), each)
    return _Held(session, game, q.seed, q.last)


def _view(game: Game, seat: int, shown: Shown) -> View:
    return view_from(game, seat, shown.view, shown.actions)
