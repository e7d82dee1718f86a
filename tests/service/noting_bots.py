"""Bots that keep something between decisions, and write down what they are asked, for tests."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from branchline import Game
from branchline.engine.view import View


class Noting:
    """Its answers depend on how often it was asked and on all that it was shown.

    `path` is a file for what it is asked: the call, the object, the seat.
    """

    def __init__(self, path: str = "") -> None:
        self.path = path
        self.name = f"{os.getpid()}.{id(self)}"
        self.asked = 0
        self.seat = -1
        self.shown = hashlib.blake2b()

    def note(self, what: str) -> None:
        if self.path:
            with Path(self.path).open("a") as file:
                file.write(f"{what} {self.name} {self.seat}\n")

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.seat = seat
        self.asked = 0
        self.shown = hashlib.blake2b(str(seed).encode())
        self.note("start")

    def decide(self, view: View, seconds: float) -> int:
        self.note("decide")
        self.asked += 1
        self.shown.update(repr((list(view.data), view.actions)).encode())
        return view.actions[int(self.shown.hexdigest(), 16) % len(view.actions)]

    def finish(self, view: View) -> None:
        self.note("finish")


class Raising(Noting):
    """Fails at its third decision, and at the end."""

    def decide(self, view: View, seconds: float) -> int:
        action = super().decide(view, seconds)
        if self.asked == 3:
            raise RuntimeError("derailed")
        return action

    def finish(self, view: View) -> None:
        super().finish(view)
        raise RuntimeError("derailed")


class Dying(Noting):
    """Takes its process down at its third decision."""

    def decide(self, view: View, seconds: float) -> int:
        action = super().decide(view, seconds)
        if self.asked == 3:
            os._exit(1)
        return action
