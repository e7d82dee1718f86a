"""The results of a line-up added up, seat by seat."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from branchline.core.catalogue import say
from branchline.lab.numbers import board_name, number
from branchline.lab.results import GameResult


class Summary:
    """Adds up the games of one line-up as they arrive, in any order."""

    def __init__(self, board: str, name: dict[str, str], seats: int, bots: Sequence[str]) -> None:
        self.board = board
        self.name = name
        self.seats = seats
        self.bots = list(bots)
        self.games = 0
        self.actions = 0
        self.turns = 0
        self.ties = 0
        self.seconds = 0.0  # of all processes together
        self.total = [0] * seats
        self.least = [0] * seats
        self.most = [0] * seats
        self.wins = [0.0] * seats  # a shared victory counts in parts
        self.tickets = [[0, 0] for _ in range(seats)]  # done, failed
        self.points: dict[str, list[int]] = {}  # by kind of score line, then by seat

    def add(self, result: GameResult) -> None:
        """Count one more game."""
        for k, seat in enumerate(result.seats):
            self.total[k] += seat.score
            self.least[k] = min(self.least[k], seat.score) if self.games else seat.score
            self.most[k] = max(self.most[k], seat.score) if self.games else seat.score
            self.wins[k] += result.share(k)
            self.tickets[k][0] += seat.done
            self.tickets[k][1] += seat.failed
            for what, points in seat.points.items():
                if what not in self.points:
                    self.points[what] = [0] * self.seats
                self.points[what][k] += points
        self.games += 1
        self.actions += result.actions
        self.turns += result.turns
        self.ties += result.winners.bit_count() > 1

    def to_dict(self) -> dict[str, object]:
        """The summary as plain data."""
        n = max(self.games, 1)
        scores = zip(self.total, self.least, self.most, strict=True)
        return {
            "board": self.board,
            "seats": self.seats,
            "bots": self.bots,
            "games": self.games,
            "actions_per_game": self.actions / n,
            "turns_per_game": self.turns / n,
            "scores": [
                {"mean": total / n, "min": least, "max": most} for total, least, most in scores
            ],
            "points": {
                what: [points / n for points in self.points[what]] for what in sorted(self.points)
            },
            "tickets_done": [done / n for done, _ in self.tickets],
            "tickets_failed": [failed / n for _, failed in self.tickets],
            "win_share": [wins / n for wins in self.wins],
            "ties": self.ties,
            "seconds": round(self.seconds, 3),
        }


def summary_table(summaries: Sequence[Summary], seconds: float, lang: str) -> RenderableType:
    """A line for each line-up, then scores and wins seat by seat. `seconds` is elapsed time."""
    counts = ("seats", "games", "actions", "turns", "least", "most", "ties")
    table = grid(("board",), counts, lang)
    for s in summaries:
        n = max(s.games, 1)
        table.add_row(
            board_name(s.name, lang),
            str(s.seats),
            number(s.games, 0, lang),
            number(s.actions / n, 1, lang),
            number(s.turns / n, 1, lang),
            number(min(s.least), 0, lang) if s.games else "",
            number(max(s.most), 0, lang) if s.games else "",
            number(s.ties, 0, lang),
        )
    games = sum(s.games for s in summaries)
    rate = number(games / seconds, 0, lang) if seconds else "–"
    shown = {"games": number(games, 0, lang), "seconds": number(seconds, 1, lang)}
    total = say("lab.simulate.total", lang, n=games, rate=rate, **shown)
    seats = _seats(summaries[0], lang) if len(summaries) == 1 else _seats_of_all(summaries, lang)
    return Group(table, Text(), seats, Text(), Text(total, style="bold"))


def grid(left: Sequence[str], right: Sequence[str], lang: str) -> Grid:
    """An empty table, with the catalogue's names for its columns."""
    table = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for key in left:
        table.add_column(say(f"lab.column.{key}", lang))
    for key in right:
        table.add_column(say(f"lab.column.{key}", lang), justify="right")
    return table


def _seats(s: Summary, lang: str) -> RenderableType:
    """For one line-up: a line for each seat."""
    table = grid(("seat", "bot"), ("mean", "least", "most", "done", "failed", "wins"), lang)
    for seat in range(s.seats):
        if s.games:
            table.add_row(
                say("actions.seat", lang, n=seat + 1),
                s.bots[seat],
                number(s.total[seat] / s.games, 1, lang),
                number(s.least[seat], 0, lang),
                number(s.most[seat], 0, lang),
                number(s.tickets[seat][0] / s.games, 1, lang),
                number(s.tickets[seat][1] / s.games, 1, lang),
                number(100 * s.wins[seat] / s.games, 1, lang),
            )
    return table


def _seats_of_all(summaries: Sequence[Summary], lang: str) -> RenderableType:
    """For many line-ups: mean scores and victories of all seats in one line."""
    table = grid(("board", "mean_by_seat", "wins_by_seat"), (), lang)
    for s in summaries:
        n = max(s.games, 1)
        means = [number(total / n, 0, lang) for total in s.total]
        wins = [number(100 * won / n, 0, lang) for won in s.wins]
        table.add_row(
            f"{board_name(s.name, lang)} {s.seats}",
            " ".join(f"{mean:>4}" for mean in means),
            " ".join(f"{share:>3}" for share in wins),
        )
    return table
