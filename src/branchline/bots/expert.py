"""The expert: tries the planner's best actions in many worlds, and takes what does best there.

Worlds are full states that fit its view, made from the view alone. In each of them every candidate
is tried, and followers play on for all seats, for some turns and then by the value of the position,
or to the end where the board is small or has no value yet. See `docs/bots.md`.
"""

from __future__ import annotations

import time
from math import inf
from typing import Final

from branchline.bots.board_data import planner_weights
from branchline.bots.planner import RULED_OUT, SeatPlanner
from branchline.bots.search_helper import Helper
from branchline.bots.seat_search import SeatSearch
from branchline.bots.style import Style
from branchline.core.machine import i64
from branchline.core.rng import Rng
from branchline.engine.flow import TURN
from branchline.engine.game import Game
from branchline.engine.view import View

CHOICES: Final = 12  # of tickets, or of what a board's rules ask
TICKET_CAUTION: Final = 2.0  # rollouts are too sure of tickets that nobody has seen yet
TICKET_EFFORT: Final = 0.5  # work on choices of tickets takes longer than other work
STRETCHES: Final = 16  # in which the work is done: after each it may be clear that this is enough
DROPS: Final = (2, 4, 8)  # the stretches after which the worse half is dropped
LEAST_WORLDS: Final = 4  # before anything is dropped; each time twice as many
RESERVE: Final = 0.9  # of the time that it may take: then it answers at once
HASH: Final = 0xFFFFFFFF


class Expert:
    """A player that searches.

    `seconds` is how much it thinks about a decision, in seconds of a usual processor; `worlds` is a
    fixed number of worlds instead. With several `processes`, each thinks for these seconds, or they
    share the worlds. It never takes longer than it may, whatever these say. In a turn it tries so
    many `candidates`, and drawing tickets.
    """

    def __init__(
        self,
        seconds: float = 0.2,
        worlds: int = 0,
        caution: float = 1.0,
        processes: int = 1,
        candidates: int = 6,
    ) -> None:
        if seconds <= 0.0 or worlds < 0 or processes < 1 or candidates < 1:
            raise ValueError("seconds > 0, worlds >= 0, processes >= 1, candidates >= 1")
        self.seconds: Final = float(seconds)
        self.worlds: Final = worlds
        self.caution: Final = float(caution)
        self.processes: Final = processes
        self.candidates: Final = candidates
        self.seat_expert: SeatExpert | None = None

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.close()
        self.seat_expert = SeatExpert(game, seat, str(seed), self)

    def decide(self, view: View, seconds: float) -> int:
        """One of the view's actions."""
        assert self.seat_expert is not None
        return self.seat_expert.decide(view, min(self.seconds, seconds), seconds)

    @property
    def values(self) -> list[float]:
        """How well each action of the last view did, from 0 (lost) to 1; −∞: not tried.

        Where there was nothing to search, they are the planner's, in points.
        """
        assert self.seat_expert is not None
        return self.seat_expert.values

    def processor_seconds(self) -> float:
        """The processor time of its other processes so far."""
        assert self.seat_expert is not None
        return sum([helper.processor_seconds for helper in self.seat_expert.helpers])

    def finish(self, view: View) -> None:
        """The processes end; there is nothing else to keep."""
        self.close()

    def close(self) -> None:
        if self.seat_expert is not None:
            self.seat_expert.close()


class SeatExpert:
    """The expert at one seat of one game. It keeps nothing between decisions."""

    def __init__(self, game: Game, seat: i64, seed: str, options: Expert) -> None:
        self.game: Final = game
        self.seat: Final[i64] = seat
        self.seed: Final = seed
        self.options: Final = options
        style = Style(planner_weights(game.board.id, game.seats))
        self.planner: Final = SeatPlanner(game, seat, style, Rng(0, 0, 0, 0))
        self.seat_search: Final = SeatSearch(game, seat, 0, options.processes)
        self.search: Final = self.seat_search.search
        self.search.caution = options.caution
        self.helpers: list[Helper] = []
        for number in range(1, options.processes):
            self.helpers.append(Helper(game, seat, number, options.processes))
        for helper in self.helpers:
            helper.found()  # it is ready: what it does from now on takes no longer than it should
        self.values: list[float] = []

    def close(self) -> None:
        """End the processes that help."""
        for helper in self.helpers:
            helper.close()
        self.helpers = []

    def decide(self, view: View, effort: float, limit: float) -> int:
        began = time.perf_counter()
        answer = self.planner.decide(view)
        self.values = [worth if worth > RULED_OUT else -inf for worth in self.planner.values]
        actions = self.candidates(view, answer)
        if len(actions) < 2:
            return answer
        if not self.in_turn():
            effort *= TICKET_EFFORT
        self.run(view, actions, effort, began + RESERVE * limit)
        tried = {c.action: c.mean() for c in self.search.candidates if c.worlds > 0}
        if tried:
            self.values = [tried.get(action, -inf) for action in view.actions]
        return self.search.best()

    def in_turn(self) -> bool:
        """Whether the decision is how to begin a turn or which card to draw."""
        o = self.planner.observation
        return o.phase == TURN or o.phase == o.draw.phase

    def candidates(self, view: View, answer: int) -> list[int]:
        """What is tried, the planner's answer first; alone if there is nothing to search."""
        actions = view.actions
        if len(actions) < 2:
            return [answer]
        o = self.planner.observation
        if o.phase == o.claims.sub_phase:
            return [answer]
        if o.phase == o.claims.pay_phase and not self.game.overpay_rules:
            return [answer]
        worth = self.planner.values
        order = sorted(range(len(actions)), key=lambda k: (-worth[k], k))
        most = self.options.candidates if self.in_turn() else CHOICES
        found = [answer]
        for k in order:
            if len(found) < most and actions[k] != answer:
                found.append(actions[k])
        draw = o.draw_tickets.action
        if draw in actions and draw not in found:
            found.append(draw)
        return found

    def run(self, view: View, actions: list[int], effort: float, end: float) -> None:
        """Try the candidates, until the work is done, the answer is clear or time is up."""
        search = self.search
        name = f"{self.seed}/{fingerprint(view)}"
        for helper in self.helpers:
            helper.begin(view, actions, name, effort, self.options.worlds)
        self.seat_search.begin(view, actions, name, effort, self.options.worlds)
        for candidate in search.candidates:
            if candidate.action == self.planner.observation.draw_tickets.action:
                candidate.caution = TICKET_CAUTION
        drops = 0
        for stretch in range(1, STRETCHES + 1):
            self.try_worlds(float(stretch) / float(STRETCHES), end)
            if time.perf_counter() > end:
                return
            worlds = search.candidates[0].worlds
            if worlds < LEAST_WORLDS:
                continue
            search.drop_hopeless()
            if search.settled():
                return
            due = drops < len(DROPS) and stretch >= DROPS[drops]
            if due and worlds >= LEAST_WORLDS << drops:
                drops += 1
                search.drop_worse()

    def try_worlds(self, share: float, end: float) -> None:
        """Go on until this share of the work is done, in all processes."""
        if self.helpers:
            live = [candidate.live for candidate in self.search.candidates]
            for helper in self.helpers:
                helper.go_on(live, share, end)
        self.seat_search.go_on(share, end)
        for helper in self.helpers:
            self.seat_search.add(helper.found())


def fingerprint(view: View) -> int:
    """A number for what a view holds: the same view is thought about in the same worlds."""
    mark: i64 = 0x811C9DC5
    data = view.data
    k: i64 = 0
    n: i64 = len(data)
    while k < n:
        mark = ((mark ^ data[k]) * 0x01000193) & HASH
        k += 1
    return mark
