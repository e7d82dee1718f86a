"""Makes drawings: `python -m branchline.drawing ID board.toml ...`; `--help` lists the options.

Each is written to `<id>.json` in a folder, by default the one of the built-in boards. What is
marked as fixed in the file that is there stays.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from branchline.core.mapfile import load_board
from branchline.drawing.drawings import FOLDER, fits, make_drawing, tuned_drawing
from branchline.drawing.file_format import read_drawing, write_drawing
from branchline.drawing.layout_check import check_drawing
from branchline.drawing.svg import draw_svg


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m branchline.drawing")
    parser.add_argument("boards", nargs="+", help="ids of boards, or map files")
    parser.add_argument("--into", type=Path, default=Path(str(FOLDER)), help="the folder")
    parser.add_argument("--afresh", action="store_true", help="forget the file that is there")
    parser.add_argument("--still", action="store_true", help="move no city and no name")
    parser.add_argument("--svg", action="store_true", help="write the picture as well")
    options = parser.parse_args()
    for name in options.boards:
        board = load_board(name)
        path: Path = options.into / f"{board.id}.json"
        before = None if options.afresh or not path.exists() else read_drawing(path.read_bytes())
        if before is not None and fits(before, board):
            drawing = tuned_drawing(board, before, options.still)
        else:
            drawing = make_drawing(board, thorough=True)
        path.write_text(write_drawing(drawing), encoding="utf-8")
        if options.svg:
            path.with_suffix(".svg").write_text(draw_svg(board, drawing), encoding="utf-8")
        problems = check_drawing(board, read_drawing(path.read_bytes()))
        print(f"{path}: {drawing.width:.0f} x {drawing.height:.0f}, {len(problems)} problems")
        for problem in problems:
            print("  ", *problem[:3], f"at {problem.x:.0f}, {problem.y:.0f}")


if __name__ == "__main__":
    main()
