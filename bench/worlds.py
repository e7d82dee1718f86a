"""Worlds from views, checked at every decision of many games, and how fast they are drawn.

One game in ten is played by planners, the others at random, which is wilder. At every decision the
view of a drawn world must be the view that it was drawn from; one world in a hundred is played to
its end.

    python bench/worlds.py --games 200
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import branchline
from branchline.bots.registry import make_bot
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.playout import playout
from branchline.engine.worlds import Worlds

PLAYED_ON = 100  # one world in so many
PLANNERS = 10  # one game in so many


def positions(
    game: branchline.Game, seed: str, planner: bool, rng: Rng
) -> Iterator[branchline.State]:
    state = game.start(seed)
    bots = [make_bot("planner" if planner else "random") for _ in range(game.seats)]
    for seat, bot in enumerate(bots):
        bot.start(game, seat, seed)
    while not state.over:
        yield state
        seat = state.to_act[rng.below(len(state.to_act))]
        state.apply(seat, bots[seat].decide(state.view(seat), 1.0))


def check(game: branchline.Game, games: int) -> tuple[int, int, int, float]:
    """Decisions, worlds with another view, worlds played on, worlds a second."""
    decisions = wrong = played = 0
    spent = 0.0
    rng = stream(seed_words("worlds"), 0, POLICY, 0)
    for number in range(games):
        for state in positions(game, f"worlds {number}", number % PLANNERS == 0, rng):
            for seat in state.to_act:
                view = state.view(seat)
                start = time.process_time()
                world = Worlds(view).draw(decisions)
                spent += time.process_time() - start
                decisions += 1
                seen = world.view(seat)
                wrong += bool(seen.news(view)) or seen.actions != view.actions
                if decisions % PLAYED_ON == 0:
                    playout(world, rng)
                    played += world.over
    return decisions, wrong, played, decisions / spent


def prepared(game: branchline.Game) -> float:
    """Worlds a second from one prepared sampler, in the middle of games."""
    rng = stream(seed_words("prepared"), 0, POLICY, 0)
    spent, drawn = 0.0, 0
    for state in positions(game, "prepared", False, rng):
        worlds = Worlds(state.view(state.to_act[0]))
        start = time.process_time()
        for seed in range(50):
            worlds.draw(seed)
        spent += time.process_time() - start
        drawn += 50
    return drawn / spent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--boards", nargs="*", default=branchline.builtin_boards())
    args = parser.parse_args()
    print("| board | seats | decisions | other view | played on | one a view/s | prepared/s |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name in args.boards:
        board = branchline.load_board(name)
        for seats in range(board.seats_min, board.seats_max + 1):
            game = branchline.Game(board, seats)
            decisions, wrong, played, single = check(game, args.games)
            row = f"| {name} | {seats} | {decisions:,} | {wrong} | {played:,} | {single:,.0f} |"
            print(f"{row} {prepared(game):,.0f} |", flush=True)
            if wrong:
                raise SystemExit("a world has another view")


if __name__ == "__main__":
    main()
