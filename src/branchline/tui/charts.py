"""What the rules score and what lies on the table because of them, drawn with rich.

The content is the rules' own (`engine/facts.py`); here it only gets its colours and columns.
"""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from branchline.core.board import Board
from branchline.core.catalogue import has_message, say
from branchline.engine.describe import Words
from branchline.engine.facts import Chart, Item, Part
from branchline.engine.view import View
from branchline.tui import paint


def charts(words: Words, view: View | None = None) -> list[tuple[str, RenderableType]]:
    """The charts of a board's rules, by the rule's name; with a view, what they are worth now."""
    found = [chart for rule in words.game.rules for chart in rule.charts(words.game, view)]
    return [(chart.name, _with_doubts(words, chart.name, draw(words, chart))) for chart in found]


def draw(words: Words, chart: Chart) -> RenderableType:
    """A chart and the sentences below it."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for k, heading in enumerate(chart.headings):
        right = all(len(row[k]) < 2 and not (row[k] and row[k][0].thing) for row in chart.rows)
        table.add_column(_heading(words, heading), justify="right" if right else "left")
    for row in chart.rows:
        table.add_row(*(item(words, cell) for cell in row))
    below = [words.sentence(sentence) for sentence in chart.below]
    if not below:
        return table
    style = "bold" if len(below) == 1 else ""
    return Group(table, Text("\n  ".join(below), style=style))


def items(words: Words, found: list[Item]) -> RenderableType:
    """Several items in a line; those that begin with a colour stand in columns."""
    texts = [item(words, one) for one in found]
    if any(one.colour >= 0 for parts in found for one in parts):
        return Columns(texts, padding=(0, 3))
    return Text(", ").join(texts)


def item(words: Words, parts: Item) -> Text:
    """Parts next to each other."""
    return Text.assemble(*(part(words, one) for one in parts))


def part(words: Words, one: Part) -> Text:
    """A part in its colour."""
    if one.cards is not None:
        return Text("   ").join(paint.counted(words, k, n) for k, n in enumerate(one.cards) if n)
    style = f"{'bold' if one.strong else ''} {paint.seat_style(one.seat) if one.seat >= 0 else ''}"
    text = Text(_said(words, one), style=style.strip())
    if one.colour < 0:
        return text
    return paint.chip(words, one.colour) + (Text(" ") if one.thing else Text("")) + text


def _said(words: Words, one: Part) -> str:
    if one.sentence is not None:
        return words.sentence(one.sentence)
    match one.thing:
        case "":
            return one.text
        case "city":
            return words.city(one.number)
        case "person":
            return paint.person(words, one.number)
        case name if name.endswith("_name"):
            return words.thing_name(name.removesuffix("_name"), one.number)
    return words.thing(one.thing, one.number)


def _heading(words: Words, key: str) -> str:
    known = has_message(f"board.column.{key}", words.lang)
    return say(f"board.column.{key}", words.lang) if known else key


def _with_doubts(words: Words, rule: str, content: RenderableType) -> RenderableType:
    parts = doubts(words.game.board, rule, words.lang)
    if not parts:
        return content
    note = say("board.chart.not_exact", words.lang, parts=", ".join(parts))
    return Group(content, Text(note, style="dim"))


def doubts(board: Board, rule: str, lang: str) -> list[str]:
    """The parts of a rule's data that are reconstructed, in words."""
    return [
        say(f"board.data.{p.part.removeprefix(f'{rule}.')}", lang)
        for p in board.provenance
        if p.part.startswith(f"{rule}.") and p.status == "reconstructed"
    ]
