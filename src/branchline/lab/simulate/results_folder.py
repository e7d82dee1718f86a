"""The folder of a simulation: parts as they are finished, then Parquet tables of everything.

`settings.json` says what is played. Each part is written under another name and then renamed, so
that a part is whole or absent. When all games are there, `seats.parquet`, `games.parquet` and what
else is kept (`records.parquet`, `decisions-….parquet`) replace the parts.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import msgspec

from branchline._version import VERSION
from branchline.lab.errors import LabError, require
from branchline.lab.parquet import TableWriter
from branchline.lab.records import Moves, RecordsWriter
from branchline.lab.simulate.dataset import DatasetWriter, dataset_name
from branchline.lab.simulate.simulation import SimulatedGame, Simulation
from branchline.lab.simulate.tables import (
    GAMES,
    ROWS,
    finished_games,
    game_row,
    seat_rows,
    seat_types,
)

FORMAT: Final = 2
ALWAYS: Final = ("routes", "ticket_done", "ticket_failed")


class ResultsFolder:
    """A simulation's folder. Raises `LabError` if it belongs to another simulation."""

    def __init__(self, folder: str, plan: Simulation) -> None:
        require("pyarrow.parquet")
        self.plan: Final = plan
        self.settings: Final = settings_of(plan)
        self.folder: Final = Path(folder)
        self.part_folder: Final = self.folder / "parts"
        self.decoder: Final = msgspec.msgpack.Decoder(list[SimulatedGame])
        self._open()

    def _open(self) -> None:
        path = self.folder / "settings.json"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if path.exists():
                self._compare(path.read_bytes())
            elif any(self.folder.iterdir()):
                raise LabError("folder_in_use", {"folder": str(self.folder)})
            else:
                _write(path, msgspec.json.format(msgspec.json.encode(self.settings), indent=1))
            if self.finished:
                shutil.rmtree(self.part_folder, ignore_errors=True)
            else:
                self.part_folder.mkdir(exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LabError(
                "folder_unusable", {"folder": str(self.folder), "reason": reason}
            ) from None

    def _compare(self, content: bytes) -> None:
        try:
            found = msgspec.json.decode(content, type=dict[str, Any])
        except msgspec.DecodeError:
            raise LabError("folder_in_use", {"folder": str(self.folder)}) from None
        other = differences(found, self.settings)
        if other:
            listed = "; ".join(other)
            raise LabError("other_settings", {"folder": str(self.folder), "settings": listed})

    @property
    def finished(self) -> bool:
        """Whether everything is played and put together: the last file exists."""
        return (self.folder / "games.parquet").exists()

    # --- parts ----------------------------------------------------------------------------------

    def add(self, first: int, results: Sequence[SimulatedGame]) -> None:
        """Keep the results of neighbouring games."""
        name = f"{first:012d}-{first + len(results):012d}.msgpack"
        _write(self.part_folder / name, msgspec.msgpack.encode(results))

    def parts(self) -> Iterator[list[SimulatedGame]]:
        """All results that are there, in the order of the games, each once."""
        if self.finished:
            yield from finished_games(self.folder, self.plan.line_ups)
            return
        done = 0
        for first, last, path in self._files():
            results = self._read(path) if last > done else None
            if results is not None:
                yield results[max(0, done - first) :]
                done = last

    def missing(self) -> list[range]:
        """The games that are not there, line-up by line-up."""
        gaps = []
        done = 0
        for first, last, _ in self._files():
            gaps.append(range(done, first))
            done = max(done, last)
        gaps.append(range(done, sum(self.plan.games)))
        ranges = self.plan.ranges()
        cut = [range(max(g.start, t.start), min(g.stop, t.stop)) for g in gaps for t in ranges]
        return [items for items in cut if items]

    def _files(self) -> list[tuple[int, int, Path]]:
        found = []
        for path in self.part_folder.glob("*-*.msgpack"):
            first, _, last = path.stem.partition("-")
            found.append((int(first), int(last), path))
        return sorted(found)

    def _read(self, path: Path) -> list[SimulatedGame] | None:
        """A part, or None if the disk has damaged it: its games are played again."""
        try:
            return self.decoder.decode(path.read_bytes())
        except msgspec.DecodeError:
            path.unlink()
            return None

    # --- tables ---------------------------------------------------------------------------------

    def finish(self, sources: Sequence[str]) -> None:
        """Put all parts together. `sources` are the kinds of score lines that occur."""
        metadata = {"branchline": msgspec.json.encode(self.settings).decode()}
        if self.plan.records:
            self._write_records(metadata)
        if self.plan.decisions:
            self._write_decisions(metadata)
        ordered = [*ALWAYS, *(source for source in sources if source not in ALWAYS)]
        files = [self.folder / "seats.parquet", self.folder / "games.parquet"]
        with (
            TableWriter(_temporary(files[0]), seat_types(ordered), metadata, ROWS) as seats,
            TableWriter(_temporary(files[1]), GAMES, metadata, ROWS) as games,
        ):
            for results in self.parts():
                played = [(self.plan.line_ups[game.line_up], game) for game in results]
                seats.add_rows(row for pair in played for row in seat_rows(*pair, ordered))
                games.add_rows(game_row(*pair) for pair in played)
        for file in files:
            _temporary(file).replace(file)
        shutil.rmtree(self.part_folder, ignore_errors=True)

    def _write_records(self, metadata: Mapping[str, str]) -> None:
        """All games in one file, as moves."""
        path = self.folder / "records.parquet"
        games = [line_up.game() for line_up in self.plan.line_ups]
        with RecordsWriter(_temporary(path), games, metadata) as file:
            for results in self.parts():
                file.add_moves([self._moves(game) for game in results])
        _temporary(path).replace(path)

    def _write_decisions(self, metadata: Mapping[str, str]) -> None:
        """All decisions, in a file for each line-up."""
        games = (game for results in self.parts() for game in results)
        for number, played in groupby(games, lambda game: game.line_up):
            line_up = self.plan.line_ups[number]
            path = self.folder / dataset_name(line_up)
            with DatasetWriter(_temporary(path), line_up, metadata) as file:
                for game in played:
                    file.add(game)
            _temporary(path).replace(path)

    def _moves(self, game: SimulatedGame) -> Moves:
        result, bots = game.result, self.plan.line_ups[game.line_up].bots
        scores = [seat.score for seat in result.seats]
        start = (game.line_up, game.number, result.seed, None)
        return Moves(*start, bots, scores, result.winners, game.moves)


def _temporary(path: Path) -> Path:
    """The name of a file that is still being written."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def _write(path: Path, content: bytes) -> None:
    """Write a file so that it is whole or absent, whatever happens."""
    other = _temporary(path)
    with other.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    other.replace(path)


def settings_of(plan: Simulation) -> dict[str, Any]:
    """Everything that decides the results, as plain data."""
    return {
        "format": FORMAT,
        "engine": VERSION,
        "seed": plan.seed,
        "seconds": plan.seconds,
        "records": plan.records,
        "decisions": plan.decisions,
        "tables": [
            {
                "board": line_up.board,
                "digest": line_up.digest,
                "seats": line_up.seats,
                "bots": list(line_up.bots),
                "games": games,
            }
            for line_up, games in zip(plan.line_ups, plan.games, strict=True)
        ],
    }


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """What two settings differ in, one line each.

    >>> differences({"seed": "1", "games": 5}, {"seed": "2", "games": 5})
    ['seed: 1 ≠ 2']
    """
    lines = []
    for name in dict.fromkeys([*here, *there]):
        old, new = there.get(name), here.get(name)
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new) == 1:
            lines += differences(old[0], new[0])
        elif old != new:
            lines.append(f"{name}: {_short(old)} ≠ {_short(new)}")
    return lines


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"[{len(value)}]" if value and isinstance(value[0], dict) else ",".join(value)
    return str(value)[:60]
