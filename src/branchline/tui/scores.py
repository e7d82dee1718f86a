"""The result of a game: every score line by line, with the rule that it rests on."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from branchline.core.catalogue import say
from branchline.engine.describe import Words
from branchline.engine.outcome import Outcome
from branchline.tui import paint


def scoreboard(outcome: Outcome, words: Words) -> RenderableType:
    """All scores and the winners."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(say("play.column.score", words.lang))
    table.add_column(say("play.column.rule", words.lang))
    table.add_column(say("play.column.points", words.lang), justify="right")
    for seat, lines in enumerate(outcome.lines):
        name = paint.person(words, seat)
        table.add_row(Text(name, style=f"bold {paint.seat_style(seat)}"))
        for line in lines:
            rule = Text(line.rule, style="dim")
            table.add_row(f"  {words.score_line(line)}", rule, signed(line.points))
        total = Text(str(outcome.scores[seat]).replace("-", "−"), style="bold")
        table.add_row(Text(f"  {say('score.total', words.lang)}", style="bold"), "", total)
    verdict: list[RenderableType] = [Text(winners(outcome, words), style="bold")]
    if why := words.tie_break(outcome):
        verdict.append(Text(f"{why} (BASE-12)"))
    return Group(table, *verdict)


def winners(outcome: Outcome, words: Words) -> str:
    """Who has won, in a sentence."""
    seats = outcome.winners
    if len(seats) > 1:
        names = words.listed([paint.person(words, seat) for seat in seats])
        return say("play.end.shared", words.lang, names=names)
    if seats[0] == words.viewer:
        return say("play.end.you", words.lang)
    return say("play.end.they", words.lang, name=words.name(seats[0]))


def signed(points: int) -> str:
    """Points with their sign, a true minus among them."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")
