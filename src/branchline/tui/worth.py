"""Festival charts and the Province mat: what they score, and what they are worth now."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from branchline.core.board import Board
from branchline.core.catalogue import say
from branchline.engine.describe import Words
from branchline.engine.view import View
from branchline.tui import paint


def charts(words: Words, view: View | None = None) -> list[tuple[str, RenderableType]]:
    """What a board has of the two, by the rule's name; with a view, what it is worth now."""
    found: list[tuple[str, RenderableType]] = []
    if words.has_rule("festivals"):
        found.append(("festivals", _with_doubts(words, "festivals", festival_chart(words, view))))
    if words.has_rule("province_mat"):
        content = Group(mat_chart(words, view), places(words, view))
        found.append(("province_mat", _with_doubts(words, "province_mat", content)))
    return found


def points_for(words: Words, festival: int, cards: int) -> int:
    """What so many cards of a festival score."""
    return int(words.params("festivals")["sets"][festival]["scores"][cards - 1]) if cards else 0


def festival_chart(words: Words, view: View | None) -> RenderableType:
    """Every festival with the points for one card, two cards, and so on."""
    sets = words.params("festivals")["sets"]
    most = max(len(one["scores"]) for one in sets)
    table = _table()
    table.add_column(_head(words, "festival"))
    for number in range(1, most + 1):
        table.add_column(str(number), justify="right")
    seated = view is not None and view.seat >= 0
    for key in ("mine", "now", "lying", "then") if seated else ():
        table.add_column(_head(words, key), justify="right")
    total = 0
    for festival, one in enumerate(sets):
        row: list[str | Text] = [words.festival(festival)]
        row += [str(points) for points in one["scores"]] + [""] * (most - len(one["scores"]))
        if view is not None and seated:
            mine = view.of_seat("festival_cards", view.seat)[festival]
            lying = view["festival_piles"][festival]
            now, then = (points_for(words, festival, n) for n in (mine, mine + lying))
            row += [str(mine or ""), Text(str(now) if mine else "", style="bold")]
            row += [str(lying or ""), str(then) if lying else ""]
            if mine:
                row[mine] = Text(str(row[mine]), style="bold reverse")
            total += now
        table.add_row(*row)
    if not seated:
        return table
    return Group(table, Text(say("board.chart.total", words.lang, n=total), style="bold"))


def mat_chart(words: Words, view: View | None) -> RenderableType:
    """Every line of the mat with its spots: who stands on which, and what that is worth now."""
    lines = words.params("province_mat")["lines"]
    table = _table()
    for key in ("line", "spots", "standing") if view is not None else ("line", "spots"):
        table.add_column(_head(words, key))
    for k, line in enumerate(lines):
        colour = words.game.board.colours.index(line["colour"])
        name = paint.chip(words, colour) + Text(f" {line.get(words.lang) or line['en']}")
        taken = mat_owners(words, view, k) if view is not None else [0] * len(line["spots"])
        row = [name, _spots(line["spots"], taken)]
        if view is not None:
            row.append(Text("  ").join(standings(words, view, k)))
        table.add_row(*row)
    return table


def mat_owners(words: Words, view: View, line: int) -> list[int]:
    """Who stands on each spot of a line: seat + 1, or 0."""
    width = len(view["mat"]) // len(words.params("province_mat")["lines"])
    return view["mat"][line * width : (line + 1) * width]


def standings(words: Words, view: View, line: int) -> list[Text]:
    """Those with a train on a line, first to last: "#1 8 (10)", the sum and what it scores now."""
    mat = words.params("province_mat")
    seats = view.game.seats
    points = mat["scoring"][str(seats)]
    ranks = view["mat_ranks"][line * seats : (line + 1) * seats]
    owners = mat_owners(words, view, line)
    found = []
    for rank, seat in sorted((rank, seat) for seat, rank in enumerate(ranks) if rank):
        mine = [
            spot
            for spot, owner in zip(mat["lines"][line]["spots"], owners, strict=False)
            if owner == seat + 1
        ]
        worth = points[rank - 1] if rank <= len(points) else 0
        values = {"seat": seat + 1, "sum": sum(mine), "points": worth}
        text = say("board.chart.standing", words.lang, **values)
        found.append(Text.assemble((text, paint.seat_style(seat))))
    return found


def places(words: Words, view: View | None) -> RenderableType:
    """What the places on a line score, by the number of players."""
    scoring = words.params("province_mat")["scoring"]
    shown = [str(view.game.seats)] if view is not None else sorted(scoring)
    texts = []
    for seats in shown:
        points = ", ".join(map(str, scoring[seats]))
        texts.append(say("board.chart.places", words.lang, n=int(seats), points=points))
    return Text("\n  ".join([say("board.chart.ranks", words.lang), *texts]))


def _spots(spots: Sequence[int], owners: Sequence[int]) -> Text:
    """The spots of a line; a taken one shows whose train stands there."""
    text = Text()
    for spot, owner in zip(spots, owners, strict=False):
        if owner:
            text.append(f"{spot}#{owner} ", style=f"bold {paint.seat_style(owner - 1)}")
        else:
            text.append(f"{spot} ")
    return text


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


def _table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")


def _head(words: Words, key: str) -> str:
    return say(f"board.column.{key}", words.lang)
