"""Gymnasium's faces of a game: one learner against bots, alone or many at once.

Importing `branchline.env` registers an id for every board: `gymnasium.make("branchline/usa-v0")`,
`gymnasium.make_vec("branchline/usa-v0", 256)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from branchline.core.mapfile import builtin_boards
from branchline.engine.errors import IllegalAction, SeatsError
from branchline.engine.game import Game
from branchline.engine.record import Record
from branchline.env.batch import Batch, Observe, Reward, one_of
from branchline.env.one_game import RENDER, OneGame
from branchline.env.spaces import row_space

Illegal = Literal["raise", "lose"]
ILLEGAL: Final = ("raise", "lose")
LOST: Final = -1.0  # the reward for an illegal action that loses


class BranchlineGym(gymnasium.Env[NDArray[Any], np.int64]):
    """One learner at `seat` against `bots`, one for each other seat in their order.

    The observation is what the learner's seat may know, as `observe` says; the mask of the allowed
    actions is in `info["action_mask"]` and in `action_masks()`, where masked learners look for it.
    An action that is not allowed loses: it ends the game with the reward -1. With `illegal="raise"`
    it raises `IllegalAction` instead.

    `reset(seed=s)` begins game 0 of the seed, a reset without a seed the next one; the option
    `game` names another number.

    Limits: a step goes on to the learner's next decision, so one step may hold several moves of the
    bots, and a claim may take several steps. Decisions that seats take at the same time (opening
    tickets, drafts) are asked in the order of the seats, and stay hidden. Games end, they are never
    truncated; rewards come at the end alone.

    >>> import gymnasium, branchline.env
    >>> env = gymnasium.make("branchline/new_york-v0", bots=["greedy"])
    >>> observation, info = env.reset(seed=1)
    >>> over = False
    >>> while not over:
    ...     action = info["action_mask"].argmax()
    ...     observation, reward, over, truncated, info = env.step(action)
    >>> reward
    0.0
    """

    metadata = {"render_modes": list(RENDER)}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        game: Game | str,
        seats: int = 2,
        *,
        seat: int = 0,
        bots: Sequence[str] = (),
        reward: Reward = "win",
        observe: Observe = "integers",
        illegal: Illegal = "lose",
        seconds: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        game = Game(game, seats) if isinstance(game, str) else game
        one_of(illegal, ILLEGAL)
        self.seat: Final = seat
        self.one: Final = OneGame(
            game, seats, opponents(game, seat, bots), reward, observe, seconds, render_mode
        )
        self.illegal: Final = illegal
        self.render_mode = render_mode
        self.observation_space = row_space(self.one.encoding, observe)
        self.action_space = spaces.Discrete(game.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.one.begin(seed, options)
        return self.one.observation(), self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        one = self.one
        try:
            seat = one.play(action)
        except IllegalAction:
            if self.illegal == "raise":
                raise
            return one.observation(), LOST, True, False, self._info()
        if self.render_mode == "human":
            one.render()
        if seat < 0:
            worth = float(one.rewards[self.seat])
            return one.observation_of(self.seat), worth, True, False, self._info()
        return one.observation(), 0.0, False, False, self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.one.mask.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """The actions that are allowed now."""
        return self.one.mask.astype(np.bool_)

    def render(self) -> Any:
        """The table as text; with the mode `human` it is printed."""
        return self.one.render() if self.render_mode else None

    def record(self) -> Record:
        """The game so far, as data."""
        return self.one.record()


class BranchlineVector(VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """Many games at once, each of one learner against bots; a `Batch` as Gymnasium has it.

    The options are those of `BranchlineGym`. Observations, rewards and ends are arrays over all
    games; `infos["action_mask"]` has the allowed actions. A game that ends begins anew in the same
    step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` has its last observation. The arrays are
    new at every step.

    Place k plays the games number k, k + n, k + 2n … of the seed.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        seats: int = 2,
        *,
        seat: int = 0,
        bots: Sequence[str] = (),
        reward: Reward = "win",
        observe: Observe = "integers",
        seconds: float = 1.0,
    ) -> None:
        game = Game(game, seats) if isinstance(game, str) else game
        self.seat: Final = seat
        self.batch: Final = Batch(
            game,
            num_envs,
            bots=opponents(game, seat, bots),
            reward=reward,
            observe=observe,
            seconds=seconds,
        )
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = row_space(self.batch.encoding, observe)
        self.single_action_space = spaces.Discrete(game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seed: str | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin the games of a seed, or without one those that follow."""
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed = str(seed if seed is not None else np.random.SeedSequence().entropy)
            first = 0
        else:
            first = int(self.batch.numbers.max()) + 1
        step = self.batch.reset(self._seed, first)
        return step.observations.copy(), {"action_mask": step.masks.astype(np.int8)}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        step = self.batch.step(actions)
        infos: dict[str, Any] = {"action_mask": step.masks.astype(np.int8)}
        ends = step.ends.copy()
        if ends.any():
            rows, finals = self.batch.finals, np.full(self.num_envs, None, object)
            for k in np.flatnonzero(ends):
                finals[k] = rows[k].copy()
            infos["final_obs"] = finals
            infos["_final_obs"] = ends.copy()
        rewards = step.rewards[:, self.seat].astype(np.float64)
        return step.observations.copy(), rewards, ends, np.zeros_like(ends), infos


def opponents(game: Game, seat: int, bots: Sequence[str]) -> list[str | None]:
    """The bots of all seats but the learner's; all of them play at random if none is named."""
    if not 0 <= seat < game.seats:
        raise SeatsError("no_such_seat", {"seat": seat, "seats": game.seats})
    names: list[str | None] = list(bots) or ["random"] * (game.seats - 1)
    if len(names) != game.seats - 1:
        rivals = game.seats - 1
        raise SeatsError("bots_and_seats", {"bots": len(names), "seats": rivals, "n": rivals})
    names.insert(seat, None)
    return names


def register() -> None:
    """Let Gymnasium know an id for every board."""
    for board in builtin_boards():
        gymnasium.register(
            f"branchline/{board}-v0",
            entry_point="branchline.env.gymnasium_envs:BranchlineGym",
            vector_entry_point="branchline.env.gymnasium_envs:BranchlineVector",
            kwargs={"game": board},
        )
