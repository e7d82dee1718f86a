"""One sample of every measurement, in a process of its own; prints JSON.

Runs against whatever `branchline` it finds: the installed one, plain Python (BRANCHLINE_PURE=1), or
another revision's (PYTHONPATH). Times are seconds of the processor per unit, so that other work on
the machine counts less; only processes that play at the same time are timed by the wall clock.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import time
from collections.abc import Callable

import branchline
from branchline._plain import compiled
from branchline.core.rng import Rng
from branchline.engine.playout import play_many


def settings(only_two: bool) -> list[tuple[str, int]]:
    """Every board with every seat count, or with two seats only."""
    found = []
    for board in branchline.builtin_boards():
        facts = branchline.load_board(board)
        most = 2 if only_two else facts.seats_max
        found += [(board, seats) for seats in range(facts.seats_min, most + 1)]
    return found


def calibration() -> float:
    """A fixed piece of plain Python, to compare runs on machines or days of different speed."""
    start = time.process_time()
    table = list(range(64))
    x = 1
    for k in range(200_000):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        table[k & 63] = table[x & 63] ^ k
    return time.process_time() - start


def playouts(
    game: branchline.Game,
    seconds: float,
    seed: str,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, float]:
    """Random games in compiled code, the full legal list at every step."""
    play_many(game, 1, "warm")
    games, actions, batch = 0, 0, 1
    start = clock()
    while (spent := clock() - start) < seconds:
        done = play_many(game, batch, seed, games)
        games += batch
        actions += sum(done.actions)
        batch = min(2 * batch, 64)
    return {"action": spent / actions, "game": spent / games}


def driven(game: branchline.Game, seconds: float) -> dict[str, float]:
    """Random games driven from Python, one action at a time, the full legal list at every step."""
    rng = Rng(1, 2, 3, 4)
    games, actions = 0, 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        state = game.start(games)
        while not state.over:
            seat = state.to_act[0]
            legal = state.legal(seat)
            state.apply(seat, legal[rng.below(len(legal))])
            actions += 1
        games += 1
    return {"action": spent / actions, "game": spent / games}


def each(call: Callable[[], object], times: int) -> float:
    """Seconds per call, without the garbage collector's share."""
    gc.disable()
    start = time.process_time()
    for _ in range(times):
        call()
    spent = time.process_time() - start
    gc.enable()
    return spent / times


def middle(game: branchline.Game) -> branchline.State:
    """A position from the middle of a game."""
    state = game.start("middle")
    for k in range(60):
        seat = state.to_act[0]
        legal = state.legal(seat)
        state.apply(seat, legal[k % len(legal)])
    return state


def operations(game: branchline.Game, scale: int) -> dict[str, float]:
    """Single operations on a position of the middle game."""
    state = middle(game)
    seat = state.to_act[0]
    return {
        "clone": each(state.clone, 2000 * scale),
        "view": each(lambda: state.view(seat), 500 * scale),
        "resample": each(lambda: state.resample(seat, 1), 50 * scale),
        "pack": each(state.to_bytes, 50 * scale),
        "bytes": len(state.to_bytes()),
    }


def memory(game: branchline.Game) -> float:
    """Bytes that a state takes, from the growth of the process with many of them."""
    state = middle(game)
    kept = [state.clone() for _ in range(1000)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kept += [state.clone() for _ in range(20_000)]
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (after - before) * 1024 / 20_000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--what", choices=["all", "two", "one-game", "memory"], default="all")
    parser.add_argument("--seconds", type=float, default=0.15)
    parser.add_argument("--round", default="0")
    args = parser.parse_args()
    out: dict[str, object] = {"compiled": compiled()}
    if args.what == "one-game":
        usa = branchline.Game("usa", 2)
        out["playout"] = playouts(usa, args.seconds, args.round, time.perf_counter)
    elif args.what == "memory":
        out["memory"] = memory(branchline.Game("iberia", 5))
    else:
        out["calibration"] = calibration()
        out["boards"] = {
            f"{board} {seats}": {
                "playout": playouts(branchline.Game(board, seats), args.seconds, args.round),
                "driven": driven(branchline.Game(board, seats), args.seconds),
            }
            for board, seats in settings(args.what == "two")
        }
        largest = branchline.Game("iberia", 5)
        out["operations"] = operations(largest, 10 if compiled() else 1)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
