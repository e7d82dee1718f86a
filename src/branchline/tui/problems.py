"""What can go wrong between a person and the command, and files that are opened with care."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from branchline.core.board import Board
from branchline.core.mapfile import (
    MapError,
    MapProblem,
    builtin_boards,
    load_board,
    overlay_target,
)
from branchline.engine.errors import BranchlineError, RecordError
from branchline.engine.game import Game
from branchline.engine.notation import read_game, write_game
from branchline.engine.playback import Playback, playback, playback_of
from branchline.engine.record import MAX_BYTES, Record, replay, rewind, text_of
from branchline.engine.state import State
from branchline.rules.parameters import check_rules
from branchline.tui.news import comment


class UserError(BranchlineError):
    """Something that a person asked for can't be done; the catalogue key is `errors.<code>`."""


def board_problem(error: MapError) -> UserError:
    """A board that can't be used, by the first of its problems."""
    others = len(error.problems) - 1
    code = "bad_board_more" if others else "bad_board"
    problem = error.problems[0]
    told = {"path": error.path, "file": shlex.quote(error.path), "problem": problem, "n": others}
    return UserError(code, told)


def check_files(name: str, overlays: Sequence[str] = ()) -> list[tuple[str, MapProblem]]:
    """Everything that is wrong with a board and its overlays, each with the file that is wrong.

    `name` is a board, or an overlay for one of the built-in boards. An overlay is checked only if
    all that comes before it is right.
    """
    try:
        target = overlay_target(name) if not overlays else None
    except MapError as error:  # it can't be read at all
        return [(error.path, problem) for problem in error.problems]
    if target is not None:
        if target not in builtin_boards():
            raise UserError("overlay_alone", {"path": name, "board": target[:80]})
        name, overlays = target, [name]
    for count in range(len(overlays) + 1):
        path = overlays[count - 1] if count else name
        try:
            found = check_rules(load_board(name, overlays[:count]))
        except MapError as error:
            path, found = error.path, error.problems
        if found:
            return [(path, problem) for problem in found]
    return []


def open_board(name: str, overlays: Sequence[str] = ()) -> Board:
    """A board that can be played; raises `UserError` with its first problem if it can't."""
    if name not in builtin_boards() and not name.endswith(".toml"):
        known = ", ".join(builtin_boards())
        raise UserError("unknown_board", {"name": name[:80], "known": known})
    try:
        board = load_board(name, overlays)
        problems = check_rules(board)
        if problems:
            raise MapError(name, problems)
    except MapError as error:
        raise board_problem(error) from None
    return board


def open_game(name: str, seats: int, overlays: Sequence[str] = ()) -> Game:
    """A game on a board that can be played."""
    return Game(open_board(name, overlays), seats)


def read_bytes(path: str) -> bytes:
    """The content of a file, if it is not larger than any record may be."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise file_problem("file_unreadable", path, error) from None
    if len(content) > MAX_BYTES:
        raise UserError("file_too_large", {"path": path, "most": MAX_BYTES})
    return content


def write_text(path: str, text: str) -> None:
    """Write a file, or say why it can't be written."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise file_problem("file_unwritable", path, error) from None


def load_state(path: str, board: str | None = None, overlays: Sequence[str] = ()) -> State:
    """A game from a JSON record or from the text notation, with its log.

    `board` names the board of a text whose board is not one of ours.
    """
    text = text_of(read_bytes(path))
    try:
        if is_json(text):
            return replay(Record.from_json(text), log=True)
        known = open_board(board, overlays) if board is not None else None
        game = Game(known, seats_of(text)) if known is not None else None
        state = read_game(text, game)
        return rewind(state, len(state.moves or ()), log=True)
    except MapError as error:
        raise board_problem(error) from None


def load_playback(path: str, board: str | None = None, overlays: Sequence[str] = ()) -> Playback:
    """A game to look at, as `load_state` finds it; a JSON record may be of an earlier version."""
    text = text_of(read_bytes(path))
    if not is_json(text):
        return playback_of(load_state(path, board, overlays))
    try:
        return playback(Record.from_json(text))
    except MapError as error:
        raise board_problem(error) from None


def is_json(text: str) -> bool:
    """Whether a record is in JSON, not in the text notation."""
    return text.lstrip().startswith("{")


def seats_of(text: str) -> int:
    """How many seats a text in the notation names."""
    for line in text.splitlines():
        key, _, rest = line.partition(" ")
        if key == "seats" and rest.strip().isdecimal() and len(rest) < 9:
            return int(rest)
    raise RecordError("not_a_record")


def save_state(state: State, path: str, lang: str) -> None:
    """Save a game: a JSON record if the name ends in `.json`, else the text notation."""
    if path.lower().endswith(".json"):
        write_text(path, state.record().to_json())
    else:
        write_text(path, write_game(state, comment(state.game, lang)))


def file_problem(code: str, path: str, error: OSError | ValueError) -> UserError:
    """A file that can't be read or written, with the system's reason."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UserError(code, {"path": path, "reason": reason})
