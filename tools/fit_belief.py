"""How well worlds tell which tickets the rivals hold, on games of planners.

python tools/fit_belief.py                # the log loss on every board, even chances next to belief
python tools/fit_belief.py --fit          # tries other numbers, one after the other
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from math import exp, log

import branchline
from branchline.bots import belief as module
from branchline.bots.belief import Belief, chances
from branchline.bots.registry import make_bot
from branchline.engine.layout import HELD
from branchline.engine.worlds import Worlds

NUMBERS = {"laid": module.LAID, "network": module.NETWORK, "late": module.LATE}
TRIED = {
    "laid": (0.0, 3.0, 5.0, 6.0, 7.0, 8.0, 10.0),
    "network": (0.0, 0.5, 1.0, 1.5, 2.0, 3.0),
    "late": (-8.0, -6.0, -5.0, -4.0, -2.0, 0.0),
}


class Sample:
    """A position of a game: what a seat sees, and the truth."""

    def __init__(self, state: branchline.State, belief: Belief) -> None:
        seat, t = belief.seat, state.t
        self.seats, self.tickets, self.seat = state.game.seats, int(t.tickets), seat
        self.worlds = Worlds(state.view(seat))
        belief.read(state.view(seat))
        self.laid, self.network = list(belief.laid), list(belief.network)
        self.late = list(belief.late)
        self.holder = [int(state.d[t.ticket_at + k]) - HELD for k in range(t.tickets)]

    def weights(self, numbers: dict[str, float]) -> list[float]:
        found = []
        for at, laid in enumerate(self.laid):
            score = numbers["laid"] * laid + numbers["network"] * self.network[at]
            score += numbers["late"] * self.late[at % self.tickets]
            found.append(exp(score))
        return found

    def loss(self, weights: list[float] | None, worlds: int) -> tuple[float, int]:
        """The summed log loss of all that is unknown, and how many tickets and rivals that is."""
        self.worlds.weigh(weights)
        found = chances(self.worlds, worlds)
        total, count = 0.0, 0
        for ticket in range(self.tickets):
            if self.worlds.knows(ticket):
                continue
            for rival in range(self.seats):
                if rival != self.seat:
                    p = (found[rival * self.tickets + ticket] * worlds + 0.5) / (worlds + 1)
                    total -= log(p if self.holder[ticket] == rival else 1 - p)
                    count += 1
        return total, count


def samples(board: str, seats: int, games: int, each: int, seed: str) -> Iterator[Sample]:
    """Positions from games of planners, some of each."""
    game = branchline.Game(board, seats)
    beliefs = [Belief(game, seat) for seat in range(seats)]
    for number in range(games):
        deal = f"{seed} {number}"
        rng = random.Random(f"{board} {seats} {deal}")
        state = game.start(deal)
        bots = [make_bot("planner-1") for _ in range(seats)]
        for seat, bot in enumerate(bots):
            bot.start(game, seat, deal)
        found = []
        while not state.over:
            seat = state.to_act[0]
            view = state.view(seat)
            if state.phase == "turn":
                found.append((state.clone(), seat))
            state.apply(seat, bots[seat].decide(view, 1.0))
        for position, seat in rng.sample(found, min(each, len(found))):
            yield Sample(position, beliefs[seat])


def mean_loss(found: Sequence[Sample], numbers: dict[str, float] | None, worlds: int) -> float:
    total, count = 0.0, 0
    for sample in found:
        loss, n = sample.loss(sample.weights(numbers) if numbers else None, worlds)
        total, count = total + loss, count + n
    return total / count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--boards", nargs="*", default=branchline.builtin_boards())
    parser.add_argument("--seats", nargs="*", type=int, default=[2, 3])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--seed", default="belief")
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    groups = {}
    for board in args.boards:
        for seats in args.seats:
            groups[board, seats] = list(samples(board, seats, args.games, args.each, args.seed))
    even = {key: mean_loss(found, None, args.worlds) for key, found in groups.items()}

    def gain(numbers: dict[str, float]) -> float:
        """The mean share of the log loss that the numbers take away."""
        losses = {key: mean_loss(found, numbers, args.worlds) for key, found in groups.items()}
        return sum(1 - losses[key] / even[key] for key in groups) / len(groups)

    numbers = dict(NUMBERS)
    if args.fit:
        best = gain(numbers)
        for _ in range(2):
            for name, values in TRIED.items():
                for value in values:
                    trial = numbers | {name: value}
                    found = gain(trial)
                    print(f"{name} {value:5.1f}: {found:.4f}", flush=True)
                    if found > best:
                        best, numbers = found, trial
        print(numbers, best)
    print("| board | seats | even | belief |")
    print("|---|--:|--:|--:|")
    for (board, seats), found in groups.items():
        loss = mean_loss(found, numbers, args.worlds)
        print(f"| {board} | {seats} | {even[board, seats]:.3f} | {loss:.3f} |", flush=True)


if __name__ == "__main__":
    main()
