"""A tuning from its beginning to a confirmed result.

What it does depends on its settings alone, never on the time or the number of processes. A folder
keeps the scores of every generation; the search is repeated from them when it is continued.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from branchline._version import VERSION
from branchline.lab.arena.contest import Contest
from branchline.lab.arena.contest import run as run_contest
from branchline.lab.errors import LabError
from branchline.lab.results import mean
from branchline.lab.run.line_up import LineUp
from branchline.lab.stats import Bootstrap, Estimate
from branchline.lab.tune.evolution import Evolution
from branchline.lab.tune.ranges import place_of, spec_of, weights_at
from branchline.lab.tune.trial import Trial, run_trial

YARDSTICK: Final = "planner-1"
SETTINGS: Final = "settings.json"
SCORES: Final = "scores.jsonl"


class Tuning(msgspec.Struct, frozen=True):
    """What to tune and how long. The line-up has the opponents of the candidates.

    `start` has all weights, `names` those that are looked for. With `quick`, followers play in the
    search, and planners confirm.
    """

    line_up: LineUp
    start: dict[str, float]
    names: tuple[str, ...]
    generations: int
    candidates: int
    blocks: int
    confirm: int
    seed: str
    seconds: float = 1.0
    quick: bool = False


class Tuned(msgspec.Struct, frozen=True):
    """Weights, and how they did on fresh seeds: against what they replace, and the yardstick."""

    board: str
    seats: int
    weights: dict[str, float]
    against_start: Estimate
    against_yardstick: Estimate
    blocks: int
    seed: str

    @property
    def better(self) -> bool:
        """Whether they are better than what they replace beyond doubt, and no worse than ever."""
        even = 1 / self.seats
        return self.against_start.low > even and self.against_yardstick.low > even


class Generation(msgspec.Struct, frozen=True):
    """What a generation found, for who watches: its best and mean score, and where the mean is."""

    number: int
    best: float
    mean: float
    weights: dict[str, float]


def run(
    tuning: Tuning,
    lang: str,
    processes: int,
    ray: str | None = None,
    folder: str | None = None,
    watch: Callable[[Generation], None] = lambda _: None,
) -> Tuned:
    """Search, then confirm what was found on seeds that the search has not seen."""
    kept = Scores(folder, tuning)
    search = Search(tuning)
    for number in range(tuning.generations):
        scores = kept.of(number)
        if scores is None:
            scores = search.try_out(processes, ray)
            kept.add(scores)
        search.learn(scores)
        watch(Generation(number + 1, max(scores), mean(scores), search.weights))
    return confirmed(tuning, search.result(), lang, processes, ray)


class Search:
    """The generations of a tuning."""

    def __init__(self, tuning: Tuning) -> None:
        self.tuning: Final = tuning
        self.evolution: Final = Evolution(
            len(tuning.names), tuning.candidates, f"{tuning.seed}/evolution"
        )
        self.means: Final[list[list[float]]] = []
        self.tried: list[dict[str, float]] = self.candidates()

    def candidates(self) -> list[dict[str, float]]:
        return [self.at(place) for place in self.evolution.ask()]

    def at(self, place: Sequence[float]) -> dict[str, float]:
        return weights_at(place, self.tuning.names, self.tuning.start)

    @property
    def weights(self) -> dict[str, float]:
        """The weights at the mean of the next generation."""
        return self.at(self.evolution.mean)

    def try_out(self, processes: int, ray: str | None) -> list[float]:
        """Let the candidates of this generation play."""
        tuning = self.tuning
        bots = (*map(spec_of, self.tried), *tuning.line_up.bots)
        seed = f"{tuning.seed}/tune/{self.evolution.generation}"
        line_up = msgspec.structs.replace(tuning.line_up, bots=bots)
        trial = Trial(line_up, len(self.tried), tuning.blocks, seed, tuning.seconds, tuning.quick)
        return run_trial(trial, processes, ray)

    def learn(self, scores: Sequence[float]) -> None:
        names, start = self.tuning.names, self.tuning.start
        self.evolution.tell([place_of(weights, names, start) for weights in self.tried], scores)
        self.means.append(self.evolution.mean)
        self.tried = self.candidates()

    def result(self) -> dict[str, float]:
        """The mean over the last third of the generations: single ones are noisy."""
        last = self.means[-max(1, len(self.means) // 3) :]
        return self.at([mean(coordinate) for coordinate in zip(*last, strict=True)])


def confirmed(
    tuning: Tuning, weights: dict[str, float], lang: str, processes: int, ray: str | None
) -> Tuned:
    """Measure weights against those that they replace and against the yardstick."""
    estimates = []
    for name, rival in (("start", spec_of(tuning.start)), ("yardstick", YARDSTICK)):
        bots = (spec_of(weights), *[rival] * (tuning.line_up.seats - 1))
        line_up = msgspec.structs.replace(tuning.line_up, bots=bots)
        seed = f"{tuning.seed}/confirm/{name}"
        contest = Contest(line_up, tuning.confirm, seed, tuning.seconds)
        blocks = run_contest(contest, lang, processes, ray)
        shares = [mean(g.result.share(g.seating.index(0)) for g in block) for block in blocks]
        estimates.append(Bootstrap(len(shares)).share(shares))
    return Tuned(
        tuning.line_up.board,
        tuning.line_up.seats,
        weights,
        against_start=estimates[0],
        against_yardstick=estimates[1],
        blocks=tuning.confirm,
        seed=tuning.seed,
    )


class Scores:
    """The scores of the generations so far, in a folder if there is one."""

    def __init__(self, folder: str | None, tuning: Tuning) -> None:
        self.path: Final = Path(folder) / SCORES if folder is not None else None
        self.found: Final[list[list[float]]] = []
        if folder is not None and self.path is not None:
            settle(Path(folder), tuning)
            if self.path.exists():
                whole = self.path.read_bytes().rpartition(b"\n")[0]  # a last line may be torn
                self.found.extend(
                    msgspec.json.decode(line, type=list[float]) for line in whole.splitlines()
                )
                self.path.write_bytes(whole + b"\n" if whole else b"")

    def of(self, generation: int) -> list[float] | None:
        return self.found[generation] if generation < len(self.found) else None

    def add(self, scores: list[float]) -> None:
        self.found.append(scores)
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(scores) + b"\n")
                file.flush()
                os.fsync(file.fileno())


def settle(folder: Path, tuning: Tuning) -> None:
    """Write the settings into a new folder, or check that an old one has the same."""
    settings = folder / SETTINGS
    data = msgspec.json.format(msgspec.json.encode({"engine": VERSION, "tuning": tuning}), indent=1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if settings.exists():
            if settings.read_bytes() != data:
                raise LabError("other_settings", {"folder": str(folder), "settings": SETTINGS})
            return
        if any(folder.iterdir()):
            raise LabError("folder_in_use", {"folder": str(folder)})
        settings.write_bytes(data)
    except OSError as error:
        values: dict[str, object] = {"folder": str(folder), "reason": error.strerror or str(error)}
        raise LabError("folder_unusable", values) from None
