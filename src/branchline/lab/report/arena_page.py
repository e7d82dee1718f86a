"""The report on a contest, for people: one HTML file."""

from __future__ import annotations

from math import ceil, floor
from typing import Any

from branchline.core.catalogue import say
from branchline.lab.arena.sprt import Verdict
from branchline.lab.arena.standings import ArenaResult, Pair
from branchline.lab.numbers import board_name, estimate_words, number, percent
from branchline.lab.report.charts import Scale, whisker
from branchline.lab.report.page import (
    Grid,
    Row,
    ends,
    facts,
    heads,
    lengths_section,
    order_grid,
    render,
    share_ends,
    share_scale,
    sources_section,
    translator,
)
from branchline.lab.stats import Estimate


def arena_page(result: ArenaResult, lang: str, command: str) -> str:
    """The report; `command` plays the contest again."""
    t = translator(lang)
    bots = [standing.bot for standing in result.standings]
    name = board_name(result.names, lang)
    known = {"games": result.games, "blocks": result.blocks, "seats": result.seats}
    rows = [(s.bot, s.score, s.points) for s in result.standings]
    return render(
        "arena.html.j2",
        lang,
        kind="arena",
        title=t("title", board=name, bots=", ".join(bots)),
        lead=lead(result, lang),
        facts=facts(lang, result.lengths, result.actions, result.ties, **known, seed=result.seed),
        verdict=verdict_words(result.test, lang) if result.test else "",
        wins=wins_grid(result, lang),
        ratings=ratings_grid(result, lang),
        ratings_text=t(f"arena.{result.model}"),
        bots=bots,
        matrix=matrix_rows(result, lang),
        order=order_grid(result.order, lang),
        command=command,
        engine=result.engine,
        digest=result.digest,
        **sources_section(rows, lang, "bot/left"),
        **lengths_section(result.lengths, lang),
    )


def pair_of(result: ArenaResult, bot: str, other: str) -> Pair:
    """How a bot fared against another."""
    return next(pair for pair in result.pairs if (pair.bot, pair.other) == (bot, other))


def lead(result: ArenaResult, lang: str) -> str:
    """Who is ahead, and whether that is more than chance."""
    best = result.standings[0]
    share = percent(best.wins.value, 1, lang)
    if len(result.standings) < 2:
        return say("lab.report.arena.alone", lang, bot=best.bot, share=share)
    other = result.standings[1].bot
    pair = pair_of(result, best.bot, other)
    ahead, interval = estimate_words(pair.ahead, 1, lang)
    words = {"bot": best.bot, "other": other, "share": share, "blocks": result.blocks}
    key = "clear" if pair.ahead.known and pair.ahead.low > 0.5 else "close"
    return say(f"lab.report.arena.{key}", lang, **words, ahead=ahead, interval=interval)


def verdict_words(test: Verdict, lang: str) -> str:
    """What a sequential test says."""
    return say(
        f"lab.arena.{test.accepted}",
        lang,
        first=test.first,
        second=test.second,
        blocks=number(test.blocks, 0, lang),
        share=percent(test.share, 1, lang),
        lower=percent(test.lower, 1, lang),
        higher=percent(test.higher, 1, lang),
        error=percent(test.error, 0, lang),
        ratio=number(test.ratio, 2, lang),
    )


def wins_grid(result: ArenaResult, lang: str) -> Grid:
    """Win shares, scores and margins."""
    equal = 1 / result.seats
    scale = share_scale([s.wins for s in result.standings] + [Estimate(equal, equal, equal)])
    rows = []
    for s in result.standings:
        margin = estimate_words(s.margin, 1, lang, "signed")
        share = estimate_words(s.wins, 1, lang)
        numbers = [number(s.games, 0, lang), number(s.score, 1, lang), *margin]
        drawing = whisker(scale, s.wins.value, *ends(s.wins), equal)
        rows.append(Row([s.bot, *numbers, *share], drawing))
    head = heads(
        lang, "bot/left", "games", "mean", "margin", "interval/small", "win_share",
        "interval/small", "/wide",
    )  # fmt: skip
    return Grid(translator(lang)("arena.wins_caption"), head, rows, share_ends(scale, lang))


def ratings_grid(result: ArenaResult, lang: str) -> Grid:
    """Ratings with their intervals."""
    every = [ends(s.rating) for s in result.standings]
    least, most = min(low for low, _ in every), max(high for _, high in every)
    scale = Scale(floor(least / 50) * 50, ceil(most / 50) * 50)
    rows = [
        Row(
            [s.bot, *estimate_words(s.rating, 0, lang, "signed")],
            whisker(scale, s.rating.value, *ends(s.rating), 0.0),
        )
        for s in result.standings
    ]
    head = heads(lang, "bot/left", "rating", "interval/small", "/wide")
    limits = [number(x, 0, lang, sign=True) for x in (scale.low, scale.high)]
    return Grid(translator(lang)("arena.ratings_caption"), head, rows, limits)


def matrix_rows(result: ArenaResult, lang: str) -> list[dict[str, Any]]:
    """Each bot against each; the tint repeats what the number says."""
    bots = [standing.bot for standing in result.standings]
    rows = []
    for bot in bots:
        cells = [_cell(pair_of(result, bot, o), lang) if o != bot else None for o in bots]
        rows.append({"bot": bot, "cells": cells})
    return rows


def _cell(pair: Pair, lang: str) -> dict[str, str]:
    value, interval = estimate_words(pair.ahead, 1, lang)
    strength = abs(pair.ahead.value - 0.5) * 0.7
    side = "--win" if pair.ahead.value >= 0.5 else "--loss"
    return {
        "value": value,
        "interval": interval,
        "margin": number(pair.margin.value, 1, lang, sign=True),
        "tint": f"rgba(var({side}), {strength:.2f})",
    }
