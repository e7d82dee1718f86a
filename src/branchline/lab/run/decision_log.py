"""What every decision of a game was about: what the seat knew, could do and did.

The log takes what it knows of a decision from the view that the bot was shown.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Sequence
from typing import Final

import msgspec

from branchline.bots.checked_bot import CheckedBot
from branchline.engine.encoding import Encoding
from branchline.engine.game import Game
from branchline.engine.view import View

FAST: Final = 1  # of zlib: rows shrink to a tenth even so


class Decisions(msgspec.Struct, frozen=True, array_like=True):
    """The decisions of a game in order, column by column, as the bytes of numbers.

    `seats` are int8, `rows` int16 (`Encoding`), `masks` bits of the legal actions from the lowest
    on, `actions` int16. `values` are float32, one for each legal action of those decisions whose
    bot has `valued` them (int8).
    """

    seats: bytes
    rows: bytes
    masks: bytes
    actions: bytes
    valued: bytes
    values: bytes

    @staticmethod
    def unpacked(data: bytes) -> Decisions:
        return msgspec.msgpack.decode(zlib.decompress(data), type=Decisions)


class DecisionLog:
    """Takes down the decisions of one game after the other.

    >>> game = Game("new_york", 2)
    >>> log = DecisionLog(game)
    >>> view = game.start(seed=1).view(0)
    >>> log.add(0, log.encoding.view_row(view), view.actions, view.actions[0])
    >>> decisions = Decisions.unpacked(log.pack())
    >>> len(decisions.rows) == 2 * log.encoding.size, len(decisions.masks) == mask_bytes(game)
    (True, True)
    """

    def __init__(self, game: Game) -> None:
        self.encoding: Final = Encoding(game)
        self.mask_bytes: Final = mask_bytes(game)
        self.clear()

    def clear(self) -> None:
        """Forget the decisions so far: a new game begins."""
        self.seats = array("b")
        self.rows = array("h")
        self.masks = bytearray()
        self.actions = array("h")
        self.valued = array("b")
        self.values = array("f")

    def add(
        self,
        seat: int,
        row: Sequence[int],
        legal: Sequence[int],
        action: int,
        values: Sequence[float] | None = None,
    ) -> None:
        """Take down a decision; `values` are those of the legal actions, in their order."""
        self.seats.append(seat)
        self.rows.extend(row)
        self.masks += sum(1 << other for other in legal).to_bytes(self.mask_bytes, "little")
        self.actions.append(action)
        self.valued.append(values is not None)
        if values is not None:
            by_number = sorted(zip(legal, values, strict=True))
            self.values.extend(value for _, value in by_number)

    def pack(self) -> bytes:
        """The decisions of the game, compressed."""
        columns = (self.seats, self.rows, self.masks, self.actions, self.valued, self.values)
        packed = msgspec.msgpack.encode(Decisions(*(bytes(column) for column in columns)))
        return zlib.compress(packed, FAST)


def mask_bytes(game: Game) -> int:
    """The bytes that hold a bit for every action."""
    return (game.actions + 7) // 8


class LoggedBot:
    """A bot whose decisions are taken down."""

    def __init__(self, bot: CheckedBot, log: DecisionLog) -> None:
        self.bot: Final = bot
        self.log: Final = log

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.bot.start(game, seat, seed)

    def decide(self, view: View, seconds: float) -> int:
        row, legal = self.log.encoding.view_row(view), list(view.actions)
        action = self.bot.decide(view, seconds)
        self.log.add(view.seat, row, legal, action, self.bot.values(len(legal)))
        return action

    def finish(self, view: View) -> None:
        self.bot.finish(view)
