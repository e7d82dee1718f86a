"""One game for the faces that play one: the compiled core with a single place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from branchline.engine.game import Game
from branchline.engine.record import Record
from branchline.env.batch import REWARDS, Observe, Reward, buffer, line_up, one_of, scale_of
from branchline.env.batch_core import BatchCore
from branchline.env.errors import EnvError

RENDER: Final = ("ansi", "human")
SHOWN: Final = ("points", "trains", "hand_size", "ticket_count")
"""The fields of the table that `text` shows for each seat."""


class OneGame:
    """A game that is played step by step, and begun again; the next number is the next game."""

    def __init__(
        self,
        game: Game | str,
        seats: int,
        bots: Sequence[str | None],
        reward: Reward,
        observe: Observe,
        seconds: float,
        render_mode: str | None,
    ) -> None:
        self.game: Final = Game(game, seats) if isinstance(game, str) else game
        one_of(reward, REWARDS)
        self.core: Final = BatchCore(
            self.game,
            1,
            line_up(self.game, bots),
            seconds,
            REWARDS[reward],
            observe=True,
            keep_moves=True,
            auto_reset=False,
        )
        core = self.core
        self.encoding: Final = core.encoding
        rows = buffer(core.rows, np.int16).reshape(core.learners, -1)
        # Of each seat; only those of learners are written.
        self.rows: Final[list[NDArray[Any]]] = [rows[place] for place in core.place]
        self.aside: Final = buffer(core.aside, np.int16)
        self.mask: Final[NDArray[np.int8]] = buffer(core.masks, np.int8)
        self.to_act: Final = memoryview(core.to_act)
        self.rewards: Final = buffer(core.rewards, np.float64)
        self.scale: Final = scale_of(core.encoding) if observe == "floats" else None
        self.seed: str | None = None
        self.number: int = 0
        if render_mode is not None:
            one_of(render_mode, RENDER)
        self.render_mode: Final = render_mode

    def begin(self, seed: int | str | None, options: dict[str, Any] | None) -> None:
        """Begin a game: the first of a new seed, or the next of the seed that is in use.

        The option `game` names another number.
        """
        if seed is not None:
            self.game.start(seed)  # refuses what can't be a seed
            self.seed, self.number = str(seed), 0
        elif self.seed is None:
            self.seed = str(np.random.SeedSequence().entropy)
        else:
            self.number += 1
        if options is not None and "game" in options:
            self.number = int(options["game"])
        self.core.reset(self.seed or "", self.number, 1)

    def play(self, action: Any) -> int:
        """Take an action; returns the seat that is to act then, -1 if the game has ended."""
        if self.seed is None:
            raise EnvError("not_reset")
        try:
            return self.core.play(0, action)
        except TypeError:
            raise not_a_number(action) from None

    def render(self) -> str | None:
        """The table as text; with the mode `human` it is printed."""
        if self.render_mode == "human":
            print(self.text())
            return None
        return self.text()

    @property
    def over(self) -> bool:
        return self.core.finished > 0

    def observation(self) -> NDArray[Any]:
        """What the seat that is to act may know."""
        row = self.rows[self.to_act[0]]
        return row.copy() if self.scale is None else row * self.scale

    def observation_of(self, seat: int) -> NDArray[Any]:
        """What any seat may know, at any time."""
        self.core.look(0, seat)
        return self.aside.copy() if self.scale is None else self.aside * self.scale

    def record(self) -> Record:
        """The game so far, as data."""
        state = self.game.start(f"{self.seed}/{self.number}")
        for move in self.core.states[0].moves or []:
            state.apply(move & 7, move >> 3)
        return state.record()

    def text(self) -> str:
        """Where the game stands, as anyone at the table can see."""
        view = self.core.states[0].view()
        lines = [f"{self.game.board.id}: {view.phase}, to act: {view.to_act}"]
        for seat in range(self.game.seats):
            told = [f"{name} {view[name][seat]}" for name in SHOWN]
            lines.append(f"seat {seat}: {', '.join(told)}")
        return "\n".join(lines)


def not_a_number(action: object) -> EnvError:
    return EnvError("action_not_number", {"value": repr(action)[:80]})
