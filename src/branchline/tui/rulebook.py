"""Rules on the screen: one in full, or the titles of many, with the book that each rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from branchline.core.catalogue import rule_ids, rule_text, say
from branchline.tui.problems import UserError


def rule_page(id: str, lang: str, words: Mapping[str, object] | None = None) -> RenderableType:
    """A rule in full, in a board's words if given; raises `UserError` if there is no such rule."""
    if id.upper() not in rule_ids():
        raise UserError("unknown_rule_id", {"id": id[:40]})
    rule = rule_text(id.upper(), lang, words)
    return Group(
        Text(f"{rule.id}  {rule.title}", style="bold"),
        Padding(Text(rule.text), (0, 0, 0, 2)),
        Padding(Text(source(rule.book, lang), style="dim"), (0, 0, 0, 2)),
    )


def rule_list(
    ids: Sequence[str], lang: str, words: Mapping[str, object] | None = None
) -> RenderableType:
    """Many rules by id, title and book."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for id in ids:
        rule = rule_text(id, lang, words)
        table.add_row(
            Text(id, style="bold"), rule.title, Text(source(rule.book, lang), style="dim")
        )
    return table


def source(book: str, lang: str) -> str:
    """What a rule rests on, in words."""
    return say(f"cli.book.{book}", lang)
