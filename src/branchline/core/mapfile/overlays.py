"""Overlays: files that replace lists and rules of a board."""

from __future__ import annotations

from typing import Any

import msgspec

from branchline.core.board import Board
from branchline.core.catalogue import LANGUAGES, say
from branchline.core.mapfile.build import board_from_data
from branchline.core.mapfile.files import read_toml
from branchline.core.mapfile.problems import (
    MapError,
    MapProblem,
    as_is,
    closest,
    map_error,
    phrase,
)
from branchline.core.mapfile.schema import MapData, OverlayData, RuleItems
from branchline.core.mapfile.validation import fitted, misfits


class Overlay(msgspec.Struct, frozen=True):
    """An overlay as its file has it, and its lists for rules by the names of the rules."""

    path: str
    data: OverlayData
    lists: dict[str, list[dict[str, Any]]]

    @property
    def board(self) -> str:
        """The id of the board that it is for."""
        return self.data.overlay_for


def read_overlay(path: str) -> Overlay:
    """The overlay of that name or file. Raises `MapError` if it is not well formed."""
    content = read_toml(path)
    known = OverlayData.__struct_fields__
    lists = {name: value for name, value in content.items() if name not in known}
    problems: list[MapProblem] = []
    for name, value in lists.items():
        if isinstance(value, list) and name not in MapData.__struct_fields__:
            problems += misfits(value, RuleItems, name)
        else:
            right = as_is(", ".join(known))
            problems.append(MapProblem(name, phrase("unknown_field"), right, closest(name, known)))
    if problems:
        raise MapError(path, problems)
    rest = {name: value for name, value in content.items() if name in known}
    return Overlay(path, fitted(rest, OverlayData, path), lists)


def overlaid(board: Board, overlay: Overlay) -> Board:
    """The board with the lists and rules of the overlay."""
    path, changes = overlay.path, overlay.data
    if overlay.board != board.id:
        right = phrase("this_board", board=board.id)
        raise map_error(path, "overlay_for", as_is(overlay.board), right)
    data: dict[str, Any] = {"provenance": [], **board.source}
    if changes.tickets:
        data["tickets"] = msgspec.to_builtins(changes.tickets)
        data["provenance"] = _replaced(data["provenance"], "tickets")
    for rule, items in overlay.lists.items():
        new = {_list_parameter(board, rule, path): items}
        data["rules"] = [r | new if r["rule"] == rule else r for r in data["rules"]]
        data["provenance"] = _replaced(data["provenance"], rule)
    if changes.rules or changes.without:
        data["rules"] = _other_rules(data["rules"], changes, path)
        data["provenance"] = _replaced(data["provenance"], "rules")
    told = {p.part: msgspec.to_builtins(p) for p in changes.provenance}
    data["provenance"] = [told.get(p["part"], p) for p in data["provenance"]]
    return board_from_data(data, path)


def _list_parameter(board: Board, rule: str, path: str) -> str:
    """The parameter that an overlay's list for a rule replaces: the rule's one list of tables."""
    names = [entry.name for entry in board.rules]
    if rule not in names:
        hint = closest(rule, names)
        raise map_error(path, rule, phrase("no_such_rule"), phrase("its_lists"), hint)
    params = board.rules[names.index(rule)].params
    found = [
        name
        for name, value in params.items()
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value)
    ]
    if len(found) != 1:
        raise map_error(path, rule, phrase("no_such_list"), phrase("its_lists"))
    return found[0]


def _other_rules(
    rules: list[dict[str, Any]], overlay: OverlayData, path: str
) -> list[dict[str, Any]]:
    """A board's rules as an overlay changes them: some replaced or added, some left out."""
    listed = [rule["rule"] for rule in rules]
    for name in overlay.without:
        if name not in listed:
            raise map_error(path, "without", phrase("no_rule", rule=name), phrase("its_rules"))
    new: dict[str, dict[str, Any]] = {}
    for rule in overlay.rules:
        if not isinstance(rule.get("rule"), str):
            raise map_error(path, "rules", phrase("nameless_rule"), phrase("rule_names"))
        new[rule["rule"]] = rule
    kept = [new.pop(rule["rule"], rule) for rule in rules if rule["rule"] not in overlay.without]
    return kept + list(new.values())


def _replaced(provenance: list[dict[str, Any]], part: str) -> list[dict[str, Any]]:
    """The provenance with `part`, and what belongs to it, marked as replaced."""
    mark = {"status": "replaced", **{lang: say("maps.overlay", lang) for lang in LANGUAGES}}
    inside = [p for p in provenance if f"{p['part']}.".startswith(f"{part}.")] or [{"part": part}]
    return [p for p in provenance if p not in inside] + [p | mark for p in inside]
