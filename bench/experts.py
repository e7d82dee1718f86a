"""Full games of experts on every board and number of seats: errors, late answers, memory, honesty.

At every decision an expert gets its view. At one decision in `--twice` it is asked again, with the
view of another state that fits what its seat knows; it has to answer alike, and so its strength
can't depend on the true state. It is not asked again where the clock, on a busy machine, may have
cut its thinking short. Game k has the seed k and the board and seats that come k-th.

    python bench/experts.py --games 1000                # prints a line for every 20 games
    python bench/experts.py --games 500 --first 500     # goes on after the first 500
"""

from __future__ import annotations

import argparse
import resource
import time
from itertools import islice

import branchline
from branchline.bots.expert import RESERVE, Expert
from branchline.bots.session import play

LIMIT = 1.0  # seconds that an answer may take
LATE = 1.1  # of the limit
EVERY = 20  # games, a line is printed


class Watched:
    """An expert whose answers are timed and asked for twice."""

    def __init__(self, seconds: float, twice: int) -> None:
        self.bot = Expert(seconds=seconds)
        self.twice = twice
        self.seat = 0
        self.decisions = self.late = self.compared = self.other = 0
        self.slowest = 0.0

    def start(self, game: branchline.Game, seat: int, seed: int | str) -> None:
        self.seat = seat
        self.bot.start(game, seat, seed)

    def decide(self, view: branchline.View, seconds: float) -> int:
        began, clock = time.process_time(), time.perf_counter()
        answer = self.bot.decide(view, seconds)
        spent, waited = time.process_time() - began, time.perf_counter() - clock
        self.decisions += 1
        self.slowest = max(self.slowest, spent)
        self.late += spent > LATE * seconds
        if self.decisions % self.twice == 0 and waited < RESERVE * seconds:
            self.compared += 1
            same = view.world(self.decisions).view(self.seat)
            self.other += self.bot.decide(same, 60.0) != answer
        return answer

    def finish(self, view: branchline.View) -> None:
        self.bot.finish(view)


def memory() -> float:
    """The largest size of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.02)
    parser.add_argument("--twice", type=int, default=10)
    args = parser.parse_args()
    boards = [branchline.load_board(name) for name in branchline.builtin_boards()]
    games = [branchline.Game(b, n) for b in boards for n in range(b.seats_min, b.seats_max + 1)]
    bots = [Watched(args.seconds, args.twice) for _ in range(max(game.seats for game in games))]
    print("| games | decisions | late | slowest s | asked twice | other answer | MiB | s a game |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    numbers = iter(range(args.first, args.first + args.games))
    done = 0
    while chunk := list(islice(numbers, EVERY)):
        for number in chunk:
            game = games[number % len(games)]
            state = game.start(f"experts/{number}")
            seated = bots[: game.seats]
            play(state, seated, [f"{number}/{seat}" for seat in range(game.seats)], LIMIT)
            assert state.over
        done += len(chunk)
        decisions, late, compared, other = (
            sum(getattr(bot, name) for bot in bots)
            for name in ("decisions", "late", "compared", "other")
        )
        slowest = max(bot.slowest for bot in bots)
        row = (done, decisions, late, f"{slowest:.3f}", compared, other, f"{memory():.0f}")
        print(f"| {' | '.join(map(str, row))} | {time.process_time() / done:.2f} |", flush=True)


if __name__ == "__main__":
    main()
