"""Lets two bots meet in the arena, and says how sure the result is.

`python examples/compare_bots.py [BOT] [BOT] [BOARD] [BLOCKS]`

Needs `pip install "branchline[lab]"`.
"""

import sys

from branchline.lab.arena import contest
from branchline.lab.arena.standings import analyse
from branchline.lab.run.line_up import make_line_up, open_board


def main(
    first: str = "paths", second: str = "greedy", board: str = "new_york", blocks: str = "25"
) -> None:
    line_up = make_line_up(open_board(board), 2, [first, second])
    plan = contest.Contest(line_up, int(blocks), seed="1")
    result = analyse(plan, contest.run(plan, "en", processes=1))
    for bot in result.standings:
        wins = bot.wins
        print(f"{bot.bot} wins {wins.value:.1%} ({wins.low:.1%} to {wins.high:.1%})")
    print(f"{result.games} games in {result.blocks} blocks of equal deals")


if __name__ == "__main__":  # several processes would start from here
    main(*sys.argv[1:])
