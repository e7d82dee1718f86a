"""Many games by bots in one go, and what came out of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from branchline.bots import seat_bot
from branchline.core.board import Board
from branchline.core.catalogue import say
from branchline.engine.game import Game
from branchline.engine.playout import Games, play_many

CHUNK: Final = 10  # games between two signs of life


class GameFailed(Exception):
    """A game went wrong; `seed` starts it again."""

    def __init__(self, game: Game, seed: str, error: Exception) -> None:
        super().__init__(f"{game.board.id}, {game.seats} seats, seed {seed}: {error!r}")
        self.board: Final = game.board.id
        self.seats: Final = game.seats
        self.seed: Final = seed
        self.error: Final = error


@dataclass
class Summary:
    """What the games of one board and number of seats came to."""

    board: Board
    seats: int
    games: int = 0
    actions: int = 0
    turns: int = 0
    ties: int = 0
    seconds: float = 0.0
    scores: list[list[int]] = field(default_factory=list)  # by seat: sum, least, most
    wins: list[float] = field(default_factory=list)  # a shared victory counts in parts

    def __post_init__(self) -> None:
        self.scores = [[0, 10**9, -(10**9)] for _ in range(self.seats)]
        self.wins = [0.0] * self.seats

    def add(self, scores: Sequence[int], winners: Sequence[int], actions: int, turns: int) -> None:
        """Count one more game."""
        self.games += 1
        self.actions += actions
        self.turns += turns
        self.ties += len(winners) > 1
        for line, score in zip(self.scores, scores, strict=True):
            line[:] = [line[0] + score, min(line[1], score), max(line[2], score)]
        for seat in winners:
            self.wins[seat] += 1 / len(winners)

    def to_dict(self) -> dict[str, object]:
        """The summary as plain data."""
        n = max(self.games, 1)
        return {
            "board": self.board.id,
            "seats": self.seats,
            "games": self.games,
            "actions_per_game": self.actions / n,
            "turns_per_game": self.turns / n,
            "scores": [
                {"mean": total / n, "min": least, "max": most} for total, least, most in self.scores
            ],
            "win_share": [wins / n for wins in self.wins],
            "ties": self.ties,
            "seconds": round(self.seconds, 3),
        }


def shares(games: int, parts: int) -> list[int]:
    """A number of games split evenly over the parts."""
    return [games // parts + (k < games % parts) for k in range(parts)]


def simulate(
    game: Game, games: int, seed: str, bots: Sequence[str], done: Callable[[int], None]
) -> Summary:
    """Play so many games; game number k has the seed `seed/k`. Raises `GameFailed`."""
    summary = Summary(game.board, game.seats)
    began = time.perf_counter()
    by_chance = all(name == "random" for name in bots)
    for first in range(0, games, CHUNK):
        count = min(CHUNK, games - first)
        if by_chance:
            _count(summary, _random_games(game, count, seed, first))
        else:
            for number in range(first, first + count):
                _bot_game(game, f"{seed}/{number}", bots, summary)
        done(count)
    summary.seconds = time.perf_counter() - began
    return summary


def _random_games(game: Game, count: int, seed: str, first: int) -> Games:
    try:
        return play_many(game, count, seed, first)
    except Exception as error:
        for number in range(first, first + count):
            try:
                play_many(game, 1, seed, number)
            except Exception as again:
                raise GameFailed(game, f"{seed}/{number}", again) from again
        raise GameFailed(game, f"{seed}/{first}", error) from error


def _count(summary: Summary, played: Games) -> None:
    for k in range(len(played)):
        scores = list(played.scores[k * summary.seats : (k + 1) * summary.seats])
        winners = [seat for seat in range(summary.seats) if played.winners[k] >> seat & 1]
        summary.add(scores, winners, played.actions[k], played.turns[k])


def _bot_game(game: Game, seed: str, bots: Sequence[str], summary: Summary) -> None:
    try:
        players = [seat_bot(name, game, seat, seed) for seat, name in enumerate(bots)]
        state = game.start(seed)
        while not state.over:
            seat = state.to_act[0]
            state.apply(seat, players[seat].decide(state.view(seat), 1.0))
        outcome = state.outcome
        turns = state.view().one("turns")
        summary.add(outcome.scores, outcome.winners, len(state.moves or ()), turns)
    except Exception as error:
        raise GameFailed(game, seed, error) from error


def summary_table(summaries: Sequence[Summary], lang: str) -> RenderableType:
    """A line for each board and number of seats; then scores and victories seat by seat."""
    table = _table(
        ("board",), ("seats", "games", "actions", "turns", "least", "most", "ties"), lang
    )
    for s in summaries:
        n = max(s.games, 1)
        least, most = min(line[1] for line in s.scores), max(line[2] for line in s.scores)
        table.add_row(
            s.board.named(lang),
            str(s.seats),
            str(s.games),
            number(s.actions / n, 1, lang),
            number(s.turns / n, 1, lang),
            number(least, 0, lang) if s.games else "",
            number(most, 0, lang) if s.games else "",
            str(s.ties),
        )
    games, seconds = sum(s.games for s in summaries), sum(s.seconds for s in summaries)
    rate = number(games / seconds, 0, lang) if seconds else "–"
    total = say("cli.simulated", lang, n=games, seconds=number(seconds, 1, lang), rate=rate)
    seats = _seats(summaries[0], lang) if len(summaries) == 1 else _seats_of_all(summaries, lang)
    return Group(table, Text(), seats, Text(), Text(total, style="bold"))


def number(value: float, digits: int, lang: str) -> str:
    """A number as readers of the language write it, with a true minus."""
    text = f"{value:.{digits}f}".replace(".", say("cli.decimal", lang))
    return text.replace("-", "−") if any(c in "123456789" for c in text) else text.lstrip("-")


def _table(left: Sequence[str], right: Sequence[str], lang: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for key in left:
        table.add_column(say(f"cli.column.{key}", lang))
    for key in right:
        table.add_column(say(f"cli.column.{key}", lang), justify="right")
    return table


def _seats(s: Summary, lang: str) -> RenderableType:
    """Of one board: a line for each seat."""
    table = _table(("seat",), ("mean", "least", "most", "wins"), lang)
    for seat, (total, least, most) in enumerate(s.scores):
        if s.games:
            table.add_row(
                say("actions.seat", lang, n=seat + 1),
                number(total / s.games, 1, lang),
                number(least, 0, lang),
                number(most, 0, lang),
                number(100 * s.wins[seat] / s.games, 1, lang),
            )
    return table


def _seats_of_all(summaries: Sequence[Summary], lang: str) -> RenderableType:
    """Of many boards: mean scores and victories of all seats in one line."""
    table = _table(("board", "mean_by_seat", "wins_by_seat"), (), lang)
    for s in summaries:
        n = max(s.games, 1)
        means = [number(line[0] / n, 0, lang) for line in s.scores]
        wins = [number(100 * won / n, 0, lang) for won in s.wins]
        table.add_row(
            f"{s.board.named(lang)} {s.seats}",
            " ".join(f"{mean:>4}" for mean in means),
            " ".join(f"{share:>3}" for share in wins),
        )
    return table
