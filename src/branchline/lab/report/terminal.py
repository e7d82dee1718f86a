"""The results of contests and studies as tables for a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from branchline.core.board import Board
from branchline.core.catalogue import say
from branchline.engine.describe import Words
from branchline.engine.game import Game
from branchline.lab.arena.ladder import LadderResult
from branchline.lab.arena.standings import ArenaResult
from branchline.lab.numbers import board_name, number, source_name, value_with_interval
from branchline.lab.report.arena_page import lead, verdict_words
from branchline.lab.report.ladder_page import (
    milliseconds,
    rating,
    rung_of,
    seat_counts,
    tables_of,
    time_of,
)
from branchline.lab.report.page import source_order
from branchline.lab.report.study_page import (
    ROUTE_COLUMNS,
    TICKET_COLUMNS,
    by_claims,
    by_gain,
    route_cells,
    ticket_cells,
)
from branchline.lab.simulate.summary import grid
from branchline.lab.study.analysis import StudyResult


def arena_tables(result: ArenaResult, lang: str) -> RenderableType:
    """The board, the standings, the order of play and, if there was a test, what it says."""
    wins = grid(("bot",), ("games", "mean", "win_share"), lang)
    rates = grid(("bot",), ("margin", "rating"), lang)
    for s in result.standings:
        counts = number(s.games, 0, lang), number(s.score, 1, lang)
        wins.add_row(s.bot, *counts, value_with_interval(s.wins, 1, lang))
        rating = value_with_interval(s.rating, 0, lang, "signed")
        rates.add_row(s.bot, value_with_interval(s.margin, 1, lang, "signed"), rating)
    total = {"games": number(result.games, 0, lang), "blocks": number(result.blocks, 0, lang)}
    name = result.names.get(lang) or result.names["en"]
    head = Text(say("lab.arena.board", lang, board=name, seats=result.seats), style="bold")
    tables = (head, wins, rates, _order(result, lang))
    parts: list[RenderableType] = [part for table in tables for part in (table, Text())]
    parts.append(Text(say("lab.arena.total", lang, **total), style="dim"))
    parts.append(Text(lead(result, lang), style="bold"))
    if result.test is not None:
        parts.append(Text(verdict_words(result.test, lang), style="bold"))
    return Group(*parts)


def ladder_tables(result: LadderResult, lang: str) -> RenderableType:
    """The bots over all tables, then their ratings by number of seats and board."""
    overall = grid(("bot",), ("rating", "win_share", "time"), lang)
    for rung in result.rungs:
        share = value_with_interval(rung.wins, 1, lang)
        time = milliseconds(time_of(result, rung.bot).mean, lang)
        overall.add_row(rung.bot, rating(rung.rating, lang), share, time)
    parts: list[RenderableType] = [overall]
    for seats in seat_counts(result):
        tables = tables_of(result, seats)
        table = grid(("bot",), (), lang)
        for played in tables:
            table.add_column(board_name(played.names, lang), justify="right")
        for rung in result.rungs:
            values = [rung_of(played, rung.bot).rating.value for played in tables]
            table.add_row(rung.bot, *(number(x, 0, lang, sign=True) for x in values))
        head = Text(say("lab.ladder.seats", lang, seats=seats), style="bold")
        parts += [Text(), head, table]
    total = {"games": number(result.games, 0, lang), "blocks": number(result.blocks, 0, lang)}
    parts += [Text(), Text(say("lab.arena.total", lang, **total), style="dim")]
    return Group(*parts)


def _order(result: ArenaResult | StudyResult, lang: str) -> RenderableType:
    table = grid(("order",), ("win_share",), lang)
    for k, share in enumerate(result.order, 1):
        table.add_row(say(f"lab.place.{k}", lang), value_with_interval(share, 1, lang))
    return table


def study_tables(result: StudyResult, board: Board, lang: str) -> RenderableType:
    """Tickets, routes, sources, order of play and length."""
    words = Words(Game(board, result.seats), lang)
    tickets = _listed(TICKET_COLUMNS, lang)
    for ticket in by_gain(result.tickets):
        cells = ticket_cells(ticket, words, lang)
        tickets.add_row(*_without_intervals(TICKET_COLUMNS, cells))
    routes = _listed(ROUTE_COLUMNS, lang)
    for route in by_claims(result.routes):
        cells = route_cells(route, words, lang)
        routes.add_row(*_without_intervals(ROUTE_COLUMNS, cells))
    lengths = result.lengths
    shown = {"median": lengths.median, "least": lengths.least, "most": lengths.most}
    length = say("lab.report.lengths_text", lang, mean=number(lengths.mean, 1, lang), **shown)
    return Group(
        _head("study.tickets", lang),
        tickets,
        _head("study.routes", lang),
        routes,
        _head("sources", lang),
        _sources(result, lang),
        _head("order", lang),
        _order(result, lang),
        _head("lengths", lang),
        Text(length),
    )


def _listed(columns: tuple[str, ...], lang: str) -> Table:
    """A table with these columns except the intervals, for which there is no room."""
    names = [column.partition("/")[0] for column in columns if not column.startswith("interval")]
    return grid(names[:1], names[1:], lang)


def _without_intervals(columns: tuple[str, ...], cells: list[str]) -> list[str]:
    pairs = zip(columns, cells, strict=True)
    return [cell for column, cell in pairs if not column.startswith("interval")]


def _head(key: str, lang: str) -> Text:
    return Text(f"\n{say(f'lab.report.{key}', lang)}", style="bold")


def _sources(result: StudyResult, lang: str) -> RenderableType:
    order = source_order([result.points, result.winning_points])
    table = grid(("who",), (), lang)
    for what in order:
        table.add_column(source_name(what, lang), justify="right")
    table.add_column(say("lab.column.total", lang), justify="right")
    for who, total, points in (
        ("everyone", result.score, result.points),
        ("winners", result.winning_score, result.winning_points),
    ):
        cells = [number(points.get(what, 0.0), 1, lang) for what in order]
        table.add_row(say(f"lab.report.study.{who}", lang), *cells, number(total, 1, lang))
    return table
