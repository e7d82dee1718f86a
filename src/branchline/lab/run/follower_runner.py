"""Games of followers in the planners' place: about as strong, and much quicker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchline.bots import make_bot
from branchline.bots.board_data import planner_weights
from branchline.bots.follower import Follower
from branchline.bots.planner import Planner
from branchline.bots.rollout import Rollout
from branchline.bots.self_play import play_to_the_end
from branchline.bots.style import Style
from branchline.engine.game import Game
from branchline.engine.state import State
from branchline.lab.errors import LabError
from branchline.lab.run.line_up import LineUp


class FollowerRunner:
    """Plays as `GameRunner` does, with a follower for each planner of the line-up."""

    def __init__(self, line_up: LineUp) -> None:
        self.game: Final = line_up.game()
        self.styles: Final = [style_of(self.game, name) for name in line_up.bots]
        self.followers: Final[dict[tuple[int, int], Follower]] = {}
        self.rollout: Final = Rollout(self.game, self.styles[0])

    def play(self, seed: str, seating: Sequence[int], bot_seeds: Sequence[str]) -> State:
        """Play a whole game; `seating` says which bot of the line-up sits at each seat.

        Followers leave nothing to chance: they need no seeds.
        """
        for seat, bot in enumerate(seating):
            self.rollout.followers[seat] = self.follower(bot, seat)
        return play_to_the_end(self.game, self.rollout, seed)

    def follower(self, bot: int, seat: int) -> Follower:
        """The follower of a bot at a seat, made once."""
        place = (bot, seat)
        if place not in self.followers:
            self.followers[place] = Follower(self.game, seat, self.styles[bot])
        return self.followers[place]


def style_of(game: Game, name: str) -> Style:
    """The weights that a planner has at this table."""
    bot = make_bot(name)
    if not isinstance(bot, Planner):
        raise LabError("not_a_planner", {"bot": name})
    tuned = planner_weights(game.board.id, game.seats)
    return Style({**tuned, **bot.given})
