"""The report on a ladder: as Markdown for a document, and as one HTML file for people."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from branchline.core.catalogue import say
from branchline.lab.arena.ladder import BotTime, LadderResult, Rung, TableResult
from branchline.lab.numbers import board_name, estimate_words, number, value_with_interval
from branchline.lab.report.charts import Scale, whisker
from branchline.lab.report.page import Grid, Head, Row, ends, heads, render, translator
from branchline.lab.stats import Estimate


def seat_counts(result: LadderResult) -> list[int]:
    """The numbers of seats that were played, from few to many."""
    return sorted({table.seats for table in result.tables})


def tables_of(result: LadderResult, seats: int) -> list[TableResult]:
    """The boards that were played with this number of seats."""
    return [table for table in result.tables if table.seats == seats]


def rung_of(table: TableResult, bot: str) -> Rung:
    return next(rung for rung in table.rungs if rung.bot == bot)


def time_of(result: LadderResult, bot: str) -> BotTime:
    return next(time for time in result.times if time.bot == bot)


def milliseconds(value: float, lang: str) -> str:
    """A time in milliseconds, with as many decimals as it needs."""
    return number(value, 0 if value >= 100 else 1 if value >= 1 else 3, lang)


def rating(e: Estimate, lang: str) -> str:
    return value_with_interval(e, 0, lang, "signed")


def made_by(result: LadderResult, lang: str) -> str:
    """The version and the commit that played."""
    if not result.commit:
        return result.engine
    return say("lab.ladder.version", lang, engine=result.engine, commit=result.commit)


# --- Markdown -----------------------------------------------------------------------------------


def markdown(result: LadderResult, lang: str) -> str:
    """The ratings over all tables, by number of seats and board, and what they rest on."""
    overall = [
        [
            f"`{rung.bot}`",
            rating(rung.rating, lang),
            value_with_interval(rung.wins, 1, lang),
            number(rung.games, 0, lang),
            milliseconds(time_of(result, rung.bot).mean, lang),
            milliseconds(time_of(result, rung.bot).slowest, lang),
        ]
        for rung in result.rungs
    ]
    columns = ["bot", "rating", "win_share", "games", "time", "slowest"]
    parts = [_table([say(f"lab.column.{c}", lang) for c in columns], overall)]
    for seats in seat_counts(result):
        tables = tables_of(result, seats)
        rows = [
            [f"`{rung.bot}`", *(rating(rung_of(t, rung.bot).rating, lang) for t in tables)]
            for rung in result.rungs
        ]
        head = [say("lab.column.bot", lang), *(board_name(t.names, lang) for t in tables)]
        parts += [say("lab.ladder.seats", lang, seats=seats), _table(head, rows)]
    words = {"blocks": number(result.blocks, 0, lang), "games": number(result.games, 0, lang)}
    made = {"command": result.command, "version": made_by(result, lang)}
    parts.append(say("lab.ladder.made", lang, **words, **made))
    return "\n\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


# --- HTML ---------------------------------------------------------------------------------------


def ladder_page(result: LadderResult, lang: str) -> str:
    """The report; it names the command that plays the ladder again."""
    t = translator(lang)
    best = result.rungs[0]
    value, interval = estimate_words(best.rating, 0, lang, "signed")
    shown = (("blocks", result.blocks), ("games", result.games), ("tables", len(result.tables)))
    return render(
        "ladder.html.j2",
        lang,
        kind="ladder",
        title=t("ladder.title", bots=len(result.rungs), n=len(result.rungs)),
        lead=t("ladder.lead", bot=best.bot, rating=value, interval=interval),
        facts=[*((t(name), number(x, 0, lang)) for name, x in shown), (t("seed"), result.seed)],
        overall=rating_grid(t("ladder.overall_caption"), result.rungs, lang),
        times=times_grid(result, lang),
        seats=[
            (
                t("ladder.seats", seats=seats),
                [_board_grid(x, lang) for x in tables_of(result, seats)],
            )
            for seats in seat_counts(result)
        ],
        command=result.command,
        version=made_by(result, lang),
    )


def _board_grid(table: TableResult, lang: str) -> Grid:
    caption = say("lab.arena.board", lang, board=board_name(table.names, lang), seats=table.seats)
    return rating_grid(caption, table.rungs, lang)


def rating_grid(caption: str, rungs: Sequence[Rung], lang: str) -> Grid:
    """Ratings and win shares with their intervals."""
    every = [ends(rung.rating) for rung in rungs]
    least, most = min(low for low, _ in every), max(high for _, high in every)
    scale = Scale(floor(least / 50) * 50, ceil(most / 50) * 50)
    rows = []
    for rung in rungs:
        words = estimate_words(rung.rating, 0, lang, "signed")
        share = estimate_words(rung.wins, 1, lang)
        cells = [rung.bot, number(rung.games, 0, lang), *share, *words]
        drawing = whisker(scale, rung.rating.value, *ends(rung.rating), 0.0)
        rows.append(Row(cells, drawing))
    head = heads(
        lang, "bot/left", "games", "win_share", "interval/small", "rating", "interval/small",
        "/wide",
    )  # fmt: skip
    limits = [number(x, 0, lang, sign=True) for x in (scale.low, scale.high)]
    return Grid(caption, head, rows, limits)


def times_grid(result: LadderResult, lang: str) -> Grid:
    """The processor time of a decision."""
    rows = []
    for rung in result.rungs:
        time = time_of(result, rung.bot)
        spent = milliseconds(time.mean, lang), milliseconds(time.slowest, lang)
        rows.append(Row([rung.bot, number(time.decisions, 0, lang), *spent]))
    head: list[Head] = heads(lang, "bot/left", "decisions", "time", "slowest")
    return Grid(translator(lang)("ladder.times_caption"), head, rows)
