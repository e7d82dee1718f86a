"""Many games at once, as arrays: the fast way from the engine to an agent that learns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from branchline.bots.registry import make_bot
from branchline.engine.encoding import Encoding
from branchline.engine.errors import IllegalAction, SeatsError
from branchline.engine.game import Game
from branchline.engine.record import Record
from branchline.engine.state import State
from branchline.env.batch_core import MARGIN, POINTS, WIN, BatchCore
from branchline.env.errors import EnvError

Reward = Literal["win", "margin", "points"]
Observe = Literal["integers", "floats", "nothing"]

REWARDS: Final[dict[str, int]] = {"win": WIN, "margin": MARGIN, "points": POINTS}
OBSERVE: Final = ("integers", "floats", "nothing")
MOST_GAMES: Final = 1_000_000
ARRAYS: Final = ("observations", "masks", "seats", "rewards", "ends", "scores")


class Step(NamedTuple):
    """What a reset or a step leads to. The next step writes into the same arrays again."""

    observations: NDArray[Any]
    masks: NDArray[np.bool_]
    seats: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    ends: NDArray[np.bool_]


class Batch:
    """`n` games of one kind, stepped together in compiled code.

    At every step each game waits for one decision, and the arrays say which: `seats` has the seat
    that is to act, `observations` what that seat may know (`encoding` has the fields), and `masks`
    the actions that are allowed. `step` takes one action for each game. When a game ends, `ends` is
    True for that step, `rewards` has what the game was worth to every seat and `scores` the points;
    the other arrays already show the first decision of the next game in its place.

    `bots` names a bot for each seat that is not the learner's, `None` or `""` for the others; a
    bot called `random` decides in compiled code. `reward` is what the end of a game is worth to a
    seat: `win` (1, shared among winners, or 0), `margin` (points ahead of the best rival) or
    `points`. `observe` chooses integers (int16), floats (float32, scaled to 0–1 by the bounds) or
    nothing, which is fastest.

    The arrays are the batch's own and can only be read, or the caller's: `out` names those that
    every reset and step is to write into. Its own are used again by the next step; copy what has
    to last.

    Decisions that seats take at the same time (opening tickets, drafts) are asked one after the
    other, the lowest seat first; nobody sees what others have chosen before all have.

    Place k plays the games number k, k + n, k + 2n … of the seed. A game depends on the seed, its
    number and the actions alone: it starts as `Game.start(f"{seed}/{number}")` does.

    >>> import branchline, numpy
    >>> from branchline.env import Batch
    >>> batch = Batch(branchline.Game("usa", seats=2), 64, bots=[None, "random"])
    >>> step = batch.reset(seed=7)
    >>> while not step.ends.any():
    ...     step = batch.step(step.masks.argmax(axis=1))
    >>> step.observations.shape == (64, batch.encoding.size), step.masks.shape, step.rewards.shape
    (True, (64, 541), (64, 2))
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        seats: int = 2,
        bots: Sequence[str | None] = (),
        reward: Reward = "win",
        observe: Observe = "integers",
        out: Mapping[str, NDArray[Any]] | None = None,
        keep_moves: bool = False,
        seconds: float = 1.0,
    ) -> None:
        self.game: Final = Game(game, seats) if isinstance(game, str) else game
        if not 1 <= n <= MOST_GAMES:
            raise EnvError("bad_batch", {"n": n, "most": MOST_GAMES})
        one_of(reward, REWARDS)
        one_of(observe, OBSERVE)
        self.n: Final = n
        self.reward: Final = reward
        self.observe: Final = observe
        self.bots: Final = line_up(self.game, bots)
        core = BatchCore(
            self.game,
            n,
            self.bots,
            seconds,
            REWARDS[reward],
            observe != "nothing",
            keep_moves,
            auto_reset=True,
        )
        self._core: Final = core
        self.encoding: Final[Encoding] = core.encoding
        self._actions: Final = self.game.actions
        self._scale: Final = scale_of(core.encoding)

        shape = (n, self.game.seats)
        # Of each game a row for each learner; `_encoded` has that of the one who is to act.
        learners = self.bots.count("")
        size = 0 if observe == "nothing" else core.encoding.size
        self._rows: Final = buffer(core.rows, np.int16).reshape(n * learners, size)
        self._first_rows: Final = np.arange(0, n * learners, learners)
        self._place: Final = np.array(core.place, np.int64)
        self._several: Final = learners > 1 and size > 0
        self._encoded: Final = np.zeros((n, size), np.int16) if learners > 1 else self._rows
        self._rewards: Final = buffer(core.rewards, np.float64).reshape(shape)
        own: dict[str, NDArray[Any]] = {
            "observations": read_only(self._encoded),
            "masks": buffer(core.masks, np.bool_).reshape(n, -1),
            "seats": buffer(core.to_act, np.uint8),
            "rewards": np.zeros(shape, np.float32),
            "ends": buffer(core.ends, np.bool_),
            "scores": buffer(core.scores, np.int16).reshape(shape),
        }
        if observe == "floats":
            own["observations"] = np.zeros((n, size), np.float32)
        self._own: Final = own
        self._out: Final = self._checked(out or {})
        shown = own | self._out
        self._step: Final = Step(*(shown[name] for name in ARRAYS[:5]))
        self.scores: Final[NDArray[np.int16]] = shown["scores"]
        """The points of every seat in the last game that has ended at each place."""
        self._finals: Final = buffer(core.finals, np.int16).reshape(n, size)
        self.started: bool = False
        self._clean: bool = False  # no reward is left from the step before

    def _checked(self, out: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
        """The caller's arrays, if they fit."""
        for name, array in out.items():
            if name not in ARRAYS:
                raise EnvError("bad_choice", {"value": name[:80], "known": ", ".join(ARRAYS)})
            own = self._own[name]
            fits = isinstance(array, np.ndarray) and array.flags.writeable
            if not fits or array.shape != own.shape or array.dtype != own.dtype:
                wanted = f"{own.dtype} {own.shape}"
                raise EnvError("bad_array", {"name": name, "wanted": wanted})
        return dict(out)

    # --- playing --------------------------------------------------------------------------------

    def reset(self, seed: int | str = 0, first: int = 0, stride: int | None = None) -> Step:
        """Begin new games: number `first` and those after it, at place 0 and those after it.

        A place goes on with the game that is `stride` further, the number of places if it is not
        given. So several batches of one seed share its games among them: see `docs/env.md`.
        """
        self.game.start(seed)  # refuses what can't be a seed
        self._core.reset(str(seed), first, self.n if stride is None else stride)
        self.started = True
        return self._shown(True)

    def step(self, actions: NDArray[Any] | Sequence[int]) -> Step:
        """Take an action in every game. Raises, and does nothing, if one is not allowed."""
        if not self.started:
            raise EnvError("not_reset")
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise EnvError("bad_actions", {"n": self.n})
        if chosen.min() < 0 or chosen.max() >= self._actions:
            raise EnvError("bad_actions_range", {"most": self._actions - 1})
        before = self._core.finished
        try:
            self._core.step(chosen.astype("<u2").tobytes())
        except IllegalAction as error:
            raise self._refusal(chosen, error) from error
        return self._shown(self._core.finished != before)

    def _refusal(self, chosen: NDArray[Any], error: IllegalAction) -> EnvError:
        """Which action is not allowed, and where."""
        place = int(self._own["masks"][np.arange(self.n), chosen].argmin())
        action = self.game.action_text(int(chosen[place]))
        return EnvError("batch_illegal", {"place": place, "action": action, **error.values})

    def _shown(self, ended: bool) -> Step:
        """Bring the arrays that are not the core's own up to date."""
        step, own = self._step, self._own
        if ended:
            np.copyto(own["rewards"], self._rewards, casting="same_kind")
            self._clean = False
        elif not self._clean:
            own["rewards"].fill(0)
            self._clean = True
        if self._several:
            chosen = self._first_rows + self._place[own["seats"]]
            # The rows are there: "clip" spares numpy the look, and a buffer of its own.
            np.take(self._rows, chosen, axis=0, out=self._encoded, mode="clip")
        if self.observe == "floats":
            # Twice over the array is faster than once with numbers of two types.
            np.copyto(step.observations, self._encoded)
            np.multiply(step.observations, self._scale, out=step.observations)
        for name, array in self._out.items():
            if name != "observations" or self.observe != "floats":
                np.copyto(array, own[name])
        return step

    def sample(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """An allowed action for every game, each as likely."""
        masks = self._own["masks"]
        weights = rng.random(masks.shape, dtype=np.float32)
        weights *= masks
        chosen: NDArray[np.int64] = weights.argmax(axis=1)
        return chosen

    # --- the games themselves -------------------------------------------------------------------

    @property
    def finals(self) -> NDArray[Any]:
        """For each place, the end of its last game as the learner saw it that acted last."""
        return self._finals * self._scale if self.observe == "floats" else self._finals

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The number of the game at each place."""
        return np.array(self._core.numbers, np.int64)

    def state(self, place: int) -> State:
        """A copy of the game at a place, secrets included."""
        return self._core.states[place].clone()

    def record(self, place: int) -> Record:
        """The game under way at a place, as data. Needs `keep_moves=True`."""
        moves = self._core.states[place].moves
        return self._record(int(self._core.numbers[place]), moves)

    def last_record(self, place: int) -> Record:
        """The last game that has ended at a place, as data. Needs `keep_moves=True`."""
        if self._core.last_numbers[place] < 0:
            raise EnvError("no_game_ended", {"place": place})
        return self._record(int(self._core.last_numbers[place]), self._core.last_moves[place])

    def _record(self, number: int, moves: list[int] | None) -> Record:
        if moves is None:
            raise EnvError("no_moves_kept")
        state = self.game.start(f"{self._core.seed}/{number}")
        for move in moves:
            state.apply(move & 7, move >> 3)
        return state.record()


def one_of(value: object, known: Collection[str]) -> None:
    """Raise unless the value is one of those that are known."""
    if value not in known:
        raise EnvError("bad_choice", {"value": str(value)[:80], "known": ", ".join(known)})


def line_up(game: Game, bots: Sequence[str | None]) -> list[str]:
    """A bot for each seat, an empty text for a learner's; raises if that can't be played."""
    names = [name or "" for name in bots] or [""] * game.seats
    if len(names) != game.seats:
        raise SeatsError(
            "bots_and_seats", {"bots": len(names), "seats": game.seats, "n": game.seats}
        )
    if all(names):
        raise EnvError("no_learner")
    for name in set(filter(None, names)):
        make_bot(name)
    return names


def buffer(vector: Any, dtype: Any) -> NDArray[Any]:
    """A vector of compiled code as an array that can only be read."""
    return read_only(np.asarray(memoryview(vector)).view(dtype))


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The array, for those who may not write into it."""
    view = array.view()
    view.flags.writeable = False
    return view


def scale_of(encoding: Encoding) -> NDArray[np.float32]:
    """The factors that bring rows into the range from 0 to 1."""
    return (1 / np.array(encoding.high)).astype(np.float32)
