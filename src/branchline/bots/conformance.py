"""Whether a bot keeps the promises of `Bot`: a check that any author can run.

`check_bot("package.module:Name")` plays the bot on every board, in every seat, against copies of
itself and against random players, and returns what is wrong with it. In every game the bot is
started once and finished once, except for one that is broken off, after which it is started again.
`examine` returns more: how many decisions it met, of which kinds, and how long the slowest took.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from branchline.bots.bot import Bot
from branchline.bots.checked_bot import CheckedBot
from branchline.bots.fault import BotFault
from branchline.bots.random import RandomBot
from branchline.core.mapfile import builtin_boards, load_board
from branchline.engine.game import Game
from branchline.engine.state import State
from branchline.engine.view import View

SLACK: Final = 1.25  # a bot that uses its time to the full may go over it by a little
BROKEN_OFF: Final = 12  # moves of a game that is not played to its end
SHOWN: Final = 20  # random games to look for kinds of decisions that the bot did not come to itself

Move = tuple[int, int, str]  # seat, action, kind of decision


@dataclass(frozen=True)
class Complaint:
    """A promise that a bot broke.

    `what` is one of `illegal`, `failed`, `slow`, `unsteady` (another game from the same seed),
    `remembers` (something from a game before, finished or broken off), `peeks` (what its seat can't
    know decides). The words are in the catalogue, `bots.complaint.<what>`.
    """

    board: str
    seats: int
    what: str
    detail: str
    fault: BotFault | None = None
    """What the bot raised, with the traceback through its code."""


@dataclass
class Report:
    """All that a check found."""

    complaints: list[Complaint] = field(default_factory=list)
    decisions: int = 0
    slowest: float = 0.0  # seconds
    met: set[tuple[str, str]] = field(default_factory=set)  # board and kind of decision
    unmet: set[tuple[str, str]] = field(default_factory=set)  # kinds that nobody came to


class _Broken(Exception):
    """A promise is broken; what is left of the game makes no sense."""

    def __init__(self, what: str, detail: str, fault: BotFault | None = None) -> None:
        super().__init__(what)
        self.what: Final = what
        self.detail: Final = detail
        self.fault: Final = fault


def check_bot(
    spec: str,
    games: int = 2,
    seconds: float = 1.0,
    progress: Callable[[str], None] | None = None,
    boards: Sequence[str] | None = None,
) -> list[Complaint]:
    """What is wrong with a bot; nothing if it may play.

    Raises `BotError` if there is no such bot, and `BotFault` if its module can't be imported.

    >>> check_bot("random", games=1, boards=["new_york"])
    []
    """
    return examine(spec, games, seconds, progress, boards).complaints


def examine(
    spec: str,
    games: int = 2,
    seconds: float = 1.0,
    progress: Callable[[str], None] | None = None,
    boards: Sequence[str] | None = None,
) -> Report:
    """Check a bot on boards (all if not named) with the fewest and the most players.

    `games` is how often each kind of game is played; `seconds` what a decision may take;
    `progress` is told each board and number of players before it begins.
    """
    report = Report()
    for name in boards if boards is not None else builtin_boards():
        board = load_board(name)
        for seats in sorted({board.seats_min, board.seats_max}):
            if progress is not None:
                progress(f"{name} {seats}")
            _Checks(spec, Game(board, seats), seconds, report).check(games)
        kinds = {(name, kind) for kind in Game(board, board.seats_min).phase_names}
        report.unmet |= kinds - report.met - {(name, "over")}
    return report


class _Chance:
    """A random player next to the bot. Its decisions don't count."""

    def __init__(self) -> None:
        self.bot: Final = RandomBot()

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        self.bot.start(game, seat, seed)

    def decide(self, view: View, seconds: float) -> int:
        return self.bot.decide(view, seconds)

    def finish(self, view: View) -> None:
        self.bot.finish(view)


class _Checks:
    """The checks on one board with one number of players."""

    def __init__(self, spec: str, game: Game, seconds: float, report: Report) -> None:
        self.spec: Final = spec
        self.game: Final = game
        self.seconds: Final = seconds
        self.report: Final = report

    def check(self, games: int) -> None:
        """Stop at the first broken promise: what comes after it would say little."""
        try:
            for number in range(games):
                self.same_game(f"check/{number}", number % self.game.seats)
            self.every_kind()
        except _Broken as broken:
            board = self.game.board.id
            told = (broken.what, broken.detail, broken.fault)
            self.report.complaints.append(Complaint(board, self.game.seats, *told))

    def same_game(self, seed: str, watched: int) -> None:
        """Play a game of copies, and then the games that must have the same moves."""
        seats = self.game.seats
        bots = [self.new() for _ in range(seats)]
        first = self.play(bots, seed)
        again = self.play([self.new() for _ in range(seats)], seed)
        self.compare(first, again, "unsteady")
        self.look_elsewhere(first, seed, watched)
        self.break_off(bots, f"{seed}/broken off")
        for parity in (0, 1):
            # Those that have played sit down at another seat, with chance at every second one.
            mixed = f"{seed}/{parity}"
            old = [self.or_chance(bots[k - 1], k, parity) for k in range(seats)]
            new = [self.or_chance(self.new(), k, parity) for k in range(seats)]
            self.compare(self.play(new, mixed), self.play(old, mixed), "remembers")

    def or_chance(self, bot: Bot, seat: int, parity: int) -> Bot:
        return bot if seat % 2 == parity else _Chance()

    def compare(self, one: list[Move], two: list[Move], what: str) -> None:
        for number, (a, b) in enumerate(zip(one, two, strict=False), 1):
            if a != b:
                raise _Broken(what, f"{number} ({a[2]})")

    # --- games ----------------------------------------------------------------------------------

    def play(self, bots: list[Bot], seed: str) -> list[Move]:
        """Play a whole game and return its moves."""
        state = self.game.start(seed)
        for seat, bot in enumerate(bots):
            self.start(bot, seat, seed)
        moves: list[Move] = []
        while not state.over:
            seat = state.to_act[0]
            kind = state.phase
            action = self.ask(bots[seat], state, seat)
            moves.append((seat, action, kind))
            state.apply(seat, action)
        for seat, bot in enumerate(bots):
            self.finish(bot, state, seat)
        return moves

    def break_off(self, bots: list[Bot], seed: str) -> None:
        """Begin a game that is never finished, as when a process is ended."""
        state = self.game.start(seed)
        for seat, bot in enumerate(bots):
            self.start(bot, seat, seed)
        for _ in range(BROKEN_OFF):
            if not state.over:
                seat = state.to_act[0]
                state.apply(seat, self.ask(bots[seat], state, seat))

    def look_elsewhere(self, moves: list[Move], seed: str, watched: int) -> None:
        """Show a seat its game again, but each time in another world that looks the same to it."""
        real = self.game.start(seed)
        bot = self.new()
        self.start(bot, watched, seed)
        for number, (seat, action, kind) in enumerate(moves):
            if seat == watched and self.elsewhere(bot, real, seat, number) != action:
                raise _Broken("peeks", f"{number + 1} ({kind})")
            real.apply(seat, action)
        self.finish(bot, real, watched)

    def elsewhere(self, bot: Bot, real: State, seat: int, number: int) -> int:
        return self.ask(bot, real.resample(seat, number), seat)

    def every_kind(self) -> None:
        """Show the bot the kinds of decisions that it has not met, where chance comes to them."""
        game, met = self.game, self.report.met
        board = game.board.id
        wanted = {k for k in game.phase_names if k != "over" and (board, k) not in met}
        for number in range(SHOWN):
            if not wanted:
                return
            seed = f"check/kinds/{number}"
            state = game.start(seed)
            chance = _Chance()
            chance.start(game, 0, seed)
            while not state.over:
                seat = state.to_act[0]
                if state.phase in wanted:
                    wanted.discard(state.phase)
                    bot = self.new()
                    self.start(bot, seat, seed)
                    self.ask(bot, state, seat)
                    self.finish(bot, state, seat)
                state.apply(seat, chance.decide(state.view(seat), self.seconds))

    # --- calls of the bot -----------------------------------------------------------------------

    def new(self) -> Bot:
        try:
            return CheckedBot(self.spec)
        except BotFault as fault:
            if fault.at == "import":
                raise
            raise _broken(fault) from None

    def start(self, bot: Bot, seat: int, seed: str) -> None:
        try:
            bot.start(self.game, seat, seed)
        except BotFault as fault:
            raise _broken(fault) from None

    def finish(self, bot: Bot, state: State, seat: int) -> None:
        try:
            bot.finish(state.view(seat))
        except BotFault as fault:
            raise _broken(fault) from None

    def ask(self, bot: Bot, state: State, seat: int) -> int:
        """The bot's answer, if it is one."""
        view = state.view(seat)
        if isinstance(bot, _Chance):
            return bot.decide(view, self.seconds)
        report = self.report
        report.decisions += 1
        report.met.add((self.game.board.id, state.phase))
        began = time.perf_counter()
        try:
            answer = bot.decide(view, self.seconds)
        except BotFault as fault:
            raise _broken(fault) from None
        took = time.perf_counter() - began
        report.slowest = max(report.slowest, took)
        if took > self.seconds * SLACK:
            raise _Broken("slow", f"{took:.2f}")
        return answer


def _broken(fault: BotFault) -> _Broken:
    what = "illegal" if fault.code == "bot_illegal" else "failed"
    return _Broken(what, f"{fault.at} → {fault.detail}", fault)


__all__ = ["Complaint", "Report", "check_bot", "examine"]
