"""What a person can look up at the table: routes, cities, and why a claim is not possible."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from branchline.core.catalogue import say
from branchline.engine.describe import Words
from branchline.engine.layout import CLOSED
from branchline.engine.rule import Refusal
from branchline.engine.view import View
from branchline.tui import paint
from branchline.tui.problems import UserError


def plain(text: str) -> str:
    """Letters and digits only, small and without accents, for comparing what people type."""
    bare = unicodedata.normalize("NFKD", text.casefold().replace("ø", "o").replace("ß", "ss"))
    return "".join(c for c in bare if c.isalnum())


def find_city(words: Words, text: str) -> int:
    """The city that a person means: its name or id, or the beginning of only one."""
    spelled: dict[str, int] = {}
    for city in words.game.board.cities:
        for name in (city.id, city.name, *city.names.values()):
            spelled[plain(name)] = int(city.index)
    wanted = plain(text)
    if wanted in spelled:
        return spelled[wanted]
    begun = {city for name, city in spelled.items() if wanted and name.startswith(wanted)}
    if len(begun) == 1:
        return begun.pop()
    close = difflib.get_close_matches(wanted, spelled, n=1)
    code = "unknown_city_hint" if close else "unknown_city"
    hint = words.city(spelled[close[0]]) if close else ""
    raise UserError(code, {"text": text[:40], "hint": hint})


def find_routes(words: Words, text: str) -> list[int]:
    """The routes between two cities written as `Oslo-Bergen`; names may have hyphens themselves."""
    spelled = text.replace("–", "-").replace("—", "-")
    cuts = [k for k, c in enumerate(spelled) if c == "-"]
    if not cuts:
        raise UserError("two_cities", {"text": text[:40]})
    problem: UserError | None = None
    for cut in cuts:
        try:
            ends = {find_city(words, spelled[:cut]), find_city(words, spelled[cut + 1 :])}
        except UserError as error:
            problem = problem or error
            continue
        found = [int(r.index) for r in words.game.board.routes if {r.a, r.b} == ends]
        if found:
            return found
        raise UserError("no_route", {"text": "–".join(words.city(c) for c in sorted(ends))})
    assert problem is not None
    raise problem


def route_table(view: View, words: Words, routes: Sequence[int]) -> RenderableType:
    """Routes with length, colour, points, and who owns them or whether they can be claimed now."""
    claimable = {view.game.action(number).route for number in view.actions}
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for key in ("route", "track", "points", "state"):
        table.add_column(
            say(f"play.column.{key}", words.lang), justify="right" if key == "points" else "left"
        )
    for route in routes:
        state = route_state(view, words, route, route in claimable)
        points = str(words.points_of(route))
        table.add_row(words.route(route), paint.track(words, route), points, state)
    return table


def route_state(view: View, words: Words, route: int, claimable: bool) -> Text:
    """Whose a route is, whether it is closed, open or within reach."""
    owner = view["owner"][route]
    if owner == CLOSED:
        return Text(say("play.state.closed", words.lang), style="dim")
    if owner:
        return Text(words.name(owner - 1), style=paint.seat_style(owner - 1))
    key = "claimable" if claimable else "open"
    return Text(say(f"play.state.{key}", words.lang), style="bold" if claimable else "")


def listed_routes(view: View, words: Words, about: str) -> list[int]:
    """The open routes; with a city's name all of its routes; with `all` every route."""
    routes = [int(r.index) for r in view.game.board.routes]
    if plain(about) in ("all", plain(say("play.word.all", words.lang))):
        chosen = routes
    elif about:
        city = find_city(words, about)
        ends = [(r.a, r.b) for r in view.game.board.routes]
        chosen = [k for k in routes if city in ends[k]]
    else:
        chosen = [k for k in routes if not view["owner"][k]]
    return sorted(chosen, key=words.route)


def why_not(
    words: Words, routes: Sequence[int], view: View, ask: Callable[[int], Refusal | None]
) -> list[tuple[int, Refusal | None]]:
    """For each route why it can't be claimed in its most hopeful colour; None: it can be."""
    found: list[tuple[int, Refusal | None]] = []
    for route in routes:
        reasons = [ask(action) for action in claim_actions(words, route, view)]
        found.append((route, None if None in reasons else reasons[0]))
    return found


def claim_actions(words: Words, route: int, view: View) -> list[int]:
    """The claims of a route, the colour first of which the hand has the most."""
    loco = words.game.layout.loco

    def hope(number: int) -> tuple[bool, int]:
        card = words.game.action(number).card
        assert card is not None
        return card == loco, -view["hand"][card]

    return sorted(words.game.claims_of(route), key=hope)
