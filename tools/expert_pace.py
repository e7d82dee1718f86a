"""How much the expert does in a second of processor time, on every board.

python tools/expert_pace.py            # the tables for src/branchline/maps/bots
python tools/expert_pace.py usa:2      # of one board and number of seats

The expert counts its time as work, so that it answers alike on every machine. What a second is
worth differs from board to board: each has a table `[search.SEATS]` with `work_per_second`.
"""

from __future__ import annotations

import sys
import time

from branchline import Game
from branchline.bots import make_bot
from branchline.bots.expert import Expert
from branchline.core.mapfile import builtin_boards, load_board

WORLDS = 10  # for each decision
EVERY = 4  # decisions of a game, one is searched
GAMES = 2


def pace(board: str, seats: int) -> float:
    """The work of a second, over decisions of all parts of some games of planners."""
    game = Game(board, seats)
    expert = Expert(worlds=WORLDS)
    work, seconds, decisions = 0.0, 0.0, 0
    for number in range(GAMES):
        state = game.start(f"pace/{number}")
        planners = [make_bot("planner") for _ in range(seats)]
        for seat, planner in enumerate(planners):
            planner.start(game, seat, number)
        expert.start(game, 0, number)
        assert expert.seat_expert is not None
        search = expert.seat_expert.seat_search
        while not state.over:
            seat = state.to_act[0]
            view = state.view(seat)
            if seat == 0 and len(view.actions) > 1:
                decisions += 1
                if decisions % EVERY == 0:
                    search.count, search.before = 0, search.search.rollout.work()
                    began = time.process_time()
                    expert.decide(view, 600.0)
                    seconds += time.process_time() - began
                    work += float(search.worked())
            state.apply(seat, planners[seat].decide(view, 600.0))
    return work / seconds


def main() -> None:
    tables = [f"{b}:{n}" for b in builtin_boards() for n in range(2, load_board(b).seats_max + 1)]
    for table in sys.argv[1:] or tables:
        board, seats = table.split(":")
        found = 1000 * round(pace(board, int(seats)) / 1000)
        print(f"# {board}\n[search.{seats}]\nwork_per_second = {found}\n", flush=True)


if __name__ == "__main__":
    main()
