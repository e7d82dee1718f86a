"""The choice of which offered tickets to keep, shared by the rules that offer tickets."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64
from branchline.engine.facts import Action, Values
from branchline.engine.game import Game
from branchline.engine.rule import Refusal, Rule
from branchline.engine.state import State

KEEP: Final = 0  # the kind of action


def ones(x: i64) -> i64:
    """How many bits are set."""
    n: i64 = 0
    while x:
        x &= x - 1
        n += 1
    return n


class Choice:
    """The numbered choices of which offered tickets to keep, shared by the rules that need them.

    A choice is a set of offered tickets, each known by its place among them in ascending order.
    """

    def __init__(self, rule: Rule, game: Game, most: i64) -> None:
        self.most: Final = most
        self.base: Final[i64] = game.add_actions(rule, KEEP, (1 << most) - 1) - 1

    def put(self, s: State, offered: i64, least: i64, exact: bool) -> None:
        """Put every choice of at least (or exactly) `least` of the offered tickets."""
        mask: i64 = 1
        end: i64 = 1 << offered
        while mask < end:
            n: i64 = ones(mask)
            if n == least or (n > least and not exact):
                s.put(self.base + mask)
            mask += 1

    def mask(self, action: i64) -> i64:
        return action - self.base

    def places(self, action: i64) -> list[int]:
        """The places of the tickets that a choice keeps, counted from 0."""
        mask = self.mask(action)
        return [k for k in range(self.most) if mask >> k & 1]

    def facts(self, action: i64, notation: str, offered: list[int] | None) -> Action:
        """A choice as a value; with the offered tickets, which of them it keeps."""
        places = self.places(action)
        values: Values = {"places": places}
        if offered is not None:
            values["tickets"] = [offered[k] for k in places if k < len(offered)]
        return Action(action, "keep", notation, values)

    def write(self, action: i64) -> str:
        return "keep " + " ".join([str(k + 1) for k in self.places(action)])

    def why_not(
        self, action: i64, offered: i64, least: i64, cite: str, exact: bool = False
    ) -> Refusal:
        if self.mask(action) >= 1 << offered:
            return Refusal(cite, "ticket_not_offered", {"offered": offered})
        reason = "keep_wrong_number" if exact else "keep_too_few"
        return Refusal(cite, reason, {"least": least, "offered": offered})
