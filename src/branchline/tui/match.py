"""A match: one person and some bots at a table, of which the person sees only one seat's part."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from branchline.bots import Bot
from branchline.bots.session import Session, resume
from branchline.engine.describe import Words
from branchline.engine.game import Game
from branchline.engine.outcome import Outcome
from branchline.engine.record import rewind
from branchline.engine.rule import Refusal
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.tui.news import told
from branchline.tui.problems import UserError, save_state

PERSON: Final = 0

PATIENCE: Final = 2.0  # seconds that a bot may think


class Quit(Exception):
    """The person leaves before the game is over."""


class Match:
    """Keeps the only full state. Everything that it hands out is the person's to know.

    The rivals take their seats here; in a game that was begun before, they are shown it again.
    """

    def __init__(self, state: State, rivals: Sequence[Bot], words: Words) -> None:
        self._state = state
        self._words: Final = words
        game, seed = state.game, f"{state.seed or ''}/rival"
        self._rivals: Final = {
            seat: Session(bot, game, seat, seed) for seat, bot in enumerate(rivals, PERSON + 1)
        }
        if state.moves:
            resume(self._rivals, state, PATIENCE)
        self._told = 0  # events that the person has been shown
        self.game: Final[Game] = state.game

    @property
    def over(self) -> bool:
        return self._state.over

    @property
    def view(self) -> View:
        """What the person may know of the table."""
        return self._state.view(PERSON)

    @property
    def seed(self) -> str:
        return self._state.seed or ""

    @property
    def outcome(self) -> Outcome:
        """The scores of a game that has ended; before, they would give secrets away."""
        if not self._state.over:
            raise ValueError("the game is not over")
        return self._state.outcome

    @property
    def rivals_turn(self) -> bool:
        """Whether a bot has to decide before the person can."""
        return not self._state.over and PERSON not in self._state.to_act

    def ask_rival(self) -> int:
        """What the bot decides that is to act. It may take a while; nothing is changed by it."""
        seat = self._state.to_act[0]
        return self._rivals[seat].decide(self._state.view(seat), PATIENCE)

    def rival_acts(self, action: int) -> None:
        """Take an action for the bot that is to act."""
        self._state.apply(self._state.to_act[0], action)

    def rivals_play(self) -> None:
        """Let the bots act until the person has to decide or the game is over."""
        while self.rivals_turn:
            self.rival_acts(self.ask_rival())

    def end(self) -> None:
        """The game has ended or is given up: the bots finish. If one fails, nobody minds."""
        for seat, rival in self._rivals.items():
            with suppress(Exception):
                rival.finish(self._state.view(seat))

    def act(self, action: int) -> None:
        """Take an action for the person; raises `IllegalAction` with the reason if it may not."""
        self._state.apply(PERSON, action)

    def why_not(self, action: int) -> Refusal | None:
        """Why the person may not take an action now."""
        return self._state.why_not(PERSON, action)

    def news(self) -> list[str]:
        """What the person has seen happen since the last call."""
        events = self._state.events[self._told :]
        self._told = len(self._state.events)
        return told(self._words, events)

    def log(self, everything: bool = True) -> list[str]:
        """What the person has seen happen: everything, or what is worth telling at once."""
        return told(self._words, self._state.events, everything)

    def undo(self) -> None:
        """Take back the person's last decision, unless something hidden has been seen since.

        What a rival does shows something of its hand, so that it counts as seen.
        """
        moves = self._state.moves or []
        own = [k for k, move in enumerate(moves) if move & 7 == PERSON]
        if not own:
            raise UserError("nothing_to_undo")
        if own[-1] < len(moves) - 1:
            raise UserError("undo_others")
        before = rewind(self._state, own[-1], log=True)
        since = self._state.events[len(before.events) :]
        if any(event.kind.reveals_to(PERSON, event.seat) for event in since):
            raise UserError("undo_shown")
        self._state = before
        self._told = min(self._told, len(before.events))

    def save(self, path: str) -> None:
        """Save the game, secrets included."""
        save_state(self._state, path, self._words.lang)
