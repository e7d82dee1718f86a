"""OpenSpiel's face of a game. Importing this module registers it as `python_branchline`.

>>> import pyspiel
>>> import branchline.env.open_spiel
>>> game = pyspiel.load_game("python_branchline(board=usa,players=2)")
>>> game.num_players(), game.num_distinct_actions()
(2, 541)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel

from branchline.engine.encoding import Encoding
from branchline.engine.game import Game
from branchline.engine.state import State
from branchline.env.batch import scale_of

NAME: Final = "python_branchline"
DEALS: Final = 1000
LONGEST: Final = 6000
"""More decisions than any game has."""

TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Branchline, a railway game",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"board": "usa", "players": 2, "deals": DEALS, "seed": "openspiel"},
)


class BranchlineGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """A board for a number of players.

    Parameters: `board`, `players`, `deals` (how many deals chance chooses from) and `seed`, from
    which the deals are made: deal k is the game that `Game.start(f"{seed}/{k}")` starts. A seed
    that looks like a number has to be given as a text in a dictionary of parameters.

    The return of a player is its share of the victory less what it would be if all were equal, so
    that the game is zero-sum.

    Limits: all chance is settled by the deal, a single chance node at the beginning, though the
    cards turn up one by one; an algorithm that averages over what a player can't know needs the
    engine's `position.state.resample`. Decisions that players take at the same time (opening
    tickets, drafts) are nodes one after the other, the lowest player first, and stay hidden until
    all are taken. There is no information state, only the observation of the moment.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**TYPE.parameter_specification, **(params or {})}
        self.board = Game(str(given["board"]), int(given["players"]))
        self.deals = int(given["deals"])
        self.seed = str(given["seed"])
        self.encoding = Encoding(self.board)
        seats = self.board.seats
        info = pyspiel.GameInfo(
            num_distinct_actions=self.board.actions,
            max_chance_outcomes=self.deals,
            num_players=seats,
            min_utility=-1 / seats,
            max_utility=1 - 1 / seats,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self) -> BranchlineState:
        return BranchlineState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> BranchlineObserver:
        return BranchlineObserver(self, params)


class Position:
    """What a state of OpenSpiel's has of the engine's. A copy shares all but the state itself."""

    def __init__(self, game: Game, seed: str, deals: int, state: State | None) -> None:
        self.game: Final = game
        self.seed: Final = seed
        self.deals: Final = deals
        self.state = state

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        state = self.state.clone() if self.state is not None else None
        return Position(self.game, self.seed, self.deals, state)


class BranchlineState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A position: the deal is to come, or the state of the engine is in `position.state`."""

    def __init__(self, game: BranchlineGame) -> None:
        super().__init__(game)
        self.position = Position(game.board, game.seed, game.deals, None)

    def current_player(self) -> int:
        state = self.position.state
        if state is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if state.over else state.to_act[0]

    def _legal_actions(self, player: int) -> list[int]:
        state = self.position.state
        assert state is not None
        return sorted(state.legal(player)) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.position.deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position.state is None:
            # A clone: OpenSpiel keeps the history itself.
            position.state = position.game.start(f"{position.seed}/{action}").clone()
        else:
            position.state.apply(position.state.to_act[0], action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self.position.game.action_text(action)

    def is_terminal(self) -> bool:
        return self.position.state is not None and self.position.state.over

    def returns(self) -> list[float]:
        seats, state = self.position.game.seats, self.position.state
        if state is None or not state.over:
            return [0.0] * seats
        winners = state.outcome.winners
        return [(seat in winners) / len(winners) - 1 / seats for seat in range(seats)]

    def __str__(self) -> str:
        state = self.position.state
        return "to be dealt" if state is None else f"{state!r} {state.hash()}"


class BranchlineObserver:
    """What a player may know, as floats from 0 to 1; `dict` has the fields by name."""

    def __init__(self, game: BranchlineGame, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"Observation parameters not supported; passed {params}")
        encoding = game.encoding
        self.encoding: Final = encoding
        self.scale = scale_of(encoding)
        self.tensor = np.zeros(encoding.size, np.float32)
        self.dict = {f.name: self.tensor[f.offset : f.offset + f.size] for f in encoding.fields}

    def set_from(self, state: BranchlineState, player: int) -> None:
        if state.position.state is None:
            self.tensor.fill(0)
            return
        row = self.encoding.row(state.position.state, player)
        np.multiply(row, self.scale, out=self.tensor, casting="same_kind")

    def string_from(self, state: BranchlineState, player: int) -> str:
        if state.position.state is None:
            return "to be dealt"
        view = state.position.state.view(player).to_dict()
        del view["actions"]
        return " ".join(f"{name}={value}".replace(" ", "") for name, value in view.items())


pyspiel.register_game(TYPE, BranchlineGame)
