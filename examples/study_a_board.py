"""Finds out which tickets of a board are worth holding.

`python examples/study_a_board.py [BOARD] [GAMES]`

Needs `pip install "branchline[lab]"`.
"""

import sys

from branchline.lab.run.line_up import make_line_up, open_board
from branchline.lab.study import survey
from branchline.lab.study.analysis import analyse


def main(name: str = "new_york", games: str = "40") -> None:
    board = open_board(name)
    line_up = make_line_up(board, 2, ["planner", "paths"])
    plan = survey.Survey(line_up, int(games), seed="1")
    result = analyse(plan, board, survey.run(plan, "en", processes=1))
    print(f"{board.named('en')}: {result.games} games, {result.score:.1f} points on average")
    for ticket in sorted(result.tickets, key=lambda use: -use.gained.value):
        print(
            f"{board.ticket_name(ticket.ticket):40} {ticket.points:2} points, "
            f"held in {ticket.held.value:4.0%} of the games, brought {ticket.gained.value:+.1f}"
        )


if __name__ == "__main__":  # several processes would start from here
    main(*sys.argv[1:])
