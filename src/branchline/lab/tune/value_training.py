"""The value of positions: its weights, found by regression on games of followers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from branchline.bots.board_data import planner_weights
from branchline.bots.self_play import play_samples
from branchline.bots.style import Style
from branchline.bots.value import FEATURES
from branchline.lab.errors import LabError
from branchline.lab.run.line_up import LineUp
from branchline.lab.run.worker_pool import batches
from branchline.lab.tune.weights_file import HEAD, parts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK: Final = 50  # games of one item of work
RIDGE: Final = 0.001  # the penalty for large weights, of standardised features
TESTED: Final = 0.2  # the share of the positions that only test what was learned
TURNS_PER_SEAT: Final = 6  # of a rollout that ends in a value
SCALE: Final = 25.0  # points of lead that make a win likely


class Lessons(msgspec.Struct, frozen=True):
    """Games of followers on one board; item k is a chunk of them."""

    line_up: LineUp
    games: int
    seed: str

    def begin(self) -> Callable[[int], tuple[bytes, bytes, bytes]]:
        game = self.line_up.game()
        style = Style(planner_weights(game.board.id, game.seats))

        def play(item: int) -> tuple[bytes, bytes, bytes]:
            samples = play_samples(game, style, self.seed, item * CHUNK, CHUNK)
            return samples.features.tobytes(), samples.left.tobytes(), samples.scores.tobytes()

        return play


class Trained(msgspec.Struct, frozen=True):
    """Weights in the order of `FEATURES`, twice, and how much of the variance they explain."""

    board: str
    seats: int
    weights: list[float]
    explained: float
    positions: int
    games: int
    seed: str


def train(lessons: Lessons, processes: int, ray: str | None) -> Trained:
    """Play the games and fit the weights."""
    import numpy as np

    seats, width = lessons.line_up.seats, len(FEATURES)
    chunks = range((lessons.games + CHUNK - 1) // CHUNK)
    found: dict[int, tuple[bytes, bytes, bytes]] = {}
    for batch in batches(lessons, [chunks], processes, ray):
        found.update(enumerate(batch.results, batch.first))
    parts = [found[k] for k in chunks]
    features = np.concatenate([np.frombuffer(part[0]) for part in parts])
    left = np.concatenate([np.frombuffer(part[1]) for part in parts])
    scores = np.concatenate([np.frombuffer(part[2]) for part in parts]).reshape(-1, seats)
    x = features.reshape(-1, seats, width)
    x = x - x.mean(axis=1, keepdims=True)
    x = np.concatenate([x, x * left[:, None, None]], axis=2)
    y = scores - scores.mean(axis=1, keepdims=True)
    cut = int(len(x) * (1 - TESTED))
    missed = y[cut:] - x[cut:] @ fitted(x[:cut], y[:cut])
    explained = 1 - float((missed**2).sum() / (y[cut:] ** 2).sum())
    weights = [round(float(w), 4) for w in fitted(x, y)]
    board = lessons.line_up.board
    return Trained(board, seats, weights, explained, len(x), len(chunks) * CHUNK, lessons.seed)


def fitted(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of a ridge regression; a feature that never varies has none."""
    import numpy as np

    rows = x.reshape(-1, x.shape[-1])
    spread = rows.std(axis=0)
    spread[spread < 1e-9] = np.inf
    rows = rows / spread
    inner = rows.T @ rows / len(rows) + RIDGE * np.eye(rows.shape[1])
    found: NDArray[np.float64] = np.linalg.solve(inner, rows.T @ y.reshape(-1) / len(rows)) / spread
    return found


def value_table(trained: Trained) -> list[str]:
    """The lines of the table that bots read."""
    numbers = ", ".join(repr(weight) for weight in trained.weights)
    note = f"{trained.games} games, seed {trained.seed}, {trained.positions} positions"
    return [
        f"# {note}: explains {100 * trained.explained:.0f} % of the final differences.",
        f"[value.{trained.seats}]",
        f"turns = {TURNS_PER_SEAT * trained.seats}",
        f"scale = {SCALE!r}",
        f"weights = [{numbers}]",
    ]


def write_value(path: str, trained: Trained) -> None:
    """Put the table into a file, in the place of an older one; other tables stay as they are."""
    file = Path(path)
    name = f"[value.{trained.seats}]"
    try:
        head, *tables = parts_of(file.read_text(encoding="utf-8") if file.exists() else HEAD)
        place = next((k for k, table in enumerate(tables) if name in table), len(tables))
        tables[place : place + 1] = [value_table(trained)]
        text = "\n\n".join("\n".join(part) for part in (head, *tables) if part) + "\n"
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        values: dict[str, object] = {"path": path, "reason": error.strerror or str(error)}
        raise LabError("file_unwritable", values) from None
