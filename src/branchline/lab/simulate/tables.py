"""The tables of a simulation in Parquet: a row for each seat of a game, and a row for each game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from branchline.lab.errors import require
from branchline.lab.results import GameResult, SeatResult
from branchline.lab.run.line_up import LineUp
from branchline.lab.simulate.simulation import SimulatedGame

ROWS: Final = 1 << 16  # of a row group
POINTS: Final = "points_"

GAMES: Final = {
    "board": "string",
    "seats": "int8",
    "game": "int64",
    "seed": "string",
    "first": "int8",
    "winners": "int16",
    "turns": "int32",
    "actions": "int32",
}


def seat_types(sources: Sequence[str]) -> dict[str, str]:
    """The columns of the table of seats; `sources` are the kinds of score lines."""
    return {
        "board": "string",
        "seats": "int8",
        "game": "int64",
        "seat": "int8",
        "order": "int8",
        "bot": "string",
        "score": "int32",
        **{f"{POINTS}{source}": "int32" for source in sources},
        "tickets_done": "int16",
        "tickets_failed": "int16",
        "win_share": "double",
        "turns": "int32",
        "actions": "int32",
    }


def seat_rows(
    line_up: LineUp, played: SimulatedGame, sources: Sequence[str]
) -> Iterator[list[Any]]:
    """The rows of a game, seat by seat."""
    result = played.result
    for k, seat in enumerate(result.seats):
        yield [
            line_up.board,
            line_up.seats,
            played.number,
            k,
            result.order(k),
            seat.bot,
            seat.score,
            *(seat.points.get(source, 0) for source in sources),
            seat.done,
            seat.failed,
            result.share(k),
            result.turns,
            result.actions,
        ]


def game_row(line_up: LineUp, played: SimulatedGame) -> list[Any]:
    """The row of a game."""
    r = played.result
    start = [line_up.board, line_up.seats, played.number]
    return [*start, r.seed, r.first, r.winners, r.turns, r.actions]


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, one after the other."""
    with require("pyarrow.parquet").ParquetFile(path) as file:
        for batch in file.iter_batches():
            yield from batch.to_pylist()


def finished_games(folder: Path, line_ups: Sequence[LineUp]) -> Iterator[list[SimulatedGame]]:
    """The games of a finished simulation, without their records."""
    seats = rows_of(folder / "seats.parquet")
    at = {(line_up.board, line_up.seats): k for k, line_up in enumerate(line_ups)}
    for row in rows_of(folder / "games.parquet"):
        players = []
        for _ in range(row["seats"]):
            line = next(seats)
            points = {k.removeprefix(POINTS): v for k, v in line.items() if k.startswith(POINTS)}
            counts = line["tickets_done"], line["tickets_failed"]
            players.append(SeatResult(line["bot"], line["score"], points, *counts))
        result = GameResult(
            row["seed"], row["first"], row["winners"], row["turns"], row["actions"], players
        )
        yield [SimulatedGame(at[row["board"], row["seats"]], row["game"], result)]
