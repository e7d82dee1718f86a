"""The decisions of a simulation as a dataset: a row of Parquet for each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from branchline._version import VERSION
from branchline.engine.encoding import Encoding
from branchline.engine.record import BoardRef, board_ref
from branchline.lab.errors import require
from branchline.lab.parquet import TableWriter
from branchline.lab.run.decision_log import Decisions, mask_bytes
from branchline.lab.run.line_up import LineUp
from branchline.lab.simulate.simulation import SimulatedGame

FORMAT: Final = 1
METADATA: Final = "branchline.decisions"
GROUP: Final = 1 << 14  # rows


class ObservationField(msgspec.Struct, frozen=True):
    """A part of an observation: numbers from 0 to `most`, which name things if it is a `code`."""

    name: str
    offset: int
    size: int
    most: int
    code: bool


class Header(msgspec.Struct, frozen=True):
    """What the metadata of a dataset says about its rows; `actions` are in the notation."""

    format: int
    engine: str
    board: BoardRef
    seats: int
    bots: tuple[str, ...]
    observation: list[ObservationField]
    actions: list[str]


def dataset_name(line_up: LineUp) -> str:
    """The file of a line-up's decisions."""
    return f"decisions-{line_up.board}-{line_up.seats}.parquet"


class DatasetWriter:
    """Writes the decisions of a line-up's games."""

    def __init__(self, path: Path, line_up: LineUp, metadata: Mapping[str, str]) -> None:
        np, arrow = require("numpy"), require("pyarrow")
        self.np: Final = np
        self.arrow: Final = arrow
        game = line_up.game()
        fields = [
            ObservationField(f.name, f.offset, f.size, f.most, f.code)
            for f in Encoding(game).fields
        ]
        header = Header(
            format=FORMAT,
            engine=VERSION,
            board=board_ref(game.board),
            seats=line_up.seats,
            bots=line_up.bots,
            observation=fields,
            actions=[game.action_text(action) for action in range(game.actions)],
        )
        known = {**metadata, METADATA: msgspec.json.encode(header).decode()}
        self.actions: Final = game.actions
        self.mask_bytes: Final = mask_bytes(game)
        sizes = sum(field.size for field in fields), self.mask_bytes, game.actions
        self.lists: Final = {
            name: arrow.list_(arrow.field("item", kind, nullable=False), size)
            for name, kind, size in zip(
                ("observation", "legal", "values"),
                (arrow.int16(), arrow.uint8(), arrow.float32()),
                sizes,
                strict=True,
            )
        }
        types = {
            "game": "int64",
            "step": "int32",
            "seat": "int8",
            "observation": self.lists["observation"],
            "legal": self.lists["legal"],
            "action": "int16",
            "values": self.lists["values"],
            "score": "int16",
            "margin": "int16",
            "win_share": "float",
        }
        self.table: Final = TableWriter(path, types, known, GROUP)

    def add(self, played: SimulatedGame) -> None:
        """Add the decisions of a game."""
        np = self.np
        found = Decisions.unpacked(played.decisions)
        seats = np.frombuffer(found.seats, np.int8)
        masks = np.frombuffer(found.masks, np.uint8)
        bits = np.unpackbits(masks.reshape(-1, self.mask_bytes), axis=1, bitorder="little")
        legal = bits[:, : self.actions].astype(bool)
        legal &= np.frombuffer(found.valued, np.bool_)[:, None]
        values = np.full(legal.shape, np.nan, np.float32)
        values[legal] = np.frombuffer(found.values, np.float32)
        result = played.result
        places = range(len(result.seats))
        scores = np.array([seat.score for seat in result.seats], np.int16)
        rivals = [max(scores[other] for other in places if other != k) for k in places]
        self.table.add(
            {
                "game": np.full(len(seats), played.number, np.int64),
                "step": np.arange(len(seats), dtype=np.int32),
                "seat": seats,
                "observation": self._lists("observation", np.frombuffer(found.rows, np.int16)),
                "legal": self._lists("legal", masks),
                "action": np.frombuffer(found.actions, np.int16),
                "values": self._lists("values", values.ravel()),
                "score": scores[seats],
                "margin": (scores - np.array(rivals, np.int16))[seats],
                "win_share": np.array([result.share(k) for k in places], np.float32)[seats],
            }
        )

    def _lists(self, name: str, values: Any) -> Any:
        return self.arrow.FixedSizeListArray.from_arrays(
            self.arrow.array(values), type=self.lists[name]
        )

    def __enter__(self) -> DatasetWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.table.__exit__(*error)
