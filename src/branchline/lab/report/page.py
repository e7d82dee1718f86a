"""What all reports share: the page, its tables, and the sections on sources, order and length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor
from typing import Any, Final

import msgspec

from branchline.core.catalogue import say
from branchline.lab.errors import require
from branchline.lab.numbers import estimate_words, number, percent, source_name
from branchline.lab.report.charts import Scale, bar, pattern_defs, stack, swatch, whisker
from branchline.lab.results import Lengths
from branchline.lab.stats import Estimate

LEFT: Final = "left"
WIDE: Final = "wide"
SMALL: Final = "small"


class Head(msgspec.Struct, frozen=True):
    """The head of a column, and how its cells are set."""

    text: str
    kind: str = ""


class Row(msgspec.Struct, frozen=True):
    """Cells in words; the drawing, if there is one, comes last."""

    cells: Sequence[str]
    drawing: str = ""


class Grid(msgspec.Struct, frozen=True):
    """A table of a report; `ends` are the ends of the drawings' scale."""

    caption: str
    heads: Sequence[Head]
    rows: Sequence[Row]
    ends: Sequence[str] = ()


def render(template: str, lang: str, **values: Any) -> str:
    """A whole page, which needs nothing from the network."""
    jinja = require("jinja2")
    environment = jinja.Environment(
        loader=jinja.PackageLoader("branchline.lab.report"),
        autoescape=lambda name: name is not None and ".html" in name,
        undefined=jinja.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    page: str = environment.get_template(template).render(
        lang=lang, t=translator(lang), patterns=pattern_defs(), **values
    )
    return page


def translator(lang: str) -> Callable[..., str]:
    """The words of reports, by the last part of their key."""

    def tell(key: str, **values: object) -> str:
        return say(f"lab.report.{key}", lang, **values)

    return tell


def heads(lang: str, *columns: str) -> list[Head]:
    """Heads by their catalogue keys; `key/kind` sets the kind, `/wide` alone is a drawing's."""
    found = []
    for column in columns:
        key, _, kind = column.partition("/")
        found.append(Head(say(f"lab.column.{key}", lang) if key else "", kind))
    return found


def facts(lang: str, lengths: Lengths, actions: float, ties: int, **known: object) -> list[Any]:
    """The facts at the top of a report: what is known, then what games were like."""
    t = translator(lang)
    shown = [(t(name), _fact(value, lang)) for name, value in known.items()]
    shown.append((t("turns"), number(lengths.mean, 1, lang)))
    shown.append((t("actions"), number(actions, 1, lang)))
    shown.append((t("ties"), number(ties, 0, lang)))
    return shown


def _fact(value: object, lang: str) -> str:
    return number(value, 0, lang) if isinstance(value, int) else str(value)


# --- sections -------------------------------------------------------------------------------


def source_order(rows: Sequence[Mapping[str, float]]) -> list[str]:
    """The kinds of score lines that occur, those that brought most first, losses last."""
    total: dict[str, float] = {}
    for row in rows:
        for what, points in row.items():
            total[what] = total.get(what, 0.0) + points
    return sorted(total, key=lambda what: -total[what])


def sources_section(
    rows: Sequence[tuple[str, float, Mapping[str, float]]], lang: str, first: str
) -> dict[str, Any]:
    """Scores by source; `rows` are (who, total, points by source)."""
    order = source_order([points for _, _, points in rows])
    gains = [sum(x for x in points.values() if x > 0) for _, _, points in rows]
    losses = [sum(x for x in points.values() if x < 0) for _, _, points in rows]
    scale = Scale(min(losses), max(gains))
    lines = []
    for who, total, points in rows:
        parts = [(k, points.get(what, 0.0)) for k, what in enumerate(order)]
        cells = [number(points.get(what, 0.0), 1, lang) for what in order]
        lines.append(Row([who, *cells, number(total, 1, lang)], stack(scale, parts)))
    names = [Head(source_name(what, lang)) for what in order]
    head = [*heads(lang, first), *names, *heads(lang, "total", "/wide")]
    return {
        "legend": [(swatch(k), source_name(what, lang)) for k, what in enumerate(order)],
        "sources": Grid(
            translator(lang)("sources_caption"),
            head,
            lines,
            [number(scale.low, 0, lang), number(scale.high, 0, lang)],
        ),
    }


def order_grid(order: Sequence[Estimate], lang: str) -> Grid:
    """The win share by order of play."""
    equal = 1 / len(order)
    scale = share_scale([*order, Estimate(equal, equal, equal)])
    rows = [
        Row(
            [say(f"lab.place.{k}", lang), *estimate_words(e, 1, lang)],
            whisker(scale, e.value, *ends(e), equal),
        )
        for k, e in enumerate(order, 1)
    ]
    head = heads(lang, "order/left", "win_share", "interval/small", "/wide")
    return Grid(translator(lang)("order_caption"), head, rows, share_ends(scale, lang))


def lengths_section(lengths: Lengths, lang: str) -> dict[str, Any]:
    """How long games took."""
    t = translator(lang)
    scale = Scale(0, max(count for _, _, count in lengths.bins))
    rows = []
    for first, last, count in lengths.bins:
        name = str(first) if first == last else t("from_to", first=first, last=last)
        rows.append(Row([name, number(count, 0, lang)], bar(scale, count)))
    words = {
        "mean": number(lengths.mean, 1, lang),
        "median": lengths.median,
        "least": lengths.least,
        "most": lengths.most,
    }
    head = heads(lang, "turns_from_to/left", "games", "/wide")
    grid = Grid(t("lengths_caption"), head, rows, ["0", number(scale.high, 0, lang)])
    return {"lengths": grid, "lengths_text": t("lengths_text", **words)}


def ends(e: Estimate) -> tuple[float, float]:
    """The ends of an interval; the value itself where there is none."""
    return (e.low, e.high) if e.known else (e.value, e.value)


def share_ends(scale: Scale, lang: str) -> list[str]:
    """The ends of a scale of shares, in words."""
    return [percent(scale.low, 0, lang), percent(scale.high, 0, lang)]


def share_scale(estimates: Sequence[Estimate]) -> Scale:
    """A scale for shares: all of it, or the part where something happens."""
    low = min(ends(e)[0] for e in estimates)
    high = max(ends(e)[1] for e in estimates)
    room = 0.1 * (high - low) + 0.02
    low, high = floor(20 * (low - room)) / 20, ceil(20 * (high + room)) / 20
    return Scale(max(0.0, low), min(1.0, high))
