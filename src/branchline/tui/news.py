"""Events as lines of text: what is worth telling at once, and what only the whole log has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from branchline.engine.describe import Words
from branchline.engine.events import ALL, OWN, Event
from branchline.engine.game import Game
from branchline.engine.state import State


def is_news(event: Event, viewer: int) -> bool:
    """Whether an event is told as soon as it has happened."""
    return event.kind.news == ALL or (event.kind.news == OWN and event.seat == viewer)


def told(
    words: Words, events: Sequence[Event], everything: bool = False, open: bool = False
) -> list[str]:
    """The events in words, with equal lines in a row counted instead of repeated."""
    chosen = [e for e in events if everything or open or is_news(e, words.viewer)]
    lines = filter(None, (words.event(e, open=open) for e in chosen))
    counted = [(line, len(list(same))) for line, same in groupby(lines)]
    return [line if n == 1 else f"{line} ×{n}" for line, n in counted]


def comment(game: Game, lang: str) -> Callable[[State, Event], str]:
    """Words for the comments of a text in the notation: what a spectator sees."""
    words = Words(game, lang)

    def of(state: State, event: Event) -> str:
        return words.event(event).removesuffix(".") if is_news(event, words.viewer) else ""

    return of
