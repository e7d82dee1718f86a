"""Boards on the screen: a table of all, and everything about one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from branchline.core.board import Board
from branchline.core.catalogue import rule_text, say
from branchline.core.vocabulary import Vocabulary
from branchline.engine.components import components
from branchline.engine.describe import Words
from branchline.engine.game import Game
from branchline.tui import paint
from branchline.tui.charts import charts

DOUBTFUL = ("replaced", "reconstructed", "sourced", "exact")  # the least certain first


def seats_text(board: Board) -> str:
    low, high = board.seats_min, board.seats_max
    return str(low) if low == high else f"{low}–{high}"


def board_table(boards: Sequence[Board], lang: str) -> RenderableType:
    """All boards: id, name, seats, size, rules, and how far each part can be trusted."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0), show_header=False)
    for board in boards:
        head = say("cli.board_line", lang, name=board.named(lang), seats=seats_text(board))
        size = Vocabulary(board, lang).say(
            "cli.size",
            cities=len(board.cities),
            routes=len(board.routes),
            tickets=len(board.tickets),
            trains=board.trains,
        )
        names = ", ".join(entry.name for entry in board.rules)
        rules = say("cli.labelled", lang, label=say("cli.part.rules", lang), text=names)
        about = Group(Text(head, style="bold"), size, rules, status_text(board, lang))
        table.add_row(Text(board.id, style="bold"), about)
    return table


def status_text(board: Board, lang: str) -> str:
    """How far a board can be trusted: its parts by status, the doubtful first."""
    lines = []
    for status in DOUBTFUL:
        parts = [p.part for p in board.provenance if p.status == status]
        if parts:
            label = say(f"cli.status.{status}", lang)
            lines.append(say("cli.labelled", lang, label=label, text=", ".join(parts)))
    return "\n".join(lines) or say("cli.status.unknown", lang)


def board_page(board: Board, lang: str, cities: str = "") -> RenderableType:
    """Everything about a board; `cities` is the language of city names, if not as printed."""
    words = Words(Game(board, board.seats_max), lang, cities=cities)
    head = words.say(
        "cli.board_head",
        name=board.named(lang),
        id=board.id,
        seats=seats_text(board),
        trains=board.trains,
    )
    parts: list[RenderableType] = [Text(head, style="bold")]
    counts = {
        "cities": len(board.cities),
        "routes": len(board.routes),
        "tickets": len(board.tickets),
    }
    box = Text("\n".join(components(words)))
    parts += [Text(f"\n{say('board.part.components', lang)}", style="bold")]
    parts.append(Padding(box, (0, 0, 0, 2)))
    for key, content in (
        ("provenance", _provenance(board, lang)),
        ("rules", _rules(words, lang)),
        ("cities", Text(", ".join(sorted(c.named(cities) for c in board.cities)))),
        ("routes", _routes(words, lang)),
        ("tickets", _tickets(words, lang)),
    ):
        label = words.say(f"cli.part.{key}")
        title = label[0].upper() + label[1:] + (f" ({counts[key]})" if key in counts else "")
        parts += [Text(f"\n{title}", style="bold"), Padding(content, (0, 0, 0, 2))]
    for rule, content in charts(words):
        title = say(f"board.part.{rule}", lang)
        parts += [Text(f"\n{title}", style="bold"), Padding(content, (0, 0, 0, 2))]
    return Group(*parts)


def _provenance(board: Board, lang: str) -> RenderableType:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for p in board.provenance:
        status = Text(say(f"cli.status.{p.status}", lang), style="bold")
        table.add_row(p.part, status, p.source(lang))
    return table if board.provenance else Text(say("cli.status.unknown", lang))


def _rules(words: Words, lang: str) -> RenderableType:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for entry in words.game.board.rules:
        rule = words.game.rule_named(entry.name)
        cite = rule.cite if rule is not None else ""
        params = ", ".join(f"{k} {_brief(v)}" for k, v in entry.params.items() if k != "cite")
        title = rule_text(cite, lang, words.vocabulary.of_rules()).title if cite else ""
        table.add_row(Text(entry.name, style="bold"), cite, title, Text(params, style="dim"))
    return table


def _brief(value: object) -> str:
    """A parameter in a few characters."""
    if isinstance(value, list):
        simple = all(not isinstance(v, (dict, list)) for v in value)
        return " ".join(map(str, value)) if simple and len(value) <= 12 else f"({len(value)})"
    if isinstance(value, dict):
        return " ".join(f"{k}: {_brief(v)}" for k, v in value.items())
    return str(value)


def _routes(words: Words, lang: str) -> RenderableType:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for route in sorted(range(len(words.game.board.routes)), key=words.route):
        points = say("play.points", lang, n=words.points_of(route))
        table.add_row(words.route(route), paint.track(words, route), points)
    return table


def _tickets(words: Words, lang: str) -> RenderableType:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for ticket in sorted(range(len(words.game.board.tickets)), key=words.ticket):
        long = words.game.board.tickets[ticket].long
        table.add_row(words.ticket(ticket), say("actions.long", lang) if long else "")
    return table
