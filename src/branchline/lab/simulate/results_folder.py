"""The folder of a simulation: parts as they are finished, then Parquet tables of everything.

When all games are there, `seats.parquet`, `games.parquet` and what else is kept (`records.parquet`,
`decisions-….parquet`) replace the parts.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from branchline._version import VERSION
from branchline.lab.errors import require
from branchline.lab.parquet import TableWriter
from branchline.lab.records import Moves, RecordsWriter
from branchline.lab.run.parts_folder import PartsFolder, temporary
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


class ResultsFolder(PartsFolder[SimulatedGame]):
    """A simulation's folder. Raises `LabError` if it belongs to another simulation."""

    def __init__(self, folder: str, plan: Simulation) -> None:
        require("pyarrow.parquet")
        self.plan: Final = plan
        decoder = msgspec.msgpack.Decoder(list[SimulatedGame])
        super().__init__(folder, settings_of(plan), sum(plan.games), decoder)

    def prepare(self) -> None:
        if self.finished:
            shutil.rmtree(self.part_folder, ignore_errors=True)
        else:
            super().prepare()

    @property
    def finished(self) -> bool:
        """Whether everything is played and put together: the last file exists."""
        return (self.folder / "games.parquet").exists()

    # --- parts ----------------------------------------------------------------------------------

    def parts(self) -> Iterator[list[SimulatedGame]]:
        """All results that are there, in the order of the games, each once."""
        if self.finished:
            yield from finished_games(self.folder, self.plan.line_ups)
        else:
            yield from super().parts()

    def missing(self) -> list[range]:
        """The games that are not there, line-up by line-up."""
        ranges = self.plan.ranges()
        gaps = super().missing()
        cut = [range(max(g.start, t.start), min(g.stop, t.stop)) for g in gaps for t in ranges]
        return [items for items in cut if items]

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
            TableWriter(temporary(files[0]), seat_types(ordered), metadata, ROWS) as seats,
            TableWriter(temporary(files[1]), GAMES, metadata, ROWS) as games,
        ):
            for results in self.parts():
                played = [(self.plan.line_ups[game.line_up], game) for game in results]
                seats.add_rows(row for pair in played for row in seat_rows(*pair, ordered))
                games.add_rows(game_row(*pair) for pair in played)
        for file in files:
            temporary(file).replace(file)
        shutil.rmtree(self.part_folder, ignore_errors=True)

    def _write_records(self, metadata: Mapping[str, str]) -> None:
        """All games in one file, as moves."""
        path = self.folder / "records.parquet"
        games = [line_up.game() for line_up in self.plan.line_ups]
        with RecordsWriter(temporary(path), games, metadata) as file:
            for results in self.parts():
                file.add_moves([self._moves(game) for game in results])
        temporary(path).replace(path)

    def _write_decisions(self, metadata: Mapping[str, str]) -> None:
        """All decisions, in a file for each line-up."""
        games = (game for results in self.parts() for game in results)
        for number, played in groupby(games, lambda game: game.line_up):
            line_up = self.plan.line_ups[number]
            path = self.folder / dataset_name(line_up)
            with DatasetWriter(temporary(path), line_up, metadata) as file:
                for game in played:
                    file.add(game)
            temporary(path).replace(path)

    def _moves(self, game: SimulatedGame) -> Moves:
        result, bots = game.result, self.plan.line_ups[game.line_up].bots
        scores = [seat.score for seat in result.seats]
        start = (game.line_up, game.number, result.seed, None)
        return Moves(*start, bots, scores, result.winners, game.moves)


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
