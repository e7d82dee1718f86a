"""Legal actions as clients receive them: what each does, costs and earns."""

from __future__ import annotations

from typing import Final

import msgspec

from branchline.engine.describe import Words
from branchline.engine.facts import Action
from branchline.engine.game import Game
from branchline.engine.view import View

MOST_KEPT: Final = 20_000  # cached offers

Key = tuple[int | tuple[int, ...], ...]

_encode: Final = msgspec.json.Encoder().encode


class Offers:
    """Builds the offers of a game in one language; `cities` is that of city names, if any."""

    def __init__(self, game: Game, lang: str, cities: str = "") -> None:
        self.words: Final = Words(game, lang, cities=cities)
        self._lasting: Final[dict[int, bytes]] = {}
        self._made: Final[dict[Key, bytes]] = {}

    def of(self, view: View) -> list[bytes]:
        """Every legal action of the view's seat, encoded."""
        return [self._lasting.get(action) or self._find(view, action) for action in view.actions]

    def _find(self, view: View, number: int) -> bytes:
        """An offer, built once for all positions in which the action has the same facts."""
        action = view.action(number)
        key = _key(action)
        found = self._made.get(key)
        if found is None:
            found = _encode(self.offer(action))
            if action.lasting:
                self._lasting[number] = found
                return found
            if len(self._made) >= MOST_KEPT:
                self._made.clear()
            self._made[key] = found
        return found

    def offer(self, action: Action) -> dict[str, object]:
        """One action with all of its facts, as `Offer` describes it."""
        text = self.words.of_action(action)
        offer: dict[str, object] = {"action": action.number, "do": action.kind}
        return {**offer, "notation": action.notation, "text": text, **action.values}


def _key(action: Action) -> Key:
    """All that an offer depends on."""
    values = [tuple(v) if isinstance(v, list) else v for v in action.values.values()]
    return (action.number, *values)
