"""Seconds of the processor per action of Catanatron's random games for two; prints JSON."""

from __future__ import annotations

import json
import sys
import time

from catanatron import Color, Game, RandomPlayer


def main() -> None:
    seconds = float(sys.argv[1])
    games, actions = 0, 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=games)
        game.play()
        actions += len(game.state.actions)
        games += 1
    print(json.dumps({"action": spent / actions, "game": spent / games}))


if __name__ == "__main__":
    main()
