"""Plays a game between two bots and tells what happens, as a spectator sees it.

`python examples/play_a_game.py [BOARD] [SEED]`
"""

import sys

import branchline
from branchline.bots import make_bot
from branchline.bots.session import Session
from branchline.engine.describe import Words
from branchline.engine.events import NOBODY


def main(board: str = "new_york", seed: str = "7") -> None:
    game = branchline.Game(board, seats=2)
    state = game.start(seed, log=True)
    players = [Session(make_bot("planner"), game, seat, f"{seed}/{seat}") for seat in range(2)]
    words = Words(game, "en", viewer=NOBODY)
    told = 0
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, players[seat].decide(state.view(seat), seconds=1.0))
        for event in state.events[told:]:
            if text := words.event(event):
                print(text)
        told = len(state.events)
    for seat, score in enumerate(state.outcome.scores):
        print(f"{words.name(seat)}: {score} points")
        for line in state.outcome.lines[seat]:
            print(f"  {line.points:+3d}  {words.score_line(line)} ({line.rule})")


if __name__ == "__main__":
    main(*sys.argv[1:])
