"""The value of positions: its weights, found by regression.

First on games of followers: what a position's features say about the final scores. Then on games in
which candidates are tried in the same worlds: what they say about the difference that an action
makes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from branchline.bots.board_data import planner_weights
from branchline.bots.self_play import play_samples
from branchline.bots.style import Style
from branchline.bots.value import FEATURES
from branchline.lab.errors import LabError
from branchline.lab.run.line_up import LineUp
from branchline.lab.run.worker_pool import Work, batches
from branchline.lab.tune.searched_games import COLUMNS, SearchedGames
from branchline.lab.tune.weights_file import HEAD, parts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

CHUNK: Final = 50  # games of one item of work
RIDGE: Final = 0.001  # the penalty for large weights, of standardised features
TESTED: Final = 0.2  # the share of the positions that only test what was learned
TURNS_PER_SEAT: Final = 6  # of a rollout that ends in a value
SCALE: Final = 25.0  # points of lead that make a win likely


class Lessons(msgspec.Struct, frozen=True):
    """Games of followers on one board; item k is a chunk of them. `searched` games come after."""

    line_up: LineUp
    games: int
    seed: str
    searched: int = 0

    def begin(self) -> Callable[[int], tuple[bytes, bytes, bytes]]:
        game = self.line_up.game()
        style = Style(planner_weights(game.board.id, game.seats))

        def play(item: int) -> tuple[bytes, bytes, bytes]:
            samples = play_samples(game, style, self.seed, item * CHUNK, CHUNK)
            return samples.features.tobytes(), samples.left.tobytes(), samples.scores.tobytes()

        return play


class Trained(msgspec.Struct, frozen=True):
    """Weights in the order of `FEATURES`, twice, and how much of the variance they explain.

    `explained` is of the final differences between seats, from the games of followers;
    `told_apart` of those between candidates, by the weights before and after the searched games.
    """

    board: str
    seats: int
    weights: list[float]
    explained: float
    positions: int
    games: int
    seed: str
    searched: int = 0
    told_apart: tuple[float, float] = (0.0, 0.0)


def train(lessons: Lessons, processes: int, ray: str | None) -> Trained:
    """Play the games and fit the weights."""
    import numpy as np

    seats, width = lessons.line_up.seats, len(FEATURES)
    chunks = range((lessons.games + CHUNK - 1) // CHUNK)
    parts = results(lessons, chunks, processes, ray)
    features = np.concatenate([np.frombuffer(part[0]) for part in parts])
    left = np.concatenate([np.frombuffer(part[1]) for part in parts])
    scores = np.concatenate([np.frombuffer(part[2]) for part in parts]).reshape(-1, seats)
    x = features.reshape(-1, seats, width)
    x = x - x.mean(axis=1, keepdims=True)
    x = np.concatenate([x, x * left[:, None, None]], axis=2)
    y = scores - scores.mean(axis=1, keepdims=True)
    cut = tested_from(len(x))
    explained = share_explained(x[cut:], y[cut:], fitted(x[:cut], y[:cut]))
    board, games = lessons.line_up.board, len(chunks) * CHUNK
    trained = Trained(board, seats, [], explained, len(x), games, lessons.seed)
    return refined(trained, fitted(x, y), lessons, processes, ray)


def refined(
    trained: Trained,
    weights: NDArray[np.float64],
    lessons: Lessons,
    processes: int,
    ray: str | None,
) -> Trained:
    """Correct the weights by what candidates brought in the searched games."""
    import numpy as np

    if lessons.searched > 0:
        turns = TURNS_PER_SEAT * lessons.line_up.seats
        work = SearchedGames(lessons.line_up, lessons.seed, weights.tolist(), turns, SCALE)
        parts = results(work, range(lessons.searched), processes, ray)
        rows = np.concatenate([np.frombuffer(part) for part in parts]).reshape(-1, COLUMNS)
        x, y = rows[:, 1:], rows[:, 0]
        cut = tested_from(len(x))
        learned = weights + fitted(x[:cut], y[:cut] - x[:cut] @ weights)
        before = share_explained(x[cut:], y[cut:], weights)
        after = share_explained(x[cut:], y[cut:], learned)
        weights = weights + fitted(x, y - x @ weights)
        trained = msgspec.structs.replace(
            trained, searched=lessons.searched, told_apart=(before, after)
        )
    return msgspec.structs.replace(trained, weights=[round(float(w), 4) for w in weights])


def results(work: Work[T], items: range, processes: int, ray: str | None) -> list[T]:
    """The results of all items, in their order."""
    found: dict[int, T] = {}
    for batch in batches(work, [items], processes, ray):
        found.update(enumerate(batch.results, batch.first))
    return [found[k] for k in items]


def tested_from(samples: int) -> int:
    return int(samples * (1 - TESTED))


def share_explained(
    x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]
) -> float:
    """How much of the variance of `y`, whose mean is 0, these weights explain."""
    return 1 - float(((y - x @ weights) ** 2).sum() / (y**2).sum())


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
    lines = [f"# {note}: explains {100 * trained.explained:.0f} % of the final differences."]
    if trained.searched:
        before, after = (f"{100 * share:.1f} %" for share in trained.told_apart)
        lines.append(
            f"# Then {trained.searched} searched games: {after} of the differences between "
            f"candidates, {before} before."
        )
    return [
        *lines,
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
