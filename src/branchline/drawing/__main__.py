"""Makes drawings anew: `python -m branchline.drawing usa board.toml ... [--afresh] [--into DIR]`.

Each is written to `<id>.json` in the folder, where what is marked as fixed is kept.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from branchline.core.mapfile import load_board
from branchline.drawing.check import check_drawing
from branchline.drawing.format import read_drawing, write_drawing
from branchline.drawing.store import FOLDER, make_drawing


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m branchline.drawing")
    parser.add_argument("boards", nargs="+", help="ids of boards, or map files")
    parser.add_argument("--afresh", action="store_true", help="begin from the true map")
    parser.add_argument("--into", type=Path, default=Path(str(FOLDER)), help="the folder")
    options = parser.parse_args()
    for name in options.boards:
        board = load_board(name)
        path: Path = options.into / f"{board.id}.json"
        before = None if options.afresh or not path.exists() else read_drawing(path.read_bytes())
        drawing = make_drawing(board, before)
        path.write_text(write_drawing(drawing), encoding="utf-8")
        problems = check_drawing(board, read_drawing(path.read_bytes()))
        print(f"{path}: {drawing.width:.0f} x {drawing.height:.0f}, {len(problems)} problems")
        for problem in problems:
            print("  ", *problem[:3], f"at {problem.x:.0f}, {problem.y:.0f}")


if __name__ == "__main__":
    main()
