"""Several batches, each in a process of its own, that share their arrays with this one."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from branchline.engine.encoding import Encoding
from branchline.engine.errors import BranchlineError
from branchline.engine.game import Game
from branchline.env.batch import ARRAYS, Batch, Observe, Step
from branchline.env.errors import EnvError

WAIT: Final = 5.0  # seconds for a process to end by itself
Shape = tuple[tuple[int, ...], str]


class Batches:
    """`n` games in several processes, which step at the same time; otherwise like one `Batch`.

    The games are those that one batch of `n` games plays, in the same places, whatever the number
    of processes. It is a context: at its end the processes are. A program that uses it must be
    importable (`if __name__ == "__main__":`), as with every use of `multiprocessing`.

        with Batches("usa", 2048, processes=4, bots=[None, "greedy"]) as batches:
            step = batches.reset(seed=7)
            step = batches.step(step.masks.argmax(axis=1))
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        processes: int,
        *,
        seats: int = 2,
        observe: Observe = "integers",
        **options: Any,
    ) -> None:
        self.game: Final = Game(game, seats) if isinstance(game, str) else game
        if processes < 1 or n % processes:
            raise EnvError("bad_processes", {"n": n, "processes": processes})
        Batch(self.game, 1, observe=observe, **options)  # refuses what can't be
        self.n: Final = n
        self.encoding: Final = Encoding(self.game)
        shapes = array_shapes(self.game, n, self.encoding.size, observe)
        context = multiprocessing.get_context("spawn")
        memory = {
            name: context.RawArray("b", max(1, int(np.prod(shape)) * np.dtype(dtype).itemsize))
            for name, (shape, dtype) in shapes.items()
        }
        arrays = {name: array_in(memory[name], *shapes[name]) for name in memory}
        self._actions: Final = arrays["actions"]
        self._step: Final = Step(*(arrays[name] for name in ARRAYS[:5]))
        self.scores: Final[NDArray[np.int16]] = arrays["scores"]
        """The points of every seat in the last game that has ended at each place."""
        self._workers: Final[list[Any]] = []
        self._pipes: Final[list[Connection]] = []
        share = n // processes
        for k in range(processes):
            here, there = context.Pipe()
            place = (k * share, (k + 1) * share)
            task = (there, self.game, place, memory, shapes, {"observe": observe, **options})
            worker = context.Process(target=work, args=task, daemon=True)
            worker.start()
            there.close()
            self._workers.append(worker)
            self._pipes.append(here)

    def reset(self, seed: int | str = 0, first: int = 0) -> Step:
        """Begin new games: number `first` and those after it."""
        self.game.start(seed)  # refuses what can't be a seed
        share = self.n // len(self._pipes)
        orders = [(str(seed), first + k * share, self.n) for k in range(len(self._pipes))]
        return self._order(orders)

    def step(self, actions: NDArray[Any] | Sequence[int]) -> Step:
        """Take an action in every game.

        If one is not allowed this raises; games of other processes may have gone on.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise EnvError("bad_actions", {"n": self.n})
        self._actions[:] = chosen
        return self._order([None] * len(self._pipes))

    def _order(self, orders: Sequence[object]) -> Step:
        """Let every process do something, and wait for all."""
        if not self._pipes:
            raise EnvError("worker_ended")
        for pipe, order in zip(self._pipes, orders, strict=True):
            with suppress(OSError):  # it has ended, as the answer will show
                pipe.send(order)
        failed = None
        for pipe in self._pipes:
            try:
                failed = pipe.recv() or failed
            except (EOFError, OSError):
                failed = ("worker_ended", {})
        if failed is not None:
            raise EnvError(*failed)
        return self._step

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.close()
        for worker in self._workers:
            worker.join(WAIT)
            if worker.is_alive():
                worker.kill()
                worker.join()
        self._workers.clear()
        self._pipes.clear()

    def __enter__(self) -> Batches:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def array_shapes(game: Game, n: int, row: int, observe: Observe) -> dict[str, Shape]:
    """The arrays that a batch writes, and the actions that it reads."""
    rows = 0 if observe == "nothing" else row
    return {
        "observations": ((n, rows), "float32" if observe == "floats" else "int16"),
        "masks": ((n, game.actions), "bool"),
        "seats": ((n,), "uint8"),
        "rewards": ((n, game.seats), "float32"),
        "ends": ((n,), "bool"),
        "scores": ((n, game.seats), "int16"),
        "actions": ((n,), "int64"),
    }


def array_in(memory: Any, shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    """The array that lies in shared memory."""
    return np.frombuffer(memory, dtype, int(np.prod(shape))).reshape(shape)


def work(
    pipe: Connection,
    game: Game,
    place: tuple[int, int],
    memory: dict[str, Any],
    shapes: dict[str, Shape],
    options: dict[str, Any],
) -> None:
    """A process: its batch writes into its part of the arrays, whenever it is told to."""
    part = slice(*place)
    arrays = {name: array_in(memory[name], *shapes[name])[part] for name in memory}
    actions = arrays.pop("actions")
    batch = Batch(game, place[1] - place[0], out=arrays, **options)
    while True:
        try:
            order = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            if order is None:
                batch.step(actions)
            else:
                batch.reset(*order)
        except BranchlineError as error:
            values = dict(error.values)
            if error.code == "batch_illegal":
                values["place"] = int(str(values["place"])) + place[0]
            pipe.send((error.code, values))
        else:
            pipe.send(None)
