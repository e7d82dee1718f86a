"""The report on a board, for its author: one HTML file with the board drawn."""

from __future__ import annotations

from branchline.core.board import Board
from branchline.engine.describe import Words
from branchline.engine.game import Game
from branchline.lab.numbers import estimate_words, number, percent
from branchline.lab.report.board_drawing import colour, draw_board, thickness
from branchline.lab.report.charts import Scale, bar
from branchline.lab.report.page import (
    Grid,
    Row,
    facts,
    heads,
    lengths_section,
    order_grid,
    render,
    share_ends,
    sources_section,
    translator,
)
from branchline.lab.study.analysis import RouteUse, StudyResult, TicketUse

TICKET_COLUMNS = (
    "ticket/left", "points", "held", "completed", "interval/small", "gained", "holder_wins",
)  # fmt: skip
ROUTE_COLUMNS = (
    "route/left", "length", "claimed", "interval/small", "when", "wanted", "contested", "lost",
)  # fmt: skip


def study_page(result: StudyResult, board: Board, lang: str, command: str) -> str:
    """The report; `command` makes the study again."""
    t = translator(lang)
    name = board.named(lang)
    words = Words(Game(board, result.seats), lang)
    rates = [use.claimed.value for use in result.routes]
    notes = [
        t("study.route_note", route=words.track(k), share=percent(rate, 0, lang))
        for k, rate in enumerate(rates)
    ]
    title = t("study.board_title", board=name)
    first, interval = estimate_words(result.order[0], 1, lang)
    known = {"games": result.games, "seats": result.seats, "seed": result.seed}
    sources = [
        (t("study.everyone"), result.score, result.points),
        (t("study.winners"), result.winning_score, result.winning_points),
    ]
    return render(
        "study.html.j2",
        lang,
        kind="study",
        title=t("study.title", board=name),
        lead=t(
            "study.lead",
            bots=", ".join(result.bots),
            seats=result.seats,
            first=first,
            interval=interval,
            winning=number(result.winning_score, 1, lang),
        ),
        facts=facts(lang, result.lengths, result.actions, result.ties, **known),
        drawing=draw_board(board, rates, notes, title, t("study.board_about")),
        scale=[(_sample(k / 4), percent(k / 4, 0, lang)) for k in range(5)],
        tickets=tickets_grid(result, words, lang),
        routes=routes_grid(result, words, lang),
        order=order_grid(result.order, lang),
        command=command,
        engine=result.engine,
        digest=result.digest,
        **sources_section(sources, lang, "who/left"),
        **lengths_section(result.lengths, lang),
    )


def _sample(rate: float) -> str:
    """A piece of line for the legend."""
    line = f'stroke="{colour(rate)}" stroke-width="{thickness(rate):.1f}"'
    return (
        '<svg width="30" height="12" aria-hidden="true">'
        f'<line x1="0" x2="30" y1="6" y2="6" {line}/></svg>'
    )


def ticket_cells(use: TicketUse, words: Words, lang: str) -> list[str]:
    """A ticket's line, as both the terminal and the page have it."""
    name = words.game.board.ticket_name(use.ticket)
    cells = [translator(lang)("study.long", ticket=name) if use.long else name]
    cells += [number(use.points, 0, lang), percent(use.held.value, 0, lang)]
    if use.holdings == 0:
        return [*cells, "–", "–", "–", "–"]
    cells += estimate_words(use.done, 0, lang)
    return [*cells, number(use.gained.value, 1, lang, sign=True), percent(use.wins.value, 0, lang)]


def route_cells(use: RouteUse, words: Words, lang: str) -> list[str]:
    """A route's line, as both the terminal and the page have it."""
    cells = [words.track(use.route), number(use.length, 0, lang)]
    cells += estimate_words(use.claimed, 0, lang)
    cells.append(percent(use.when, 0, lang) if use.claimed.value else "–")
    cells += [percent(use.wanted, 0, lang), percent(use.contested, 0, lang)]
    return [*cells, percent(use.lost, 0, lang) if use.wanted else "–"]


def tickets_grid(result: StudyResult, words: Words, lang: str) -> Grid:
    """All tickets, the most rewarding first."""
    scale = Scale(0, 1)
    rows = [
        Row(ticket_cells(use, words, lang), bar(scale, use.done.value))
        for use in by_gain(result.tickets)
    ]
    head = heads(lang, *TICKET_COLUMNS, "/wide")
    return Grid(translator(lang)("study.tickets_caption"), head, rows, share_ends(scale, lang))


def routes_grid(result: StudyResult, words: Words, lang: str) -> Grid:
    """All routes, the most claimed first."""
    scale = Scale(0, 1)
    rows = [
        Row(route_cells(use, words, lang), bar(scale, use.claimed.value))
        for use in by_claims(result.routes)
    ]
    head = heads(lang, *ROUTE_COLUMNS, "/wide")
    return Grid(translator(lang)("study.routes_caption"), head, rows, share_ends(scale, lang))


def by_gain(tickets: list[TicketUse]) -> list[TicketUse]:
    """Tickets, the most rewarding first; those that nobody ever held last."""
    return sorted(tickets, key=lambda use: (use.holdings == 0, -use.gained.value, use.ticket))


def by_claims(routes: list[RouteUse]) -> list[RouteUse]:
    """Routes, the most claimed first."""
    return sorted(routes, key=lambda use: (-use.claimed.value, use.route))
