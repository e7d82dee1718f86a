"""The text notation: a game as lines that people can read, write and replay.

A game begins with its setting, one `key value` a line. Then each action is a line of its own: the
seat and what it does. `;` starts a comment. `docs/notation.md` has every form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from branchline._version import VERSION
from branchline.core.mapfile import builtin_boards, load_board
from branchline.engine.errors import NotationError, RecordError, StateError
from branchline.engine.events import Event
from branchline.engine.game import Game
from branchline.engine.layout import MAX_SEATS
from branchline.engine.state import State

FORMAT: Final = 1
MAX_LINES: Final = 100_000
SEATS: Final = [str(k) for k in range(MAX_SEATS + 1)]


def parse_action(game: Game, text: str) -> int:
    """The number of an action from its text.

    >>> game = Game("usa", seats=2)
    >>> game.action_text(parse_action(game, "claim atlanta-miami blue"))
    'claim atlanta-miami blue'
    """
    if not game.texts:
        for action in range(len(game.action_rules)):
            game.texts[game.action_text(action)] = action
    found = game.texts.get(" ".join(text.split()).lower())
    if found is None:
        raise NotationError("unknown_action_text", {"text": text[:80], "board": game.board.id})
    return found


def write_game(state: State, comment: Callable[[State, Event], str] | None = None) -> str:
    """The game so far in the notation.

    `comment` turns the events that an action led to into words, which stand behind it.
    """
    if state.moves is None or state.seed is None:
        raise StateError("no_moves")
    game = state.game
    lines = [
        f"branchline {FORMAT}",
        f"engine {VERSION}",
        f"board {game.board.id} {game.board.digest[:16]}",
        f"seats {game.seats}",
        f"seed {state.seed}",
    ]
    if state.first is not None:
        lines.append(f"first {state.first}")
    lines.append("")
    shadow = game.start(state.seed, state.first, log=comment is not None)
    for move in state.moves:
        seat, action = move & 7, move >> 3
        before = len(shadow.events) if comment is not None else 0
        shadow.apply(seat, action)
        line = f"{seat} {game.action_text(action)}"
        if comment is not None:
            words = [comment(shadow, event) for event in shadow.events[before:]]
            said = "; ".join([w for w in words if w])
            line = f"{line:<40} ; {said}" if said else line
        lines.append(line)
    lines += ["", f"hash {shadow.hash()}"]
    return "\n".join(lines) + "\n"


def read_game(text: str, game: Game | None = None) -> State:
    """The state after all actions of a game in the notation.

    The board is looked up by its name unless a `game` is given. Raises `NotationError` or
    `RecordError` with the line that is wrong.
    """
    setting: dict[str, str] = {}
    moves: list[tuple[int, int, str]] = []
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > MAX_LINES:
        raise RecordError("record_too_long", {"lines": len(lines), "most": MAX_LINES})
    for number, raw in enumerate(lines, 1):
        line = raw.split(";", 1)[0].strip()
        if not line:
            continue
        key, _, rest = line.partition(" ")
        if key in SEATS:
            moves.append((number, int(key), rest))
        elif key in ("branchline", "engine", "board", "seats", "seed", "first", "hash"):
            setting[key] = rest.strip()
        else:
            raise NotationError("unknown_line", {"line": number, "text": line[:80]})
    if setting.get("branchline") != str(FORMAT):
        raise RecordError("not_a_record")
    game = game if game is not None else _game_of(setting)
    board = setting.get("board", "").split()
    engine = setting.get("engine", VERSION)
    if len(board) > 1 and not game.board.digest.startswith(board[1]):
        if any(digest.startswith(board[1]) for digest in game.board.earlier):
            raise RecordError("other_rules_text", {"engine": engine[:20]})
        raise RecordError("foreign_board", {"board": game.board.id})
    first = setting.get("first")
    if not setting.get("seed") or (first is not None and first not in SEATS):
        raise RecordError("not_a_record")
    state = game.start(setting["seed"], int(first) if first is not None else None)
    for number, seat, said in moves:
        action = parse_action(game, said)
        if not state.allows(seat, action):
            if engine != VERSION:
                raise RecordError("other_rules_text", {"engine": engine[:20]})
            raise NotationError("illegal_line", {"line": number, "text": said[:80]})
        state.apply(seat, action)
    # The hash covers the inner layout, so it is compared within one version only.
    if engine == VERSION and "hash" in setting and setting["hash"] != state.hash():
        raise RecordError("diverged", {"hash": state.hash()})
    return state


def _game_of(setting: dict[str, str]) -> Game:
    board = setting.get("board", "").split()
    seats = setting.get("seats", "")
    if not board or seats not in SEATS:
        raise RecordError("not_a_record")
    if board[0] not in builtin_boards():
        raise RecordError("foreign_board", {"board": board[0][:80]})
    return Game(load_board(board[0]), int(seats))
