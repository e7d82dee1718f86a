"""Building a board from the content of a map file, and the digest of its facts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import msgspec

from branchline.core.board import GRAY, Board, City, Provenance, Route, RuleEntry, Ticket
from branchline.core.catalogue import LANGUAGES
from branchline.core.mapfile.checks import check_file
from branchline.core.mapfile.problems import MapError, map_error, phrase
from branchline.core.mapfile.schema import MapData
from branchline.core.mapfile.validation import fitted


def board_from_data(data: Mapping[str, object], where: str) -> Board:
    """The board that a file's content describes; `where` names the content in complaints."""
    try:
        plain: dict[str, Any] = msgspec.to_builtins(data)
        file = fitted(plain, MapData, where)
        problems = list(check_file(file))
        if problems:
            raise MapError(where, problems)
        return _board(file, plain)
    except RecursionError:
        raise map_error(where, "file", phrase("nested"), phrase("a_map_file")) from None


def _board(file: MapData, plain: dict[str, Any]) -> Board:
    cities: list[City] = []
    for name, c in file.cities.items():
        names = {lang: getattr(c, f"name_{lang}") or c.name for lang in LANGUAGES}
        cities.append(City(len(cities), name, c.name, names, c.lat, c.lon))
    number = {city.id: city.index for city in cities}
    routes = []
    pairs = [frozenset(r.between) for r in file.routes]
    for i, r in enumerate(file.routes):
        a, b = number[r.between[0]], number[r.between[1]]
        colour = GRAY if r.colour == "gray" else file.colours.index(r.colour)
        twin = next((j for j, pair in enumerate(pairs) if pair == pairs[i] and j != i), -1)
        marks = (r.locomotives, r.tunnel, r.any_cards)
        routes.append(Route(i, a, b, r.length, colour, *marks, twin))
    tickets = [
        Ticket(i, number[t.between[0]], number[t.between[1]], t.points, t.long)
        for i, t in enumerate(file.tickets)
    ]
    rules = [RuleEntry(r["rule"], {k: r[k] for k in r if k != "rule"}) for r in plain["rules"]]
    provenance = [
        Provenance(p.part, p.status, {lang: getattr(p, lang) or p.en for lang in LANGUAGES})
        for p in file.provenance
    ]
    low, high = file.seats
    lists = (list[str](file.colours), cities, routes, tickets, rules, provenance)
    digest = _digest(file, plain["rules"])
    words = plain.get("words", {})
    earlier = list[str](file.earlier)
    facts = (plain, digest, earlier, words)
    return Board(file.id, file.name, low, high, file.trains, *lists, *facts)


def _digest(file: MapData, rules: object) -> str:
    """SHA-256 of what matters to play: no names, positions or provenance."""
    same = ("id", "seats", "trains", "colours", "routes", "tickets")
    facts = {name: getattr(file, name) for name in same}
    facts |= {"cities": list(file.cities), "rules": _without_words(rules)}
    text = json.dumps(msgspec.to_builtins(facts), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _without_words(value: Any) -> Any:
    """The same without texts: a table has texts if it has an English one."""
    if isinstance(value, dict):
        texts = LANGUAGES if "en" in value else ()
        return {k: _without_words(v) for k, v in value.items() if k not in texts}
    return [_without_words(v) for v in value] if isinstance(value, list) else value
