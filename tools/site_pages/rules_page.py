"""The page of all rules, from the message catalogues."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Final

from branchline.core.catalogue import rule_ids, rule_text, say
from branchline.core.mapfile import load_board

INTRODUCTIONS: Final = Path(__file__).parent / "introductions"
BOARDS: Final = {"en": "Boards: {}.", "fr": "Plateaux\u00a0: {}."}


def page(lang: str) -> str:
    """All rules in the order of the catalogue, by the book that they rest on."""
    parts = [(INTRODUCTIONS / f"rules.{lang}.md").read_text("utf-8").strip()]
    rules = [rule_text(id, lang) for id in rule_ids()]
    for book, group in groupby(rules, key=lambda rule: rule.book):
        parts.append(f"## {say(f'page.rules.book_{book}', lang)}")
        for rule in group:
            boards = ", ".join(load_board(name).named(lang) for name in rule.boards)
            parts += [f"### {rule.id} · {rule.title} {{#{rule.id.lower()}}}", rule.text]
            parts.append(f"*{BOARDS[lang].format(boards)}*")
    return "\n\n".join(parts) + "\n"
