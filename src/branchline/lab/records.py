"""Many games in one file: a row of Parquet for each, with all that is needed to play it again.

The file's metadata has the boards, and for each of them the actions by number in the notation of
docs/notation.md. So a file can be read as long as its actions are, whatever numbers they have by
then. A row has the moves but no events; `RecordedGame.replay(…).record()` makes a whole record.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import msgspec

from branchline._version import VERSION
from branchline.engine.errors import BranchlineError, RecordError, StateError
from branchline.engine.game import Game
from branchline.engine.notation import parse_action
from branchline.engine.playback import Playback, playback_of
from branchline.engine.record import BoardRef, board_ref
from branchline.engine.state import State
from branchline.lab.errors import LabError, require
from branchline.lab.parquet import TableWriter

FORMAT: Final = 1
METADATA: Final = "branchline.records"
GROUP: Final = 1024  # games of a row group: as many are read for one
MOVES: Final = frozenset({"actors", "actions"})  # the columns that are read as numpy arrays


class Setting(msgspec.Struct, frozen=True):
    """A board at a number of seats, with all its actions in the notation, by number."""

    board: BoardRef
    seats: int
    actions: list[str]


class Header(msgspec.Struct, frozen=True):
    """What the metadata of a file says about its games."""

    format: int
    engine: str
    settings: list[Setting]


class Moves(msgspec.Struct, frozen=True, array_like=True):
    """A finished game as a file keeps it; `winners` is a mask of seats.

    `setting` is the place of its board and seats among those of the file; `moves` are four bytes
    each, an action times 8 plus the seat that took it.
    """

    setting: int
    number: int
    seed: str
    first: int | None
    bots: Sequence[str]
    scores: Sequence[int]
    winners: int
    moves: bytes


def packed_moves(state: State) -> bytes:
    """The moves of a state that has them."""
    if state.moves is None:
        raise StateError("no_moves")
    return array("I", state.moves).tobytes()


# --- writing ----------------------------------------------------------------------------------


def columns() -> dict[str, Any]:
    """The columns of a file."""
    arrow = require("pyarrow")
    return {
        "board": "string",
        "digest": "string",
        "seats": "int8",
        "game": "int64",
        "seed": "string",
        "fixed_first": "int8",
        "bots": arrow.list_(arrow.string()),
        "scores": arrow.list_(arrow.int32()),
        "winners": "int16",
        "actors": arrow.list_(arrow.int8()),
        "actions": arrow.list_(arrow.int32()),
    }


class RecordsWriter:
    """Writes finished games of some settings into one file.

    >>> import branchline, tempfile
    >>> game = branchline.Game("new_york", seats=2)
    >>> path = Path(tempfile.mkdtemp()) / "games.parquet"
    >>> with RecordsWriter(path, [game]) as file:
    ...     for seed in range(3):
    ...         state = game.start(seed)
    ...         while not state.over:
    ...             seat = state.to_act[0]
    ...             state.apply(seat, state.legal(seat)[-1])
    ...         file.add(state, number=seed)
    >>> with RecordsFile(path) as games:
    ...     games[2].replay() == state
    True
    """

    def __init__(
        self, path: str | Path, games: Sequence[Game], metadata: Mapping[str, str] | None = None
    ) -> None:
        self.games: Final = list(games)
        settings = [setting_of(game) for game in games]
        header = msgspec.json.encode(Header(FORMAT, VERSION, settings)).decode()
        known = {**(metadata or {}), METADATA: header}
        self.table: Final = TableWriter(Path(path), columns(), known, GROUP)

    def add(self, state: State, number: int, bots: Sequence[str] = ()) -> None:
        """Add a finished game that was played here."""
        outcome = state.outcome
        winners = sum(1 << seat for seat in outcome.winners)
        setting = self.games.index(state.game)
        seed, moves = state.seed or "", packed_moves(state)
        self.add_moves(
            [Moves(setting, number, seed, state.first, bots, outcome.scores, winners, moves)]
        )

    def add_moves(self, played: Sequence[Moves]) -> None:
        """Add games, a batch at a time."""
        np = require("numpy")
        boards = [self.games[game.setting].board for game in played]
        moves = np.frombuffer(b"".join(game.moves for game in played), np.uint32)
        ends = [0, *accumulate(len(game.moves) // 4 for game in played)]
        self.table.add(
            {
                "board": [board.id for board in boards],
                "digest": [board.digest for board in boards],
                "seats": [self.games[game.setting].seats for game in played],
                "game": [game.number for game in played],
                "seed": [game.seed for game in played],
                "fixed_first": [game.first for game in played],
                "bots": [list(game.bots) for game in played],
                "scores": [list(game.scores) for game in played],
                "winners": [game.winners for game in played],
                "actors": self._lists(ends, (moves & 7).astype(np.int8)),
                "actions": self._lists(ends, (moves >> 3).astype(np.int32)),
            }
        )

    def _lists(self, ends: Sequence[int], values: Any) -> Any:
        arrow = self.table.arrow
        return arrow.ListArray.from_arrays(arrow.array(ends, arrow.int32()), arrow.array(values))

    def __enter__(self) -> RecordsWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.table.__exit__(*error)


def setting_of(game: Game) -> Setting:
    """A game as the metadata of a file names it."""
    texts = [game.action_text(action) for action in range(len(game.action_rules))]
    return Setting(board_ref(game.board), game.seats, texts)


# --- reading ----------------------------------------------------------------------------------


class PlayedSetting:
    """A setting of a file, with its game, which is made when it is first asked for."""

    def __init__(self, setting: Setting, engine: str) -> None:
        self.setting: Final = setting
        self.engine: Final = engine
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        if self._game is None:
            self._game = Game(self.setting.board.open(), self.setting.seats)
        return self._game

    def action(self, number: int) -> int:
        """The number that an action of the file has today."""
        if self.engine == VERSION:
            return number
        return parse_action(self.game, self.setting.actions[number])


class RecordedGame:
    """A game of a file: what was played, by whom, and how it ended.

    `actors` and `actions` are numpy arrays: the seat and the number of every action.
    """

    def __init__(self, row: Mapping[str, Any], setting: PlayedSetting) -> None:
        self.setting: Final = setting
        self.board: Final[str] = row["board"]
        self.seats: Final[int] = row["seats"]
        self.number: Final[int] = row["game"]
        self.seed: Final[str] = row["seed"]
        self.first: Final[int | None] = row["fixed_first"]
        self.bots: Final[list[str]] = row["bots"]
        self.scores: Final[list[int]] = row["scores"]
        self.winners: Final = [k for k in range(self.seats) if row["winners"] >> k & 1]
        self.actors: Final = row["actors"]
        self.actions: Final = row["actions"]

    def __repr__(self) -> str:
        return (
            f"RecordedGame({self.board!r}, seats={self.seats}, number={self.number}, "
            f"{len(self.actions)} actions, scores={self.scores})"
        )

    def replay(self, log: bool = False) -> State:
        """Play the game again. Raises `RecordError` if it doesn't end as it did."""
        setting = self.setting
        other = RecordError("other_rules_text", {"engine": setting.engine[:20]})
        state = setting.game.start(self.seed, self.first, log=log)
        moves = zip(self.actors.tolist(), self.actions.tolist(), strict=True)
        for place, (seat, number) in enumerate(moves, 1):
            try:
                state.apply(seat, setting.action(number))
            except (BranchlineError, IndexError) as error:
                if setting.engine != VERSION:
                    raise other from error
                raise RecordError("bad_action", {"number": place, "text": number}) from error
        if not state.over or state.outcome.scores != self.scores:
            if setting.engine != VERSION:
                raise other
            raise RecordError("diverged", {"hash": state.hash()})
        return state


class RecordsFile:
    """The games of a file, in order or by place. One row group at a time is in memory."""

    def __init__(self, path: str | Path) -> None:
        parquet, arrow = require("pyarrow.parquet"), require("pyarrow")
        try:
            self.file: Final = parquet.ParquetFile(path)
        except arrow.ArrowInvalid:
            raise LabError("not_records", {"path": str(path)}) from None
        except OSError as error:
            reason = error.strerror or str(error)
            raise LabError("file_unreadable", {"path": str(path), "reason": reason}) from None
        found = (self.file.schema_arrow.metadata or {}).get(METADATA.encode())
        header = msgspec.json.decode(found, type=Header) if found is not None else None
        if header is None or header.format != FORMAT:
            raise LabError("not_records", {"path": str(path)})
        self.settings: Final = {
            (setting.board.digest, setting.seats): PlayedSetting(setting, header.engine)
            for setting in header.settings
        }
        facts = self.file.metadata
        counts = (facts.row_group(k).num_rows for k in range(facts.num_row_groups))
        self.ends: Final = list(accumulate(counts))
        self.group: int = -1
        self.columns: dict[str, Any] = {}

    def __len__(self) -> int:
        return int(self.file.metadata.num_rows)

    def __getitem__(self, place: int) -> RecordedGame:
        """The game at a place, counted from 0."""
        if not 0 <= place < len(self):
            raise IndexError(f"no game {place}")
        group = bisect_right(self.ends, place)
        if group != self.group:
            table = self.file.read_row_group(group)
            columns = zip(table.column_names, table.columns, strict=True)
            self.columns = {name: column.combine_chunks() for name, column in columns}
            self.group = group
        row = place - (self.ends[group - 1] if group else 0)
        values = {
            name: column[row].values.to_numpy() if name in MOVES else column[row].as_py()
            for name, column in self.columns.items()
        }
        return RecordedGame(values, self.settings[values["digest"], values["seats"]])

    def __iter__(self) -> Iterator[RecordedGame]:
        return (self[place] for place in range(len(self)))

    def __enter__(self) -> RecordsFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()


def playback_from(path: str, place: int | None) -> Playback:
    """A game of a file, to look at. If the file has several, `place` says which."""
    with RecordsFile(path) as games:
        if place is None and len(games) == 1:
            place = 0
        if place is None or not 0 <= place < len(games):
            raise LabError(
                "which_game", {"path": path, "games": len(games), "last": len(games) - 1}
            )
        return playback_of(games[place].replay())
