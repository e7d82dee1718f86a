"""Games in which all candidates of a decision are tried in the same worlds, to their ends.

A value has to tell which of a few actions is better. Positions of different games teach that badly:
who has claimed much by then is ahead for other reasons, too. Two candidates in one world differ by
nothing but the action, so the difference of their final scores is what the action brought.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

import msgspec

from branchline.bots.expert import Expert, SeatExpert
from branchline.bots.value import FEATURES, PositionValue
from branchline.core.rng import POLICY, seed_words, stream
from branchline.engine.game import Game
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.lab.run.line_up import LineUp

WORLDS: Final = 4  # for each decision
COLUMNS: Final = 1 + 2 * len(FEATURES)  # of a sample: the final score, then what is weighed


class SearchedGames(msgspec.Struct, frozen=True):
    """Games of experts with a value that is to be improved; item k is one of them."""

    line_up: LineUp
    seed: str
    weights: list[float]
    turns: int
    scale: float

    def begin(self) -> Callable[[int], bytes]:
        game = self.line_up.game()
        experts = [self.expert(game, seat) for seat in range(game.seats)]
        return lambda item: play_searched(game, experts, f"{self.seed}/searched/{item}").tobytes()

    def expert(self, game: Game, seat: int) -> SeatExpert:
        expert = SeatExpert(game, seat, self.seed, Expert(worlds=WORLDS))
        expert.search.value = PositionValue(game, self.weights)
        expert.search.turns = self.turns
        expert.search.scale = self.scale
        return expert


def play_searched(game: Game, experts: list[SeatExpert], seed: str) -> array[float]:
    """The samples of a game, less the mean of all candidates in the same world.

    Half of the decisions are the planner's, half are what did best: so positions come up to which a
    search leads.
    """
    out = array("d")
    rng = stream(seed_words(seed), 0, POLICY, 0)
    state = game.start(seed)
    decisions = 0
    while not state.over:
        seat = state.to_act[0]
        view = state.view(seat)
        expert = experts[seat]
        answer = expert.planner.decide(view)
        actions = expert.candidates(view, answer)
        if len(actions) > 1:
            best = try_all(expert, view, actions, f"{seed}/{decisions}", out)
            decisions += 1
            if rng.below(2):
                answer = best
        state.apply(seat, answer)
    return out


def try_all(
    expert: SeatExpert, view: View, actions: list[int], seed: str, out: array[float]
) -> int:
    """Try the candidates of a decision, and return the one that did best."""
    search, seat_search = expert.search, expert.seat_search
    seat_search.begin(view, actions, seed, 0.0, WORLDS)
    assert seat_search.drawn is not None
    for number in range(WORLDS):
        world = seat_search.drawn.draw(f"{seed}/{number}")
        search.plan_in(world)
        samples = [try_one(expert, world, k) for k in range(len(actions))]
        found = [sample for sample in samples if sample]
        if len(found) == len(samples):  # no candidate had come to the end before the cut
            means = [sum(column) / len(found) for column in zip(*found, strict=True)]
            for sample in found:
                out.extend([x - mean for x, mean in zip(sample, means, strict=True)])
    return max(search.candidates, key=lambda candidate: candidate.total).action


def try_one(expert: SeatExpert, world: State, number: int) -> list[float]:
    """Try a candidate: its features at the cut, again times the time left, and the final score."""
    search, value = expert.search, expert.search.value
    assert value is not None
    s = world.clone()
    candidate = search.candidates[number]
    search.play_on(candidate, s)
    candidate.add(1, search.worth(s), 0.0, 0.0)
    if s.over:
        return []
    width, seat = len(FEATURES), int(expert.seat)
    features = [value.features[k] for k in range(seat * width, (seat + 1) * width)]
    left = value.left
    search.rollout.play(s, 0)
    return [float(s.outcome.scores[seat]), *features, *(left * x for x in features)]
