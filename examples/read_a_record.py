"""Saves the record of a game, reads it again, replays it and looks into a position.

`python examples/read_a_record.py [FILE]`: with a file, that record is read.
"""

import sys
import tempfile
from pathlib import Path

import branchline
from branchline.bots import make_bot
from branchline.bots.session import play
from branchline.engine.playback import playback


def save_a_game(path: Path) -> None:
    state = branchline.Game("new_york", seats=2).start(seed="7", log=True)
    play(state, [make_bot("paths"), make_bot("greedy")], seeds=["a", "b"], seconds=1.0)
    path.write_text(state.record().to_json(), encoding="utf-8")


def main(file: str = "") -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(file) if file else Path(folder) / "game.json"
        if not file:
            save_a_game(path)
        record = branchline.Record.from_json(path.read_text(encoding="utf-8"))
    print(f"{record.board.id}, {record.seats} seats, seed {record.seed}")
    print(f"{len(record.actions)} actions, {len(record.events)} events")
    state = branchline.replay(record)
    print(f"scores {state.outcome.scores}, winners {state.outcome.winners}")
    for seat, action in record.actions[:6]:
        print(f"  seat {seat}: {action}")
    middle = playback(record).position(len(record.actions) // 2)
    print(f"halfway, seat 0 holds {sum(middle.view(0).hand)} cards")


if __name__ == "__main__":
    main(*sys.argv[1:])
