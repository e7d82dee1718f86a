"""Legal actions as clients receive them: what each does, costs and earns."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from branchline.engine.describe import COLOUR, ROUTE, Words
from branchline.engine.game import Game
from branchline.engine.view import View
from branchline.service.messages import Offer

LASTING: Final = frozenset({"claim", "take", "draw", "pass", "back_off", "station", "station_at"})
"""Kinds whose offers depend on the action alone, so that they are built once."""
MOST_TICKETS: Final = 32  # no more are drawn at once
MOST_KEPT: Final = 20_000  # cached offers

Key = tuple[int, ...]

_encode: Final = msgspec.json.Encoder().encode


def places_in(parts: list[str]) -> list[int]:
    """The places that a notation names, counted from 0."""
    return [int(part) - 1 for part in parts if part.isdigit()]


class Offers:
    """Builds the offers of a game in one language; `cities` is that of city names, if any."""

    def __init__(self, game: Game, lang: str, cities: str = "") -> None:
        self.words: Final = Words(game, lang, cities=cities)
        self._made: Final[dict[int, msgspec.Raw]] = {}
        self._made_for: Final[dict[Key, msgspec.Raw]] = {}

    def of(self, view: View) -> list[msgspec.Raw]:
        """Every legal action of the view's seat, encoded."""
        return [self._made.get(action) or self._find(view, action) for action in view.actions]

    def _find(self, view: View, action: int) -> msgspec.Raw:
        key = self._key(view, action)
        found = self._made_for.get(key) if key is not None else None
        if found is not None:
            return found
        offer = self.offer(view, action)
        raw = msgspec.Raw(_encode(offer))
        if offer.do in LASTING:
            self._made[action] = raw
        elif key is not None:
            if len(self._made_for) >= MOST_KEPT:
                self._made_for.clear()
            self._made_for[key] = raw
        return raw

    def _key(self, view: View, action: int) -> Key | None:
        """What an offer depends on, if that is little enough to cache it by."""
        parts = self.words.game.action_text(action).split()
        if parts == ["tickets"]:
            return action, min(view.one("ticket_len"), MOST_TICKETS)
        if parts[0] == "pay" and view.phase == "pay":
            registers = view["registers"]
            return action, registers[ROUTE], registers[COLOUR]
        if "keep" in parts[:2]:
            return action, *self.words.chosen(view, places_in(parts))
        return None

    def offer(self, view: View, action: int) -> Offer:
        """One legal action."""
        words = self.words
        notation = words.game.action_text(action)
        text = words.action(view, action)
        do, facts = self._facts(view, notation)
        return Offer(action, do, notation, text, **facts)

    def _facts(self, view: View, notation: str) -> tuple[str, dict[str, Any]]:
        words = self.words
        parts = notation.split()
        numbers = [int(part) for part in parts if part.isdigit()]
        match parts:
            case ["claim", route, colour]:
                at = words.route_named(route)
                points = words.points_of(at)
                return "claim", {"route": at, "card": words.kind(colour), "points": points}
            case ["pay", *_]:
                cards, sets, extra = words.payment(view, numbers)
                return "pay", {"cards": cards, "sets": sets, "extra": extra}
            case [("take" | "substitute") as do, card]:
                return do, {"card": words.kind(card)}
            case ["keep", *_] | [_, "keep", *_]:
                return "keep", {"tickets": words.chosen(view, places_in(parts))}
            case [_, "pick", _]:
                return "pick", {"tickets": words.chosen(view, [numbers[0] - 1])}
            case ["express", _, what]:
                return f"express_{what}", {"express": numbers[0]}
            case ["mat", "none"]:
                return "mat_none", {}
            case ["mat", colour, *_]:
                express = numbers[0] if numbers else 0
                line, spot = words.mat_place(view, colour, express)
                return "mat", {"line": line, "spot": spot, "express": express}
            case ["festival", end]:
                city, festival = words.festival_end(view, end)
                return "festival", {"city": city, "festival": festival}
            case ["station", "at", place]:
                return "station_at", {"city": words.game.board.city_of[place]}
            case ["station", "pay", colour, _]:
                return "pay", {"cards": words.station_payment(view, colour, numbers[0])}
            case ["tunnel", _]:
                return "tunnel", {"cards": words.tunnel_payment(view, numbers[0])}
        return parts[0].replace("-", "_"), {}
