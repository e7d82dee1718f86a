"""PettingZoo's faces of a game: one agent after the other (AEC), or all at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from branchline.engine.game import Game
from branchline.engine.record import Record
from branchline.env.batch import Observe, Reward
from branchline.env.errors import EnvError
from branchline.env.one_game import RENDER, OneGame, not_a_number
from branchline.env.spaces import masked_space

Observation = dict[str, NDArray[Any]]


def aec(
    game: Game | str,
    seats: int = 2,
    *,
    bots: Sequence[str | None] = (),
    reward: Reward = "win",
    observe: Observe = "integers",
    seconds: float = 1.0,
    render_mode: str | None = None,
) -> BranchlineAEC:
    """A game for PettingZoo's agents, which act one after the other. The options are `Batch`'s.

    >>> from branchline.env import aec
    >>> env = aec("usa", seats=2)
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     over = termination or truncation
    ...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    """
    one = OneGame(game, seats, bots, reward, observe, seconds, render_mode)
    return BranchlineAEC(one, observe)


class BranchlineAEC(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """Agents `seat_0`, `seat_1` …, one for each seat that has no bot.

    An observation has the row of the seat (`observation`) and the actions that are allowed
    (`action_mask`, empty unless it is the agent's turn). Another action raises `IllegalAction`.

    Limits: decisions that seats take at the same time (opening tickets, drafts) are asked one after
    the other, the lowest seat first; what the others have chosen stays hidden until all have. Games
    end, they are never truncated. Rewards come at the end alone.
    """

    def __init__(self, one: OneGame, observe: Observe) -> None:
        super().__init__()
        name = f"branchline_{one.game.board.id}_v0"
        self.metadata = {"name": name, "render_modes": list(RENDER), "is_parallelizable": False}
        self.one: Final = one
        self.render_mode: Final = one.render_mode
        self._names: Final = [f"seat_{seat}" for seat in range(one.game.seats)]
        self._seat: Final = {name: seat for seat, name in enumerate(self._names)}
        self.possible_agents = [
            name for name, bot in zip(self._names, one.core.bots, strict=True) if not bot
        ]
        actions = one.game.actions
        self.observation_spaces = {
            name: masked_space(one.encoding, observe, actions) for name in self.possible_agents
        }
        self.action_spaces = {name: spaces.Discrete(actions) for name in self.possible_agents}
        self.agents: list[str] = []
        self.terminations: dict[str, bool] = {}
        self.agent_selection = ""
        # What every step needs, at hand.
        self._play: Final = one.core.play
        self._mask: Final = one.mask
        self._scale: Final = one.scale
        self._row: NDArray[Any] = one.rows[0]  # of the agent that is to act

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first of a new seed, or the next of the seed in use."""
        self.one.begin(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        seat = self.one.to_act[0]
        self.agent_selection = self._names[seat]
        self._row = self.one.rows[seat]

    def step(self, action: Any) -> None:
        """Take an action for the agent that is to act; `None` if its game is over."""
        over = self.terminations.get(self.agent_selection)
        if over is None:
            raise EnvError("not_reset")
        if over:
            self._was_dead_step(action)
            return
        try:
            seat = self._play(0, action)
        except TypeError:
            raise not_a_number(action) from None
        if seat < 0:
            for agent in self.agents:
                worth = float(self.one.rewards[self._seat[agent]])
                self.rewards[agent] = self._cumulative_rewards[agent] = worth
                self.terminations[agent] = True
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._names[seat]
            self._row = self.one.rows[seat]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        if agent == self.agent_selection and not self.terminations[agent]:
            row = self._row.copy() if self._scale is None else self._row * self._scale
            return {"observation": row, "action_mask": self._mask.copy()}
        row = self.one.observation_of(self._seat[agent])
        return {"observation": row, "action_mask": np.zeros(self.one.game.actions, np.int8)}

    def render(self) -> str | None:
        """The table as text; with the mode `human` it is printed."""
        return self.one.render()

    def close(self) -> None:
        """Nothing is open."""

    def record(self) -> Record:
        """The game so far, as data."""
        return self.one.record()


def parallel(
    game: Game | str,
    seats: int = 2,
    *,
    bots: Sequence[str | None] = (),
    reward: Reward = "win",
    observe: Observe = "integers",
    seconds: float = 1.0,
    render_mode: str | None = None,
) -> BranchlineParallel:
    """A game for PettingZoo's agents, which act at the same time. The options are `Batch`'s.

    >>> from branchline.env import parallel
    >>> env = parallel("iberia", seats=3)
    >>> observations, infos = env.reset(seed=7)
    >>> while env.agents:
    ...     actions = {
    ...         agent: env.action_space(agent).sample(observations[agent]["action_mask"])
    ...         for agent in env.agents
    ...     }
    ...     observations, rewards, terminations, truncations, infos = env.step(actions)
    >>> sum(rewards.values())
    1.0
    """
    one = OneGame(game, seats, bots, reward, observe, seconds, render_mode)
    return BranchlineParallel(one, observe)


class BranchlineParallel(ParallelEnv):  # type: ignore[misc] # PettingZoo has no types
    """Agents `seat_0`, `seat_1` …, which all answer at every step.

    Where seats decide at the same time (opening tickets, drafts) they really do. Everywhere else
    these are games of turns: whoever owes no decision has a single action, to wait, whose number is
    one more than the last action of the game. So this face fits drafts and methods that need all
    agents at once; for the rest, `aec` does the same with fewer steps.
    """

    def __init__(self, one: OneGame, observe: Observe) -> None:
        name = f"branchline_{one.game.board.id}_v0"
        self.metadata = {"name": name, "render_modes": list(RENDER)}
        self.one: Final = one
        self.render_mode: Final = one.render_mode
        self.wait: Final = one.game.actions
        bots = one.core.bots
        self._seat: Final = {f"seat_{k}": k for k in range(one.game.seats) if not bots[k]}
        self.possible_agents = list(self._seat)
        space = masked_space(one.encoding, observe, self.wait + 1)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {name: spaces.Discrete(self.wait + 1) for name in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game: the first of a new seed, or the next of the seed in use."""
        self.one.begin(seed, options)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the actions of all agents; those that owe no decision wait."""
        one, present = self.one, self.agents
        owing = self._owing()
        for _ in owing:
            # The lowest seat first, as the core asks; nobody's choice shows before all have chosen.
            agent = f"seat_{one.to_act[0]}"
            one.play(actions[agent])
        rewards = {agent: float(one.rewards[self._seat[agent]]) for agent in present}
        over = one.over
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(present),
            rewards,
            dict.fromkeys(present, over),
            dict.fromkeys(present, False),
            {agent: {} for agent in present},
        )

    def _owing(self) -> list[str]:
        """The agents that owe a decision."""
        to_act = self.one.core.states[0].to_act
        return [agent for agent in self.agents if self._seat[agent] in to_act]

    def _observations(self, agents: Sequence[str] = ()) -> dict[str, Observation]:
        one = self.one
        owing = self._owing()
        shown: dict[str, Observation] = {}
        for agent in agents or self.agents:
            seat = self._seat[agent]
            mask = np.zeros(self.wait + 1, np.int8)
            if agent in owing:
                mask[one.core.states[0].clone().legal(seat)] = 1
            else:
                mask[self.wait] = 1
            shown[agent] = {"observation": one.observation_of(seat), "action_mask": mask}
        return shown

    def render(self) -> str | None:
        """The table as text; with the mode `human` it is printed."""
        return self.one.render()

    def close(self) -> None:
        """Nothing is open."""

    def record(self) -> Record:
        """The game so far, as data."""
        return self.one.record()
